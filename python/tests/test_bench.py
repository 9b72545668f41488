"""The benchmarks that use the package: that they still run, and that their figures are what they are called."""

import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import ROOT


def run(*words, code=0):
    done = subprocess.run([sys.executable, "bench/evolve", *map(str, words)], capture_output=True, text=True, timeout=1800)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def evolve(monkeypatch):
    """bench/evolve as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    loader = importlib.machinery.SourceFileLoader("bench_evolve", str(ROOT / "bench/evolve"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    return module


def test_evolve_runs(tmp_path, command):
    out, picture = tmp_path / "out.json", tmp_path / "out.svg"
    said = run("--quick", "--times", 2, "--tessera", command, "--json", out, "--picture", picture)
    result = json.loads(out.read_text())
    assert [len(result[part]["runs"]) for part in ("split", "empty")] == [2, 1] and "b" not in result
    for part, tasks, pool in (("split", 7, 7), ("empty", 14, 0)):
        for number, each in enumerate(result[part]["runs"], 1):
            assert (each["seed"], each["tasks"], each["pool"]) == (number, tasks, pool)
            for strategy, budget in (("blind", 0.5), ("evolve", 1)):
                curve = each[strategy]
                assert curve[-1][0] >= budget and all(len(point) == 4 and point[3] <= point[2] <= tasks for point in curve)
                assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in zip(curve, curve[1:]))
    timed = result["round"]
    assert (timed["rounds"], timed["threads"]) == (5, 2) and timed["fastest"]["seconds"] <= timed["mean"]["seconds"]
    for each in (timed["mean"], timed["fastest"]):
        assert each["tasks"] == 14 and each["programs"] > 0 and each["seconds"] > 0 and 0 <= each["dealing"] < 1
    assert "the solvers of 7 tasks as pool, on 7 others, 2 splits" in said and "an empty pool, 14 tasks" in said
    assert said.count("| 0.5 | ") == said.count("| 1 |  |  |  | ") == 2 and "a round of mutants" in said
    lines = [e for e in ElementTree.parse(picture).iter() if e.tag.endswith("polyline") and "width" in str(e.attrib)]
    assert len(lines) == 4  # two strategies, two experiments


def test_the_figures_of_evolve(evolve, capsys):
    """At equal core-seconds, at equal programs: a run counts with its last point within the limit."""
    runs = [
        {"seed": 1, "tasks": 9, "pool": 9, "core": 2, "blind": [[1, 10, 2, 1], [2, 20, 3, 2], [2.1, 21, 9, 9]],
         "evolve": [[0.5, 5, 4, 3], [2, 15, 6, 5], [4, 40, 8, 7]]},
        {"seed": 2, "tasks": 9, "pool": 9, "core": 2, "blind": [[1.5, 10, 2, 2]], "evolve": [[1.9, 8, 4, 3], [3.9, 30, 9, 9]]},
    ]
    assert evolve.at(runs[0]["blind"], 2) == [2, 20, 3, 2] and evolve.at(runs[0]["blind"], 0.9) == [0, 0, 0, 0]
    assert evolve.mean_at(runs, "evolve", 2) == [1.95, 11.5, 5, 4]
    figures = evolve.sum_up(runs)
    assert figures["equal core"] == {"blind": 2, "evolve": 4}
    # 21 and 10 programs: what both have tried
    assert figures["programs"] == 15.5 and figures["equal programs"] == {"blind": 5.5, "evolve": 4}
    evolve.print_experiment("split", runs, 2)
    said = capsys.readouterr().out
    assert "| 2 | 15 | 2.5 | 2.0 | 12 | 5.0 | 4.0 | 2.00 |" in said and "| 4 |  |  |  | 35 | 8.5 | 8.0 |  |" in said
    assert "right on tests at 2 core-s each: blind 2.0, evolve 4.0, 2.00 times as many" in said
    assert "each split at 2 core-s, evolve: 6 (5), 4 (3)" in said


def test_evolve_says_what_is_wrong(tmp_path):
    assert "give SOLVERS.py" in run(code=2)
    assert "more than 0" in run("tasks/solvers.py", "--core", 0, code=2)
    assert "nowhere.py is not there" in run(tmp_path / "nowhere.py", code=1)
