def f(I): return I
def g(I): return I
