"""The language as plain Python: programs and expressions run by Python's own interpreter give what the engine gives."""

import gc
import inspect
import pickle
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import tessera
import tessera.dsl as dsl

GOLDEN = Path("tests/golden")
NAMES = {name: getattr(dsl, name) for name in dsl.__all__}
FAILED = object()


def python(text):
    """An expression of the language as Python has it: sets may hold sets, and {} is an empty one."""
    return text.replace("{}", "frozenset()").replace("{", "frozenset((").replace("}", ",))")


def run(call, failures=tessera.Failure):
    try:
        return call()
    except failures:
        return FAILED


def lines(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            left, right = line.rsplit(" => ", 1)
            yield number, left, right


def value(text):
    return FAILED if text == "!" else eval(python(text), dict(NAMES))


def is_lazy(text):
    """One side of choose may fail, and Python works both out before the call."""
    return "choose" in text


EXPRESSIONS = sorted([*map(GOLDEN.joinpath, ("primitives.txt", "odd.txt", "dialect.txt")), *GOLDEN.glob("ours/*.txt")])


def differing(path, names, failures=tessera.Failure):
    """The lines of a file that Python gets wrong."""
    for number, expression, wanted in lines(path):
        got = run(lambda: eval(python(expression), names), failures)
        if got != value(wanted) and not (got is FAILED and is_lazy(expression)):
            yield number, expression[:100], got, wanted[:100]


@pytest.mark.parametrize("path", EXPRESSIONS, ids=lambda path: path.stem)
def test_golden_lines(path):
    wrong = list(differing(path, dict(NAMES)))
    assert not wrong, (len(wrong), wrong[:5])


def foreign(function):
    """A primitive as a function that only Python knows."""
    taken = ", ".join(inspect.signature(function).parameters)
    return eval(f"lambda {taken}: _primitive({taken})", {"_primitive": function})


def test_golden_lines_with_functions_of_python():
    """The same where every primitive is called back; what one of them gives is compared, so functions are left out."""
    made = {name for name, op in tessera.ops().items() if op.result == "Callable"}
    names = {n: v if n in made or not inspect.isfunction(v) else foreign(v) for n, v in NAMES.items()}
    wrong = [line for path in EXPRESSIONS for line in differing(path, names, (tessera.Failure, TypeError))]
    assert not wrong, (len(wrong), wrong[:5])


def as_python(text):
    """The programs of a text, run by Python."""
    names = dict(NAMES)
    exec(text, names)
    return names


def test_golden_programs():
    solvers = as_python((GOLDEN / "programs.py").read_text())
    count, wrong = 0, []
    for number, call, wanted in lines(GOLDEN / "programs.txt"):
        name, grid = call.split(" ", 1)
        got = run(lambda: solvers[f"solve_{name}"](value(grid)))
        count += 1
        if got != value(wanted):
            wrong.append((number, name, got, wanted[:100]))
    assert count == 2400 and not wrong, (len(wrong), wrong[:5])


def agree(text, name, program, grids):
    """Whether a program gives in Python what it gives in the engine."""
    function = as_python(text)[name]
    for grid in grids:
        cells = tuple(map(tuple, grid.tolist()))
        wanted, got = run(lambda: program(grid)), run(lambda: function(cells))
        if isinstance(wanted, np.ndarray):
            wanted = tuple(map(tuple, wanted.tolist()))
        assert got == wanted or (got is FAILED and is_lazy(text)), (name, text)


def test_programs_that_solve_finds(tasks):
    solution = tessera.solve(tasks, per_task=0.2, pool=False)
    texts = [(answer.task, a.program) for answer in solution for attempts in answer.attempts for a in attempts if a.program]
    assert len(texts) > 20
    for task, text in texts:
        program, = tessera.parse(text)
        agree(program.text, program.name, program, [sample.input for sample in [*task.train, *task.test]])


def test_programs_of_the_pool(tasks):
    """The coarse primitives as programs have them, on grids that they were not made for."""
    programs = tessera.load("pool")
    grids = [task.train[0].input for task in tasks][:3]
    for program in programs[::7]:
        agree(program.text, program.name, program, grids)


def test_everything_is_there():
    public = {name for name, op in tessera.ops().items() if not op.dialect and not op.ours}
    assert len(public) == 160 and public < set(NAMES)
    for name, op in tessera.ops().items():
        assert all(NAMES[alias] is NAMES[name] for alias in op.aliases)
        assert tuple(inspect.signature(NAMES[name]).parameters) == op.parameters
        assert op.doc in NAMES[name].__doc__
    assert (dsl.T, dsl.F, dsl.UNITY, dsl.NEG_ONE, dsl.GREEN, dsl.L1, dsl.THREE_BY_THREE) == (True, False, (1, 1), -1, 3, -1, (3, 3))
    assert dsl.REGIONS == "REGIONS" and dsl.Object and dsl.Callable


def test_values_in_and_out():
    assert dsl.equality(1, True) is True and dsl.size(()) == 0
    assert dsl.vmirror(np.array([[1, 2]])) == dsl.vmirror([[1, 2]]) == ((2, 1),)
    assert dsl.add(np.int8(3), np.int64(4)) == 7
    assert dsl.insert(2**60, frozenset({-(2**63)})) == {2**60, -(2**63)}
    assert dsl.totuple({(3, (0, 1)), (2, (5, 5))}) == ((2, (5, 5)), (3, (0, 1)))
    assert dsl.first(dsl.repeat(dsl.repeat(7, 1000), 1000)) == (7,) * 1000
    assert dsl.index(((1,),), (4, 4)) is None
    assert dsl.fill(value=3, grid=((0, 0),), patch={(0, 1)}) == ((0, 3),)


def nested(depth):
    value = ()
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize(
    "call, kind, error",
    [
        (lambda: dsl.first(()), "empty", ValueError),
        (lambda: dsl.divide(1, 0), "zero", ZeroDivisionError),
        (lambda: dsl.add(2**62, 2**62), "overflow", OverflowError),
        (lambda: dsl.add(2**70, 1), "overflow", OverflowError),
        (lambda: dsl.vmirror("nothing"), "type", TypeError),
        (lambda: dsl.first(3.5), "type", TypeError),
        (lambda: dsl.rbind(3, 1), "type", TypeError),
        (lambda: dsl.compose(dsl.size, dsl.add)((1,)), "arity", TypeError),
        (lambda: dsl.power(dsl.double, 0), "depth", RecursionError),
        (lambda: dsl.first(nested(1000)), "depth", RecursionError),
        (lambda: dsl.repeat(7, 10**9), "budget", RuntimeError),
        (lambda: dsl.power(dsl.increment, 10**12)(0), "budget", RuntimeError),
        (lambda: dsl.size(((((((7,) * 999,) * 999,) * 999,) * 999,) * 999,) * 999), "budget", RuntimeError),
        (lambda: dsl.get_nth_t((), 3), "index", IndexError),
    ],
)
def test_failures(call, kind, error):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, tessera.PrimitiveFailure) and caught.value.kind == kind
    assert kind in str(caught.value) and len(str(caught.value)) < 400
    again = pickle.loads(pickle.dumps(caught.value)) if kind in ("empty", "zero") else None
    assert again is None or str(again) == str(caught.value)


