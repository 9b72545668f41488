# Programs that the search found by itself, each for the training task in its name.
# Made by scripts/make_pool: tessera solve --pool none --per-task 300ms --seed 0


# 17b866bd: patterns, class 7; 2 demos; 2856 units
# Replace a given pattern of 5 by 5 by another wherever it is. Replace a given pattern of 5 by 5 by
# another wherever it is. Replace a given pattern of 5 by 5 by another wherever it is. Replace a
# given pattern of 5 by 5 by another wherever it is.
def solve_17b866bd(I):
    x1 = replace_pattern(I, ((8, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 8, 8, 10), (10, 8, 8, 8, 8), (10, 8, 8, 8, 8), (10, 10, 8, 8, 10)), WHEREVER)
    x2 = replace_pattern(x1, ((4, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 4, 4, 10), (10, 4, 4, 4, 4), (10, 4, 4, 4, 4), (10, 10, 4, 4, 10)), WHEREVER)
    x3 = replace_pattern(x2, ((7, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 7, 7, 10), (10, 7, 7, 7, 7), (10, 7, 7, 7, 7), (10, 10, 7, 7, 10)), WHEREVER)
    O = replace_pattern(x3, ((1, 8, 8, 8, 8), (8, 8, 0, 0, 8), (8, 0, 0, 0, 0), (8, 0, 0, 0, 0), (8, 8, 0, 0, 8)), ((0, 10, 10, 10, 10), (10, 10, 1, 1, 10), (10, 1, 1, 1, 1), (10, 1, 1, 1, 1), (10, 10, 1, 1, 10)), WHEREVER)
    return O


# 182e5d0f: trees, class 9; 3 demos; 52366 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose set of
# colours that it touches is at least 5 (as bits), (if its colour is black, it stays; else if the
# colour that it sees looking in two opposite directions is black, it stays; else if the colour one
# step up to the left is black, (if it is in a part of one colour (joined over corners too) whose
# number of columns of its box left of the cell is 2, it becomes orange; else it becomes grey); else
# if the colour one step down to the right is black, it becomes grey; else it becomes orange); else
# it stays.
def solve_182e5d0f(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, TOUCHES), AT_LEAST, 5, (IF, ITSELF, EQUALS, 0, KEEP, (IF, (BETWEEN, ANYHOW), EQUALS, 0, KEEP, (IF, (NEIGHBOR, NORTHWEST), EQUALS, 0, (IF, (PART, PARTS_DIAGONAL, COLUMNS_LEFT_IN_BOX), EQUALS, 2, 7, 5), (IF, (NEIGHBOR, SOUTHEAST), EQUALS, 0, 5, 7)))), KEEP))
    return O


# 1b59e163: patterns, class 0; 2 demos; 3543 units
# Take each thing of any colours (joined over corners too): each one of several colours is a
# template, to be completed wherever its cells of the colours that the others have are there (the
# template itself going away). Replace grey by yellow.
def solve_1b59e163(I):
    x1 = complete_templates(I, (THINGS_DIAGONAL, WHERE_MARKED, MANY_COLORED, {MOVED}))
    O = replace(x1, FIVE, FOUR)
    return O


# 1d61978c: trees, class 6; 2 demos; 52588 units
# In each cell of the grid: if its colour is orange, it stays; else if it is in a part of one colour
# (joined over corners too) whose rightmost column is at least 11, it becomes cyan; else if it is in
# a part of one colour (joined over corners too) whose number of cells is 3, it becomes cyan; else
# it becomes red.
def solve_1d61978c(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 7, KEEP, (IF, (PART, PARTS_DIAGONAL, RIGHTMOST), AT_LEAST, 11, 8, (IF, (PART, PARTS_DIAGONAL, SIZE), EQUALS, 3, 8, 2))))
    return O


# 22208ba4: draw, class 8; 4 demos; 28984 units
# For each part of one colour with the greatest number of parts of its colour: draw copies of it in
# all four diagonal directions, right beside it, 1 of them, in its own colour. For each set of all
# cells of one colour with the greatest number of cells of the input: draw its cells, in orange.
def solve_22208ba4(I):
    x1 = draw(I, I, (PARTS, ((SAME_COLOR, MOST),)), ((COPIES, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, TOUCHING, 1), OWN_COLOR))
    O = draw(x1, I, (COLORS, ((SIZE, MOST),)), (CELLS, (IN_COLOR, 7)))
    return O


