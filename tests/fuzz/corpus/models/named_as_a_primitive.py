def apply(I):
    rows = papply(lambda a, b: a if sum(a) > sum(b) else b, I, hmirror(I))
    return rows
