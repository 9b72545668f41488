#!/usr/bin/env python3
"""Random functions over many elements: the columns of src/dsl/column.c against calling element by element.

    tests/columns.py --tessera build/tessera [--count 4000] [--seed 1]

Each expression is evaluated with --plain, which knows no columns, and its value is then expected of the fast path.
The functions nest three deep and are of the kinds that columns treat in a way of their own: made of others, built
anew for each element, with fixed arguments, done several times over. The last line is `N passed, N failed`.
"""
import argparse
import random
import subprocess
import sys
import tempfile

NUMBER = ["increment", "decrement", "double", "halve", "invert", "sign", "crement", "identity", "even", "positive", "flip",
          "rbind(add, {})", "lbind(subtract, {})", "rbind(multiply, {})", "rbind(greater, {})", "lbind(equality, {})"]
PAIR = ["increment", "decrement", "double", "halve", "invert", "sign", "crement", "identity", "rbind(add, (1, -2))",
        "lbind(subtract, {})"]
TO_NUMBER = ["first", "last", "rbind(get_nth_f, 0)", "rbind(get_nth_f, -1)", "rbind(get_rank, 0)",
             "maximum", "minimum", "size", "fork(add, first, last)", "fork(multiply, last, first)"]


def one_of(forms):
    return random.choice(forms).format(random.randint(-3, 5))


def nested(inner, leaves, joins, depth):
    """A function of the same kind as `inner` gives, made of such functions."""
    if depth == 0 or random.random() < 0.25:
        return one_of(leaves)
    f, g, h = (inner(depth - 1) for _ in range(3))
    return random.choice([f"compose({f}, {g})", f"chain({f}, {g}, {h})", f"power({f}, {random.randint(1, 4)})",
                          f"fork({random.choice(joins)}, {f}, {g})"])


def number_to_number(depth):
    if depth and random.random() < 0.1:
        return f"matcher({number_to_number(depth - 1)}, {random.randint(-2, 5)})"
    return nested(number_to_number, NUMBER, ["add", "subtract", "multiply", "greater", "equality", "both", "either"], depth)


def pair_to_number(depth):
    return f"compose({number_to_number(depth)}, {random.choice(TO_NUMBER)})"


def pair_to_pair(depth):
    choice = random.random()
    if depth and choice < 0.2:
        return f"lbind(apply, {number_to_number(depth - 1)})"
    if depth and choice < 0.35:
        return f"fork(astuple, {pair_to_number(depth - 1)}, {pair_to_number(depth - 1)})"
    return nested(pair_to_pair, PAIR, ["add", "subtract", "multiply"], depth)


def numbers():
    return f"interval(0, {random.randint(1, 40)}, 1)"


def pairs():
    n, m = random.randint(2, 7), random.randint(1, 6)
    return random.choice([f"product(interval(0, {n}, 1), interval(-2, {m}, 1))", f"asindices(canvas(0, ({n}, {m})))",
                          f"pair(interval(0, {n * m}, 1), interval(5, 50, 1))"])


def patch():
    n, m = random.randint(1, 6), random.randint(1, 6)
    shape = random.choice(["asindices(canvas(0, ({}, {})))", "box(asindices(canvas(0, ({}, {}))))",
                           "ofcolor(fill(canvas(0, ({}, {})), 1, {{(0, 0), (1, 2), (2, 1)}}), 1)"]).format(n, m)
    if random.random() < 0.3:
        shape = f"shift({shape}, ({random.randint(-4, 4)}, {random.randint(-4, 4)}))"
    if random.random() < 0.1:  # too wide for a bitmap
        shape = f"combine({shape}, shift({shape}, ({random.choice([1, 70, 300])}, {random.choice([0, 65, -300])})))"
    return shape


