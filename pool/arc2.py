# Programs that the search found by itself, each for the training task in its name.
# Made by scripts/make_pool: tessera solve --pool none --per-task 300ms --seed 0


# 17b866bd: patterns, class 7; 2 demos; 2856 units
def solve_17b866bd(I):
    x1 = replace_pattern(I, ((8, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 8, 8, 10), (10, 8, 8, 8, 8), (10, 8, 8, 8, 8), (10, 10, 8, 8, 10)), ZERO)
    x2 = replace_pattern(x1, ((4, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 4, 4, 10), (10, 4, 4, 4, 4), (10, 4, 4, 4, 4), (10, 10, 4, 4, 10)), ZERO)
    x3 = replace_pattern(x2, ((7, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 7, 7, 10), (10, 7, 7, 7, 7), (10, 7, 7, 7, 7), (10, 10, 7, 7, 10)), ZERO)
    O = replace_pattern(x3, ((1, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 1, 1, 10), (10, 1, 1, 1, 1), (10, 1, 1, 1, 1), (10, 10, 1, 1, 10)), ZERO)
    return O


# 182e5d0f: trees, class 9; 3 demos; 52366 units
def solve_182e5d0f(I):
    O = cell_tree(I, (0, 0, 0, 0), (2127, 1, 5, (0, 0, 0, (0,), (704, 0, 0, (0,), (102, 0, 0, (2137, 0, 2, 7, 5), (106, 0, 0, 5, 7)))), (0,)))
    return O


# 1b59e163: patterns, class 0; 2 demos; 3543 units
def solve_1b59e163(I):
    x1 = complete_templates(I, (3, 0, 0, 4))
    O = replace(x1, FIVE, FOUR)
    return O


# 1d61978c: trees, class 6; 2 demos; 52588 units
def solve_1d61978c(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 7, (0,), (2113, 1, 11, 8, (2100, 0, 3, 8, 2))))
    return O


# 22208ba4: draw, class 8; 4 demos; 28984 units
def solve_22208ba4(I):
    x1 = draw(I, I, (0, ((23, 1, 0, 0),)), ((8, 240, 1, 1, 0), (1, 0), 0))
    O = draw(x1, I, (4, ((0, 1, 0, 0),)), ((0, 0, 0, 0, 0), (0, 7), 0))
    return O


# 252143c9: trees, class 7; 2 demos; 71292 units
def solve_252143c9(I):
    O = cell_tree(I, (0, 0, 0, 0), (916, 0, 1, (2877, 0, 1, (503,), (2116, 0, 0, 7, (0,))), 7))
    return O


# 2de01db2: trees, class 26; 3 demos; 11849 units
def solve_2de01db2(I):
    O = cell_tree(I, (0, 0, 0, 0), (2417, 0, 1, (1600, 0, 4, 4, 0), (1200, 1, 4, (1304,), (1305,))))
    return O


# 337b420f: lines, class 31; 4 demos; 931 units
def solve_337b420f(I):
    x1 = hsplit(I, THREE)
    x2 = last(x1)
    x3 = get_nth_t(x1, ONE)
    x4 = leastcolor(x3)
    x5 = objects(x3, T, F, T)
    x6 = argmax(x5, size)
    x7 = fill(x2, x4, x6)
    x8 = objects(I, T, F, T)
    x9 = argmax(x8, size)
    x10 = fill(x7, FOUR, x9)
    x11 = objects(x2, T, F, T)
    x12 = argmin(x11, size)
    x13 = fill(x10, EIGHT, x12)
    x14 = sizefilter(x8, THREE)
    x15 = mapply(delta, x14)
    x16 = fill(x13, SIX, x15)
    x17 = colorfilter(x11, SIX)
    x18 = mapply(delta, x17)
    x19 = fill(x16, SIX, x18)
    x20 = first(x1)
    x21 = leastcolor(x20)
    x22 = objects(x20, T, F, T)
    x23 = argmax(x22, size)
    x24 = fill(x19, x21, x23)
    O = fill(x24, EIGHT, x12)
    return O


# 342ae2ed: draw, class 4; 3 demos; 29565 units
def solve_342ae2ed(I):
    O = draw(I, I, (0, ()), ((5, 240, 2, 4, 0), (1, 0), 0))
    return O


# 342dd610: trees, class 9; 4 demos; 28014 units
def solve_342dd610(I):
    O = cell_tree(I, (0, 0, 0, 0), (101, 0, 1, 1, (308, 0, 2, 2, (313, 0, 7, 7, (302, 0, 9, 9, 8)))))
    return O