def test_functions_of_python_are_called_back():
    seen = []

    def look(x):
        seen.append(x)
        return dsl.size(x)  # which calls the engine meanwhile

    objects = frozenset({frozenset({(1, (0, 0))}), frozenset({(2, (1, 1)), (2, (1, 2))})})
    assert dsl.argmax(objects, look) == {(2, (1, 1)), (2, (1, 2))} and len(seen) == 2
    assert dsl.order(objects, lambda o: -len(o))[0] == {(2, (1, 1)), (2, (1, 2))}
    assert dsl.fork(dsl.add, lambda x: x, dsl.chain(dsl.double, lambda x: x + 1, dsl.invert))(3) == -1
    assert dsl.rapply((len, max), (3, 5)) == (2, 5)
    assert dsl.each_part(((1, 2, 0, 3), (1, 2, 0, 4)), dsl.THINGS, lambda g: dsl.vmirror(g)) == ((2, 1, 0, 3), (2, 1, 0, 4))
    assert dsl.lbind(lambda a, b, c: (a, b, c), 1)(2, 3) == (1, 2, 3)
    made = dsl.apply(lambda n: lambda x: x + n, (1, 2))
    assert [f(10) for f in made] == [11, 12]


def test_what_a_function_raises_arrives():
    error = KeyError("mine")

    def fails(x):
        raise error

    for call in (lambda: dsl.apply(fails, (1, 2)), lambda: dsl.compose(dsl.size, fails)(1), lambda: dsl.extract((1,), fails)):
        with pytest.raises(KeyError) as caught:
            call()
        assert caught.value is error
    with pytest.raises(tessera.Failure, match="depth"):

        def endless(x):
            return dsl.apply(endless, (x,))

        endless(1)
    assert dsl.apply(lambda x: x, (1,)) == (1,)


def test_threads():
    def work():
        for n in range(300):
            results.append(dsl.apply(lambda x: dsl.add(x, n), (1, 2)) == (1 + n, 2 + n))

    results = []
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 1200 and all(results)


def test_functions_know_their_parts():
    f = dsl.compose(dsl.flip, dsl.matcher(dsl.size, 2))
    assert repr(f) == "compose(flip, matcher(size, 2))" and f == eval(repr(f), dict(NAMES)) and len({f, eval(repr(f), dict(NAMES))}) == 1
    assert dsl.first((f,)) == f and dsl.first((dsl.vmirror,)) is dsl.vmirror
    assert dsl.size(frozenset({f, dsl.rbind(dsl.add, 1)})) == 2


def test_nothing_is_held():
    value = (10**15, frozenset({(1, 2)}))
    before = sys.getrefcount(value[0])
    for _ in range(100):
        dsl.first((value, lambda x: x))
        run(lambda: dsl.apply(lambda x: dsl.divide(x, 0), (value[0],)))
        run(lambda: dsl.apply(dsl.lbind(dsl.astuple, value[0]), (value[0], "nothing")))
    gc.collect()
    assert sys.getrefcount(value[0]) < before + 50
