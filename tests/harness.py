"""What the tests of robustness share: checks, giving up rights, and running all tests of a class."""

import argparse
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534
# Tests wait for what they need to see, not for a time: a busy machine is slow. What takes so many seconds hangs.
LONG = 1800
SANITIZER = ("AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "runtime error:")


class Failed(Exception):
    pass


class Skipped(Exception):
    """What a test needs cannot be had here: the message says what."""


def check(holds, message):
    if not holds:
        raise Failed(message)


def wait_until(holds, what, process=None):
    """Waits until a function gives something true, which it gives back; or, of a process, until that has ended."""
    end = time.monotonic() + LONG
    while not (result := holds()) and (process is None or process.poll() is None):
        check(time.monotonic() < end, f"never {what}")
        time.sleep(0.002)
    return result


def wait_for_work(process):
    """Waits until a process has taken half a second of the processors: it is past its start."""
    def spent():
        with open(f"/proc/{process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    wait_until(lambda: spent() > 0.5, "half a second of work", process)


@contextmanager
def processor_time(most, what):
    """The children that end meanwhile take at most so many seconds of the processors, however busy these are."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = spent()
    yield
    check(spent() - before <= most, f"{what} took {spent() - before:.2f} s of the processors, more than {most:.2f}")


def give_up_rights():
    """Root becomes nobody, before a command is run."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def sound(db):
    """SQLite itself finds nothing wrong with a pool."""
    check(db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the integrity check fails")
    check(db.execute("PRAGMA foreign_key_check").fetchall() == [], "a score without a program")


def run_tests(tests_class, options):
    """Runs the tests that the options name, else all; prints the sum and ends. The class may name further exceptions that
    make a test fail (troubles), and have a method close."""
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        tests = tests_class(options, folder)
        bad = (Failed, ValueError, sqlite3.Error, subprocess.SubprocessError, *getattr(tests, "troubles", ()))
        try:
            for test in options.names or [n for n in dir(tests) if n.startswith("test_")]:
                try:
                    getattr(tests, test)()
                    passed += 1
                except Skipped as lack:
                    print(f"skipped {test}: {lack}")
                except bad as problem:
                    failed += 1
                    print(f"FAILED {test} (--seed {options.seed}): {problem}")
        finally:
            if hasattr(tests, "close"):
                tests.close()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def main(tests_class, about):
    """Runs the tests as the command line asks for them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="tests, else all")
    parser.add_argument("--tessera", type=lambda path: Path(path).resolve(), default=ROOT / "build/tessera")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    run_tests(tests_class, parser.parse_args())
