#!/usr/bin/env python3
"""The loop `tessera iterate`: the same again with the same seed, going on after any end, several at once.

    tests/iterate.py [--tessera build/tessera] [--kills 20] [--seed N]

Runs on the bundled tasks, from the bundled programs or from nothing. Run as root, what needs missing rights runs as
nobody. The last line is `N passed, N failed`.
"""

import json
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

from harness import LONG, ROOT, SANITIZER, check, give_up_rights, main, processor_time, sound, wait_for_work, wait_until


class Tests:
    def __init__(self, options, folder):
        self.folder, self.kills = folder, options.kills
        self.random = random.Random(options.seed)
        self.tessera = folder / "tessera"
        shutil.copy(options.tessera, self.tessera)

    # ---- Tools ----

    def run(self, *arguments, code=0, says=None, **more):
        """Runs tessera; its exit code and its words on stderr are as expected. Gives stdout."""
        done = subprocess.run([self.tessera, *map(str, arguments)], capture_output=True, text=True, timeout=LONG, **more)
        words = f"{' '.join(map(str, arguments))}: exit code {done.returncode}, says '{done.stderr.strip()[:2000]}'"
        check(done.returncode == code and not any(mark in done.stderr for mark in SANITIZER), words)
        check(says is None or says in done.stderr, f"{words}, expected '{says}'")
        return done.stdout

    def iterate(self, pool, *arguments, **more):
        return self.run("iterate", "--pool", pool, *arguments, **more)

    def start(self, pool, *arguments):
        return subprocess.Popen([self.tessera, "iterate", "--pool", pool, *map(str, arguments)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def imported(self, name):
        pool = self.folder / name
        self.run("pool", "import", ROOT / "tasks/solvers.py", "--pool", pool)
        return pool

    def winners(self, pool):
        """(hash, task) of all winners, after SQLite itself has found nothing wrong with the pool."""
        db = sqlite3.connect(pool, timeout=LONG)
        try:
            sound(db)
            return set(db.execute("SELECT hash, task FROM score JOIN program ON program = id WHERE solved"))
        finally:
            db.close()

    def contents(self, pool):
        """All that a run left behind but the times."""
        db = sqlite3.connect(pool, timeout=LONG)
        try:
            return list(db.execute("SELECT hash, text, size, units, origin, round FROM program ORDER BY hash")) + list(
                db.execute("SELECT hash, task, demos_right, tests_right, score FROM score JOIN program ON program = id "
                           "ORDER BY hash, task"))
        finally:
            db.close()

    # ---- Tests ----

    def test_solves_with_imported(self):
        pool = self.imported("imported.db")
        result = json.loads(self.iterate(pool, "--rounds", 1, "--json"))
        check(len(result["solved"]) == 14 and result["correct"] == 14, f"solved {result}")
        stats = json.loads(self.run("pool", "stats", "--pool", pool, "--json"))
        check(len(stats["solved"]) == len(stats["correct"]) == 14, f"stats {stats}")
        check(len({task for _, task in self.winners(pool)}) == 14, "winners of 14 tasks are expected in the pool")

    def test_same_seed_same_pool(self):
        pools = [self.imported("same1.db"), self.imported("same2.db"), self.imported("other.db")]
        for pool, seed, threads in zip(pools, (7, 7, 8), (1, 2, 2)):
            self.iterate(pool, "--rounds", 12, "--seed", seed, "--threads", threads)
        check(self.contents(pools[0]) == self.contents(pools[1]), "the same seed gave another pool")
        check(self.contents(pools[0]) != self.contents(pools[2]), "another seed gave the same pool")

    def test_slots(self):
        pools = [self.imported(f"slots{k}.db") for k in range(3)]
        for pool, slots, threads in zip(pools, (4, 4, 1), (1, 2, 2)):
            self.iterate(pool, "--rounds", 12, "--seed", 7, "--threads", threads, "--slots", slots)
        check(self.contents(pools[0]) == self.contents(pools[1]), "four slots gave another pool on other threads")
        check(self.contents(pools[0]) != self.contents(pools[2]), "four slots gave the pool of one")
        self.iterate(pools[0], "--rounds", 1, "--slots", 0, code=2, says="--slots takes")

    def test_from_nothing(self):
        pool = self.folder / "nothing.db"
        result = json.loads(self.iterate(pool, "--rounds", 15, "--json"))
        check(result["near"] > 0, "nothing came near any task")
        again = json.loads(self.iterate(pool, "--rounds", 5, "--json"))
        check(again["pool"] >= 1 and again["rounds"] == 5, f"going on: {again}")

    def test_winners_are_right(self):
        pool = self.imported("right.db")
        self.iterate(pool, "--rounds", 20, "--seed", 3)
        path = self.folder / "exported.py"
        self.run("pool", "export", "--solved", "--out", path, "--pool", pool)
        result = json.loads(self.run("run", path, "--json"))
        for program in result["tasks"]:
            demos = [s["outcome"] for s in program["samples"] if s["kind"] == "demo"]
            check(set(demos) == {"right"}, f"{program['program']} is stored as a winner: {demos}")
        check(result["right"] >= 14, f"{result['right']} right")

    def test_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            pool = self.imported(f"interrupt{int(number)}.db")
            process = self.start(pool, "--json")  # without an end of its own
            wait_until(lambda: self.winners(pool), "a winner", process)
            process.send_signal(number)
            output, errors = process.communicate(timeout=LONG)
            check(process.returncode == 0, f"exit code {process.returncode}: {errors[:2000]}")
            result = json.loads(output)
            check(result["interrupted"] and result["rounds"] > 0, f"{result}")
            check(self.winners(pool), "what was found before is not there")

    def test_interrupt_in_a_program(self):
        """Programs that would run for minutes are given up, and what was not done leaves nothing in the pool."""
        programs, pool = self.folder / "endless.py", self.folder / "endless.db"
        programs.write_text("".join(f"def solve_{k}(I):\n    x1 = power(identity, {10**18 + k})\n    return x1(I)\n\n"
                                    for k in range(60)))
        self.run("pool", "import", programs, "--pool", pool)
        process = self.start(pool, "--seconds", 1000, "--units", 1000000000, "--json")
        wait_for_work(process)
        process.send_signal(signal.SIGTERM)
        try:
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
        check(process.returncode == 0, f"exit code {process.returncode}: {errors[:2000]}")
        check(json.loads(output)["interrupted"] and not errors, f"{output} {errors[:2000]}")
        check(len(self.contents(pool)) == 60 and not self.winners(pool), "something was stored")

    def test_kill_loses_nothing(self):
        pool, before = self.imported("kill.db"), set()
        for _ in range(self.kills):
            process = self.start(pool, "--seconds", 2 * LONG, "--seed", self.random.randrange(1000))
            time.sleep(self.random.uniform(0.02, 0.4))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            now = self.winners(pool)
            check(before <= now, f"{len(before - now)} winners are gone")
            before = now
        result = json.loads(self.iterate(pool, "--rounds", 3, "--json"))
        check(len(result["solved"]) == 14, f"after {self.kills} kills: {result}")

    def test_two_at_once(self):
        pool = self.imported("two.db")
        processes = [self.start(pool, "--rounds", 15, "--seed", seed, "--json") for seed in (1, 2)]
        for process in processes:
            output, errors = process.communicate(timeout=LONG)
            check(process.returncode == 0, f"exit code {process.returncode}: {errors[:2000]}")
            check(json.loads(output)["rounds"] == 15, output)
        check(len({task for _, task in self.winners(pool)}) == 14, "winners of 14 tasks are expected")

    def test_budget_of_seconds(self):
        pool = self.imported("seconds.db")
        start = time.monotonic()
        with processor_time(3, "1 second on one thread"):
            self.iterate(pool, "--seconds", 1, "--threads", 1)
        check(0.9 < time.monotonic() - start, f"1 second took {time.monotonic() - start:.1f}")

    def test_read_only(self):
        pool = self.imported("locked.db")
        pool.chmod(0o444)
        self.iterate(pool, "--rounds", 1, code=4, says=str(pool), preexec_fn=give_up_rights)

    def test_full_disk(self):
        pool = self.imported("full.db")
        self.iterate(pool, "--rounds", 1)
        before = self.winners(pool)
        most = pool.stat().st_size + 8192

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        self.iterate(pool, "--rounds", 400, "--programs", 64, code=4, says=str(pool), preexec_fn=limit)
        check(before <= self.winners(pool), "winners are gone")
        self.iterate(pool, "--rounds", 1)

    def test_bad_words(self):
        pool = self.folder / "bad.db"
        for words, says in ((["--rounds", "0"], "--rounds takes"),
                            (["--rounds", "1", "--strategy", "luck"], "evolve, cards or blind"),
                            (["--rounds", "1", "--rate", "2"], "--rate takes"),
                            (["--rounds", "1", "--seconds", "-1"], "--seconds takes")):
            self.iterate(pool, *words, code=2, says=says)
        self.run("iterate", "--rounds", "1", code=2, says="--pool")
        self.iterate(pool, "--rounds", 1, "-i", "nosuchtask", code=3, says="no task 'nosuchtask'")
        (self.folder / "text.db").write_text("def solve(I):\n    return I\n")
        self.iterate(self.folder / "text.db", "--rounds", 1, code=3, says="text.db")

    def test_evolve_differs(self):
        pool, file = self.imported("evolve.db"), self.folder / "evolve.py"
        words = self.iterate(pool, "--rounds", 2, "--evolve-differs", file)
        check("the set in use" in words and "* differ_cells (of the start)" in words, words)
        check(file.read_text().count("\ndef differ_") == 6, file.read_text())
        self.run("battery", ROOT / "tasks/solvers.py", "--only-differs", file, "--top", 1)
        # A second start takes the file up: what is in it is in use, beside it the differs of the start are measured.
        file.write_text("def differ_mine(S, I, C):\n    x1 = equality(I, C)\n    return astuple(multiply(x1, 1000), x1)\n")
        result = json.loads(self.iterate(pool, "--rounds", 2, "--evolve-differs", file, "--json"))
        used = {d["name"]: d["used"] for d in result["differs"]}
        check(len(used) == 7 and [name for name in used if used[name]] == ["differ_mine"], f"{used}")
        check("def differ_mine(S, I, C):" in file.read_text() and "taken up" in file.read_text(), file.read_text())
        check("differs" not in json.loads(self.iterate(pool, "--rounds", 1, "--json")), "differs that do not evolve are told")
        # What cannot be used is an error before anything is run, and stays as it is.
        bad = "def differ_bad(S, I, C):\n    return I\n"
        file.write_text(bad)
        self.iterate(pool, "--rounds", 1, "--evolve-differs", file, code=3, says=f"{file}:1:1: differ 'differ_bad' gives")
        check(file.read_text() == bad, "a file with an error was changed")
        self.iterate(pool, "--rounds", 1, "--evolve-differs", self.folder / "none/x.py", code=4, says="none/x.py")

    def test_profile(self):
        pool, report = self.imported("profile.db"), self.folder / "report.json"
        self.iterate(pool, "--rounds", 10, "--profile", report)
        data = json.loads(report.read_text())
        # Some of the time goes into threads that begin and end, a pair for each round.
        check(0.8 < data["parts_ms"] / data["core_ms"] < 1.02, f"{data['parts_ms']} of {data['core_ms']} ms")
        check(abs(sum(s["ms"] for s in data["stages"]) / data["parts_ms"] - 1) < 0.001, "the stages do not add up")
        check(abs(sum(c["ms"] for c in data["categories"]) / data["parts_ms"] - 1) < 0.001, "the categories do not add up")
        spent = {s["name"]: s["ms"] for s in data["stages"]}
        for stage in ("read", "generate", "run", "score", "extract", "check", "store"):
            check(spent[stage] > 0, f"no time in stage {stage}")
        names = {c["name"] for c in data["categories"]}
        for name in ("mapping", "building sets", "building tuples", "candidates", "dedupe", "failures", "device", "store",
                     "sharing and look-ups", "other"):
            check(name in names, f"no category {name}")
        check(len(data["tasks"]) == 14 and all(t["ms"] > 0 for t in data["tasks"]), "times of 14 tasks are expected")
        table = self.run("profile", report)
        check("accounted for" in table and "building sets" in table, table)
        check("without outliers" in self.run("profile", report, "--without-outliers"), "outliers")


if __name__ == "__main__":
    main(Tests, __doc__)
