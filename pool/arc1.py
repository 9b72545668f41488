# Programs that the search found by itself, each for the training task in its name.
# Made by scripts/make_pool: tessera solve --pool none --per-task 300ms --seed 0


# 007bbfb7: trees, class 14; 5 demos; 8395 units
def solve_007bbfb7(I):
    O = cell_tree(I, (2, 3, 3, 0), (6500, 0, 0, (6500,), (0,)))
    return O


# 00d62c1b: draw, class 2; 5 demos; 30539 units
def solve_00d62c1b(I):
    O = draw(I, I, (1, ()), ((2, 0, 0, 0, 0), (0, 4), 0))
    return O


# 017c7c7b: repair, class 17; 3 demos; 8166 units
def solve_017c7c7b(I):
    x1 = astuple(NINE, THREE)
    x2 = repaired(I, ONE, 16, x1)
    x3 = ofcolor(x2, ONE)
    O = fill(x2, TWO, x3)
    return O


# 025d127b: trees, class 5; 2 demos; 20961 units
def solve_025d127b(I):
    O = cell_tree(I, (0, 0, 0, 0), (203, 1, 2, (101,), (5500, 1, 3, (0,), (104,))))
    return O


# 0520fde7: select, class 23; 3 demos; 1857 units
def solve_0520fde7(I):
    O = overlaid(I, 11, TWO, ((1, 0), (0, 0), (2, 2)))
    return O


# 05269061: repair, class 0; 3 demos; 14717 units
def solve_05269061(I):
    x1 = shape(I)
    O = repaired(I, ZERO, ONE, x1)
    return O


# 05f2a901: move, class 0; 3 demos; 6949 units
def solve_05f2a901(I):
    O = shift_parts(I, (0, ((1, 0, 2, 0),)), (4, 10, 0, 0), DOWN)
    return O


# 06df4c85: views, class 2; 3 demos; 16080 units
def solve_06df4c85(I):
    x1 = view(I, ZERO)
    x2 = cell_tree(x1, (0, 0, 0, 0), (705, 0, -1, (0,), (704,)))
    O = unview(I, ZERO, x2)
    return O


# 08ed6ac7: draw, class 5; 2 demos; 9937 units
def solve_08ed6ac7(I):
    O = draw(I, I, (0, ()), ((0, 0, 0, 0, 0), (10, 34, ((0, 1), (1, 2), (2, 3), (3, 4))), 0))
    return O


# 0962bcdd: trees, class 9; 2 demos; 90672 units
def solve_0962bcdd(I):
    O = cell_tree(I, (0, 0, 0, 0), (2843, 0, 0, (200, 0, 5, (5902,), (1700,)), (5502, 0, 12, (1800, 1, 4, (0,), (1402,)), (0,))))
    return O


# 0b148d64: trees, class 14; 3 demos; 15642 units
def solve_0b148d64(I):
    O = cell_tree(I, (5, 7, 0, 0), (0,))
    return O


# 0ca9ddb6: trees, class 13; 3 demos; 10335 units
def solve_0ca9ddb6(I):
    O = cell_tree(I, (0, 0, 0, 0), (100, 0, 1, 7, (101, 0, 1, 7, (102, 0, 2, 4, (103, 0, 2, 4, (105, 0, 1, 7, (104, 0, 1, 7, (106, 0, 2, 4, (107, 0, 2, 4, (0,))))))))))
    return O


# 0d3d703e: draw, class 10; 4 demos; 5960 units
def solve_0d3d703e(I):
    O = draw(I, I, (6, ()), ((0, 0, 0, 0, 0), (10, 1, ((3, 4), (1, 5), (2, 6), (8, 9), (5, 1), (6, 2), (9, 8), (4, 3))), 0))
    return O


# 0dfd9992: repair, class 0; 3 demos; 132366 units
def solve_0dfd9992(I):
    x1 = shape(I)
    O = repaired(I, ZERO, ZERO, x1)
    return O


# 0e206a2e: patterns, class 2; 3 demos; 5398 units
def solve_0e206a2e(I):
    O = complete_templates(I, (2, 0, 0, 5))
    return O


# 10fcaaa3: trees, class 16; 4 demos; 11489 units
def solve_10fcaaa3(I):
    O = cell_tree(I, (2, 2, 2, 0), (206, 0, 0, (0,), (200, 1, 2, 8, (0,))))
    return O


# 11852cab: patterns, class 17; 3 demos; 1159 units
def solve_11852cab(I):
    O = complete_templates(I, (4, 1, 4, 1))
    return O


# 1190e5a7: select, class 23; 3 demos; 70272 units
def solve_1190e5a7(I):
    O = gist(I, NINE, 39, ())
    return O


# 178fcbfb: trees, class 0; 3 demos; 18784 units
def solve_178fcbfb(I):
    O = cell_tree(I, (0, 0, 0, 0), (1003, 0, 1, 3, (1001, 0, 1, 1, (1102, 0, 1, 2, (0,)))))
    return O


# 1b2d62fb: trees, class 14; 5 demos; 4923 units
def solve_1b2d62fb(I):
    O = cell_tree(I, (1, 1, 2, 1), (6200, 1, 1, 0, 8))
    return O


# 1b60fb0c: lines, class 12; 3 demos; 421 units
def solve_1b60fb0c(I):
    x1 = dmirror(I)
    x2 = objects(x1, T, F, T)
    x3 = mapply(vmirror, x2)
    O = underfill(I, TWO, x3)
    return O


# 1bfc4729: trees, class 6; 2 demos; 21828 units
def solve_1bfc4729(I):
    O = cell_tree(I, (0, 0, 0, 0), (904, 1, 1, (1200, 0, 1, (1304,), (0,)), (900, 1, 5, (1403,), (1401,))))
    return O


# 1c786137: select, class 5; 3 demos; 440709 units
def solve_1c786137(I):
    O = cutout(I, (1, 2), (-1, 0, 0, 0))
    return O


# 1caeab9d: move, class 3; 3 demos; 8269 units
def solve_1caeab9d(I):
    O = shift_parts(I, (1, ((1, 0, 1, 1),)), (7, 0, 10, 0), DOWN)
    return O


# 1cf80156: lines, class 1; 3 demos; 167 units
def solve_1cf80156(I):
    O = compress(I)
    return O


# 1e0a9b12: move, class 0; 3 demos; 15610 units
def solve_1e0a9b12(I):
    O = shift_parts(I, (0, ()), (1, 2, 0, 0), DOWN)
    return O


# 1e32b0e9: patterns, class 12; 3 demos; 7429 units
def solve_1e32b0e9(I):
    O = from_cell(I, (3, 0, 5, 0))
    return O


# 1f0c79e5: bank, class 13; 4 demos; 6846 units
def solve_1f0c79e5(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0, 2), (23,)), F)
    x4 = image(x3)
    x5 = image_lay(x2, x4, ZERO)
    x6 = image_spread(x4, ZERO)
    x7 = image_keep(x6, ONE)
    x8 = image_recolor(x7, TWO)
    x9 = image_lay(x5, x8, ZERO)
    x10 = image_smear(x4, 13)
    x11 = image_lay(x2, x10, ZERO)
    x12 = image_lay(x9, x11, ONE)
    x13 = image_grid(x12)
    O = normal_colors(x13, I, ((0, 2), (23,)), T)
    return O


# 1f642eb9: draw, class 3; 3 demos; 19049 units
def solve_1f642eb9(I):
    O = draw(I, I, (0, ()), ((5, 15, 0, 28, 4), (1, 0), 0))
    return O


# 1f85a75f: select, class 7; 2 demos; 249335 units
def solve_1f85a75f(I):
    O = cutout(I, DOWN, (-1, 0, 0, 0))
    return O


# 1f876c06: draw, class 1; 3 demos; 23263 units
def solve_1f876c06(I):
    O = draw(I, I, (0, ()), ((5, 240, 0, 4, 0), (1, 0), 0))
    return O


# 1fad071e: select, class 22; 3 demos; 7273 units
def solve_1fad071e(I):
    x1 = measure(I, ONE, 48, 51)
    O = lookup(x1, ((0, ((0, 0, 0, 0, 0),)), (1, ((1, 0, 0, 0, 0),)), (2, ((1, 1, 0, 0, 0),)), (3, ((1, 1, 1, 0, 0),)), (4, ((1, 1, 1, 1, 0),)), (5, ((1, 1, 1, 1, 1),))), ZERO)
    return O


# 2013d3e2: select, class 7; 2 demos; 5194 units
def solve_2013d3e2(I):
    O = cutout(I, (3, 5), (-1, 0, 0, 0))
    return O


# 2204b7a8: draw, class 19; 3 demos; 25294 units
def solve_2204b7a8(I):
    O = draw(I, I, (0, ((1, 0, 3, 0),)), ((0, 0, 0, 0, 0), (6, 0), 0))
    return O


# 22168020: draw, class 20; 3 demos; 29451 units
def solve_22168020(I):
    O = draw(I, I, (0, ()), ((5, 2, 0, 4, 0), (1, 0), 0))
    return O


# 2281f1f4: trees, class 0; 3 demos; 11624 units
def solve_2281f1f4(I):
    O = cell_tree(I, (0, 0, 0, 0), (5503, 0, 9, 2, (0,)))
    return O


# 22eb0ac0: trees, class 26; 3 demos; 11724 units
def solve_22eb0ac0(I):
    O = cell_tree(I, (0, 0, 0, 0), (704, 0, -1, (0,), (704,)))
    return O


# 23581191: trees, class 1; 2 demos; 12955 units
def solve_23581191(I):
    O = cell_tree(I, (0, 0, 0, 0), (1202, 0, 8, (1201, 0, 1, 2, (1304,)), (1203, 0, 8, (1305,), (0,))))
    return O


# 239be575: views, class 4; 6 demos; 5128 units
def solve_239be575(I):
    x1 = view(I, ONE)
    x2 = cell_tree(x1, (3, 1, 1, 1), (6900, 1, 22, 1, (6900, 1, 19, 0, (6900, 1, 16, 1, 0))))
    O = unview(I, ONE, x2)
    return O


