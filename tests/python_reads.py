#!/usr/bin/env python3
"""What Tessera reads, Python reads too, and it means the same there.

    tests/python_reads.py [--tessera build/tessera] [--seed N] [COUNT]

Programs are changed at random, by tokens and by bytes. Of what Tessera still takes, Python's compile() has to take every
text, perhaps without prose around the code; and each program of plain lines, with its variables put in, has to be the
expression that Tessera prints for it (what else there may be in a program tests/models.py compares by running it). A text that
fails is shown. The last line is `N passed, N failed`, a test being a text that Tessera takes.
"""

import argparse
import ast
import functools
import json
import random
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BATCH = 250

SEEDS = [
    'from dsl import *\nimport constants\nfrom a.b import (c, d as e,)\n\ndef solve(I):\n    x1 = objects(I, T, F, T)\n'
    '    x2 = rbind(add, ONE)\n    x3 = x2(5)\n    O = fill(I, x3, {(0, 1), (1, 2)})\n    return O\n',
    'def one(I: Grid) -> Tuple[Grid, "x"]:\n    """doc \\x41 string"""\n    x = vmirror(I) # why\n    y = (x, x); z = (1, (2, -3))\n'
    '    return branch(T, x, frozenset({1, 2}))\n\n\ndef two(S, I, C): return hconcat(a=I, b=rot90(grid=I))\n',
    'def tabs(I):\n\tx1 = rot90(I)\n\tx2 = compose(vmirror,\n  hmirror)(x1)\n\treturn combine((x1, 0, x2), ())\n',
    '# -*- coding: utf-8 -*-\n# comment é\ndef f(x):\n    T = 7\n    g = fork(astuple, height, width)\n    r"""\\x"""\n'
    '    a = insert(g(x), {T, x})\n    b = \\\n      totuple(a)\n    return (b)\n\n"text"\n\ndef g(I): I = crop(I, ORIGIN, (3, 3)); return I;\n',
]
PIECES = [*"()[]{},.:;=-*#\\'\"@+0123459", "\n", "\n    ", "\n\t", "    ", "\t", " ", "\f", "\r", "\r\n", "\0", "\v", "\u00a0", "\ufeff",
          "é", "->", "'''", '"""', "007", "00", "0x1", "1_0", "1e5", "def ", "return ", "import ", "from ", "as ", "lambda ", "None", "True",
          "if ", "in", "not ", "T", "I", "x1", "{}", "()", "(,)", "frozenset", "frozenset()", "I, I", "add", "vmirror", "__debug__", "\\\n",
          "\\x4", "\\N{x}", ";;", "; ", "...", "*a", "**a", "x=1", "grid=I", " coding: latin-1", "\x1b", "\x7f", "(" * 99, ")" * 99,
          "((((((((((", "))))))))))", "    x = T\n    T = x\n", "def add(I): return add\n", "pass", "async ", "match", "x: int = 1", "# type: x", "-1", "--1", "1.", ".5", "1j", "u'a'", "b'a'", "f'a'"]


class Bad(Exception):
    pass


class More(Exception):
    """A program that is more than lines of calls."""


# ---- Changes ----


