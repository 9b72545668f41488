def a(I):
    return objcts(I)
x = 5
def b(I):
    return (1
def c(I):
    return I