# 23b5c85d: select, class 7; 5 demos; 23373 units
def solve_23b5c85d(I):
    O = cutout(I, DOWN, (-1, 0, 0, 1))
    return O


# 253bf280: trees, class 0; 8 demos; 16099 units
def solve_253bf280(I):
    O = cell_tree(I, (0, 0, 0, 0), (705, 0, 8, 3, (0,)))
    return O


# 25d487eb: draw, class 3; 3 demos; 5929 units
def solve_25d487eb(I):
    O = draw(I, I, (2, ()), ((15, 1, 0, 0, 0), (3, 0), 0))
    return O


# 25d8a9c8: trees, class 0; 4 demos; 4253 units
def solve_25d8a9c8(I):
    O = cell_tree(I, (0, 0, 0, 0), (1204, 0, 0, 0, 5))
    return O


# 25ff71a9: move, class 1; 4 demos; 2038 units
def solve_25ff71a9(I):
    O = shift_parts(I, (0, ()), (0, 1, 0, 0), DOWN)
    return O


# 272f95fa: trees, class 8; 2 demos; 78718 units
def solve_272f95fa(I):
    O = cell_tree(I, (0, 0, 0, 0), (2533, 0, 3, (400, 0, 8, (404, 0, 8, 6, 1), 2), (2532, 0, 3, (401, 0, 8, 3, 4), (0,))))
    return O


# 27a28665: select, class 22; 7 demos; 863 units
def solve_27a28665(I):
    O = overlaid(I, 162, ZERO, ((1, 1), (15, 2), (6, 3), (0, 6)))
    return O


# 28bf18c6: lines, class 1; 3 demos; 94 units
def solve_28bf18c6(I):
    x1 = compress(I)
    O = hconcat(x1, x1)
    return O


# 29623171: trees, class 1; 3 demos; 25504 units
def solve_29623171(I):
    O = cell_tree(I, (0, 0, 0, 0), (5006, 0, 0, 0, (205, 0, 1, (3502,), (0,))))
    return O


# 29c11459: trees, class 0; 2 demos; 14000 units
def solve_29c11459(I):
    O = cell_tree(I, (0, 0, 0, 0), (1202, 0, 9, (901, 0, 5, 5, (1700,)), (0,)))
    return O


# 29ec7d0e: repair, class 0; 4 demos; 97251 units
def solve_29ec7d0e(I):
    x1 = shape(I)
    O = repaired(I, ZERO, ZERO, x1)
    return O


# 2bee17df: trees, class 1; 3 demos; 19816 units
def solve_2bee17df(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 0, (1200, 1, 3, (1201, 1, 3, (0,), 3), 3), (0,)))
    return O


# 2c608aff: draw, class 19; 4 demos; 35771 units
def solve_2c608aff(I):
    O = draw(I, I, (0, ((0, 2, 0, 0),)), ((5, 15, 0, 6, 0), (1, 0), 0))
    return O


# 2dc579da: trees, class 14; 3 demos; 8282 units
def solve_2dc579da(I):
    O = cell_tree(I, (1, 2, 2, 1), (6300,))
    return O


# 2dee498d: trees, class 14; 3 demos; 5988 units
def solve_2dee498d(I):
    O = cell_tree(I, (1, 1, 3, 0), (0,))
    return O


# 31aa019c: lines, class 20; 3 demos; 1057 units
def solve_31aa019c(I):
    x1 = partition(I)
    x2 = compose(flip, square)
    x3 = mfilter(x1, x2)
    x4 = fill(I, ZERO, x3)
    x5 = leastcolor(I)
    x6 = ofcolor(I, x5)
    x7 = mapply(neighbors, x6)
    O = fill(x4, TWO, x7)
    return O


# 321b1fc6: patterns, class 2; 2 demos; 1110 units
def solve_321b1fc6(I):
    O = complete_templates(I, (2, 0, 3, 4))
    return O


# 32597951: trees, class 5; 3 demos; 85272 units
def solve_32597951(I):
    O = cell_tree(I, (0, 0, 0, 0), (3700, 0, 8, 3, (2124, 0, 2, (203, 1, 3, 3, (0,)), (0,))))
    return O


# 3345333e: views, class 5; 2 demos; 79993 units
def solve_3345333e(I):
    x1 = view(I, ONE)
    x2 = shape(x1)
    x3 = repaired(x1, TWO, EIGHT, x2)
    O = unview(I, ONE, x3)
    return O


# 3428a4f5: trees, class 14; 4 demos; 6035 units
def solve_3428a4f5(I):
    O = cell_tree(I, (1, 2, 1, 1), (6200, 0, 1, 3, 0))
    return O


# 3618c87e: move, class 0; 3 demos; 6225 units
def solve_3618c87e(I):
    O = shift_parts(I, (0, ((1, 0, 1, 0),)), (2, 2, 0, 0), DOWN)
    return O


# 3631a71a: repair, class 2; 4 demos; 270123 units
def solve_3631a71a(I):
    x1 = shape(I)
    O = repaired(I, NINE, NINE, x1)
    return O


# 36d67576: patterns, class 0; 3 demos; 2860 units
def solve_36d67576(I):
    O = complete_templates(I, (3, 1, 0, 1))
    return O


# 3906de3d: move, class 1; 3 demos; 10256 units
def solve_3906de3d(I):
    O = shift_parts(I, (0, ()), (5, 0, 0, 0), DOWN)
    return O


# 39a8645d: select, class 1; 3 demos; 11494 units
def solve_39a8645d(I):
    O = cutout(I, DOWN, (-1, 0, 1, 4))
    return O


# 3aa6fb7a: draw, class 0; 2 demos; 9017 units
def solve_3aa6fb7a(I):
    O = draw(I, I, (0, ()), ((1, 0, 0, 0, 0), (0, 1), 1))
    return O


# 3ac3eb23: trees, class 29; 2 demos; 137745 units
def solve_3ac3eb23(I):
    O = cell_tree(I, (0, 99, 0, 0), (206, 1, 1, (2541, 0, 1, (5900,), (200, 0, 6, (302,), (0,))), (0,)))
    return O


# 3af2c5a8: trees, class 19; 3 demos; 8826 units
def solve_3af2c5a8(I):
    O = cell_tree(I, (2, 2, 2, 0), (6601, 0, 1, (6600, 0, 1, (6403,), (6401,)), (6600, 0, 1, (6402,), (0,))))
    return O


# 3bd67248: trees, class 0; 3 demos; 61719 units
def solve_3bd67248(I):
    O = cell_tree(I, (0, 0, 0, 0), (2538, 0, 0, 4, (916, 0, 0, (0,), (200, 1, 2, 2, (0,)))))
    return O


# 3bdb4ada: trees, class 5; 2 demos; 56224 units
def solve_3bdb4ada(I):
    O = cell_tree(I, (0, 0, 0, 0), (202, 0, 8, (2142, 0, 1, 0, (0,)), (0,)))
    return O


# 3c9b0459: lines, class 1; 4 demos; 8 units
def solve_3c9b0459(I):
    O = rot180(I)
    return O


# 3de23699: views, class 5; 4 demos; 16164 units
def solve_3de23699(I):
    x1 = view(I, ONE)
    x2 = cell_tree(x1, (5, 9, 0, 0), (0, 0, 1, 2, (0,)))
    O = unview(I, ONE, x2)
    return O


# 3eda0437: patterns, class 8; 4 demos; 556 units
def solve_3eda0437(I):
    O = fill_places(I, ZERO, (3, 2, 2, 0), SIX)
    return O


# 3f7978a0: lines, class 2; 3 demos; 618 units
def solve_3f7978a0(I):
    x1 = ofcolor(I, FIVE)
    x2 = delta(x1)
    x3 = mapply(neighbors, x2)
    O = subgrid(x3, I)
    return O


# 40853293: trees, class 0; 2 demos; 50787 units
def solve_40853293(I):
    O = cell_tree(I, (0, 0, 0, 0), (704, 0, -1, (0,), (704,)))
    return O


# 4093f84a: move, class 3; 3 demos; 31224 units
def solve_4093f84a(I):
    O = shift_parts(I, (0, ((0, 2, 0, 0),)), (4, 10, 0, 0), (0, 5))
    return O


# 41e4d17e: draw, class 0; 2 demos; 9355 units
def solve_41e4d17e(I):
    O = draw(I, I, (0, ()), ((4, 2, 1, 0, 0), (0, 6), 1))
    return O


# 4258a5f9: trees, class 0; 2 demos; 10240 units
def solve_4258a5f9(I):
    O = cell_tree(I, (0, 0, 0, 0), (202, 0, 0, (0,), 1))
    return O


# 42a50994: trees, class 0; 4 demos; 22505 units
def solve_42a50994(I):
    O = cell_tree(I, (0, 0, 0, 0), (200, 1, 1, (0,), 0))
    return O


# 4347f46a: trees, class 0; 3 demos; 29146 units
def solve_4347f46a(I):
    O = cell_tree(I, (0, 0, 0, 0), (202, 0, 8, 0, (0,)))
    return O


# 444801d8: draw, class 11; 3 demos; 16572 units
def solve_444801d8(I):
    x1 = draw(I, I, (3, ((16, 0, 1, 0),)), ((5, 1, 0, 1, 0), (0, 2), 0))
    O = draw(x1, I, (0, ((0, 2, 0, 0),)), ((1, 2, 0, 0, 0), (1, 0), 1))
    return O


# 445eab21: trees, class 14; 3 demos; 5854 units
def solve_445eab21(I):
    O = cell_tree(I, (3, 2, 2, 1), (1401,))
    return O


# 447fd412: patterns, class 0; 3 demos; 6846 units
def solve_447fd412(I):
    O = complete_templates(I, (3, 0, 0, 2))
    return O


# 44d8ac46: trees, class 0; 4 demos; 31290 units
def solve_44d8ac46(I):
    O = cell_tree(I, (0, 0, 0, 0), (2520, 0, 1, 2, (0,)))
    return O


