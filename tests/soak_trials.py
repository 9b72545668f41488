#!/usr/bin/env python3
"""The trials of `make soak` that no other test has: each takes a seed, makes a case of it, and checks what comes out.

    tests/soak_trials.py NAME… [--tessera build/tessera] [--other build/clang/tessera] [--seed 1] [--count 1 | --seconds S]

--count tries so many seeds from --seed on, --seconds as many as there is time for. What fails says how to repeat it. The
last line is `N passed, N failed`. Tasks are the bundled ones and, where the data are there, training tasks.
"""

import argparse
import copy
import functools
import json
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import solve
from harness import ROOT, SANITIZER, Failed, check, sound

CODES = (0, 1, 2, 3, 4)     # all that README.md knows
SOURCES = ("tasks/solvers.py", "tests/golden/programs.py")


@functools.lru_cache
def all_tasks():
    """Bundled tasks and training tasks."""
    tasks = solve.bundled_tasks()
    data = ROOT / "data/arc1.json"
    if data.exists():
        tasks |= json.loads(data.read_text())["train"]
    return tasks


class Trial:
    """One case: a folder of its own and random numbers by its seed."""

    def __init__(self, options, seed, folder):
        self.tessera, self.other, self.seed, self.folder = options.tessera, options.other, seed, folder
        self.random = random.Random(seed)
        self.sanitized = "sanitize" in str(self.tessera) or "thread" in str(self.tessera)  # slow, and of much address space

    # ---- Tools ----

    def run(self, *words, codes=(0,), tessera=None, **more):
        """Runs tessera; it has to end, with one of these codes. Gives what subprocess gives, with bytes."""
        words = [str(tessera or self.tessera), *map(str, words)]
        said = f"{' '.join(words[1:])}:"
        if "input" not in more:
            more["stdin"] = subprocess.DEVNULL
        try:
            done = subprocess.run(words, cwd=self.folder, timeout=600 if self.sanitized else 180,
                                  **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})
        except subprocess.TimeoutExpired as problem:
            raise Failed(f"{said} no end after {problem.timeout} s") from None
        errors = (done.stderr or b"").decode(errors="replace")
        check(done.returncode in codes and not any(mark in errors for mark in SANITIZER),
              f"{said} exit code {done.returncode}: {errors.strip()[-3000:]}")
        check(done.returncode in (0, 1) or errors.strip() or "stderr" in more, f"{said} exit code {done.returncode}, without a word")
        return done

    def write_tasks(self, name, most=4):
        """A folder of some tasks; gives their ids."""
        ids = self.random.sample(sorted(all_tasks()), self.random.randint(1, most))
        (self.folder / name).mkdir()
        for id in ids:
            (self.folder / name / f"{id}.json").write_text(json.dumps(all_tasks()[id]))
        return sorted(ids)

    def mutants(self, count, rate=None):
        """Texts of random programs."""
        source = ROOT / self.random.choice(SOURCES)
        text = self.run("card", source, "-c", count, "--seed", self.random.randrange(2**31), "--rate",
                        rate or self.random.choice((0.02, 0.1, 0.4)), "--print").stdout.decode()
        return ["def " + part.split("\n\n")[0] + "\n" for part in re.split(r"^def ", text, flags=re.M)[1:]]

    def write_mutants(self, name, ids, count):
        """A file of random programs, each for one of the tasks."""
        texts = [re.sub(r"^def \w+", f"def solve_m{k}_{self.random.choice(ids)}", text)
                 for k, text in enumerate(self.mutants(count))]
        (self.folder / name).write_text("\n".join(texts))

    def judge_lines(self, count):
        ids = self.write_tasks("judged", 8)
        texts = self.mutants(count)
        return [json.dumps({"id": k, "task": self.random.choice(ids), "program": self.random.choice(texts)}) + "\n"
                for k in range(count)]

    # ---- One way against another ----

    def trial_plain(self):
        """Fast paths against plain ones: what each program gives on its task, and how all candidates score."""
        self.write_mutants("p.py", self.write_tasks("tasks"), 40)
        for command in (("run", "p.py"), ("battery", "p.py", "--top", "5", "--full")):
            results = []
            for path in ((), ("--plain",)):
                done = self.run(*command, "--tasks", "tasks", "--units", 10**8, "--json", *path, codes=(0, 1))
                results.append(without_times(json.loads(done.stdout)))
            if any('"budget"' in json.dumps(r.get("tasks", "")) or r.get("failures", {}).get("budget") or r.get("over") for r in results):
                continue  # the plain path spends more
            # Of several failures in one call it is open which comes first; what costs very much is not run with the others.
            for result in results:
                for name in ("units", "evaluated", "shared", "skipped"):
                    result.pop(name, None)
                result["failures"] = sum(result.get("failures", {}).values())
                for sample in (sample for task in result.get("tasks", []) for sample in task.get("samples", [])):
                    sample.pop("failure", None)
            check(results[0] == results[1], f"{' '.join(command)}: --plain gives something else: {difference(*results)}")
        return 2

    def trial_threads_battery(self):
        self.write_mutants("p.py", self.write_tasks("tasks", 12), self.random.choice((5, 60, 300)))
        words = ["battery", "p.py", "--tasks", "tasks", "--json", "--units", self.random.choice((1000, 30000, 10**6))]
        words += self.random.choice(([], ["--full"], ["--top", "3"], ["--score"]))
        results = [without_times(json.loads(self.run(*words, "--threads", threads, "--chunk", chunk).stdout))
                   for threads, chunk in ((1, 1), (2, self.random.randint(1, 12)), (self.random.randint(3, 9), 3))]
        for result in results:
            check(result == results[0], f"another result on other threads: {difference(results[0], result)}")
        return 3

    def trial_threads_judge(self):
        lines = self.judge_lines(self.random.choice((3, 100, 1000)))
        words = ["judge", "--tasks", "judged", *self.random.choice(([], ["--tests"], ["--outputs"], ["--no-scores"])),
                 "--units", self.random.choice((500, 20000, 250000))]
        wanted = self.run(*words, "--threads", 1, input="".join(lines).encode()).stdout
        answers = wanted.splitlines()
        check(len(answers) == len(lines), f"{len(answers)} answers to {len(lines)} lines")
        for threads in (2, self.random.randint(3, 9)):
            got = self.run(*words, "--threads", threads, input="".join(lines).encode()).stdout
            check(got == wanted, f"other answers on {threads} threads: {difference(wanted, got)}")
        # In another company each has the same answer.
        some = sorted(self.random.sample(range(len(lines)), min(len(lines), 30)), key=lambda _: self.random.random())
        alone = self.run(*words, "--threads", 2, input="".join(lines[k] for k in some).encode()).stdout.splitlines()
        for k, got in zip(some, alone, strict=True):
            check(got == answers[k], f"line {k + 1} in other company: {difference(answers[k], got)}")
        return len(lines)

    def trial_threads_solve(self):
        self.write_tasks("tasks", 5)
        words = ["solve", "--tasks", "tasks", "--pool", "none", "--quiet", "--fresh", "--per-task",
                 f"{self.random.choice((1, 5, 30, 100))}ms", "--seed", self.random.randrange(1000)]
        if self.random.random() < 0.3:
            words += ["--memory", f"{self.random.choice((1, 8, 64))}M"]
        results = []
        for threads in (1, self.random.randint(2, 7)):
            self.run(*words, "--threads", threads, "--out", "out.json", "--candidates", "found.jsonl")
            results.append(((self.folder / "out.json").read_bytes(), (self.folder / "found.jsonl").read_bytes()))
        check(results[0] == results[1], f"another result on other threads: {difference(*results)}")
        return 2

    def trial_compilers(self):
        """The binary of one compiler against that of another: mutants, scores, answers, programs found."""
        ids = self.write_tasks("tasks", 3)
        self.write_mutants("p.py", ids, 40)
        lines = "".join(self.judge_lines(60)).encode()
        results = []
        for tessera in (self.tessera, self.other):
            card = self.run("card", ROOT / SOURCES[0], "-c", 50, "--seed", self.seed, "--rate", "0.2", "--print", tessera=tessera)
            battery = self.run("battery", "p.py", "--tasks", "tasks", "--top", "3", "--json", tessera=tessera)
            judged = self.run("judge", "--tasks", "judged", "--outputs", "--tests", input=lines, tessera=tessera)
            self.run("solve", "--tasks", "tasks", "--pool", "none", "--quiet", "--fresh", "--per-task", "10ms", "--seed", self.seed,
                     "--out", "out.json", "--candidates", "found.jsonl", tessera=tessera)
            results.append({"card": card.stdout, "battery": without_times(json.loads(battery.stdout)), "judge": judged.stdout,
                            "solve": (self.folder / "out.json").read_bytes(), "candidates": (self.folder / "found.jsonl").read_bytes()})
        differ = [name for name in results[0] if results[0][name] != results[1][name]]
        for name in differ:
            raise Failed(f"the compilers differ in {', '.join(differ)}: {difference(results[0][name], results[1][name])}")
        return len(results[0])

    # ---- Kills ----

    def trial_kill_solve(self):
        """Killed and taken up again until it is through; the submission is whole at every moment, and at last the same."""
        tests = solve.Tests(argparse.Namespace(tessera=self.tessera, kills=0, seed=self.seed), self.folder)
        ids = self.write_tasks("tasks", 6)
        tests.tasks = {id: all_tasks()[id] for id in ids}
        words = ("--tasks", self.folder / "tasks", "--per-task", f"{self.random.choice((5, 20, 80))}ms", "--seed", self.seed)
        start = time.monotonic()
        wanted = tests.reference(*words)
        took = time.monotonic() - start
        out, found = self.folder / "kill.json", self.folder / "kill.jsonl"
        kills, seen = 0, None
        while True:
            process = tests.start(out, *words, "--threads", self.random.choice((1, 2, 3)), "--candidates", found)
            end = time.monotonic() + took * (self.random.uniform(0, 0.7) if kills < 12 else 1000)
            while process.poll() is None and time.monotonic() < end:
                if out.exists() and (text := out.read_text()) != seen:
                    tests.check_submission(text)
                    seen = text
                time.sleep(min(0.002, took / 50))
            is_over = process.poll() is not None
            process.kill()
            _, errors = process.communicate()
            if is_over:
                check(process.returncode == 0, f"exit code {process.returncode}: {errors[-3000:]}")
                break
            kills += 1
            if out.exists():
                tests.check_submission(out.read_text())
        check((out.read_bytes(), found.read_bytes()) == wanted, f"after {kills} kills the result is another")
        check(not tests.journal(out).exists(), "the journal is still there")
        return kills

    def trial_kill_judge(self):
        """What it has answered is the beginning of what it would answer."""
        lines, kills = self.judge_lines(self.random.choice((50, 400, 1500))), 8
        text = "".join(lines).encode()
        start = time.monotonic()
        wanted = self.run("judge", "--tasks", "judged", input=text).stdout
        took = time.monotonic() - start
        for _ in range(kills):
            process = subprocess.Popen([self.tessera, "judge", "--tasks", "judged", "--threads", str(self.random.randint(1, 4))],
                                       cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            timer = threading.Timer(took * self.random.uniform(0, 1.1), process.send_signal,
                                    [self.random.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))])
            timer.start()
            output, _ = process.communicate(text)
            timer.cancel()
            check(process.returncode in (0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT), f"exit code {process.returncode}")
            check(wanted.startswith(output), "what it answered before the kill is not what it should have")
            check(process.returncode != 0 or output.endswith(b"\n") or not output, "the last answer is cut off")
        return kills

    def trial_kill_iterate(self):
        """The pool is sound after every kill, and no winner is lost. Sometimes two work on it."""
        ids, kills, before = self.write_tasks("tasks", 4), 6, set()
        self.write_mutants("p.py", ids, 30)
        self.run("pool", "import", ROOT / SOURCES[0], "p.py", "--pool", "p.db")
        words = [self.tessera, "iterate", "--pool", "p.db", "--seconds", "60", *self.random.choice(([], ["--tasks", "tasks"]))]
        for _ in range(kills):
            running = [subprocess.Popen([*words, "--seed", str(self.random.randrange(1000))], cwd=self.folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(self.random.choice((1, 1, 2)))]
            for process in running:
                time.sleep(self.random.uniform(0, 0.5) * (4 if self.sanitized else 1))
                ended = process.poll()
                process.kill()
                errors = process.communicate()[1]
                check(ended is None, f"it ended by itself, exit code {ended}: {errors[-2000:]}")
            now = self.winners("p.db")
            check(before <= now, f"{len(before - now)} winners are gone")
            before = now
        self.run("iterate", "--pool", "p.db", "--rounds", "2", *words[6:])
        check(before <= self.winners("p.db"), "winners are gone")
        return kills

    def winners(self, pool):
        db = sqlite3.connect(self.folder / pool)
        try:
            sound(db)
            return set(db.execute("SELECT hash, task FROM score JOIN program ON program = id WHERE solved"))
        finally:
            db.close()

    # ---- No room ----

    def trial_full_disk(self):
        """Files that may not grow beyond a random size, and an output on which nothing can be written."""
        ids = self.write_tasks("tasks", 3)
        self.write_mutants("p.py", ids, 30)
        self.run("pool", "import", ROOT / SOURCES[0], "--pool", "p.db")
        most = int(2 ** self.random.uniform(0, 18))
        pages = self.folder / "pages"
        out = self.folder / "out.json"
        words = ["--tasks", "tasks"]
        searches = ["solve", *words, "--per-task", "5ms", "--quiet", "--out", "out.json"]
        self.run(*searches, "--pool", "none")
        wanted = out.read_bytes()
        out.unlink()
        before = self.winners("p.db")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        for command in ([*searches, "--pool", "none", "--candidates", "found.jsonl"], [*searches, "--fresh", "--pool", "p.db"],
                        ["iterate", *words, "--pool", "p.db", "--rounds", "2"], ["pool", "import", "p.py", "--pool", "p.db"],
                        ["pool", "import", "p.py", "--pool", "new.db"], ["pool", "export", "--pool", "p.db", "--out", "e.py"],
                        ["pool", "prune", "--keep", "1", "--pool", "p.db"], ["report", *words, "--pool", "p.py", "--out", pages],
                        ["show", ids[0], *words, "--png", "t.png"], ["show", ids[0], *words, "--svg", "t.svg"],
                        ["battery", "p.py", *words, "--profile", "r.json"]):
            self.run(*command, codes=(0, 4), preexec_fn=limit)
            if out.exists():
                check(command[1:] != searches[1:] or out.read_bytes() == wanted, "half a submission")
                json.loads(out.read_text())
        check({task for _, task in before} <= {task for _, task in self.winners("p.db")}, "winners are gone")
        shutil.rmtree(pages, ignore_errors=True)
        # With room again, all goes on from what is there.
        self.run(*searches, "--pool", "none", "--fresh")
        check(out.read_bytes() == wanted, "afterwards the result is another")
        self.run("pool", "stats", "--pool", "p.db")
        self.run("pool", "import", "p.py", "--pool", "p.db")
        with open("/dev/full", "w") as full:
            for command in (["pool", "export", "--pool", "p.db"], ["card", "p.py", "--print"], ["battery", "p.py", *words, "--json"],
                            ["ops"], ["show", ids[0], *words], ["eval", "I"], ["print", "p.py"]):
                self.run(*command, codes=(1, 3, 4) if command[0] == "eval" else (4,), stdout=full)
        return 18

    # ---- What means harm ----

    def trial_tasks(self):
        """A task file with bytes or parts changed: every command ends in a way that is documented."""
        ids = self.write_tasks("good", 2)
        task = all_tasks()[ids[0]]
        if self.random.random() < 0.5:
            text = bend_bytes(self.random, json.dumps(task).encode())
        else:
            text = json.dumps(bend_json(self.random, task)).encode()
        form = self.random.randrange(3)
        path = self.folder / "bad.json"
        if form == 1:
            text = b'{"' + ids[0].encode() + b'": ' + text + b', "other": ' + json.dumps(task).encode() + b"}"
        elif form == 2:
            text = b'{"train": {"' + ids[0].encode() + b'": ' + text + b"}}"
        path.write_bytes(text)
        words = ["--tasks", path, *self.random.choice(([], ["--keep-going"])), *(["--split", "train"] if form == 2 else [])]
        program = ROOT / SOURCES[0]
        lines = json.dumps({"task": ids[0], "program": "def f(I): return rot90(I)"}) + "\n"
        count = 0
        for command in (["run", program], ["battery", program, "--top", "2"], ["show", ids[0]], ["show", ids[0], "--png", "t.png"],
                        ["solve", "--per-task", "2ms", "--out", "out.json", "--pool", "none", "--quiet"],
                        ["explain", ids[0], "--pool", program], ["report", "--pool", program, "--out", "pages"],
                        ["card", program, "--task", ids[0]], ["iterate", "--pool", "p.db", "--rounds", "1"], ["judge"]):
            self.run(*command, *words, codes=CODES, input=lines.encode() if command == ["judge"] else b"", preexec_fn=self.bounds)
            count += 1
        return count

    def trial_programs(self):
        """A file of programs with bytes or lines changed."""
        source = (ROOT / self.random.choice(SOURCES)).read_bytes()
        if self.random.random() < 0.5:
            lines = source.split(b"\n")
            for _ in range(self.random.choice((1, 10, 100))):
                k = self.random.randrange(len(lines))
                lines[k:k + self.random.randint(0, 2)] = self.random.sample(lines, self.random.randint(0, 3))
            source = b"\n".join(lines)
        else:
            source = bend_bytes(self.random, source)
        (self.folder / "bad.py").write_bytes(source)
        count = 0
        for command in (["run", "bad.py"], ["battery", "bad.py", "--top", "2"], ["print", "bad.py"], ["card", "bad.py", "--print"],
                        ["pool", "import", "bad.py", "--pool", "p.db"], ["explain", "seesaw", "--pool", "bad.py"],
                        ["solve", "--per-task", "1ms", "--out", "out.json", "--pool", "bad.py", "--quiet", "-c", "2"]):
            self.run(*command, codes=CODES, preexec_fn=self.bounds)
            count += 1
        return count

    def trial_pools(self):
        """A pool with bytes changed, or with odd values, tables and views put in by SQL."""
        pool = self.folder / "p.db"
        self.run("pool", "import", ROOT / SOURCES[0], "--pool", "p.db")
        self.run("iterate", "--pool", "p.db", "--rounds", "1", "-c", "3")
        hash = sqlite3.connect(pool).execute("SELECT hex(hash) FROM program").fetchone()[0]
        if self.random.random() < 0.5:
            pool.write_bytes(bend_bytes(self.random, pool.read_bytes()))
        else:
            bend_pool(self.random, pool)
        bent = pool.read_bytes()
        count = 0
        for command in (["pool", "stats"], ["pool", "list", "--json"], ["pool", "export"], ["pool", "show", hash[:6]],
                        ["pool", "best", "seesaw"], ["pool", "prune", "--keep", "1", "--near", "1"],
                        ["pool", "import", ROOT / SOURCES[0]], ["card", "--print"], ["iterate", "--rounds", "1", "-c", "2"],
                        ["solve", "--per-task", "1ms", "--out", "out.json", "--quiet", "-c", "2"], ["explain", "seesaw"],
                        ["report", "--out", "pages", "-c", "2"]):
            pool.write_bytes(bent)
            for end in ("-wal", "-shm", "-journal"):
                Path(f"{pool}{end}").unlink(missing_ok=True)
            self.run(*command, "--pool", "p.db", codes=CODES, preexec_fn=self.bounds)
            count += 1
        return count

    def trial_files(self):
        """Submissions, candidates, profiles and journals with bytes or parts changed."""
        ids = self.write_tasks("tasks", 2)
        words = ["--tasks", "tasks"]
        search = ["solve", *words, "--per-task", "5ms", "--pool", "none", "--quiet", "--out", "out.json", "--candidates", "found.jsonl"]
        self.run(*search, "--profile", "r.json")
        wanted = (self.folder / "out.json").read_bytes()
        for name in ("out.json", "found.jsonl", "r.json"):
            path = self.folder / name
            data = path.read_bytes()
            if self.random.random() < 0.5:
                path.write_bytes(bend_bytes(self.random, data))
            else:
                lines = [json.dumps(bend_json(self.random, json.loads(text))) for text in
                         (data.splitlines() if name == "found.jsonl" else [data])]
                path.write_text("\n".join(lines) + "\n")
        for command in (["score", "out.json", *words], ["explain", ids[0], *words, "--candidates", "found.jsonl"], ["profile", "r.json"],
                        ["report", *words, "--pool", ROOT / SOURCES[0], "--out", "pages", "--submission", "out.json", "--candidates",
                         "found.jsonl", "--profile", "r.json"]):
            self.run(*command, codes=CODES, preexec_fn=self.bounds)
        process = subprocess.Popen([self.tessera, *search], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.random.uniform(0, 0.1))
        process.kill()
        process.wait()
        journal = self.folder / "out.json.journal"
        if journal.exists():
            journal.write_bytes(bend_bytes(self.random, journal.read_bytes()))
            if self.run(*search, codes=(0, 3), preexec_fn=self.bounds).returncode == 0:
                json.loads((self.folder / "out.json").read_text())
        self.run(*search, "--fresh")
        check((self.folder / "out.json").read_bytes() == wanted, "afterwards the result is another")
        return 6

    def bounds(self):
        """What means harm may not take all memory nor fill the disk."""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def difference(a, b):
    """Where two results part, for a message."""
    a, b = (x.decode(errors="replace") if isinstance(x, bytes) else str(x) for x in (a, b))
    at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    start = max(a.rfind("\n", 0, at) + 1, at - 300)
    return f"'{a[start:at + 100]}' and '{b[start:at + 100]}'"


def without_times(result):
    """A result of --json without what the clock and the run decide."""
    for name in ("ms", "time", "threads", "device"):
        result.pop(name, None)
    return result


# ---- Damage ----

def bend_bytes(rng, data):
    """Some bytes changed, taken out, doubled, moved or cut off."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        if not data:
            break
        at, length = rng.randrange(len(data)), rng.choice((1, 1, 2, 8, 100))
        kind = rng.randrange(8)
        if kind < 2:
            data[at] = rng.randrange(256)
        elif kind == 2:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 3:
            data[at:at + length] = rng.choice((b"", b"\0", b"\xff\xff", b"[" * 2000, b"9" * 30, b"-", b"1e999", b"\xe2\x80"))
        elif kind == 4:
            del data[at:at + length]
        elif kind == 5:
            data[at:at] = data[at:at + length] * rng.choice((1, 3))
        elif kind == 6:
            other = rng.randrange(len(data))
            data[at:at + length] = data[other:other + length]
        elif rng.random() < 0.3:
            del data[at:]
    return bytes(data)


def bend_json(rng, value):
    """A part of a tree changed for something else."""
    odd = [None, True, -1, 10, 2**31, 2**63, 10**30, 0.5, 1e300, "", "\0", "\ud800", "é" * 1000, [], [[]], [[0]] * 31, [[0] * 31], {},
           {"input": [[0]]}, {"train": []}, [[0], [0, 1]], [[[0]]], "<script>", {"": {"": []}}, [[9] * 30] * 30]
    root = [copy.deepcopy(value)]
    for _ in range(rng.choice((1, 1, 2, 5))):
        node, key = root, 0
        while isinstance(node[key], (list, dict)) and node[key] and rng.random() < 0.8:
            node = node[key]
            key = rng.randrange(len(node)) if isinstance(node, list) else rng.choice(sorted(node))
        kind = rng.randrange(5)
        if kind == 0 and node is not root:
            del node[key]
        elif kind == 1 and isinstance(node, list):
            node.insert(key, copy.deepcopy(rng.choice(odd)))
        elif kind == 2 and isinstance(node, list):
            node[key:key] = [copy.deepcopy(node[key]) for _ in range(rng.choice((1, 10, 300)))]
        elif kind == 3 and isinstance(node, dict):
            node[rng.choice(("", "name", "a" * 5000, "../x", "\x7f<&>\"'"))] = copy.deepcopy(node[key])
        else:
            node[key] = copy.deepcopy(rng.choice(odd))
    return root[0]


def bend_pool(rng, path):
    """Odd values and a changed schema, by SQL. What SQLite itself does not take is left out."""
    odd = ["NULL", "-1", "9223372036854775807", "-9223372036854775808", "1e300", "''", "'x'", "x'00ff'", "zeroblob(1000000)",
           "replace(hex(zeroblob(1000)), '0', 'def f(I):')", "'def f(I): return ' || char(0)", "'def f(I):\n    return rot90(I)\n'", "text"]
    columns = ("hash", "text", "size", "units", "origin", "round", "id")
    scores = ("task", "demos", "demos_right", "tests", "tests_right", "score", "solved", "program")
    statements = []
    for _ in range(rng.choice((1, 2, 6))):
        statements.append(rng.choice((
            f"UPDATE program SET {rng.choice(columns)} = {rng.choice(odd)} WHERE id % {rng.randint(1, 4)} = 0",
            f"UPDATE score SET {rng.choice(scores)} = {rng.choice(odd)} WHERE rowid % {rng.randint(1, 4)} = 0",
            f"DELETE FROM {rng.choice(('program', 'score'))} WHERE rowid % {rng.randint(1, 3)} = 0",
            f"ALTER TABLE {rng.choice(('program', 'score'))} ADD COLUMN extra DEFAULT 1",
            f"ALTER TABLE program DROP COLUMN {rng.choice(columns)}",
            f"ALTER TABLE score RENAME COLUMN {rng.choice(scores)} TO other",
            "ALTER TABLE score RENAME TO old; CREATE VIEW score AS SELECT * FROM old",
            "DROP TABLE score", "CREATE TABLE more (x)", f"PRAGMA user_version = {rng.choice((-1, 0, 1, 3, 2**31 - 1))}",
            "CREATE TRIGGER t AFTER INSERT ON program BEGIN DELETE FROM program; END",
            "CREATE TRIGGER u AFTER INSERT ON score BEGIN INSERT INTO score SELECT program, task || 'x', 1, 1, 1, 1, 1, 1 FROM score; END",
            "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512; VACUUM", "PRAGMA encoding = 'UTF-16'")))
    db = sqlite3.connect(path)
    db.execute("PRAGMA foreign_keys = OFF")
    for statement in statements:
        try:
            db.executescript(statement)
        except sqlite3.Error:
            pass
    db.close()


def main():
    names = [name[len("trial_"):] for name in dir(Trial) if name.startswith("trial_")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--tessera", type=lambda path: Path(path).resolve(), default=ROOT / "build/tessera")
    parser.add_argument("--other", type=lambda path: Path(path).resolve(), default=ROOT / "build/clang/tessera")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    options = parser.parse_args()
    end = time.monotonic() + (options.seconds or 0)
    passed = failed = 0
    seed = options.seed
    while (time.monotonic() < end or seed == options.seed) if options.seconds else seed < options.seed + options.count:
        for name in options.name:
            with tempfile.TemporaryDirectory(prefix="tessera-soak-") as folder:
                try:
                    passed += getattr(Trial(options, seed, Path(folder)), "trial_" + name)()
                except (Failed, ValueError, OSError, sqlite3.Error, subprocess.SubprocessError) as problem:
                    failed += 1
                    print(f"FAILED {name}: {problem}\n  repeat: tests/soak_trials.py {name} --tessera {short(options.tessera)} "
                          f"--seed {seed}", flush=True)
        seed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def short(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


if __name__ == "__main__":
    main()
