#!/usr/bin/env python3
"""Compare Tessera with the public DSL in Python on random expressions.

    python3 tests/compare_python.py ARC_DSL_DIR [--count N] [--seed S] [--out FILE]
                                    [--tessera build/tessera] [--golden DIR]

ARC_DSL_DIR is a checkout of the public arc-dsl (dsl.py, constants.py); it is loaded from there, never copied.
The tool invents N expressions, an equal share for each primitive: half well typed, a quarter with one odd
argument, a quarter with anything anywhere. It runs each in Python and writes `expression => value` lines (`!` where
Python raises) to FILE, or to stdout. With --tessera it then runs `tessera check FILE` and exits with its code.
With --golden it first checks itself against DIR/primitives.txt, programs.py and programs.txt.
The same seed gives the same lines on any machine.

How it is built
  1. Sorted sets    the language defines that sets iterate in sorted order; Python's do not, so dsl.py runs with
                    set classes of ours.
  2. The DSL        dsl.py is rewritten as it is loaded: sets go through our classes, loops and arithmetic through
                    guards that stop what is too big (by count, not by the clock, to stay deterministic).
  3. Text           evaluates an expression; writes a value.
  4. Well typed     the generator works on Python values, led by the annotations in dsl.py; there is no table of
                    the 160 primitives to keep in step.
  5. Odd            changes a good value into one that Python may still accept.
  6. Lines          puts both together.

A line is left out (Skip) where the language says nothing: the order of a set that holds None or functions, the
equality of two closures, `order` by keys of which some hold sets and others cannot be compared with them, a 64-bit
overflow outside plain arithmetic, a result that holds a function, anything too long or too slow.
"""

import argparse
import ast
import functools
import operator
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LONGEST_TEXT = 3000     # characters of an expression, and of a value
LONGEST_RANGE = 500
MOST_STEPS = 100_000    # iterations of loops in dsl.py for one expression: well below 0.2 s
MOST_NODES = 5000       # parts of a value
MOST_POWER = 20
INT_MIN, INT_MAX = -2**63, 2**63 - 1


class Skip(BaseException):
    """The language does not define this result, or it is too big to be worth a line. Not an Exception: nothing in
    between may take it for a failure of the expression."""


# ---- 1. Sorted sets -------------------------------------------------------------------------------------------------

class Unordered:
    """Sort key of a value that has no place in the natural order (None, a function)."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Unordered) and self.value is other.value

    def __lt__(self, other):
        raise Skip

    __gt__ = __lt__


def natural(value):
    """Sort key of the natural order: integers, then tuples, then sets, each by their parts, a prefix first."""
    if isinstance(value, int):
        return (0, value)
    if isinstance(value, tuple):
        return (1, tuple(natural(part) for part in value))
    if isinstance(value, (frozenset, set)):
        return (2, tuple(natural(part) for part in value))
    return Unordered(value)


def closed(cls):
    """Make the operators of a set class return that class: Python's return the base class."""
    def wrap(method):
        def wrapped(self, *others):
            result = method(self, *others)
            return result if result is NotImplemented else cls(result)
        return wrapped
    for name in ('__and__', '__or__', '__sub__', '__xor__', 'union', 'intersection', 'difference'):
        setattr(cls, name, wrap(getattr(cls, name)))
    return cls


@closed
class SortedSet(frozenset):
    def __iter__(self):
        try:
            return iter(self.in_order)
        except AttributeError:
            self.in_order = sorted(super().__iter__(), key=natural)
            return iter(self.in_order)


@closed
class MutableSortedSet(set):
    def __iter__(self):
        return iter(sorted(super().__iter__(), key=natural))


# ---- 2. The DSL -----------------------------------------------------------------------------------------------------