# 44f52bb0: trees, class 16; 6 demos; 3926 units
def solve_44f52bb0(I):
    O = cell_tree(I, (1, 2, 2, 1), (6200, 0, 1, 7, 1))
    return O


# 4522001f: views, class 15; 2 demos; 29710 units
def solve_4522001f(I):
    x1 = view(I, FIVE)
    x2 = cell_tree(x1, (2, 3, 3, 0), (202, 1, 3, (6605, 0, 1, (102, 0, 0, (917, 0, 1, 0, (0,)), 3), (6604, 0, 1, (606, 0, 2, 0, (502, 0, 3, 3, (703, 0, 3, (0,), (5606, 0, 3, (0,), 0)))), (6500,))), (0,)))
    O = unview(I, FIVE, x2)
    return O


# 4612dd53: trees, class 9; 3 demos; 46084 units
def solve_4612dd53(I):
    O = cell_tree(I, (0, 0, 0, 0), (705, 0, 1, (0, 0, 1, (0,), (1202, 1, 9, (1201, 1, 4, 2, (0,)), 2)), (2703, 0, 4, 2, (0,))))
    return O


# 46442a0e: trees, class 19; 3 demos; 7648 units
def solve_46442a0e(I):
    O = cell_tree(I, (2, 2, 2, 0), (6604, 0, 1, (6600, 0, 1, (6407,), (6406,)), (6600, 0, 1, (6403,), (0,))))
    return O


# 47c1f68c: bank, class 12; 3 demos; 10280 units
def solve_47c1f68c(I):
    x1 = normal_colors(I, I, ((0,), (0, 23)), F)
    x2 = image(x1)
    x3 = image_grid(x2)
    x4 = height(x3)
    x5 = add(x4, NEG_ONE)
    x6 = width(x3)
    x7 = add(x6, NEG_ONE)
    x8 = astuple(x5, x7)
    x9 = image_blank(x8)
    x10 = image_half(x2, ZERO)
    x11 = image_half(x10, TWO)
    x12 = image_fit(x11, x8, FIVE)
    x13 = image_recolor(x12, ONE)
    x14 = image_lay(x9, x13, ZERO)
    x15 = image_grid(x14)
    O = normal_colors(x15, I, ((0,), (0, 23)), T)
    return O


# 484b58aa: repair, class 0; 3 demos; 252416 units
def solve_484b58aa(I):
    x1 = shape(I)
    O = repaired(I, ZERO, ZERO, x1)
    return O


# 48d8fb45: select, class 2; 3 demos; 5014 units
def solve_48d8fb45(I):
    O = cutout(I, DOWN, (-1, 0, 27, 0))
    return O


# 4938f0c2: patterns, class 16; 3 demos; 6166 units
def solve_4938f0c2(I):
    O = complete_templates(I, (4, 0, 4, 0))
    return O


# 496994bd: draw, class 0; 2 demos; 5290 units
def solve_496994bd(I):
    O = draw(I, I, (0, ()), ((9, 2, 0, 0, 0), (1, 0), 0))
    return O


# 49d1d64f: trees, class 15; 3 demos; 8370 units
def solve_49d1d64f(I):
    O = cell_tree(I, (4, 1, 1, 0), (2545, 0, 1, 0, (7100,)))
    return O


# 4c4377d9: trees, class 14; 4 demos; 6587 units
def solve_4c4377d9(I):
    O = cell_tree(I, (2, 2, 1, 0), (6600, 0, 1, (0,), (6402,)))
    return O


# 4c5c2cf0: patterns, class 16; 3 demos; 2369 units
def solve_4c5c2cf0(I):
    O = complete_templates(I, (1, 0, 4, 0))
    return O


# 508bd3b6: draw, class 22; 3 demos; 59989 units
def solve_508bd3b6(I):
    x1 = draw(I, I, (0, ((0, 0, 24, 0),)), ((11, ((0, -5, 3), (0, 7, 3), (1, -4, 3), (1, 6, 3), (2, -3, 3))), (1, 0), 0))
    x2 = draw(x1, I, (1, ((33, 0, 1, 0),)), ((11, ((-7, -1, 3), (-6, -2, 3), (-5, -3, 3), (3, -2, 3))), (1, 0), 0))
    x3 = draw(x2, I, (0, ()), ((5, 240, 0, 2, 0), (0, 3), 0))
    O = draw(x3, x3, (2, ()), ((5, 80, 3, 1, 0), (0, 3), 0))
    return O


# 50cb2852: trees, class 0; 3 demos; 19146 units
def solve_50cb2852(I):
    O = cell_tree(I, (0, 0, 0, 0), (202, 0, 8, 8, (0,)))
    return O


# 5117e062: select, class 5; 3 demos; 7564 units
def solve_5117e062(I):
    O = cutout(I, (3, 56), (-1, 0, 2, 0))
    return O


# 5168d44c: patterns, class 7; 3 demos; 409 units
def solve_5168d44c(I):
    x1 = replace_pattern(I, ((2, 2, 2, 0, 0), (2, 3, 2, 3, 0), (2, 2, 2, 0, 0)), ((0, 0, 10, 2, 2), (0, 10, 10, 10, 2), (0, 0, 10, 2, 2)), ZERO)
    O = replace_pattern(x1, ((2, 2, 2), (2, 3, 2), (2, 2, 2), (0, 3, 0), (0, 0, 0)), ((0, 0, 0), (0, 10, 0), (10, 10, 10), (2, 10, 2), (2, 2, 2)), ZERO)
    return O


# 539a4f51: trees, class 22; 3 demos; 42242 units
def solve_539a4f51(I):
    O = cell_tree(I, (2, 2, 2, 0), (1000, 0, 1, (5606, 0, 1, (2440, 1, 1, (1602, 1, 24, (402,), (0,)), (6500,)), (2407, 1, 39, (5606, 1, 3, (0,), (2440, 0, 1, (0,), (6501,))), (6500, 0, 6, 4, (6501,)))), (6604, 0, 1, (6600, 0, 1, (1300,), (1302,)), (0,))))
    return O


# 543a7ed5: trees, class 5; 2 demos; 98194 units
def solve_543a7ed5(I):
    O = cell_tree(I, (0, 0, 0, 0), (1801, 0, 1, (2508, 0, 0, 4, 3), (2504, 0, 4, 4, (0,))))
    return O


# 54d82841: draw, class 3; 3 demos; 7748 units
def solve_54d82841(I):
    O = draw(I, I, (0, ()), ((5, 4, 1, 1, 3), (0, 4), 0))
    return O


# 54d9e175: draw, class 4; 4 demos; 13988 units
def solve_54d9e175(I):
    O = draw(I, I, (5, ()), ((1, 0, 0, 0, 0), (10, 27, ((34, 6), (36, 7), (40, 8), (48, 9))), 0))
    return O


# 5521c0d9: move, class 0; 3 demos; 11633 units
def solve_5521c0d9(I):
    O = shift_parts(I, (0, ()), (3, 0, 0, 0), DOWN)
    return O


# 5582e5ca: trees, class 0; 3 demos; 4215 units
def solve_5582e5ca(I):
    O = cell_tree(I, (0, 0, 0, 0), (1400,))
    return O


# 5614dbcf: trees, class 14; 2 demos; 5628 units
def solve_5614dbcf(I):
    O = cell_tree(I, (3, 3, 3, 1), (6801,))
    return O


# 56ff96f3: draw, class 0; 4 demos; 6285 units
def solve_56ff96f3(I):
    O = draw(I, I, (4, ()), ((1, 0, 0, 0, 0), (1, 0), 0))
    return O


# 5ad4f10b: select, class 4; 3 demos; 110544 units
def solve_5ad4f10b(I):
    x1 = cutout(I, (1, 25), (-1, 0, 0, 0))
    x2 = measure(I, ONE, ONE, FIVE)
    x3 = asindices(x1)
    x4 = ofcolor(x1, ZERO)
    x5 = difference(x3, x4)
    O = fill(x1, x2, x5)
    return O


# 5bd6f4ac: lines, class 2; 4 demos; 11 units
def solve_5bd6f4ac(I):
    O = crop(I, (0, 6), THREE_BY_THREE)
    return O


# 5c0a986e: trees, class 29; 3 demos; 70552 units
def solve_5c0a986e(I):
    O = cell_tree(I, (0, 99, 0, 0), (5906, 0, 2, 2, (5910, 0, 1, 1, (0,))))
    return O


# 60b61512: draw, class 18; 2 demos; 5797 units
def solve_60b61512(I):
    O = draw(I, I, (1, ()), ((1, 0, 0, 0, 0), (0, 7), 1))
    return O


# 6150a2bd: lines, class 1; 2 demos; 8 units
def solve_6150a2bd(I):
    O = rot180(I)
    return O


# 623ea044: draw, class 0; 3 demos; 8397 units
def solve_623ea044(I):
    O = draw(I, I, (0, ()), ((5, 240, 0, 0, 0), (1, 0), 0))
    return O


# 62c24649: trees, class 19; 3 demos; 7648 units
def solve_62c24649(I):
    O = cell_tree(I, (2, 2, 2, 0), (6600, 0, 1, (6601, 0, 1, (6403,), (6402,)), (6601, 0, 1, (6401,), (0,))))
    return O


# 63613498: trees, class 26; 3 demos; 22926 units
def solve_63613498(I):
    O = cell_tree(I, (0, 0, 0, 0), (2122, 0, 2, (2128, 0, 1, (0,), 5), (0,)))
    return O


# 6430c8c4: trees, class 14; 4 demos; 4978 units
def solve_6430c8c4(I):
    O = cell_tree(I, (1, 2, 1, 1), (6200, 1, 1, 0, 3))
    return O


# 6455b5f5: trees, class 5; 4 demos; 49544 units
def solve_6455b5f5(I):
    O = cell_tree(I, (0, 0, 0, 0), (2534, 0, 0, 1, (2548, 0, 1, 8, (0,))))
    return O


# 662c240a: select, class 5; 4 demos; 2624 units
def solve_662c240a(I):
    O = cutout(I, (11, 0), (-1, 0, 51, 1))
    return O


