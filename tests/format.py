#!/usr/bin/env python3
"""The layout of the sources: as .clang-format has it, and no code torn for the sake of a comment.

    tests/format.py [--write] [FILE…]       else all of src/, include/, tests/, wheel/, playground/ and mpi/ in C; --write lays them out

Versions of clang-format differ, so it is Debian 12's, clang-format-14, or none. What it does badly is looked for besides:
where a comment does not fit behind the code, it breaks the code. Such a comment belongs above its line. Tables are kept
from it with `// clang-format off`; it never sees the tables *.def. The last line is `N passed, N failed`, counted in files.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from harness import ROOT

FORMATTER = "clang-format-14"
WIDTH = 110


def torn(lines):
    """Numbers of lines that are two although they would be one without the comment behind the second."""
    found, kept = [], False
    for number, (line, after) in enumerate(zip(lines, lines[1:]), 1):
        kept = "clang-format off" in line or (kept and "clang-format on" not in line)
        code = re.match(r"\s*(?!//)(\S.*?)\s+// ", after)
        is_whole = not line.strip() or re.search(r"//|[;{}:\\]$|^#|},$|^\s+([A-Z]\w*( = [^,]*)?|\d+),$", line)
        if code and not kept and not is_whole and len(f"{line} {code.group(1)}") <= WIDTH:
            found.append(number)
    return found


def problems(file):
    """What is wrong with a file, a line each."""
    text = file.read_text()
    formatted = subprocess.run([FORMATTER, str(file)], capture_output=True, text=True, check=True).stdout
    name, lines = file.relative_to(ROOT), text.split("\n")
    found = [f"{name}:{number}: torn for the comment of the next line; put that above" for number in torn(lines)]
    if formatted != text:
        pairs = zip(lines + [None], formatted.split("\n") + [None])
        number = next(number for number, (have, want) in enumerate(pairs, 1) if have != want)
        found.append(f"{name}:{number}: not as .clang-format has it; `make format` mends it")
    return found


# What is torn, and what is not: the test's own test.
SAMPLES = [
    ("    uint8_t\n        detail; // of a tuple", True),
    ("    int where,\n        equals; // only those with this value", True),
    ("    if (a &&\n        b) { // why", True),
    ("    VOTE =\n        32, // nothing is unknown", True),
    ("    int a;\n    int b; // why", False),
    ("    FIRST,\n    SECOND, // why", False),
    ("    335,\n    336, // why", False),
    ("    {1, 2},\n    {3, 4}, // why", False),
    (f"    if ({'a' * 60} &&\n        {'b' * 60}) // why", False),
    ("// clang-format off\n    uint8_t\n        detail; // of a tuple", False),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    globs = "src/*/*.[ch]", "include/*.h", "tests/*.[ch]", "tests/fuzz/*.c", "wheel/*.c", "playground/*.c", "mpi/*.[ch]"
    files = [file.resolve() for file in options.files] or sorted(file for glob in globs for file in ROOT.glob(glob))
    try:
        if options.write:
            subprocess.run([FORMATTER, "-i", *files], check=True)
        wrong = {file: problems(file) for file in files}
    except FileNotFoundError:
        sys.exit(f"there is no {FORMATTER}; Debian's package of this name has it")
    for text, is_torn in SAMPLES:
        if bool(torn(text.split("\n"))) != is_torn:
            wrong[text] = [f"the test itself is wrong about:\n{text}"]
    for lines in wrong.values():
        print(*lines, sep="\n", end="\n" if lines else "")
    failed = sum(bool(lines) for lines in wrong.values())
    print(f"{len(wrong) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
