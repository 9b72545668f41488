#!/usr/bin/env python3
"""Commands that get too little memory: each is run with many limits of its address space, from what it takes to start up to
what it needs for all of its work.

    tests/starve.py [--tessera build/tessera] [--sizes 25] [--seconds N] [--seed N] [TEST…]

A run ends with a documented exit code, never by a signal. One that did not do its work says so; one that says it did gave what
it gives with memory enough. What it leaves behind is whole: pages, pools, submissions, lines of answers. Each command is run
with so many sizes; with --seconds all go on, with sizes that the seed decides, until the time is over. Not for a build with
AddressSanitizer, which takes all address space there is: tests/memory.c is for that one. The last lines are `N runs, no
finding` and `N passed, N failed`.
"""

import argparse
import json
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

from harness import ROOT, Failed, check, run_tests, sound

MB = 1 << 20
PAGE = 4096
SYSTEM = 4
PROGRAMS = ROOT / "tasks/solvers.py"

HOSTILE = """
def solve_repeats(I):
    x1 = rbind(repeat, 330)
    x2 = power(x1, 3)
    x3 = height(I)
    return x2(x3)

def solve_large_seesaw(I):
    x1 = canvas(1, astuple(1500, multiply(100, width(I))))
    x2 = hmirror(x1)
    x3 = canvas(1, astuple(8000, multiply(100, width(I))))
    x4 = size(asindices(x1))
    x5 = hmirror(x3)
    return astuple(subgrid(asobject(I), x2), x5)
"""

DIFFERS = """
def differ_cells(S, I, C):
    x1 = ofcolor(cellwise(C, I, NEG_ONE), NEG_ONE)
    return astuple(subtract(1000, multiply(size(x1), 10)), x1)

def differ_samples(S, I, C):
    x1 = repeat(I, 100)
    return astuple(multiply(size(S), 50), astuple(S, x1))
"""


def without_times(text):
    """What is the same in every run."""
    text = re.sub(r'"(ms|seconds)": (\{[^}]*\}|[\d.e+-]+)', "", text)
    return re.sub(r"\d+(\.\d+)? (ms|s|us)\b", "", text)


