import gc

import numpy as np
import pytest

import tessera

PROGRAM = """def solve(I):
    x1 = ofcolor(I, ONE)
    x2 = first(x1)
    x3 = height(I)
    x4 = astuple(x2, x3)
    return fill(I, TWO, initset(first(x4)))
"""


def test_lines_are_those_of_the_text(programs, tasks):
    for program in programs:
        task = tasks[program.name[len("solve_") :]]
        for sample in task.train + task.test:
            trace = tessera.trace(program, sample, task)
            assert [f"    {line.text}" for line in trace] == program.text.split("\n")[1:-1]
            assert [line.number for line in trace] == list(range(1, program.lines + 1))
            assert trace.right is True and trace.failure is None
            assert np.array_equal(trace.result, program(sample.input, task)) and np.array_equal(trace.expected, sample.output)
            assert trace.units == sum(line.units for line in trace) > 0


def test_values():
    trace = tessera.trace(PROGRAM, np.array([[1, 0], [0, 0]]))
    values = [line.value for line in trace]
    assert values[:4] == [{(0, 0)}, (0, 0), 2, ((0, 0), 2)]
    assert isinstance(trace.result, tessera.Grid) and trace.result.tolist() == [[2, 0], [0, 0]]
    assert trace.right is None and trace.expected is None and len(trace) == 7
    assert trace[-1].text == "O = fill(I, TWO, x6)" and [line.number for line in trace[2:4]] == [3, 4]
    assert repr(trace) == "<tessera.Trace of solve, 7 lines>"


def test_what_does_not_need_the_failure_goes_on():
    trace = tessera.trace(PROGRAM, [[3, 0], [0, 0]])
    assert [line.failure for line in trace] == [None, "empty", None, "empty", "empty", "empty", "empty"]
    assert trace[2].value == 2 and trace[1].value is None and trace[1].source == 3
    assert trace.failure == "empty" and trace.result is None
    assert trace[3].units == 0 < trace[2].units
    assert repr(trace) == "<tessera.Trace of solve, 7 lines, fails in line 2: empty>"
    with pytest.raises(tessera.Failure) as error:
        tessera.parse(PROGRAM)[0]([[3, 0], [0, 0]])
    assert error.value.line == trace[1].source
    assert tessera.trace(PROGRAM, [[1]], units=1).failure == "budget"


def test_samples_and_expected():
    program = "def differ(S, I, C):\n    x1 = first(first(S))\n    x2 = equality(x1, I)\n    return astuple(x2, C)\n"
    pairs = [([[1]], [[2]])]
    assert [line.value for line in tessera.trace(program, [[1]], pairs, [[7]])][-2:-1] == [1]
    assert tessera.trace(program, [[1]], pairs).result == (1, None)
    first, last = tessera.trace(program, [[3]], pairs, [[7]]).result
    assert first == 0 and last == ((7,),)
    assert tessera.trace("def a(S, I, C):\n    return S", [[1]], pairs).result == (((((1,),)), ((2,),)),)
    assert tessera.trace("def a(I):\n    return I", [[1, 2]]).result.tolist() == [[1, 2]]


def test_a_sample_says_what_is_right(tasks):
    task = tasks["seesaw"]
    assert tessera.trace("def a(I):\n    return rot90(I)", task.train[0]).right is False
    assert tessera.trace("def a(I):\n    return first(TWO)", task.train[0]).right is False
    unknown = tessera.Sample(task.train[0].input, None)
    assert tessera.trace("def a(I):\n    return rot90(I)", unknown).right is None


def test_too_large_for_python():
    text = "def a(I):\n    x1 = repeat(I, 100)\n    x2 = repeat(x1, 100)\n    x3 = repeat(x2, 100)\n    return size(x3)\n"
    trace = tessera.trace(text, [[1, 2]])
    assert isinstance(trace[2].value, str) and "more elements" in trace[2].value and len(trace[2].value) < 1000
    assert isinstance(trace[1].value, tuple) and trace.result == 100 and "more elements" in str(trace)


def test_bad_arguments(programs):
    for grid, message in (([[1], [2, 3]], "equally long"), ([[11]], "0 to 9"), ("no", "list of rows")):
        with pytest.raises(ValueError, match=message):
            tessera.trace(PROGRAM, grid)
    with pytest.raises(ValueError, match="one program, not 2"):
        tessera.trace("def a(I):\n    return I\ndef b(I):\n    return I\n", [[1]])
    with pytest.raises(tessera.ProgramError):
        tessera.trace("nonsense", [[1]])
    with pytest.raises(ValueError, match="expected grid"):
        tessera.trace(PROGRAM, [[1]], expected=[[]])


def test_it_outlives_what_it_was_made_of():
    trace = tessera.trace(tessera.parse(PROGRAM)[0], tessera.Grid([[1, 0]]))
    others = [tessera.trace(PROGRAM, [[0, 1]]) for _ in range(20)]
    gc.collect()
    assert trace[0].value == {(0, 0)} and str(trace).count("\n") > 7 and others[0][0].value == {(0, 1)}


def test_printed():
    lines = str(tessera.trace(PROGRAM, [[3, 0], [0, 0]])).split("\n")
    assert lines[0] == "x1 = ofcolor(I, ONE)" and "    fails: empty" in lines and "    2" in lines
