from dsl import *


def solve(S: Tuple, I: Grid, C) -> Grid:
    """doc"""
    x1 = first(S)
    return last(x1)  # the end
