def a(I):
    x = 5
    return (x, (x, x), (x,), {x, 1}, {x}, (1, x, {(x, 2)}), (I, x))