# 252143c9: trees, class 7; 2 demos; 71292 units
# In each cell of the grid: if it is on the diagonal from the top right corner, (if the largest part
# beside it is one that has the greatest number of parts of its colour, it takes the first colour
# looking up to the right that is not its own; else if it is in a part of one colour (joined over
# corners too) that has a box that is not square, it becomes orange; else it stays); else it becomes
# orange.
def solve_252143c9(I):
    O = cell_tree(I, SAME_GRID, (IF, ON_RISING_DIAGONAL, EQUALS, 1, (IF, (PART_BESIDE, (WITH_MOST, SAME_COLOR)), EQUALS, 1, (COPY, (SEEN_OTHER, NORTHEAST)), (IF, (PART, PARTS_DIAGONAL, IS_SQUARE), EQUALS, 0, 7, KEEP)), 7))
    return O


# 2de01db2: trees, class 26; 3 demos; 11849 units
# In each cell of the grid: if it is in a set of all cells of one colour that is a straight line,
# (if the number of colours commoner than its own is 4, it becomes yellow; else it becomes black);
# else if at least 4 of the cells in its row are foreground, it takes the commonest colour in its
# row but the background; else it takes the commonest colour in its column but the background.
def solve_2de01db2(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, COLORS, IS_LINE), EQUALS, 1, (IF, COLORS_COMMONER, EQUALS, 4, 4, 0), (IF, ROW_FOREGROUND, AT_LEAST, 4, (COPY, ROW_COLOR), (COPY, COLUMN_COLOR))))
    return O


# 337b420f: lines, class 31; 4 demos; 931 units
# Let A be the 3 equal parts of the input side by side. Start with the last of A. Fill the largest
# of the objects of the second of A with the rarest colour of the second of A. Fill the largest of
# the objects of the input with yellow. Let B be the smallest of the objects of the last of A. Fill
# B with cyan. Fill the free cells in the box around each of the objects of the input that have 3
# cells with pink. Fill the free cells in the box around each of the objects of the last of A that
# are pink with pink. And 2 more steps.
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
# For each part of one colour: draw rays in all four diagonal directions from the corners of its
# box, to the next thing, if that has its colour, in its own colour.
def solve_342ae2ed(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, FROM_CORNERS, ONLY_TO_OWN), OWN_COLOR))
    return O


# 342dd610: trees, class 9; 4 demos; 28014 units
# In each cell of the grid: if the colour one step to the left is blue, it becomes blue; else if the
# colour two steps to the right is red, it becomes red; else if the colour two steps down is orange,
# it becomes orange; else if the colour two steps up is maroon, it becomes maroon; else it becomes
# cyan.
def solve_342dd610(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBOR, WEST), EQUALS, 1, 1, (IF, (TWO_AWAY, EAST), EQUALS, 2, 2, (IF, (TWO_AWAY, SOUTH), EQUALS, 7, 7, (IF, (TWO_AWAY, NORTH), EQUALS, 9, 9, 8)))))
    return O


# 37ce87bb: trees, class 10; 3 demos; 48006 units
# In each cell of the grid: if the number of steps (over corners too) to the nearest cell that is
# not background is 2, (if there is no colour two steps to the right, (if the colour at its place in
# the grid turned round is cyan, (if it is in a region of background that touches red, it stays;
# else it becomes grey); else if the number of steps to the nearest cell that is not background is
# 4, it stays; else it becomes grey); else it stays); else it stays.
def solve_37ce87bb(I):
    O = cell_tree(I, SAME_GRID, (IF, NEAREST_DISTANCE_DIAGONAL, EQUALS, 2, (IF, (TWO_AWAY, EAST), EQUALS, NOTHING, (IF, (MIRRORED, TURNED_ROUND), EQUALS, 8, (IF, (PART_TOUCHES, REGIONS, 2), EQUALS, 1, KEEP, 5), (IF, NEAREST_DISTANCE, EQUALS, 4, KEEP, 5)), KEEP), KEEP))
    return O


# 396d80d7: draw, class 20; 2 demos; 46806 units
# For each part of one colour whose colour is not red: draw the corners of its box, grown by 1, in
# the colour of the nearest other part, on background only.
def solve_396d80d7(I):
    O = draw(I, I, (PARTS, ((COLOR, EQUALS, 2, NOT),)), ((BOX, 1, CORNER_CELLS), COLOR_OF_NEAREST, UNDER))
    return O


# 46c35fc7: each, class 10; 3 demos; 9841 units
# For anything let its A be what becomes of it when in each cell of the grid if orange is at one of
# its sides, it takes the colour at its place in the grid turned right; else it takes the colour at
# its place in the grid turned left. For each thing of any colours, within its box: put its A.
def solve_46c35fc7(I):
    x1 = rbind(cell_tree, (IF, (SIDE_HAS, 7), EQUALS, 1, (COPY, (MIRRORED, TURNED_RIGHT)), (COPY, (MIRRORED, TURNED_LEFT))))
    x2 = rbind(x1, SAME_GRID)
    O = each_part(I, THINGS, x2)
    return O