def grid():
    h, w = random.randint(1, 6), random.randint(1, 6)
    cells = tuple(tuple(random.choice([0, 0, 1, 2, -5, 200] if random.random() < 0.1 else [0, 0, 1, 2]) for _ in range(w))
                  for _ in range(h))
    return str(cells)


def by_first():
    wanted = random.choice([0, 1, 2, -5, -128, 127, 128, 2047, -2049, "(0, 1)", "1152921504606846976"])
    return random.choice([f"matcher(first, {wanted})", f"compose(rbind(equality, {wanted}), first)",
                          f"compose(lbind(equality, {wanted}), first)", f"compose(flip, matcher(first, {wanted}))"])


def around():
    return random.choice([f"rbind(colorcount, {random.choice([0, 1, 2, -5, 300])})", "palette", "size", "identity",
                          "compose(size, palette)", "toindices"])


def expression():
    return random.choice([
        lambda: f"apply({number_to_number(3)}, {numbers()})",
        lambda: f"sfilter({pairs()}, {pair_to_number(3)})",
        lambda: f"apply({pair_to_pair(3)}, {pairs()})",
        lambda: f"argmax({pairs()}, {pair_to_number(3)})",
        lambda: f"order({pairs()}, {pair_to_pair(2)})",
        # Many patches against one.
        lambda: f"apply(compose(rbind({random.choice(['difference', 'intersection', 'combine'])}, {patch()}), "
                f"lbind(shift, {patch()})), {pairs()})",
        lambda: f"sfilter({pairs()}, compose(matcher(size, {random.randint(0, 3)}), compose(rbind(difference, {patch()}), "
                f"lbind(shift, {patch()}))))",
        lambda: f"apply(fork(astuple, identity, chain(size, rbind({random.choice(['difference', 'intersection'])}, {patch()}), "
                f"lbind(shift, {patch()}))), {random.choice([pairs, patch, numbers])()})",
        lambda: f"apply(fork(astuple, identity, compose(size, {random.choice(['lbind', 'rbind'])}("
                f"{random.choice(['difference', 'intersection'])}, {patch()}))), apply(lbind(shift, {patch()}), {pairs()}))",
        # Cells by their colour, locations by their row.
        lambda: f"sfilter({random.choice([patch, lambda: f'asobject({grid()})'])()}, {by_first()})",
        # What is around locations in a grid: counted, seen by colours, and asked for whole.
        lambda: f"apply(fork(astuple, identity, chain({around()}, rbind(toobject, {grid()}), "
                f"{random.choice(['neighbors', 'dneighbors', 'ineighbors'])})), {random.choice([pairs, patch])()})",
        lambda: f"sfilter({patch()}, matcher(compose(chain(size, palette, rbind(toobject, {grid()})), "
                f"{random.choice(['neighbors', 'dneighbors', 'ineighbors'])}), {random.randint(0, 3)}))",
        # Pairs that are made to be taken apart, and such as are asked for whole.
        lambda: f"apply(compose({pair_to_number(2)}, {random.choice(['lbind', 'rbind'])}(astuple, {random.randint(-3, 3)})), "
                f"{numbers()})",
        lambda: f"apply(chain(fork({random.choice(['astuple', 'equality', 'manhattan', 'combine'])}, last, first), "
                f"{random.choice(['lbind', 'rbind'])}(astuple, {patch()}), initset), {patch()})",
        # All pairs of two sets: lines, distances, and what has to be sorted.
        lambda: f"prapply(connect, {patch()}, {patch()})",
        lambda: f"prapply({random.choice(['add', 'subtract', 'astuple', 'connect', 'multiply'])}, {pairs()}, {pairs()})",
        lambda: f"apply(fork({random.choice(['connect', 'add', 'combine', 'astuple'])}, first, last), "
                f"product({patch()}, {patch()}))",
        lambda: f"apply(rbind(shift, {random.randint(-1, 1), random.randint(-1, 1)}), prapply(shift, "
                f"apply(initset, {patch()}), {patch()}))",
        lambda: f"apply(lbind(canvas, {random.randint(0, 2)}), prapply(add, {pairs()}, {{(1, 1), (3, 70)}}))",
        lambda: f"merge({random.choice(['hsplit', 'vsplit'])}(canvas(0, ({random.randint(1, 9)}, {random.randint(1, 3000)})), "
                f"{random.randint(1, 9)}))",
        # A function that is made anew for each number, over the same elements every time.
        lambda: f"apply(compose(rbind(apply, {numbers()}), lbind(lbind, add)), {numbers()})",
        lambda: f"apply(chain(lbind(sfilter, {pairs()}), rbind(compose, {pair_to_number(2)}), lbind(lbind, greater)), "
                f"{numbers()})",
        # The best of the same elements by functions that differ in what they hold; some have no shape in common.
        lambda: f"apply(chain(lbind({best()}, {pairs()}), lbind(compose, {random.choice([pair_to_number, pair_to_pair])(2)}), "
                f"lbind({random.choice(['lbind', 'rbind'])}, {random.choice(['add', 'subtract', 'multiply'])})), {numbers()})",
        lambda: f"apply(chain(lbind({best()}, apply(initset, {patch()})), lbind(compose, compose({random.choice(TO_NUMBER)}, "
                f"fork(subtract, first, compose(center, last)))), lbind(lbind, astuple)), {patch()})",
        lambda: f"apply(chain(lbind({best()}, apply(initset, {patch()})), lbind(compose, fork(subtract, last, compose(center, "
                f"first))), lbind(rbind, astuple)), totuple({patch()}))",
        lambda: f"apply(chain(lbind({best()}, {patch()}), rbind(compose, initset), compose(lbind(lbind, manhattan), initset)), "
                f"{patch()})",
        lambda: f"apply(chain(lbind({best()}, {pairs()}), lbind(lbind(fork, {random.choice(['add', 'astuple'])}), first), "
                f"compose(rbind(compose, last), lbind(lbind, {random.choice(['add', 'greater'])}))), {numbers()})",
        lambda: f"apply(chain(lbind({best()}, {pairs()}), {random.choice(['lbind(matcher, first)', 'lbind(power, increment)'])}, "
                f"increment), {numbers()})",
        # One patch moved many times.
        lambda: f"mapply(lbind(shift, {patch()}), {patch()})",
        lambda: f"mapply(lbind(shift, recolor({random.randint(-3, 3)}, {patch()})), {patch()})",
        lambda: f"mapply(lbind(shift, insert((3, {random.randint(-2050, 2050), random.randint(-70, 70)}), "
                f"recolor({random.randint(0, 5)}, {patch()}))), {patch()})",
        # Pairs of cells.
        lambda: f"apply(fork(astuple, color, fork(connect, compose(last, first), compose(last, last))), "
                f"product(recolor({random.randint(0, 9)}, {patch()}), recolor({random.randint(-3, 3)}, {patch()})))",
    ])()


def best():
    return random.choice(["argmin", "argmax", "valmin", "valmax"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/tessera")
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    lines = [expression() for _ in range(options.count)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked, tempfile.NamedTemporaryFile("w", suffix=".txt") as cases:
        asked.write("\n".join(lines) + "\n")
        asked.flush()
        # The plain path spends more units; what fails for want of them would be no mismatch.
        plain = subprocess.run([options.tessera, "eval", "--plain", "--units", "1000000000", "-f", asked.name],
                               capture_output=True, text=True).stdout.splitlines()
        if len(plain) != len(lines):
            sys.exit(f"columns: {len(plain)} values for {len(lines)} expressions\n0 passed, 1 failed")
        cases.write("".join(f"{line} => {value}\n" for line, value in zip(lines, plain)))
        cases.flush()
        sys.exit(subprocess.run([options.tessera, "check", cases.name]).returncode)


if __name__ == "__main__":
    main()
