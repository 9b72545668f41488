def a(I):
    return I()