class Guards:
    """What the rewritten dsl.py calls in place of loops, arithmetic and some builtins."""

    OPERATORS = {'Add': operator.add, 'Sub': operator.sub, 'Mult': operator.mul, 'FloorDiv': operator.floordiv,
                 'Mod': operator.mod, 'BitAnd': operator.and_, 'BitOr': operator.or_, 'USub': operator.neg,
                 'Abs': abs}
    # Here an overflow is plainly the result's, so it is a failure. Elsewhere (the sum in a centre of mass, a shifted
    # location) it depends on how the engine computes, so such a line is left out.
    PLAIN = {'add', 'subtract', 'multiply', 'divide', 'invert', 'double', 'halve', 'increment', 'decrement', 'crement'}

    def __init__(self):
        self.steps = 0
        self.longest_range = LONGEST_RANGE

    def spend(self, steps):
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise Skip

    def each(self, iterable):
        """Stands around the source of every loop; returns it as it is, so that a wrong one still raises there."""
        self.spend(len(iterable) + 1 if hasattr(iterable, '__len__') else 1)
        return iterable

    def span(self, *bounds):
        result = range(*bounds)
        try:
            if len(result) > self.longest_range:
                raise Skip
        except OverflowError:
            raise Skip from None
        return result

    def arithmetic(self, name, *operands):
        if name == 'Mult':
            self.check_repetition(*operands)
        result = self.OPERATORS[name](*operands)
        if isinstance(result, int) and not INT_MIN <= result <= INT_MAX:
            if sys._getframe(1).f_code.co_name in self.PLAIN:
                raise OverflowError
            raise Skip
        if isinstance(result, tuple) and len(result) > MOST_NODES:
            raise Skip
        return result

    @staticmethod
    def check_repetition(a, b):
        """tuple * int: find out before the memory is gone."""
        if isinstance(b, tuple):
            a, b = b, a
        if isinstance(a, tuple) and isinstance(b, int) and len(a) * b > MOST_NODES:
            raise Skip

    def total(self, numbers):
        result = 0
        for number in numbers:
            result = self.arithmetic('Add', result, number)
        return result


guards = Guards()


def weigh(value, left=MOST_NODES):
    """Count the parts of a value. `power(fork(astuple, identity, identity), 20)` is small in memory, as its parts are
    shared, but takes for ever to compare or to print."""
    left -= 1
    if left < 0:
        raise Skip
    if isinstance(value, (tuple, frozenset)):
        for part in value:
            left = weigh(part, left)
    return left


class Closure:
    """A function that the DSL builds. Its own class, so that comparing two of them can be noticed."""

    def __init__(self, function):
        self.function = function
        self.__code__ = function.__code__   # rbind and lbind read the number of arguments here

    def __call__(self, *args):
        guards.spend(1)
        result = self.function(*args)
        weigh(result)
        return result

    def __eq__(self, other):
        if isinstance(other, Closure):
            raise Skip
        return NotImplemented

    def __hash__(self):
        return 0    # the same for all: two of them in one set must meet in __eq__


class Rewrite(ast.NodeTransformer):
    """Rewrites dsl.py. Its meaning stays the same but for the order of sets."""

    @staticmethod
    def call(name, *args):
        return ast.Call(ast.Name(name, ast.Load()), list(args), [])

    def visit_Set(self, node):
        self.generic_visit(node)
        return self.call('set', ast.Tuple(node.elts, ast.Load()))

    def visit_SetComp(self, node):
        self.generic_visit(node)
        return self.call('set', ast.ListComp(node.elt, node.generators))

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = self.call('_each', node.iter)
        return node

    visit_comprehension = visit_For

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.call('_arithmetic', ast.Constant(type(node.op).__name__), node.left, node.right)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            return self.call('_arithmetic', ast.Constant('USub'), node.operand)
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Lambda):
            node.value = self.call('_closure', node.value)
        return node


class RewriteExpression(ast.NodeTransformer):
    """Rewrites an expression of the golden format: {...} is a frozen set, {} an empty one."""

    def visit_Set(self, node):
        self.generic_visit(node)
        return Rewrite.call('frozenset', ast.Tuple(node.elts, ast.Load()))

    def visit_Dict(self, node):
        return Rewrite.call('frozenset')


def holds_set(value):
    return isinstance(value, frozenset) or isinstance(value, tuple) and any(map(holds_set, value))