class Tests:
    troubles = (OSError, KeyError)

    def __init__(self, options, folder):
        self.folder, self.options = folder, options
        self.tessera = folder / "tessera"
        shutil.copy(options.tessera, self.tessera)
        self.random = random.Random(options.seed)
        self.runs = self.found = 0
        self.least = self.least_to_start()
        (folder / "hostile.py").write_text(PROGRAMS.read_text() + HOSTILE)
        (folder / "differs.py").write_text(DIFFERS)
        self.reference = {}
        self.share = options.seconds / len(options.names or self.jobs())

    def close(self):
        print(f"{self.runs} runs, " + (f"{self.found} findings" if self.found else "no finding"))

    # ---- Running ----

    def run(self, arguments, size, text=None):
        """Runs tessera in the work folder with so much address space; None: with all there is."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if size is not None:
                resource.setrlimit(resource.RLIMIT_AS, (size, size))
        return subprocess.run([self.tessera, *map(str, arguments)], input=text or "", capture_output=True, text=True,
                              errors="replace", timeout=600, cwd=self.folder, preexec_fn=limit)

    def least_to_start(self):
        """The least size in which the loader can start it."""
        size = 4 * MB
        while self.run(["--help"], size).returncode != 0:
            size += MB // 4
            check(size < 4096 * MB, "does not start with 4 GB: is this a build with AddressSanitizer?")
        return size

    def enough(self, job):
        """A size in which the command does its work."""
        size = 2 * self.least
        while self.attempt(job, size).returncode:
            size *= 2
            check(size < 1 << 40, f"{job['name']} does not end well with any size")
        return size

    def attempt(self, job, size):
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        if "prepare" in job:
            job["prepare"](work)
        return self.run(job["arguments"], size, job.get("input"))

    def sizes(self, most):
        """Sizes from the least to most: some for each command, then random ones until the time is over."""
        span, n, end = most - self.least, self.options.sizes, time.monotonic() + self.share
        for k in range(n):
            yield self.least + span * k // n + self.random.randrange(span // n)
        while time.monotonic() < end:
            yield self.least + self.random.randrange(span)

    def sweep(self, job):
        whole = self.attempt(job, None)
        check(whole.returncode == 0, f"{job['name']} fails with memory enough: {whole.stderr}")
        if "whole" in job:
            job["whole"](self.folder / "work", whole, whole)
        wanted = without_times(whole.stdout)
        findings = []
        for size in self.sizes(self.enough(job)):
            done = self.attempt(job, size // PAGE * PAGE)
            self.runs += 1
            try:
                self.look(job, done, wanted)
                if "whole" in job:
                    job["whole"](self.folder / "work", done, whole)
            except (Failed, ValueError, sqlite3.Error) as problem:
                self.found += 1
                findings.append(f"{job['name']} with {size // PAGE * PAGE} bytes: {problem}")
                if len(findings) > 4:
                    break
        check(not findings, "\n  ".join(findings))

    def look(self, job, done, wanted):
        says = done.stderr.strip()[-500:]
        check(done.returncode >= 0, f"ended by signal {-done.returncode}, says '{says}'")
        check(done.returncode in (0, SYSTEM, *job.get("also", ())), f"exit code {done.returncode}, says '{says}'")
        check(done.returncode == 0 or says, f"exit code {done.returncode} without a word")
        check("Sanitizer" not in done.stderr, says)
        if done.returncode == 0 and not job.get("varies"):
            got = without_times(done.stdout)
            check(got == wanted, f"exit code 0, and another result: '{got[-300:]}' for '{wanted[-300:]}'")

    # ---- The commands ----

    def jobs(self):
        return {
            "run": dict(arguments=["run", "hostile.py"]),
            "eval": dict(arguments=["eval", "size(hmirror(canvas(0, (4000, 1000))))"]),
            "check": dict(arguments=["check", ROOT / "tests/golden/odd.txt"]),
            "battery": dict(arguments=["battery", "hostile.py", "--json", "--top", 3, "--threads", 2]),
            "battery_differs": dict(arguments=["battery", "hostile.py", "--json", "--full", "--differs", "differs.py",
                                               "--threads", 2, "--profile", "work/profile.json"],
                                    whole=self.whole_profile),
            "report": dict(arguments=["report", "--pool", "hostile.py", "--tasks", ROOT / "tasks", "--out", "work/pages",
                                      "--threads", 2], whole=self.whole_pages),
            "iterate": dict(arguments=["iterate", "--pool", "work/pool.db", "--rounds", 2, "--seed", 3, "--threads", 2],
                            prepare=self.import_pool, whole=self.whole_pool, varies=True),
            "judge": dict(arguments=["judge", "--threads", 2, "--outputs", "--tests"], input=self.lines(), varies=True,
                          whole=self.whole_lines),
            "solve": dict(arguments=["solve", "--per-task", "1ms", "-c", 3, "--threads", 2, "--out", "work/out.json",
                                     "--candidates", "work/found.jsonl", "--quiet"], whole=self.whole_submission),
            "pool": dict(arguments=["pool", "import", "hostile.py", "--pool", "work/pool.db"], whole=self.whole_pool,
                         varies=True),
            "explain": dict(arguments=["explain", "butterfly", "--pool", "hostile.py"]),
            "card": dict(arguments=["card", "hostile.py", "--count", 20, "--seed", 1]),
        }

    def test(self, name):
        self.sweep(dict(self.jobs()[name], name=name))

    def test_run(self): self.test("run")
    def test_eval(self): self.test("eval")
    def test_check(self): self.test("check")
    def test_battery(self): self.test("battery")
    def test_battery_differs(self): self.test("battery_differs")
    def test_report(self): self.test("report")
    def test_iterate(self): self.test("iterate")
    def test_judge(self): self.test("judge")
    def test_solve(self): self.test("solve")
    def test_pool(self): self.test("pool")
    def test_explain(self): self.test("explain")
    def test_card(self): self.test("card")

    # ---- What they leave behind ----

    def lines(self):
        """Lines for a judge: every program on a task, some that cannot be read."""
        texts = re.split(r"\n(?=def )", "\n" + PROGRAMS.read_text() + HOSTILE)[1:]
        ids = sorted(path.stem for path in (ROOT / "tasks").glob("*.json"))
        lines = [{"task": ids[k % len(ids)], "program": text} for k, text in enumerate(texts * 3)]
        return "".join(json.dumps(line) + "\n" for line in lines + [{"task": "none", "program": ""}, 7])

    def import_pool(self, work):
        self.run(["pool", "import", "hostile.py", "--pool", work / "pool.db"], None)

    def whole_lines(self, work, done, whole):
        """Answers are those that are given with memory enough, in order; only the last ones may be missing."""
        wanted = whole.stdout.splitlines()
        got = done.stdout.splitlines()
        check(not done.stdout or done.stdout.endswith("\n"), "a line without its end")
        check(done.returncode or len(got) == len(wanted), f"{len(got)} of {len(wanted)} lines, exit code 0")
        for k, line in enumerate(got):
            check(json.loads(line) == json.loads(wanted[k]), f"line {k + 1} is {line[:300]} for {wanted[k][:300]}")

    def whole_profile(self, work, done, whole):
        path = work / "profile.json"
        check(path.exists() or done.returncode, "no profile, and exit code 0")
        if path.exists():
            json.loads(path.read_text())

    def whole_pages(self, work, done, whole):
        pages = list((work / "pages").glob("**/*.html")) if (work / "pages").exists() else []
        check(pages or done.returncode, "no pages, and exit code 0")
        for page in pages:
            check(page.read_text().rstrip().endswith("</html>"), f"{page.name} has no end")
        check((work / "pages/index.html").exists() or done.returncode, "no index.html, and exit code 0")

    def whole_pool(self, work, done, whole):
        path = work / "pool.db"
        check(path.exists() or done.returncode, "no pool, and exit code 0")
        if path.exists() and path.stat().st_size:
            db = sqlite3.connect(path)
            try:
                sound(db)
            finally:
                db.close()

    def whole_submission(self, work, done, whole):
        path = work / "out.json"
        check(path.exists() or done.returncode, "no submission, and exit code 0")
        if path.exists():
            answers = json.loads(path.read_text())
            wanted = self.reference.setdefault("submission", answers)
            check(done.returncode or answers == wanted, "another submission, and exit code 0")
        found = work / "found.jsonl"
        for line in found.read_text().splitlines() if found.exists() else []:
            json.loads(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="tests, else all")
    parser.add_argument("--tessera", type=lambda path: Path(path).resolve(), default=ROOT / "build/tessera")
    parser.add_argument("--sizes", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    run_tests(Tests, parser.parse_args())


if __name__ == "__main__":
    main()
