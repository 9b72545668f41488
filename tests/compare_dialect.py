#!/usr/bin/env python3
"""Compare Tessera with the dialect of the language whose programs are `solve_ID(S, I, C)`, on random expressions.

    python3 tests/compare_dialect.py DIALECT_DIR [--count N] [--seed S] [--out FILE] [--tessera build/tessera]

DIALECT_DIR is a local copy of the dialect (dsl.py, constants.py, arc_types.py); it is loaded from there, never copied.
The tool invents N well-typed expressions, an equal share for each name of src/dsl/ops.def that the public DSL lacks,
aliases among them, runs each in Python and writes `expression => value` lines (`!` where Python raises or gives
something that is no value of the language, such as a NaN). With --tessera it then runs `tessera check FILE`.

It leans on compare_python.py for sorted sets, guards and random values. Three things are different here:
  cells      (row, column, colour) in the dialect, (colour, (row, column)) in the language. Every triple that dsl.py
             writes down becomes a Cell, which knows both forms: it acts as the triple, and sorts and prints as the
             pair.
  failures   dsl.py catches every exception and goes on with an empty value; that is left out, so that it raises.
  objects_t  objects in a tuple are tuples of cells there and sets here; the value is turned into sets before it is
             printed.
Left out is where the two part: see `checked`.
"""
import argparse
import ast
import functools
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import compare_python
from compare_python import Code, Generator, MutableSortedSet, Rewrite, RewriteExpression, Skip, SortedSet

HERE = Path(__file__).parent
OPS = HERE.parent / 'src/dsl/ops.def'
PUBLIC_LINES = HERE / 'golden/primitives.txt'   # has lines for every primitive of the public DSL

# By the ending of a name: the kinds of values that it is given.
TUPLES = ['ints', 'vecs', 'rows', 'grid', 'grids', 'objecttuple']
ENDINGS = {'_t': TUPLES, '_tuple': TUPLES, '_f': ['intset', 'indices', 'object', 'objects', 'patches'],
           '_i': ['indices'], '_o': ['object'], '_g': ['grid']}


# ---- Cells ----------------------------------------------------------------------------------------------------------

class Cell(tuple):
    """A triple (row, column, colour) that stands for the pair (colour, (row, column))."""

    def __new__(cls, i, j, color):
        return super().__new__(cls, (i, j, color))

    def pair(self):
        return (self[2], (self[0], self[1]))


def to_language(value):
    if isinstance(value, Cell):
        return tuple(map(to_language, value.pair()))
    if isinstance(value, tuple):
        return tuple(map(to_language, value))
    if isinstance(value, frozenset):
        return SortedSet(map(to_language, value))
    if isinstance(value, float):
        raise ValueError('no value of the language')
    return value


def natural(value):
    """As in compare_python.py, but cells by their pairs, and functions in any order."""
    if isinstance(value, int):
        return (0, value)
    if isinstance(value, Cell):
        value = value.pair()
    if isinstance(value, tuple):
        return (1, tuple(map(natural, value)))
    if isinstance(value, (frozenset, set)):
        return (2, tuple(map(natural, value)))
    return (3,) if value is None else (4,)


compare_python.natural = natural    # what its sorted sets go by


def type_of(value):
    return tuple if isinstance(value, Cell) else type(value)


class Triples(ast.NodeTransformer):
    """Rewrites dsl.py: a triple that it writes down is a cell, and sets are sorted."""

    def visit_Tuple(self, node):
        self.generic_visit(node)
        if len(node.elts) == 3 and isinstance(node.ctx, ast.Load):
            return Rewrite.call('_cell', *node.elts)
        return node

    visit_Set = Rewrite.visit_Set
    visit_SetComp = Rewrite.visit_SetComp
    call = staticmethod(Rewrite.call)


class Guarded(Rewrite):
    """The same with the guards of compare_python.py."""
    visit_Tuple = Triples.visit_Tuple


def is_cell(node):
    try:
        value = ast.literal_eval(node)
        return (isinstance(value[0], int) and isinstance(value[1], tuple) and len(value) == len(value[1]) == 2
                and all(isinstance(part, int) for part in value[1]))
    except (ValueError, TypeError, IndexError):
        return False


class RewriteCells(RewriteExpression):
    """Rewrites an expression of the language: its cells become triples."""

    def visit_Tuple(self, node):
        if is_cell(node):
            color, (i, j) = node.elts[0], node.elts[1].elts
            return Rewrite.call('_cell', i, j, color)
        self.generic_visit(node)
        return node