# 4a1cacc2: trees, class 31; 4 demos; 188922 units
# In each cell of the grid, over and over until nothing changes, 99 times at most: if at least 1 of
# the cells at its sides are foreground, (if the first colour looking down that is not its own is
# pink, it becomes pink; else if exactly 1 of its neighbours are foreground, (if it is in a region
# of background whose distance from the cell to the nearest side of its box is at least 2, it stays;
# else if it is in a region of background that has a square box, (if the colour one step down is
# maroon, it becomes maroon; else it takes the colour one step to the left); else it takes the only
# colour among its neighbours but the background); else if the first colour looking up that is not
# its own is yellow, it becomes yellow; else if the first colour looking to the left that is not its
# own is maroon, it becomes maroon; else it stays); else it stays.
def solve_4a1cacc2(I):
    O = cell_tree(I, (OVER_AND_OVER, 99), (IF, (SIDES, FOREGROUND), AT_LEAST, 1, (IF, (SEEN_OTHER, SOUTH), EQUALS, 6, 6, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 1, (IF, (PART, REGIONS, DEPTH_IN_BOX), AT_LEAST, 2, KEEP, (IF, (PART, REGIONS, IS_SQUARE), EQUALS, 1, (IF, (NEIGHBOR, SOUTH), EQUALS, 9, 9, (COPY, (NEIGHBOR, WEST))), (COPY, ONLY_NEIGHBOR_COLOR))), (IF, (SEEN_OTHER, NORTH), EQUALS, 4, 4, (IF, (SEEN_OTHER, WEST), EQUALS, 9, 9, KEEP)))), KEEP))
    return O


# 50c07299: draw, class 20; 3 demos; 29973 units
# For each part of one colour (joined over corners too): draw copies of it up to the right, right
# beside it, 1 of them, in its own colour. For each part of one colour (joined over corners too) of
# the input: draw copies of it up to the right, with a cell between, 1 of them, in its own colour.
# For each part of one colour of the input: draw its cells, in orange.
def solve_50c07299(I):
    x1 = draw(I, I, (PARTS_DIAGONAL,), ((COPIES, {NORTHEAST}, TOUCHING, 1), OWN_COLOR))
    x2 = draw(x1, I, (PARTS_DIAGONAL,), ((COPIES, {NORTHEAST}, SPACED, 1), OWN_COLOR))
    O = draw(x2, I, (PARTS,), (CELLS, (IN_COLOR, 7)))
    return O


# 52364a65: trees, class 1; 2 demos; 26917 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose number
# of columns of its box left of the cell is at least 2, it stays; else it becomes cyan.
def solve_52364a65(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, COLUMNS_LEFT_IN_BOX), AT_LEAST, 2, KEEP, 8))
    return O


# 5751f35e: patterns, class 16; 2 demos; 2655 units
# Take each set of all cells of one colour: mirror everything about the largest one (over the
# diagonals too).
def solve_5751f35e(I):
    O = complete_templates(I, (COLORS, MIRROR_ABOUT, LARGEST, {DIAGONALS_TOO}))
    return O


# 5ad8a7c0: trees, class 7; 5 demos; 8359 units
# In each cell of the grid: if at least 1 of the cells in its column are foreground, it stays; else
# if exactly 20 of the cells of the grid have its colour, it takes the colour at the left end of its
# row; else if exactly 1 of the cells at its sides are foreground, it becomes red; else it stays.
def solve_5ad8a7c0(I):
    O = cell_tree(I, SAME_GRID, (IF, COLUMN_FOREGROUND, AT_LEAST, 1, KEEP, (IF, CELLS_ALIKE, EQUALS, 20, (COPY, ROW_START), (IF, (SIDES, FOREGROUND), EQUALS, 1, 2, KEEP))))
    return O


# 6ca952ad: move, class 4; 3 demos; 17585 units
# Each part of one colour whose number of cells is at least 4 slides down until something is in the
# way.
def solve_6ca952ad(I):
    O = shift_parts(I, (PARTS, ((SIZE, AT_LEAST, 4),)), (SLIDE, SOUTH), OWN_COLOR)
    return O


# 6ffe8f07: draw, class 5; 4 demos; 36153 units
# For each part of one colour whose colour is cyan: draw rays to all four sides from each of its
# cells, through everything to blue or the border, in yellow.
def solve_6ffe8f07(I):
    O = draw(I, I, (PARTS, ((COLOR, EQUALS, 8),)), ((RAY, {NORTH, EAST, SOUTH, WEST}, FROM_CELLS, (THROUGH_UP_TO, 1)), (IN_COLOR, 4)))
    return O


