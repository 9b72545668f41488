"""Programs as models write them (tests/models/*.txt): each is read and gives what Python gives that runs the same text on
tessera.dsl, or both fail; of those that cannot be read every problem is as expected."""

import re
import sys
from pathlib import Path

import pytest

import tessera
import tessera.dsl as dsl

FAILED = object()
FENCED = re.compile(r"^(?:```|~~~)[^\n]*\n(.*?)^(?:```|~~~)", re.M | re.S)


def cases():
    for path in sorted(Path("tests/models").glob("*.txt")):
        for case in re.split(r"^==== ", path.read_text(), flags=re.M)[1:]:
            title, _, rest = case.partition("\n")
            lines = rest.split("\n")
            text = "\n".join(line for line in lines if not line.startswith("!! "))
            yield pytest.param(text, [line[3:] for line in lines if line.startswith("!! ")], id=f"{path.stem}: {title}")


CASES = list(cases())
READ = [case for case in CASES if not case.values[1]]
INPUTS = [tuple(tuple(map(int, row)) for row in sample.input) for task in tessera.tasks("tasks") for sample in task.train[:2]]


def code_of(text):
    """What of the text is Python: the blocks, or all from the first def up to what is no code any more."""
    blocks = FENCED.findall(text)
    if blocks:
        return "\n".join(blocks)
    lines = text.split("\n")
    while not re.match(r"def |from |import |#|\w+ = ", lines[0]):
        del lines[0]
    return "\n".join(line for line in lines if not re.match(r"[A-Z]\w+ \w+ ", line))


def plain(value):
    """The value with tuples for lists, and numbers for truth values."""
    if isinstance(value, (list, tuple)):
        return tuple(plain(v) for v in value)
    if isinstance(value, (set, frozenset)):
        return frozenset(plain(v) for v in value)
    return int(value) if isinstance(value, bool) else value


def in_tessera(program, given):
    try:
        value = program(given)
        return tuple(tuple(map(int, row)) for row in value) if isinstance(value, tessera.Grid) else plain(value)
    except tessera.Failure:
        return FAILED


def in_python(function, *arguments):
    try:
        return plain(function(*arguments))
    except Exception:
        return FAILED


def test_most_are_read():
    assert len(CASES) >= 120 and len(READ) >= 100


@pytest.mark.parametrize(("text", "expected"), READ)
def test_means_what_python_means(text, expected, monkeypatch):
    (program,) = tessera.parse(text)
    names = {name: getattr(dsl, name) for name in dsl.__all__}
    for module in ("dsl", "constants"):
        monkeypatch.setitem(sys.modules, module, dsl)
    exec(code_of(text), names)
    function = names[program.name]
    if function.__code__.co_argcount == 1:
        assert [in_tessera(program, given) for given in INPUTS] == [in_python(function, given) for given in INPUTS]


@pytest.mark.parametrize(("text", "expected"), [case for case in CASES if case.values[1]])
def test_all_problems_are_said(text, expected):
    errors = tessera.parse(text, strict=False).errors
    said = [f"{error.line}:{error.column} {error.message}" for error in errors]
    assert len(said) == len(expected) and all(map(str.startswith, said, expected)), said
