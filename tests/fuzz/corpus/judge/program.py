def f(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = fill(I, THREE, x2)
    return x3