# 758abdf0: trees, class 13; 2 demos; 74700 units
# In each cell of the grid: if the only colour at its sides but the background is cyan, (if the
# largest part beside it is one whose number of cells is 1, it becomes cyan; else it becomes
# orange); else if it is in a part of one colour (joined over corners too) whose number of cells is
# 2, it becomes orange; else if the shorter of the runs of its colour in its row and its column is
# 5, (if the colour at its place in the grid turned round is cyan, (if the number of steps to the
# nearest cell that is not background is 4, it becomes black; else it stays); else if the number of
# steps to the nearest cell that is not background is 4, it becomes black; else it takes the colour
# at its place in the grid turned round); else it stays.
def solve_758abdf0(I):
    O = cell_tree(I, SAME_GRID, (IF, ONLY_SIDE_COLOR, EQUALS, 8, (IF, (PART_BESIDE, SIZE), EQUALS, 1, 8, 7), (IF, (PART, PARTS_DIAGONAL, SIZE), EQUALS, 2, 7, (IF, SHORTER_RUN, EQUALS, 5, (IF, (MIRRORED, TURNED_ROUND), EQUALS, 8, (IF, NEAREST_DISTANCE, EQUALS, 4, 0, KEEP), (IF, NEAREST_DISTANCE, EQUALS, 4, 0, (COPY, (MIRRORED, TURNED_ROUND)))), KEEP))))
    return O


# 7e4d4f7c: lines, class 28; 4 demos; 810 units
# Start with the input without repeated rows. Fill each of the objects of the input moved by 2 down
# with pink.
def solve_7e4d4f7c(I):
    x1 = dedupe(I)
    x2 = toivec(TWO)
    x3 = rbind(shift, x2)
    x4 = objects(I, T, F, T)
    x5 = mapply(x3, x4)
    O = fill(x1, SIX, x5)
    return O


# 833966f4: trees, class 6; 2 demos; 4699 units
# In each cell of the grid: if its row (counted 0, 1, 2, 0, 1, 2, … from above) is 1, it takes the
# colour one step up; else if the number of rows above it is 2, it stays; else it takes the colour
# one step down.
def solve_833966f4(I):
    O = cell_tree(I, SAME_GRID, (IF, ROW_IN_THREES, EQUALS, 1, (COPY, (NEIGHBOR, NORTH)), (IF, ROWS_ABOVE, EQUALS, 2, KEEP, (COPY, (NEIGHBOR, SOUTH)))))
    return O