# 67385a82: patterns, class 10; 4 demos; 259 units
def solve_67385a82(I):
    O = fill_places(I, THREE, (1, 1, 2, 0), EIGHT)
    return O


# 6773b310: select, class 23; 4 demos; 10155 units
def solve_6773b310(I):
    O = gist(I, NINE, 37, ((2, 1), (1, 0)))
    return O


# 67a3c6ac: lines, class 0; 3 demos; 27 units
def solve_67a3c6ac(I):
    O = vmirror(I)
    return O


# 67a423a3: trees, class 26; 3 demos; 15166 units
def solve_67a423a3(I):
    O = cell_tree(I, (0, 0, 0, 0), (204, 0, 2, (203, 0, 4, (0,), 4), (200, 1, 1, (0,), 4)))
    return O


# 67e8384a: trees, class 15; 4 demos; 7648 units
def solve_67e8384a(I):
    O = cell_tree(I, (2, 2, 2, 0), (6600, 0, 1, (6601, 0, 1, (6403,), (6402,)), (6601, 0, 1, (6401,), (0,))))
    return O


# 681b3aeb: lines, class 31; 3 demos; 400 units
def solve_681b3aeb(I):
    x1 = leastcolor(I)
    x2 = canvas(x1, THREE_BY_THREE)
    x3 = compose(vfrontier, center)
    x4 = objects(I, T, F, T)
    x5 = colorfilter(x4, x1)
    x6 = mapply(x3, x5)
    x7 = fill(x2, SEVEN, x6)
    x8 = rbind(shift, UP)
    x9 = mapply(x8, x4)
    x10 = fill(x7, SEVEN, x9)
    x11 = argmax(x4, height)
    x12 = normalize(x11)
    O = paint(x10, x12)
    return O


# 68b16354: lines, class 0; 3 demos; 27 units
def solve_68b16354(I):
    O = hmirror(I)
    return O


# 694f12f3: trees, class 7; 2 demos; 15326 units
def solve_694f12f3(I):
    O = cell_tree(I, (0, 0, 0, 0), (202, 0, 8, (5005, 0, 1, 1, 2), (0,)))
    return O


# 6aa20dc0: patterns, class 0; 3 demos; 19046 units
def solve_6aa20dc0(I):
    O = complete_templates(I, (3, 0, 0, 3))
    return O


# 6c434453: patterns, class 4; 2 demos; 231 units
def solve_6c434453(I):
    O = replace_pattern(I, ((1, 1, 1), (1, 0, 1), (1, 1, 1)), ((0, 2, 0), (2, 2, 2), (0, 2, 0)), ZERO)
    return O


# 6cdd2623: bank, class 7; 3 demos; 18024 units
def solve_6cdd2623(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0,), (1, 2, 23)), F)
    x4 = image(x3)
    x5 = image_keep(x4, ONE)
    x6 = image_lay(x2, x5, ZERO)
    x7 = image_box(x4, ZERO)
    x8 = image_inside(x7, TWO)
    x9 = image_recolor(x8, ONE)
    x10 = image_lay(x6, x9, ZERO)
    x11 = image_smear(x5, SIX)
    x12 = image_lay(x2, x11, ZERO)
    x13 = image_lay(x10, x12, ONE)
    x14 = image_grid(x13)
    O = normal_colors(x14, I, ((0,), (1, 2, 23)), T)
    return O


# 6cf79266: patterns, class 4; 3 demos; 1090 units
def solve_6cf79266(I):
    O = replace_pattern(I, ((0, 0, 0), (0, 0, 0), (0, 0, 0)), ((1, 1, 1), (1, 1, 1), (1, 1, 1)), TWO)
    return O


# 6d0aefbc: trees, class 14; 4 demos; 5968 units
def solve_6d0aefbc(I):
    O = cell_tree(I, (2, 1, 2, 0), (6601, 0, 1, (6401,), (0,)))
    return O


# 6d75e8bb: draw, class 0; 3 demos; 5076 units
def solve_6d75e8bb(I):
    O = draw(I, I, (0, ()), ((1, 0, 0, 0, 0), (0, 2), 1))
    return O


# 6e02f1e3: select, class 22; 5 demos; 845 units
def solve_6e02f1e3(I):
    x1 = measure(I, SEVEN, 38, ONE)
    O = lookup(x1, ((1, ((5, 0, 0), (0, 5, 0), (0, 0, 5))), (2, ((0, 0, 5), (0, 5, 0), (5, 0, 0))), (0, ((5, 5, 5), (0, 0, 0), (0, 0, 0)))), ZERO)
    return O


# 6e19193c: draw, class 18; 2 demos; 8339 units
def solve_6e19193c(I):
    O = draw(I, I, (0, ()), ((5, 240, 4, 0, 0), (1, 0), 0))
    return O


# 6e82a1ae: draw, class 4; 3 demos; 14655 units
def solve_6e82a1ae(I):
    O = draw(I, I, (0, ()), ((0, 0, 0, 0, 0), (10, 0, ((4, 1), (3, 2), (2, 3))), 0))
    return O


# 6f8cd79b: patterns, class 8; 4 demos; 348 units
def solve_6f8cd79b(I):
    O = fill_places(I, ZERO, (3, 1, 1, -1), EIGHT)
    return O


# 6fa7a44f: trees, class 16; 4 demos; 5968 units
def solve_6fa7a44f(I):
    O = cell_tree(I, (2, 2, 1, 0), (6600, 0, 1, (6402,), (0,)))
    return O


# 72322fa7: patterns, class 0; 3 demos; 4333 units
def solve_72322fa7(I):
    O = complete_templates(I, (3, 0, 1, 0))
    return O


# 72ca375d: select, class 5; 3 demos; 5234 units
def solve_72ca375d(I):
    O = cutout(I, DOWN, (-1, 0, 19, 0))
    return O


# 73251a56: bank, class 10; 3 demos; 21928 units
def solve_73251a56(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = image(((2, 1, 2, 2, 3, 3, 5, 5, 6, 6, 4, 4, 7, 7, 1, 1, 2, 2, 3, 3, 5), (1, 2, 1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 5, 6, 6, 6, 4, 4, 4, 7, 7), (2, 1, 2, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 5, 5, 5, 5, 6, 6, 6), (2, 1, 1, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 5, 5, 5), (3, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3), (3, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3), (5, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2), (5, 3, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2), (6, 3, 2, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2), (6, 3, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2), (4, 5, 3, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), (4, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1), (7, 5, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1), (7, 6, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1), (1, 6, 5, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1), (1, 6, 5, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1), (2, 4, 5, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1), (2, 4, 5, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1), (3, 4, 6, 5, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1), (3, 7, 6, 5, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1), (5, 7, 6, 5, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)))
    x4 = image_lay(x2, x3, ZERO)
    x5 = normal_colors(I, I, ((0,), (4, 0, 0, 9, 0, 0, 8, 23)), F)
    x6 = image(x5)
    x7 = image_lay(x4, x6, ZERO)
    x8 = image_grid(x7)
    O = normal_colors(x8, I, ((0,), (4, 0, 0, 9, 0, 0, 8, 23)), T)
    return O


# 7468f01a: trees, class 14; 3 demos; 11569 units
def solve_7468f01a(I):
    O = cell_tree(I, (5, 0, 0, 0), (800,))
    return O


# 746b3537: trees, class 14; 5 demos; 4585 units
def solve_746b3537(I):
    O = cell_tree(I, (5, 13, 0, 0), (0,))
    return O


# 74dd1130: lines, class 1; 4 demos; 12 units
def solve_74dd1130(I):
    O = dmirror(I)
    return O


# 75b8110e: trees, class 16; 5 demos; 6188 units
def solve_75b8110e(I):
    O = cell_tree(I, (1, 2, 2, 0), (6001, 0, 5, (6001,), (6002, 0, 6, (6002,), (6301,))))
    return O


# 776ffc46: trees, class 5; 4 demos; 90566 units
def solve_776ffc46(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 1, (2163, 0, 1, (2118, 0, 1, (1402,), (0,)), (0,)), (0,)))
    return O


# 780d0b14: trees, class 14; 3 demos; 16870 units
def solve_780d0b14(I):
    O = cell_tree(I, (3, 0, 0, 2), (0,))
    return O


# 794b24be: select, class 23; 10 demos; 847 units
def solve_794b24be(I):
    x1 = measure(I, SEVEN, 37, ONE)
    O = lookup(x1, ((1, ((2, 0, 0), (0, 0, 0), (0, 0, 0))), (2, ((2, 2, 0), (0, 0, 0), (0, 0, 0))), (3, ((2, 2, 2), (0, 0, 0), (0, 0, 0))), (4, ((2, 2, 2), (0, 2, 0), (0, 0, 0)))), ZERO)
    return O


# 7b6016b9: draw, class 2; 3 demos; 26285 units
def solve_7b6016b9(I):
    O = draw(I, I, (5, ()), ((0, 0, 0, 0, 0), (10, 14, ((1, 3), (0, 2))), 0))
    return O


# 7b7f7511: select, class 5; 3 demos; 1955 units
def solve_7b7f7511(I):
    O = cutout(I, (15, 0), (-1, 0, 36, 0))
    return O


# 7ddcd7ec: draw, class 11; 3 demos; 8270 units
def solve_7ddcd7ec(I):
    x1 = draw(I, I, (1, ()), ((5, 16, 5, 0, 0), (1, 0), 0))
    O = draw(x1, I, (1, ()), ((5, 96, 5, 0, 0), (1, 0), 0))
    return O


# 7e0986d6: trees, class 6; 2 demos; 25980 units
def solve_7e0986d6(I):
    O = cell_tree(I, (0, 0, 0, 0), (201, 1, 1, (0,), (203, 1, 2, (704,), 0)))
    return O


# 7f4411dc: trees, class 0; 3 demos; 26490 units
def solve_7f4411dc(I):
    O = cell_tree(I, (0, 0, 0, 0), (201, 1, 2, (0,), 0))
    return O


