#!/usr/bin/env python3
"""Tasks that were solved once must stay solved within their work units: tests/regress.txt.

    tests/regress.py [--tessera build/tessera] [--tasks data/arcagi_aa922be.json] [--split train]
    tests/regress.py --found SUBMISSION --units N     prints lines for the tasks that SUBMISSION has right

Without the data (`make data`) the tasks are not there: then nothing is checked, and that is said. The last line is
`N passed, N failed`.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import ROOT

LIST = ROOT / "tests/regress.txt"


def read_list():
    """Tasks by their units."""
    by_units = collections.defaultdict(list)
    for line in LIST.read_text().split("\n"):
        if line and not line.startswith("#"):
            task, units = line.split()
            by_units[int(units)].append(task)
    return by_units


def right_tasks(submission, tasks):
    """The tasks with all test outputs right in one of two attempts."""
    return {id for id, answers in submission.items()
            if all(test["output"] in (answer["attempt_1"], answer["attempt_2"])
                   for test, answer in zip(tasks[id]["test"], answers, strict=True))}


def solve(options, units, ids):
    """The submission for some tasks, with so many units each."""
    with tempfile.TemporaryDirectory(prefix="tessera-regress-") as folder:
        out = Path(folder) / "submission.json"
        subprocess.run([options.tessera, "solve", "--tasks", options.tasks, "--split", options.split, "--pool", "none",
                        "--per-task", f"{units / 1e9:.9f}s", "--out", out, "--quiet", "--id", *ids], check=True)
        return json.loads(out.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default=ROOT / "build/tessera")
    parser.add_argument("--tasks", type=Path, default=ROOT / "data/arcagi_aa922be.json")
    parser.add_argument("--split", default="train")
    parser.add_argument("--found", type=Path)
    parser.add_argument("--units", type=int)
    options = parser.parse_args()
    if not options.tasks.exists():
        print(f"there is no {options.tasks} (`make data` gets it): nothing was checked\n1 passed, 0 failed")
        return
    tasks = json.loads(options.tasks.read_text())[options.split]
    if options.found:
        for id in sorted(right_tasks(json.loads(options.found.read_text()), tasks)):
            print(id, options.units)
        return
    passed = failed = 0
    for units, ids in sorted(read_list().items()):
        right = right_tasks(solve(options, units, ids), tasks)
        for id in ids:
            if id not in right:
                print(f"FAILED {id} is not solved within {units} units")
        passed += len(right)
        failed += len(ids) - len(right)
    print(f"{passed or not failed:d} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