# 8618d23e: bank, class 7; 3 demos; 3606 units
# Let A be the input with its colours brought to their normal form (black and maroon first, then
# those with, in turn, being orange, the farthest reach up, being pink, the farthest reach down to
# the right). Let B be the height of A plus 1 by the width of A plus 1. Start with a blank grid of
# B. Lay the image in a blue frame of A with lines that are too long going on in the next row to B
# on it. Lay the image in a blue frame of the upper half of A on it. Bring the colours back from
# their normal form.
def solve_8618d23e(I):
    x1 = normal_colors(I, I, ({0, 9}, ((BEING, 7), (FARTHEST, NORTH), (BEING, 6), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x2 = image(x1)
    x3 = image_grid(x2)
    x4 = height(x3)
    x5 = add(x4, ONE)
    x6 = width(x3)
    x7 = add(x6, ONE)
    x8 = astuple(x5, x7)
    x9 = image_blank(x8)
    x10 = image_ring(x2, IN_BLUE_FRAME)
    x11 = image_fit(x10, x8, WRAPPED_ROUND)
    x12 = image_lay(x9, x11, ON_TOP)
    x13 = image_half(x2, UPPER_HALF)
    x14 = image_ring(x13, IN_BLUE_FRAME)
    x15 = image_lay(x12, x14, ON_TOP)
    x16 = image_grid(x15)
    O = normal_colors(x16, I, ({0, 9}, ((BEING, 7), (FARTHEST, NORTH), (BEING, 6), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# 87ab05b8: trees, class 10; 3 demos; 6970 units
# In each cell of the grid: if the nearest colour but the background (in steps to the sides) is red,
# (if at least 5 of its neighbours have its colour, it stays; else it becomes red); else if exactly
# 1 of the cells in its row are foreground, (if the colour at its place in the grid turned right is
# blue, it becomes red; else if its colour is blue, it becomes red; else it becomes pink); else it
# becomes pink.
def solve_87ab05b8(I):
    O = cell_tree(I, SAME_GRID, (IF, NEAREST_COLOR, EQUALS, 2, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 5, KEEP, 2), (IF, ROW_FOREGROUND, EQUALS, 1, (IF, (MIRRORED, TURNED_RIGHT), EQUALS, 1, 2, (IF, ITSELF, EQUALS, 1, 2, 6)), 6)))
    return O


# 8e301a54: move, class 0; 3 demos; 8191 units
# Each part of one colour moves down by its number of cells.
def solve_8e301a54(I):
    O = shift_parts(I, (PARTS,), (BY_OWN, SOUTH, BY_SIZE), OWN_COLOR)
    return O


# 9344f635: draw, class 8; 3 demos; 33382 units
# For each part of one colour with the greatest height: draw its columns from border to border, in
# its own colour. For each part of one colour with the least height of the input: draw its rows from
# border to border, in its own colour.
def solve_9344f635(I):
    x1 = draw(I, I, (PARTS, ((HEIGHT, MOST),)), ((BAND, ITS_COLUMNS), OWN_COLOR))
    O = draw(x1, I, (PARTS, ((HEIGHT, LEAST),)), (BAND, OWN_COLOR))
    return O


# 9720b24f: trees, class 6; 4 demos; 53192 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) that lies
# inside another part, it becomes black; else if the colour that it sees looking up is black, it
# becomes black; else it stays.
def solve_9720b24f(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, IS_INSIDE), EQUALS, 1, 0, (IF, (SEEN, NORTH), EQUALS, 0, 0, KEEP)))
    return O


# 9968a131: trees, class 7; 2 demos; 13174 units
# In each cell of the grid: if the largest part beside it is one that has the 2nd, 4th, … row of its
# box here, (if one step to the left is a cell that is not background, it takes the colour one step
# to the left; else it becomes orange); else it stays.
def solve_9968a131(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART_BESIDE, SECOND_ROW_IN_BOX), EQUALS, 1, (IF, (IS_FOREGROUND, WEST), EQUALS, 1, (COPY, (NEIGHBOR, WEST)), 7), KEEP))
    return O


# 9b30e358: draw, class 19; 2 demos; 3495 units
# For each thing of any colours (joined over corners too): draw copies of it up, right beside it, in
# its own colour.
def solve_9b30e358(I):
    O = draw(I, I, (THINGS_DIAGONAL,), ((COPIES, {NORTH}, TOUCHING), OWN_COLOR))
    return O


# 9ba4a9aa: cutout, class 2; 3 demos; 73218 units
# Cut out the part of one colour (joined over corners too) that touches the border of the grid; call
# this A. Fill the blue cells of the result with pink. Fill the green cells of A with orange. Fill
# the orange cells of A with green. Fill the maroon cells of A with blue.
def solve_9ba4a9aa(I):
    x1 = cutout(I, (PARTS_DIAGONAL,), (AT_BORDER, MOST))
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
# In each cell of the grid: if the number of colours commoner than its own is at least 1, it becomes
# orange; else it stays.
def solve_9caf5b84(I):
    O = cell_tree(I, SAME_GRID, (IF, COLORS_COMMONER, AT_LEAST, 1, 7, KEEP))
    return O


# 9f5f939b: patterns, class 4; 3 demos; 1745 units
# Replace a given pattern of 7 by 7 by another wherever it is.
def solve_9f5f939b(I):
    O = replace_pattern(I, ((10, 10, 10, 1, 10, 10, 10), (10, 10, 10, 1, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (1, 1, 10, 8, 10, 1, 1), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 1, 10, 10, 10), (10, 10, 10, 1, 10, 10, 10)), ((10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 4, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10), (10, 10, 10, 10, 10, 10, 10)), WHEREVER)
    return O


# a09f6c25: trees, class 8; 3 demos; 189632 units
# In each cell of the grid: if its colour is red, (if it is in a part of one colour (joined over
# corners too) that looks the same upside down, (if at least 1 of its neighbours have its colour, it
# becomes blue; else it takes the colour one step up); else if it is in a part of one colour (joined
# over corners too) that has a square box, it becomes pink; else it becomes green); else it stays.
def solve_a09f6c25(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 2, (IF, (PART, PARTS_DIAGONAL, IS_MIRRORED_UPDOWN), EQUALS, 1, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 1, 1, (COPY, (NEIGHBOR, NORTH))), (IF, (PART, PARTS_DIAGONAL, IS_SQUARE), EQUALS, 1, 6, 3)), KEEP))
    return O


# a834deea: trees, class 13; 3 demos; 88384 units
# In each cell of the grid: if its colour is cyan, it stays; else if it is in a patch of one colour
# (background too) that has the 1st, 3rd, … ring of its box here, it stays; else if it is in a patch
# of one colour (background too) that has the 2nd, 4th, … row of its box here, (if it is in a patch
# of one colour (background too) that has the 2nd, 4th, … column of its box here, (if it is in a
# part of one colour (joined over corners too) whose number of columns of its box left of the cell
# is 3, (if it is in a part of one colour (joined over corners too) whose number of rows of its box
# above the cell is 3, it becomes green; else it becomes pink); else if it is in a patch of one
# colour (background too) whose number of rows of its box above the cell is at least 2, it becomes
# red; else it becomes blue); else if it is in a part of one colour (joined over corners too) whose
# number of rows of its box above the cell is 1, it becomes orange; else it becomes maroon); else if
# it is in a part of one colour (joined over corners too) whose number of columns of its box left of
# the cell is 3, it becomes grey; else it becomes yellow.
def solve_a834deea(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 8, KEEP, (IF, (PART, PATCHES, SECOND_RING_IN_BOX), EQUALS, 0, KEEP, (IF, (PART, PATCHES, SECOND_ROW_IN_BOX), EQUALS, 1, (IF, (PART, PATCHES, SECOND_COLUMN_IN_BOX), EQUALS, 1, (IF, (PART, PARTS_DIAGONAL, COLUMNS_LEFT_IN_BOX), EQUALS, 3, (IF, (PART, PARTS_DIAGONAL, ROWS_ABOVE_IN_BOX), EQUALS, 3, 3, 6), (IF, (PART, PATCHES, ROWS_ABOVE_IN_BOX), AT_LEAST, 2, 2, 1)), (IF, (PART, PARTS_DIAGONAL, ROWS_ABOVE_IN_BOX), EQUALS, 1, 7, 9)), (IF, (PART, PARTS_DIAGONAL, COLUMNS_LEFT_IN_BOX), EQUALS, 3, 5, 4)))))
    return O


