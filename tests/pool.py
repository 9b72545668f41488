#!/usr/bin/env python3
"""What can happen to a pool: processes killed at any moment, two at once, no right to write, a full disk, odd files.

    tests/pool.py [--tessera build/tessera] [--worker build/obj/tests/pool] [--kills 30] [--seed N]

The worker (tests/pool.c) stores programs without end and prints, after each commit, the hashes of the solvers in it;
those must be there whatever happens to it. Without the right to mount, the full disk is a limit on the size of files
only. Run as root, what needs missing rights runs as nobody. The last line is `N passed, N failed`.
"""

import argparse
import os
import random
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from harness import LONG, ROOT, SANITIZER, check, give_up_rights, run_tests, sound

NEAR_MOST = 20
SCORE = "program, task, demos_right, demos, tests_right, tests, score, units"

# A pool as the first version made them.
FIRST_VERSION = """
PRAGMA journal_mode = WAL; PRAGMA application_id = 0x54537031; PRAGMA user_version = 1;
CREATE TABLE program ( id INTEGER PRIMARY KEY AUTOINCREMENT,\
 hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 16 AND hash NOT GLOB '*[^0-9a-f]*'),\
 text TEXT NOT NULL CHECK (text GLOB 'def solve(*'), name TEXT NOT NULL CHECK (name <> ''),\
 size INTEGER NOT NULL CHECK (size >= 0), units INTEGER NOT NULL CHECK (units >= 0), origin TEXT NOT NULL,\
 round INTEGER NOT NULL CHECK (round >= 0), made INTEGER NOT NULL, pinned INTEGER NOT NULL CHECK (pinned IN (0, 1))) STRICT;
CREATE TABLE score ( program INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,\
 task TEXT NOT NULL CHECK (task <> ''), demos_right INTEGER NOT NULL CHECK (demos_right BETWEEN 0 AND demos),\
 demos INTEGER NOT NULL CHECK (demos > 0), tests_right INTEGER NOT NULL CHECK (tests_right BETWEEN 0 AND tests),\
 tests INTEGER NOT NULL CHECK (tests >= 0), score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 1000 * demos),\
 units INTEGER NOT NULL CHECK (units >= 0), solved INTEGER NOT NULL GENERATED ALWAYS AS (demos_right = demos) VIRTUAL,\
 PRIMARY KEY (program, task)) STRICT, WITHOUT ROWID;
CREATE INDEX score_of_task ON score (task, solved, score);
"""


