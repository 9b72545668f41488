#!/usr/bin/env python3
"""Checks pool/: the programs that ship with the engine.

    tests/pool_text.py [--tessera build/tessera] [--pool pool]

Always: each program reads, is in canonical form, has a name and a task of its own, and comes to an end on every
bundled task. Where the ARC data are, or can be had (`make data`): each is right on all demos and tests of its
task, and no task is one of ARC-AGI-1's evaluation set. The last line is `N passed, N failed`.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARC1, ARC2 = ROOT / "data" / "arcagi_aa922be.json", ROOT / "data" / "arcagi2_f3283f7.json"
NAME = re.compile(r"^def (solve_(\w+))\(", re.M)


class Check:
    def __init__(self, tessera):
        self.tessera, self.passed, self.failed = tessera, 0, 0

    def that(self, good, *words):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print("FAILED", *words)

    def run(self, *words):
        return subprocess.run([self.tessera, *map(str, words)], capture_output=True, text=True, timeout=1800)


def programs_of(text):
    """The text of each program, by its name."""
    found = {}
    for block in re.split(r"^(?=def )", text, flags=re.M)[1:]:
        body = re.split(r"^(?=#)|\n\n", block, maxsplit=1, flags=re.M)[0]
        found.setdefault(NAME.match(block).group(1), []).append(body.rstrip("\n"))
    return found


def check_form(check, files):
    """Reads, canonical, no name twice. Gives the tasks that the names name."""
    seen = {}
    for path in files:
        printed = check.run("print", path)
        check.that(printed.returncode == 0, path.name, "cannot be read:", printed.stderr[:500])
        ours, canonical = programs_of(path.read_text()), programs_of(printed.stdout)
        for name, texts in ours.items():
            check.that(len(texts) == 1 and name not in seen, name, "is there twice")
            check.that(canonical.get(name) == texts, name, "is not in canonical form")
            seen[name] = path.name
    return {name.removeprefix("solve_") for name in seen}


def check_ends(check, files):
    """All programs on all bundled tasks: none may hang, whatever it is given."""
    result = check.run("battery", *files, "--full", "--json")
    check.that(result.returncode in (0, 1), "the programs on the bundled tasks:", result.stderr[-500:])


def get_data():
    """Whether the ARC data are there."""
    if not (ARC1.exists() and ARC2.exists()):
        try:
            subprocess.run([ROOT / "scripts" / "data"], capture_output=True, timeout=1800)
        except subprocess.TimeoutExpired:
            pass
    return ARC1.exists() and ARC2.exists()


def check_right(check, files, ids):
    """Each program on its task. Nothing but the tasks that the programs name is looked at."""
    first = json.loads(ARC1.read_text())
    held_out = ids & set(first["eval"])
    check.that(not held_out, len(held_out), "programs are for tasks that are held out")
    training = first["train"]
    if ids - set(training) - held_out:
        training = {**json.loads(ARC2.read_text())["train"], **training}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.json"
        path.write_text(json.dumps({id: training[id] for id in ids - held_out if id in training}))
        result = check.run("run", *files, "--tasks", path, "--json")
    try:
        outcomes = {task["id"]: task["outcome"] for task in json.loads(result.stdout)["tasks"]}
    except (ValueError, KeyError):
        outcomes = {}
        print(result.stderr[-500:])
    for id in sorted(ids):
        check.that(outcomes.get(id) == "right", f"solve_{id}:", outcomes.get(id, "its task is not a training task"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=Path, default=ROOT / "build" / "tessera")
    parser.add_argument("--pool", type=Path, default=ROOT / "pool")
    options = parser.parse_args()
    check = Check(options.tessera.resolve())
    files = sorted(options.pool.glob("*.py"))
    check.that(files, "there is no program in", options.pool)
    if files:
        ids = check_form(check, files)
        check_ends(check, files)
        if get_data():
            check_right(check, files, ids)
        else:
            print("the ARC data cannot be had: not checked whether the programs are right")
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
