def a(I):
    return cell_tree(I, (2, 3, 3, 1), (2540, 0, 1, 3, (203, 1, 4, (101,), (0,))))
def b(I):
    return cutouts(I, (0, 40), (-1, 0, 0, 1), 3)
