import gc
from collections import deque

import numpy as np
import pytest

import tessera

GRID = [[1, 2, 3], [4, 5, 6]]


def one(body, head="def solve(I):"):
    return tessera.parse(f"{head}\n    {body}\n")[0]


# ---- Grids in ----


@pytest.mark.parametrize(
    "grid",
    [GRID, tuple(map(tuple, GRID)), np.array(GRID), np.array(GRID, dtype=np.uint8), np.asfortranarray(GRID),
     np.array(GRID)[::-1][::-1], [np.array(row) for row in GRID], [tuple(row) for row in GRID], deque(GRID), tessera.Grid(GRID)],
)  # fmt: skip
def test_grids_in_any_form(grid):
    out = one("return rot180(I)")(grid)
    assert isinstance(out, np.ndarray) and out.dtype == np.int8
    assert out.tolist() == [[6, 5, 4], [3, 2, 1]]


def test_a_grid_of_booleans_is_one_of_zeros_and_ones():
    assert one("return I")(np.array([[True, False]])).tolist() == [[1, 0]]
    assert one("return I")([[True, False]]).tolist() == [[1, 0]]


@pytest.mark.parametrize(
    "grid, words",
    [
        ([[1, 2], [3, 4], [5]], "row 2 has 1 cells, row 0 has 2"),
        ([[1, 12]], "12 at row 0, column 1"),
        (np.array([[1, 2], [3, -1]]), "-1 at row 1, column 1"),
        ([[1, 10**30]], "at row 0, column 1"),
        ([[0] * 128], "at most 127 rows and columns, this is 1 x 128"),
        (np.zeros((140, 2), int), "this is 140 x 2"),
        ([], "this is 0 x 0"),
        ([[]], "this is 1 x 0"),
        ([[], []], "this is 2 x 0"),
        (np.zeros((0, 3), int), "this is 0 x 3"),
        ([1, 2, 3], "row 0 is 1"),
        (np.array([1, 2]), "this has 1 dimension"),
        (np.zeros((2, 2, 2), int), "this has 3 dimensions"),
        ([[[1]]], "this has 3 dimensions"),
        ([[1.0, 2.0]], "whole numbers, this has 1.0 at row 0, column 0"),
        (np.array([[1.0]]), "this has float64"),
        ([["a"]], "'a' at row 0, column 0"),
        ([[None, 1]], "None at row 0, column 0"),
        (["12", "34"], "row 0 is '12'"),
        ("12", "not str"),
        (None, "not NoneType"),
        (7, "not int"),
        ({1: 2}, "row 0 is 1"),
    ],
)
def test_bad_grids_say_what_is_wrong(grid, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        one("return I")(grid)


# ---- Values out ----


@pytest.mark.parametrize(
    "expression, value",
    [
        ("add(2, 3)", 5),
        ("T", 1),
        ("None", None),
        ("()", ()),
        ("{}", frozenset()),
        ("(1,)", (1,)),
        ("(-1, (2, 3))", (-1, (2, 3))),
        ("{(0, 1), (1, 0)}", frozenset({(0, 1), (1, 0)})),
        ("objects(((0, 1), (2, 2)), T, F, T)", frozenset({frozenset({(0, (0, 0))}), frozenset({(1, (0, 1))})})),
        ("((1, 200), (3, 4))", ((1, 200), (3, 4))),
        ("(((1, 2), (3, 4)), 5)", (((1, 2), (3, 4)), 5)),
        ("multiply(4000000000, 2000000000)", 8 * 10**18),
        ("compose(first, last)", "compose(first, last)"),
        ("(lbind(add, 1), vmirror, 3)", ("lbind(add, 1)", "vmirror", 3)),
    ],
)
def test_values_that_are_no_grid(expression, value):
    got = tessera.eval(expression)
    assert got == value and type(got) is type(value)


def test_deep_values():
    depth = 150
    value = tessera.eval("(" * depth + "1" + ",)" * depth)
    for _ in range(depth):
        (value,) = value
    assert value == 1


def test_values_too_large_for_python():
    """One part a million times over is little memory in the engine, and more than any machine has as objects."""
    with pytest.raises(ValueError, match="too large for Python: .* more elements"):
        tessera.eval("power(rbind(repeat, 2), 25)(1)")
    program, = tessera.parse("def solve(I):\n    x1 = power(rbind(repeat, 2), 22)\n    return x1(I)\n")
    with pytest.raises(ValueError, match="too large for Python"):
        program([[1, 2], [3, 4]])
    assert len(tessera.eval("interval(0, 500000, 1)")) == 500000


def test_each_example_of_the_primitives_runs():
    for op in tessera.ops().values():
        tessera.eval(op.example)


def test_failures_have_a_kind_and_a_line():
    program = one("x1 = first(I)\n    x2 = divide(1, 0)\n    return x2")
    with pytest.raises(tessera.Failure) as info:
        program(GRID)
    assert (info.value.kind, info.value.line) == ("zero", 3)
    assert str(info.value).startswith("solve failed in line 3: zero, a division by zero\n  divide divides by zero: argument 2 of")
    assert set(tessera.FAILURES) == {"none", *"type value index empty zero overflow arity depth budget python".split()}


def test_units_are_a_limit_for_one_call():
    program = one("return rot90(I)")
    with pytest.raises(tessera.Failure, match="budget"):
        program(GRID, units=1)
    assert program(GRID).shape == (3, 2)
    with pytest.raises(ValueError, match="units is 1 to"):
        program(GRID, units=0)
    with pytest.raises(TypeError, match="whole number"):
        program(GRID, units=1.5)


def test_samples(tasks):
    program = one("x1 = get_nth_t(S, F0)\n    return get_nth_t(x1, L1)", "def solve(S, I, C):")
    task = tasks[0]
    assert np.array_equal(program(GRID, samples=task), task.train[0].output)
    assert program(GRID, samples=[([[1]], [[2]]), ([[3]], [[4]])]).tolist() == [[2]]
    with pytest.raises(ValueError, match="sample's output has"):
        program(GRID, samples=[([[1]], [])])
    with pytest.raises(tessera.Failure):
        program(GRID)


# ---- Reading ----


def test_errors_say_where():
    text = "def good(I):\n    return I\n\ndef bad(I):\n    x1 = objcts(I, T, F, T)\n    return x1\n"
    with pytest.raises(tessera.ProgramError) as info:
        tessera.parse(text)
    error = info.value
    assert isinstance(error, ValueError)
    assert (error.line, error.column, error.index) == (5, 10, None)
    assert error.message == "unknown primitive 'objcts'; did you mean 'objects'?"
    assert str(error).splitlines()[1:] == ["      x1 = objcts(I, T, F, T)", "           ^"]


def test_what_is_good_is_kept():
    text = "def a(I):\n    return I\ndef b(I):\n    return x9\ndef c(I):\n    return )\ndef d(I):\n    return rot90(I)\n"
    programs = tessera.parse(text, strict=False)
    assert programs.names == ["a", "d"]
    assert [error.line for error in programs.errors] == [4, 6]


def test_lists_of_texts():
    good, bad = "def solve(I):\n    return I", "def solve(I):\n    return nothing(I)"
    two = "def a(I):\n    return I\ndef b(I):\n    return I"
    programs = tessera.parse([good, bad, two, good, bad], strict=False)
    assert programs.names == ["solve", "a", "b", "solve"]
    assert programs.source.tolist() == [0, 2, 2, 3]
    assert [error.index for error in programs.errors] == [1, 4]
    assert str(programs.errors[1]).startswith("<text 4>:2:12: unknown primitive 'nothing'")
    with pytest.raises(tessera.ProgramError) as info:
        tessera.parse([good, bad])
    assert info.value.index == 1


def test_a_text_does_not_reach_into_the_next():
    programs = tessera.parse(["def a(I):\n    return vmirror(", "I)", "def b(I):\n    return I"], strict=False)
    assert programs.names == ["b"] and {error.index for error in programs.errors} == {0, 1}


def test_more_texts_than_a_block():
    count = 20_000
    texts = [f"def p{k}(I):\n    return fill(I, {k % 10}, {{({k // 10}, 0)}})" for k in range(count)]
    texts[9000] = "def p9000(I):\n    return"
    programs = tessera.parse(texts, strict=False)
    assert len(programs) == count - 1
    for place, name in ((4095, "p4095"), (4096, "p4096"), (9000, "p9001"), (-1, f"p{count - 1}")):
        assert programs[place].name == name
    assert programs.source[8999:9001].tolist() == [8999, 9001] and programs.errors[0].index == 9000
    assert programs["p15000"].index == 14999
    assert programs[9000:9002].names == ["p9001", "p9002"]


@pytest.mark.parametrize("texts", [[], "", "# nothing\n"])
def test_no_programs(texts):
    programs = tessera.parse(texts)
    assert len(programs) == 0 and list(programs) == []


def test_not_a_text():
    with pytest.raises(TypeError, match="number 1 of the list is int"):
        tessera.parse(["def a(I):\n    return I", 3])
    with pytest.raises(TypeError, match="not int"):
        tessera.evaluate(3, "tasks")


def test_odd_texts_do_no_harm():
    for text in ["\0", "def a(I):\n\treturn I\0", "é" * 100, "def é(I):\n    return I", "(" * 100_000, "def a(I):\n" * 1000,
                 "def a\ud800(I): return I"]:  # fmt: skip
        programs = tessera.parse([text], strict=False)
        assert programs.errors and not len(programs)


def test_index_and_name(programs):
    assert programs[-1].index == len(programs) - 1
    assert programs["solve_seesaw"].name == "solve_seesaw"
    for bad, kind in ((99, IndexError), (-99, IndexError), ("no", KeyError), (None, TypeError), (0.0, TypeError)):
        with pytest.raises(kind):
            programs[bad]


def test_canonical_text_and_hash():
    a, b = tessera.parse(["def a(I):\n    x = vmirror(I)\n    return hmirror(x)", "def b(I):\n    return hmirror(vmirror(I))"])
    assert a.hash == b.hash and len(a.hash) == 16
    assert a.text.split("\n")[1:] == b.text.split("\n")[1:] and a.lines == 2


def test_load(tmp_path):
    (tmp_path / "b.py").write_text("def b(I):\n    return I\n")
    (tmp_path / "a.py").write_text("def a(I):\n    return I\n")
    (tmp_path / ".hidden.py").write_text("nonsense")
    assert tessera.load(tmp_path).names == ["a", "b"]
    assert tessera.load(str(tmp_path / "a.py")).names == ["a"]
    (tmp_path / "a.py").write_text("def a(I):\n    return J\n")
    with pytest.raises(tessera.ProgramError) as info:
        tessera.load(tmp_path)
    assert info.value.file.endswith("a.py") and info.value.line == 2
    assert tessera.load(tmp_path, strict=False).names == ["b"]
    with pytest.raises(FileNotFoundError):
        tessera.load(tmp_path / "nothing.py")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no file \*\.py"):
        tessera.load(tmp_path / "empty")


def test_a_program_outlives_its_set():
    program = tessera.parse([f"def p{k}(I):\n    return replace(I, 1, {k})" for k in range(10)])[7]
    gc.collect()
    [tessera.parse("def q(I):\n    return I") for _ in range(100)]
    assert program([[1]]).tolist() == [[7]] and program.name == "p7"


def test_primitives():
    ops = tessera.ops()
    assert len([op for op in ops.values() if not op.ours]) >= 160
    op = ops["objects"]
    assert op.parameters == ("grid", "univalued", "diagonal", "without_bg")
    assert op.types[0] == "Grid" and op.result == "Objects" and op.doc and op.example
    assert any("height_f" in op.aliases for op in ops.values())