# aa62e3f4: trees, class 3; 2 demos; 84584 units
# In each cell of the grid: if the number of steps to the nearest cell that is not background is 1,
# it takes the rarest colour of the grid but the background; else it becomes cyan.
def solve_aa62e3f4(I):
    O = cell_tree(I, SAME_GRID, (IF, NEAREST_DISTANCE, EQUALS, 1, (COPY, RAREST_COLOR), 8))
    return O


# ac6f9922: cutout, class 10; 3 demos; 67564 units
# Cut out each patch of one colour (background too), as one cell of its commonest colour, one after
# the other, of those whose number of holes is 0, and put them in rows and columns as they lie.
def solve_ac6f9922(I):
    O = cutouts(I, (PATCHES, AS_DOT), (INDEX, LEAST_FIRST, WITH, HOLES, 0), AS_THEY_LIE)
    return O


# ad38a9d0: trees, class 9; 2 demos; 33168 units
# In each cell of the grid: if its colour is orange, it stays; else if it is in a part of one colour
# whose number of cells of its box that are not its own is at least 1, (if it is in a part of one
# colour (joined over corners too) that has the greatest height, it becomes green; else if it is in
# a part of one colour (joined over corners too) whose number of cells is 4, it becomes cyan; else
# it becomes yellow); else if at least 3 of its neighbours are foreground, it becomes grey; else if
# it is in a part of one colour (joined over corners too) whose number of cells is at least 3, it
# becomes red; else it becomes maroon.
def solve_ad38a9d0(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 7, KEEP, (IF, (PART, PARTS, GAPS), AT_LEAST, 1, (IF, (PART, PARTS_DIAGONAL, (WITH_MOST, HEIGHT)), EQUALS, 1, 3, (IF, (PART, PARTS_DIAGONAL, SIZE), EQUALS, 4, 8, 4)), (IF, (NEIGHBORS, FOREGROUND), AT_LEAST, 3, 5, (IF, (PART, PARTS_DIAGONAL, SIZE), AT_LEAST, 3, 2, 9)))))
    return O


# b2bc3ffd: move, class 3; 3 demos; 11248 units
# Each part of one colour whose colour is not cyan moves up by its number of cells.
def solve_b2bc3ffd(I):
    O = shift_parts(I, (PARTS, ((COLOR, EQUALS, 8, NOT),)), (BY_OWN, NORTH, BY_SIZE), OWN_COLOR)
    return O


# b5bb5719: trees, class 29; 7 demos; 58017 units
# In each cell of the grid, over and over until nothing changes, 99 times at most: if exactly 2 of
# the cells at its corners are foreground, (if its colour is orange, (if the colour one step up to
# the left is red, it becomes grey; else it becomes red); else it stays); else it stays.
def solve_b5bb5719(I):
    O = cell_tree(I, (OVER_AND_OVER, 99), (IF, CORNERS, EQUALS, 2, (IF, ITSELF, EQUALS, 7, (IF, (NEIGHBOR, NORTHWEST), EQUALS, 2, 5, 2), KEEP), KEEP))
    return O