# 7fe24cdd: trees, class 19; 3 demos; 7648 units
def solve_7fe24cdd(I):
    O = cell_tree(I, (2, 2, 2, 0), (6604, 0, 1, (6600, 0, 1, (6407,), (6406,)), (6600, 0, 1, (6403,), (0,))))
    return O


# 80af3007: select, class 20; 3 demos; 21801 units
def solve_80af3007(I):
    x1 = cutout(I, (4, 24), (-1, 0, 0, 0))
    O = kron(x1, x1, ONE)
    return O


# 810b9b61: trees, class 2; 3 demos; 46690 units
def solve_810b9b61(I):
    O = cell_tree(I, (0, 0, 0, 0), (2108, 0, 1, 3, (0,)))
    return O


# 82819916: trees, class 13; 4 demos; 28761 units
def solve_82819916(I):
    O = cell_tree(I, (0, 0, 0, 0), (5705, 0, 1, (0, 0, 4, (0,), (400, 0, 1, (1403, 0, 4, (1300,), (401,)), (0, 0, 0, (400, 0, 3, (1300,), (1403, 0, 2, (1300,), (401,))), (0,)))), (0,)))
    return O


# 83302e8f: trees, class 5; 3 demos; 186716 units
def solve_83302e8f(I):
    O = cell_tree(I, (0, 0, 0, 0), (2515, 0, 0, 4, (205, 0, 1, 3, (0,))))
    return O


# 868de0fa: trees, class 0; 5 demos; 79964 units
def solve_868de0fa(I):
    O = cell_tree(I, (0, 0, 0, 0), (2507, 0, 0, (2535, 0, 0, 2, 7), (0,)))
    return O


# 88a10436: patterns, class 0; 3 demos; 1156 units
def solve_88a10436(I):
    O = complete_templates(I, (3, 0, 2, 0))
    return O


# 88a62173: select, class 7; 3 demos; 2043 units
def solve_88a62173(I):
    O = cutout(I, DOWN, (-1, 0, 22, 1))
    return O


# 8be77c9e: trees, class 16; 3 demos; 5968 units
def solve_8be77c9e(I):
    O = cell_tree(I, (2, 2, 1, 0), (6600, 0, 1, (6402,), (0,)))
    return O


# 8d5021e8: trees, class 19; 3 demos; 8580 units
def solve_8d5021e8(I):
    O = cell_tree(I, (2, 3, 2, 0), (6601, 0, 1, (6500, 0, 5, (0,), (6402,)), (6600, 0, 1, (6401,), (6403,))))
    return O


# 8d510a79: trees, class 13; 2 demos; 14838 units
def solve_8d510a79(I):
    O = cell_tree(I, (0, 0, 0, 0), (400, 0, 1, (504, 0, -1, 1, (0,)), (504, 0, 2, (400, 0, 5, 2, (0,)), (500, 0, 2, (404, 0, 5, 2, (0,)), (504, 0, 1, (400, 0, 5, (0,), 1), (0,))))))
    return O


# 8e1813be: bank, class 10; 3 demos; 19694 units
def solve_8e1813be(I):
    x1 = normal_colors(I, I, ((0, 5), (10, 8, 1, 12, 9, 23)), F)
    x2 = image(x1)
    x3 = image_keep(x2, ONE)
    x4 = image_trim(x3, ONE)
    x5 = image_grid(x4)
    x6 = height(x5)
    x7 = width(x5)
    x8 = astuple(x6, x7)
    x9 = image_blank(x8)
    x10 = image(((3, 3, 3, 3), (4, 4, 4, 4), (2, 2, 2, 2), (5, 5, 5, 5)))
    x11 = image_fit(x10, x8, TWO)
    x12 = image_lay(x9, x11, ZERO)
    x13 = image_trim(x2, FOUR)
    x14 = image_fit(x13, x8, ONE)
    x15 = image_recolor(x14, FOUR)
    x16 = image_lay(x12, x15, ZERO)
    x17 = image_erase(x2, ONE)
    x18 = image_trim(x17, TWO)
    x19 = image_lay(x16, x18, ZERO)
    x20 = image_grid(x19)
    O = normal_colors(x20, I, ((0, 5), (10, 8, 1, 12, 9, 23)), T)
    return O


# 8e5a5113: bank, class 13; 3 demos; 4067 units
def solve_8e5a5113(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0,), (1, 2, 0, 23)), F)
    x4 = image(x3)
    x5 = image_rigid(x4, TWO)
    x6 = image_fit(x5, x1, FOUR)
    x7 = image_lay(x2, x6, ZERO)
    x8 = image_rigid(x4, TEN)
    x9 = image_lay(x7, x8, ZERO)
    x10 = image_grid(x9)
    O = normal_colors(x10, I, ((0,), (1, 2, 0, 23)), T)
    return O


# 8eb1be9a: bank, class 6; 2 demos; 15763 units
def solve_8eb1be9a(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0,), (23,)), F)
    x4 = image(x3)
    x5 = image_trim(x4, ONE)
    x6 = image_fit(x5, x1, THREE)
    x7 = image_lay(x2, x6, ZERO)
    x8 = image_grid(x7)
    O = normal_colors(x8, I, ((0,), (23,)), T)
    return O


# 8efcae92: select, class 3; 3 demos; 27043 units
def solve_8efcae92(I):
    O = cutout(I, (3, 0), (-1, 0, 31, 0))
    return O


# 8f2ea7aa: select, class 21; 3 demos; 14541 units
def solve_8f2ea7aa(I):
    x1 = cutout(I, (7, 8), (-1, 0, 36, 0))
    O = kron(x1, x1, ZERO)
    return O


# 90c28cc7: select, class 7; 3 demos; 32704 units
def solve_90c28cc7(I):
    O = cutout(I, (3, 16), (-1, 0, 0, 0))
    return O


# 90f3ed37: trees, class 13; 3 demos; 58044 units
def solve_90f3ed37(I):
    O = cell_tree(I, (0, 0, 0, 0), (5709, 1, 1, (2508, 0, 0, 1, (5102, 0, 8, (0, 0, 8, (0,), 1), (0,))), (2508, 0, 2, (5504, 0, 7, (311, 0, 0, (900, 0, 9, (0,), 1), (0,)), (0,)), (0,))))
    return O


# 913fb3ed: draw, class 3; 4 demos; 12449 units
def solve_913fb3ed(I):
    O = draw(I, I, (0, ()), ((1, 1, 1, 0, 0), (10, 1, ((8, 4), (3, 6), (2, 1))), 0))
    return O


# 91714a58: trees, class 2; 3 demos; 23656 units
def solve_91714a58(I):
    O = cell_tree(I, (0, 0, 0, 0), (5504, 1, 2, (0,), 0))
    return O


# 9172f3a0: lines, class 0; 2 demos; 35 units
def solve_9172f3a0(I):
    O = upscale(I, THREE)
    return O


# 928ad970: draw, class 3; 3 demos; 9410 units
def solve_928ad970(I):
    O = draw(I, I, (4, ((1, 0, 5, 0),)), ((1, -1, 1, 0, 0), (4, 0), 0))
    return O


# 941d9a10: trees, class 10; 3 demos; 32434 units
def solve_941d9a10(I):
    O = cell_tree(I, (0, 0, 0, 0), (5012, 0, 1, 2, (5013, 0, 1, (705, 0, 5, (0,), (400, 0, 5, 3, 1)), (2511, 0, 9, (404, 0, 5, (0,), 3), (0,)))))
    return O


# 94f9d214: select, class 23; 4 demos; 3063 units
def solve_94f9d214(I):
    O = overlaid(I, 11, TWO, ((0, 2), (1, 0), (2, 0)))
    return O


# 9565186b: move, class 0; 4 demos; 7559 units
def solve_9565186b(I):
    O = shift_parts(I, (0, ()), (4, 10, 0, 0), (0, 5))
    return O


# 95990924: draw, class 9; 3 demos; 18709 units
def solve_95990924(I):
    O = draw(I, I, (0, ()), ((11, ((-1, -1, 1), (-1, 2, 2), (2, -1, 3), (2, 2, 4))), (1, 0), 0))
    return O


# 963e52fc: trees, class 21; 3 demos; 38591 units
def solve_963e52fc(I):
    O = cell_tree(I, (2, 1, 2, 1), (2110, 0, 2, (6601, 0, 1, (6403, 0, 1, 1, (6403, 0, 2, (3300,), (201, 0, 2, (307,), (800,)))), (6400,)), (6400,)))
    return O


# 97999447: trees, class 5; 3 demos; 31929 units
def solve_97999447(I):
    O = cell_tree(I, (0, 0, 0, 0), (601, 1, 0, (1802, 0, 1, 5, (401,)), (0,)))
    return O


# 99b1bc43: select, class 23; 4 demos; 3183 units
def solve_99b1bc43(I):
    O = overlaid(I, 11, TWO, ((0, 0), (2, 0), (1, 3)))
    return O


# 99fa7670: draw, class 15; 4 demos; 28838 units
def solve_99fa7670(I):
    x1 = draw(I, I, (0, ()), ((16, 2, 0, 0, 0), (1, 0), 0))
    x2 = draw(x1, I, (0, ((33, 3, 0, 0),)), ((16, 2, 0, 0, 0), (1, 0), 0))
    x3 = draw(x2, I, (0, ((10, 1, 0, 0),)), ((16, 2, 0, 0, 0), (1, 0), 0))
    O = draw(x3, I, (0, ()), ((5, 2, 0, 0, 0), (1, 0), 0))
    return O


# 9af7a82c: select, class 12; 4 demos; 4021 units
def solve_9af7a82c(I):
    x1 = cutouts(I, (16, 48), (-1, 0, 37, 1), ONE)
    O = mir_rot_t(x1, FOUR)
    return O


# 9dfd6313: lines, class 1; 3 demos; 29 units
def solve_9dfd6313(I):
    O = dmirror(I)
    return O


