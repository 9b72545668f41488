#!/usr/bin/env python3
"""How much of src/ the tests reach, as gcov counts it in the build VARIANT=coverage.

    tests/coverage.py                   lines reached by folder and in all, and the files with the most that are not
    tests/coverage.py FILE…             the lines of these files that are not reached
    tests/coverage.py --least 95        fails below so many percent

`make coverage` builds, runs the tests and the corpora of the fuzzers, and then this. The counts of all runs since the build
add up. A line is reached if any of it ran, and whole if all of it did: `if (!x) return false;` may be reached but not whole.
tests/coverage.expect sorts the lines that are not reached into kinds.
"""

import argparse
import collections
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ROOT

BUILD = ROOT / "build/coverage"


def read_expected():
    """Kinds of lines that no test reaches: (pattern for `FILE: LINE`, reason)."""
    kinds = []
    for line in (ROOT / "tests/coverage.expect").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, _, reason = line.partition(" ## ")
            kinds.append((re.compile(pattern.strip()), reason))
    return kinds


def read_counts():
    """{file: {line: 0, 1 for reached, 2 for whole}}; a line in several objects, as of a header, is as it is in the best."""
    def one(path):
        text = subprocess.run(["gcov", "--json-format", "--stdout", path], cwd=ROOT, capture_output=True, check=True).stdout
        return [json.loads(line) for line in text.splitlines() if line]
    counts = collections.defaultdict(dict)
    with ThreadPoolExecutor() as pool:
        for results in pool.map(one, sorted(BUILD.glob("*/*.gcno"))):
            for file in (file for result in results for file in result["files"]):
                if file["file"].startswith("src/"):
                    for line in file["lines"]:
                        how = 0 if not line["count"] else 1 if line["unexecuted_block"] else 2
                        seen = counts[file["file"]]
                        seen[line["line_number"]] = max(how, seen.get(line["line_number"], 0))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--worst", type=int, default=15, help="files to list")
    options = parser.parse_args()
    counts, kinds = read_counts(), read_expected()
    reached, whole, lines, reasons = (collections.Counter() for _ in range(4))
    missed = {}
    for name, of_file in sorted(counts.items()):
        text = [""] + (ROOT / name).read_text().splitlines()
        folder = name.rsplit("/", 1)[0]
        missed[name] = []
        for number, count in sorted(of_file.items()):
            lines[folder] += 1
            reached[folder] += count > 0
            whole[folder] += count > 1
            if count == 0:
                reason = next((reason for pattern, reason in kinds if pattern.search(f"{name}: {text[number]}")), "")
                reasons[reason] += 1
                missed[name].append((number, text[number], reason))
    if options.files:
        for name in options.files:
            for number, line, reason in missed[name]:
                print(f"{name}:{number}: {line}{'  ## ' + reason if reason else ''}")
        return
    for counter in (lines, reached, whole):
        counter["all"] = sum(counter.values())
    print("| folder | lines | reached | % | whole, % |\n|---|---:|---:|---:|---:|")
    for folder in sorted(lines, key=lambda folder: (folder == "all", folder)):
        n = lines[folder]
        print(f"| {folder} | {n:,} | {reached[folder]:,} | {100 * reached[folder] / n:.1f} | {100 * whole[folder] / n:.1f} |")
    print("\nLines not reached, in the files that have most of them:")
    for name in sorted(missed, key=lambda name: -len(missed[name]))[:options.worst]:
        print(f"    {len(missed[name]):4} of {len(counts[name]):4}  {name}")
    print("\nLines not reached, by kind:")
    for reason, count in reasons.most_common():
        print(f"    {count:4}  {reason or 'no reason known'}")
    percent = 100 * reached["all"] / lines["all"]
    print(f"coverage: {percent:.2f} % of {lines['all']:,} lines")
    sys.exit(f"coverage: at least {options.least} % are wanted" if percent < options.least else 0)


if __name__ == "__main__":
    main()