# 37ce87bb: trees, class 10; 3 demos; 48006 units
def solve_37ce87bb(I):
    O = cell_tree(I, (0, 0, 0, 0), (1801, 0, 2, (308, 0, -1, (802, 0, 8, (4502, 0, 1, (0,), 5), (1800, 0, 4, (0,), 5)), (0,)), (0,)))
    return O


# 396d80d7: draw, class 20; 2 demos; 46806 units
def solve_396d80d7(I):
    O = draw(I, I, (0, ((1, 0, 2, 1),)), ((1, 1, 3, 0, 0), (6, 0), 1))
    return O


# 46c35fc7: each, class 10; 3 demos; 9841 units
def solve_46c35fc7(I):
    x1 = rbind(cell_tree, (5217, 0, 1, (805,), (806,)))
    x2 = rbind(x1, (0, 0, 0, 0))
    O = each_part(I, TWO, x2)
    return O


# 4a1cacc2: trees, class 31; 4 demos; 188922 units
def solve_4a1cacc2(I):
    O = cell_tree(I, (0, 99, 0, 0), (203, 1, 1, (504, 0, 6, 6, (202, 0, 1, (2540, 1, 2, (0,), (2516, 0, 1, (104, 0, 9, 9, (101,)), (5900,))), (500, 0, 4, 4, (501, 0, 9, 9, (0,))))), (0,)))
    return O


# 50c07299: draw, class 20; 3 demos; 29973 units
def solve_50c07299(I):
    x1 = draw(I, I, (1, ()), ((8, 16, 1, 1, 0), (1, 0), 0))
    x2 = draw(x1, I, (1, ()), ((8, 16, 2, 1, 0), (1, 0), 0))
    O = draw(x2, I, (0, ()), ((0, 0, 0, 0, 0), (0, 7), 0))
    return O


# 52364a65: trees, class 1; 2 demos; 26917 units
def solve_52364a65(I):
    O = cell_tree(I, (0, 0, 0, 0), (2137, 1, 2, (0,), 8))
    return O


# 5751f35e: patterns, class 16; 2 demos; 2655 units
def solve_5751f35e(I):
    O = complete_templates(I, (4, 1, 4, 1))
    return O


# 5ad8a7c0: trees, class 7; 5 demos; 8359 units
def solve_5ad8a7c0(I):
    O = cell_tree(I, (0, 0, 0, 0), (1201, 1, 1, (0,), (1603, 0, 20, (1300,), (203, 0, 1, 2, (0,)))))
    return O


# 6ca952ad: move, class 4; 3 demos; 17585 units
def solve_6ca952ad(I):
    O = shift_parts(I, (0, ((0, 7, 4, 0),)), (1, 2, 0, 0), DOWN)
    return O


# 6ffe8f07: draw, class 5; 4 demos; 36153 units
def solve_6ffe8f07(I):
    O = draw(I, I, (0, ((1, 0, 8, 0),)), ((5, 15, 0, 11, 0), (0, 4), 0))
    return O


# 758abdf0: trees, class 13; 2 demos; 74700 units
def solve_758abdf0(I):
    O = cell_tree(I, (0, 0, 0, 0), (5901, 0, 8, (2800, 0, 1, 8, 7), (2100, 0, 2, 7, (5502, 0, 5, (802, 0, 8, (1800, 0, 4, 0, (0,)), (1800, 0, 4, 0, (802,))), (0,)))))
    return O


# 7e4d4f7c: lines, class 28; 4 demos; 810 units
def solve_7e4d4f7c(I):
    x1 = dedupe(I)
    x2 = toivec(TWO)
    x3 = rbind(shift, x2)
    x4 = objects(I, T, F, T)
    x5 = mapply(x3, x4)
    O = fill(x1, SIX, x5)
    return O


# 833966f4: trees, class 6; 2 demos; 4699 units
def solve_833966f4(I):
    O = cell_tree(I, (0, 0, 0, 0), (910, 0, 1, (100,), (900, 0, 2, (0,), (104,))))
    return O


# 8618d23e: bank, class 7; 3 demos; 3606 units
def solve_8618d23e(I):
    x1 = normal_colors(I, I, ((0, 9), (13, 16, 12, 23)), F)
    x2 = image(x1)
    x3 = image_grid(x2)
    x4 = height(x3)
    x5 = add(x4, ONE)
    x6 = width(x3)
    x7 = add(x6, ONE)
    x8 = astuple(x5, x7)
    x9 = image_blank(x8)
    x10 = image_ring(x2, ONE)
    x11 = image_fit(x10, x8, ONE)
    x12 = image_lay(x9, x11, ZERO)
    x13 = image_half(x2, TWO)
    x14 = image_ring(x13, ONE)
    x15 = image_lay(x12, x14, ZERO)
    x16 = image_grid(x15)
    O = normal_colors(x16, I, ((0, 9), (13, 16, 12, 23)), T)
    return O