# ---- The dialect ----------------------------------------------------------------------------------------------------

def without_numpy():
    """dsl.py imports numpy for a device that is not used here."""
    os.environ['EXPECT_GPU'] = '0'
    if importlib.util.find_spec('numpy') is None:
        sys.modules['numpy'] = types.ModuleType('numpy')


def catches_exceptions(node):
    return 'safe_dsl' in ast.unparse(node) or 'make_all_dsl_safe' in ast.unparse(node)


class Dialect(compare_python.Dsl):
    """The dialect with sorted sets, and an exception where something fails."""

    def __init__(self, folder, rewrite=Triples):
        without_numpy()
        sys.path.insert(0, str(folder))
        guards = compare_python.guards
        self.names = {'frozenset': SortedSet, 'set': MutableSortedSet, 'type': type_of, '_cell': Cell,
                      '__name__': 'dsl'}
        if rewrite is Guarded:
            self.names |= {'range': guards.span, 'sum': guards.total, '_each': guards.each,
                           '_arithmetic': guards.arithmetic, '_closure': compare_python.Closure}
        tree = ast.parse((folder / 'dsl.py').read_text())
        tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) or not catches_exceptions(node)]
        self.execute(rewrite().visit(tree))
        if rewrite is Guarded:
            self.check_calls()
        before = set(self.names)
        self.execute(ast.parse((folder / 'constants.py').read_text()))
        self.constants = [name for name in self.names
                          if name not in before and isinstance(self.names[name], (int, tuple))]
        self.signatures = signatures()

    def check_calls(self):
        """Every function of the dialect looks at what it is given, and at what it gives."""
        self.names |= {'sorted': sort_by_key, 'max': functools.partial(best_by_key, max),
                       'min': functools.partial(best_by_key, min)}
        for name, function in list(self.names.items()):
            if isinstance(function, types.FunctionType) and function.__code__.co_filename == 'arc-dsl':
                self.names[name] = checked(function.__name__, function)

    def value(self, expression):
        tree = RewriteCells().visit(ast.parse(expression, mode='eval'))
        compare_python.guards.steps = 0
        try:
            value = eval(compile(ast.fix_missing_locations(tree), 'expression', 'eval'), self.names)
        except (RecursionError, MemoryError):
            raise Skip from None
        return to_language(value)