def compare_keys(a, b):
    """As Python compares, but sets by the natural order."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        for x, y in zip(a, b):
            if x != y:
                return compare_keys(x, y)
        return len(a) - len(b)
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        a, b = natural(a), natural(b)
        return (a > b) - (a < b)
    raise Skip      # Python would raise, the natural order would not: which one holds is not defined


def order(container, compfunc):
    """The one primitive that is defined otherwise than in Python: inclusion of sets is no order to sort by."""
    keyed = [(item if compfunc is None else compfunc(item), item) for item in guards.each(container)]
    if any(holds_set(key) for key, _ in keyed):
        keyed.sort(key=lambda pair: functools.cmp_to_key(compare_keys)(pair[0]))
    else:
        keyed.sort(key=lambda pair: pair[0])
    return tuple(item for _, item in keyed)


class Dsl:
    """The public DSL: `names` is its namespace, `signatures` maps each primitive to the annotations of its
    parameters and of its result, `constants` lists the names in constants.py."""

    def __init__(self, folder):
        sys.dont_write_bytecode = True      # leave no trace in the user's checkout
        sys.path.insert(0, str(folder))     # dsl.py imports arc_types
        self.names = {'frozenset': SortedSet, 'set': MutableSortedSet, 'range': guards.span, 'sum': guards.total,
                      'abs': functools.partial(guards.arithmetic, 'Abs'), '_each': guards.each,
                      '_arithmetic': guards.arithmetic, '_closure': Closure}
        tree = ast.parse((folder / 'dsl.py').read_text())
        self.signatures = {
            f.name: ([ast.unparse(a.annotation) if a.annotation else 'Callable' for a in f.args.args],
                     ast.unparse(f.returns))
            for f in tree.body if isinstance(f, ast.FunctionDef)}
        self.execute(Rewrite().visit(tree))
        self.names['order'] = order
        python_power = self.names['power']

        def power(function, n):
            if isinstance(n, int) and not 1 <= n <= MOST_POWER:
                raise Skip      # below 1 Python runs out of stack
            return python_power(function, n)
        self.names['power'] = power
        before = set(self.names)
        self.execute(ast.parse((folder / 'constants.py').read_text()))
        self.constants = [name for name in self.names if name not in before]

    def execute(self, tree):
        exec(compile(ast.fix_missing_locations(tree), 'arc-dsl', 'exec'), self.names)

    # ---- 3. Text ----------------------------------------------------------------------------------------------------

    def value(self, expression):
        """The value of an expression; raises what Python raises, or Skip."""
        tree = RewriteExpression().visit(ast.parse(expression, mode='eval'))
        guards.steps = 0
        try:
            return eval(compile(ast.fix_missing_locations(tree), 'expression', 'eval'), self.names)
        except (RecursionError, MemoryError):
            raise Skip from None

    def outcome(self, expression):
        """What stands to the right of `=>`."""
        try:
            value = self.value(expression)
        except Exception:
            return '!'
        return text(value)


class Code(str):
    """An expression inside a generated value: a function, a constant's name or a call."""


def text(value):
    weigh(value)
    result = write(value)
    if len(result) > LONGEST_TEXT:
        raise Skip
    return result


def write(value):
    if isinstance(value, Code) or value is None:
        return str(value)
    if isinstance(value, int):
        return str(int(value))      # a boolean is an integer
    if isinstance(value, tuple):
        return '(' + ', '.join(map(write, value)) + (',)' if len(value) == 1 else ')')
    if isinstance(value, frozenset):
        return '{' + ', '.join(map(write, value)) + '}'
    raise Skip      # a function


# ---- 4. Well typed --------------------------------------------------------------------------------------------------

# Kinds of values that we make, and what the elements of a container are.
ELEMENT = {'ints': 'int', 'intset': 'int', 'vecs': 'vec', 'indices': 'vec', 'object': 'cell', 'objects': 'object',
           'objecttuple': 'object', 'patches': 'indices', 'grid': 'ints', 'rows': 'ints', 'grids': 'grid'}
NESTED = [kind for kind in ELEMENT if ELEMENT[kind] in ELEMENT]
KINDS = ['int', 'bool', 'vec', *ELEMENT]

# Annotation in dsl.py -> kinds that it accepts.
ACCEPTS = {
    'Any': KINDS, 'Integer': ['int'], 'Boolean': ['bool'], 'IntegerTuple': ['vec'], 'Numerical': ['int', 'vec'],
    'IntegerSet': ['intset', 'ints'], 'Grid': ['grid'], 'Object': ['object'], 'Objects': ['objects'],
    'Indices': ['indices'], 'Patch': ['object', 'indices'], 'Element': ['object', 'grid'],
    'Piece': ['grid', 'object', 'indices'], 'FrozenSet': ['intset', 'indices', 'object', 'objects', 'patches'],
    'Tuple': ['ints', 'vecs', 'rows', 'grid', 'objecttuple'], 'TupleTuple': ['rows'], 'Container': list(ELEMENT),
    'ContainerContainer': NESTED, 'Callable': ['function'],
}
BUILDERS = ('compose', 'chain', 'matcher', 'rbind', 'lbind', 'power', 'fork')   # they return a function
PAIRWISE = ('papply', 'mpapply', 'prapply')                                     # they take a binary function
BY_KEY = ('order', 'argmax', 'argmin', 'valmax', 'valmin')

# Kinds that no annotation names, but Python takes here and there: adding a pair of tuples joins them.
ODD_KINDS = KINDS + ['big', 'bigvec', 'tuplepair', 'setpair']

# Integers at which a packed or narrow representation would break.
EDGES = [0, 0, 0, -1, -1, -2, -3, 10, 11, 29, 30, 31, 42, 100, 127, 128, -128, -129, 200, 255, 256, -300, 1000, 5000,
         -3000, 32767, 32768, -32769, 65536, 70000, 2**31 - 1, 2**31, -2**31 - 1, 2**32, 10**12]
BIG = [INT_MAX, INT_MIN, INT_MAX, INT_MIN, 2**62, -2**62, 2**32, 3037000500]     # the last: root of 2**63


