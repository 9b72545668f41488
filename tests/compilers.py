#!/usr/bin/env python3
"""The same bytes from every compiler: build/tessera against the build that clang makes for the fuzzers.

    tests/compilers.py [--seed 1] [--seconds 0]

C leaves open in which order the arguments of a call are evaluated, and compilers differ: two draws in one expression, or
two steps that may both fail, come in another order. Compared are the signature of `bench`, and for each seed the random
programs of tests/generate.c, a card of mutants, what judge says of all these with few units and with many, and a
submission of `solve --per-task` with all programs found. One seed at least, the next while there are seconds left. The
last line is `N passed, N failed`.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TASKS = sorted(path.stem for path in (ROOT / "tasks").glob("*.json"))


def output(*command, **options):
    run = subprocess.run([str(part) for part in command], capture_output=True, **options)
    if run.returncode:
        raise subprocess.SubprocessError(f"{command[:2]}: exit code {run.returncode}: {run.stderr.decode()[-300:]}")
    return run.stdout.decode()


class Build:
    """One of the two builds, and what it gives."""

    def __init__(self, variant, tessera, draws):
        self.tessera, self.draws = ROOT / tessera, ROOT / draws
        output("make", "-s", f"-j{os.cpu_count()}", f"VARIANT={variant}", tessera, draws)

    def signature(self):
        return output(self.tessera, "bench", "--seconds", "0").split("\n")[0]

    def random_programs(self, seed):
        return output(self.draws, seed, "500")

    def mutants(self, seed):
        files = "tasks/solvers.py", "tests/golden/programs.py"
        return output(self.tessera, "card", *files, "--each", "2", "--rate", "0.1", "--seed", seed, "--print")

    def judged(self, programs, units):
        lines = [json.dumps({"task": TASKS[k % len(TASKS)], "program": text}) for k, text in enumerate(programs)]
        return output(self.tessera, "judge", "--tests", "--outputs", "--units", units, input="\n".join(lines).encode())

    def solved(self, seed):
        with tempfile.TemporaryDirectory() as folder:
            files = Path(folder) / "submission.json", Path(folder) / "candidates.jsonl"
            output(self.tessera, "solve", "--per-task", "20ms", "--seed", seed, "--quiet", "--out", files[0], "--candidates", files[1])
            return "\n".join(file.read_text() for file in files)


class Comparison:
    def __init__(self, one, other):
        self.builds, self.passed, self.failed = (one, other), 0, 0

    def same(self, what, method, *arguments):
        """Whether both builds give the same; what the first of them gives."""
        one, other = (getattr(build, method)(*arguments) for build in self.builds)
        if one == other:
            self.passed += 1
        else:
            self.failed += 1
            lines = zip(one.split("\n") + [""], other.split("\n") + [""])
            number, (left, right) = next((n, pair) for n, pair in enumerate(lines, 1) if pair[0] != pair[1])
            print(f"FAILED {what}: line {number}:\n  {left[:300]}\n  {right[:300]}")
        return one

    def round(self, seed):
        drawn = self.same(f"the random programs of seed {seed}", "random_programs", seed)
        mutated = self.same(f"the mutants of seed {seed}", "mutants", seed)
        programs = re.findall(r"^def [^\n]*\n(?:(?!def ).*\n)*", drawn + mutated, re.M)
        for units in 300, 3000, 250000:
            self.same(f"what judge says of the programs of seed {seed} with {units} units", "judged", programs, units)
        self.same(f"what solve finds with seed {seed}", "solved", seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0)
    options = parser.parse_args()
    os.chdir(ROOT)
    comparison = Comparison(Build("release", "build/tessera", "build/obj/tests/draws"),
                            Build("fuzz", "build/fuzz/tessera", "build/fuzz/tests/draws"))
    comparison.same("the signature", "signature")
    begun, seed = time.monotonic(), options.seed
    while seed == options.seed or time.monotonic() - begun < options.seconds:
        comparison.round(seed)
        seed += 1
    print(f"{comparison.passed} passed, {comparison.failed} failed")
    sys.exit(comparison.failed > 0)


main()