def programs_of(path):
    """The programs of a file, without what it imports."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return tree


# ---- Where the dialect and the language part ------------------------------------------------------------------------

def checked(name, function):
    """The function, with Skip where the language does not promise the same. A NaN is a failure."""
    container = CONTAINER_OF.get(name, 0)

    def wrapper(*args):
        if parts_ways(name, args[container], args):
            raise Skip
        if name == 'colorfilter_t':
            args = (tuple(map(as_tuple, args[0])), args[1])
        result = function(*args)
        if isinstance(result, float):
            raise ValueError('no value of the language')
        return tuple(map(SortedSet, result)) if result and name in ('objects_t', 'colorfilter_t') else result
    wrapper._original_argcount = function.__code__.co_argcount
    return wrapper


def parts_ways(name, given, args):
    """Whether an alias is given a value of another kind than its ending says, or a primitive of the public DSL a cell
    to take apart, or something empty or of no kind at all that the dialect lets pass."""
    kind = {'_t': tuple, '_f': frozenset, '_i': frozenset, '_o': frozenset}.get(name[-2:])
    if name in RANKS or name == 'toindices':
        kind = tuple if name in ('first_t', 'last_t') else (tuple, frozenset)
    if kind and not all(isinstance(arg, kind) for arg in (args if 'combine' in name else [given])):
        return True
    if isinstance(given, Cell) or name in ('celltuple', 'difference_tuple') and isinstance(args[1], Cell):
        return name not in KNOW_CELLS
    elements = given if isinstance(given, (tuple, frozenset)) else ()
    if name.endswith('_i') and not all(isinstance(e, tuple) and len(e) == 2 for e in elements):
        return True
    if (name.endswith('_o') or name in COLORS) and not all(isinstance(e, Cell) for e in elements):
        return True
    if name == 'get_common_rank' and isinstance(given, frozenset) or name == 'vmirror_f' and not given:
        return True
    if name == 'toindices' and any(type(e) is tuple and len(e) == 3 for e in elements):
        return True     # any triple is a cell there
    return 'merge' in name and any(isinstance(e, Cell) for e in elements)


def as_tuple(obj):
    """An object as the dialect has it in a tuple: its cells from the first one on."""
    if not isinstance(obj, frozenset) or not all(isinstance(e, Cell) for e in obj):
        raise Skip
    return tuple(sorted(obj))


# Where the container is, if it is not the first argument; names whose ending says nothing about it.
CONTAINER_OF = {name + ending: 1 for name in ('remove', 'apply', 'mapply', 'recolor') for ending in ENDINGS}
RANKS = ('get_nth_f', 'get_nth_t', 'first_t', 'last_t', 'get_nth_by_key_t', 'get_nth_by_key_f')
COLORS = ('mostcolor_f', 'leastcolor_f', 'colorcount_f', 'palette_f', 'numcolors_f', 'p_f')
# What takes a cell for a triple in the language too, or does not look into it.
KNOW_CELLS = (*RANKS[:4], 'second', 'get_rank', 'get_common_rank', 'get_common_rank_t', 'toij', 'ascell', 'identity',
              'equality', 'initset', 'c_branch', 'branch')


def holds_cell(key):
    return isinstance(key, tuple) and any(isinstance(part, Cell) or holds_cell(part) for part in key)


def sort_by_key(items, key=None, reverse=False):
    """As `order` of the language: keys that hold sets by the natural order. Cells are taken for triples, but not those
    inside of tuples."""
    keyed = [(key(item) if key else item, item) for item in items]
    if any(holds_cell(k) for k, _ in keyed):
        raise Skip
    if any(compare_python.holds_set(k) for k, _ in keyed):
        as_key = functools.cmp_to_key(compare_python.compare_keys)
        keyed.sort(key=lambda pair: as_key(pair[0]), reverse=reverse)
    else:
        keyed.sort(key=lambda pair: pair[0], reverse=reverse)
    return [item for _, item in keyed]


def best_by_key(best, *items, key=None, **options):
    """max and min; the language compares cells by colour first."""
    values = list(items[0]) if len(items) == 1 else list(items)
    keys = [key(value) if key else value for value in values]
    if any(isinstance(k, Cell) or holds_cell(k) for k in keys):
        raise Skip
    return best(values, key=key, **options)


# ---- Random calls ---------------------------------------------------------------------------------------------------

# By the name of a parameter: small numbers that mean something.
NUMBERS = {'rank': (-5, 5), 'flags': (0, 8), 'kind': (0, 4), 'symmetry': (0, 8)}
# Public primitives that functions are made of.
SHARED = ['identity', 'size', 'equality', 'initset', 'even', 'flip', 'increment', 'invert', 'double', 'sign']

ACCEPTS = compare_python.ACCEPTS
ACCEPTS |= {'Cell': ['cell'], 'Samples': ['samples']} | {name: [name] for name in NUMBERS}


def narrowed(annotation, name):
    """The annotation of a primitive for one of its names: palette takes an Element, palette_t a grid."""
    kinds = next((kinds for ending, kinds in ENDINGS.items() if name.endswith(ending)), None)
    if annotation not in ACCEPTS or kinds is None or not set(ACCEPTS[annotation]) & set(compare_python.ELEMENT):
        return annotation
    fitting = [kind for kind in ACCEPTS[annotation] if kind in kinds]
    if not fitting and annotation in ('FrozenSet', 'Tuple'):
        fitting = kinds
    if fitting:
        annotation += name[name.rindex('_'):]
        ACCEPTS[annotation] = fitting
    return annotation


def signatures():
    """From ops.def: name -> (annotations of its parameters, that of its result)."""
    text, result = OPS.read_text(), {}
    for name, given, parameters in re.findall(r'^(?:OP|DIALECT)\(\w+, (\w+), (\w+), A\d\(([^)]*)\)', text, re.M):
        words = parameters.split(', ')
        pairs = zip(words[::2], words[1::2])
        result[name] = ([parameter if parameter in NUMBERS else annotation for parameter, annotation in pairs], given)
    for name, target in re.findall(r'^ALIAS\((\w+), (\w+)\)', text, re.M):
        result[name] = result[target]
    for name, (parameters, given) in result.items():
        result[name] = ([narrowed(annotation, name) for annotation in parameters], given)
    return result


def base(name):
    """The name without its ending."""
    return next((name.removesuffix(ending) for ending in ENDINGS if name.endswith(ending)), name)


class DialectGenerator(Generator):
    def __init__(self, dialect, seed):
        public = set(re.findall(r'^(\w+)\(', PUBLIC_LINES.read_text(), re.M))
        everything = dialect.signatures
        self.own = [name for name in everything if name not in public]
        dialect.signatures = {name: everything[name] for name in self.own + SHARED}
        super().__init__(dialect, seed)
        self.takers['samples'] = self.find_takers('samples')

    @staticmethod
    def accepts(annotation, kind):
        if kind == 'cell':
            return annotation in ('Any', 'Container', 'Tuple', 'IntegerTuple', 'Cell')
        return kind in ACCEPTS[annotation] or annotation == 'Any'

    def make(self, kind):
        if kind in NUMBERS:
            return self.random.randint(*NUMBERS[kind])
        return super().make(kind)

    def make_samples(self):
        grids = self.some(self.make_grid, 1, 3)
        change = self.random.choice([self.perturb, self.perturb, lambda g: g[::-1], lambda g: tuple(zip(*g)),
                                     lambda g: g])
        return tuple((grid, change(grid)) for grid in grids)

    def binary(self, kind_a, kind_b):
        try:
            return super().binary(kind_a, kind_b)
        except IndexError:
            return Code('equality'), 'bool'

    def well_typed(self, name):
        parameters = self.signatures[name][0]
        if parameters[0] == 'Samples':
            finds = self.random.choice(['p_g', 'palette_t', 'rbind(o_g, 5)', 'identity', 'p_o', 'shape_t'])
            picks = self.random.choice(['first_t', 'last_t', 'size_t', 'rbind(get_nth_t, 0)', 'rbind(get_nth_f, -1)'])
            return [self.make_samples(), Code(finds), Code(picks)][:len(parameters)], None
        if base(name) == 'rapply':
            kind = self.random.choice(compare_python.KINDS)
            functions = tuple(self.some(lambda: self.function(kind)[0], 1, 3))
            return [functions if name.endswith('_t') else compare_python.make_set(functions[:1]), self.make(kind)], None
        if 'Callable' in parameters:
            return self.with_function(name, parameters), None
        if name == 'colorfilter_t':
            return [self.make_objecttuple(), self.make_int()], None
        if name == 'celltuple':
            return [self.make_vecs(), self.make_ints()], None
        args = [self.argument(annotation) for annotation in parameters]
        return self.relate(parameters, args), None

    def with_function(self, name, parameters):
        of = [annotation for annotation in parameters if annotation not in NUMBERS and annotation != 'Callable'][0]
        kind = self.random.choice(ACCEPTS[of])
        for _ in range(20):
            function, result = self.function(compare_python.ELEMENT[kind])
            if base(name) != 'mapply' or result in compare_python.ELEMENT:
                break
        return [function if annotation == 'Callable' else self.make(annotation if annotation in NUMBERS else kind)
                for annotation in parameters]

    def lines(self, count):
        seen = set()
        for n in range(count):
            name = self.own[n % len(self.own)]
            for attempt in range(1000):
                args, _ = self.well_typed(name)
                expression = self.call(name, args)
                if len(expression) > 400 or expression in seen:
                    continue
                try:
                    outcome = self.dsl.outcome(expression)
                except Skip:
                    continue
                if outcome == '!' and attempt < 50 and self.chance(0.8):
                    continue
                seen.add(expression)
                yield f'{expression} => {outcome}'
                break


# ---- The tool -------------------------------------------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser(description='Compare Tessera with the dialect on random expressions.')
    parser.add_argument('dialect', type=Path, metavar='DIALECT_DIR', help='folder with dsl.py and constants.py')
    parser.add_argument('--count', type=int, default=4_000, help='how many lines (4000)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--out', type=Path, help='where the lines go (stdout)')
    parser.add_argument('--tessera', help='the engine to check the lines with')
    options = parser.parse_args()
    if not (options.dialect / 'dsl.py').is_file():
        parser.error(f'{options.dialect} holds no dsl.py')
    lines = list(DialectGenerator(Dialect(options.dialect, Guarded), options.seed).lines(options.count))
    text = f'# compare_dialect.py --count {options.count} --seed {options.seed}\n' + '\n'.join(lines) + '\n'
    print(f'{len(lines)} lines, {sum(line.endswith("=> !") for line in lines)} of them fail', file=sys.stderr)
    if options.out or not options.tessera:
        (options.out.write_text if options.out else sys.stdout.write)(text)
    if options.tessera:
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
            file.write(text)
            file.flush()
            return subprocess.run([options.tessera, 'check', file.name]).returncode
    return 0


if __name__ == '__main__':
    sys.exit(main())
