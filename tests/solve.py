#!/usr/bin/env python3
"""Solving many tasks: the same result over threads, ends and restarts; the budget; the submission at every moment.

    tests/solve.py [--tessera build/tessera] [--kills 20] [--seed N] [NAME…]

Runs on the bundled tasks. Run as root, what needs missing rights runs as nobody. The last line is `N passed, N failed`.
"""

import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

from harness import LONG, ROOT, SANITIZER, check, give_up_rights, main, processor_time, sound, wait_for_work, wait_until

WORK = ("--per-task", "30ms")


def bundled_tasks():
    return {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tasks").glob("*.json"))}


class Tests:
    def __init__(self, options, folder):
        self.folder, self.kills = folder, options.kills
        self.random = random.Random(options.seed)
        self.tasks = bundled_tasks()
        self.tessera = folder / "tessera"
        shutil.copy(options.tessera, self.tessera)
        binary = self.tessera.read_bytes()
        self.slack = 0.5 if b"__asan_init" in binary or b"__gcov_" in binary else 0.1  # seconds
        folder.chmod(0o777)  # nobody writes here, too

    # ---- Tools ----

    def run(self, *arguments, code=0, says=None, **more):
        """Runs tessera; its exit code and its words on stderr are as expected. Gives stdout."""
        done = subprocess.run([self.tessera, *map(str, arguments)], capture_output=True, text=True, timeout=LONG, **more)
        words = f"{' '.join(map(str, arguments))}: exit code {done.returncode}, says '{done.stderr.strip()[:2000]}'"
        check(done.returncode == code and not any(mark in done.stderr for mark in SANITIZER), words)
        check(says is None or says in done.stderr, f"{words}, expected '{says}'")
        return done.stdout

    def solve(self, out, *arguments, **more):
        return self.run("solve", "--out", out, "--pool", "none", "--quiet", *arguments, **more)

    def start(self, out, *arguments, **more):
        return subprocess.Popen([self.tessera, "solve", "--out", out, "--pool", "none", "--quiet", *map(str, arguments)],
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def reference(self, *arguments):
        """What a run without any trouble gives: the submission and the candidates."""
        out, found = self.folder / "reference.json", self.folder / "reference.jsonl"
        self.solve(out, *(arguments or WORK), "--candidates", found)
        return out.read_bytes(), found.read_bytes()

    def journal(self, out):
        return out.with_name(out.name + ".journal")

    def runs(self, out):
        """How many tasks the journal has; it goes when all is done."""
        try:
            return self.journal(out).read_bytes().count(b"\nrun")
        except FileNotFoundError:
            return 0

    def kill_after(self, runs, out, *arguments):
        """Kills a run when its journal has so many tasks; again where it was through before that was seen."""
        for _ in range(100):
            process = self.start(out, *arguments)
            wait_until(lambda: self.runs(out) >= runs, f"{runs} tasks in the journal", process)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if self.journal(out).exists():
                return
        check(False, "it is always through too soon")

    def check_submission(self, text):
        """Whole and as it should be."""
        answers = json.loads(text)
        check(list(answers) == list(self.tasks), "not the ids of the tasks, in their order")
        for id, task in self.tasks.items():
            check(len(answers[id]) == len(task["test"]), f"{id}: {len(answers[id])} answers")
            for answer in answers[id]:
                check(list(answer) == ["attempt_1", "attempt_2"], f"{id}: attempts {list(answer)}")
                for grid in answer.values():
                    check(1 <= len(grid) <= 30 and 1 <= len(grid[0]) <= 30 and len({len(row) for row in grid}) == 1
                          and all(type(cell) is int and 0 <= cell <= 9 for row in grid for cell in row), f"{id}: {grid}")

    # ---- The same result ----

    def test_threads_do_not_matter(self):
        results = []
        for threads in (1, 2, 5):
            out, found = self.folder / f"threads{threads}.json", self.folder / f"threads{threads}.jsonl"
            self.solve(out, *WORK, "--threads", threads, "--candidates", found)
            results.append((out.read_bytes(), found.read_bytes()))
            check(not self.journal(out).exists(), "the journal is still there")
        check(results[0] == results[1] == results[2], "the number of threads changed the result")
        self.check_submission(results[0][0])
        check(results[0][1].count(b"\n") > 14, "hardly anything was found")

    def test_more_work_finds_no_less(self):
        counts = []
        for work in ("1ms", "100ms"):
            result = json.loads(self.solve(self.folder / "more.json", "--per-task", work, "--json"))
            counts.append(len(result["solved"]))
            check(result["tasks"] == result["done"] == 14 and not result["interrupted"], f"{result}")
        check(0 < counts[1] >= counts[0], f"solved {counts}")

    def test_profile(self):
        """A profile changes nothing that is found, and all time has its place."""
        wanted, sums = self.reference(), {}
        for threads in (1, 3):
            out, found, report = (self.folder / f"profile.{kind}" for kind in ("json", "jsonl", "report"))
            summary = json.loads(self.solve(out, *WORK, "--threads", threads, "--candidates", found, "--profile", report,
                                            "--json"))
            check((out.read_bytes(), found.read_bytes()) == wanted, "the profile changed the result")
            data = json.loads(report.read_text())
            for part in ("stages", "categories"):
                ms = sum(p["ms"] for p in data[part])
                check(abs(ms / data["parts_ms"] - 1) < 0.001, f"{part}: {ms} of {data['parts_ms']} ms")
            # What is left belongs to the beginnings and ends of threads.
            check(0.9 < data["parts_ms"] / data["core_ms"] < 1.02, f"{data['parts_ms']} of {data['core_ms']} ms")
            spent = {s["name"]: s["ms"] for s in data["stages"]}
            check(spent["run"] > data["core_ms"] / 2 and spent["read"] > 0 and spent["store"] > 0, f"{spent}")
            engines = {f["name"]: f for c in data["categories"] if c["name"] == "engines" for f in c["functions"]}
            for engine in summary["engines"]:
                of = engines.get(engine["name"], {"ms": 0, "calls": 0})
                # The summary counts by the clock, the profile what was spent of a processor.
                check(of["calls"] == engine["tried"] and of["ms"] < 2 + engine["ms"] * 1.02, f"{engine}: {of}")
            curve = data["curve"]
            check(all(a[k] <= b[k] for a, b in zip(curve, curve[1:]) for k in range(3)), f"it falls: {curve}")
            check(curve[0][1:] == [0, 0] and curve[-1][1:] == [len(summary["solved"]), summary["tried"]], f"{curve}")
            check(len(data["tasks"]) == 14 and all(t["ms"] > 0 for t in data["tasks"]), "times of 14 tasks are expected")
            curve_ends = rf"^ +\d+\.\d\d +100 +{len(summary['solved'])} +{summary['tried']}$"
            check(re.search(curve_ends, self.run("profile", report), re.M), "no curve in the table")
            sums[threads] = {name: f["calls"] for name, f in engines.items() if f["calls"]}
        check(sums[1] == sums[3], f"tried on 1 and on 3 threads: {sums}")

    def test_profile_of_a_run_taken_up(self):
        """What an earlier run has brought is where the curve begins; its time is not counted again."""
        out, report = self.folder / "up.json", self.folder / "up.report"
        self.kill_after(7, out, *WORK, "--threads", 1)
        self.solve(out, *WORK, "--threads", 1, "--profile", report)
        data = json.loads(report.read_text())
        check(0 < data["curve"][0][2] < data["curve"][-1][2], f"{data['curve']}")
        check(0.9 < data["parts_ms"] / data["core_ms"] < 1.02, f"{data['parts_ms']} of {data['core_ms']} ms")
        check(len(data["tasks"]) < 14, "tasks of the earlier run have time")

    def test_kill_and_resume(self):
        wanted = self.reference()
        out, found = self.folder / "kill.json", self.folder / "kill.jsonl"
        kills = 0
        while kills < self.kills:
            process = self.start(out, *WORK, "--threads", self.random.choice((1, 2)), "--candidates", found)
            time.sleep(self.random.choice((0.01, 0.05, 0.1, 0.3)) * self.random.uniform(0.2, 1.5))
            is_over = process.poll() is not None
            process.send_signal(signal.SIGKILL)
            _, errors = process.communicate()
            if is_over or not self.journal(out).exists():  # it was through
                check(not is_over or process.returncode == 0, f"exit code {process.returncode}: {errors[:2000]}")
                out.unlink(missing_ok=True)
                found.unlink(missing_ok=True)
                self.journal(out).unlink(missing_ok=True)
                kills += 1
                continue
            kills += 1
            if out.exists():
                self.check_submission(out.read_text())
        self.solve(out, *WORK, "--candidates", found)
        check((out.read_bytes(), found.read_bytes()) == wanted, "after kills and restarts the result is another")
        check(not self.journal(out).exists(), "the journal is still there")

    def test_torn_journal(self):
        wanted = self.reference()[0]
        out = self.folder / "torn.json"
        self.kill_after(4, out, *WORK, "--threads", 1)
        whole = self.journal(out).read_bytes()
        for length in [0, 5, len(whole), len(whole) - 1] + [self.random.randrange(len(whole)) for _ in range(6)]:
            self.journal(out).write_bytes(whole[:length])
            self.solve(out, *WORK)
            check(out.read_bytes() == wanted, f"the first {length} bytes of the journal give another result")

    def test_interrupt(self):
        wanted = self.reference()[0]
        for number in (signal.SIGINT, signal.SIGTERM):
            out = self.folder / f"interrupt{int(number)}.json"
            process = self.start(out, *WORK, "--json", "--threads", 1)
            wait_until(out.exists, "a submission", process)
            process.send_signal(number)
            output, errors = process.communicate(timeout=LONG)
            check(process.returncode == 0, f"exit code {process.returncode}: {errors[:2000]}")
            self.check_submission(out.read_text())
            if json.loads(output)["interrupted"]:
                check(self.journal(out).exists(), "no journal to go on from")
            self.solve(out, *WORK)
            check(out.read_bytes() == wanted, "after the interrupt the result is another")

    def test_interrupt_in_a_program(self):
        """The programs of a pool, which would take minutes, are given up."""
        programs, out = self.folder / "endless.py", self.folder / "endless.json"
        programs.write_text("".join(f"def solve_{k}(I):\n    x1 = power(identity, {10**18 + k})\n    return x1(I)\n\n"
                                    for k in range(6000)))
        process = subprocess.Popen([self.tessera, "solve", "--out", out, "--pool", programs, "--quiet", "--json", "--budget",
                                    "20m"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until(out.exists, "a submission", process)
        wait_for_work(process)
        process.send_signal(signal.SIGTERM)
        try:
            output, errors = process.communicate(timeout=120)
        finally:
            process.kill()
        check(process.returncode == 0 and json.loads(output)["interrupted"], f"{process.returncode}: {output} {errors[:2000]}")
        self.check_submission(out.read_text())

    # ---- Any number of demos and tests ----

    def mirror_tasks(self, sizes):
        """Tasks with so many demos and tests, in which outputs are inputs mirrored."""
        def pair():
            rows = [[self.random.randrange(10) for _ in range(6)] for _ in range(5)]
            return {"input": rows, "output": [row[::-1] for row in rows]}
        folder = self.folder / "mirrors"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for demos, tests in sizes:
            task = {"train": [pair() for _ in range(demos)], "test": [pair() for _ in range(tests)]}
            (folder / f"m{demos}x{tests}.json").write_text(json.dumps(task))
        return folder

    def test_many_demos_and_tests(self):
        """No number of demos or tests is too large for any engine; all tests are answered, and others are unharmed."""
        sizes = ((1, 33), (3, 42), (13, 1), (32, 1), (33, 33), (61, 2), (70, 70), (2, 400), (400, 2), (3, 1))
        folder, out = self.mirror_tasks(sizes), self.folder / "many.json"
        for pool in ("none", ROOT / "tasks/solvers.py"):
            self.run("solve", "--tasks", folder, "--out", out, "--pool", pool, "--per-task", "50ms", "--quiet")
            score = json.loads(self.run("score", out, "--tasks", folder, "--json"))
            check(score["outputs_right"][1] == sum(tests for _, tests in sizes), f"{score}")
        for engine in [line["name"] for line in json.loads(self.solve(out, *WORK, "-c", 1, "--json"))["engines"]]:
            self.solve(out, "--tasks", folder, "--engine", engine, "--per-task", "2ms")
        check("test 42:" in self.run("explain", folder / "m3x42.json"), "not all tests are explained")

    # ---- The budget ----

    def test_budget(self):
        """Within 2 %, and a little more for starting and ending. By the clock that cannot be asked of a busy machine; but
        more time of the processors than the clock would give is never taken."""
        for seconds, threads in ((1, 2), (3, 1)):
            start = time.monotonic()
            with processor_time(threads * (seconds * 1.02 + self.slack), f"{seconds} seconds on {threads} threads"):
                result = json.loads(self.solve(self.folder / "budget.json", "--budget", f"{seconds}s", "--threads", threads, "--json"))
            took = time.monotonic() - start
            check(took >= seconds * 0.9, f"{seconds} seconds took only {took:.3f}")
            check(not result["interrupted"], f"{result}")

    def test_budget_holds_for_the_pool(self):
        """Tasks on which the programs of the pool take long: the deadline reaches into their battery. By the processor's time,
        so that a busy machine changes nothing."""
        folder = self.folder / "noise"
        folder.mkdir()
        for k in range(20):
            grids = [[[self.random.randrange(10) for _ in range(30)] for _ in range(30)] for _ in range(7)]
            task = {"train": [{"input": a, "output": b} for a, b in zip(grids[:3], grids[3:])], "test": [{"input": grids[6]}]}
            (folder / f"noise{k}.json").write_text(json.dumps(task))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run("solve", "--tasks", folder, "--out", self.folder / "noise.json", "--budget", "1s", "--threads", 1, "--quiet")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        check(spent <= 1 + 5 * self.slack, f"a second on one thread took {spent:.2f} of the processor")

    def test_clock_set_back(self):
        """The clock on the wall goes back by an hour while the solver waits: it wakes up all the same. What it reads there
        is an hour later than what the system goes by, as if it had been set back just then."""
        source, shim = self.folder / "clock.c", self.folder / "clock.so"
        source.write_text('''#define _GNU_SOURCE
            #include <dlfcn.h>
            #include <sys/time.h>
            #include <time.h>
            int clock_gettime(clockid_t clock, struct timespec *t) {
                static int (*real)(clockid_t, struct timespec *);
                if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
                int result = real(clock, t);
                if (clock == CLOCK_REALTIME) t->tv_sec += 3600;
                return result;
            }
            time_t time(time_t *at) {
                struct timespec t;
                clock_gettime(CLOCK_REALTIME, &t);
                if (at) *at = t.tv_sec;
                return t.tv_sec;
            }
            int gettimeofday(struct timeval *restrict at, void *restrict zone) {
                struct timespec t;
                (void)zone;
                clock_gettime(CLOCK_REALTIME, &t);
                *at = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
                return 0;
            }''')
        subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        out = self.folder / "clock.json"
        options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        process = self.start(out, "--budget", "20s", env={**os.environ, "LD_PRELOAD": str(shim), "ASAN_OPTIONS": options})
        while process.poll() is None and (not self.journal(out).exists() or b"\ntime\t" not in self.journal(out).read_bytes()):
            time.sleep(0.01)
        check(process.poll() is None, f"it slept until its end: {process.stderr.read()[:2000]}")
        process.send_signal(signal.SIGINT)
        process.communicate()

    def test_budget_ends_early(self):
        self.solve(self.folder / "early.json", "--budget", "24h", "--engine", "pool")  # there is nothing to do

    def test_budget_counts_what_was_spent(self):
        out = self.folder / "spent.json"
        for _ in range(100):
            process = self.start(out, "--budget", "6s", "--threads", 1)
            wait_until(self.journal(out).exists, "a journal", process)
            time.sleep(4)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if self.journal(out).exists():  # else it was through before it could be killed
                break
        with processor_time(4, "the rest, after 4 of 6 seconds,"):
            self.solve(out, "--budget", "6s", "--threads", 1)
        self.check_submission(out.read_text())

    def test_valid_at_every_moment(self):
        out = self.folder / "moments.json"
        process, seen = self.start(out, "--budget", "24h", "--threads", 2), set()

        def look():
            """Whether several submissions were seen; there is one before anything is searched."""
            check(not self.runs(out) or out.exists(), "tasks are searched and there is no submission")
            text = out.read_text() if out.exists() else None
            if text is not None and text not in seen:
                self.check_submission(text)
                seen.add(text)
            return len(seen) >= 3
        wait_until(look, "a third submission", process)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=LONG)[1]
        check(process.returncode == 0, errors[:2000])
        self.check_submission(out.read_text())

    # ---- Other journals ----

    def test_refuses_the_journal_of_another_run(self):
        out = self.folder / "other.json"
        self.start_and_kill(out)
        for words, says in ((["--per-task", "31ms"], "per-task: 0.03 s there, 0.031 s here"),
                            ([*WORK, "--seed", "7"], "seed: 0 there, 7 here"),
                            ([*WORK, "-c", "3"], "tasks: 14,"),
                            ([*WORK, "--engine", "cutout"], "engine: all there, cutout here"),
                            ([*WORK, "--memory", "1M"], "memory"),
                            (["--budget", "20s"], "budget: none there, 20 s here")):
            self.solve(out, *words, code=3, says=says)
        self.solve(out, "--per-task", "1ms", "--fresh")
        check(not self.journal(out).exists(), "the journal is still there")
        self.journal(out).write_text("my diary\n")
        self.solve(out, *WORK, code=3, says="it is no journal")
        check(self.journal(out).read_text() == "my diary\n", "the file was touched")

    def start_and_kill(self, out, *more):
        self.kill_after(5, out, *WORK, *more)  # by then something is found

    def test_damaged_journal(self):
        """Any field that is not as it was written: the message says where, and what was expected; nothing is lost."""
        out = self.folder / "damaged.json"
        self.start_and_kill(out, "--threads", 1)
        journal = self.journal(out)
        whole = journal.read_text().splitlines()
        whole = whole[:1 + max(k for k, line in enumerate(whole) if line.startswith("run"))] + ["time\t0.5"]
        cases = 0
        for kind in ("pool", "found", "run", "time"):
            number = next(k for k, line in enumerate(whole) if line.startswith(kind))
            fields = whole[number].split("\t")
            some = range(min(len(fields), 10))  # what follows in a run is the same for each engine
            texts = [(k, bad) for k in some for bad in ("", "-1", fields[k] + "x", "nan", "1e999")]
            texts = [(k, "\t".join(fields[:k] + [bad] + fields[k + 1:])) for k, bad in texts]
            texts += [(0, whole[number] + "\tmore"), (0, fields[0]), (0, whole[number] + "\t" * 200)]
            for field, line in texts:
                journal.write_text("\n".join(whole[:number] + [line] + whole[number + 1:] + [""]))
                damaged = journal.read_bytes()
                done = subprocess.run([self.tessera, "solve", "--out", out, "--pool", "none", "--quiet", *WORK, "--threads", "1"],
                                      capture_output=True, text=True)
                column = len("\t".join(fields[:field])) + (field > 0) + 1
                place = f"{journal}:{number + 1}:" + ("" if field == 0 else f"{column}:")
                check(done.returncode == 3 and place in done.stderr and "expected " in done.stderr and "--fresh" in done.stderr,
                      f"{line[:200]!r}: exit code {done.returncode}, says '{done.stderr[:1000]}', not {place}")
                check(journal.read_bytes() == damaged, "the journal was changed")
                cases += 1
        check(cases > 100, f"{cases} cases")
        number = next(k for k, line in enumerate(whole) if line.startswith("found"))
        line = "\t".join(whole[number].split("\t")[:4] + [r"def solve(I):\n    return registered(I)\n"])
        journal.write_text("\n".join(whole[:number] + [line] + whole[number + 1:] + [""]))
        self.solve(out, *WORK, code=3, says="unknown primitive 'registered'")
        journal.write_text("\n".join(whole + [""]))
        self.solve(out, *WORK)
        check(out.read_bytes() == self.reference()[0], "the journal that was mended gives another result")

    def test_changed_pool(self):
        """A pool that others have added to since: a run that is taken up says so, and goes on."""
        out, pool = self.folder / "shared.json", self.folder / "shared.py"
        pool.write_text("def solve_one(I):\n    return vmirror(I)\n")
        says = "the pool has changed"
        self.start_and_kill(out, "--pool", pool)
        check(self.journal(out).exists(), "it was through too soon")
        before = self.journal(out).read_bytes()
        self.solve(out, *WORK, "--pool", pool)
        pool.write_text(pool.read_text() + "\n\ndef solve_two(I):\n    return hmirror(I)\n")
        self.journal(out).write_bytes(before)
        result = json.loads(self.solve(out, *WORK, "--pool", pool, "--json", says=says))
        check(result["done"] == 14, f"{result}")
        for path, told in ((pool, False), ("none", True)):  # what was said once is known
            self.journal(out).write_bytes(before)
            process = self.start(out, *WORK, "--pool", pool, "--threads", 1)
            while process.poll() is None and self.journal(out).read_bytes().count(b"\npool") < 2:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            done = subprocess.run([self.tessera, "solve", "--out", out, *WORK, "--quiet", "--pool", path], capture_output=True,
                                  text=True)
            check(done.returncode == 0 and (says in done.stderr) == told, f"{path}: {done.stderr}")

    def test_takes_away_what_was_left(self):
        """A run that was killed in the middle of a write leaves half a submission under another name, for a while."""
        out, mine = self.folder / "left.json", self.folder / "left.json.notes-1.tmp"
        left = [self.folder / name for name in ("left.json.123-0.tmp", "left.json.99999-12.tmp")]
        for path in [*left, mine]:
            path.write_text("{")
        self.solve(out, "--per-task", "1ms")
        check(not any(path.exists() for path in left) and mine.exists(), "not just what was left is gone")

    def test_one_run_at_a_time(self):
        out = self.folder / "twice.json"
        process = self.start(out, "--budget", "24h")
        wait_until(lambda: self.runs(out), "a journal", process)
        self.solve(out, "--budget", "24h", code=4, says="in use by another run")
        process.send_signal(signal.SIGINT)
        process.communicate()
        check(process.returncode == 0, f"exit code {process.returncode}")

    # ---- The pool ----

    def test_pools(self):
        solvers, folder, pool = ROOT / "tasks/solvers.py", self.folder / "programs", self.folder / "pool.db"
        folder.mkdir()
        shutil.copy(solvers, folder / "some.py")
        self.run("pool", "import", solvers, "--pool", pool)
        for path in (solvers, folder, pool):
            result = json.loads(self.run("solve", "--out", self.folder / "pool.json", "--pool", path, "--per-task", "1ms",
                                         "--engine", "pool,cutout", "--quiet", "--json"))
            check(len(result["solved"]) == 14 and result["right"] == result["outputs"] == 28, f"{path}: {result}")
        score = json.loads(self.run("score", self.folder / "pool.json", "--json"))
        check(score["outputs_right"] == [28, 28, 28] and score["tasks_whole"] == [14, 14, 14], f"{score}")
        self.run("solve", "--out", self.folder / "pool.json", "--pool", pool, *WORK, "--quiet")
        db = sqlite3.connect(pool)
        sound(db)
        origins = dict(db.execute("SELECT origin, count(*) FROM program JOIN score ON program = id WHERE solved GROUP BY origin"))
        db.close()
        check(any(origin.startswith("solve ") for origin in origins), f"no winners in the pool: {origins}")

    def test_bad_pools(self):
        out, empty = self.folder / "bad.json", self.folder / "empty"
        empty.mkdir()
        for path, code, says in ((self.folder / "missing.py", 4, "missing.py"), (empty, 3, "no file *.py")):
            self.run("solve", "--out", out, "--pool", path, *WORK, code=code, says=says)
        pool = self.folder / "locked.db"
        self.run("pool", "import", ROOT / "tasks/solvers.py", "--pool", pool)
        pool.chmod(0o444)
        self.run("solve", "--out", out, "--pool", pool, *WORK, code=4, says="locked.db", preexec_fn=give_up_rights)
        check(not out.exists(), "a submission was written")

    # ---- Memory ----

    def test_memory_limit(self):
        """What an engine may hold is counted, so it gives the same on any number of threads; that it was too little is said."""
        results = set()
        for threads in (1, 2, 5):
            out = self.folder / "limit.json"
            result = json.loads(self.solve(out, *WORK, "--memory", "4M", "--threads", threads, "--json"))
            check(result["full"] and not result["starved"], f"{result}")
            results.add(out.read_bytes())
        check(len(results) == 1, "the result depends on the threads")
        said = self.run("solve", "--out", out, "--pool", "none", *WORK, "--memory", "4M")
        check("all the memory that --memory allows" in said, said)

    def test_short_memory(self):
        """Where malloc fails this is said, with an exit code; what was found is kept, and with more memory the rest comes."""
        if self.slack > 0.1:
            return  # with sanitizers there is no limit that a run could live with
        wanted, out = self.reference()[0], self.folder / "short.json"
        starved = 0
        for megabytes in (30, 40, 50, 60, 80, 100, 150, 200, 300):
            def limit():
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            out.unlink(missing_ok=True)
            self.journal(out).unlink(missing_ok=True)
            command = [self.tessera, "solve", "--out", out, "--pool", "none", "--quiet", "--json", "--threads", "2", *WORK]
            done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
            if done.returncode == 0:
                check(out.read_bytes() == wanted and not json.loads(done.stdout)["starved"], f"{megabytes} MB: {done.stdout}")
                continue
            check(done.returncode == 4 and "memory" in done.stderr, f"{megabytes} MB: {done.returncode}, '{done.stderr[:1000]}'")
            if not done.stdout:
                continue  # it did not come so far
            ids = json.loads(done.stdout)["starved"]
            check(ids and re.search(r"memory was short for \d+ of 14 tasks \(" + ids[0], done.stderr), f"{ids}: {done.stderr}")
            self.check_submission(out.read_text())
            self.solve(out, *WORK)
            check(out.read_bytes() == wanted, "with memory enough the result is another")
            starved += 1
        check(starved, "memory was never short")
        done = subprocess.run([self.tessera, "explain", "bead_stairs"], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20)))
        check(done.returncode == 4 and "memory was short" in done.stderr and "test 2:" in done.stdout, f"{done}")

    # ---- Trouble ----

    def test_bad_words(self):
        out = self.folder / "words.json"
        for words, says in (([], "--budget TIME, for all, or --per-task TIME"),
                            (["--budget", "1s", "--per-task", "1s"], "--budget TIME, for all, or --per-task TIME"),
                            (["--budget", "8"], "--budget takes a time"), (["--budget", "1h2"], "--budget takes a time"),
                            (["--budget", "-1s"], "--budget takes a time"), (["--per-task", ""], "--per-task takes a time"),
                            (["--per-task", "0s"], "--per-task takes a time"), (["--per-task", "nans"], "takes a time"),
                            ([*WORK, "--memory", "much"], "--memory takes"), ([*WORK, "--memory", "2GG"], "--memory takes"),
                            ([*WORK, "--threads", "0"], "--threads takes"), ([*WORK, "--engine", "steam"], "no engine 'steam'"),
                            ([*WORK, "--seed", "x"], "--seed takes"), ([*WORK, "more"], "'more' is no option")):
            self.solve(out, *words, code=2, says=says)
            check(not out.exists(), f"{words}: a submission was written")
        self.run("solve", *WORK, code=2, says="--out FILE")
        self.solve(out, *WORK, "-i", "nosuchtask", code=3, says="no task 'nosuchtask'")

    def test_unwritable(self):
        self.solve(self.folder / "missing/out.json", *WORK, code=4, says="missing/out.json")
        self.solve("/dev/null", *WORK, code=4, says="/dev/null")
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        self.solve(locked / "out.json", *WORK, code=4, says="locked/out.json", preexec_fn=give_up_rights)
        self.solve(self.folder / "good.json", *WORK, "--candidates", locked / "found.jsonl", code=4, says="found.jsonl",
                   preexec_fn=give_up_rights)

    def test_full_disk(self):
        def limit(most):
            def set_limit():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            return set_limit
        out = self.folder / "full.json"
        self.solve(out, *WORK, code=4, says="cannot write", preexec_fn=limit(1000))
        check(not out.exists(), "half a submission")
        # A disk that has room for the submission but not for the journal: all is well, unless the run is ended.
        found = [json.loads(line) for line in self.reference()[1].splitlines()]
        texts = {id: sum(len(c["program"]) for c in found if c["task"] == id) for id in self.tasks}
        id = max(texts, key=lambda id: texts[id] - len(json.dumps(self.tasks[id]["test"])))
        wanted = self.reference(*WORK, "-i", id)[0]
        check(len(wanted) + 1000 < texts[id], "the journal has to be larger than the submission for this test")
        self.solve(out, *WORK, "-i", id, preexec_fn=limit(len(wanted) + 1000))
        check(out.read_bytes() == wanted, "without a journal the result is another")


if __name__ == "__main__":
    main(Tests, __doc__)
