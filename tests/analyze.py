#!/usr/bin/env python3
"""Static analysis of src/: cppcheck, clang's analyzer and gcc's.

    tests/analyze.py [TOOL…]        of cppcheck, clang and gcc; else all three, some ten minutes of a processor

A finding fails unless tests/analyze.expect explains it: lines `TOOL FILE CHECK ## words of the message ## reason`, in which
FILE may be `*`. Lines there that explain nothing any more are named. The last line is `N passed, N failed`, counted in
files and tools.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT

FLAGS = ["-std=c17", "-Iinclude", "-Isrc", "-D_GNU_SOURCE"]
# Texts that the build lays into the objects.
TEXTS = ['-DBUNDLE_TASKS="tasks/solvers.py"', '-DBUNDLED_POOL="tasks/solvers.py"', '-DSOURCES_SUM="0"']
# In gcc 12 these two say much of C that is right, by its own manual; -O0 keeps the others from inlining all into one function.
GCC = ["gcc", "-c", "-fanalyzer", "-O0", "-Wno-analyzer-use-of-uninitialized-value", "-o", "/dev/null"]
CLANG = ["clang", "--analyze", "--analyzer-output", "text", "-Xclang", "-analyzer-checker=core,deadcode,unix,security.FloatLoopCounter,"
         "nullability,optin.portability", "-Xclang", "-analyzer-disable-checker=deadcode.DeadStores"]
CPPCHECK = ["cppcheck", "-q", "--enable=warning,performance,portability", "--std=c11", "--template={file}:{line}: {severity}: {message} [{id}]",
            "--suppress=missingIncludeSystem", "--inconclusive"]
MESSAGE = re.compile(r"^(src/[^:]+):(\d+):(?:\d+:)? (?:fatal )?(?:warning|error|style|performance|portability): (.*?) \[([^\]]+)\]$", re.M)


@dataclass
class Expected:
    tool: str
    file: str
    check: str
    words: str
    reason: str
    used: bool = False

    def explains(self, tool, file, check, message):
        return (self.tool == tool and self.file in ("*", file) and self.check == check and self.words in message)


def read_expected():
    rows = []
    for line in (ROOT / "tests/analyze.expect").read_text().splitlines():
        if line and not line.startswith("#"):
            where, words, reason = (part.strip() for part in line.split("##"))
            rows.append(Expected(*where.split(), words, reason))
    return rows


def run(tool, path):
    """Findings of a tool in a file: {(file, check, message): line}."""
    if tool == "cppcheck":
        command = [*CPPCHECK, "-Iinclude", "-Isrc", "-D_GNU_SOURCE", *TEXTS, path]
    else:
        command = [*(CLANG if tool == "clang" else GCC), *FLAGS, *TEXTS, path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C"))
    text = done.stdout + done.stderr
    found = {(file, check, message): int(line) for file, line, message, check in MESSAGE.findall(text)}
    if done.returncode and not found:
        found[path, "failed", text.strip()[-500:]] = 0
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*", choices=[[], "cppcheck", "clang", "gcc"], metavar="TOOL")
    parser.add_argument("--file", action="append", help="only this file")
    options = parser.parse_args()
    tools = options.tools or ["cppcheck", "clang", "gcc"]
    files = options.file or [str(path.relative_to(ROOT)) for path in sorted((ROOT / "src").glob("*/*.c"))]
    expected, passed, failed = read_expected(), 0, 0
    jobs = [(tool, file) for tool in tools for file in files]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (tool, _), found in zip(jobs, pool.map(lambda job: run(*job), jobs)):
            news = []
            for (file, check, message), line in sorted(found.items()):
                row = next((row for row in expected if row.explains(tool, file, check, message)), None)
                if row:
                    row.used = True
                else:
                    news.append(f"{file}:{line}: {message} ({tool} {check})")
            print(*news, sep="\n", end="\n" if news else "")
            passed, failed = (passed, failed + 1) if news else (passed + 1, failed)
    for row in expected:
        if row.tool in tools and not row.used and not options.file:
            print(f"no longer needed in tests/analyze.expect: {row.tool} {row.file} {row.check} ## {row.words}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