# 9ecd008a: lines, class 3; 3 demos; 2909 units
def solve_9ecd008a(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = vmirror(I)
    O = subgrid(x2, x3)
    return O


# 9edfc990: trees, class 0; 3 demos; 34920 units
def solve_9edfc990(I):
    O = cell_tree(I, (0, 0, 0, 0), (4501, 0, 1, 1, (0,)))
    return O


# 9f236235: trees, class 14; 3 demos; 14884 units
def solve_9f236235(I):
    O = cell_tree(I, (3, 0, 0, 2), (800,))
    return O


# a1570a43: draw, class 8; 4 demos; 18018 units
def solve_a1570a43(I):
    x1 = draw(I, I, (0, ((1, 0, 2, 0),)), ((0, 0, 0, 0, 0), (0, 0), 0))
    O = draw(x1, I, (4, ((1, 0, 3, 0),)), ((13, 0, 0, 0, 0), (1, 0), 0))
    return O


# a2fd1cf0: draw, class 0; 3 demos; 9273 units
def solve_a2fd1cf0(I):
    O = draw(I, I, (0, ()), ((17, 3, 0, 0, 0), (0, 8), 0))
    return O


# a3325580: select, class 10; 6 demos; 7093 units
def solve_a3325580(I):
    x1 = cutouts(I, (1, 48), (34, 0, 11, 1), ONE)
    O = mir_rot_t(x1, SIX)
    return O


# a3df8b1e: draw, class 1; 3 demos; 3031 units
def solve_a3df8b1e(I):
    O = draw(I, I, (0, ()), ((10, 16, 2, 0, 0), (1, 0), 0))
    return O


# a416b8f3: lines, class 0; 3 demos; 22 units
def solve_a416b8f3(I):
    O = hconcat(I, I)
    return O


# a48eeaf7: draw, class 20; 2 demos; 21332 units
def solve_a48eeaf7(I):
    x1 = draw(I, I, (0, ((1, 0, 5, 0),)), ((5, 255, 0, 1, 3), (1, 0), 0))
    x2 = draw(x1, I, (5, ()), ((5, 4, 0, 12, 0), (1, 0), 0))
    O = draw(x2, I, (5, ()), ((1, 0, 1, 0, 0), (1, 0), 0))
    return O


# a5313dff: draw, class 0; 3 demos; 5569 units
def solve_a5313dff(I):
    O = draw(I, I, (4, ()), ((2, 0, 0, 0, 0), (0, 1), 0))
    return O


# a5f85a15: trees, class 0; 3 demos; 31290 units
def solve_a5f85a15(I):
    O = cell_tree(I, (0, 0, 0, 0), (2141, 0, 1, 4, (0,)))
    return O


# a61f2674: trees, class 5; 2 demos; 17413 units
def solve_a61f2674(I):
    O = cell_tree(I, (0, 0, 0, 0), (2132, 0, 0, 1, (2148, 0, 1, 2, 0)))
    return O


# a65b410d: trees, class 8; 3 demos; 16075 units
def solve_a65b410d(I):
    O = cell_tree(I, (0, 0, 0, 0), (404, 0, 2, 3, (407, 0, -1, (403, 0, -1, (100, 0, -1, (901, 1, 4, (0,), 3), (0,)), 1), 3)))
    return O


# a68b268e: trees, class 14; 6 demos; 5860 units
def solve_a68b268e(I):
    O = cell_tree(I, (1, 2, 2, 1), (6300,))
    return O


# a699fb00: draw, class 0; 3 demos; 27299 units
def solve_a699fb00(I):
    O = draw(I, I, (0, ()), ((5, 2, 0, 2, 0), (0, 2), 0))
    return O


# a740d043: trees, class 14; 3 demos; 4878 units
def solve_a740d043(I):
    O = cell_tree(I, (5, 0, 0, 0), (0, 0, 1, 0, (0,)))
    return O


# a79310a0: trees, class 0; 3 demos; 5165 units
def solve_a79310a0(I):
    O = cell_tree(I, (0, 0, 0, 0), (100, 0, 8, 2, 0))
    return O


# a85d4709: trees, class 5; 4 demos; 4237 units
def solve_a85d4709(I):
    O = cell_tree(I, (0, 0, 0, 0), (1301, 0, 0, (1300, 0, 0, 4, 2), 3))
    return O


# a87f7484: select, class 5; 4 demos; 4564 units
def solve_a87f7484(I):
    O = cutout(I, DOWN, (-1, 0, 0, 0))
    return O


# a9f96cdd: trees, class 1; 4 demos; 4589 units
def solve_a9f96cdd(I):
    O = cell_tree(I, (0, 0, 0, 0), (102, 0, 2, 7, (103, 0, 2, 8, (106, 0, 2, 3, (107, 0, 2, 6, 0)))))
    return O


# aabf363d: trees, class 2; 2 demos; 7838 units
def solve_aabf363d(I):
    O = cell_tree(I, (0, 0, 0, 0), (1600, 0, 0, (1402,), 0))
    return O


# ac0a08a4: trees, class 14; 3 demos; 11118 units
def solve_ac0a08a4(I):
    O = cell_tree(I, (2, -4, -4, 0), (6500,))
    return O


# ae3edfdc: move, class 3; 3 demos; 27921 units
def solve_ae3edfdc(I):
    O = shift_parts(I, (0, ((23, 2, 0, 1),)), (4, 10, 0, 0), DOWN)
    return O


# ae4f1146: select, class 3; 4 demos; 4924 units
def solve_ae4f1146(I):
    O = cutout(I, TWO_BY_ZERO, (-1, 0, 59, 0))
    return O


# aedd82e4: trees, class 2; 4 demos; 7714 units
def solve_aedd82e4(I):
    O = cell_tree(I, (0, 0, 0, 0), (2004, 0, 1, 1, (0,)))
    return O


# af902bf9: draw, class 0; 3 demos; 18965 units
def solve_af902bf9(I):
    O = draw(I, I, (0, ()), ((18, 0, 0, 0, 0), (0, 2), 0))
    return O


# b1948b0a: lines, class 1; 3 demos; 10 units
def solve_b1948b0a(I):
    O = replace(I, SIX, TWO)
    return O


# b230c067: trees, class 5; 3 demos; 22926 units
def solve_b230c067(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 0, (0,), (2122, 0, 2, 1, 2)))
    return O


# b27ca6d3: draw, class 0; 2 demos; 60890 units
def solve_b27ca6d3(I):
    O = draw(I, I, (0, ((0, 1, 0, 0),)), ((1, 1, 1, 0, 0), (0, 3), 0))
    return O


# b2862040: trees, class 0; 4 demos; 49542 units
def solve_b2862040(I):
    O = cell_tree(I, (0, 0, 0, 0), (2108, 0, 1, 8, (0,)))
    return O


# b548a754: views, class 11; 3 demos; 11193 units
def solve_b548a754(I):
    x1 = view(I, THREE)
    x2 = cell_tree(x1, (0, 0, 0, 0), (904, 1, 1, (1403,), (1401,)))
    O = unview(I, THREE, x2)
    return O


# b60334d2: trees, class 0; 2 demos; 8341 units
def solve_b60334d2(I):
    O = cell_tree(I, (0, 0, 0, 0), (202, 0, 0, 0, (203, 0, 1, 1, 5)))
    return O


# b6afb2da: trees, class 0; 2 demos; 11728 units
def solve_b6afb2da(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 5, (202, 0, 5, 4, (202, 0, 8, 2, 1)), (0,)))
    return O


# b8825c91: repair, class 2; 4 demos; 76843 units
def solve_b8825c91(I):
    x1 = shape(I)
    O = repaired(I, FOUR, NINE, x1)
    return O


# b8cdaf2b: draw, class 3; 4 demos; 11768 units
def solve_b8cdaf2b(I):
    O = draw(I, I, (6, ((28, 0, 1, 0),)), ((5, 144, 2, 0, 0), (5, 0), 0))
    return O


# b91ae062: trees, class 14; 5 demos; 8516 units
def solve_b91ae062(I):
    O = cell_tree(I, (2, -4, -4, 0), (6500,))
    return O


# b94a9452: trees, class 14; 3 demos; 9982 units
def solve_b94a9452(I):
    O = cell_tree(I, (5, 0, 0, 0), (3002,))
    return O


# b9b7f026: select, class 5; 3 demos; 15393 units
def solve_b9b7f026(I):
    O = cutout(I, (3, 40), (-1, 0, 8, 0))
    return O


# ba26e723: trees, class 0; 5 demos; 8459 units
def solve_ba26e723(I):
    O = cell_tree(I, (0, 0, 0, 0), (911, 1, 1, (0,), (0, 0, 4, 6, (0,))))
    return O


# ba97ae07: draw, class 1; 4 demos; 8014 units
def solve_ba97ae07(I):
    O = draw(I, I, (4, ()), ((1, 0, 2, 0, 0), (1, 0), 0))
    return O


# bb43febb: patterns, class 10; 2 demos; 541 units
def solve_bb43febb(I):
    O = fill_places(I, FIVE, (5, 1, 1, 1), TWO)
    return O


# bbc9ae5d: lines, class 30; 5 demos; 4267 units
def solve_bbc9ae5d(I):
    x1 = width(I)
    x2 = vupscale(I, x1)
    x3 = tophalf(x2)
    x4 = index(I, ORIGIN)
    x5 = rbind(shoot, UNITY)
    x6 = ofcolor(I, ZERO)
    x7 = mapply(x5, x6)
    x8 = delta(x7)
    O = fill(x3, x4, x8)
    return O


# bda2d7a6: trees, class 7; 3 demos; 11930 units
def solve_bda2d7a6(I):
    O = cell_tree(I, (0, 0, 0, 0), (904, 1, 1, (900, 1, 4, (504,), (500,)), (1402,)))
    return O


# bdad9b1f: trees, class 5; 2 demos; 8294 units
def solve_bdad9b1f(I):
    O = cell_tree(I, (0, 0, 0, 0), (1200, 0, 2, (400, 0, 8, 4, 2), (1302,)))
    return O


# be94b721: select, class 7; 4 demos; 4744 units
def solve_be94b721(I):
    O = cutout(I, DOWN, (-1, 0, 0, 0))
    return O


# c0f76784: draw, class 3; 3 demos; 9697 units
def solve_c0f76784(I):
    O = draw(I, I, (0, ()), ((2, 0, 0, 0, 0), (10, 0, ((16, 8), (8, 6), (12, 7))), 0))
    return O


