def a(I):
    f = rbind(rbind, 1)
    g = f(add)
    return g(5)