def change(rng, text):
    """A text with some pieces put in, left out, doubled, exchanged, or a byte changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        tokens = re.findall(r"\w+|\n[ \t]*|[ \t]+|.", text, re.S)
        k, way = rng.randrange(len(tokens) + 1), rng.randrange(6)
        if way == 0:
            tokens.insert(k, rng.choice(PIECES))
        elif way == 1:
            tokens[k:k + rng.choice((1, 1, 2, 5))] = []
        elif way == 2:
            tokens[k:k + 1] = [rng.choice(PIECES)]
        elif way == 3:
            tokens[k:k] = tokens[k:k + rng.choice((1, 2, 4))]
        elif way == 4 and tokens:
            other = rng.randrange(len(tokens))
            k = min(k, len(tokens) - 1)
            tokens[k], tokens[other] = tokens[other], tokens[k]
        else:
            tokens.insert(k, chr(rng.randrange(256)))
        text = "".join(tokens)
    data = text.encode()
    if rng.randrange(8) == 0 and data:
        k = rng.randrange(len(data))
        data = data[:k] + bytes([rng.randrange(256)]) + data[k + rng.randrange(2):]
    return data


# ---- Meaning ----


class Meaning:
    """Programs as numbers: the same for two that are the same expression of S, I and C."""

    def __init__(self, tessera):
        self.tessera, self.numbers, self.ops = tessera, {}, {}
        self.taken = set()  # names that Python does not look up among those of the language
        for op in json.loads(subprocess.run([tessera, "ops", "--json"], capture_output=True, check=True).stdout):
            for name in (op["name"], *op["aliases"]):
                self.ops[name] = (op["name"], [p["name"] for p in op["parameters"]])

    def number(self, *key):
        return self.numbers.setdefault(key, len(self.numbers))

    @functools.lru_cache(None)
    def constant(self, name):
        """The value of a name that no variable has."""
        if name in self.ops:
            return ("op", self.ops[name][0])
        done = subprocess.run([self.tessera, "eval", name], capture_output=True, text=True)
        if done.returncode:
            raise Bad(f"what is {name}?")
        return ast.literal_eval(done.stdout)

    def call(self, op, *args):
        return self.number("call", self.number("value", ("op", op)), args)

    def display(self, is_tuple, parts):
        """A tuple or set of parts: one value where all are, else the lines that make it."""
        values = [value for kind, value in parts]
        if all(kind == "value" for kind, value in parts):
            return ("value", tuple(values) if is_tuple else frozenset(values))
        parts = [self.number(*part) if part[0] == "value" else part[1] for part in parts]
        if is_tuple and len(parts) == 2:
            return ("line", self.call("astuple", *parts))
        one = [self.call("initset", part) for part in parts]
        if not is_tuple:
            return ("line", functools.reduce(lambda all, part: self.call("insert", part, all), parts[1:], one[0]))
        return ("line", functools.reduce(lambda a, b: self.call("combine", a, b), [self.call("totuple", n) for n in one]))

    def expression(self, e, names):
        """("value", v) or ("line", number)."""
        if e is None or isinstance(e, ast.Constant) and isinstance(e.value, (str, bytes)):
            raise More
        if isinstance(e, ast.Name):
            if e.id in names:
                return names[e.id]
            if e.id in self.taken:
                raise Bad(f"{e.id} has no value yet, or another one")
            return ("value", self.constant(e.id))
        if isinstance(e, ast.Constant):
            return ("value", e.value if e.value is None else int(e.value))
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub) and isinstance(e.operand, ast.Constant):
            return ("value", -e.operand.value)
        if isinstance(e, (ast.Tuple, ast.Set)):
            return self.display(isinstance(e, ast.Tuple), [self.expression(part, names) for part in e.elts])
        if not isinstance(e, ast.Call):
            raise More
        if isinstance(e.func, ast.Name) and e.func.id == "frozenset" and "frozenset" not in names:
            if e.args and self.expression(e.args[0], names)[0] == "line":
                raise More
            return ("value", frozenset(self.expression(e.args[0], names)[1]) if e.args else frozenset())
        if isinstance(e.func, ast.Name) and e.func.id not in names and e.func.id not in self.ops:
            raise More
        function = self.expression(e.func, names)
        args = [self.expression(a, names) for a in e.args]
        if e.keywords:
            given = {k.arg: self.expression(k.value, names) for k in e.keywords}
            parameters = next(p for name, p in self.ops.values() if function[1] == ("op", name))
            args += [given[p] for p in parameters[len(args):]]
        numbers = [self.number(*part) if part[0] == "value" else part[1] for part in (function, *args)]
        return ("line", self.number("call", numbers[0], tuple(numbers[1:])))

    def program(self, f):
        if not all(isinstance(line, (ast.Expr, ast.Return)) or isinstance(line, ast.Assign) and len(line.targets) == 1 and isinstance(
                line.targets[0], ast.Name) for line in f.body) or f.args.defaults:
            raise More
        parameters = [a.arg for a in f.args.args]
        self.taken = self.defined | {line.targets[0].id for line in f.body if isinstance(line, ast.Assign)}
        names = dict(zip(parameters, (("line", self.number(g)) for g in ("SIC" if len(parameters) == 3 else "I"))))
        for line in f.body:
            if isinstance(line, ast.Assign):
                names[line.targets[0].id] = self.expression(line.value, names)
            elif isinstance(line, ast.Return):
                kind, result = self.expression(line.value, names)
                return (len(parameters), self.number(kind, result) if kind == "value" else result)
        raise Bad("no return")

    def programs(self, text):
        body = ast.parse(text).body
        functions = [f for f in body if isinstance(f, ast.FunctionDef)]
        self.defined = {f.name for f in functions}
        used = {n.id for f in functions for n in ast.walk(f) if isinstance(n, ast.Name)}
        if self.defined & used or any(isinstance(line, (ast.Assign, ast.AnnAssign, ast.If, ast.For)) for line in body):
            raise More
        return [self.program(f) for f in functions]


# ---- The test ----


def printed(tessera, files):
    """Which of the files are taken whole, and what is printed for all of them."""
    done = subprocess.run([tessera, "print", *files], capture_output=True, timeout=300)
    if done.returncode not in (0, 3):
        raise Bad(f"tessera print: exit code {done.returncode}: {done.stderr[-2000:]!r}")
    bad = {line.split(":")[0] for line in done.stderr.decode(errors="replace").split("\n")}
    return [file for file in files if file not in bad], done.stdout


def code_of(text):
    """The text without prose around the code."""
    lines = text.split(b"\n")
    code = [k for k, line in enumerate(lines) if re.match(rb"(\xef\xbb\xbf)?(def |import |from .* import )|#|['\"]|\s+[^\s*>0-9-]", line)]
    for first in range(len(lines)):
        for last in range(len(lines), max(first, len(lines) - 8), -1):
            if any(k >= last or (k < first and lines[k].strip() and not lines[k].startswith(b"#")) for k in code if lines[k].strip()):
                continue
            try:
                compile(b"\n".join(lines[first:last]), "text", "exec", dont_inherit=True)
                return b"\n".join(lines[first:last])
            except (SyntaxError, ValueError):
                pass
    return text


def check_text(meaning, text, programs):
    text = code_of(text)
    try:
        compile(text, "text", "exec", dont_inherit=True)
        mine = meaning.programs(text)
    except More:
        return None
    except (SyntaxError, ValueError, MemoryError, RecursionError, Bad) as error:
        return f"to Python it is no program: {error}"
    theirs = meaning.programs(programs)
    return None if mine == theirs else f"it means something else: {len(mine)} and {len(theirs)} programs"


def run_batch(tessera, meaning, rng, folder):
    """How many passed, and what is wrong with the others."""
    names = []
    for k in range(BATCH):
        seed = rng.choice(SEEDS)
        names.append(str(folder / f"{k}.py"))
        Path(names[-1]).write_bytes(change(rng, seed))
    taken, _ = printed(tessera, names)
    wrong, passed = [], 0
    for name in taken:
        text = Path(name).read_bytes()
        _, output = printed(tessera, [name])
        problem = check_text(meaning, text, output)
        if problem:
            wrong.append(f"{problem}\n{text!r}")
        else:
            passed += 1
    return passed, wrong


def main():
    parser = argparse.ArgumentParser(description="What Tessera reads, Python reads too.")
    parser.add_argument("count", nargs="?", type=int, default=2000, help="texts to try")
    parser.add_argument("--tessera", type=lambda path: str(Path(path).resolve()), default=str(ROOT / "build/tessera"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rng, meaning = random.Random(options.seed), Meaning(options.tessera)
    passed, wrong = 0, []
    with tempfile.TemporaryDirectory(prefix="tessera-test-") as folder:
        for _ in range(0, options.count, BATCH):
            good, bad = run_batch(options.tessera, meaning, rng, Path(folder))
            passed += good
            wrong += bad
    for text in wrong[:20]:
        print("FAILED", text)
    print(f"{passed} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
