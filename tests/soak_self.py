#!/usr/bin/env python3
"""The long test tested: short runs of tests/soak.py, on tessera as it is and on stand-ins that are broken in one way each.

    tests/soak_self.py [--tessera build/tessera] [--seed N] [NAME…]

A run on a stand-in has to fail, and the command that it names has to fail again, but not with tessera itself. The last
line is `N passed, N failed`.
"""

import json
import re
import subprocess

from harness import ROOT, check, main

# What is done instead, where the arguments are such; $REAL is tessera.
BROKEN = {
    "judge on 1 and n threads": """*judge*'--threads 1') ;; *judge*) exec $REAL "$@" | sed 's/"units": 4/"units": 5/';;""",
    "harmful tasks": "*show*png*) kill -SEGV $$;;",
    "harmful pools": "*pool*best*) exit 5;;",
    "full disk": """*'solve --tasks tasks'*'--pool none'*) $REAL "$@"; code=$?; echo '{' >>out.json; exit $code;;""",
    "kills of solve": """*solve*--threads*) $REAL "$@"; code=$?; echo ' ' >>"$3"; exit $code;;""",
    "kills of judge": """*judge*--threads*) exec sed 's/.*/{}/';;""",
}


class Tests:
    def __init__(self, options, folder):
        self.tessera, self.folder, self.seed = options.tessera, folder, options.seed

    def soak(self, out, *words):
        run = subprocess.run([ROOT / "tests/soak.py", "--built", "--jobs", "2", "--out", out, *map(str, words)], capture_output=True,
                             text=True, timeout=300)
        return run.returncode, run.stdout

    def test_good(self):
        names = list(BROKEN)[:2]
        code, text = self.soak(self.folder / "good", "--seconds", 4, "--seed", self.seed, "--tessera", self.tessera, *names)
        check(code == 0 and text.endswith("2 passed, 0 failed\n"), f"exit code {code}: {text}")
        check(all(re.search(rf"^{name}: [1-9][\d,]* \w+, no finding$", text, re.M) for name in names), f"no counts: {text}")

    def test_broken(self):
        for name, what in BROKEN.items():
            tessera = self.folder / "stand_in"
            tessera.write_text(f'#!/bin/sh\nREAL={self.tessera}\ncase "$*" in\n{what}\nesac\nexec $REAL "$@"\n')
            tessera.chmod(0o755)
            code, text = self.soak(self.folder / "broken", "--seconds", 2, "--seed", self.seed, "--tessera", tessera, name)
            check(code == 1 and text.endswith("0 passed, 1 failed\n"), f"{name}: nothing is found, exit code {code}: {text}")
            # The command of the very case, and not only that of the step.
            repeat = re.search(r"^ +repeat: (tests/soak_trials.py .* --seed \d+)$", text, re.M)
            check(repeat, f"{name}: no word on how to repeat it: {text}")
            for command, wanted in ((repeat[1], 1), (repeat[1].replace(str(tessera), str(self.tessera)), 0)):
                again = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, timeout=300)
                check(again.returncode == wanted, f"{command}: exit code {again.returncode}: {again.stdout}")
        history = [json.loads(line) for line in (self.folder / "broken/history.jsonl").read_text().splitlines()]
        check([len(run["jobs"]) for run in history] == [1] * len(BROKEN), f"{history}")
        check(all(run["jobs"][0]["findings"] and run["seed"] == self.seed for run in history), f"{history}")
        table = self.soak(self.folder / "broken", "--sum")[1]
        check(all(f"| {name} | " in table for name in BROKEN) and f"{len(BROKEN)} runs" in table, table)

    def test_without_an_end(self):
        """What hangs ends with the soak and is no finding, since another second might have done it."""
        tessera = self.folder / "hangs"
        tessera.write_text("#!/bin/sh\nexec sleep 1000\n")
        tessera.chmod(0o755)
        code, text = self.soak(self.folder / "hangs.d", "--seconds", 2, "--grace", 1, "--tessera", tessera, "harmful tasks")
        check(code == 1 and "no time for it" in text, f"exit code {code}: {text}")


if __name__ == "__main__":
    main(Tests, __doc__)
