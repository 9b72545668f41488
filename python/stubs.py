"""Writes dsl.pyi, what editors and type checkers know of tessera.dsl, from the tables that the language is made of: the
primitives (ops.def), the constants (ops.c) and the words (words/*.def). setup.py calls it."""

import keyword
import re
from pathlib import Path

# What may be one of several types is Any as a result: the next call takes one of them.
RESULTS = ["Boolean", "Integer", "IntegerTuple", "IntegerSet", "Grid", "Cell", "Object", "Objects", "Indices", "Tuple", "FrozenSet",
           "Callable", "TupleTuple"]  # fmt: skip
# What is given may be a list or a set as well, so only what is never anything else is asked for.
PARAMETERS = ["Boolean", "Integer", "Callable"]
PLAIN = {"Tuple": "Tuple[Any, ...]", "FrozenSet": "FrozenSet[Any]", "Callable": "Callable[..., Any]"}
OP = re.compile(r'^(?:OP|DIALECT|OURS)\(\w+, (\w+), (\w+), A\d\((.*?)\), "(.*?)", "(.*)"\)$')


def hint(kind: str, known: list[str]) -> str:
    return PLAIN.get(kind, kind) if kind in known else "Any"


def primitive(name: str, result: str, arguments: str, doc: str, example: str) -> str:
    words = arguments.split(", ")
    taken = ", ".join(f"{p}: {hint(kind, PARAMETERS)}" for p, kind in zip(words[::2], words[1::2]))
    return f'def {name}({taken}) -> {hint(result, RESULTS)}:\n    """{doc}\n\n    {example}\n    """\n'


def stub(root: Path) -> str:
    module = (root / "python/tessera/dsl.py").read_text(encoding="utf-8")
    head = re.search(r"^from typing import.*?(?=^__all__)", module, re.S | re.M)
    assert head
    types = re.sub(r"^from \._.*\n", "", head.group(), flags=re.M).rstrip() + "\n"
    imports = re.sub(r"\b([A-Z]\w+)", r"\1 as \1", types.split("\n", 1)[0])  # so that they are handed on
    parts = ["# Made by python/stubs.py.\n", imports, "\n", types.split("\n", 1)[1]]
    for line in (root / "src/dsl/ops.def").read_text(encoding="utf-8").splitlines():
        alias, op = re.match(r"ALIAS\((\w+), (\w+)\)", line), OP.match(line)
        if alias:
            parts.append(f"{alias[1]} = {alias[2]}\n")
        elif op:
            parts.append(primitive(*op.groups()))
    constants = (root / "src/dsl/ops.c").read_text(encoding="utf-8")
    for name, form in re.findall(r'\{"(\w+)", (INT|LOC)\(', constants):
        parts.append(f"{name}: {'bool' if name in 'TF' else 'int' if form == 'INT' else 'IntegerTuple'}\n")
    words = [path.read_text(encoding="utf-8") for path in sorted((root / "src/words").glob("*.def"))]
    names = dict.fromkeys(name for text in words for name in re.findall(r"^\s*WORD\(\w+, [^,]+, (\w+)", text, re.M))
    parts += [f"{name}: str\n" for name in names if not keyword.iskeyword(name)]
    return "".join(parts)


def write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(stub(Path(".")), encoding="utf-8")
