def a(add):
    rot90 = add
    T = rot90
    return T
