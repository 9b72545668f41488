def a(I):
    x = 1
      y = 2
    return x
