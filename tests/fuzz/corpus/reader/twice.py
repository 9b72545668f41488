def a(I): return 1
def a(I): return 2
