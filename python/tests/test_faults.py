import json
import pickle
import subprocess

import pytest

import tessera

SWAP = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}, {"input": [[3, 4]], "output": [[4, 3]]}],
        "test": [{"input": [[5, 6]], "output": [[6, 5]]}]}  # fmt: skip
TEXTS = [
    "def a(I):\n    return vmirror(I)",
    "def b(I):\n    objs = objects(I, T, F, F)\n    return rot90(objs)",
    "def c(I):\n    return first(frozenset())",
    "def d(I):\n    return 143",
    "def e(I):\n    return upscale(I, 2)",
    "def f(I):\n    return objcts(I, nothing)",
    "",
]


def test_diagnoses():
    judged = tessera.judge(TEXTS, SWAP, tests=True)
    right, kind, empty, number, shape, name, nothing = (judged.diagnose(k) for k in range(len(TEXTS)))
    assert not right and right.prompt == "" and right.errors == []
    fault = kind.errors[0]
    assert (fault.stage, fault.kind, fault.primitive, fault.argument, fault.line) == ("run", "type", "rot90", 1, 3)
    assert fault.message == "argument 1 of rot90 wants a Grid, objs is a set of 2 objects" and fault.given == "a set of 2 objects"
    assert fault.remedy and "objs" in fault.remedy and fault.column == 12 and fault.excerpt == "    return rot90(objs)"
    assert [(f.demo, f.test) for f in kind] == [(1, None), (2, None), (None, 1)]
    assert empty.errors[0].message == "first of an empty set"
    assert number.errors[0].message == "returned 143, not a grid" and number.errors[0].kind == "no grid"
    assert shape.errors[0].shape == (2, 4) and shape.errors[0].wanted_shape == (1, 2) and shape.errors[0].kind == "shape"
    assert name.errors[0].stage == "read" and name.errors[0].kind == "name" and "objcts" in name.prompt
    assert nothing.errors[0].stage == "read" and nothing.prompt
    assert "demo 1" in str(kind) and judged.prompt(1) == str(kind) and judged.prompt(-6) == str(kind)
    assert repr(right) == "<tessera.Diagnosis, 0 errors>" and len(kind) == 3


def test_as_the_command_line(command, tmp_path):
    (tmp_path / "swap.json").write_text(json.dumps(SWAP))
    lines = "".join(json.dumps({"task": "swap", "program": text}) + "\n" for text in TEXTS)
    said = subprocess.run([command, "judge", "--tasks", tmp_path / "swap.json", "--errors"], input=lines.encode(),
                          capture_output=True, check=True).stdout  # fmt: skip
    for text, line in zip(TEXTS, said.splitlines()):
        found, answer = tessera.diagnose(text, SWAP), json.loads(line)
        assert found.prompt == answer["prompt"] and len(found) == len(answer["errors"])


def test_failures_say_why():
    program, = tessera.parse("def solve(I):\n    x1 = objects(I, T, F, T)\n    return first(x1)\n")
    with pytest.raises(tessera.Failure) as info:
        program([[0, 0], [0, 0]])
    assert info.value.message == "first of an empty set (x1)" and "\n  first of an empty set (x1)" in str(info.value)
    again = pickle.loads(pickle.dumps(info.value))
    assert (again.kind, again.line, again.message) == ("empty", 3, "first of an empty set (x1)")
    with pytest.raises(tessera.Failure, match="argument 2 of add wants a Numerical"):
        tessera.eval("add(1, {1})")


def test_reading_errors_as_prompts():
    with pytest.raises(tessera.ProgramError) as info:
        tessera.parse("def solve(I):\n    return objcts(I)\n")
    assert info.value.prompt == "Line 2, column 12: unknown primitive 'objcts'; did you mean 'objects'?\n" + \
        "        return objcts(I)\n               ^\n"


def test_hostile_texts(tasks):
    nasty = ["\0", "é\udce9", "(" * 50_000, "def a(I):\n    return \"\x1b[31m\\\"", "def a(I):\n    return shift(" + "(" * 199 + ")" * 199 + ", 1)",
             "def a(I):\n    x = repeat(I, 1000)\n" + "    x = repeat(x, 1000)\n" * 5 + "    return shift(x, 1)"]  # fmt: skip
    judged = tessera.judge(nasty, tasks[0])
    for k in range(len(nasty)):
        found = judged.diagnose(k)
        assert found.errors and found.prompt and len(found.prompt) < 20_000 and "\x1b" not in found.prompt
    with pytest.raises(ValueError, match="one task"):
        tessera.diagnose(TEXTS[0], tasks)


def test_the_card_holds_the_language():
    card = tessera.prompt()
    assert len(card.encode()) <= 8192
    for op in tessera.ops().values():
        if not op.dialect and not op.ours:
            assert f"\n{op.name}(" in card
    example = card[card.index("def solve") : card.index("return O") + len("return O")]
    program, = tessera.parse(example)
    assert program([[0, 1, 1], [0, 0, 0]]).tolist() == [[0, 2, 2], [0, 0, 0]]


def test_all_public_names_are_explained():
    """What the API reference shows: every public name and every public method has a docstring."""
    bare = []
    for name in tessera.__all__:
        thing = getattr(tessera, name)
        if not (isinstance(thing, type) or callable(thing)):
            continue
        if not thing.__doc__:
            bare.append(name)
        if not isinstance(thing, type):
            continue
        for member, value in vars(thing).items():
            function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
            own = callable(function) and getattr(function, "__module__", "").startswith("tessera")
            if not member.startswith("_") and own and not function.__doc__:
                bare.append(f"{name}.{member}")
    assert bare == []