# 87ab05b8: trees, class 10; 3 demos; 6970 units
def solve_87ab05b8(I):
    O = cell_tree(I, (0, 0, 0, 0), (1700, 0, 2, (200, 1, 5, (0,), 2), (1200, 0, 1, (805, 0, 1, 2, (0, 0, 1, 2, 6)), 6)))
    return O


# 8e301a54: move, class 0; 3 demos; 8191 units
def solve_8e301a54(I):
    O = shift_parts(I, (0, ()), (3, 2, 2, 0), DOWN)
    return O


# 9344f635: draw, class 8; 3 demos; 33382 units
def solve_9344f635(I):
    x1 = draw(I, I, (0, ((3, 1, 0, 0),)), ((4, 1, 0, 0, 0), (1, 0), 0))
    O = draw(x1, I, (0, ((3, 2, 0, 0),)), ((4, 0, 0, 0, 0), (1, 0), 0))
    return O


# 9720b24f: trees, class 6; 4 demos; 53192 units
def solve_9720b24f(I):
    O = cell_tree(I, (0, 0, 0, 0), (2128, 0, 1, 0, (400, 0, 0, 0, (0,))))
    return O


# 9968a131: trees, class 7; 2 demos; 13174 units
def solve_9968a131(I):
    O = cell_tree(I, (0, 0, 0, 0), (2841, 0, 1, (5801, 0, 1, (101,), 7), (0,)))
    return O


# 9b30e358: draw, class 19; 2 demos; 3495 units
def solve_9b30e358(I):
    O = draw(I, I, (3, ()), ((8, 1, 1, 0, 0), (1, 0), 0))
    return O


# 9ba4a9aa: select, class 2; 3 demos; 73218 units
def solve_9ba4a9aa(I):
    x1 = cutout(I, DOWN, (-1, 0, 14, 0))
    x2 = ofcolor(x1, ONE)
    x3 = fill(x1, SIX, x2)
    x4 = ofcolor(x1, THREE)
    x5 = fill(x3, SEVEN, x4)
    x6 = ofcolor(x1, SEVEN)
    x7 = fill(x5, THREE, x6)
    x8 = ofcolor(x1, NINE)
    O = fill(x7, ONE, x8)
    return O


# 9caf5b84: trees, class 1; 4 demos; 6616 units
def solve_9caf5b84(I):
    O = cell_tree(I, (0, 0, 0, 0), (1600, 1, 1, 7, (0,)))
    return O


# 9f5f939b: patterns, class 4; 3 demos; 1745 units
def solve_9f5f939b(I):
    O = replace_pattern(I, ((10, 10, 10, 1, 10, 10, 10), (10, 10, 10, 1, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (1, 1, 10, 8, 10, 1, 1), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 1, 10, 10, 10), (10, 10, 10, 1, 10, 10, 10)), ((10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 4, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10)), ZERO)
    return O


# a09f6c25: trees, class 8; 3 demos; 189632 units
def solve_a09f6c25(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 2, (2118, 0, 1, (200, 1, 1, 1, (100,)), (2116, 0, 1, 6, 3)), (0,)))
    return O


# a834deea: trees, class 13; 3 demos; 88384 units
def solve_a834deea(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 8, (0,), (2644, 0, 0, (0,), (2641, 0, 1, (2642, 0, 1, (2137, 0, 3, (2136, 0, 3, 3, 6), (2636, 1, 2, 2, 1)), (2136, 0, 1, 7, 9)), (2137, 0, 3, 5, 4)))))
    return O


# aa62e3f4: trees, class 3; 2 demos; 84584 units
def solve_aa62e3f4(I):
    O = cell_tree(I, (0, 0, 0, 0), (1800, 0, 1, (1402,), 8))
    return O


# ac6f9922: select, class 10; 3 demos; 67564 units
def solve_ac6f9922(I):
    O = cutouts(I, (6, 40), (8, 0, 36, 1), THREE)
    return O


# ad38a9d0: trees, class 9; 2 demos; 33168 units
def solve_ad38a9d0(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 7, (0,), (2007, 1, 1, (2149, 0, 1, 3, (2100, 0, 4, 8, 4)), (202, 1, 3, 5, (2100, 1, 3, 2, 9)))))
    return O


# b2bc3ffd: move, class 3; 3 demos; 11248 units
def solve_b2bc3ffd(I):
    O = shift_parts(I, (0, ((1, 0, 8, 1),)), (3, 0, 2, 0), DOWN)
    return O