# b7256dcd: bank, class 1; 2 demos; 4907 units
# Start with a blank grid of the size of the input. Let A be the input with its colours brought to
# their normal form (black first, then those with, in turn, most cells, most cells, being green, the
# farthest reach down to the right). Lay A on it. Lay A without the red cells with all colours but
# the commonest grown until they meet on it. Lay A without the red cells all in blue on it. Bring
# the colours back from their normal form.
def solve_b7256dcd(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0}, (MOST_CELLS, MOST_CELLS, (BEING, 3), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x4 = image(x3)
    x5 = image_lay(x2, x4, ON_TOP)
    x6 = image_erase(x4, 2)
    x7 = image_spread(x6, ALL_BUT_COMMONEST)
    x8 = image_lay(x5, x7, ON_TOP)
    x9 = image_recolor(x6, 1)
    x10 = image_lay(x8, x9, ON_TOP)
    x11 = image_grid(x10)
    O = normal_colors(x11, I, ({0}, (MOST_CELLS, MOST_CELLS, (BEING, 3), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# bae5c565: trees, class 13; 2 demos; 73761 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose number
# of rows of its box above the cell is at least 3, it stays; else if the number of rows above it in
# its room is at least 2, (if there is cyan looking up to the left, it takes the colour at the top
# of its column; else if there is cyan looking up to the right, (if the colour at its place in the
# grid with rows as columns is cyan, it stays; else it takes the colour at the top of its column);
# else it stays); else if cyan is at none of its sides, it becomes grey; else if exactly 5 of its
# neighbours have its colour, it takes the colour at the top of its column; else if at least 1 of
# its neighbours have its colour, it stays; else it becomes grey.
def solve_bae5c565(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, ROWS_ABOVE_IN_BOX), AT_LEAST, 3, KEEP, (IF, ROWS_ABOVE_IN_ROOM, AT_LEAST, 2, (IF, (SEES, 8, NORTHWEST), EQUALS, 1, (COPY, COLUMN_TOP), (IF, (SEES, 8, NORTHEAST), EQUALS, 1, (IF, (MIRRORED, TRANSPOSED), EQUALS, 8, KEEP, (COPY, COLUMN_TOP)), KEEP)), (IF, (SIDE_HAS, 8), EQUALS, 0, 5, (IF, (NEIGHBORS, ALIKE), EQUALS, 5, (COPY, COLUMN_TOP), (IF, (NEIGHBORS, ALIKE), AT_LEAST, 1, KEEP, 5))))))
    return O


# bd5af378: views, class 16; 4 demos; 25770 units
# Look at the input as turned and mirrored so that most of what is not background lies above and to
# the left. In each cell of the grid: if one step up to the left is background or nothing, (if there
# is no colour one step up to the left, (if it is on the diagonal from the top left corner, it
# becomes cyan; else it takes the background's colour); else if it is not on the diagonal from the
# top left corner, it becomes cyan; else it stays); else if exactly 5 of its neighbours are
# foreground, it becomes cyan; else it takes the colour one step up to the left. Turn that back.
def solve_bd5af378(I):
    x1 = view(I, UPRIGHT)
    x2 = cell_tree(x1, SAME_GRID, (IF, (IS_FOREGROUND, NORTHWEST), EQUALS, 0, (IF, (NEIGHBOR, NORTHWEST), EQUALS, NOTHING, (IF, ON_FALLING_DIAGONAL, EQUALS, 1, 8, (COPY, GROUND_COLOR)), (IF, ON_FALLING_DIAGONAL, EQUALS, 0, 8, KEEP)), (IF, (NEIGHBORS, FOREGROUND), EQUALS, 5, 8, (COPY, (NEIGHBOR, NORTHWEST)))))
    O = unview(I, UPRIGHT, x2)
    return O


# cf5fd0ad: trees, class 19; 3 demos; 17706 units
# In each cell of the grid repeated (down: 4, across: 4): if the number of copies above its own is
# at least 2, (if the number of copies left of its own is at least 2, it stays; else it takes the
# colour at its place in the grid repeated, each copy turned left); else if the number of copies
# left of its own is at least 2, it takes the colour at its place in the grid repeated, each copy
# turned right; else it takes the colour at its place in the grid repeated, each copy turned round.
def solve_cf5fd0ad(I):
    O = cell_tree(I, (REPEATED, 4, 4), (IF, COPIES_ABOVE, AT_LEAST, 2, (IF, COPIES_LEFT, AT_LEAST, 2, KEEP, (COPY, (COPY_CELL, TURNED_LEFT))), (IF, COPIES_LEFT, AT_LEAST, 2, (COPY, (COPY_CELL, TURNED_RIGHT)), (COPY, (COPY_CELL, TURNED_ROUND)))))
    return O


# df9fd884: draw, class 17; 3 demos; 27425 units
# For each part of one colour whose number of cells is 4: draw a stamp of 3 cells, in its own
# colour. For each part of one colour with the least number of cells of the input: draw a stamp of 3
# cells, in its own colour. For each part of one colour without the least number of cells of its box
# that are not its own of the input: draw rays down from the middle of its box, to the next thing or
# the border, only its last cell, in the colour of the smallest part. For each region of background
# of the input: draw what it encloses, in its own colour.
def solve_df9fd884(I):
    x1 = draw(I, I, (PARTS, ((SIZE, EQUALS, 4),)), ((STAMP, ((3, -5, 1), (3, -4, 1), (5, 6, 8))), OWN_COLOR))
    x2 = draw(x1, I, (PARTS, ((SIZE, LEAST),)), ((STAMP, ((4, 5, OWN), (5, 5, OWN), (6, 5, 8))), OWN_COLOR))
    x3 = draw(x2, I, (PARTS, ((GAPS, LEAST, NOT),)), ((RAY, {SOUTH}, FROM_CENTER, TO_THING, END_ONLY), COLOR_OF_SMALLEST))
    O = draw(x3, I, (REGIONS,), (ENCLOSED, OWN_COLOR))
    return O


# e048c9ed: trees, class 10; 4 demos; 25655 units
# In each cell of the grid: if looking up it sees a part whose number of cells is 1, (if at least 3
# of the cells in its row are foreground, (if at least 4 of the cells in its row are foreground, (if
# the colour at its place in the grid mirrored left to right is maroon, it becomes pink; else it
# becomes maroon); else it becomes yellow); else if looking to the left it sees a part whose number
# of larger parts is at least 1, it becomes blue; else it takes the colour one step to the left);
# else it stays.
def solve_e048c9ed(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN_PART, NORTH, SIZE), EQUALS, 1, (IF, ROW_FOREGROUND, AT_LEAST, 3, (IF, ROW_FOREGROUND, AT_LEAST, 4, (IF, (MIRRORED, LEFT_TO_RIGHT), EQUALS, 9, 6, 9), 4), (IF, (SEEN_PART, WEST, SIZE_RANK), AT_LEAST, 1, 1, (COPY, (NEIGHBOR, WEST)))), KEEP))
    return O