# c1d99e64: patterns, class 10; 3 demos; 7753 units
def solve_c1d99e64(I):
    O = fill_places(I, ZERO, (6, 1, 1, 0), TWO)
    return O


# c3e719e8: trees, class 14; 3 demos; 9367 units
def solve_c3e719e8(I):
    O = cell_tree(I, (2, 3, 3, 1), (205, 0, 1, (6400,), 0))
    return O


# c3f564a4: trees, class 7; 3 demos; 37370 units
def solve_c3f564a4(I):
    O = cell_tree(I, (0, 0, 0, 0), (1600, 1, 0, (0,), (703, 0, -1, (803,), (703,))))
    return O


# c444b776: trees, class 2; 2 demos; 60382 units
def solve_c444b776(I):
    O = cell_tree(I, (0, 0, 0, 0), (200, 1, 5, (5102,), (0,)))
    return O


# c59eb873: lines, class 0; 3 demos; 54 units
def solve_c59eb873(I):
    O = upscale(I, TWO)
    return O


# c8f0f002: lines, class 1; 3 demos; 9 units
def solve_c8f0f002(I):
    O = replace(I, SEVEN, FIVE)
    return O


# c909285e: trees, class 14; 3 demos; 20915 units
def solve_c909285e(I):
    O = cell_tree(I, (5, 7, 0, 0), (0,))
    return O


# c9e6f938: trees, class 14; 3 demos; 5968 units
def solve_c9e6f938(I):
    O = cell_tree(I, (2, 1, 2, 0), (6601, 0, 1, (6401,), (0,)))
    return O


# c9f8e694: trees, class 0; 2 demos; 19394 units
def solve_c9f8e694(I):
    O = cell_tree(I, (0, 0, 0, 0), (205, 0, 1, (0,), (1300,)))
    return O


# cbded52d: trees, class 27; 3 demos; 14960 units
def solve_cbded52d(I):
    O = cell_tree(I, (0, 0, 0, 0), (5502, 0, 2, (1202, 0, 4, (5801, 0, 1, (1301,), (1300,)), (1203, 0, 4, (5800, 0, 1, (1303,), (1302,)), (0,))), (0,)))
    return O


# cce03e0d: trees, class 14; 3 demos; 8395 units
def solve_cce03e0d(I):
    O = cell_tree(I, (2, 3, 3, 0), (6500, 0, 2, (0,), 0))
    return O


# cdecee7f: select, class 14; 3 demos; 7794 units
def solve_cdecee7f(I):
    O = cutouts(I, (1, 40), (-1, 0, 11, 1), 1193)
    return O


# ce22a75a: draw, class 0; 2 demos; 9957 units
def solve_ce22a75a(I):
    O = draw(I, I, (0, ()), ((1, 1, 0, 0, 0), (0, 1), 0))
    return O


# ce4f8723: select, class 23; 4 demos; 3183 units
def solve_ce4f8723(I):
    O = overlaid(I, 11, TWO, ((2, 3), (1, 3), (0, 0)))
    return O


# ce602527: lines, class 5; 4 demos; 1684 units
def solve_ce602527(I):
    x1 = objects(I, T, F, T)
    x2 = merge(x1)
    x3 = portrait(x2)
    x4 = partition(I)
    x5 = argmin(x4, width)
    x6 = subgrid(x5, I)
    x7 = argmax(x1, leftmost)
    x8 = subgrid(x7, I)
    O = branch(x3, x6, x8)
    return O


# ce9e57f2: draw, class 0; 3 demos; 10415 units
def solve_ce9e57f2(I):
    O = draw(I, I, (0, ()), ((6, 2, 0, 0, 0), (0, 8), 0))
    return O


# cf98881b: trees, class 14; 5 demos; 5360 units
def solve_cf98881b(I):
    O = cell_tree(I, (1, 1, 3, 1), (6300,))
    return O


# d037b0a7: draw, class 0; 3 demos; 5958 units
def solve_d037b0a7(I):
    O = draw(I, I, (0, ()), ((5, 4, 0, 0, 0), (1, 0), 0))
    return O


# d0f5fe59: lines, class 28; 3 demos; 295 units
def solve_d0f5fe59(I):
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = astuple(x2, x2)
    x4 = canvas(ZERO, x3)
    x5 = shoot(ORIGIN, UNITY)
    O = fill(x4, EIGHT, x5)
    return O


# d10ecb37: lines, class 3; 3 demos; 9 units
def solve_d10ecb37(I):
    O = crop(I, ORIGIN, TWO_BY_TWO)
    return O


# d13f3404: trees, class 24; 3 demos; 15418 units
def solve_d13f3404(I):
    O = cell_tree(I, (2, 2, 2, 0), (2443, 0, 1, (602, 1, 0, (402,), 0), (602, 1, 0, (606, 1, 0, (5602, 0, 2, (406,), (402,)), (5602, 1, 2, (1701,), (0,))), (0,))))
    return O


# d23f8c26: trees, class 7; 3 demos; 9412 units
def solve_d23f8c26(I):
    O = cell_tree(I, (0, 0, 0, 0), (1207, 0, 1, (0, 0, 0, (0,), (800,)), 0))
    return O


# d2abd087: trees, class 26; 3 demos; 22926 units
def solve_d2abd087(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 0, (0,), (2100, 0, 6, 2, 1)))
    return O


# d364b489: draw, class 9; 2 demos; 16801 units
def solve_d364b489(I):
    O = draw(I, I, (0, ()), ((11, ((-1, 0, 2), (0, -1, 7), (0, 1, 6), (1, 0, 8))), (1, 0), 0))
    return O


# d406998b: trees, class 5; 4 demos; 8459 units
def solve_d406998b(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 5, (909, 0, 1, (0,), 3), (0,)))
    return O


# d43fd935: draw, class 3; 3 demos; 25465 units
def solve_d43fd935(I):
    O = draw(I, I, (0, ()), ((5, 15, 0, 23, 0), (1, 0), 0))
    return O


# d4469b4b: select, class 23; 7 demos; 2285 units
def solve_d4469b4b(I):
    x1 = measure(I, SEVEN, 39, ONE)
    O = lookup(x1, ((2, ((5, 5, 5), (0, 5, 0), (0, 5, 0))), (1, ((0, 5, 0), (5, 5, 5), (0, 5, 0))), (3, ((0, 0, 5), (0, 0, 5), (5, 5, 5)))), ZERO)
    return O


# d4a91cb9: draw, class 0; 3 demos; 7600 units
def solve_d4a91cb9(I):
    O = draw(I, I, (0, ()), ((17, 8, 0, 0, 0), (0, 4), 0))
    return O


# d4f3cd78: trees, class 26; 2 demos; 18128 units
def solve_d4f3cd78(I):
    O = cell_tree(I, (0, 0, 0, 0), (3700, 0, 5, 8, (5502, 0, 9, 8, (5502, 0, 7, 8, (0,)))))
    return O


# d511f180: lines, class 1; 3 demos; 10 units
def solve_d511f180(I):
    O = switch(I, FIVE, EIGHT)
    return O


# d5d6de2d: trees, class 1; 3 demos; 109415 units
def solve_d5d6de2d(I):
    O = cell_tree(I, (0, 0, 0, 0), (2514, 0, 0, 3, 0))
    return O


# d631b094: select, class 3; 4 demos; 843 units
def solve_d631b094(I):
    O = cutout(I, (1, 48), (-1, 0, 0, 0))
    return O


# d687bc17: bank, class 7; 3 demos; 21746 units
def solve_d687bc17(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0,), (14, 1, 10, 23, 8, 23)), F)
    x4 = image(x3)
    x5 = image_split(x4, ONE)
    x6 = image_connect(x5, TWO)
    x7 = image_pile(x6, ZERO)
    x8 = image_lay(x2, x7, ZERO)
    x9 = image_split(x4, ZERO)
    x10 = image_pick(x9, ZERO)
    x11 = image_lay(x8, x10, ZERO)
    x12 = image_ring(x4, ONE)
    x13 = image_fit(x12, x1, TWO)
    x14 = image_lay(x2, x13, ZERO)
    x15 = image_lay(x11, x14, ONE)
    x16 = image_grid(x15)
    O = normal_colors(x16, I, ((0,), (14, 1, 10, 23, 8, 23)), T)
    return O


# d8c310e9: repair, class 1; 3 demos; 22520 units
def solve_d8c310e9(I):
    x1 = shape(I)
    O = repaired(I, ZERO, 20, x1)
    return O


# d90796e8: patterns, class 4; 3 demos; 551 units
def solve_d90796e8(I):
    O = replace_pattern(I, ((3, 2),), ((8, 0),), ONE)
    return O


# d9fac9be: select, class 3; 4 demos; 15253 units
def solve_d9fac9be(I):
    O = cutout(I, (0, 4), (-1, 0, 0, 0))
    return O


# dae9d2b5: select, class 23; 5 demos; 1767 units
def solve_dae9d2b5(I):
    O = overlaid(I, 11, TWO, ((2, 6), (0, 0), (1, 6)))
    return O


# db3e9e38: trees, class 9; 2 demos; 13605 units
def solve_db3e9e38(I):
    O = cell_tree(I, (0, 0, 0, 0), (407, 0, 7, (909, 0, 1, 7, 8), (406, 0, 7, (909, 0, 1, 7, 8), (0,))))
    return O


# dbc1a6ce: draw, class 0; 4 demos; 60654 units
def solve_dbc1a6ce(I):
    O = draw(I, I, (0, ()), ((5, 15, 0, 2, 0), (0, 8), 0))
    return O


# dc0a314f: repair, class 10; 3 demos; 77005 units
def solve_dc0a314f(I):
    x1 = ofcolor(I, THREE)
    x2 = shape(I)
    x3 = repaired(I, THREE, NINE, x2)
    O = subgrid(x1, x3)
    return O


# dc1df850: trees, class 0; 3 demos; 13024 units
def solve_dc1df850(I):
    O = cell_tree(I, (0, 0, 0, 0), (5202, 0, 0, (0,), 1))
    return O