class Tests:
    def __init__(self, options, folder):
        self.folder, self.kills = folder, options.kills
        self.random = random.Random(options.seed)
        # In the folder, where nobody can run them too.
        self.tessera, self.worker = folder / "tessera", folder / "worker"
        shutil.copy(options.tessera, self.tessera)
        shutil.copy(options.worker, self.worker)
        self.programs = 0

    # ---- Tools ----

    def run(self, *arguments, code=0, says=None, rights=True, **more):
        """Runs `tessera pool …`; its exit code and its words on stderr are as expected. Gives stdout."""
        done = subprocess.run([self.tessera, "pool", *map(str, arguments)], capture_output=True, text=True, timeout=LONG,
                              errors="backslashreplace", **{"preexec_fn": None if rights else give_up_rights, **more})
        words = f"{' '.join(map(str, arguments))}: exit code {done.returncode}, says '{done.stderr.strip()[:2000]}'"
        codes = code if isinstance(code, tuple) else (code,)
        check(done.returncode in codes and not any(mark in done.stderr for mark in SANITIZER), words)
        check(says is None or says in done.stderr, f"{words}, expected '{says}'")
        check(done.returncode in (0, 1) or done.stderr.strip(), f"{words}, without a word")
        return done.stdout

    def write_programs(self, name, count, lines=3):
        """A file of programs that no other file has."""
        path = self.folder / name
        with open(path, "w") as file:
            for _ in range(count):
                self.programs += 1
                body = "".join(f"    x{k} = replace(I, {k}, {self.programs})\n" for k in range(lines))
                total = "".join(f"    y{k} = hconcat({f'y{k - 1}' if k else 'I'}, x{k})\n" for k in range(lines))
                file.write(f"def solve_{self.programs}(I):\n{body}{total}    return y{lines - 1}\n")
        return path

    def hashes(self, pool):
        """The hashes in a pool, after SQLite itself has found nothing wrong with it."""
        db = sqlite3.connect(pool, timeout=LONG)
        try:
            sound(db)
            most = db.execute("SELECT max(n) FROM (SELECT count(*) AS n FROM score WHERE NOT solved GROUP BY task)")
            check((most.fetchone()[0] or 0) <= NEAR_MOST, "more near-winners than there may be")
            return {row[0] for row in db.execute("SELECT hash FROM program")}
        finally:
            db.close()

    def check_pool(self, pool, acknowledged):
        """The pool opens, is whole, and has all that was acknowledged."""
        self.run("stats", "--pool", pool)
        there = self.hashes(pool)
        missing = acknowledged - there
        check(not missing, f"{len(missing)} of {len(acknowledged)} acknowledged programs are missing")
        return there

    def start_worker(self, pool):
        return subprocess.Popen([self.worker, "work", str(pool), str(self.random.randrange(2**63))], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for_worker(self, worker):
        """Until it has acknowledged something, so that there is a pool."""
        check(select.select([worker.stdout], [], [], LONG)[0], "the worker does nothing")

    def kill_worker(self, worker):
        """Ends it with kill -9; gives what it had acknowledged. A last line cut off was not."""
        worker.send_signal(signal.SIGKILL)
        output, errors = worker.communicate()
        check(worker.returncode == -signal.SIGKILL, f"the worker ended by itself: {errors[:2000]}")
        return set(output[:output.rfind("\n") + 1].split())

    # ---- Tests ----

    def test_kill_at_work(self):
        pool, acknowledged = self.folder / "kill.db", set()
        for _ in range(self.kills):
            worker = self.start_worker(pool)
            self.wait_for_worker(worker)
            time.sleep(self.random.uniform(0.0, 0.15))
            acknowledged |= self.kill_worker(worker)
            self.check_pool(pool, acknowledged)
        check(len(acknowledged) >= self.kills, f"only {len(acknowledged)} programs were acknowledged")

    def test_kill_while_made(self):
        """At the very start, when the file and its tables are being made."""
        for k in range(self.kills):
            pool = self.folder / f"made{k}.db"
            worker = self.start_worker(pool)
            time.sleep(self.random.uniform(0.0, 0.012))
            acknowledged = self.kill_worker(worker)
            self.run("import", self.write_programs("one.py", 1), "--pool", pool)
            check(len(self.check_pool(pool, acknowledged)) >= 1, "the program after the kill is not there")

    def test_kill_beside_another(self):
        """One process works on while others are killed."""
        pool, acknowledged = self.folder / "beside.db", set()
        steady = self.start_worker(pool)
        try:
            self.wait_for_worker(steady)
            for _ in range(self.kills // 3):
                worker = self.start_worker(pool)
                time.sleep(self.random.uniform(0.0, 0.1))
                acknowledged |= self.kill_worker(worker)
                check(steady.poll() is None, "the other process ended too")
        finally:
            acknowledged |= self.kill_worker(steady)
        self.check_pool(pool, acknowledged)

    def test_two_imports(self):
        """Several processes at once, on a pool that each of them would make, and on one that is there."""
        for k in range(self.kills):
            pool = self.folder / f"two{k // 2}.db"
            before = len(self.hashes(pool)) if k % 2 else 0
            files = [self.write_programs(f"file{number}.py", 100) for number in range(3)]
            running = [subprocess.Popen([self.tessera, "pool", "import", file, "--pool", pool], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for file in files]
            for process in running:
                output, errors = process.communicate(timeout=LONG)
                check(process.returncode == 0 and "100 new, 0 known" in output, output + errors)
            check(len(self.hashes(pool)) == before + 300, "not all programs are there")

    def test_read_only(self):
        folder = self.folder / "read_only"
        folder.mkdir()
        pool, more = folder / "p.db", self.write_programs("more.py", 3)
        self.run("import", self.write_programs("some.py", 3), "--pool", pool)
        for file_mode, folder_mode, words in ((0o444, 0o555, "read-only"), (0o444, 0o777, "read-only"),
                                              (0o666, 0o555, "its folder have to be writable")):
            pool.chmod(file_mode)
            folder.chmod(folder_mode)
            check("3 programs" in self.run("stats", "--pool", pool, rights=False), "cannot be read")
            self.run("import", more, "--pool", pool, rights=False, code=4, says=words)
            check("3 programs" in self.run("stats", "--pool", pool, rights=False), "changed")
            check([f.name for f in folder.iterdir()] == ["p.db"], "something is left beside it")
        self.run("import", more, "--pool", folder / "new.db", rights=False, code=4, says="new.db: unable to open")
        folder.chmod(0o777)
        pool.chmod(0)
        self.run("stats", "--pool", pool, rights=False, code=4, says="p.db: unable to open")
        pool.chmod(0o666)
        self.run("import", more, "--pool", pool, rights=False)
        check(len(self.hashes(pool)) == 6, "not all programs are there")

    # ---- Pools of the first version ----

    def make_old(self, name, script=""):
        """A pool of the first version with what a pool of today would have, for the same programs and scores."""
        new, old = self.folder / f"new {name.replace('/', ' ')}", self.folder / name
        self.run("import", self.write_programs("some.py", 40), "--pool", new)
        db = sqlite3.connect(old, isolation_level=None)
        db.executescript(FIRST_VERSION)
        db.execute("ATTACH ? AS new", (str(new),))
        db.execute("INSERT INTO program SELECT * FROM new.program")
        for base in ("main", "new"):
            db.execute(f"INSERT INTO {base}.score ({SCORE}) SELECT id, 't' || (id % 5), id % 3, 2, id % 2, 1, 500, id FROM program")
        db.execute("DETACH new")
        db.executescript(script)
        db.close()
        return old, new

    def told(self, pool, **more):
        """What commands say of it."""
        return [self.run(*words, "--pool", pool, **more) for words in (["list"], ["export"], ["best", "t2"])]

    def version(self, pool):
        """Its version, and how many scores it has."""
        db = sqlite3.connect(pool)
        try:
            sound(db)
            return db.execute("PRAGMA user_version").fetchone()[0], db.execute("SELECT count(*) FROM score").fetchone()[0]
        finally:
            db.close()

    def test_first_version(self):
        """It is read as it is, and brought up to date when it is opened to be written; all that was in it stays."""
        old, new = self.make_old("first.db")
        before = old.read_bytes()
        check(self.told(old) == self.told(new), "a pool of the first version is read otherwise")
        check(old.read_bytes() == before and self.version(old) == (1, 40), "reading has changed it")
        reader = subprocess.Popen([self.worker, "read", str(old)], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        check(reader.stdout.readline() == "40\n", "the reader does not read")
        self.run("import", self.folder / "some.py", "--pool", old)
        check(self.version(old) == (2, 40) and self.told(old) == self.told(new), "not as it was")
        # Who had it open before reads on.
        self.run("import", self.write_programs("more.py", 3), "--pool", old)
        output, errors = reader.communicate("\n", timeout=LONG)
        check(reader.returncode == 0 and output == "43\n", f"the reader is lost: {output} {errors}")

    def test_first_version_killed(self):
        """Kill -9 while it is brought up to date, and several processes that do so at once."""
        old, _ = self.make_old("killed.db", "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500)"
                               f" INSERT INTO score ({SCORE}) SELECT id, 'u' || x, 2, 2, 0, 0, 7, 7 FROM program, n;")
        data, rows = old.read_bytes(), 40 + 500 * 40
        for k in range(self.kills):
            pool = self.folder / f"killed{k}.db"
            pool.write_bytes(data)
            process = subprocess.Popen([self.tessera, "pool", "prune", "--max-lines", "9999", "--pool", pool],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(self.random.uniform(0.0, 0.1))
            process.kill()
            process.communicate()
            self.run("stats", "--pool", pool)
            count = self.version(pool)[1]
            check(count == rows, f"{count} scores of {rows} are left")
            running = [subprocess.Popen([self.tessera, "pool", "import", self.folder / "some.py", "--pool", pool], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
            for process in running:
                output, errors = process.communicate(timeout=LONG)
                check(process.returncode == 0 and "0 new, 40 known" in output, output + errors)
            check(self.version(pool) == (2, rows), "not up to date")

    def test_first_version_read_only(self):
        folder = self.folder / "old_read_only"
        folder.mkdir()
        old, new = self.make_old("old_read_only/p.db")
        for end in ("-wal", "-shm"):
            Path(f"{old}{end}").unlink(missing_ok=True)
        before = old.read_bytes()
        for file_mode, folder_mode in ((0o444, 0o555), (0o444, 0o777), (0o666, 0o555)):
            old.chmod(file_mode)
            folder.chmod(folder_mode)
            check(self.told(old, rights=False) == self.told(new), "cannot be read")
            self.run("import", self.folder / "some.py", "--pool", old, rights=False, code=4)
            check([f.name for f in folder.iterdir()] == ["p.db"] and old.read_bytes() == before, "something has changed")
        folder.chmod(0o777)

    def test_first_version_of_strangers(self):
        """The tables of the first version have to be those of the first version, and sound."""
        for name, script in {"with dealt": "CREATE TABLE dealt (x);", "with a trigger":
                             "CREATE TRIGGER t AFTER INSERT ON program BEGIN DELETE FROM program; END;",
                             "as new": "ALTER TABLE score ADD COLUMN answers INTEGER;",
                             "of version 0": "PRAGMA user_version = 0;", "of version -1": "PRAGMA user_version = -1;",
                             "of version 2": "PRAGMA user_version = 2;"}.items():
            old, _ = self.make_old(f"{name}.db", script)
            self.refuse(old, "this pool has version" if name[-1] in "01" else "its tables are others")

    def fill(self, folder, **limits):
        """Imports what does not fit; what was there before stays, and the pool can be used again."""
        pool = folder / "p.db"
        self.run("import", self.write_programs("few.py", 20), "--pool", pool)
        before = self.hashes(pool)
        self.run("import", self.write_programs("many.py", 4000, lines=6), "--pool", pool, code=4, says="p.db: ", **limits)
        check(self.hashes(pool) == before, "the pool has changed")
        self.run("import", self.write_programs("again.py", 5), "--pool", pool)
        check(len(self.check_pool(pool, before)) == 25, "the pool cannot be used again")

    def test_limit_on_files(self):
        folder = self.folder / "limit"
        folder.mkdir()
        # Python ignores the signal that comes with the limit; its children do too.
        self.fill(folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)),
                  restore_signals=False)

    def test_full_disk(self):
        folder = self.folder / "disk"
        folder.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=800k", "none", folder], capture_output=True)
        if mount.returncode != 0:
            print("the full disk is not tested: no right to mount")
            return
        try:
            self.fill(folder)
            worker = self.start_worker(folder / "p.db")  # many small transactions until it is full
            output, errors = worker.communicate(timeout=LONG)
            check(worker.returncode == 4 and "database or disk is full" in errors, f"{worker.returncode}: {errors}")
            self.check_pool(folder / "p.db", set(output.split()))
        finally:
            subprocess.run(["umount", folder], check=True)

    def test_odd_files(self):
        folder = self.folder / "odd"
        folder.mkdir()
        some = self.write_programs("some.py", 3)

        def odd(name, code, says, change=True):
            before = (folder / name).read_bytes() if (folder / name).is_file() else None
            for arguments in (["stats"], ["list"], ["export"], ["show", "0"], ["best", "x"], ["prune", "--keep", "1"],
                              ["import", some])[:7 if change else 6]:
                self.run(*arguments, "--pool", folder / name, code=code, says=says)
            check(before is None or (folder / name).read_bytes() == before, f"{name} was changed")

        odd("missing", 4, "No such file", change=False)
        (folder / "text").write_text("no database\n" * 100)
        odd("text", 3, "text: this is no pool: file is not a database")
        (folder / "empty").touch()
        odd("empty", 3, "empty: this file is empty: no pool yet", change=False)
        check("3 new" in self.run("import", some, "--pool", folder / "empty"), "an empty file is no place for a pool")
        (folder / "folder").mkdir()
        odd("folder", 4, "folder: this is a folder, not a pool")
        os.mkfifo(folder / "pipe")
        odd("pipe", 4, "pipe: this is no ordinary file")
        db = sqlite3.connect(folder / "other")
        db.executescript("CREATE TABLE program (x); INSERT INTO program VALUES (1)")
        db.close()
        odd("other", 3, "other: this is a database, but no pool of Tessera")
        self.run("import", some, "--pool", folder / "newer")
        db = sqlite3.connect(folder / "newer")
        db.executescript("PRAGMA user_version = 3")
        db.close()
        odd("newer", 3, "newer: this pool has version 3")
        self.run("import", some, "--pool", ":memory:", cwd=folder)
        self.run("import", some, "--pool", "file:x?mode=memory", cwd=folder)
        check((folder / ":memory:").is_file() and (folder / "file:x?mode=memory").is_file(), "a name means something else")
        name = folder / "read 100%?#.db"  # read as it stands, by a name that has to be quoted
        self.run("import", some, "--pool", name)
        folder.chmod(0o555)
        check("3 programs" in self.run("stats", "--pool", name, rights=False), "a strange name cannot be read")
        folder.chmod(0o755)

    # ---- Files of strangers ----

    def refuse(self, pool, says, code=3):
        """Every command refuses the pool, at once, and leaves it as it is."""
        before = pool.read_bytes()
        some = self.write_programs("some.py", 1)
        for arguments in (["stats"], ["list"], ["export"], ["show", "0"], ["best", "t"], ["prune", "--keep", "1"],
                          ["import", some]):
            self.run(*arguments, "--pool", pool, code=code, says=says)
        check(pool.read_bytes() == before, f"{pool.name} was changed")

    def make_pool(self, name, script="", as_of=None):
        """A pool with two programs and a score, on which a script then runs. With `as_of` the schema is edited first, so
        that nothing is checked, and is as it was again after the script."""
        pool = self.folder / name
        self.run("import", self.write_programs("some.py", 2), "--pool", pool)
        db = sqlite3.connect(pool, isolation_level=None)
        db.execute(f"INSERT INTO score ({SCORE}) VALUES (1, 't', 2, 2, 0, 1, 500, 1)" if as_of is None else "SELECT 1")
        tables = db.execute("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL").fetchall()
        edit = "UPDATE sqlite_master SET sql = ? WHERE name = ?"
        if as_of is not None:
            db.execute("PRAGMA writable_schema = ON")
            for table, sql in as_of.items():
                db.execute(edit, (sql, table))
            db.execute("PRAGMA writable_schema = RESET")
        db.executescript(script)
        if as_of is not None:
            db.execute("PRAGMA writable_schema = ON")
            for table, sql in tables:
                db.execute(edit, (sql, table))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        return pool

    def test_other_tables(self):
        """A schema that is not ours to the letter is refused before anything of it runs."""
        endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
        columns = "x AS id, x AS hash, x AS text, x AS name, x AS size, x AS units, x AS origin, x AS round, x AS made, x AS pinned"
        others = "its tables are others"
        for name, script in {
            "view": f"DROP TABLE program; CREATE VIEW program AS {endless} {columns} FROM n;",
            "score view": f"DROP TABLE score; CREATE VIEW score AS {endless} x AS program, x AS task, 1 AS solved FROM n;",
            "trigger": "CREATE TRIGGER t AFTER INSERT ON program BEGIN DELETE FROM program; END;",
            "trigger that ends never": f"CREATE TRIGGER t BEFORE INSERT ON program BEGIN {endless} count(*) FROM n; END;",
            "more tables": "CREATE TABLE more (x);",
            "no table": "DROP TABLE dealt;",
            "another version's": "PRAGMA user_version = 1;",
            "index": "CREATE INDEX more ON program (size);",
            "no index": "DROP INDEX score_of_task;",
            "index of an expression": "DROP INDEX score_of_task; CREATE INDEX score_of_task ON score (task, abs(score));",
            "virtual": "CREATE VIRTUAL TABLE more USING fts5 (x);",
            "column": "ALTER TABLE program ADD COLUMN more INTEGER;",
            "generated": "ALTER TABLE program ADD COLUMN more INTEGER GENERATED ALWAYS AS (abs(size)) VIRTUAL;",
            "name of a pragma": f"CREATE VIEW pragma_application_id AS {endless} x AS application_id FROM n;",
            "analysed": "ANALYZE;",
        }.items():
            self.refuse(self.make_pool(f"{name}.db", script), others)
        # Names that SQLite keeps for itself can be put into a file all the same.
        self.refuse(self.make_pool("reserved.db", f"""PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES
            ('view', 'sqlite_schema', 'sqlite_schema', 0, 'CREATE VIEW sqlite_schema AS {endless} x AS name FROM n');"""), "")

    def test_other_values(self):
        """Values that the tables do not allow, put there while the tables were others."""
        loose = {
            "program": "CREATE TABLE program (id INTEGER PRIMARY KEY, hash UNIQUE, text, name, size, units, origin, round, made, pinned)",
            "score": "CREATE TABLE score (program, task, demos_right, demos, tests_right, tests, score, units,"
                     " solved GENERATED ALWAYS AS (1) VIRTUAL, behaviour, answers, right_on, points,"
                     " PRIMARY KEY (program, task)) WITHOUT ROWID",
            "dealt": "CREATE TABLE dealt (id INTEGER PRIMARY KEY, hashes)",
        }
        for name, script in {
            "negative": "UPDATE program SET size = -1",
            "text": "UPDATE program SET size = 'many'",
            "blob": "UPDATE program SET text = zeroblob(30000000)",
            "null": "UPDATE program SET name = NULL",
            "hash": "UPDATE program SET hash = char(27) || '[31m' || id",
            "demos": "INSERT INTO score (program, task, demos_right, demos, tests_right, tests, score, units)"
                     " VALUES (1, 't', 0, 0, 0, 0, 0, 0)",
            "mask": f"INSERT INTO score ({SCORE}, right_on) VALUES (1, 't', 1, 1, 0, 0, 0, 0, -1)",
            "points": f"INSERT INTO score ({SCORE}, points) VALUES (1, 't', 1, 1, 0, 0, 0, 0, x'0102030405')",
            "answers": f"INSERT INTO score ({SCORE}, answers) VALUES (1, 't', 1, 1, 0, 0, 0, 0, 'yes')",
            "dealt": "INSERT INTO dealt (hashes) VALUES (x'0102030405')",
            "dealt at once": "INSERT INTO dealt (hashes) VALUES (zeroblob(30000000))",
            "dealt before": "INSERT INTO dealt (id, hashes) VALUES (-9223372036854775807, zeroblob(8))",
            "float": "INSERT INTO score (program, task, demos_right, demos, tests_right, tests, score, units)"
                     " VALUES (1, 't', 1e300, 1e300, 0, 0, 0, 0)",
        }.items():
            self.refuse(self.make_pool(f"{name} value.db", script, loose), "this pool is damaged")
        # Allowed, but odd: what is shown is UTF-8 that does nothing to a terminal.
        odd = self.make_pool("odd value.db", "UPDATE program SET origin = CAST(x'ff1b5b33316d' AS TEXT), made = 1 << 62,"
                             " units = 9223372036854775807; INSERT INTO score VALUES (2, CAST(x'1bff' AS TEXT), 9223372036854775807,"
                             " 9223372036854775807, 0, 0, 1, 1, -1, -1, 2147483647, zeroblob(62));"
                             " INSERT INTO dealt VALUES (1, zeroblob(8)), (9223372036854775807, zeroblob(4000)); UPDATE sqlite_sequence SET seq = 9223372036854775807;")
        for arguments in (["list"], ["list", "--json"], ["export"], ["stats"], ["stats", "--json"], ["show", "0", "--json"],
                          ["best", "t"]):
            done = subprocess.run([self.tessera, "pool", *arguments, "--pool", odd], capture_output=True, timeout=120)
            shown = done.stdout.decode() + done.stderr.decode()
            check(done.returncode in (0, 3) and "\x1b" not in shown, f"{arguments}: {done.returncode} {shown[:500]!r}")
        self.run("import", self.write_programs("one.py", 1), "--pool", odd, code=4, says="database or disk is full")

    def test_shared_pages(self):
        """Rows that share their pages: a few kilobytes that would be read as gigabytes."""
        pool = self.make_pool("shared.db", "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM;"
                              "UPDATE program SET text = 'def solve(' || hex(zeroblob(400000)) WHERE id = 1;")
        db = sqlite3.connect(pool, isolation_level=None)
        root, = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'program'").fetchone()
        db.close()
        data = bytearray(pool.read_bytes())
        page = (root - 1) * 512
        for cell in range(2):  # the second cell is the first one
            data[page + 8 + 2 * cell:page + 10 + 2 * cell] = data[page + 8:page + 10]
        pool.write_bytes(data)
        self.refuse(pool, "this pool is damaged")

    def test_files_beside(self):
        for end in ("-journal", "-wal", "-shm"):
            pool = self.make_pool(f"beside{end}.db")
            os.mkfifo(f"{pool}{end}")
            self.refuse(pool, "this is no ordinary file, and belongs to no pool")
        # A journal that names another file, which SQLite would delete.
        victim = self.folder / "victim"
        victim.write_text("of value\n")
        pool = self.make_pool("journal.db", "PRAGMA journal_mode = DELETE")
        name = str(victim).encode()
        journal = bytearray(512)
        journal[:28] = bytes.fromhex("d9d505f920a163d7") + b"".join(
            n.to_bytes(4, "big") for n in (0, 0, pool.stat().st_size // 4096, 512, 4096))
        journal += b"\0\0\0\1" + name + len(name).to_bytes(4, "big") + sum(name).to_bytes(4, "big")
        journal += bytes.fromhex("d9d505f920a163d7")
        Path(f"{pool}-journal").write_bytes(journal)
        self.refuse(pool, "this journal names another file")
        check(victim.exists(), "another file was deleted")

    def test_damaged(self):
        """Bytes changed at random, or cut off: an answer or an error, never a crash."""
        good, bad = self.folder / "good.db", self.folder / "bad.db"
        self.run("import", self.write_programs("some.py", 40), "--pool", good)
        db = sqlite3.connect(good)
        db.execute(f"INSERT INTO score ({SCORE}, behaviour, answers, right_on, points) SELECT id, 't' || (id % 5), id % 3, 2, 0, 1,"
                   " 500, 1, id % 7 + 1, id, id % 4, randomblob(4) FROM program")
        db.execute("INSERT INTO dealt (hashes) SELECT randomblob(4000) FROM program LIMIT 5")
        db.commit()
        db.close()
        data = good.read_bytes()
        for k in range(self.kills):
            damaged = bytearray(data)
            for _ in range(self.random.choice((1, 10, 100))):
                damaged[self.random.randrange(len(data) if k % 2 else 4096)] = self.random.randrange(256)
            if k % 5 == 0:
                del damaged[self.random.randrange(len(data)):]
            bad.write_bytes(damaged)
            for end in ("-wal", "-shm", "-journal"):
                Path(f"{bad}{end}").unlink(missing_ok=True)
            for arguments in (["stats"], ["list"], ["export"], ["best", "t1"], ["prune", "--keep", "1"],
                              ["import", self.folder / "some.py"]):
                self.run(*arguments, "--pool", bad, code=(0, 2, 3, 4))


def main():
    parser = argparse.ArgumentParser(description="What can happen to a pool.")
    parser.add_argument("names", nargs="*", help="tests, else all")
    parser.add_argument("--tessera", type=Path, default=ROOT / "build" / "tessera")
    parser.add_argument("--worker", type=Path, default=ROOT / "build" / "obj" / "tests" / "pool")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    run_tests(Tests, options)


if __name__ == "__main__":
    main()
