#!/usr/bin/env python3
"""Runs the command-line tests: tests/cli/*.test.

    tests/cli.py [--tessera build/tessera] [--slow] [FILE…]

A file holds blocks, with blank lines between them:

    # a comment
    < FILE              the lines that follow, each after '| ', are written to FILE
    | …
    $ COMMAND           run by sh; several lines of '$ ' are one script
    expected lines      what it writes to stdout; '*' stands for anything, a line '*' for any lines or none
    2> FRAGMENT         what its stderr holds; any number of them, in this order; none: stderr stays empty; a
                        fragment of spaces and a caret is a whole line
    ? N                 its exit code, 0 where it is left out

The commands of a file run one after the other in one temporary folder. `tessera` is on the PATH; `limited …` is
`tessera …` with ten seconds of a processor (a hundred with --slow) and, without --slow, 700 MB of memory; `on_terminal …` runs a
command on a terminal of its own; $TESSERA is the root of the project, $LIBRARY the folder of the libraries,
$SANITIZE what a compiler needs to link with them. --slow is for the sanitizer build. The last line is `N passed, N failed`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 1800  # seconds, by the clock: whatever takes so long hangs
SANITIZER = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:")


@dataclass
class Block:
    where: str
    files: list = field(default_factory=list)       # (name, lines)
    command: list = field(default_factory=list)
    stdout: list = field(default_factory=list)
    stderr: list = field(default_factory=list)
    code: int = 0


def read_blocks(path):
    blocks, block = [], None
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if not line:
            block = None
            continue
        if line.startswith("#") and (block is None or not block.command):
            continue
        if block is None:
            block = Block(f"{path.name}:{number}")
            blocks.append(block)
        if line.startswith("< "):
            block.files.append((line[2:], []))
        elif line.startswith("|") and block.files and not block.command:
            block.files[-1][1].append(line[2:])
        elif line.startswith("$ "):
            block.command.append(line[2:])
        elif line.startswith("2> "):
            block.stderr.append(line[3:])
        elif re.fullmatch(r"\? \d+", line):
            block.code = int(line[2:])
        else:
            block.stdout.append(line)
    return blocks


def matches(expected, lines):
    """Whether the lines are as expected: '*' inside a line is anything, a line '*' any number of lines."""
    pattern = "".join("(?:.*\n)*?" if line == "*" else re.escape(line).replace(r"\*", ".*") + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def in_order(fragments, text):
    """The first fragment that the text lacks. One of spaces and a caret has to be a whole line."""
    at = 0
    for fragment in fragments:
        if fragment.strip() == "^":
            fragment = "\n" + fragment + "\n"
            at = max(at - 1, 0)
        at = text.find(fragment, at)
        if at < 0:
            return fragment
        at += len(fragment)
    return None


def run_block(block, folder, environment):
    """What is wrong, as lines of text; none where the block passes."""
    for name, lines in block.files:
        (folder / name).write_text("".join(line + "\n" for line in lines))
    if not block.command:
        return []
    try:
        run = subprocess.run(["sh", "-c", "\n".join(block.command)], cwd=folder, env=environment, timeout=TIMEOUT,
                             capture_output=True, text=True, errors="backslashreplace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [f"no end after {TIMEOUT} s"]
    wrong = []
    lines = run.stdout.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not matches(block.stdout, lines):
        wrong += ["stdout is not as expected:"] + ["    " + line for line in lines[:40]]
    missing = in_order(block.stderr, run.stderr)
    if missing is not None:
        wrong += [f"stderr lacks '{missing}':"] + ["    " + line for line in run.stderr.split("\n")[:20]]
    if not block.stderr and run.stderr:
        wrong += ["stderr is not empty:"] + ["    " + line for line in run.stderr.split("\n")[:20]]
    if run.returncode != block.code:
        wrong.append(f"exit code {run.returncode}, expected {block.code}")
    if SANITIZER.search(run.stderr + run.stdout):
        wrong += ["the sanitizer speaks:"] + ["    " + line for line in run.stderr.split("\n")[:60]]
    return wrong


def run_file(path, environment):
    """Counts of passed and failed blocks, and the messages."""
    passed, messages = 0, []
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-cli-") as folder:
        for block in read_blocks(path):
            wrong = run_block(block, Path(folder), dict(environment, HOME=folder))
            if wrong:
                failed += 1
                messages += [f"FAILED {block.where}: $ " + "; ".join(block.command)] + ["  " + line for line in wrong]
            elif block.command:
                passed += 1
    return passed, failed, messages


# Runs a command on a terminal of its own and shows what it writes, with the escapes made visible.
ON_TERMINAL = """#!/usr/bin/env python3
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
try:
    while data := os.read(terminal, 65536):
        seen += data
except OSError:  # the other side is closed
    pass
os.waitpid(pid, 0)
sys.stdout.write(seen.decode().replace("\\r\\n", "\\n").replace("\\x1b", "ESC"))
"""


def write_tool(path, script):
    path.write_text(script)
    path.chmod(0o755)


def prepare(bin_folder, tessera, slow):
    """The environment of the commands: the same on every machine, whatever the terminal."""
    (bin_folder / "tessera").symlink_to(tessera)
    limits = "ulimit -t 100" if slow else "ulimit -v 716800; ulimit -t 10"
    write_tool(bin_folder / "limited", f'#!/bin/sh\n{limits}; exec "{tessera}" "$@"\n')
    write_tool(bin_folder / "on_terminal", ON_TERMINAL)
    instrumented = "--coverage" if "coverage" in str(tessera) else "-fsanitize=address,undefined" if slow else ""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM", "TERM", "COLUMNS")}
    return dict(environment, PATH=f"{bin_folder}:{os.environ['PATH']}", TESSERA=str(ROOT), LC_ALL="C.UTF-8",
                LIBRARY=str(tessera.parent), SANITIZE=instrumented,
                ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="print_stacktrace=1:exitcode=99")


def main():
    parser = argparse.ArgumentParser(description="Runs tests/cli/*.test.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tessera", type=Path, default=ROOT / "build" / "tessera")
    parser.add_argument("--slow", action="store_true", help="a build with sanitizers")
    options = parser.parse_args()
    files = options.files or sorted((ROOT / "tests" / "cli").glob("*.test"))
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-bin-") as bin_folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        environment = prepare(Path(bin_folder), options.tessera.resolve(), options.slow)
        for p, f, messages in pool.map(lambda path: run_file(path, environment), files):
            passed, failed = passed + p, failed + f
            for line in messages:
                print(line)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
