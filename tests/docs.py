#!/usr/bin/env python3
"""Runs the examples of README.md, CONTRIBUTING.md and docs/*.md.

    tests/docs.py [--tessera build/tessera] [--python build/python-test/test/bin/python] [FILE…]

Every fenced block ```sh is run by sh, every block ```python by the Python that has the package (tests/python.sh makes
it), and must not fail. All blocks of a file are run in one folder that looks like the root of the project, so that a
block finds what an earlier one wrote, and nothing is left behind; `tessera`, `python` and `pip` are on the PATH. Where
a block ```text follows, it is what was written to stdout ('*' stands for anything, a line '*' for any lines or none).
A block ```c that begins with `// NAME.c` is that file for the other blocks; one that begins with `// FOLDER/FILE` is a
quote, and has to be in that file of ours. A block that reads data/ is left out, and this is said, where the ARC data
are not there. The last line is `N passed, N failed`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cli import ROOT, matches

TIMEOUT = 1800
OWN = "NO_COLOR COLORTERM TERM COLUMNS MAKEFLAGS MAKELEVEL MFLAGS WERROR".split()  # what changes the output of commands


def blocks(text):
    """The fenced blocks of a text: (line, language, lines)."""
    found, open_block = [], None
    for number, line in enumerate(text.split("\n"), 1):
        fence = re.match(r"\s*```\s*(\w*)", line)
        if fence and open_block is None:
            open_block = (number, fence.group(1), [])
        elif fence:
            found.append(open_block)
            open_block = None
        elif open_block is not None:
            open_block[2].append(line)
    return found


def programs(found):
    """The programs in C among the blocks, by the name that each begins with."""
    named = [(re.match(r"// (\w+\.c)\b", lines[0]), lines) for _, language, lines in found if language == "c" and lines]
    return {name.group(1): "\n".join(lines) + "\n" for name, lines in named if name}


def misquotes(found):
    """(passed, what is wrong with the others) of the quotes from our own files."""
    quotes = [(number, re.match(r"// (\w+/\S+\w)$", lines[0]), lines) for number, language, lines in found if language == "c" and lines]
    quotes = [(number, name.group(1), "\n".join(lines[1:])) for number, name, lines in quotes if name]
    wrong = [(number, name) for number, name, text in quotes if not (ROOT / name).exists() or text not in (ROOT / name).read_text()]
    return len(quotes) - len(wrong), wrong


def run_block(language, lines, expected, folder, environment, python):
    """What is wrong, as lines; none where all is well."""
    if not python.exists() and (language == "python" or any(line.startswith("pip ") for line in lines)):
        return [f"there is no {python}; tests/python.sh makes it"]
    command = ["python", "-"] if language == "python" else ["sh", "-e"]
    try:
        run = subprocess.run(command, input="\n".join(lines) + "\n", cwd=folder, env=environment, timeout=TIMEOUT, text=True,
                             capture_output=True, errors="backslashreplace")
    except subprocess.TimeoutExpired:
        return [f"no end after {TIMEOUT} s"]
    wrong = []
    if run.returncode != 0:
        wrong += [f"exit code {run.returncode}"] + ["    " + line for text in (run.stdout, run.stderr) for line in text.split("\n")[-20:]]
    output = run.stdout.rstrip("\n").split("\n")
    if expected is not None and not matches(expected, output):
        wrong += ["stdout is not as shown:"] + ["    " + line for line in output[:40]]
    return wrong


def run_file(file, environment, python):
    """(passed, failed) of the blocks of a file."""
    found = blocks(file.read_text())
    passed, wrong_quotes = misquotes(found)
    failed = len(wrong_quotes)
    for number, name in wrong_quotes:
        print(f"FAILED {file.name}:{number}: {name} has no such lines")
    with tempfile.TemporaryDirectory(prefix="tessera-docs-") as folder:
        for entry in ROOT.iterdir():
            if not entry.name.startswith(".") or entry.name == ".git":
                (Path(folder) / entry.name).symlink_to(entry)
        for name, text in programs(found).items():
            (Path(folder) / name).write_text(text)
        for k, (number, language, lines) in enumerate(found):
            if language not in ("sh", "python"):
                continue
            if "data/" in "\n".join(lines) and not (ROOT / "data" / ".complete").exists():
                print(f"left out, for want of the ARC data: {file.name}:{number}")
                continue
            shown = found[k + 1][2] if k + 1 < len(found) and found[k + 1][1] == "text" else None
            wrong = run_block(language, lines, shown, folder, environment, python)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED {file.name}:{number}: " + "; ".join(lines))
                print("\n".join("  " + line for line in wrong))
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description="Runs the examples of the documentation.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tessera", type=Path, default=ROOT / "build" / "tessera")
    parser.add_argument("--python", type=Path, default=ROOT / "build" / "python-test" / "test" / "bin" / "python")
    options = parser.parse_args()
    files = options.files or [f for f in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))] if f.exists()]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-docs-") as folder:
        (Path(folder) / "tessera").symlink_to(options.tessera.resolve())
        environment = {k: v for k, v in os.environ.items() if k not in OWN}
        # What pip installs here comes from the project alone: its needs are there, pinned.
        environment.update(PATH=f"{folder}:{options.python.absolute().parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8",
                           PIP_NO_INDEX="1", PIP_NO_BUILD_ISOLATION="0", PIP_DISABLE_PIP_VERSION_CHECK="1")
        for file in files:
            good, bad = run_file(file, environment, options.python)
            passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