def make_set(items):
    """A set of generated values. What has no place in the order may only be alone."""
    items = list(items)
    if len(items) > 1:
        items = [item for item in items if not unordered(item)]
    return SortedSet(items)


def unordered(value):
    return value is None or isinstance(value, Code) or isinstance(value, (tuple, frozenset)) and any(
        map(unordered, value))


class Generator:
    def __init__(self, dsl, seed):
        self.dsl = dsl
        self.random = random.Random(seed)
        self.signatures = dsl.signatures
        self.takers = {kind: self.find_takers(kind) for kind in [*KINDS, 'cell', 'function']}
        self.plain = [name for name in self.signatures if name not in BUILDERS]
        self.givers = {annotation: [name for name in self.plain if self.overlap(self.signatures[name][1], annotation)]
                       for annotation in ACCEPTS}

    @staticmethod
    def accepts(annotation, kind):
        if kind == 'cell':
            return annotation in ('Any', 'Container', 'Tuple', 'IntegerTuple')
        return kind in ACCEPTS[annotation] or annotation == 'Any'

    @staticmethod
    def overlap(given, wanted):
        return bool(set(ACCEPTS[given]) & set(ACCEPTS[wanted]))

    def find_takers(self, kind):
        """The (primitive, position of the parameter) pairs that take this kind."""
        return [(name, i) for name, (parameters, _) in self.signatures.items()
                for i, annotation in enumerate(parameters) if self.accepts(annotation, kind)]

    def chance(self, p):
        return self.random.random() < p

    def some(self, make, low, high):
        """A list of `low` to `high` values; in one case of twelve it is empty."""
        n = 0 if self.chance(1 / 12) else self.random.randint(low, high)
        return [make() for _ in range(n)]

    # Values, one method per kind.

    def make(self, kind):
        return getattr(self, 'make_' + kind)()

    def make_int(self):
        return self.random.randint(0, 9) if self.chance(0.8) else self.random.randint(-4, 14)

    def make_bool(self):
        return self.random.choice([True, False, Code('T'), Code('F')])

    def make_vec(self):
        if self.chance(0.3):
            return (self.random.randint(-2, 2), self.random.randint(-2, 2))
        return (self.make_int(), self.make_int())

    def make_cell(self):
        return (self.random.randint(0, 9), (self.random.randint(0, 6), self.random.randint(0, 6)))

    def make_ints(self):
        return tuple(self.some(self.make_int, 1, 6))

    def make_intset(self):
        return make_set(self.some(self.make_int, 1, 5))

    def make_vecs(self):
        return tuple(self.some(self.make_vec, 1, 4))

    def make_rows(self):
        return tuple(self.some(self.make_ints, 1, 4))

    def make_grid(self):
        """Few colours, one of them common; sometimes with plain lines, sometimes periodic."""
        height, width = self.random.randint(1, 7), self.random.randint(1, 7)
        colors = self.random.sample(range(10), self.random.randint(1, 4))
        colors += colors[:1] * self.random.randint(0, 5)
        rows = [[self.random.choice(colors) for _ in range(width)] for _ in range(height)]
        style = self.random.random()
        if style < 0.15:
            rows[self.random.randrange(height)] = [colors[0]] * width
        elif style < 0.3:
            j = self.random.randrange(width)
            for row in rows:
                row[j] = colors[-1]
        elif style < 0.4:
            period = self.random.randint(1, 3)
            rows = [[rows[i % period % height][j % period % width] for j in range(width)] for i in range(height)]
        return tuple(map(tuple, rows))

    def make_indices(self):
        """Scattered locations, a rectangle or a line, near the origin or a little off it."""
        top, left = self.random.randint(-2, 5), self.random.randint(-2, 5)
        style = self.random.random()
        if style < 0.06:
            return SortedSet()
        if style < 0.5:
            return make_set((top + self.random.randint(0, 4), left + self.random.randint(0, 4))
                            for _ in range(self.random.randint(1, 8)))
        height, width = self.random.randint(1, 4), self.random.randint(1, 4)
        if style < 0.7:
            height, width = self.random.choice([(height, 1), (1, width)])
        return make_set((top + i, left + j) for i in range(height) for j in range(width))

    def make_object(self):
        indices = self.make_indices()
        if self.chance(0.5):
            color = self.random.randint(0, 9)
            return make_set((color, index) for index in indices)
        a, b = self.random.randint(1, 3), self.random.randint(0, 3)     # periodic more often than by chance
        return make_set(((i * b + j) % (a + 1) if self.chance(0.8) else self.random.randint(0, 9), (i, j))
                        for i, j in indices)

    def make_objects(self):
        return make_set(self.with_subsets(self.some(self.make_object, 1, 4)))

    def make_objecttuple(self):
        return tuple(self.some(self.make_object, 1, 3))

    def make_patches(self):
        return make_set(self.with_subsets(self.some(self.make_indices, 1, 4)))

    def with_subsets(self, sets):
        """Random sets are seldom comparable by inclusion; so add parts of some."""
        return sets + [make_set(list(s)[1:]) for s in sets if self.chance(0.15)]

    def make_grids(self):
        return tuple(self.some(self.make_grid, 1, 3))

    def make_big(self):
        """Near a power of two; mostly near the ends of the range."""
        return min(max(self.random.choice(BIG) + self.random.choice([0, 0, 0, 1, -1, 2, -3, 7]), INT_MIN), INT_MAX)

    def make_bigvec(self):
        return (self.make_big(), self.make_int() if self.chance(0.5) else self.make_big())

    def make_tuplepair(self):
        return (self.make_ints(), self.make_ints()) if self.chance(0.7) else (self.make_rows(), self.make_vec())

    def make_setpair(self):
        a = self.make(self.random.choice(['intset', 'indices', 'object']))
        return (a, self.perturb(a))

    def make_function(self):
        return self.function(self.random.choice(KINDS))[0]

    # Functions. Each method returns the expression and the kind of what the function returns, as far as known.

    def result_kind(self, name, kind):
        """What a primitive returns if the argument that is of interest is of this kind."""
        kinds = ACCEPTS[self.signatures[name][1]]
        if len(kinds) == 1:
            return kinds[0]
        if name in ('first', 'last', 'other', 'extract', 'argmax', 'argmin', 'mostcommon', 'leastcommon'):
            return ELEMENT.get(kind, 'int')
        return kind if kind in kinds else self.random.choice(kinds)

    def function(self, kind, depth=2):
        """A function that takes one value of this kind."""
        roll = self.random.random() if depth else self.random.uniform(0.3, 1)
        if roll < 0.3:
            head = self.random.choice(['compose', 'compose', 'chain', 'matcher', 'fork', 'fork', 'power'])
            args, result = self.build(head, kind, depth - 1)
            return self.call(head, args), result
        takers = self.takers[kind]
        if roll < 0.7:
            takers = [(name, i) for name, i in takers if len(self.signatures[name][0]) == 1]
        name, position = self.random.choice(takers)
        return self.bind(name, position), self.result_kind(name, kind)

    def bind(self, name, free):
        """The primitive with all parameters fixed but one."""
        parameters = self.signatures[name][0]
        result = Code(name)
        for annotation in reversed(parameters[free + 1:]):
            result = self.call('rbind', [result, self.argument(annotation)])
        for annotation in parameters[:free]:
            result = self.call('lbind', [result, self.argument(annotation)])
        return result

    def binary(self, kind_a, kind_b):
        """A primitive of two parameters that takes these kinds."""
        names = [name for name, (parameters, _) in self.signatures.items() if len(parameters) == 2
                 and self.accepts(parameters[0], kind_a) and self.accepts(parameters[1], kind_b)]
        name = self.random.choice(names)
        return Code(name), self.result_kind(name, kind_a)

    def build(self, head, kind, depth=1):
        """The arguments of a builder that gives a function of this kind, and the kind of its result."""
        if head == 'power':
            for _ in range(10):
                f, result = self.function(kind, depth)
                if result == kind:
                    break
            return [f, self.random.randint(1, 4)], result
        if head == 'fork':
            (a, kind_a), (b, kind_b) = self.function(kind, depth), self.function(kind, depth)
            outer, result = self.binary(kind_a, kind_b)
            return [outer, a, b], result
        f, result = self.function(kind, depth)
        if head == 'matcher':
            return [f, self.argument('Any') if self.chance(0.3) else self.make(result)], 'bool'
        functions = [f]
        for _ in range(1 if head == 'compose' else 2):
            f, result = self.function(result, depth)
            functions.insert(0, f)
        return functions, result

    @staticmethod
    def call(name, args):
        return Code(f'{name}({", ".join(map(write, args))})')

    # Arguments.

    def argument(self, annotation):
        if annotation == 'Callable':
            return self.make_function()
        value = self.make(self.random.choice(ACCEPTS[annotation]))
        return self.constant(value) if self.chance(0.05) else value

    def constant(self, value):
        """The name of a constant with this value, if there is one."""
        names = [name for name in self.dsl.constants if write(self.dsl.names[name]) == write(value)]
        return Code(self.random.choice(names)) if names else value

    def well_typed(self, name):
        """Arguments for a primitive, and those for the call of what it returns (None: it is not called)."""
        parameters = self.signatures[name][0]
        if name in ('rbind', 'lbind'):
            inner = self.random.choice([n for n in self.plain if len(self.signatures[n][0]) > 1])
            args, _ = self.well_typed(inner)
            if name == 'rbind':
                return [Code(inner), args[-1]], args[:-1]
            return [Code(inner), args[0]], args[1:]
        if name in BUILDERS:
            kind = self.random.choice(KINDS)
            return self.build(name, kind)[0], [self.make(kind)]
        if name in PAIRWISE:
            return self.pairwise(), None
        if name == 'rapply':
            kind = self.random.choice(KINDS)
            return [tuple(self.some(lambda: self.function(kind)[0], 1, 3)), self.make(kind)], None
        if 'Callable' in parameters:
            return self.with_function(name, parameters), None
        args = [self.argument(annotation) for annotation in parameters]
        return self.relate(parameters, args), None

    def with_function(self, name, parameters):
        """A container and a function of its elements."""
        kind = self.random.choice(ACCEPTS[parameters[1 - parameters.index('Callable')]])
        element = ELEMENT[kind]
        if name in BY_KEY and self.chance(0.2):     # keys that are tuples, often with sets in them
            function = self.call('fork', [Code('astuple'), self.function(element, 1)[0], self.function(element, 1)[0]])
        else:
            for _ in range(5):
                function, result = self.function(element)
                if name != 'mapply' or result in ELEMENT:
                    break
        return [function if annotation == 'Callable' else self.make(kind) for annotation in parameters]

    def pairwise(self):
        inner = self.random.choice([n for n in self.plain if len(self.signatures[n][0]) in (2, 3)])
        parameters = self.signatures[inner][0]
        function = Code(inner)
        if len(parameters) == 3:
            left = self.chance(0.5)
            fixed = self.argument(parameters[0 if left else 2])
            function = self.call('lbind' if left else 'rbind', [function, fixed])
            parameters = parameters[1:] if left else parameters[:2]
        containers = [self.some(lambda: self.argument(annotation), 1, 4) for annotation in parameters]
        return [function] + [tuple(c) if self.chance(0.7) else make_set(c) for c in containers]

    def relate(self, parameters, args):
        """Independent arguments seldom have to do with one another: nothing is contained, nothing occurs. So take one
        argument from another one now and then."""
        for i, wanted in enumerate(parameters):
            j = self.random.randrange(len(args))
            if i == j or self.chance(0.3) or not isinstance(args[j], (tuple, frozenset)):
                continue
            if wanted == parameters[j] or wanted == 'Any' and self.chance(0.3):
                args[i] = self.perturb(args[j])
            elif wanted == 'Object' and parameters[j] == 'Grid':
                args[i] = self.part_of_grid(args[j])
            elif wanted in ('Any', 'Integer'):
                args[i] = self.part_of(args[j], deep=wanted == 'Integer')
        return args

    def part_of(self, value, deep):
        """An element of this container, or (deep) an integer somewhere inside."""
        part = value
        while isinstance(part, (tuple, frozenset)) and part and (deep or part is value):
            part = self.random.choice(list(part))
        return part

    def perturb(self, value):
        """A value of the same form that shares much with this one."""
        if isinstance(value, frozenset):
            kept = [part for part in value if self.chance(0.7)]
            return make_set(kept + [self.perturb(part) for part in value if self.chance(0.2)])
        if isinstance(value, tuple):
            return tuple(self.perturb(part) for part in value)
        if isinstance(value, int) and self.chance(0.2):
            return self.make_int()
        return value

    def part_of_grid(self, grid):
        top, left = self.random.randrange(len(grid)), self.random.randrange(len(grid[0]))
        bottom, right = top + self.random.randint(1, 3), left + self.random.randint(1, 3)
        di, dj = self.make_vec() if self.chance(0.5) else (0, 0)
        return make_set((v, (i + di, j + dj)) for i, row in enumerate(grid[top:bottom], top)
                        for j, v in enumerate(row[left:right], left))

    # ---- 5. Odd -----------------------------------------------------------------------------------------------------

    def edge(self):
        return self.make_big() if self.chance(0.1) else self.random.choice(EDGES)

    def odd(self, value):
        """A value that is like this one, but not quite: here, or somewhere inside."""
        if isinstance(value, (tuple, frozenset)) and value and self.chance(0.55):
            parts = list(value)
            i = self.random.randrange(len(parts))
            parts[i] = self.odd(parts[i])
            return tuple(parts) if isinstance(value, tuple) else make_set(parts)
        if self.chance(0.15):
            return self.anything(1)
        if self.chance(0.15):
            return self.make(self.random.choice(ODD_KINDS))
        if self.chance(0.2):
            return self.random.choice([(value,), make_set([value]), (value, value), (value, 0), (0, value),
                                       (value, value, value)])
        if isinstance(value, tuple):
            return self.odd_tuple(value)
        if isinstance(value, frozenset):
            return self.odd_set(value)
        if isinstance(value, Code):
            return self.random.choice([self.make_function(), self.make_function(), self.make_int(), Code('identity')])
        return self.random.choice([self.edge(), self.edge(), self.edge(), None, self.make_int()])

    def stretch(self, values):
        """The same values with other integers: all moved by as much, or one of them replaced. They stay well typed,
        but leave the range of a grid."""
        offset = self.random.choice([100, 120, 130, 200, -130, -300, 5000, -3000, 32760, 70000, 2**31, 10**12])
        only = self.random.randint(0, 9) if self.chance(0.4) else None

        def change(value):
            if isinstance(value, (tuple, frozenset)):
                return (tuple if isinstance(value, tuple) else make_set)([change(part) for part in value])
            if isinstance(value, int) and not isinstance(value, bool) and only in (None, value):
                return value + offset
            return value
        return [change(value) for value in values]

    def odd_tuple(self, value):
        parts = list(value)
        if len(parts) == 2 and self.chance(0.3):    # a location or vector far away
            return (self.edge(), self.edge())
        extra = self.anything(1) if self.chance(0.4) else self.random.choice(parts or [0])
        where = self.random.randint(0, len(parts))
        flat = tuple(x for part in parts for x in (part if isinstance(part, (tuple, frozenset)) else [part]))
        return self.random.choice([
            make_set(parts), make_set(parts), (), value[1:], value[:1], value[:-1], value + value[:1], value[::-1],
            value * 2, flat, tuple(parts[:where] + [extra] + parts[where:]), tuple(parts[:where] + [extra]),
            tuple(make_set(part) if isinstance(part, tuple) else part for part in parts)])

    def odd_set(self, value):
        parts = list(value)
        shuffled = parts + [part for part in parts if self.chance(0.4)]
        self.random.shuffle(shuffled)
        return self.random.choice([
            tuple(parts), tuple(shuffled), tuple(shuffled), SortedSet(), (), make_set(parts[1:]), make_set(parts[:1]),
            make_set(parts + [self.anything(1)]), make_set(parts + [self.odd(part) for part in parts[:2]]),
            make_set(tuple(part) if isinstance(part, frozenset) else part for part in parts),
            make_set(make_set(part) if isinstance(part, tuple) else part for part in parts)])

    def anything(self, depth=2):
        roll = self.random.random()
        if roll < 0.2:
            return self.make_int()
        if roll < 0.3:
            return self.edge()
        if roll < 0.34:
            return None
        if roll < 0.36:
            return self.call('index', [((self.make_int(),),), (2, 2)])      # None that an expression gives
        if roll < 0.42:
            return self.make_bool()
        if roll < 0.5:
            return self.make_function()
        if roll < 0.56:
            return self.random.choice([(), SortedSet()])
        if roll < 0.76 or not depth:
            return self.make(self.random.choice(KINDS))
        if roll < 0.84:
            return self.odd(self.make(self.random.choice(KINDS)))
        parts = [self.anything(depth - 1) for _ in range(self.random.randint(1, 3))]
        return tuple(parts) if self.chance(0.65) else make_set(parts)

    # ---- 6. Lines ---------------------------------------------------------------------------------------------------

    def expression(self, name, oddness):
        """An expression with this primitive outermost; `oddness` is how many arguments are odd: 0, 1 or 2 (any)."""
        args, calls = self.well_typed(name)
        if self.chance(0.2):
            for _ in range(self.random.randint(1, 2)):
                self.nest(name, args)
        if self.chance(0.06):
            args = self.stretch(args)
        if oddness == 1:
            self.change_one(args, calls)
        elif oddness == 2 and calls is None and self.chance(0.3):
            args = self.alike(self.signatures[name][0])
        elif oddness == 2:
            args = [self.anything() if self.chance(0.4) else self.odd(arg) for arg in args]
            calls = calls and [self.odd(arg) if self.chance(0.5) else arg for arg in calls]
        if oddness and calls is not None and self.chance(0.06):     # a wrong number of arguments
            calls = calls[1:] if self.chance(0.5) else calls + [self.make_int()]
        if name == 'power' and isinstance(args[1], int) and self.chance(0.1):
            args[1] = self.random.randint(1, MOST_POWER)
        return self.call(name, args) + ('' if calls is None else self.call('', calls))

    def alike(self, parameters):
        """Arguments that go together, whatever the primitive wants: `+`, `-`, `*` and `&` take more than the
        annotations say."""
        if set(parameters) <= {'Numerical', 'Integer'}:
            kinds = self.random.choice([['big', 'bigvec', 'int', 'vec'], ['tuplepair', 'int', 'vec'],
                                        ['setpair', 'intset']])
            return [self.make(self.random.choice(kinds)) for _ in parameters]
        kind = self.random.choice(ODD_KINDS)
        first = self.make(kind)
        return [first] + [self.make(kind) if self.chance(0.6) else self.perturb(first) for _ in parameters[1:]]

    def change_one(self, args, calls):
        """Make one argument odd, of the primitive or of the function that it returns."""
        target = calls if calls and self.chance(0.4) else args
        i = self.random.randrange(len(target))
        target[i] = self.odd(target[i])

    def nest(self, name, args, depth=1):
        """Put a call in the place of one argument; `depth` is how many levels more its own arguments may have."""
        i = self.random.randrange(len(args))
        annotation = self.signatures[name][0][i]
        if annotation == 'Callable':
            return
        inner = self.random.choice(self.givers[annotation])
        inner_args, _ = self.well_typed(inner)
        if depth and self.chance(0.5):
            self.nest(inner, inner_args, depth - 1)
        if self.chance(0.15):
            self.change_one(inner_args, None)
        args[i] = self.call(inner, inner_args)

    def lines(self, count):
        """`count` lines, the primitives in turn. A primitive with few expressions (flip) may repeat one."""
        names = list(self.signatures)
        seen = set()
        for n in range(count):
            oddness = self.random.choice([0, 0, 1, 2])
            for attempt in range(1000):
                expression = self.expression(names[n % len(names)], oddness)
                if len(expression) > LONGEST_TEXT or expression in seen and attempt < 20:
                    continue
                try:
                    outcome = self.dsl.outcome(expression)
                except Skip:
                    continue
                if outcome == '!' and oddness == 0 and self.chance(0.6):
                    continue    # a failure is worth a line, but a value is worth more
                seen.add(expression)
                yield f'{expression} => {outcome}'
                break


