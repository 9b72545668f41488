"""Primitives in Python: in programs, batteries, mutations and searches, and whatever may go wrong in them."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Callable, FrozenSet, Tuple

import numpy as np
import pytest

import tessera
from elsewhere import stacked
from tessera.dsl import Grid, Indices, Integer, Object, apply, compose, hmirror

calls = []
armed = []  # what is registered stays, and other tests' searches try it: then it does no harm


@pytest.fixture
def harm():
    armed.append(True)
    yield
    armed.clear()


@tessera.primitive
def mixed(grid: Grid) -> Grid:
    """what no other step makes of a grid

    More of it.
    """
    calls.append(grid)
    return tuple(tuple((3 * c + i * i + 2 * j) % 10 for j, c in enumerate(row)) for i, row in enumerate(grid))


@tessera.primitive
def gap(patch: Indices, flag: bool) -> Integer:
    assert flag is True or flag is False
    return max(i for i, _ in patch) - min(j for _, j in patch) if flag else -1


@tessera.primitive(types=["Callable", "Any"], result="Any")
def again(function, value):
    return function(function(value))


@tessera.primitive(result="Any")
def odd(what: "Integer"):
    """Whatever may go wrong."""
    return WRONG[what]() if armed or not what else 0


def deep():
    value = ()
    for _ in range(1000):
        value = (value,)
    return value


def endless():
    return tessera.eval("odd(8)")


class Interrupt(BaseException):
    pass


def leave():
    raise Interrupt("away")


def divided():
    return 1 // 0


WRONG = [
    divided, lambda: 3.5, lambda: {"a": 1}, lambda: object, lambda: 2**70, deep, lambda: "no word", lambda: (1, None, [2.5]),
    endless, lambda: ((1,) * 5000,) * 5000, lambda: lambda x: x, leave, lambda: sys.exit(3),
]  # fmt: skip


def failure(expression):
    with pytest.raises(tessera.Failure) as caught:
        tessera.eval(expression)
    return caught.value


# ---- Programs ----


def test_a_program():
    program, = tessera.parse("def solve(I):\n    x1 = mixed(I)\n    return vmirror(x1)")
    assert program([[1, 2], [3, 4]]).tolist() == [[8, 3], [5, 0]]
    assert "mixed(I)" in program.text and "mixed" in program.words
    assert tessera.trace(program, [[1, 2], [3, 4]])[0].value.tolist() == [[3, 8], [0, 5]]


def test_values():
    assert tessera.eval("gap({(5, 1), (2, 2)}, T)") == 4
    assert tessera.eval("gap(flag=F, patch={(5, 1)})") == -1
    assert tessera.eval("again(increment, 5)") == 7
    assert tessera.eval("again(rbind(add, (1, 2)), (0, 0))") == (2, 4)
    assert "TypeError" in failure("again(again, 1)").message
    assert tessera.eval("apply(rbind(gap, T), ({(5, 1)}, {(7, 0)}))") == (4, 7)


def test_it_is_still_a_function():
    assert mixed(((1, 2), (3, 4))) == ((3, 8), (0, 5))
    assert mixed.__name__ == "mixed" and "mixed(grid: Grid) -> Grid" in repr(mixed)
    assert tessera.ops()["mixed"].doc == "what no other step makes of a grid"
    assert tessera.ops()["mixed"].added and not tessera.ops()["hmirror"].added


def test_with_the_dsl():
    grids = (((1, 2), (3, 4)), ((0, 0),))
    assert apply(mixed, grids) == tuple(map(mixed, grids))
    assert compose(hmirror, mixed)(grids[0]) == hmirror(mixed(grids[0]))
    assert again(lambda x: x + 1, 3) == 5
    assert apply(compose(again_of_increment, lambda x: x), (1, 2)) == (3, 4)
    with pytest.raises(tessera.PrimitiveFailure, match="ZeroDivisionError") as caught:
        apply(odd, (0,))
    assert caught.value.kind == "python"


def again_of_increment(x):
    return tessera.eval(f"again(increment, {x})")


def test_types():
    def define(name, **hints):
        def function(value):
            return value

        function.__name__, function.__annotations__ = name, hints
        return tessera.primitive(function).op

    assert define("typed_a", value=Tuple[int, int], **{"return": tuple[int, int]}).types == ("IntegerTuple",)
    assert define("typed_b", value=frozenset[tuple[int, tuple[int, int]]], **{"return": Object}).types == ("Object",)
    assert define("typed_c", value=Callable, **{"return": "Patch"}).signature == "typed_c(value: Callable) -> Patch"
    assert define("typed_d", value=FrozenSet[int], **{"return": Tuple[Tuple[int]]}).result == "Grid"
    assert define("typed_e", value="frozenset[int]", **{"return": "bool"}).signature == "typed_e(value: IntegerSet) -> Boolean"


@pytest.mark.parametrize(
    "source, says",
    [
        ("def f(a): return a", "a of f has no type"),
        ("def f(a: int): return a", "what f gives has no type"),
        ("def f(a: dict) -> int: return a", "the type <class 'dict'>"),
        ("def f(a: 'Nonsense') -> int: return a", "cannot be read"),
        ("def f() -> int: return 1", "takes 0 arguments"),
        ("def f(a: int, b: int, c: int, d: int, e: int) -> int: return 1", "takes 5 arguments"),
        ("def f(*a: int) -> int: return 1", "one to four arguments"),
        ("def f(a: int, *, b: int) -> int: return 1", "one to four arguments"),
        ("def hmirror(a: int) -> int: return a", "there is a primitive 'hmirror' already"),
        ("def x1(a: int) -> int: return a", "variables of that name"),
        ("def ZERO(a: int) -> int: return a", "the language has this name already"),
        ("def grün(a: int) -> int: return a", "has a name of up to 31 letters"),
        ("f = lambda a: a", "a of <lambda> has no type"),
        ("f = 7", "a primitive is a function"),
        ("f = max", "arguments"),
        ("def mixed(a: int) -> int: return a", "there is a primitive mixed.* already, with other parameters"),
    ],
)
def test_what_is_refused(source, says):
    space = {}
    exec(source, space)
    function = [value for name, value in space.items() if name != "__builtins__"][0]
    with pytest.raises((TypeError, ValueError), match=says):
        tessera.primitive(function)


@pytest.mark.parametrize("options", [{"units": 0}, {"units": 2.5}, {"cost": 10}, {"types": ["Grid", "Grid"]}, {"types": ["List"]}])
def test_options_that_are_refused(options):
    with pytest.raises((TypeError, ValueError)):
        tessera.primitive(name="never", result="Grid", **options)(lambda grid: grid)
    assert "never" not in tessera.ops()


def test_the_same_name_again():
    def define(offset):
        @tessera.primitive
        def shifted(n: int) -> int:
            return n + offset

        return shifted

    first = define(1)
    assert tessera.eval("shifted(5)") == 6
    second, count = define(2), len(tessera.ops())
    assert tessera.eval("shifted(5)") == 7 and first(5) == 6 and second(5) == 7
    for offset in range(200):
        define(offset)
    assert len(tessera.ops()) == count and tessera.eval("shifted(5)") == 204


# ---- Failures ----


def test_what_it_raises():
    for _ in range(2):  # made, and remembered
        error = failure("odd(0)")
        assert error.kind == "python" and error.line == 1
        assert error.message.startswith("ZeroDivisionError: ") and "(line " in error.message
        assert error.message in str(error)
    assert isinstance(odd.error, ZeroDivisionError) and odd.error.__traceback__
    assert "python" in tessera.FAILURES


@pytest.mark.parametrize(
    "which, kind, says",
    [
        (1, "python", "type float"), (2, "python", "type dict"), (3, "python", ""), (4, "overflow", ""), (5, "depth", ""),
        (6, "python", "type str"), (7, "python", "type tuple"), (9, "budget", ""), (10, "python", "type function"),
    ],
)  # fmt: skip
def test_what_it_gives_is_checked(harm, which, kind, says):
    error = failure(f"odd({which})")
    assert error.kind == kind and says in error.message


def test_types_are_checked():
    assert failure("mixed(7)").kind == "type"
    assert failure("mixed(((1, 2), (3, 44)))").kind == "type"

    @tessera.primitive
    def miscolored(grid: Grid) -> Grid:
        return tuple(tuple(c + 9 for c in row) for row in grid)

    @tessera.primitive
    def ragged(grid: Grid) -> Grid:
        return ((1, 2), (3,))

    assert tessera.eval("miscolored(((0, 0),))").tolist() == [[9, 9]]
    assert "whose cells are not all 0 to 9" in failure("miscolored(((1, 0),))").message
    assert "ragged gave ((1, 2), (3,)), which is no Grid" in failure("ragged(((1, 0),))").message


def test_it_calls_itself_for_ever(harm):
    error = failure("odd(8)")
    assert error.kind in ("python", "depth")


def test_what_is_no_exception_ends_all(harm):
    with pytest.raises(Interrupt, match="away"):
        tessera.eval("choose(T, 1, odd(11))")
    with pytest.raises(SystemExit):
        tessera.eval("odd(12)")
    with pytest.raises(Interrupt, match="away"):
        apply(odd, (11,))
    assert tessera.eval("increment(4)") == 5


def test_it_ends_a_battery_and_a_search(harm, tasks):
    with pytest.raises(Interrupt, match="away"):
        tessera.evaluate(["def a(I):\n    x1 = odd(11)\n    return repeat(x1, 2)"], tasks)

    @tessera.primitive(cost=1)
    def leaving(grid: Grid) -> Grid:
        raise Interrupt("from a search") if leaves else ValueError()

    leaves = True
    with pytest.raises(Interrupt, match="from a search"):
        tessera.solve(tasks["seesaw"], per_task=0.2)
    leaves = False
    leaving.forget()
    assert tessera.solve(tasks["seesaw"], per_task=0.02)


def test_ctrl_c_in_it(harm):
    @tessera.primitive(remember=False, cost=0)
    def slow(n: int) -> int:
        if armed:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        return n

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell in the background turns off
    try:
        with pytest.raises(KeyboardInterrupt):
            tessera.eval("slow(1)")
    finally:
        signal.signal(signal.SIGINT, before)


# ---- Memory ----


def test_calls_are_remembered():
    calls.clear()
    program, = tessera.parse("def solve(I):\n    return mixed(I)")
    for _ in range(10):
        program([[9, 8, 7]])
    assert len(calls) == 1
    mixed.forget()
    program([[9, 8, 7]])
    assert len(calls) == 2


# ---- Batteries, mutations, search ----


def made_task(function, demos=3):
    rng = np.random.default_rng(4)
    grids = [rng.integers(0, 6, (5 + k % 2, 6)) for k in range(demos + 1)]
    pairs = [{"input": g.tolist(), "output": function(tuple(map(tuple, g.tolist())))} for g in grids]
    return tessera.tasks({"made": {"train": pairs[:demos], "test": pairs[demos:]}})


def test_a_battery():
    programs = [f"def p{k}(I):\n    return {text}" for k, text in enumerate(["mixed(I)", "hmirror(mixed(I))", "odd(0)", "hmirror(I)"])]
    for threads in 1, 2:
        result = tessera.evaluate(programs, made_task(lambda g: hmirror(mixed(g))), threads=threads)
        assert result.solved[:, 0].tolist() == [False, True, False, False]
        assert tessera.FAILURES[result.failures[2, 0]] == "python"
    judged = tessera.judge(programs, made_task(lambda g: hmirror(mixed(g))))
    assert judged.solved.tolist() == [False, True, False, False]
    assert tessera.FAILURES[judged.failures[2, 0]] == "python"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_finds_it(threads):
    for function in mixed, lambda g: hmirror(mixed(g)), lambda g: mixed(tuple(zip(*g))):
        solution = tessera.solve(made_task(function), per_task=0.5, threads=threads)
        assert "mixed(" in solution["made"].program
        assert solution.score().right == 1


def test_iterate(tmp_path):
    tasks = made_task(lambda g: mixed(hmirror(g)))
    with tessera.Pool(tmp_path / "p.db", "a") as pool:
        pool.add("def solve_made(I):\n    return mixed(I)")
    tessera.iterate(tmp_path / "p.db", tasks, rounds=30, threads=1, seed=1)
    with tessera.Pool(tmp_path / "p.db") as pool:
        assert any("mixed" in entry.text for entry in pool)


# ---- Threads and processes ----


def test_threads():
    wrong = []

    def work(k):
        try:
            @tessera.primitive(name=f"of_thread_{k}", remember=False)
            def own(n: int) -> int:
                return again(lambda x: tessera.eval(f"increment({x})"), n) + k

            for n in range(30):
                assert tessera.eval(f"of_thread_{k}({n})") == n + 2 + k
                assert tessera.eval(f"mixed((({n % 10}, {k}),))").shape == (1, 2)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_process():
    child = os.fork()
    if not child:
        good = tessera.eval("mixed(((1, 2), (3, 4)))").tolist() == [[3, 8], [0, 5]]
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_another_process_does_not_have_it(tmp_path):
    """A pool that holds it says so by its name."""
    with tessera.Pool(tmp_path / "p.db", "a") as pool:
        pool.add("def solve_made(I):\n    return mixed(I)", {"made": tessera.PoolScore(3, 3)})
    code = f"import tessera\nwith tessera.Pool({str(tmp_path / 'p.db')!r}) as pool:\n    print(list(pool)[0].text)\n    print(pool.programs().errors)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "unknown primitive 'mixed'" in done.stderr + done.stdout


def doubled(grid: Grid) -> Grid:
    return grid + grid


def test_they_are_pickled():
    named = tessera.primitive(doubled, name="twice_down", units=50, cost=0)
    for thing in (mixed, again, named, compose(mixed, hmirror)):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(thing, protocol)) == thing
        assert copy.copy(thing) == copy.deepcopy(thing) == thing
    assert pickle.loads(pickle.dumps(named)) is named and named._terms == (50, 0, True)
    program, = tessera.parse("def solve(I):\n    return twice_down(mixed(I))")
    assert pickle.loads(pickle.dumps(program)).text == program.text
    local = tessera.primitive(lambda grid: grid, name="local_one", types=["Grid"], result="Grid")
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)


def test_they_go_to_another_process():
    """Which does not have it: what was pickled registers it there."""
    code = (
        "import pickle, sys, tessera; sys.path.insert(0, 'python/tests')\n"
        "given = pickle.load(sys.stdin.buffer)\n"
        "print(tessera.parse('def a(I): return down_twice(I)')[0]([[1]]).tolist(), given.op.name)"
    )
    data = pickle.dumps(tessera.primitive(stacked, name="down_twice"))
    said = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True).stdout
    assert said.decode() == "[[1], [1]] down_twice\n"


# ---- Executors ----

FORK, SPAWN = (multiprocessing.get_context(name) for name in ("fork", "spawn"))


def test_workers_need_them_too(tasks):
    tessera.primitive(lambda grid: grid, name="here_only", types=["Grid"], result="Grid", cost=0)
    program = "def a(I):\n    return here_only(I)"
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
        with pytest.raises(tessera.ExecutorError, match="(?s)unknown primitive 'here_only'.*registered"):
            tessera.evaluate(program, tasks, executor=pool)
        with pytest.raises(tessera.InputError, match="other primitives of its own"):
            tessera.solve(tasks, per_task=0.01, executor=pool)
    with ProcessPoolExecutor(2, mp_context=FORK) as pool:
        there = tessera.evaluate(program, tasks, executor=pool)
    assert (there._outcomes == tessera.evaluate(program, tasks)._outcomes).all()


def test_ctrl_c_in_a_worker(tasks, tmp_path):
    """Which hears of it within a primitive: what it has given then does not count."""

    def fickle(grid):
        mark = tmp_path / str(len(grid) % 3)
        if os.getpid() != here and not mark.exists():
            mark.touch()
            raise KeyboardInterrupt
        return grid

    here = os.getpid()
    tessera.primitive(fickle, types=["Grid"], result="Grid", cost=0, remember=False)
    program = "def a(I):\n    return fickle(I)"
    with ProcessPoolExecutor(2, mp_context=FORK) as pool:
        there = tessera.evaluate(program, tasks, full=True, executor=pool)
    assert list(tmp_path.iterdir()) and (there._outcomes == tessera.evaluate(program, tasks, full=True)._outcomes).all()
