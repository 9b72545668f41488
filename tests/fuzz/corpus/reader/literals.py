def a(I): return (-9223372036854775808, {}, frozenset(), frozenset({1, 2}), (1,), {(1, (2, 3))}, {{1}, {2}}, None, True)
