"""What a notebook draws: well-formed pictures in ARC's colours."""

import re
import sys
import types
import xml.etree.ElementTree as ET
from base64 import b64decode

import numpy as np
import pytest

import tessera

BLUE, RED = "#0074d9", "#ff4136"  # 1 and 2


def drawn(html):
    """Every picture of a page is well-formed; gives the page with small letters, and pictures in place."""
    html = re.sub(r"data:image/svg\+xml;base64,([\w+/=]*)", lambda data: b64decode(data[1]).decode(), html)
    for picture in re.findall(r"<svg.*?</svg>", html, re.S):
        ET.fromstring(picture)
    return html.lower()


def test_grids():
    svg = drawn(tessera.Grid([[1, 2]])._repr_svg_())
    assert svg.startswith("<svg") and BLUE in svg and RED in svg
    assert tessera.Grid([[1, 2]])[0]._repr_svg_() is None  # a row is no grid
    assert (tessera.Grid([[1, 2]]) == 1)._repr_svg_() is None
    assert tessera.parse("def a(I):\n    return rot90(I)")[0]([[2]])._repr_svg_().startswith("<svg")


def test_grids_larger_than_a_task_has():
    large = tessera.eval("canvas(3, (60, 70))")
    assert large.shape == (60, 70) and drawn(large._repr_svg_())
    negative = tessera.eval("((-1, 12), (2, 99))")
    assert isinstance(negative, np.ndarray) and drawn(negative._repr_svg_())


def test_show(tmp_path):
    picture = tessera.show([[1]], np.array([[2]]), titles=["in <&>", "out"])
    assert "in &lt;&amp;&gt;" in drawn(picture._repr_svg_())
    plain = tessera.show([[1, 2]], titles=["got"])
    marked = drawn(tessera.show([[1, 2]], [[3, 3]], [[4]], titles=["got", "b", "c"], wanted=[[[1, 5]], None, [[4, 4]]]).svg)
    assert "got, 1 cell off" in marked and marked.count('class="miss"') == 2 and marked.count("cell off") == 2
    assert " off" not in plain.svg and "miss" not in plain.svg
    assert tessera.show([[1, 2]], titles=["got"], wanted=[[[1, 2]]]).svg == plain.svg
    assert ", 2 cells off" not in tessera.show([[1, 2]], wanted=[[[2, 1]]]).svg  # without a title just the number
    assert "2 cells off" in tessera.show([[1, 2]], wanted=[[[2, 1]]]).svg
    with pytest.raises(ValueError, match="1 grids wanted for 2 grids"):
        tessera.show([[1]], [[2]], wanted=[[[1]]])
    picture.save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text() == picture.svg
    for bad in ([[[1], [2, 3]]], []):
        with pytest.raises(ValueError):
            tessera.show(*bad)
    with pytest.raises(ValueError, match="1 titles for 2 grids"):
        tessera.show([[1]], [[1]], titles=["a"])


def test_tasks(tasks):
    assert "seesaw" in drawn(tasks["seesaw"]._repr_svg_())
    wall = drawn(tasks._repr_html_())
    assert wall.count("<svg") == len(tasks) and all(task.id in wall for task in tasks)
    many = tessera.Tasks(list(tasks) * 10)
    assert many._repr_html_().count("<img") == 60 and "80 more" in many._repr_html_()
    odd = tessera.tasks({"<b>": {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[1]]}]}})
    assert "&lt;b&gt;" in drawn(odd._repr_html_())


def test_results(programs, tasks):
    html = drawn(tessera.evaluate(programs[:5], tasks)._repr_html_())
    assert html.count('role="img"') == len(tasks) and html.count("tests right") >= 5 and "not solved" in html


def test_solutions(tasks):
    solution = tessera.solve(tasks[:2], per_task=0.1)
    html = drawn(solution._repr_html_())
    assert html.count("<svg") == sum(len(task.test) for task in tasks[:2]) and tasks[0].id in html
    assert "def solve" in drawn(solution[0]._repr_html_())


def test_texts(programs, tasks):
    for thing in (programs, programs[0], tasks, tasks[0], tessera.evaluate(programs[:1], tasks[:1])):
        assert repr(thing).startswith("<tessera.")