# b5bb5719: trees, class 29; 7 demos; 58017 units
def solve_b5bb5719(I):
    O = cell_tree(I, (0, 99, 0, 0), (206, 0, 2, (0, 0, 7, (102, 0, 2, 5, 2), (0,)), (0,)))
    return O


# b7256dcd: bank, class 1; 2 demos; 4907 units
def solve_b7256dcd(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0,), (0, 0, 9, 23)), F)
    x4 = image(x3)
    x5 = image_lay(x2, x4, ZERO)
    x6 = image_erase(x4, TWO)
    x7 = image_spread(x6, ONE)
    x8 = image_lay(x5, x7, ZERO)
    x9 = image_recolor(x6, ONE)
    x10 = image_lay(x8, x9, ZERO)
    x11 = image_grid(x10)
    O = normal_colors(x11, I, ((0,), (0, 0, 9, 23)), T)
    return O


# bae5c565: trees, class 13; 2 demos; 73761 units
def solve_bae5c565(I):
    O = cell_tree(I, (0, 0, 0, 0), (2136, 1, 3, (0,), (5002, 1, 2, (5408, 0, 1, (1302,), (5418, 0, 1, (803, 0, 8, (0,), (1302,)), (0,))), (5218, 0, 0, 5, (200, 0, 5, (1302,), (200, 1, 1, (0,), 5))))))
    return O


# bd5af378: views, class 16; 4 demos; 25770 units
def solve_bd5af378(I):
    x1 = view(I, FIVE)
    x2 = cell_tree(x1, (0, 0, 0, 0), (5802, 0, 0, (102, 0, -1, (915, 0, 1, 8, (1400,)), (915, 0, 0, 8, (0,))), (202, 0, 5, 8, (102,))))
    O = unview(I, FIVE, x2)
    return O


# cf5fd0ad: trees, class 19; 3 demos; 17706 units
def solve_cf5fd0ad(I):
    O = cell_tree(I, (2, 4, 4, 0), (6600, 1, 2, (6601, 1, 2, (0,), (6407,)), (6601, 1, 2, (6406,), (6403,))))
    return O


# df9fd884: draw, class 17; 3 demos; 27425 units
def solve_df9fd884(I):
    x1 = draw(I, I, (0, ((0, 0, 4, 0),)), ((11, ((3, -5, 1), (3, -4, 1), (5, 6, 8))), (1, 0), 0))
    x2 = draw(x1, I, (0, ((0, 2, 0, 0),)), ((11, ((4, 5, 10), (5, 5, 10), (6, 5, 8))), (1, 0), 0))
    x3 = draw(x2, I, (0, ((7, 2, 0, 1),)), ((5, 4, 1, 1, 3), (8, 0), 0))
    O = draw(x3, I, (5, ()), ((2, 0, 0, 0, 0), (1, 0), 0))
    return O


# e048c9ed: trees, class 10; 4 demos; 25655 units
def solve_e048c9ed(I):
    O = cell_tree(I, (0, 0, 0, 0), (5700, 0, 1, (1200, 1, 3, (1200, 1, 4, (800, 0, 9, 6, 9), 4), (5709, 1, 1, 1, (101,))), (0,)))
    return O


# e4941b18: trees, class 10; 3 demos; 154743 units
def solve_e4941b18(I):
    O = cell_tree(I, (0, 0, 0, 0), (1600, 0, 1, (0, 0, 8, 2, 7), (2638, 1, 1, (0,), (3800, 0, -1, (0,), (2537, 1, 7, (0,), (2539, 0, 5, (0,), 8))))))
    return O


# e729b7be: draw, class 2; 3 demos; 62955 units
def solve_e729b7be(I):
    O = draw(I, I, (0, ()), ((9, 6, 0, 0, 0), (1, 0), 0))
    return O


# e84fef15: trees, class 14; 3 demos; 22110 units
def solve_e84fef15(I):
    O = cell_tree(I, (1, 5, 5, 1), (6200, 0, 24, 1, (0,)))
    return O


# f1bcbc2c: trees, class 9; 4 demos; 25930 units
def solve_f1bcbc2c(I):
    O = cell_tree(I, (0, 0, 0, 0), (2534, 1, 2, (2510, 0, 6, (0,), 8), (0, 0, 9, (104, 0, 7, (0,), 8), (0,))))
    return O


# f341894c: draw, class 11; 3 demos; 208601 units
def solve_f341894c(I):
    x1 = draw(I, I, (0, ((1, 0, 6, 0),)), ((0, 0, 0, 0, 0), (0, 1), 0))
    O = draw(x1, I, (0, ()), ((5, 15, 0, 37, 0), (0, 6), 2))
    return O
