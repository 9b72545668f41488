#!/usr/bin/env python3
"""Runs the examples of README.md and docs/*.md.

    tests/docs.py [--tessera build/tessera] [FILE…]

Every fenced block ```sh is run by sh in the root of the project, with `tessera` on the PATH, and must not fail; a
block whose first line is `# not run` is left out. Where a block ```text follows, it is what the commands write to
stdout ('*' stands for anything, a line '*' for any lines or none). The last line is `N passed, N failed`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cli import ROOT, matches

TIMEOUT = 120


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


def run_block(lines, expected, environment):
    """What is wrong, as lines; none where all is well."""
    try:
        run = subprocess.run(["sh", "-e", "-c", "\n".join(lines)], cwd=ROOT, env=environment, timeout=TIMEOUT, text=True,
                             capture_output=True, errors="backslashreplace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [f"no end after {TIMEOUT} s"]
    wrong = []
    if run.returncode != 0:
        wrong += [f"exit code {run.returncode}"] + ["    " + line for line in run.stderr.split("\n")[:20]]
    output = run.stdout.rstrip("\n").split("\n")
    if expected is not None and not matches(expected, output):
        wrong += ["stdout is not as shown:"] + ["    " + line for line in output[:40]]
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Runs the examples of the documentation.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tessera", type=Path, default=ROOT / "build" / "tessera")
    options = parser.parse_args()
    files = options.files or [f for f in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))] if f.exists()]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-docs-") as folder:
        (Path(folder) / "tessera").symlink_to(options.tessera.resolve())
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM", "TERM", "COLUMNS")}
        environment = dict(environment, PATH=f"{folder}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        for file in files:
            found = blocks(file.read_text())
            for k, (number, language, lines) in enumerate(found):
                if language != "sh" or (lines and lines[0].strip().startswith("# not run")):
                    continue
                shown = found[k + 1][2] if k + 1 < len(found) and found[k + 1][1] == "text" else None
                wrong = run_block(lines, shown, environment)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAILED {file.name}:{number}: " + "; ".join(lines))
                    print("\n".join("  " + line for line in wrong))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
