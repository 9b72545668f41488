def a(I):
    return draw(I, I, (7, ()), ((5, 4, 77, 99, 0), (1, 0), 0))
def b(I):
    return rbind(rbind(cutout, (SIZE, MOST)), (PARTS, 40, 3))(I)