# e4941b18: trees, class 10; 3 demos; 154743 units
# In each cell of the grid: if the number of colours commoner than its own is 1, (if its colour is
# cyan, it becomes red; else it becomes orange); else if it is in a patch of one colour (background
# too) whose number of rows of its box below the cell is at least 1, it stays; else if there is no
# commonest colour of the largest part beside it, it stays; else if it is in a region of background
# whose number of columns of its box left of the cell is at least 7, it stays; else if it is in a
# region of background whose number of columns of its box right of the cell is 5, it stays; else it
# becomes cyan.
def solve_e4941b18(I):
    O = cell_tree(I, SAME_GRID, (IF, COLORS_COMMONER, EQUALS, 1, (IF, ITSELF, EQUALS, 8, 2, 7), (IF, (PART, PATCHES, ROWS_BELOW_IN_BOX), AT_LEAST, 1, KEEP, (IF, PART_BESIDE_COLOR, EQUALS, NOTHING, KEEP, (IF, (PART, REGIONS, COLUMNS_LEFT_IN_BOX), AT_LEAST, 7, KEEP, (IF, (PART, REGIONS, COLUMNS_RIGHT_IN_BOX), EQUALS, 5, KEEP, 8))))))
    return O


# e729b7be: draw, class 2; 3 demos; 62955 units
# For each part of one colour: draw a copy of it where it would lie in the grid turned round, in its
# own colour.
def solve_e729b7be(I):
    O = draw(I, I, (PARTS,), ((REFLECT, TURNED_ROUND), OWN_COLOR))
    return O


# e84fef15: trees, class 14; 3 demos; 22110 units
# In each cell of the first of the 5 by 5 panels of the grid (with lines 1 wide between them), laid
# over the others: if exactly 24 of the panels have something at its place, it becomes blue; else it
# stays.
def solve_e84fef15(I):
    O = cell_tree(I, (PANELS, 5, 5, 1), (IF, PANELS_FULL, EQUALS, 24, 1, KEEP))
    return O


# f1bcbc2c: trees, class 9; 4 demos; 25930 units
# In each cell of the grid: if it is in a region of background whose number of larger parts is at
# least 2, (if it is in a region of background whose top row is 6, it stays; else it becomes cyan);
# else if its colour is maroon, (if the colour one step down is orange, it stays; else it becomes
# cyan); else it stays.
def solve_f1bcbc2c(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, SIZE_RANK), AT_LEAST, 2, (IF, (PART, REGIONS, TOP), EQUALS, 6, KEEP, 8), (IF, ITSELF, EQUALS, 9, (IF, (NEIGHBOR, SOUTH), EQUALS, 7, KEEP, 8), KEEP)))
    return O


# f341894c: draw, class 11; 3 demos; 208601 units
# For each part of one colour whose colour is pink: draw its cells, in blue. For each part of one
# colour of the input: draw rays to all four sides from each of its cells, through everything to
# orange, if there is any, in pink, on things only.
def solve_f341894c(I):
    x1 = draw(I, I, (PARTS, ((COLOR, EQUALS, 6),)), (CELLS, (IN_COLOR, 1)))
    O = draw(x1, I, (PARTS,), ((RAY, {NORTH, EAST, SOUTH, WEST}, FROM_CELLS, (THROUGH_TO, 7)), (IN_COLOR, 6), ON_THINGS))
    return O