def test_traces(programs, tasks):
    task = tasks["butterfly"]
    html = drawn(tessera.trace(programs["solve_butterfly"], task.train[0], task)._repr_html_())
    assert html.count("<li>") == programs["solve_butterfly"].lines and html.count("<svg") > 5
    failing = drawn(tessera.trace("def a(I):\n    x1 = ofcolor(I, 5)\n    return first(x1)", [[1]])._repr_html_())
    assert "fails: empty" in failing and "<svg" in failing
    assert "cells off" not in html  # it is right
    wrong = drawn(tessera.trace("def a(I):\n    return I", task.train[0])._repr_html_())
    assert "got, 9 cells off" in wrong and wrong.count('class="miss"') == 2


def test_samples_attempts_programs_and_judgements(tasks):
    sample = tasks["seesaw"].train[0]
    svg = drawn(sample._repr_svg_())
    assert "input" in svg and "output" in svg
    assert "output" not in drawn(tessera.Sample(sample.input, None)._repr_svg_())
    program = tessera.load()["solve_seesaw"]
    assert str(program) == program.text and program.words in program._repr_html_()
    solution = tessera.solve(tasks["seesaw"], per_task=0.05)
    attempt = solution["seesaw"].attempts[0][0]
    assert attempt.right is True and "right" in drawn(attempt._repr_svg_())
    assert "right" in drawn(solution["seesaw"]._repr_html_())
    wrong = attempt._replace(right=False)
    assert "wrong" in drawn(wrong._repr_svg_()) and "right" not in drawn(attempt._replace(right=None)._repr_svg_())
    blind = {"x": {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[1]]}]}}
    unknown = tessera.solve(blind, per_task=0.01)["x"].attempts[0][0]
    assert unknown.right is None and not re.search("right|wrong", drawn(unknown._repr_svg_()))
    texts = [program.text, "def a(I):\n    return I", "def b(I):\n    return first(I)", "def c(I):\n    return nothing(I)"]
    for outputs in (True, False):
        judgement = tessera.judge(texts, tasks["seesaw"], tests=True, outputs=outputs)
        html = drawn(judgement._repr_html_())
        assert "4 right" in html.replace("6 right", "4 right") and "unknown primitive" in html and "<svg" in html
        for judged in judgement:
            assert drawn(judged._repr_html_())
        assert ("got" in drawn(judgement[1]._repr_html_())) == outputs
    assert drawn(tessera.judge([], tasks["seesaw"])._repr_html_())


class Shell:
    kernel = object()


class Cell:
    """What stands for the output of a notebook's cell."""

    def __init__(self):
        self.lines = []
        self.handles = 0

    def display(self, shown, *, raw, display_id):
        assert raw and display_id
        self.handles += 1
        self.update(shown, raw=True)
        return self

    def update(self, shown, *, raw):
        assert raw
        self.lines.append(shown["text/plain"])


@pytest.fixture
def cell(monkeypatch):
    cell = Cell()
    shell, pictures = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    shell.get_ipython, pictures.display = Shell, cell.display
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", pictures)
    monkeypatch.setattr("tessera._core.QUIET_FOR", 0)
    return cell


def test_progress_in_a_notebook_is_one_line(cell, tasks, capfd):
    tessera.solve(tasks, seconds=1, pool=False)
    assert cell.handles == 1 and len(cell.lines) > 1 and not any("\n" in line for line in cell.lines)
    assert re.fullmatch(r"solve .*\d+/14 tasks.*", cell.lines[-1])
    shown = len(cell.lines)
    tessera.solve(tasks, per_task=0.02, pool=False, progress=False)
    assert len(cell.lines) == shown and capfd.readouterr().err == ""


def test_progress_on_a_terminal_never_wraps(tasks, capfd, monkeypatch):
    monkeypatch.setattr("tessera._core.QUIET_FOR", 0)
    monkeypatch.setenv("COLUMNS", "40")
    tessera.solve(tasks, seconds=1, pool=False, progress=True)
    lines = capfd.readouterr().err.replace("\033[K", "").split("\r")
    assert any(line.startswith("solve [") for line in lines) and max(map(len, lines)) < 40
