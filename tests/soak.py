#!/usr/bin/env python3
"""The long test, `make soak`: fuzzers, one way against another, kills, short memory, full disks and harmful files, for as long
as is asked for, with new random cases every time.

    tests/soak.py [--seconds 3600] [--seed N] [--tessera build/tessera] [--out build/soak] [JOB…]
    tests/soak.py --list        the jobs
    tests/soak.py --sum         what all runs so far have done, as a table in Markdown

A job is a command with a seed; its steps, some seconds each, share the time on all processors by their weights. Each job
has one line at the end, and what it found the command that repeats it; a job with FINDINGS_MOST findings rests. The last
line is `N passed, N failed`, counted in jobs. A run is one line in build/soak/history.jsonl; the corpora of the fuzzers
grow from run to run in build/soak/corpus; what a step that failed has said is in build/soak/found.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness import ROOT, SANITIZER

FINDINGS_MOST = 5
VARIANTS = {"release": ("build/obj", "build/tessera"), "sanitize": ("build/sanitize", "build/sanitize/tessera"),
            "thread": ("build/thread", "build/thread/tessera")}


@dataclass
class Job:
    name: str
    command: str                # with {seed}, {last}, {seconds}, {tessera}, {objects}, {corpus}
    what: str                   # the things counted
    weight: float = 1           # share of the time
    seeds: int = 1              # {last} is {seed} + seeds - 1
    each: int = 0               # things in a step, where its output does not say so
    variant: str = "release"
    # What became of it.
    count: int = 0
    steps: int = 0
    spent: float = 0            # seconds of a processor
    findings: list = field(default_factory=list)

    def line(self):
        if not self.steps:
            return f"{self.name}: no time for it"
        said = f"{self.name}: {self.count:,} {self.what}, "
        return said + (f"{len(self.findings)} findings" if self.findings else "no finding")


def all_jobs():
    jobs = [Job(f"fuzz {path.stem[5:]}", "tests/fuzz/run --built --corpus {corpus} --seed {seed} {seconds} " + path.stem[5:], "runs", 2)
            for path in sorted((ROOT / "tests/fuzz").glob("fuzz_*.c"))]
    for variant, weight in (("release", 1), ("sanitize", 0.5), ("thread", 0.5)):
        def add(name, command, what, share, variant=variant, weight=weight, **more):
            name += {"release": "", "sanitize": ", sanitizers", "thread": ", races"}[variant]
            jobs.append(Job(name, command, what, share * weight, variant=variant, **more))

        def trial(name, title, what, share, add=add):
            add(title, f"tests/soak_trials.py {name} --tessera {{tessera}} --seed {{seed}} --seconds {{seconds}}", what, share)

        trial("threads_battery", "battery on 1 and n threads", "batteries", 1)
        trial("threads_judge", "judge on 1 and n threads", "answers", 1)
        trial("threads_solve", "solve on 1 and n threads", "searches", 1.5)
        if variant == "thread":
            continue
        add("fast and plain values", "{objects}/tests/unit {seed} {last}", "checks", 1, seeds=12)
        add("battery and alone", "{objects}/tests/battery {seed} {last}", "checks", 1.5, seeds=20)
        add("judge and battery", "{objects}/tests/judge {seed} {last}", "checks", 1.5, seeds=200)
        add("mutants", "{objects}/tests/mutate {seed} {last}", "checks", 0.5, seeds=12)
        add("sentences", "{objects}/tests/tell {seed} {last}", "checks", 0.3, seeds=12)
        add("pool and a list", "{objects}/tests/pool {seed} 60", "checks", 0.5)
        add("columns and calls", "tests/columns.py --tessera {tessera} --seed {seed} --count 3000", "expressions", 0.5)
        trial("plain", "fast and plain programs", "results compared", 1)
        trial("kill_solve", "kills of solve", "kills", 2)
        trial("kill_iterate", "kills of iterate", "kills", 1.5)
        trial("kill_judge", "kills of judge", "kills", 1)
        add("kills of a pool at work", "tests/pool.py --tessera {tessera} --worker {objects}/tests/pool --seed {seed} --kills 30 "
            "test_kill_at_work test_kill_while_made test_kill_beside_another", "kills", 1, each=70)
        add("torn journals, interrupts", "tests/solve.py --tessera {tessera} --seed {seed} --kills 12 test_kill_and_resume "
            "test_torn_journal test_interrupt", "ends", 0.5, each=24)
        trial("full_disk", "full disk", "commands", 1)
        trial("tasks", "harmful tasks", "commands", 1)
        trial("programs", "harmful programs", "commands", 1)
        trial("pools", "harmful pools", "commands", 1)
        trial("files", "harmful submissions, candidates, journals", "commands", 1)
    trial_of_compilers = "tests/soak_trials.py compilers --tessera {tessera} --seed {seed} --seconds {seconds}"
    jobs.append(Job("gcc and clang", trial_of_compilers, "results compared", 1.5))
    if (ROOT / "tests/compilers.py").exists():
        jobs.append(Job("gcc and clang, all sources of chance", "tests/compilers.py --seed {seed} --seconds {seconds}", "results compared"))
    if (ROOT / "tests/starve.py").exists():
        jobs.append(Job("short memory", "tests/starve.py --tessera {tessera} --seconds {seconds} --seed {seed}", "commands", 2))
    return jobs


class Soak:
    def __init__(self, options, jobs):
        self.options, self.jobs, self.lock = options, jobs, threading.Lock()
        self.out = options.out.resolve()
        self.found = self.out / "found"
        self.found.mkdir(parents=True, exist_ok=True)
        self.random = random.Random(options.seed)
        self.start = time.monotonic()
        self.end = self.start + options.seconds
        # Four steps for each job if all were alike, but no step so short that starting is all it does.
        self.slice = min(90.0, max(2.0, options.seconds * options.jobs / sum(job.weight for job in jobs) / 4))
        self.busy = set()

    def next_job(self):
        """The job that is furthest behind its share and not at work; none at the end."""
        with self.lock:
            free = [job for job in self.jobs if job.name not in self.busy and len(job.findings) < FINDINGS_MOST]
            if not free or time.monotonic() + 1 > self.end:
                return None
            job = min(free, key=lambda job: (job.spent / job.weight, self.random.random()))
            self.busy.add(job.name)
            return job, self.random.randrange(1, 2**31)

    def work(self):
        while chosen := self.next_job():
            job, seed = chosen
            start = time.monotonic()
            self.step(job, seed)
            with self.lock:
                job.spent += time.monotonic() - start
                self.busy.remove(job.name)

    def step(self, job, seed):
        objects, tessera = VARIANTS[job.variant]
        seconds = max(1, round(min(self.slice, self.end - time.monotonic())))
        command = job.command.format(seed=seed, last=seed + job.seeds - 1, seconds=seconds, objects=objects,
                                     tessera=self.options.tessera or tessera, corpus=self.out / "corpus")
        log = self.found / f"{re.sub(r'[^a-z]+', '-', job.name)}-{seed}.log"
        code = self.run(command, log, max(seconds, 20) * 10 + 300)
        if code is None:  # cut off at the end
            log.unlink()
            return
        text = log.read_text(errors="replace")
        count = re.search(r"^(?:\w+: )?(\d+) runs, no finding$", text, re.M) or re.search(r"^(\d+) passed, \d+ failed$", text, re.M)
        wrong = code != 0 or not count or any(mark in text for mark in SANITIZER)
        with self.lock:
            job.steps += 1
            job.count += (job.each or int(count[1])) if count else 0
            if wrong:
                job.findings.append({"seed": seed, "command": command, "code": code, "log": str(log.relative_to(self.out)),
                                     "says": text[-3000:]})
            else:
                log.unlink()

    def run(self, command, log, most):
        """The exit code, None where the soak has ended before it; a command without an end is ended."""
        environment = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="print_stacktrace=1:exitcode=99")
        with open(log, "wb") as file:
            process = subprocess.Popen(command.split(), cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            last = time.monotonic() + most
            while True:
                try:
                    return process.wait(0.2)
                except subprocess.TimeoutExpired:
                    is_cut = time.monotonic() > self.end + self.options.grace
                    if is_cut or time.monotonic() > last:
                        os.killpg(process.pid, signal.SIGKILL)
                        process.wait()
                        file.write(f"\nno end after {most:.0f} s\n".encode())
                        return None if is_cut else -signal.SIGKILL

    def progress(self, stop):
        while not stop.wait(2):
            with self.lock:
                left = max(0, self.end - time.monotonic())
                found = sum(len(job.findings) for job in self.jobs)
                print(f"\r{left / 60:5.1f} min left, {sum(j.steps for j in self.jobs)} steps, {found} findings; at "
                      f"{', '.join(sorted(self.busy))}"[:150].ljust(150), end="", file=sys.stderr, flush=True)
        print("\r" + " " * 150 + "\r", end="", file=sys.stderr, flush=True)

    def run_all(self):
        stop = threading.Event()
        workers = [threading.Thread(target=self.work) for _ in range(self.options.jobs)]
        shown = threading.Thread(target=self.progress, args=(stop,))
        for thread in [*workers, shown]:
            thread.start()
        for thread in workers:
            thread.join()
        stop.set()
        shown.join()
        is_bad = self.report()
        self.remember()
        return is_bad

    def report(self):
        failed = 0
        for job in self.jobs:
            print(job.line())
            for finding in job.findings:
                said = [line[:200] for line in finding["says"].split("\n") if line.strip()][-8:]
                print(f"  exit code {finding['code']}, {self.out / finding['log']} ends in", *said, sep="\n    ")
                print(f"  repeat: {finding['command']}")
            failed += bool(job.findings)
        print(f"seed {self.options.seed}, {time.monotonic() - self.start:.0f} s on {self.options.jobs} processors")
        passed = sum(job.steps > 0 and not job.findings for job in self.jobs)
        print(f"{passed} passed, {failed} failed")
        return failed > 0 or passed == 0

    def remember(self):
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
        jobs = [{"name": job.name, "count": job.count, "what": job.what, "steps": job.steps, "seconds": round(job.spent, 1),
                 "findings": job.findings} for job in self.jobs if job.steps]
        with open(self.out / "history.jsonl", "a") as file:
            file.write(json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "commit": commit,
                                   "seed": self.options.seed, "seconds": round(time.monotonic() - self.start),
                                   "jobs": jobs}) + "\n")


def build():
    """All that the jobs run; says what went wrong."""
    tests = ("unit", "battery", "judge", "mutate", "tell", "pool")
    commands = [["make", f"VARIANT={variant}", "all", *(f"{objects}/tests/{test}" for test in tests if variant != "thread")]
                for variant, (objects, _) in VARIANTS.items()]
    commands += [["make", "CC=clang", "BUILD=build/clang", "all"], ["tests/fuzz/run", "--build"]]
    for command in commands:
        if command[0] == "make":
            command[1:1] = [f"-j{os.cpu_count()}", "-s", "--no-print-directory"]
        print(f"build: {' '.join(command)}", file=sys.stderr)
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{done.stdout}\nsoak: the build failed\n0 passed, 1 failed")


def print_sum(out):
    """One row for each job over all runs of the history."""
    runs = [json.loads(line) for line in open(out / "history.jsonl")]
    sums = {}
    for run in runs:
        for job in run["jobs"]:
            row = sums.setdefault(job["name"], {"count": 0, "what": job["what"], "seconds": 0, "findings": 0})
            row["count"] += job["count"]
            row["seconds"] += job["seconds"]
            row["findings"] += len(job["findings"])
    print("| what | how much | minutes of a processor | findings |\n|---|---:|---:|---:|")
    for name, row in sums.items():
        print(f"| {name} | {row['count']:,} {row['what']} | {row['seconds'] / 60:.0f} | {row['findings']} |")
    hours = sum(run["seconds"] for run in runs) / 3600
    print(f"\n{len(runs)} runs, {hours:.1f} hours, {sum(row['findings'] for row in sums.values())} findings.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="JOB", help="only these")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=None, help="else a new one each time")
    parser.add_argument("--tessera", help="in place of all variants")
    parser.add_argument("--out", type=Path, default=ROOT / "build/soak")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="steps at the same time")
    parser.add_argument("--grace", type=float, default=30, help="seconds after the end in which steps may come to theirs")
    parser.add_argument("--built", action="store_true", help="all is built")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--sum", action="store_true")
    options = parser.parse_args()
    jobs = [job for job in all_jobs() if not options.names or job.name in options.names]
    if options.sum:
        return print_sum(options.out)
    if options.list or not jobs:
        print(*(f"{job.name}: {job.command}" for job in all_jobs()), sep="\n")
        sys.exit(0 if jobs else "soak: no such job")
    if options.seed is None:
        options.seed = random.randrange(2**31)
    if not options.built:
        build()
    sys.exit(1 if Soak(options, jobs).run_all() else 0)


if __name__ == "__main__":
    main()
