#!/usr/bin/env python3
"""tessera-mpi: the bytes of one thread on any number of ranks, whatever becomes of them.

    tests/mpi.py [--tessera build/tessera] [--kills 20] [--seed N] [NAME…]

Runs on the bundled tasks, with the tessera-mpi beside the tessera. The last line is `N passed, N failed`.
"""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
from contextlib import contextmanager
from pathlib import Path

from harness import LONG, ROOT, SANITIZER, Skipped, check, main, sound, wait_until

WORK = ("--per-task", "30ms")
# Ranks that share a processor; MPI as root; nobody binds a rank to a processor that another job has.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "ASAN_OPTIONS": "detect_leaks=0"}


class Tests:
    def __init__(self, options, folder):
        self.folder, self.kills, self.tessera = folder, options.kills, options.tessera
        self.random = random.Random(options.seed)
        self.mpi = options.tessera.with_name("tessera-mpi")
        self.environment = {**os.environ, **ENVIRONMENT}

    # ---- Tools ----

    def check_end(self, what, process, out, errors, code):
        words = f"{what}: exit code {process.returncode}, says '{errors.strip()[:2000]}'"
        check(process.returncode == code and not any(mark in errors for mark in SANITIZER), words)
        return out, errors

    def run(self, *arguments, code=0):
        done = subprocess.run([self.tessera, *map(str, arguments)], capture_output=True, text=True, timeout=LONG)
        return self.check_end("tessera", done, done.stdout, done.stderr, code)[0]

    def start(self, ranks, *arguments, program=None, **more):
        command = ["mpirun", "-n", str(ranks), "--oversubscribe", program or self.mpi, *map(str, arguments)]
        return subprocess.Popen(command, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def ranks(self, ranks, *arguments, code=0, **more):
        """Runs on so many ranks; gives what it says on stdout and stderr."""
        process = self.start(ranks, *arguments, **more)
        out, errors = process.communicate(timeout=LONG)
        return self.check_end(f"{ranks} ranks, {' '.join(map(str, arguments))}", process, out, errors, code)

    def solve(self, ranks, out, *arguments, **more):
        return self.ranks(ranks, "solve", "--out", out, "--quiet", *arguments, **more)

    def reference(self, *arguments):
        out, found = self.folder / "reference.json", self.folder / "reference.jsonl"
        self.run("solve", "--threads", 1, "--out", out, "--fresh", "--quiet", *(arguments or WORK), "--candidates", found)
        return out.read_bytes(), found.read_bytes()

    def journal(self, out):
        return out.with_name(out.name + ".journal")

    def runs(self, out):
        try:
            return self.journal(out).read_bytes().count(b"\nrun")
        except FileNotFoundError:
            return 0

    # ---- iterate ----

    def dump(self, pool):
        db = sqlite3.connect(pool)
        columns = ", ".join(row[1] for row in db.execute("PRAGMA table_info(program)") if row[1] != "made")
        tables = db.execute(f"SELECT {columns} FROM program ORDER BY id").fetchall(), db.execute("SELECT * FROM score ORDER BY 1, 2").fetchall()
        db.close()
        return tables

    def test_same_pool(self):
        """On 1, 2 and 5 ranks, as `tessera iterate` has it."""
        pools = []
        for ranks in (0, 1, 2, 5):
            pool = self.folder / f"pool{ranks}.db"
            self.run("pool", "import", ROOT / "tasks/solvers.py", "--pool", pool)
            arguments = ("iterate", "--pool", pool, "--rounds", 20, "--slots", 5, "--seed", 7)
            said = self.ranks(ranks, *arguments)[0] if ranks else self.run(*arguments)
            check("14 of 14 tasks solved" in said, said)
            pools.append(self.dump(pool))
        check(pools[0] == pools[1] == pools[2] == pools[3], "another pool")
        check(len(pools[0][0]) > 14, "nothing was found")

    def test_iterate_is_killed(self):
        """What was stored is sound, and the same command goes on."""
        pool = self.folder / "killed.db"
        self.run("pool", "import", ROOT / "tasks/solvers.py", "--pool", pool)
        for _ in range(max(1, self.kills // 5)):
            process = self.start(3, "iterate", "--pool", pool, "--rounds", 100000)
            wait_until(lambda: self.has_open(process, pool), "the pool open", process)
            os.kill(self.random.choice(self.pids(process)), signal.SIGKILL)
            process.communicate(timeout=LONG)
            check(process.returncode != 0, "it ended well")
            db = sqlite3.connect(pool)
            sound(db)
            db.close()
        said = self.ranks(2, "iterate", "--pool", pool, "--rounds", 5)[0]
        check("5 rounds" in said, said)

    # ---- solve ----

    def test_ranks_do_not_matter(self):
        for arguments in (WORK, (*WORK, "--pool", "none", "--seed", 3, "--engine", "trees,lines,bank")):
            wanted = self.reference(*arguments)
            for ranks in (1, 2, 3, 5):
                out, found = self.folder / f"{ranks}.json", self.folder / f"{ranks}.jsonl"
                self.solve(ranks, out, *arguments, "--fresh", "--candidates", found)
                check((out.read_bytes(), found.read_bytes()) == wanted, f"{ranks} ranks give something else")
                check(not self.journal(out).exists(), "the journal is still there")

    def test_budget(self):
        """It ends before when there is nothing left to do, else with its time, however far it got by then."""
        out = self.folder / "budget.json"
        for budget, *more in (("1h", "--engine", "repair,move", "--pool", "none"), ("2s",)):
            said, _ = self.ranks(3, "solve", "--out", out, "--budget", budget, "--quiet", "--json", "--fresh", *more)
            check('"lost": []' in said and ('"done": 14' in said or not more), said)
            check(len(json.loads(out.read_text())) == 14 and not self.journal(out).exists(), "it did not end well")

    def test_other_words(self):
        """What is no search is done by rank 0, and the others end with it."""
        check("usage: tessera-mpi COMMAND" in self.ranks(3, "--help")[0], "no help")
        for command in "solve", "iterate":
            said = self.ranks(1, command, "--help")[0]
            check("--seed" in said and not re.search("--(threads|device|profile)", said), f"help tells of what there is not: {said}")
        check("unknown command 'judge'" in self.ranks(2, "judge", code=2)[1], "judge")
        check("--threads is for one process" in self.ranks(2, "iterate", "--threads", 2, "--rounds", 1, code=2)[1], "threads")
        check("give either --budget" in self.ranks(3, "solve", "--out", self.folder / "x.json", code=2)[1], "no time was given")
        check("no-such-file" in self.ranks(2, "solve", "--tasks", "no-such-file", "--out", self.folder / "x.json", *WORK, code=4)[1],
              "no such file")

    def test_other_builds(self):
        """A rank with another build is named, and nothing is done."""
        binary = self.mpi.read_bytes()
        build = self.run("--version").split()[1].encode()
        other = self.folder / "other-mpi"
        changed = binary.replace(b"\0" + build + b"\0", b"\0" + b"9" + build[1:] + b"\0")
        check(changed != binary, "the version is not in the program")
        other.write_bytes(changed)
        other.chmod(0o755)
        command = ["mpirun", "-n", "2", "--oversubscribe", self.mpi, "solve", *WORK, "--out", self.folder / "no.json", ":", "-n", "1", other,
                   "solve"]
        done = subprocess.run(list(map(str, command)), env=self.environment, capture_output=True, text=True, timeout=LONG)
        check(done.returncode == 2 and "rank 2 has another tessera-mpi (9" in done.stderr, f"{done.returncode}: {done.stderr}")
        check(not (self.folder / "no.json").exists(), "it was done all the same")

    def pids(self, process):
        """Of the ranks of a job, as they are started."""
        try:
            found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        except OSError:  # it has ended
            return []
        return [int(pid) for pid in found if self.is_rank(pid)]

    def has_open(self, process, file):
        """Whether a rank has a file open."""
        for pid in self.pids(process):
            try:
                if any(os.path.realpath(entry.path) == str(file) for entry in os.scandir(f"/proc/{pid}/fd")):
                    return True
            except OSError:
                pass
        return False

    def is_rank(self, pid):
        try:
            return os.path.samefile(f"/proc/{pid}/exe", self.mpi)
        except OSError:
            return False

    def test_kills(self):
        """A rank is killed at any moment; with the same command, on any number of ranks, it goes on to the same end."""
        wanted = self.reference()
        out, found = self.folder / "killed.json", self.folder / "killed.jsonl"
        arguments = ("solve", "--out", out, *WORK, "--candidates", found, "--quiet")
        kills = killed = 0
        while kills < self.kills:
            after = self.random.choice([0, 0, 1, 3, 6, 9, 12])
            ranks = self.random.choice([1, 2, 3, 5])
            process = self.start(ranks, *arguments)
            # Not before all have begun: mpirun may wait for ever for one that dies within MPI_Init.
            wait_until(lambda: self.has_open(process, self.journal(out)) and self.runs(out) >= after, f"{after} tasks in the journal", process)
            pids = self.pids(process)
            if pids:
                try:
                    os.kill(self.random.choice(pids), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            process.communicate(timeout=LONG)
            kills += 1
            killed += process.returncode != 0
            if process.returncode == 0:  # it was through before
                check((out.read_bytes(), found.read_bytes()) == wanted, "another result")
                out.unlink()
        check(killed, "nothing was killed")
        self.ranks(3, *arguments)
        check((out.read_bytes(), found.read_bytes()) == wanted, "another result after kills")
        check(not self.journal(out).exists(), "the journal is still there")

    def test_a_rank_hangs(self):
        """It is named, and the job ends as if it had died."""
        pool = self.folder / "hangs.db"
        self.run("pool", "import", ROOT / "tasks/solvers.py", "--pool", pool)
        self.environment["TESSERA_MPI_PATIENCE"] = "10"
        process = self.start(3, "iterate", "--pool", pool, "--rounds", 100000)
        del self.environment["TESSERA_MPI_PATIENCE"]
        wait_until(lambda: self.has_open(process, pool), "the pool open", process)
        ranks = {Path(f"/proc/{pid}/environ").read_bytes().partition(b"OMPI_COMM_WORLD_RANK=")[2][:1]: pid for pid in self.pids(process)}
        os.kill(ranks[b"2"], signal.SIGSTOP)
        errors = process.communicate(timeout=LONG)[1]
        check(process.returncode == 4 and "rank 2 has not answered for 10 s" in errors, f"{process.returncode}: {errors}")
        check("5 rounds" in self.ranks(2, "iterate", "--pool", pool, "--rounds", 5)[0], "it does not go on")

    def test_ctrl_c(self):
        wanted = self.reference()
        out, found = self.folder / "interrupted.json", self.folder / "interrupted.jsonl"
        process = self.start(3, "solve", "--out", out, "--per-task", "20s", "--quiet", "--pool", "none")
        # The submission comes after the journal, and mpirun gives the ranks a second to end.
        wait_until(lambda: out.exists() and self.has_open(process, self.journal(out)), "a journal and a submission", process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LONG)
        check(self.journal(out).exists() and out.exists(), "nothing is left to go on from")
        self.solve(2, out, *WORK, "--fresh", "--candidates", found)
        check((out.read_bytes(), found.read_bytes()) == wanted, "another result")

    def test_slurm_script(self):
        """The script of docs/CLUSTER.md, with an srun and an scontrol of our own: when its time is over the ranks end, and the
        job goes back into the queue."""
        script = re.search(r"```bash\n(.*?)```", (ROOT / "docs/CLUSTER.md").read_text(), re.S).group(1)
        check("--signal=B:TERM@" in script, "Slurm would tell the ranks alone that the time is over, not the script")
        home, bin = self.folder / "home", self.folder / "bin"
        home.mkdir()
        bin.mkdir()
        tasks = {path.stem: json.loads(path.read_text()) for path in (ROOT / "tasks").glob("*.json")}
        (home / "challenges.json").write_text(json.dumps(tasks))
        commands = {"srun": 'while case $1 in --*) ;; *) false ;; esac; do shift; done\nmpirun -n 3 --oversubscribe "$@" &\n'
                            'trap "kill $!" TERM\nwait $!\nwait $!\necho ended >>"$HOME/said"',
                    "scontrol": 'echo "$@" >>"$HOME/said"'}
        for name, text in commands.items():
            (bin / name).write_text(f"#!/bin/sh\n{text}\n")
            (bin / name).chmod(0o755)
        environment = {**self.environment, "HOME": str(home), "SLURM_JOB_ID": "17",
                       "PATH": f"{bin}:{self.mpi.parent}:{os.environ['PATH']}"}
        process = subprocess.Popen(["bash", "-c", script], env=environment, stderr=subprocess.DEVNULL)
        out = home / "submission.json"
        wait_until(lambda: out.exists() and self.journal(out).exists(), "a journal and a submission", process)
        process.terminate()
        process.wait(timeout=LONG)
        check((home / "said").read_text() == "ended\nrequeue 17\n", "it does not go back into the queue")
        check(self.journal(out).exists(), "there is nothing to go on from")

    @contextmanager
    def small_disk(self, size):
        disk = self.folder / "disk"
        disk.mkdir(exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk]
        if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
            raise Skipped("no right to mount a small disk")
        try:
            yield disk
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_full_disk(self):
        """Of rank 0: said at the end, with the exit code for it, and no rank waits for ever."""
        with self.small_disk("64k") as disk:
            (disk / "fill").write_bytes(bytes(40 << 10))
            _, errors = self.solve(2, disk / "out.json", *WORK, "--pool", "none", code=4)
            check("No space left" in errors, errors)

    def test_full_disk_of_pool(self):
        """What was stored before is there."""
        with self.small_disk("800k") as disk:
            pool = disk / "pool.db"
            self.run("pool", "import", ROOT / "tasks/solvers.py", "--pool", pool)
            _, errors = self.ranks(3, "iterate", "--pool", pool, "--rounds", 100000, code=4)
            check("full" in errors and str(pool) in errors, errors)
            db = sqlite3.connect(pool)
            sound(db)
            check(db.execute("SELECT count(*) FROM score WHERE solved").fetchone()[0], "no winner is left")
            db.close()

    def test_no_mpi_elsewhere(self):
        """Neither the command nor the library is linked with MPI."""
        for name in ("tessera", "libtessera.so"):
            said = subprocess.run(["ldd", self.tessera.with_name(name)], capture_output=True, text=True, check=True).stdout
            check("mpi" not in said, said)


if __name__ == "__main__":
    if not shutil.which("mpirun"):
        raise SystemExit("there is no mpirun: scripts/setup test installs it")
    main(Tests, __doc__)