# dc433765: trees, class 13; 7 demos; 37088 units
def solve_dc433765(I):
    O = cell_tree(I, (0, 0, 0, 0), (0, 0, 4, (0,), (200, 0, 6, (103, 0, 4, (0,), 3), (2538, 0, 7, (100,), (2540, 0, 2, (104, 0, 3, 3, (1603, 1, 35, (102,), 3)), 0)))))
    return O


# ddf7fa4f: draw, class 1; 3 demos; 14620 units
def solve_ddf7fa4f(I):
    O = draw(I, I, (0, ((1, 0, 5, 0),)), ((0, 0, 0, 0, 0), (6, 0), 0))
    return O


# de1cd16c: trees, class 20; 4 demos; 10813 units
def solve_de1cd16c(I):
    O = cell_tree(I, (5, 5, 0, 0), (1400, 0, 8, (0, 0, 6, 8, 2), (0, 0, 4, 6, 4)))
    return O


# ded97339: trees, class 0; 3 demos; 11724 units
def solve_ded97339(I):
    O = cell_tree(I, (0, 0, 0, 0), (705, 0, 8, 8, (0,)))
    return O


# e179c5f4: draw, class 4; 3 demos; 6142 units
def solve_e179c5f4(I):
    x1 = draw(I, I, (5, ()), ((0, 0, 0, 0, 0), (0, 8), 0))
    O = draw(x1, I, (0, ()), ((10, 16, 2, 0, 0), (1, 0), 0))
    return O


# e21d9049: bank, class 7; 2 demos; 22824 units
def solve_e21d9049(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ((0,), (2, 1, 14, 23)), F)
    x4 = image(x3)
    x5 = image_trim(x4, ONE)
    x6 = image_fit(x5, x1, THREE)
    x7 = image_lay(x2, x6, ZERO)
    x8 = image_keep(x4, TWO)
    x9 = image_smear(x8, SIX)
    x10 = image_lay(x2, x9, ZERO)
    x11 = image_lay(x7, x10, ONE)
    x12 = image_grid(x11)
    O = normal_colors(x12, I, ((0,), (2, 1, 14, 23)), T)
    return O


# e3497940: trees, class 14; 3 demos; 10157 units
def solve_e3497940(I):
    O = cell_tree(I, (1, 1, 2, 1), (205, 0, 1, (6107,), (0,)))
    return O


# e40b9e2f: repair, class 2; 3 demos; 30023 units
def solve_e40b9e2f(I):
    x1 = shape(I)
    O = repaired(I, ZERO, 11, x1)
    return O


# e50d258f: select, class 3; 3 demos; 17794 units
def solve_e50d258f(I):
    O = cutout(I, DOWN, (-1, 0, 60, 0))
    return O


# e73095fd: draw, class 20; 3 demos; 71504 units
def solve_e73095fd(I):
    x1 = draw(I, I, (5, ((33, 0, 9, 0),)), ((0, 0, 0, 0, 0), (0, 4), 0))
    O = draw(x1, I, (5, ((4, 0, 11, 1),)), ((1, 1, 2, 0, 0), (0, 4), 1))
    return O


# e76a88a6: patterns, class 2; 2 demos; 1175 units
def solve_e76a88a6(I):
    O = complete_templates(I, (3, 0, 3, 0))
    return O


# e8593010: draw, class 5; 3 demos; 35673 units
def solve_e8593010(I):
    O = draw(I, I, (0, ()), ((0, 0, 0, 0, 0), (10, 0, ((1, 3), (3, 1), (2, 2))), 0))
    return O


# e9614598: lines, class 12; 2 demos; 240 units
def solve_e9614598(I):
    x1 = compose(ineighbors, center)
    x2 = fgpartition(I)
    x3 = mapply(x1, x2)
    x4 = delta(x3)
    O = fill(I, THREE, x4)
    return O


# e98196ab: trees, class 14; 3 demos; 7951 units
def solve_e98196ab(I):
    O = cell_tree(I, (1, 2, 1, 1), (6300,))
    return O


# e9afcf9a: draw, class 0; 2 demos; 4160 units
def solve_e9afcf9a(I):
    O = draw(I, I, (6, ()), ((10, 64, 0, 0, 0), (1, 0), 0))
    return O


# ea32f347: draw, class 3; 4 demos; 8351 units
def solve_ea32f347(I):
    O = draw(I, I, (0, ()), ((0, 0, 0, 0, 0), (10, 34, ((0, 1), (1, 4), (2, 2))), 0))
    return O


# ea786f4a: draw, class 0; 3 demos; 4664 units
def solve_ea786f4a(I):
    O = draw(I, I, (0, ()), ((5, 240, 0, 0, 0), (1, 0), 0))
    return O


# eb281b96: bank, class 3; 2 demos; 7785 units
def solve_eb281b96(I):
    x1 = normal_colors(I, I, ((0,), (23,)), F)
    x2 = image(x1)
    x3 = image_grid(x2)
    x4 = height(x3)
    x5 = multiply(x4, FOUR)
    x6 = add(x5, -3)
    x7 = width(x3)
    x8 = astuple(x6, x7)
    x9 = image_blank(x8)
    x10 = image(((0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)))
    x11 = image_fit(x10, x8, TWO)
    x12 = image_lay(x9, x11, ZERO)
    x13 = image_grid(x12)
    O = normal_colors(x13, I, ((0,), (23,)), T)
    return O


# eb5a1d5d: trees, class 14; 3 demos; 20271 units
def solve_eb5a1d5d(I):
    O = cell_tree(I, (5, 13, 0, 0), (0,))
    return O


# ec883f72: draw, class 4; 4 demos; 7313 units
def solve_ec883f72(I):
    O = draw(I, I, (0, ()), ((5, 240, 2, 3, 0), (6, 0), 0))
    return O


# ed36ccf7: lines, class 1; 4 demos; 12 units
def solve_ed36ccf7(I):
    O = rot270(I)
    return O


# ef135b50: draw, class 4; 3 demos; 12624 units
def solve_ef135b50(I):
    O = draw(I, I, (0, ((12, 1, 0, 1),)), ((5, 10, 0, 2, 0), (0, 9), 0))
    return O


# f25fbde4: lines, class 0; 3 demos; 133 units
def solve_f25fbde4(I):
    x1 = compress(I)
    O = upscale(x1, TWO)
    return O


# f25ffba3: draw, class 0; 2 demos; 8760 units
def solve_f25ffba3(I):
    O = draw(I, I, (0, ()), ((9, 2, 0, 0, 0), (1, 0), 0))
    return O


# f2829549: trees, class 14; 5 demos; 4681 units
def solve_f2829549(I):
    O = cell_tree(I, (1, 1, 2, 1), (6200, 1, 1, 0, 3))
    return O


# f5b8619d: trees, class 16; 3 demos; 17524 units
def solve_f5b8619d(I):
    O = cell_tree(I, (2, 2, 2, 0), (1201, 0, 2, (200, 1, 2, 8, (0,)), (0,)))
    return O


# f76d97a5: trees, class 5; 3 demos; 6792 units
def solve_f76d97a5(I):
    O = cell_tree(I, (0, 0, 0, 0), (1602, 1, 6, (1400,), (704, 0, 4, 4, 0)))
    return O


# f8b3ba0a: select, class 8; 4 demos; 29643 units
def solve_f8b3ba0a(I):
    O = cutouts(I, (4, 40), (134, 0, 37, 0), ONE)
    return O


# f8ff0b80: select, class 13; 3 demos; 7973 units
def solve_f8ff0b80(I):
    O = cutouts(I, (1, 40), (-1, 0, 37, 0), ONE)
    return O


# f9012d9b: repair, class 8; 3 demos; 14763 units
def solve_f9012d9b(I):
    x1 = ofcolor(I, ZERO)
    x2 = shape(I)
    x3 = repaired(I, ZERO, ZERO, x2)
    O = subgrid(x1, x3)
    return O


# fafffa47: select, class 23; 5 demos; 1767 units
def solve_fafffa47(I):
    O = overlaid(I, 11, TWO, ((0, 2), (2, 0), (1, 0)))
    return O


# fcb5c309: trees, class 14; 3 demos; 15276 units
def solve_fcb5c309(I):
    O = cell_tree(I, (5, 1, 0, 0), (205, 0, 1, (0,), (1402,)))
    return O


# feca6190: bank, class 18; 5 demos; 5523 units
def solve_feca6190(I):
    x1 = normal_colors(I, I, ((0,), (18, 14, 23)), F)
    x2 = image(x1)
    x3 = image_count(x2, ZERO)
    x4 = image_grid(x3)
    x5 = height(x4)
    x6 = multiply(x5, FIVE)
    x7 = width(x4)
    x8 = multiply(x7, FIVE)
    x9 = astuple(x6, x8)
    x10 = image_blank(x9)
    x11 = image_fit(x2, x9, ZERO)
    x12 = image_rigid(x11, TWO)
    x13 = image_smear(x12, TEN)
    x14 = image_lay(x10, x13, ZERO)
    x15 = image_grid(x14)
    O = normal_colors(x15, I, ((0,), (18, 14, 23)), T)
    return O


# ff28f65a: select, class 22; 8 demos; 4449 units
def solve_ff28f65a(I):
    x1 = measure(I, SEVEN, 37, ONE)
    O = lookup(x1, ((4, ((1, 0, 0), (0, 0, 0), (0, 0, 0))), (8, ((1, 0, 1), (0, 0, 0), (0, 0, 0))), (12, ((1, 0, 1), (0, 1, 0), (0, 0, 0))), (16, ((1, 0, 1), (0, 1, 0), (1, 0, 0))), (20, ((1, 0, 1), (0, 1, 0), (1, 0, 1)))), ZERO)
    return O


# ff805c23: lines, class 2; 3 demos; 459 units
def solve_ff805c23(I):
    x1 = ofcolor(I, ONE)
    x2 = hmirror(I)
    x3 = subgrid(x1, x2)
    O = replace(x3, ONE, SIX)
    return O