# ---- The tool -------------------------------------------------------------------------------------------------------

def check_golden(dsl, folder):
    """Does this wrapper say what the golden files say? Returns the number of lines on which it does not."""
    dsl.execute(ast.parse((folder / 'programs.py').read_text()))
    guards.longest_range = 10 * LONGEST_RANGE     # one program draws a line of 589 cells
    wrong = total = 0
    for file in ('primitives.txt', 'programs.txt'):
        for line in (folder / file).read_text().splitlines():
            if not line or line.startswith('#'):
                continue
            expression, expected = line.split(' => ')
            if file == 'programs.txt':
                program, grid = expression.split(' ', 1)
                expression = f'solve_{program}({grid})'
            try:
                value = write(dsl.value(expression))
            except Exception:
                value = '!'
            except Skip:
                value = 'skipped'
            total += 1
            if value != expected:
                wrong += 1
                print(f'golden: {line}\n   here: {value}', file=sys.stderr)
    guards.longest_range = LONGEST_RANGE
    print(f'golden: {total - wrong} of {total} lines agree', file=sys.stderr)
    return wrong


def main():
    parser = argparse.ArgumentParser(description='Compare Tessera with the public DSL on random expressions.')
    parser.add_argument('dsl', type=Path, metavar='ARC_DSL_DIR', help='folder with the public dsl.py and constants.py')
    parser.add_argument('--count', type=int, default=20_000, help='how many lines (20000)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--out', type=Path, help='where the lines go (stdout)')
    parser.add_argument('--tessera', help='the engine to check the lines with')
    parser.add_argument('--golden', type=Path, help='folder of golden files to check this tool with first')
    options = parser.parse_args()
    if not (options.dsl / 'dsl.py').is_file():
        parser.error(f'{options.dsl} holds no dsl.py')

    dsl = Dsl(options.dsl)
    if options.golden and check_golden(dsl, options.golden):
        return 1

    with tempfile.TemporaryDirectory() as scratch:
        out = options.out or (Path(scratch) / 'lines.txt' if options.tessera else None)
        file = out.open('w') if out else sys.stdout
        written = failed = 0
        print(f'# compare_python.py --count {options.count} --seed {options.seed}', file=file)
        for line in Generator(dsl, options.seed).lines(options.count):
            print(line, file=file)
            written += 1
            failed += line.endswith('=> !')
        if out:
            file.close()
        print(f'{written} lines, {failed} of them fail', file=sys.stderr)
        if options.tessera:
            try:
                return subprocess.run([options.tessera, 'check', str(out)]).returncode
            except OSError as error:
                print(f'compare_python: {options.tessera}: {error.strerror}', file=sys.stderr)
                return 2
    return 0


if __name__ == '__main__':
    sys.exit(main())
