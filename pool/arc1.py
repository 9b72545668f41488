# Programs that the search found by itself, each for the training task in its name.
# Made by scripts/make_pool: tessera solve --pool none --per-task 300ms --seed 0


# 007bbfb7: trees, class 14; 5 demos; 8395 units
# In each cell of the grid repeated (down: 3, across: 3): if the colour at its place in the grid
# scaled up is black, it takes the colour at its place in the grid scaled up; else it stays.
def solve_007bbfb7(I):
    O = cell_tree(I, (REPEATED, 3, 3), (IF, ENLARGED_CELL, EQUALS, 0, (COPY, ENLARGED_CELL), KEEP))
    return O


# 00d62c1b: draw, class 2; 5 demos; 30539 units
# For each part of one colour (joined over corners too): draw what it encloses, in yellow.
def solve_00d62c1b(I):
    O = draw(I, I, (PARTS_DIAGONAL,), (ENCLOSED, (IN_COLOR, 4)))
    return O


# 017c7c7b: repair, class 17; 3 demos; 8166 units
# Complete the input where it is blue, by its periods down and across, all within the box of the
# known cells being known, in a grid of 9 by 3. Fill the blue cells of the result with red.
def solve_017c7c7b(I):
    x1 = astuple(NINE, THREE)
    x2 = repaired(I, 1, (PERIODS, {BOX_IS_KNOWN}), x1)
    x3 = ofcolor(x2, ONE)
    O = fill(x2, TWO, x3)
    return O


# 025d127b: trees, class 5; 2 demos; 20961 units
# In each cell of the grid: if at least 2 of the cells at its sides are foreground, it takes the
# colour one step to the left; else if the length of the run of its colour in its row is at least 3,
# it stays; else it takes the colour one step down.
def solve_025d127b(I):
    O = cell_tree(I, SAME_GRID, (IF, (SIDES, FOREGROUND), AT_LEAST, 2, (COPY, (NEIGHBOR, WEST)), (IF, ROW_RUN, AT_LEAST, 3, KEEP, (COPY, (NEIGHBOR, SOUTH)))))
    return O


# 0520fde7: cutout, class 23; 3 demos; 1857 units
# Lay each square tile on the others, by how many of them are not background there: black for 1,
# black for 0, red for 2.
def solve_0520fde7(I):
    O = overlaid(I, SQUARE_TILES, BY_HOW_MANY, ((1, 0), (0, 0), (2, 2)))
    return O


# 05269061: repair, class 0; 3 demos; 14717 units
# Complete the input where it is black, by its periods down and across, each tile further down moved
# aside.
def solve_05269061(I):
    x1 = shape(I)
    O = repaired(I, 0, SKEWED_PERIODS, x1)
    return O


# 05f2a901: move, class 0; 3 demos; 6949 units
# Each part of one colour whose colour is red moves straight to the nearest part of any colour that
# stays, until something is in the way.
def solve_05f2a901(I):
    O = shift_parts(I, (PARTS, ((COLOR, EQUALS, 2),)), (TOWARDS, ANY_COLOR), OWN_COLOR)
    return O


# 06df4c85: views, class 2; 3 demos; 16080 units
# Look at the input as the colours of the rooms between its lines. In each cell of the grid: if
# there is no colour that it sees looking both up and down or both left and right, it stays; else it
# takes the colour that it sees looking in two opposite directions. Turn that back.
def solve_06df4c85(I):
    x1 = view(I, LATTICE_COLORS)
    x2 = cell_tree(x1, SAME_GRID, (IF, (BETWEEN, STRAIGHT), EQUALS, NOTHING, KEEP, (COPY, (BETWEEN, ANYHOW))))
    O = unview(I, LATTICE_COLORS, x2)
    return O


# 08ed6ac7: draw, class 5; 2 demos; 9937 units
# For each part of one colour: draw its cells, in the colour for its number of larger parts (blue
# for 0, red for 1, green for 2, yellow for 3).
def solve_08ed6ac7(I):
    O = draw(I, I, (PARTS,), (CELLS, (BY_TABLE, SIZE_RANK, ((0, 1), (1, 2), (2, 3), (3, 4)))))
    return O


# 0962bcdd: trees, class 9; 2 demos; 90672 units
# In each cell of the grid: if the largest part beside it is one that has the top left corner of its
# box an even number of steps away, (if exactly 5 of its neighbours have its colour, it takes the
# only colour at its corners but the background; else it takes the nearest colour but the background
# (in steps to the sides)); else if the shorter of the runs of its colour in its row and its column
# is 12, (if the number of steps to the nearest cell that is not background is at least 4, it stays;
# else it takes the rarest colour of the grid but the background); else it stays.
def solve_0962bcdd(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART_BESIDE, CHESSBOARD_IN_BOX), EQUALS, 0, (IF, (NEIGHBORS, ALIKE), EQUALS, 5, (COPY, ONLY_CORNER_COLOR), (COPY, NEAREST_COLOR)), (IF, SHORTER_RUN, EQUALS, 12, (IF, NEAREST_DISTANCE, AT_LEAST, 4, KEEP, (COPY, RAREST_COLOR)), KEEP)))
    return O


# 0b148d64: trees, class 14; 3 demos; 15642 units
# In each cell of the box of the rarest colour: it stays.
def solve_0b148d64(I):
    O = cell_tree(I, (CUT_OUT, RAREST_BOX), KEEP)
    return O


# 0ca9ddb6: trees, class 13; 3 demos; 10335 units
# In each cell of the grid: if the colour one step up is blue, it becomes orange; else if the colour
# one step to the left is blue, it becomes orange; else if the colour one step up to the left is
# red, it becomes yellow; else if the colour one step up to the right is red, it becomes yellow;
# else if the colour one step to the right is blue, it becomes orange; else if the colour one step
# down is blue, it becomes orange; else if the colour one step down to the right is red, it becomes
# yellow; else if the colour one step down to the left is red, it becomes yellow; else it stays.
def solve_0ca9ddb6(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBOR, NORTH), EQUALS, 1, 7, (IF, (NEIGHBOR, WEST), EQUALS, 1, 7, (IF, (NEIGHBOR, NORTHWEST), EQUALS, 2, 4, (IF, (NEIGHBOR, NORTHEAST), EQUALS, 2, 4, (IF, (NEIGHBOR, EAST), EQUALS, 1, 7, (IF, (NEIGHBOR, SOUTH), EQUALS, 1, 7, (IF, (NEIGHBOR, SOUTHEAST), EQUALS, 2, 4, (IF, (NEIGHBOR, SOUTHWEST), EQUALS, 2, 4, KEEP)))))))))
    return O


# 0d3d703e: draw, class 10; 4 demos; 5960 units
# For each patch of one colour (background too): draw its cells, in the colour for its colour
# (yellow for green, grey for blue, pink for red, maroon for cyan, blue for grey, red for pink, cyan
# for maroon, green for yellow).
def solve_0d3d703e(I):
    O = draw(I, I, (PATCHES,), (CELLS, (BY_TABLE, COLOR, ((3, 4), (1, 5), (2, 6), (8, 9), (5, 1), (6, 2), (9, 8), (4, 3)))))
    return O


# 0dfd9992: repair, class 0; 3 demos; 132366 units
# Complete the input where it is black, by its periods down and across.
def solve_0dfd9992(I):
    x1 = shape(I)
    O = repaired(I, 0, PERIODS, x1)
    return O


# 0e206a2e: patterns, class 2; 3 demos; 5398 units
# Take each thing of any colours: each one of several colours is a template, to be completed
# wherever its cells of the colours that the others have are there (turned and mirrored too and the
# template itself going away).
def solve_0e206a2e(I):
    O = complete_templates(I, (THINGS, WHERE_MARKED, MANY_COLORED, {TURNED, MOVED}))
    return O


# 10fcaaa3: trees, class 16; 4 demos; 11489 units
# In each cell of the grid repeated (down: 2, across: 2): if none of the cells at its corners are
# foreground, it stays; else if at least 2 of its neighbours have its colour, it becomes cyan; else
# it stays.
def solve_10fcaaa3(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, CORNERS, EQUALS, 0, KEEP, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 2, 8, KEEP)))
    return O


# 11852cab: patterns, class 17; 3 demos; 1159 units
# Take each set of all cells of one colour: mirror everything about the largest one (over the
# diagonals too).
def solve_11852cab(I):
    O = complete_templates(I, (COLORS, MIRROR_ABOUT, LARGEST, {DIAGONALS_TOO}))
    return O


# 1190e5a7: cutout, class 23; 3 demos; 70272 units
# Make one cell of each room between lines that cross the grid, by its commonest colour but the
# background.
def solve_1190e5a7(I):
    O = gist(I, LATTICE, COMMON_COLOR, ())
    return O


# 178fcbfb: trees, class 0; 3 demos; 18784 units
# In each cell of the grid: if green is in its row, it becomes green; else if blue is in its row, it
# becomes blue; else if red is in its column, it becomes red; else it stays.
def solve_178fcbfb(I):
    O = cell_tree(I, SAME_GRID, (IF, (ROW_HAS, 3), EQUALS, 1, 3, (IF, (ROW_HAS, 1), EQUALS, 1, 1, (IF, (COLUMN_HAS, 2), EQUALS, 1, 2, KEEP))))
    return O


# 1b2d62fb: trees, class 14; 5 demos; 4923 units
# In each cell of the first of the 1 by 2 panels of the grid (with lines 1 wide between them), laid
# over the others: if at least 1 of the panels have something at its place, it becomes black; else
# it becomes cyan.
def solve_1b2d62fb(I):
    O = cell_tree(I, (PANELS, 1, 2, 1), (IF, PANELS_FULL, AT_LEAST, 1, 0, 8))
    return O


# 1b60fb0c: lines, class 12; 3 demos; 421 units
# Fill each of the objects of the input mirrored over its diagonal mirrored left to right with red,
# but only on the background.
def solve_1b60fb0c(I):
    x1 = dmirror(I)
    x2 = objects(x1, T, F, T)
    x3 = mapply(vmirror, x2)
    O = underfill(I, TWO, x3)
    return O


# 1bfc4729: trees, class 6; 2 demos; 21828 units
# In each cell of the grid: if its distance to the border is at least 1, (if exactly 1 of the cells
# in its row are foreground, it takes the commonest colour in its row but the background; else it
# stays); else if the number of rows above it is at least 5, it takes the second commonest colour of
# the grid but the background; else it takes the commonest colour of the grid but the background.
def solve_1bfc4729(I):
    O = cell_tree(I, SAME_GRID, (IF, EDGE_DISTANCE, AT_LEAST, 1, (IF, ROW_FOREGROUND, EQUALS, 1, (COPY, ROW_COLOR), KEEP), (IF, ROWS_ABOVE, AT_LEAST, 5, (COPY, SECOND_COLOR), (COPY, COMMONEST_COLOR))))
    return O


# 1c786137: cutout, class 5; 3 demos; 440709 units
# Cut out the part of one colour (joined over corners too) with the greatest number of cells,
# without its outermost cells.
def solve_1c786137(I):
    O = cutout(I, (PARTS_DIAGONAL, WITHOUT_FRAME), (SIZE, MOST))
    return O


# 1caeab9d: move, class 3; 3 demos; 8269 units
# Each part of one colour (joined over corners too) whose colour is not blue comes in line with the
# nearest part of any colour that stays, by its top.
def solve_1caeab9d(I):
    O = shift_parts(I, (PARTS_DIAGONAL, ((COLOR, EQUALS, 1, NOT),)), (ALIGN, ALIGN_TOP, ANY_COLOR), OWN_COLOR)
    return O


# 1cf80156: lines, class 1; 3 demos; 167 units
# Take the rows and columns of one colour out of the input.
def solve_1cf80156(I):
    O = compress(I)
    return O


# 1e0a9b12: move, class 0; 3 demos; 15610 units
# Each part of one colour slides down until something is in the way.
def solve_1e0a9b12(I):
    O = shift_parts(I, (PARTS,), (SLIDE, SOUTH), OWN_COLOR)
    return O


# 1e32b0e9: patterns, class 12; 3 demos; 7429 units
# Of the rooms between its lines, take the room that comes first: it is laid under all other rooms
# in the colour of the lines.
def solve_1e32b0e9(I):
    O = from_cell(I, (EARLINESS, MOST, LIES_UNDER_AS_LINES))
    return O


# 1f0c79e5: bank, class 13; 4 demos; 6846 units
# Start with a blank grid of the size of the input. Let A be the input with its colours brought to
# their normal form (black and red first, then those with, in turn, the farthest reach down to the
# right). Lay A on it. Lay the blue cells of A with all colours grown until they meet all in red on
# it. Lay a blank grid of the size of the input with A with its cells drawn out along the diagonals,
# all four ways laid on it on it, erasing it where that is black. Bring the colours back from their
# normal form.
def solve_1f0c79e5(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0, 2}, ((FARTHEST, SOUTHEAST),)), TO_NORMAL)
    x4 = image(x3)
    x5 = image_lay(x2, x4, ON_TOP)
    x6 = image_spread(x4, EVERY_COLOR)
    x7 = image_keep(x6, 1)
    x8 = image_recolor(x7, 2)
    x9 = image_lay(x5, x8, ON_TOP)
    x10 = image_smear(x4, FOUR_DIAGONALS)
    x11 = image_lay(x2, x10, ON_TOP)
    x12 = image_lay(x9, x11, ERASING)
    x13 = image_grid(x12)
    O = normal_colors(x13, I, ({0, 2}, ((FARTHEST, SOUTHEAST),)), FROM_NORMAL)
    return O


# 1f642eb9: draw, class 3; 3 demos; 19049 units
# For each part of one colour: draw rays to all four sides from each of its cells, to the next
# thing, if that is cyan, only the cell that it hits, in its own colour.
def solve_1f642eb9(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTH, EAST, SOUTH, WEST}, FROM_CELLS, (ONLY_TO, 8), TARGET_ONLY), OWN_COLOR))
    return O


# 1f85a75f: cutout, class 7; 2 demos; 249335 units
# Cut out the part of one colour (joined over corners too) with the greatest number of cells.
def solve_1f85a75f(I):
    O = cutout(I, (PARTS_DIAGONAL,), (SIZE, MOST))
    return O


# 1f876c06: draw, class 1; 3 demos; 23263 units
# For each part of one colour: draw rays in all four diagonal directions from each of its cells, to
# the next thing, if that has its colour, in its own colour.
def solve_1f876c06(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, FROM_CELLS, ONLY_TO_OWN), OWN_COLOR))
    return O


# 1fad071e: cutout, class 22; 3 demos; 7273 units
# The output is one of 6 given values, by the number of pieces with 4 cells of blue as the size and
# colour of each part of one colour (joined over corners too) of the input.
def solve_1fad071e(I):
    x1 = measure(I, PARTS_DIAGONAL, SIZE_AND_COLOR, (HOW_MANY_WITH, (CELLS_AND_COLOR, 4, 1)))
    O = lookup(x1, ((0, ((0, 0, 0, 0, 0),)), (1, ((1, 0, 0, 0, 0),)), (2, ((1, 1, 0, 0, 0),)), (3, ((1, 1, 1, 0, 0),)), (4, ((1, 1, 1, 1, 0),)), (5, ((1, 1, 1, 1, 1),))), ZERO)
    return O


# 2013d3e2: cutout, class 7; 2 demos; 5194 units
# Cut out the thing of any colours (joined over corners too) with the greatest number of cells, only
# its upper left quarter.
def solve_2013d3e2(I):
    O = cutout(I, (THINGS_DIAGONAL, QUARTER), (SIZE, MOST))
    return O


# 2204b7a8: draw, class 19; 3 demos; 25294 units
# For each part of one colour whose colour is green: draw its cells, in the colour of the nearest
# other part.
def solve_2204b7a8(I):
    O = draw(I, I, (PARTS, ((COLOR, EQUALS, 3),)), (CELLS, COLOR_OF_NEAREST))
    return O


# 22168020: draw, class 20; 3 demos; 29451 units
# For each part of one colour: draw rays to the right from each of its cells, to the next thing, if
# that has its colour, in its own colour.
def solve_22168020(I):
    O = draw(I, I, (PARTS,), ((RAY, {EAST}, FROM_CELLS, ONLY_TO_OWN), OWN_COLOR))
    return O


# 2281f1f4: trees, class 0; 3 demos; 11624 units
# In each cell of the grid: if the longer of the runs of its colour in its row and its column is 9,
# it becomes red; else it stays.
def solve_2281f1f4(I):
    O = cell_tree(I, SAME_GRID, (IF, LONGER_RUN, EQUALS, 9, 2, KEEP))
    return O


# 22eb0ac0: trees, class 26; 3 demos; 11724 units
# In each cell of the grid: if there is no colour that it sees looking in two opposite directions,
# it stays; else it takes the colour that it sees looking in two opposite directions.
def solve_22eb0ac0(I):
    O = cell_tree(I, SAME_GRID, (IF, (BETWEEN, ANYHOW), EQUALS, NOTHING, KEEP, (COPY, (BETWEEN, ANYHOW))))
    return O


# 23581191: trees, class 1; 2 demos; 12955 units
# In each cell of the grid: if exactly 8 of the cells in its row have its colour, (if exactly 1 of
# the cells in its column are foreground, it becomes red; else it takes the commonest colour in its
# row but the background); else if exactly 8 of the cells in its column have its colour, it takes
# the commonest colour in its column but the background; else it stays.
def solve_23581191(I):
    O = cell_tree(I, SAME_GRID, (IF, ROW_ALIKE, EQUALS, 8, (IF, COLUMN_FOREGROUND, EQUALS, 1, 2, (COPY, ROW_COLOR)), (IF, COLUMN_ALIKE, EQUALS, 8, (COPY, COLUMN_COLOR), KEEP)))
    return O


# 239be575: views, class 4; 6 demos; 5128 units
# Look at the input as its colours numbered by how many cells they have, the commonest first. In
# each cell of a grid with a cell for each of 1 by 1 equal blocks (in its commonest colour but the
# background): if at least 22 of the cells in its block are foreground, it becomes blue; else if at
# least 19 of the cells in its block are foreground, it becomes black; else if at least 16 of the
# cells in its block are foreground, it becomes blue; else it becomes black. Turn that back.
def solve_239be575(I):
    x1 = view(I, COLORS_BY_COUNT)
    x2 = cell_tree(x1, (BLOCKS, 1, 1), (IF, BLOCK_FOREGROUND, AT_LEAST, 22, 1, (IF, BLOCK_FOREGROUND, AT_LEAST, 19, 0, (IF, BLOCK_FOREGROUND, AT_LEAST, 16, 1, 0))))
    O = unview(I, COLORS_BY_COUNT, x2)
    return O


# 23b5c85d: cutout, class 7; 5 demos; 23373 units
# Cut out the part of one colour (joined over corners too) with the least number of cells.
def solve_23b5c85d(I):
    O = cutout(I, (PARTS_DIAGONAL,), (SIZE, LEAST))
    return O


# 253bf280: trees, class 0; 8 demos; 16099 units
# In each cell of the grid: if the colour that it sees looking both up and down or both left and
# right is cyan, it becomes green; else it stays.
def solve_253bf280(I):
    O = cell_tree(I, SAME_GRID, (IF, (BETWEEN, STRAIGHT), EQUALS, 8, 3, KEEP))
    return O


# 25d487eb: draw, class 3; 3 demos; 5929 units
# For each thing of any colours: draw rays from its cells of its rarest colour through its middle,
# to the border, in its rarest colour.
def solve_25d487eb(I):
    O = draw(I, I, (THINGS,), ((BEAM, THROUGH_MIDDLE), RAREST_OF_IT))
    return O


# 25d8a9c8: trees, class 0; 4 demos; 4253 units
# In each cell of the grid: if its row is of several colours, it becomes black; else it becomes
# grey.
def solve_25d8a9c8(I):
    O = cell_tree(I, SAME_GRID, (IF, ROW_PLAIN, EQUALS, 0, 0, 5))
    return O


# 25ff71a9: move, class 1; 4 demos; 2038 units
# Each part of one colour moves 1 rows down and 0 columns to the right.
def solve_25ff71a9(I):
    O = shift_parts(I, (PARTS,), (BY, 1, 0), OWN_COLOR)
    return O


# 272f95fa: trees, class 8; 2 demos; 78718 units
# In each cell of the grid: if it is in a region of background whose number of parts that begin left
# of it is 3, (if the colour that it sees looking up is cyan, (if the colour that it sees looking
# down is cyan, it becomes pink; else it becomes blue); else it becomes red); else if it is in a
# region of background whose number of parts that begin above it is 3, (if the colour that it sees
# looking to the left is cyan, it becomes green; else it becomes yellow); else it stays.
def solve_272f95fa(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, COLUMN_RANK), EQUALS, 3, (IF, (SEEN, NORTH), EQUALS, 8, (IF, (SEEN, SOUTH), EQUALS, 8, 6, 1), 2), (IF, (PART, REGIONS, ROW_RANK), EQUALS, 3, (IF, (SEEN, WEST), EQUALS, 8, 3, 4), KEEP)))
    return O


# 27a28665: cutout, class 22; 7 demos; 863 units
# Lay each one of 2 by 2 equal tiles on the others, by which of them are not background there: blue
# for the first piece, red for the first piece, the second piece, the third piece and the fourth
# piece, green for the second piece and the third piece, pink for none.
def solve_27a28665(I):
    O = overlaid(I, (TILES, 2, 2), BY_WHICH_FILLED, (({FIRST_PIECE}, 1), ({FIRST_PIECE, SECOND_PIECE, THIRD_PIECE, FOURTH_PIECE}, 2), ({SECOND_PIECE, THIRD_PIECE}, 3), (frozenset(), 6)))
    return O


# 28bf18c6: lines, class 1; 3 demos; 94 units
# Take the rows and columns of one colour out of the input. Put the result to the right of the
# result.
def solve_28bf18c6(I):
    x1 = compress(I)
    O = hconcat(x1, x1)
    return O


# 29623171: trees, class 1; 3 demos; 25504 units
# In each cell of the grid: if some room is fuller than its own, it becomes black; else if it is
# background, it takes the first colour at the edge of its region of background; else it stays.
def solve_29623171(I):
    O = cell_tree(I, SAME_GRID, (IF, ROOM_FULLEST, EQUALS, 0, 0, (IF, IS_BACKGROUND, EQUALS, 1, (COPY, (PART_COLOR, REGIONS, TOUCHED_COLOR)), KEEP)))
    return O


# 29c11459: trees, class 0; 2 demos; 14000 units
# In each cell of the grid: if exactly 9 of the cells in its row have its colour, (if the number of
# columns to its left is 5, it becomes grey; else it takes the nearest colour but the background (in
# steps to the sides)); else it stays.
def solve_29c11459(I):
    O = cell_tree(I, SAME_GRID, (IF, ROW_ALIKE, EQUALS, 9, (IF, COLUMNS_LEFT, EQUALS, 5, 5, (COPY, NEAREST_COLOR)), KEEP))
    return O


# 29ec7d0e: repair, class 0; 4 demos; 97251 units
# Complete the input where it is black, by its periods down and across.
def solve_29ec7d0e(I):
    x1 = shape(I)
    O = repaired(I, 0, PERIODS, x1)
    return O


# 2bee17df: trees, class 1; 3 demos; 19816 units
# In each cell of the grid: if its colour is black, (if at least 3 of the cells in its row are
# foreground, (if at least 3 of the cells in its column are foreground, it stays; else it becomes
# green); else it becomes green); else it stays.
def solve_2bee17df(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 0, (IF, ROW_FOREGROUND, AT_LEAST, 3, (IF, COLUMN_FOREGROUND, AT_LEAST, 3, KEEP, 3), 3), KEEP))
    return O


# 2c608aff: draw, class 19; 4 demos; 35771 units
# For each part of one colour with the least number of cells: draw rays to all four sides from each
# of its cells, to the next thing, if that has another colour, in its own colour.
def solve_2c608aff(I):
    O = draw(I, I, (PARTS, ((SIZE, LEAST),)), ((RAY, {NORTH, EAST, SOUTH, WEST}, FROM_CELLS, ONLY_TO_OTHER), OWN_COLOR))
    return O


# 2dc579da: trees, class 14; 3 demos; 8282 units
# In each cell of the first of the 2 by 2 panels of the grid (with lines 1 wide between them), laid
# over the others: it takes the colour at its place in the first panel that has something there.
def solve_2dc579da(I):
    O = cell_tree(I, (PANELS, 2, 2, 1), (COPY, PANELS_FIRST))
    return O


# 2dee498d: trees, class 14; 3 demos; 5988 units
# In each cell of the first of the 1 by 3 panels of the grid, laid over the others: it stays.
def solve_2dee498d(I):
    O = cell_tree(I, (PANELS, 1, 3), KEEP)
    return O


# 31aa019c: lines, class 20; 3 demos; 1057 units
# Fill the colour groups of the input that are not full squares with black. Fill the eight cells
# around each of the cells of the input whose colour is the rarest colour of the input with red.
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
# Take each thing of any colours: each one of several colours is a template, to be put over each
# other one of its shape (the template itself going away).
def solve_321b1fc6(I):
    O = complete_templates(I, (THINGS, OVER_SAME_SHAPE, MANY_COLORED, {MOVED}))
    return O


# 32597951: trees, class 5; 3 demos; 85272 units
# In each cell of the grid: if the commonest colour of the smallest part around it is cyan, it
# becomes green; else if it is in a part of one colour (joined over corners too) whose number of
# parts of its size is 2, (if at least 3 of the cells at its sides are foreground, it becomes green;
# else it stays); else it stays.
def solve_32597951(I):
    O = cell_tree(I, SAME_GRID, (IF, PART_AROUND_COLOR, EQUALS, 8, 3, (IF, (PART, PARTS_DIAGONAL, SAME_SIZE), EQUALS, 2, (IF, (SIDES, FOREGROUND), AT_LEAST, 3, 3, KEEP), KEEP)))
    return O


# 3345333e: views, class 5; 2 demos; 79993 units
# Look at the input as its colours numbered by how many cells they have, the commonest first.
# Complete the result where it is red, by its mirror image left to right. Turn that back.
def solve_3345333e(I):
    x1 = view(I, COLORS_BY_COUNT)
    x2 = shape(x1)
    x3 = repaired(x1, 2, MIRROR_LEFT_TO_RIGHT, x2)
    O = unview(I, COLORS_BY_COUNT, x3)
    return O


# 3428a4f5: trees, class 14; 4 demos; 6035 units
# In each cell of the first of the 2 by 1 panels of the grid (with lines 1 wide between them), laid
# over the others: if exactly 1 of the panels have something at its place, it becomes green; else it
# becomes black.
def solve_3428a4f5(I):
    O = cell_tree(I, (PANELS, 2, 1, 1), (IF, PANELS_FULL, EQUALS, 1, 3, 0))
    return O


# 3618c87e: move, class 0; 3 demos; 6225 units
# Each part of one colour whose colour is blue moves down to the border.
def solve_3618c87e(I):
    O = shift_parts(I, (PARTS, ((COLOR, EQUALS, 1),)), (MOVE_TO_WALL, SOUTH), OWN_COLOR)
    return O


# 3631a71a: repair, class 2; 4 demos; 270123 units
# Complete the input where it is maroon, by its mirror images, over the diagonals too where they
# hold.
def solve_3631a71a(I):
    x1 = shape(I)
    O = repaired(I, 9, MIRROR_BOTH_WAYS, x1)
    return O


# 36d67576: patterns, class 0; 3 demos; 2860 units
# Take each thing of any colours (joined over corners too): the largest one is a template, to be
# completed wherever its cells of the colours that the others have are there (turned and mirrored
# too).
def solve_36d67576(I):
    O = complete_templates(I, (THINGS_DIAGONAL, WHERE_MARKED, LARGEST, {TURNED}))
    return O


# 3906de3d: move, class 1; 3 demos; 10256 units
# Each part of one colour falls up, each cell by itself.
def solve_3906de3d(I):
    O = shift_parts(I, (PARTS,), (FALL, NORTH), OWN_COLOR)
    return O


# 39a8645d: cutout, class 1; 3 demos; 11494 units
# Cut out the part of one colour (joined over corners too) with the commonest colour.
def solve_39a8645d(I):
    O = cutout(I, (PARTS_DIAGONAL,), (COLOR, COMMONEST))
    return O


# 3aa6fb7a: draw, class 0; 2 demos; 9017 units
# For each part of one colour: draw its box, in blue, on background only.
def solve_3aa6fb7a(I):
    O = draw(I, I, (PARTS,), (BOX, (IN_COLOR, 1), UNDER))
    return O


# 3ac3eb23: trees, class 29; 2 demos; 137745 units
# In each cell of the grid, over and over until nothing changes, 99 times at most: if at least 1 of
# the cells at its corners are foreground, (if it is in a region of background that has the 2nd,
# 4th, … row of its box here, it takes the only colour among its neighbours but the background; else
# if exactly 6 of its neighbours have its colour, it takes the colour two steps up; else it stays);
# else it stays.
def solve_3ac3eb23(I):
    O = cell_tree(I, (OVER_AND_OVER, 99), (IF, CORNERS, AT_LEAST, 1, (IF, (PART, REGIONS, SECOND_ROW_IN_BOX), EQUALS, 1, (COPY, ONLY_NEIGHBOR_COLOR), (IF, (NEIGHBORS, ALIKE), EQUALS, 6, (COPY, (TWO_AWAY, NORTH)), KEEP)), KEEP))
    return O


# 3af2c5a8: trees, class 19; 3 demos; 8826 units
# In each cell of the grid repeated (down: 2, across: 2): if the number of copies left of its own is
# 1, (if the number of copies above its own is 1, it takes the colour at its place in the grid
# repeated, each copy turned round; else it takes the colour at its place in the grid repeated, each
# copy mirrored left to right); else if the number of copies above its own is 1, it takes the colour
# at its place in the grid repeated, each copy mirrored top to bottom; else it stays.
def solve_3af2c5a8(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, COPIES_LEFT, EQUALS, 1, (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, TURNED_ROUND)), (COPY, (COPY_CELL, LEFT_TO_RIGHT))), (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, UPSIDE_DOWN)), KEEP)))
    return O


# 3bd67248: trees, class 0; 3 demos; 61719 units
# In each cell of the grid: if it is in a region of background whose number of rows of its box below
# the cell is 0, it becomes yellow; else if it is not on the diagonal from the top right corner, it
# stays; else if at least 2 of its neighbours have its colour, it becomes red; else it stays.
def solve_3bd67248(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, ROWS_BELOW_IN_BOX), EQUALS, 0, 4, (IF, ON_RISING_DIAGONAL, EQUALS, 0, KEEP, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 2, 2, KEEP))))
    return O


# 3bdb4ada: trees, class 5; 2 demos; 56224 units
# In each cell of the grid: if exactly 8 of its neighbours are foreground, (if it is in a part of
# one colour (joined over corners too) that has the 2nd, 4th, … column of its box here, it becomes
# black; else it stays); else it stays.
def solve_3bdb4ada(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 8, (IF, (PART, PARTS_DIAGONAL, SECOND_COLUMN_IN_BOX), EQUALS, 1, 0, KEEP), KEEP))
    return O


# 3c9b0459: lines, class 1; 4 demos; 8 units
# Turn the input by a half.
def solve_3c9b0459(I):
    O = rot180(I)
    return O


# 3de23699: views, class 5; 4 demos; 16164 units
# Look at the input as its colours numbered by how many cells they have, the commonest first. In
# each cell of the inside of the box of the rarest colour: if its colour is blue, it becomes red;
# else it stays. Turn that back.
def solve_3de23699(I):
    x1 = view(I, COLORS_BY_COUNT)
    x2 = cell_tree(x1, (CUT_OUT, RAREST_BOX_INSIDE), (IF, ITSELF, EQUALS, 1, 2, KEEP))
    O = unview(I, COLORS_BY_COUNT, x2)
    return O


# 3eda0437: patterns, class 8; 4 demos; 556 units
# Where all is black, fill the largest rectangles of at least 2 by 2 with pink.
def solve_3eda0437(I):
    O = fill_places(I, 0, (LARGEST_RECTANGLES, 2, 2), 6)
    return O


# 3f7978a0: lines, class 2; 3 demos; 618 units
# Cut out the box of the eight cells around each of the free cells in the box around the grey cells
# of the input.
def solve_3f7978a0(I):
    x1 = ofcolor(I, FIVE)
    x2 = delta(x1)
    x3 = mapply(neighbors, x2)
    O = subgrid(x3, I)
    return O


# 40853293: trees, class 0; 2 demos; 50787 units
# In each cell of the grid: if there is no colour that it sees looking in two opposite directions,
# it stays; else it takes the colour that it sees looking in two opposite directions.
def solve_40853293(I):
    O = cell_tree(I, SAME_GRID, (IF, (BETWEEN, ANYHOW), EQUALS, NOTHING, KEEP, (COPY, (BETWEEN, ANYHOW))))
    return O


# 4093f84a: move, class 3; 3 demos; 31224 units
# Each part of one colour with the least number of cells moves straight to the nearest part of any
# colour that stays, until something is in the way, in grey.
def solve_4093f84a(I):
    O = shift_parts(I, (PARTS, ((SIZE, LEAST),)), (TOWARDS, ANY_COLOR), (IN_COLOR, 5))
    return O


# 41e4d17e: draw, class 0; 2 demos; 9355 units
# For each part of one colour: draw its rows and columns from border to border, only the middle one,
# in pink, on background only.
def solve_41e4d17e(I):
    O = draw(I, I, (PARTS,), ((BAND, ITS_ROWS_AND_COLUMNS, MIDDLE_ONLY), (IN_COLOR, 6), UNDER))
    return O


# 4258a5f9: trees, class 0; 2 demos; 10240 units
# In each cell of the grid: if none of its neighbours are foreground, it stays; else it becomes
# blue.
def solve_4258a5f9(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 0, KEEP, 1))
    return O


# 42a50994: trees, class 0; 4 demos; 22505 units
# In each cell of the grid: if at least 1 of its neighbours have its colour, it stays; else it
# becomes black.
def solve_42a50994(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 1, KEEP, 0))
    return O


# 4347f46a: trees, class 0; 3 demos; 29146 units
# In each cell of the grid: if exactly 8 of its neighbours are foreground, it becomes black; else it
# stays.
def solve_4347f46a(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 8, 0, KEEP))
    return O


# 444801d8: draw, class 11; 3 demos; 16572 units
# For each thing of any colours (joined over corners too) that has a square box: draw rays up from
# each of its cells, to the next thing or the border, in red. For each part of one colour with the
# least number of cells of the input: draw its box, grown by 2, in its own colour, on background
# only.
def solve_444801d8(I):
    x1 = draw(I, I, (THINGS_DIAGONAL, ((IS_SQUARE, EQUALS, 1),)), ((RAY, {NORTH}, FROM_CELLS, TO_THING), (IN_COLOR, 2)))
    O = draw(x1, I, (PARTS, ((SIZE, LEAST),)), ((BOX, 2), OWN_COLOR, UNDER))
    return O


# 445eab21: trees, class 14; 3 demos; 5854 units
# In each cell of a grid with a cell for each of 2 by 2 equal blocks (in its commonest colour but
# the background): it takes the commonest colour of the grid but the background.
def solve_445eab21(I):
    O = cell_tree(I, (BLOCKS, 2, 2), (COPY, COMMONEST_COLOR))
    return O


# 447fd412: patterns, class 0; 3 demos; 6846 units
# Take each thing of any colours (joined over corners too): each one of several colours is a
# template, to be completed wherever its cells of the colours that the others have are there (up to
# four times as large too).
def solve_447fd412(I):
    O = complete_templates(I, (THINGS_DIAGONAL, WHERE_MARKED, MANY_COLORED, {SCALED}))
    return O


# 44d8ac46: trees, class 0; 4 demos; 31290 units
# In each cell of the grid: if it is in a region of background that looks the same with rows as
# columns, it becomes red; else it stays.
def solve_44d8ac46(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, IS_MIRRORED_DIAGONAL), EQUALS, 1, 2, KEEP))
    return O


# 44f52bb0: trees, class 16; 6 demos; 3926 units
# In each cell of the first of the 2 by 2 panels of the grid (with lines 1 wide between them), laid
# over the others: if exactly 1 of the panels have something at its place, it becomes orange; else
# it becomes blue.
def solve_44f52bb0(I):
    O = cell_tree(I, (PANELS, 2, 2, 1), (IF, PANELS_FULL, EQUALS, 1, 7, 1))
    return O


# 4522001f: views, class 15; 2 demos; 29710 units
# Look at the input as turned and mirrored so that most of what is not background lies above and to
# the left. In each cell of the grid repeated (down: 3, across: 3): if at least 3 of its neighbours
# are foreground, (if its copy is on the diagonal of copies from the top left, (if the colour one
# step up to the left is black, (if it is in the middle row or column, it becomes black; else it
# stays); else it becomes green); else if the first copy is an odd number of copies away, (if the
# number of steps to what it sees looking down to the right is 2, it becomes black; else if the
# first colour looking up to the left that is not its own is green, it becomes green; else if the
# colour that it sees looking both up to the right and down to the left is green, it stays; else if
# exactly 3 of the cells looking down to the right are foreground, it stays; else it becomes black);
# else it takes the colour at its place in the grid scaled up); else it stays. Turn that back.
def solve_4522001f(I):
    x1 = view(I, UPRIGHT)
    x2 = cell_tree(x1, (REPEATED, 3, 3), (IF, (NEIGHBORS, FOREGROUND), AT_LEAST, 3, (IF, COPY_ON_FALLING_DIAGONAL, EQUALS, 1, (IF, (NEIGHBOR, NORTHWEST), EQUALS, 0, (IF, ON_MIDDLE_LINE, EQUALS, 1, 0, KEEP), 3), (IF, COPY_CHESSBOARD, EQUALS, 1, (IF, (SEEN_DISTANCE, SOUTHEAST), EQUALS, 2, 0, (IF, (SEEN_OTHER, NORTHWEST), EQUALS, 3, 3, (IF, (BETWEEN, ALONG_RISING), EQUALS, 3, KEEP, (IF, (SEEN_COUNT, SOUTHEAST), EQUALS, 3, KEEP, 0)))), (COPY, ENLARGED_CELL))), KEEP))
    O = unview(I, UPRIGHT, x2)
    return O


# 4612dd53: trees, class 9; 3 demos; 46084 units
# In each cell of the grid: if the colour that it sees looking both up and down or both left and
# right is blue, (if its colour is blue, it stays; else if at least 9 of the cells in its row have
# its colour, (if at least 4 of the cells in its column are foreground, it becomes red; else it
# stays); else it becomes red); else if the smallest part around it is one whose height is 4, it
# becomes red; else it stays.
def solve_4612dd53(I):
    O = cell_tree(I, SAME_GRID, (IF, (BETWEEN, STRAIGHT), EQUALS, 1, (IF, ITSELF, EQUALS, 1, KEEP, (IF, ROW_ALIKE, AT_LEAST, 9, (IF, COLUMN_FOREGROUND, AT_LEAST, 4, 2, KEEP), 2)), (IF, (PART_AROUND, HEIGHT), EQUALS, 4, 2, KEEP)))
    return O


# 46442a0e: trees, class 19; 3 demos; 7648 units
# In each cell of the grid repeated (down: 2, across: 2): if the first copy is an odd number of
# copies away, (if the number of copies above its own is 1, it takes the colour at its place in the
# grid repeated, each copy turned left; else it takes the colour at its place in the grid repeated,
# each copy turned right); else if the number of copies above its own is 1, it takes the colour at
# its place in the grid repeated, each copy turned round; else it stays.
def solve_46442a0e(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, COPY_CHESSBOARD, EQUALS, 1, (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, TURNED_LEFT)), (COPY, (COPY_CELL, TURNED_RIGHT))), (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, TURNED_ROUND)), KEEP)))
    return O


# 47c1f68c: bank, class 12; 3 demos; 10280 units
# Let A be the input with its colours brought to their normal form (black first, then those with, in
# turn, most cells, the farthest reach down to the right). Let B be the height of A plus minus 1 by
# the width of A plus minus 1. Start with a blank grid of B. Lay the upper half of the left half of
# A repeated, every other copy mirrored to B all in blue on it. Bring the colours back from their
# normal form.
def solve_47c1f68c(I):
    x1 = normal_colors(I, I, ({0}, (MOST_CELLS, (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x2 = image(x1)
    x3 = image_grid(x2)
    x4 = height(x3)
    x5 = add(x4, NEG_ONE)
    x6 = width(x3)
    x7 = add(x6, NEG_ONE)
    x8 = astuple(x5, x7)
    x9 = image_blank(x8)
    x10 = image_half(x2, LEFT_HALF)
    x11 = image_half(x10, UPPER_HALF)
    x12 = image_fit(x11, x8, IN_MIRRORED_COPIES)
    x13 = image_recolor(x12, 1)
    x14 = image_lay(x9, x13, ON_TOP)
    x15 = image_grid(x14)
    O = normal_colors(x15, I, ({0}, (MOST_CELLS, (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# 484b58aa: repair, class 0; 3 demos; 252416 units
# Complete the input where it is black, by its periods down and across.
def solve_484b58aa(I):
    x1 = shape(I)
    O = repaired(I, 0, PERIODS, x1)
    return O


# 48d8fb45: cutout, class 2; 3 demos; 5014 units
# Cut out the part of one colour (joined over corners too) with the greatest set of colours that it
# touches.
def solve_48d8fb45(I):
    O = cutout(I, (PARTS_DIAGONAL,), (TOUCHES, MOST))
    return O


# 4938f0c2: patterns, class 16; 3 demos; 6166 units
# Take each set of all cells of one colour: mirror everything about the smallest one.
def solve_4938f0c2(I):
    O = complete_templates(I, (COLORS, MIRROR_ABOUT))
    return O


# 496994bd: draw, class 0; 2 demos; 5290 units
# For each part of one colour: draw a copy of it where it would lie in the grid mirrored top to
# bottom, in its own colour.
def solve_496994bd(I):
    O = draw(I, I, (PARTS,), ((REFLECT, UPSIDE_DOWN), OWN_COLOR))
    return O


# 49d1d64f: trees, class 15; 3 demos; 8370 units
# In each cell of the grid with a margin of 1 above and below and of 1 on both sides: if it is in a
# region of background that has a corner of its box here, it becomes black; else it takes the colour
# of the nearest cell of the grid without its margin.
def solve_49d1d64f(I):
    O = cell_tree(I, (MARGIN, 1, 1), (IF, (PART, REGIONS, CORNER_OF_BOX), EQUALS, 1, 0, (COPY, NEAREST_INPUT_CELL)))
    return O


# 4c4377d9: trees, class 14; 4 demos; 6587 units
# In each cell of the grid repeated (down: 2, across: 1): if the number of copies above its own is
# 1, it stays; else it takes the colour at its place in the grid repeated, each copy mirrored top to
# bottom.
def solve_4c4377d9(I):
    O = cell_tree(I, (REPEATED, 2, 1), (IF, COPIES_ABOVE, EQUALS, 1, KEEP, (COPY, (COPY_CELL, UPSIDE_DOWN))))
    return O


# 4c5c2cf0: patterns, class 16; 3 demos; 2369 units
# Take each part of one colour (joined over corners too): mirror everything about the smallest one.
def solve_4c5c2cf0(I):
    O = complete_templates(I, (PARTS_DIAGONAL, MIRROR_ABOUT))
    return O


# 508bd3b6: draw, class 22; 3 demos; 59989 units
# For each part of one colour whose number of cells is 24: draw a stamp of 5 cells, in its own
# colour. For each part of one colour (joined over corners too) whose number of parts that begin
# left of it is 1 of the input: draw a stamp of 4 cells, in its own colour. For each part of one
# colour of the input: draw rays in all four diagonal directions from each of its cells, to the next
# thing, if there is one, in green. For each thing of any colours: draw rays up to the right and
# down to the left from its cells of its rarest colour, to the next thing or the border, in green.
def solve_508bd3b6(I):
    x1 = draw(I, I, (PARTS, ((SIZE, EQUALS, 24),)), ((STAMP, ((0, -5, 3), (0, 7, 3), (1, -4, 3), (1, 6, 3), (2, -3, 3))), OWN_COLOR))
    x2 = draw(x1, I, (PARTS_DIAGONAL, ((COLUMN_RANK, EQUALS, 1),)), ((STAMP, ((-7, -1, 3), (-6, -2, 3), (-5, -3, 3), (3, -2, 3))), OWN_COLOR))
    x3 = draw(x2, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, FROM_CELLS, ONLY_TO_THING), (IN_COLOR, 3)))
    O = draw(x3, x3, (THINGS,), ((RAY, {NORTHEAST, SOUTHWEST}, FROM_RAREST_CELLS, TO_THING), (IN_COLOR, 3)))
    return O


# 50cb2852: trees, class 0; 3 demos; 19146 units
# In each cell of the grid: if exactly 8 of its neighbours are foreground, it becomes cyan; else it
# stays.
def solve_50cb2852(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 8, 8, KEEP))
    return O


# 5117e062: cutout, class 5; 3 demos; 7564 units
# Cut out the thing of any colours (joined over corners too) with the greatest number of colours,
# all in its commonest colour.
def solve_5117e062(I):
    O = cutout(I, (THINGS_DIAGONAL, ONE_COLOR), (COLOR_COUNT, MOST))
    return O


# 5168d44c: patterns, class 7; 3 demos; 409 units
# Replace a given pattern of 3 by 5 by another wherever it is. Replace a given pattern of 5 by 3 by
# another wherever it is.
def solve_5168d44c(I):
    x1 = replace_pattern(I, ((2, 2, 2, 0, 0), (2, 3, 2, 3, 0), (2, 2, 2, 0, 0)), ((0, 0, 10, 2, 2), (0, 10, 10, 10, 2), (0, 0, 10, 2, 2)), WHEREVER)
    O = replace_pattern(x1, ((2, 2, 2), (2, 3, 2), (2, 2, 2), (0, 3, 0), (0, 0, 0)), ((0, 0, 0), (0, 10, 0), (10, 10, 10), (2, 10, 2), (2, 2, 2)), WHEREVER)
    return O


# 539a4f51: trees, class 22; 3 demos; 42242 units
# In each cell of the grid repeated (down: 2, across: 2): if black is in its row, (if exactly 1 of
# the cells looking down to the right are foreground, (if it is in a set of all cells of one colour
# whose distance from the cell to the nearest side of its box is at least 1, (if it is not
# background, and at least 24 of the cells of the grid have its colour, it takes the colour that it
# sees looking up to the left; else it stays); else it takes the colour at its place in the grid
# scaled up); else if it is in a set of all cells of one colour whose number of cells of its box
# that are not its own is at least 39, (if at least 3 of the cells looking down to the right are
# foreground, it stays; else if it is in a set of all cells of one colour whose distance from the
# cell to the nearest side of its box is 1, it stays; else it takes the colour that the grid has
# where its copy is among the copies); else if the colour at its place in the grid scaled up is
# pink, it becomes yellow; else it takes the colour that the grid has where its copy is among the
# copies); else if the first copy is an odd number of copies away, (if the number of copies above
# its own is 1, it takes the colour at the left end of its row; else it takes the colour at the top
# of its column); else it stays.
def solve_539a4f51(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, (ROW_HAS, 0), EQUALS, 1, (IF, (SEEN_COUNT, SOUTHEAST), EQUALS, 1, (IF, (PART, COLORS, DEPTH_IN_BOX), AT_LEAST, 1, (IF, FOREGROUND_ALIKE, AT_LEAST, 24, (COPY, (SEEN, NORTHWEST)), KEEP), (COPY, ENLARGED_CELL)), (IF, (PART, COLORS, GAPS), AT_LEAST, 39, (IF, (SEEN_COUNT, SOUTHEAST), AT_LEAST, 3, KEEP, (IF, (PART, COLORS, DEPTH_IN_BOX), EQUALS, 1, KEEP, (COPY, CELL_AT_COPY))), (IF, ENLARGED_CELL, EQUALS, 6, 4, (COPY, CELL_AT_COPY)))), (IF, COPY_CHESSBOARD, EQUALS, 1, (IF, COPIES_ABOVE, EQUALS, 1, (COPY, ROW_START), (COPY, COLUMN_TOP)), KEEP)))
    return O


# 543a7ed5: trees, class 5; 2 demos; 98194 units
# In each cell of the grid: if the number of steps (over corners too) to the nearest cell that is
# not background is 1, (if it is in a region of background whose number of holes is 0, it becomes
# yellow; else it becomes green); else if it is in a region of background whose width is 4, it
# becomes yellow; else it stays.
def solve_543a7ed5(I):
    O = cell_tree(I, SAME_GRID, (IF, NEAREST_DISTANCE_DIAGONAL, EQUALS, 1, (IF, (PART, REGIONS, HOLES), EQUALS, 0, 4, 3), (IF, (PART, REGIONS, WIDTH), EQUALS, 4, 4, KEEP)))
    return O


# 54d82841: draw, class 3; 3 demos; 7748 units
# For each part of one colour: draw rays down from the middle of its box, to the next thing or the
# border, only its last cell, in yellow.
def solve_54d82841(I):
    O = draw(I, I, (PARTS,), ((RAY, {SOUTH}, FROM_CENTER, TO_THING, END_ONLY), (IN_COLOR, 4)))
    return O


# 54d9e175: draw, class 4; 4 demos; 13988 units
# For each region of background: draw its box, in the colour for its set of colours that it touches
# (pink for blue and grey, orange for red and grey, cyan for green and grey, maroon for yellow and
# grey).
def solve_54d9e175(I):
    O = draw(I, I, (REGIONS,), (BOX, (BY_TABLE, TOUCHES, (({1, 5}, 6), ({2, 5}, 7), ({3, 5}, 8), ({4, 5}, 9)))))
    return O


# 5521c0d9: move, class 0; 3 demos; 11633 units
# Each part of one colour moves up by its height.
def solve_5521c0d9(I):
    O = shift_parts(I, (PARTS,), (BY_OWN, NORTH), OWN_COLOR)
    return O


# 5582e5ca: trees, class 0; 3 demos; 4215 units
# In each cell of the grid: it takes the background's colour.
def solve_5582e5ca(I):
    O = cell_tree(I, SAME_GRID, (COPY, GROUND_COLOR))
    return O


# 5614dbcf: trees, class 14; 2 demos; 5628 units
# In each cell of a grid with a cell for each of 3 by 3 equal blocks (in its commonest colour but
# the background): it takes the commonest colour of its block.
def solve_5614dbcf(I):
    O = cell_tree(I, (BLOCKS, 3, 3), (COPY, BLOCK_COMMONEST))
    return O


# 56ff96f3: draw, class 0; 4 demos; 6285 units
# For each set of all cells of one colour: draw its box, in its own colour.
def solve_56ff96f3(I):
    O = draw(I, I, (COLORS,), (BOX, OWN_COLOR))
    return O


# 5ad4f10b: cutout, class 4; 3 demos; 110544 units
# Cut out the part of one colour (joined over corners too) with the greatest number of cells,
# without what else is in its box, with each block of equal cells as one cell. Fill the cells of the
# result without the black cells of the result with the commonest colour of each part of one colour
# (joined over corners too) of the input.
def solve_5ad4f10b(I):
    x1 = cutout(I, (PARTS_DIAGONAL, (BY_ITSELF, SHRUNK)), (SIZE, MOST))
    x2 = measure(I, PARTS_DIAGONAL, COLOR, USUAL)
    x3 = asindices(x1)
    x4 = ofcolor(x1, ZERO)
    x5 = difference(x3, x4)
    O = fill(x1, x2, x5)
    return O


# 5bd6f4ac: lines, class 2; 4 demos; 11 units
# Cut out the 3 by 3 part of the input from the cell 6 right of the upper left one on.
def solve_5bd6f4ac(I):
    O = crop(I, (0, 6), THREE_BY_THREE)
    return O


# 5c0a986e: trees, class 29; 3 demos; 70552 units
# In each cell of the grid, over and over until nothing changes, 99 times at most: if the colour of
# both of the next two cells up to the left is red, it becomes red; else if the colour of both of
# the next two cells down to the right is blue, it becomes blue; else it stays.
def solve_5c0a986e(I):
    O = cell_tree(I, (OVER_AND_OVER, 99), (IF, (TWO_IN_LINE, NORTHWEST), EQUALS, 2, 2, (IF, (TWO_IN_LINE, SOUTHEAST), EQUALS, 1, 1, KEEP)))
    return O


# 60b61512: draw, class 18; 2 demos; 5797 units
# For each part of one colour (joined over corners too): draw its box, in orange, on background
# only.
def solve_60b61512(I):
    O = draw(I, I, (PARTS_DIAGONAL,), (BOX, (IN_COLOR, 7), UNDER))
    return O


# 6150a2bd: lines, class 1; 2 demos; 8 units
# Turn the input by a half.
def solve_6150a2bd(I):
    O = rot180(I)
    return O


# 623ea044: draw, class 0; 3 demos; 8397 units
# For each part of one colour: draw rays in all four diagonal directions from each of its cells, to
# the border, in its own colour.
def solve_623ea044(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}), OWN_COLOR))
    return O


# 62c24649: trees, class 19; 3 demos; 7648 units
# In each cell of the grid repeated (down: 2, across: 2): if the number of copies above its own is
# 1, (if the number of copies left of its own is 1, it takes the colour at its place in the grid
# repeated, each copy turned round; else it takes the colour at its place in the grid repeated, each
# copy mirrored top to bottom); else if the number of copies left of its own is 1, it takes the
# colour at its place in the grid repeated, each copy mirrored left to right; else it stays.
def solve_62c24649(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, COPIES_ABOVE, EQUALS, 1, (IF, COPIES_LEFT, EQUALS, 1, (COPY, (COPY_CELL, TURNED_ROUND)), (COPY, (COPY_CELL, UPSIDE_DOWN))), (IF, COPIES_LEFT, EQUALS, 1, (COPY, (COPY_CELL, LEFT_TO_RIGHT)), KEEP)))
    return O


# 63613498: trees, class 26; 3 demos; 22926 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose number
# of parts of its shape is 2, (if it is in a part of one colour (joined over corners too) that lies
# inside another part, it stays; else it becomes grey); else it stays.
def solve_63613498(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, SAME_SHAPE), EQUALS, 2, (IF, (PART, PARTS_DIAGONAL, IS_INSIDE), EQUALS, 1, KEEP, 5), KEEP))
    return O


# 6430c8c4: trees, class 14; 4 demos; 4978 units
# In each cell of the first of the 2 by 1 panels of the grid (with lines 1 wide between them), laid
# over the others: if at least 1 of the panels have something at its place, it becomes black; else
# it becomes green.
def solve_6430c8c4(I):
    O = cell_tree(I, (PANELS, 2, 1, 1), (IF, PANELS_FULL, AT_LEAST, 1, 0, 3))
    return O


# 6455b5f5: trees, class 5; 4 demos; 49544 units
# In each cell of the grid: if it is in a region of background whose number of larger parts is 0, it
# becomes blue; else if it is in a region of background that has the least number of cells, it
# becomes cyan; else it stays.
def solve_6455b5f5(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, SIZE_RANK), EQUALS, 0, 1, (IF, (PART, REGIONS, (WITH_LEAST, SIZE)), EQUALS, 1, 8, KEEP)))
    return O


# 662c240a: cutout, class 5; 4 demos; 2624 units
# Cut out the square tile that does not look the same with rows as columns.
def solve_662c240a(I):
    O = cutout(I, (SQUARE_TILES,), (BOX_IS_MIRRORED_DIAGONAL, LEAST))
    return O


# 67385a82: patterns, class 10; 4 demos; 259 units
# Where all is green, fill each rectangle of 1 by 2, upright or lying with cyan.
def solve_67385a82(I):
    O = fill_places(I, 3, (RECTANGLES_EITHER_WAY, 1, 2), 8)
    return O


# 6773b310: cutout, class 23; 4 demos; 10155 units
# Make one cell of each room between lines that cross the grid, by its number of cells that are not
# background: blue for 2, black for 1.
def solve_6773b310(I):
    O = gist(I, LATTICE, FILLED_CELLS, ((2, 1), (1, 0)))
    return O


# 67a3c6ac: lines, class 0; 3 demos; 27 units
# Mirror the input left to right.
def solve_67a3c6ac(I):
    O = vmirror(I)
    return O


# 67a423a3: trees, class 26; 3 demos; 15166 units
# In each cell of the grid: if the number of colours among its neighbours but the background is 2,
# (if exactly 4 of the cells at its sides are foreground, it stays; else it becomes yellow); else if
# at least 1 of its neighbours have its colour, it stays; else it becomes yellow.
def solve_67a423a3(I):
    O = cell_tree(I, SAME_GRID, (IF, NEIGHBOR_COLORS, EQUALS, 2, (IF, (SIDES, FOREGROUND), EQUALS, 4, KEEP, 4), (IF, (NEIGHBORS, ALIKE), AT_LEAST, 1, KEEP, 4)))
    return O


# 67e8384a: trees, class 15; 4 demos; 7648 units
# In each cell of the grid repeated (down: 2, across: 2): if the number of copies above its own is
# 1, (if the number of copies left of its own is 1, it takes the colour at its place in the grid
# repeated, each copy turned round; else it takes the colour at its place in the grid repeated, each
# copy mirrored top to bottom); else if the number of copies left of its own is 1, it takes the
# colour at its place in the grid repeated, each copy mirrored left to right; else it stays.
def solve_67e8384a(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, COPIES_ABOVE, EQUALS, 1, (IF, COPIES_LEFT, EQUALS, 1, (COPY, (COPY_CELL, TURNED_ROUND)), (COPY, (COPY_CELL, UPSIDE_DOWN))), (IF, COPIES_LEFT, EQUALS, 1, (COPY, (COPY_CELL, LEFT_TO_RIGHT)), KEEP)))
    return O


# 681b3aeb: lines, class 31; 3 demos; 400 units
# Start with a grid of 3 by 3 filled with the rarest colour of the input. Fill the whole column of
# the middle of each of the objects of the input whose colour is the rarest colour of the input with
# orange. Fill each of the objects of the input moved up with orange. Paint the tallest of the
# objects of the input moved to the upper left corner.
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
# Mirror the input upside down.
def solve_68b16354(I):
    O = hmirror(I)
    return O


# 694f12f3: trees, class 7; 2 demos; 15326 units
# In each cell of the grid: if exactly 8 of its neighbours are foreground, (if the number of rooms
# fuller than its own is 1, it becomes blue; else it becomes red); else it stays.
def solve_694f12f3(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 8, (IF, ROOMS_FULLER, EQUALS, 1, 1, 2), KEEP))
    return O


# 6aa20dc0: patterns, class 0; 3 demos; 19046 units
# Take each thing of any colours (joined over corners too): each one of several colours is a
# template, to be completed wherever its cells of the colours that the others have are there (turned
# and mirrored too and up to four times as large too).
def solve_6aa20dc0(I):
    O = complete_templates(I, (THINGS_DIAGONAL, WHERE_MARKED, MANY_COLORED, {TURNED, SCALED}))
    return O


# 6c434453: patterns, class 4; 2 demos; 231 units
# Replace a given pattern of 3 by 3 by another wherever it is.
def solve_6c434453(I):
    O = replace_pattern(I, ((1, 1, 1), (1, 0, 1), (1, 1, 1)), ((0, 2, 0), (2, 2, 2), (0, 2, 0)), WHEREVER)
    return O


# 6cdd2623: bank, class 7; 3 demos; 18024 units
# Start with a blank grid of the size of the input. Let A be the input with its colours brought to
# their normal form (black first, then those with, in turn, fewest cells, most components, the
# farthest reach down to the right). Lay the blue cells of A on it. Lay the cells that do not touch
# the outside of the box filled with its commonest colour of A all in blue on it. Lay a blank grid
# of the size of the input with the blue cells of A with its cells drawn out left, right, up and
# down laid on it on it, erasing it where that is black. Bring the colours back from their normal
# form.
def solve_6cdd2623(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0}, (FEWEST_CELLS, MOST_COMPONENTS, (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x4 = image(x3)
    x5 = image_keep(x4, 1)
    x6 = image_lay(x2, x5, ON_TOP)
    x7 = image_box(x4, FILLED_BOX)
    x8 = image_inside(x7, INNER_CELLS)
    x9 = image_recolor(x8, 1)
    x10 = image_lay(x6, x9, ON_TOP)
    x11 = image_smear(x5, FOUR_WAYS)
    x12 = image_lay(x2, x11, ON_TOP)
    x13 = image_lay(x10, x12, ERASING)
    x14 = image_grid(x13)
    O = normal_colors(x14, I, ({0}, (FEWEST_CELLS, MOST_COMPONENTS, (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# 6cf79266: patterns, class 4; 3 demos; 1090 units
# Replace a given pattern of 3 by 3 by another wherever it is and does not overlap the places
# before.
def solve_6cf79266(I):
    O = replace_pattern(I, ((0, 0, 0), (0, 0, 0), (0, 0, 0)), ((1, 1, 1), (1, 1, 1), (1, 1, 1)), APART)
    return O


# 6d0aefbc: trees, class 14; 4 demos; 5968 units
# In each cell of the grid repeated (down: 1, across: 2): if the number of copies left of its own is
# 1, it takes the colour at its place in the grid repeated, each copy mirrored left to right; else
# it stays.
def solve_6d0aefbc(I):
    O = cell_tree(I, (REPEATED, 1, 2), (IF, COPIES_LEFT, EQUALS, 1, (COPY, (COPY_CELL, LEFT_TO_RIGHT)), KEEP))
    return O


# 6d75e8bb: draw, class 0; 3 demos; 5076 units
# For each part of one colour: draw its box, in red, on background only.
def solve_6d75e8bb(I):
    O = draw(I, I, (PARTS,), (BOX, (IN_COLOR, 2), UNDER))
    return O


# 6e02f1e3: cutout, class 22; 5 demos; 845 units
# The output is one of 3 given values, by the number of colours but the background of the whole grid
# of the input.
def solve_6e02f1e3(I):
    x1 = measure(I, WHOLE, COLORS_INSIDE, GREATEST)
    O = lookup(x1, ((1, ((5, 0, 0), (0, 5, 0), (0, 0, 5))), (2, ((0, 0, 5), (0, 5, 0), (5, 0, 0))), (0, ((5, 5, 5), (0, 0, 0), (0, 0, 0)))), ZERO)
    return O


# 6e19193c: draw, class 18; 2 demos; 8339 units
# For each part of one colour: draw rays in all four diagonal directions from the corners of its box
# that it does not fill, to the border, in its own colour.
def solve_6e19193c(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, FROM_OPEN_CORNERS), OWN_COLOR))
    return O


# 6e82a1ae: draw, class 4; 3 demos; 14655 units
# For each part of one colour: draw its cells, in the colour for its number of cells (blue for 4,
# red for 3, green for 2).
def solve_6e82a1ae(I):
    O = draw(I, I, (PARTS,), (CELLS, (BY_TABLE, SIZE, ((4, 1), (3, 2), (2, 3)))))
    return O


# 6f8cd79b: patterns, class 8; 4 demos; 348 units
# Where all is black, fill the largest rectangles, only their frames with cyan.
def solve_6f8cd79b(I):
    O = fill_places(I, 0, (LARGEST_RECTANGLES, 1, 1, FRAME_ONLY), 8)
    return O


# 6fa7a44f: trees, class 16; 4 demos; 5968 units
# In each cell of the grid repeated (down: 2, across: 1): if the number of copies above its own is
# 1, it takes the colour at its place in the grid repeated, each copy mirrored top to bottom; else
# it stays.
def solve_6fa7a44f(I):
    O = cell_tree(I, (REPEATED, 2, 1), (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, UPSIDE_DOWN)), KEEP))
    return O


# 72322fa7: patterns, class 0; 3 demos; 4333 units
# Take each thing of any colours (joined over corners too): each one of several colours is a
# template, to be completed wherever another one is a part of it.
def solve_72322fa7(I):
    O = complete_templates(I, (THINGS_DIAGONAL, WHERE_PART_FITS))
    return O


# 72ca375d: cutout, class 5; 3 demos; 5234 units
# Cut out the part of one colour (joined over corners too) that looks the same mirrored left to
# right.
def solve_72ca375d(I):
    O = cutout(I, (PARTS_DIAGONAL,), (IS_MIRRORED_LEFTRIGHT, MOST))
    return O


# 73251a56: bank, class 10; 3 demos; 21928 units
# Start with a blank grid of the size of the input. Lay a given pattern of 21 by 21 on it. Let A be
# the input with its colours brought to their normal form (black first, then those with, in turn,
# most enclosed cells, most cells, most cells, being green, most cells, most cells, being red, the
# farthest reach down to the right). Lay A on it. Bring the colours back from their normal form.
def solve_73251a56(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = image(((2, 1, 2, 2, 3, 3, 5, 5, 6, 6, 4, 4, 7, 7, 1, 1, 2, 2, 3, 3, 5), (1, 2, 1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 5, 6, 6, 6, 4, 4, 4, 7, 7), (2, 1, 2, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 5, 5, 5, 5, 6, 6, 6), (2, 1, 1, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 5, 5, 5), (3, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3), (3, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3), (5, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2), (5, 3, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2), (6, 3, 2, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2), (6, 3, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2), (4, 5, 3, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), (4, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1), (7, 5, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1), (7, 6, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1), (1, 6, 5, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1), (1, 6, 5, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1), (2, 4, 5, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1), (2, 4, 5, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1), (3, 4, 6, 5, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1), (3, 7, 6, 5, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1), (5, 7, 6, 5, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)))
    x4 = image_lay(x2, x3, ON_TOP)
    x5 = normal_colors(I, I, ({0}, (MOST_ENCLOSED, MOST_CELLS, MOST_CELLS, (BEING, 3), MOST_CELLS, MOST_CELLS, (BEING, 2), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x6 = image(x5)
    x7 = image_lay(x4, x6, ON_TOP)
    x8 = image_grid(x7)
    O = normal_colors(x8, I, ({0}, (MOST_ENCLOSED, MOST_CELLS, MOST_CELLS, (BEING, 3), MOST_CELLS, MOST_CELLS, (BEING, 2), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# 7468f01a: trees, class 14; 3 demos; 11569 units
# In each cell of the box of all that is not background: it takes the colour at its place in the
# grid mirrored left to right.
def solve_7468f01a(I):
    O = cell_tree(I, (CUT_OUT, ALL_CONTENT), (COPY, (MIRRORED, LEFT_TO_RIGHT)))
    return O


# 746b3537: trees, class 14; 5 demos; 4585 units
# In each cell of the grid without the rows and columns that repeat the one before: it stays.
def solve_746b3537(I):
    O = cell_tree(I, (CUT_OUT, WITHOUT_REPEATED_LINES), KEEP)
    return O


# 74dd1130: lines, class 1; 4 demos; 12 units
# Mirror the input over its diagonal.
def solve_74dd1130(I):
    O = dmirror(I)
    return O


# 75b8110e: trees, class 16; 5 demos; 6188 units
# In each cell of the first of the 2 by 2 panels of the grid, laid over the others: if the colour at
# its place in the second panel is grey, it takes the colour at its place in the second panel; else
# if the colour at its place in the third panel is pink, it takes the colour at its place in the
# third panel; else it takes the colour at its place in the last panel that has something there.
def solve_75b8110e(I):
    O = cell_tree(I, (PANELS, 2, 2), (IF, (PANEL, SECOND), EQUALS, 5, (COPY, (PANEL, SECOND)), (IF, (PANEL, THIRD), EQUALS, 6, (COPY, (PANEL, THIRD)), (COPY, PANELS_LAST))))
    return O


# 776ffc46: trees, class 5; 4 demos; 90566 units
# In each cell of the grid: if its colour is blue, (if it is in a part of one colour (joined over
# corners too) that has the greatest number of parts of its shape, (if it is in a part of one colour
# (joined over corners too) that looks the same upside down, it takes the rarest colour of the grid
# but the background; else it stays); else it stays); else it stays.
def solve_776ffc46(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 1, (IF, (PART, PARTS_DIAGONAL, (WITH_MOST, SAME_SHAPE)), EQUALS, 1, (IF, (PART, PARTS_DIAGONAL, IS_MIRRORED_UPDOWN), EQUALS, 1, (COPY, RAREST_COLOR), KEEP), KEEP), KEEP))
    return O


# 780d0b14: trees, class 14; 3 demos; 16870 units
# In each cell of a grid with a cell for each room between lines that cross the grid (in its
# commonest colour but the background): it stays.
def solve_780d0b14(I):
    O = cell_tree(I, ROOMS, KEEP)
    return O


# 794b24be: cutout, class 23; 10 demos; 847 units
# The output is one of 4 given values, by the number of cells that are not background of the whole
# grid of the input.
def solve_794b24be(I):
    x1 = measure(I, WHOLE, FILLED_CELLS, GREATEST)
    O = lookup(x1, ((1, ((2, 0, 0), (0, 0, 0), (0, 0, 0))), (2, ((2, 2, 0), (0, 0, 0), (0, 0, 0))), (3, ((2, 2, 2), (0, 0, 0), (0, 0, 0))), (4, ((2, 2, 2), (0, 2, 0), (0, 0, 0)))), ZERO)
    return O


# 7b6016b9: draw, class 2; 3 demos; 26285 units
# For each region of background: draw its cells, in green if it touches the border of the grid, else
# red.
def solve_7b6016b9(I):
    O = draw(I, I, (REGIONS,), (CELLS, (BY_TABLE, AT_BORDER, ((1, 3), (0, 2)))))
    return O


# 7b7f7511: cutout, class 5; 3 demos; 1955 units
# Cut out the smallest tile that the grid repeats.
def solve_7b7f7511(I):
    O = cutout(I, (REPEATED_TILE,), (INDEX, MOST))
    return O


# 7ddcd7ec: draw, class 11; 3 demos; 8270 units
# For each part of one colour (joined over corners too): draw rays up to the right from the corners
# of its box that it fills, to the border, in its own colour. For each part of one colour (joined
# over corners too) of the input: draw rays down to the right and down to the left from the corners
# of its box that it fills, to the border, in its own colour.
def solve_7ddcd7ec(I):
    x1 = draw(I, I, (PARTS_DIAGONAL,), ((RAY, {NORTHEAST}, FROM_FILLED_CORNERS), OWN_COLOR))
    O = draw(x1, I, (PARTS_DIAGONAL,), ((RAY, {SOUTHEAST, SOUTHWEST}, FROM_FILLED_CORNERS), OWN_COLOR))
    return O


# 7e0986d6: trees, class 6; 2 demos; 25980 units
# In each cell of the grid: if at least 1 of the cells at its sides have its colour, it stays; else
# if at least 2 of the cells at its sides are foreground, it takes the colour that it sees looking
# in two opposite directions; else it becomes black.
def solve_7e0986d6(I):
    O = cell_tree(I, SAME_GRID, (IF, (SIDES, ALIKE), AT_LEAST, 1, KEEP, (IF, (SIDES, FOREGROUND), AT_LEAST, 2, (COPY, (BETWEEN, ANYHOW)), 0)))
    return O


# 7f4411dc: trees, class 0; 3 demos; 26490 units
# In each cell of the grid: if at least 2 of the cells at its sides have its colour, it stays; else
# it becomes black.
def solve_7f4411dc(I):
    O = cell_tree(I, SAME_GRID, (IF, (SIDES, ALIKE), AT_LEAST, 2, KEEP, 0))
    return O


# 7fe24cdd: trees, class 19; 3 demos; 7648 units
# In each cell of the grid repeated (down: 2, across: 2): if the first copy is an odd number of
# copies away, (if the number of copies above its own is 1, it takes the colour at its place in the
# grid repeated, each copy turned left; else it takes the colour at its place in the grid repeated,
# each copy turned right); else if the number of copies above its own is 1, it takes the colour at
# its place in the grid repeated, each copy turned round; else it stays.
def solve_7fe24cdd(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, COPY_CHESSBOARD, EQUALS, 1, (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, TURNED_LEFT)), (COPY, (COPY_CELL, TURNED_RIGHT))), (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, TURNED_ROUND)), KEEP)))
    return O


# 80af3007: cutout, class 20; 3 demos; 21801 units
# Cut out the set of all cells of one colour with the greatest number of cells, with each block of
# equal cells as one cell. Put a copy of the result for each cell of the commonest colour of the
# result.
def solve_80af3007(I):
    x1 = cutout(I, (COLORS, SHRUNK), (SIZE, MOST))
    O = kron(x1, x1, EACH_COMMONEST)
    return O


# 810b9b61: trees, class 2; 3 demos; 46690 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose number
# of holes is 1, it becomes green; else it stays.
def solve_810b9b61(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, HOLES), EQUALS, 1, 3, KEEP))
    return O


# 82819916: trees, class 13; 4 demos; 28761 units
# In each cell of the grid: if looking to the left it sees a part whose number of cells is 1, (if
# its colour is yellow, it stays; else if the colour that it sees looking up is blue, (if the second
# commonest colour of the grid but the background is yellow, it takes the colour at the left end of
# its row; else it takes the colour that it sees looking to the left); else if its colour is black,
# (if the colour that it sees looking up is green, it takes the colour at the left end of its row;
# else if the second commonest colour of the grid but the background is red, it takes the colour at
# the left end of its row; else it takes the colour that it sees looking to the left); else it
# stays); else it stays.
def solve_82819916(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN_PART, WEST, SIZE), EQUALS, 1, (IF, ITSELF, EQUALS, 4, KEEP, (IF, (SEEN, NORTH), EQUALS, 1, (IF, SECOND_COLOR, EQUALS, 4, (COPY, ROW_START), (COPY, (SEEN, WEST))), (IF, ITSELF, EQUALS, 0, (IF, (SEEN, NORTH), EQUALS, 3, (COPY, ROW_START), (IF, SECOND_COLOR, EQUALS, 2, (COPY, ROW_START), (COPY, (SEEN, WEST)))), KEEP))), KEEP))
    return O


# 83302e8f: trees, class 5; 3 demos; 186716 units
# In each cell of the grid: if it is in a region of background that is no filled rectangle, it
# becomes yellow; else if it is background, it becomes green; else it stays.
def solve_83302e8f(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, IS_RECTANGLE), EQUALS, 0, 4, (IF, IS_BACKGROUND, EQUALS, 1, 3, KEEP)))
    return O


# 868de0fa: trees, class 0; 5 demos; 79964 units
# In each cell of the grid: if it is in a region of background whose number of cells of its box that
# are not its own is 0, (if it is in a region of background that has an even number of cells, it
# becomes red; else it becomes orange); else it stays.
def solve_868de0fa(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, GAPS), EQUALS, 0, (IF, (PART, REGIONS, HAS_ODD_SIZE), EQUALS, 0, 2, 7), KEEP))
    return O


# 88a10436: patterns, class 0; 3 demos; 1156 units
# Take each thing of any colours (joined over corners too): each one of several colours is a
# template, to be put around each single cell.
def solve_88a10436(I):
    O = complete_templates(I, (THINGS_DIAGONAL, AROUND_CELLS))
    return O


# 88a62173: cutout, class 7; 3 demos; 2043 units
# Cut out the part of one colour (joined over corners too) with the least number of parts of its
# shape.
def solve_88a62173(I):
    O = cutout(I, (PARTS_DIAGONAL,), (SAME_SHAPE, LEAST))
    return O


# 8be77c9e: trees, class 16; 3 demos; 5968 units
# In each cell of the grid repeated (down: 2, across: 1): if the number of copies above its own is
# 1, it takes the colour at its place in the grid repeated, each copy mirrored top to bottom; else
# it stays.
def solve_8be77c9e(I):
    O = cell_tree(I, (REPEATED, 2, 1), (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, UPSIDE_DOWN)), KEEP))
    return O


# 8d5021e8: trees, class 19; 3 demos; 8580 units
# In each cell of the grid repeated (down: 3, across: 2): if the number of copies left of its own is
# 1, (if the colour at its place in the grid scaled up is grey, it stays; else it takes the colour
# at its place in the grid repeated, each copy mirrored top to bottom); else if the number of copies
# above its own is 1, it takes the colour at its place in the grid repeated, each copy mirrored left
# to right; else it takes the colour at its place in the grid repeated, each copy turned round.
def solve_8d5021e8(I):
    O = cell_tree(I, (REPEATED, 3, 2), (IF, COPIES_LEFT, EQUALS, 1, (IF, ENLARGED_CELL, EQUALS, 5, KEEP, (COPY, (COPY_CELL, UPSIDE_DOWN))), (IF, COPIES_ABOVE, EQUALS, 1, (COPY, (COPY_CELL, LEFT_TO_RIGHT)), (COPY, (COPY_CELL, TURNED_ROUND)))))
    return O


# 8d510a79: trees, class 13; 2 demos; 14838 units
# In each cell of the grid: if the colour that it sees looking up is blue, (if there is no first
# colour looking down that is not its own, it becomes blue; else it stays); else if the first colour
# looking down that is not its own is red, (if the colour that it sees looking up is grey, it
# becomes red; else it stays); else if the first colour looking up that is not its own is red, (if
# the colour that it sees looking down is grey, it becomes red; else it stays); else if the first
# colour looking down that is not its own is blue, (if the colour that it sees looking up is grey,
# it stays; else it becomes blue); else it stays.
def solve_8d510a79(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN, NORTH), EQUALS, 1, (IF, (SEEN_OTHER, SOUTH), EQUALS, NOTHING, 1, KEEP), (IF, (SEEN_OTHER, SOUTH), EQUALS, 2, (IF, (SEEN, NORTH), EQUALS, 5, 2, KEEP), (IF, (SEEN_OTHER, NORTH), EQUALS, 2, (IF, (SEEN, SOUTH), EQUALS, 5, 2, KEEP), (IF, (SEEN_OTHER, SOUTH), EQUALS, 1, (IF, (SEEN, NORTH), EQUALS, 5, KEEP, 1), KEEP)))))
    return O


# 8e1813be: bank, class 10; 3 demos; 19694 units
# Let A be the input with its colours brought to their normal form (black and grey first, then those
# with, in turn, being yellow, being red, fewest cells, being pink, being green, the farthest reach
# down to the right). Let B be the box of what is not black of the blue cells of A. Start with a
# blank grid of the height of B by the width of B. Lay a given pattern of 4 by 4 scaled to the
# height of B by the width of B on it. Lay all but its outermost rows and columns of A with lines
# that are too long going on in the next row to the height of B by the width of B all in yellow on
# it. Lay all but its black rows and columns of A without the blue cells on it. Bring the colours
# back from their normal form.
def solve_8e1813be(I):
    x1 = normal_colors(I, I, ({0, 5}, ((BEING, 4), (BEING, 2), FEWEST_CELLS, (BEING, 6), (BEING, 3), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x2 = image(x1)
    x3 = image_keep(x2, 1)
    x4 = image_trim(x3, TO_CONTENT)
    x5 = image_grid(x4)
    x6 = height(x5)
    x7 = width(x5)
    x8 = astuple(x6, x7)
    x9 = image_blank(x8)
    x10 = image(((3, 3, 3, 3), (4, 4, 4, 4), (2, 2, 2, 2), (5, 5, 5, 5)))
    x11 = image_fit(x10, x8, RESIZED)
    x12 = image_lay(x9, x11, ON_TOP)
    x13 = image_trim(x2, NO_BORDER)
    x14 = image_fit(x13, x8, WRAPPED_ROUND)
    x15 = image_recolor(x14, 4)
    x16 = image_lay(x12, x15, ON_TOP)
    x17 = image_erase(x2, 1)
    x18 = image_trim(x17, NO_EMPTY_LINES)
    x19 = image_lay(x16, x18, ON_TOP)
    x20 = image_grid(x19)
    O = normal_colors(x20, I, ({0, 5}, ((BEING, 4), (BEING, 2), FEWEST_CELLS, (BEING, 6), (BEING, 3), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# 8e5a5113: bank, class 13; 3 demos; 4067 units
# Start with a blank grid of the size of the input. Let A be the input with its colours brought to
# their normal form (black first, then those with, in turn, fewest cells, most components, most
# cells, the farthest reach down to the right). Lay A turned right repeated with gaps to the size of
# the input on it. Lay A laid on itself turned round on it. Bring the colours back from their normal
# form.
def solve_8e5a5113(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0}, (FEWEST_CELLS, MOST_COMPONENTS, MOST_CELLS, (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x4 = image(x3)
    x5 = image_rigid(x4, TURNED_RIGHT)
    x6 = image_fit(x5, x1, IN_COPIES_WITH_GAPS)
    x7 = image_lay(x2, x6, ON_TOP)
    x8 = image_rigid(x4, ON_TURNED_ROUND)
    x9 = image_lay(x7, x8, ON_TOP)
    x10 = image_grid(x9)
    O = normal_colors(x10, I, ({0}, (FEWEST_CELLS, MOST_COMPONENTS, MOST_CELLS, (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# 8eb1be9a: bank, class 6; 2 demos; 15763 units
# Start with a blank grid of the size of the input. Let A be the box of what is not black of the
# input with its colours brought to their normal form (black first, then those with, in turn, the
# farthest reach down to the right). Lay A repeated to the size of the input on it. Bring the
# colours back from their normal form.
def solve_8eb1be9a(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0}, ((FARTHEST, SOUTHEAST),)), TO_NORMAL)
    x4 = image(x3)
    x5 = image_trim(x4, TO_CONTENT)
    x6 = image_fit(x5, x1, IN_COPIES)
    x7 = image_lay(x2, x6, ON_TOP)
    x8 = image_grid(x7)
    O = normal_colors(x8, I, ({0}, ((FARTHEST, SOUTHEAST),)), FROM_NORMAL)
    return O


# 8efcae92: cutout, class 3; 3 demos; 27043 units
# Cut out the thing of any colours (joined over corners too) with the greatest number of its cells
# that are not of its main colour.
def solve_8efcae92(I):
    O = cutout(I, (THINGS_DIAGONAL,), (ODD_CELLS, MOST))
    return O


# 8f2ea7aa: cutout, class 21; 3 demos; 14541 units
# Cut out the whole grid, cut to what is not background. Put a copy of the result for each cell that
# is not background of the result.
def solve_8f2ea7aa(I):
    x1 = cutout(I, (WHOLE, TRIMMED), (INDEX, MOST))
    O = kron(x1, x1, EACH_FILLED)
    return O


# 90c28cc7: cutout, class 7; 3 demos; 32704 units
# Cut out the thing of any colours (joined over corners too) with the greatest number of cells, with
# equal neighboring rows and columns as one.
def solve_90c28cc7(I):
    O = cutout(I, (THINGS_DIAGONAL, MERGED), (SIZE, MOST))
    return O


# 90f3ed37: trees, class 13; 3 demos; 58044 units
# In each cell of the grid: if looking to the left it sees a part whose number of larger parts is at
# least 1, (if it is in a region of background whose number of holes is 0, it becomes blue; else if
# the colour at its place in the fullest room is cyan, (if its colour is cyan, it stays; else it
# becomes blue); else it stays); else if it is in a region of background whose number of holes is 2,
# (if the side of the largest square of its colour that it is in is 7, (if the colour two steps down
# to the left is black, (if the number of rows above it is 9, it stays; else it becomes blue); else
# it stays); else it stays); else it stays.
def solve_90f3ed37(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN_PART, WEST, SIZE_RANK), AT_LEAST, 1, (IF, (PART, REGIONS, HOLES), EQUALS, 0, 1, (IF, FULLEST_ROOM_CELL, EQUALS, 8, (IF, ITSELF, EQUALS, 8, KEEP, 1), KEEP)), (IF, (PART, REGIONS, HOLES), EQUALS, 2, (IF, LARGEST_SQUARE, EQUALS, 7, (IF, (TWO_AWAY, SOUTHWEST), EQUALS, 0, (IF, ROWS_ABOVE, EQUALS, 9, KEEP, 1), KEEP), KEEP), KEEP)))
    return O


# 913fb3ed: draw, class 3; 4 demos; 12449 units
# For each part of one colour: draw the frame of its box, grown by 1, in the colour for its colour
# (yellow for cyan, pink for green, blue for red).
def solve_913fb3ed(I):
    O = draw(I, I, (PARTS,), ((BOX, 1, FRAME), (BY_TABLE, COLOR, ((8, 4), (3, 6), (2, 1)))))
    return O


# 91714a58: trees, class 2; 3 demos; 23656 units
# In each cell of the grid: if the side of the largest square of its colour that it is in is at
# least 2, it stays; else it becomes black.
def solve_91714a58(I):
    O = cell_tree(I, SAME_GRID, (IF, LARGEST_SQUARE, AT_LEAST, 2, KEEP, 0))
    return O


# 9172f3a0: lines, class 0; 2 demos; 35 units
# Enlarge the input by a factor of 3.
def solve_9172f3a0(I):
    O = upscale(I, THREE)
    return O


# 928ad970: draw, class 3; 3 demos; 9410 units
# For each set of all cells of one colour whose colour is grey: draw the frame of its box, grown by
# -1, in the other colour inside its box.
def solve_928ad970(I):
    O = draw(I, I, (COLORS, ((COLOR, EQUALS, 5),)), ((BOX, -1, FRAME), COLOR_INSIDE))
    return O


# 941d9a10: trees, class 10; 3 demos; 32434 units
# In each cell of the grid: if its room is the middle one, it becomes red; else if its room is on
# the diagonal of rooms from the top left, (if the colour that it sees looking both up and down or
# both left and right is grey, it stays; else if the colour that it sees looking up is grey, it
# becomes green; else it becomes blue); else if it is in a region of background whose leftmost
# column is 9, (if the colour that it sees looking down is grey, it stays; else it becomes green);
# else it stays.
def solve_941d9a10(I):
    O = cell_tree(I, SAME_GRID, (IF, ROOM_IN_MIDDLE, EQUALS, 1, 2, (IF, ROOM_ON_DIAGONAL, EQUALS, 1, (IF, (BETWEEN, STRAIGHT), EQUALS, 5, KEEP, (IF, (SEEN, NORTH), EQUALS, 5, 3, 1)), (IF, (PART, REGIONS, LEFTMOST), EQUALS, 9, (IF, (SEEN, SOUTH), EQUALS, 5, KEEP, 3), KEEP))))
    return O


# 94f9d214: cutout, class 23; 4 demos; 3063 units
# Lay each square tile on the others, by how many of them are not background there: red for 0, black
# for 1, black for 2.
def solve_94f9d214(I):
    O = overlaid(I, SQUARE_TILES, BY_HOW_MANY, ((0, 2), (1, 0), (2, 0)))
    return O


# 9565186b: move, class 0; 4 demos; 7559 units
# Each part of one colour moves straight to the nearest part of any colour that stays, until
# something is in the way, in grey.
def solve_9565186b(I):
    O = shift_parts(I, (PARTS,), (TOWARDS, ANY_COLOR), (IN_COLOR, 5))
    return O


# 95990924: draw, class 9; 3 demos; 18709 units
# For each part of one colour: draw a stamp of 4 cells, in its own colour.
def solve_95990924(I):
    O = draw(I, I, (PARTS,), ((STAMP, ((-1, -1, 1), (-1, 2, 2), (2, -1, 3), (2, 2, 4))), OWN_COLOR))
    return O


# 963e52fc: trees, class 21; 3 demos; 38591 units
# In each cell of the grid scaled up (height × 1, width × 2): if it is in a part of one colour
# (joined over corners too) whose top row is 2, (if the number of copies left of its own is 1, (if
# the colour at its place in the grid repeated, each copy turned round is blue, it becomes blue;
# else if the colour at its place in the grid repeated, each copy turned round is red, it takes the
# commonest colour of its thing of any colours (joined over corners too); else if exactly 2 of the
# cells at its sides have its colour, it takes the colour two steps to the left; else it takes the
# colour at its place in the grid mirrored left to right); else it takes the colour at its place in
# the grid repeated); else it takes the colour at its place in the grid repeated.
def solve_963e52fc(I):
    O = cell_tree(I, (SCALED_UP, 1, 2), (IF, (PART, PARTS_DIAGONAL, TOP), EQUALS, 2, (IF, COPIES_LEFT, EQUALS, 1, (IF, (COPY_CELL, TURNED_ROUND), EQUALS, 1, 1, (IF, (COPY_CELL, TURNED_ROUND), EQUALS, 2, (COPY, (PART_COLOR, THINGS_DIAGONAL)), (IF, (SIDES, ALIKE), EQUALS, 2, (COPY, (TWO_AWAY, WEST)), (COPY, (MIRRORED, LEFT_TO_RIGHT))))), (COPY, COPY_CELL)), (COPY, COPY_CELL)))
    return O


# 97999447: trees, class 5; 3 demos; 31929 units
# In each cell of the grid: if it sees something looking to the left, (if the nearest cell that is
# not background is an odd number of steps away, it becomes grey; else it takes the colour that it
# sees looking to the left); else it stays.
def solve_97999447(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN_DISTANCE, WEST), AT_LEAST, 0, (IF, NEAREST_IS_ODD, EQUALS, 1, 5, (COPY, (SEEN, WEST))), KEEP))
    return O


# 99b1bc43: cutout, class 23; 4 demos; 3183 units
# Lay each square tile on the others, by how many of them are not background there: black for 0,
# black for 2, green for 1.
def solve_99b1bc43(I):
    O = overlaid(I, SQUARE_TILES, BY_HOW_MANY, ((0, 0), (2, 0), (1, 3)))
    return O


# 99fa7670: draw, class 15; 4 demos; 28838 units
# For each part of one colour: draw a path to the right that turns right where it is stopped, in its
# own colour. For each part of one colour whose number of parts that begin left of it no other has
# of the input: draw a path to the right that turns right where it is stopped, in its own colour.
# For each part of one colour with the greatest top row of the input: draw a path to the right that
# turns right where it is stopped, in its own colour. For each part of one colour of the input: draw
# rays to the right from each of its cells, to the border, in its own colour.
def solve_99fa7670(I):
    x1 = draw(I, I, (PARTS,), ((WALK, {EAST}), OWN_COLOR))
    x2 = draw(x1, I, (PARTS, ((COLUMN_RANK, UNIQUE),)), ((WALK, {EAST}), OWN_COLOR))
    x3 = draw(x2, I, (PARTS, ((TOP, MOST),)), ((WALK, {EAST}), OWN_COLOR))
    O = draw(x3, I, (PARTS,), ((RAY, {EAST}), OWN_COLOR))
    return O


# 9af7a82c: cutout, class 12; 4 demos; 4021 units
# Cut out each colour (background too), as a row of its colour with as many cells as it has, by
# number of cells that are not background, the least first, and put them in a column. Turn the
# result right by a quarter.
def solve_9af7a82c(I):
    x1 = cutouts(I, (ALL_COLORS, AS_BAR), (FILLED_CELLS, LEAST_FIRST), IN_COLUMN)
    O = mir_rot_t(x1, FOUR)
    return O


# 9dfd6313: lines, class 1; 3 demos; 29 units
# Mirror the input over its diagonal.
def solve_9dfd6313(I):
    O = dmirror(I)
    return O


# 9ecd008a: lines, class 3; 3 demos; 2909 units
# Mirror the input left to right. Cut out the box of the largest of the objects of the input.
def solve_9ecd008a(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = vmirror(I)
    O = subgrid(x2, x3)
    return O


# 9edfc990: trees, class 0; 3 demos; 34920 units
# In each cell of the grid: if it is in a region of background that touches blue, it becomes blue;
# else it stays.
def solve_9edfc990(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART_TOUCHES, REGIONS, 1), EQUALS, 1, 1, KEEP))
    return O


# 9f236235: trees, class 14; 3 demos; 14884 units
# In each cell of a grid with a cell for each room between lines that cross the grid (in its
# commonest colour but the background): it takes the colour at its place in the grid mirrored left
# to right.
def solve_9f236235(I):
    O = cell_tree(I, ROOMS, (COPY, (MIRRORED, LEFT_TO_RIGHT)))
    return O


# a1570a43: draw, class 8; 4 demos; 18018 units
# For each part of one colour whose colour is red: draw its cells, in black. For each set of all
# cells of one colour whose colour is green of the input: draw a copy of the largest other part on
# its middle, in its own colour.
def solve_a1570a43(I):
    x1 = draw(I, I, (PARTS, ((COLOR, EQUALS, 2),)), (CELLS, (IN_COLOR, 0)))
    O = draw(x1, I, (COLORS, ((COLOR, EQUALS, 3),)), (CLONE, OWN_COLOR))
    return O


# a2fd1cf0: draw, class 0; 3 demos; 9273 units
# For each part of one colour: draw a path to the nearest other part of green, along the row first,
# in cyan.
def solve_a2fd1cf0(I):
    O = draw(I, I, (PARTS,), ((ELBOW_TO, 3), (IN_COLOR, 8)))
    return O


# a3325580: cutout, class 10; 6 demos; 7093 units
# Cut out each part of one colour (joined over corners too), as a row of its colour with as many
# cells as it has, by leftmost column, the least first, of those whose number of larger parts is 0,
# and put them in a column. Turn the result left by a quarter.
def solve_a3325580(I):
    x1 = cutouts(I, (PARTS_DIAGONAL, AS_BAR), (LEFTMOST, LEAST_FIRST, WITH, SIZE_RANK, 0), IN_COLUMN)
    O = mir_rot_t(x1, SIX)
    return O


# a3df8b1e: draw, class 1; 3 demos; 3031 units
# For each part of one colour: draw rays up to the right that are thrown back by the left and right
# border, in its own colour.
def solve_a3df8b1e(I):
    O = draw(I, I, (PARTS,), ((BOUNCE, {NORTHEAST}, BY_SIDE_WALLS), OWN_COLOR))
    return O


# a416b8f3: lines, class 0; 3 demos; 22 units
# Put the input to the right of the input.
def solve_a416b8f3(I):
    O = hconcat(I, I)
    return O


# a48eeaf7: draw, class 20; 2 demos; 21332 units
# For each part of one colour whose colour is grey: draw rays in all eight directions from each of
# its cells, to the next thing or the border, only its last cell, in its own colour. For each region
# of background of the input: draw rays down from each of its cells, through everything to red or
# the border, in its own colour. For each region of background of the input: draw the frame of its
# box, in its own colour.
def solve_a48eeaf7(I):
    x1 = draw(I, I, (PARTS, ((COLOR, EQUALS, 5),)), ((RAY, {NORTH, EAST, SOUTH, WEST, NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, FROM_CELLS, TO_THING, END_ONLY), OWN_COLOR))
    x2 = draw(x1, I, (REGIONS,), ((RAY, {SOUTH}, FROM_CELLS, (THROUGH_UP_TO, 2)), OWN_COLOR))
    O = draw(x2, I, (REGIONS,), ((BOX, 0, FRAME), OWN_COLOR))
    return O


# a5313dff: draw, class 0; 3 demos; 5569 units
# For each set of all cells of one colour: draw what it encloses, in blue.
def solve_a5313dff(I):
    O = draw(I, I, (COLORS,), (ENCLOSED, (IN_COLOR, 1)))
    return O


# a5f85a15: trees, class 0; 3 demos; 31290 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) that has the
# 2nd, 4th, … row of its box here, it becomes yellow; else it stays.
def solve_a5f85a15(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, SECOND_ROW_IN_BOX), EQUALS, 1, 4, KEEP))
    return O


# a61f2674: trees, class 5; 2 demos; 17413 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose number
# of parts that begin above it is 0, it becomes blue; else if it is in a part of one colour (joined
# over corners too) that has the least number of cells, it becomes red; else it becomes black.
def solve_a61f2674(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, ROW_RANK), EQUALS, 0, 1, (IF, (PART, PARTS_DIAGONAL, (WITH_LEAST, SIZE)), EQUALS, 1, 2, 0)))
    return O


# a65b410d: trees, class 8; 3 demos; 16075 units
# In each cell of the grid: if the colour that it sees looking down is red, it becomes green; else
# if there is no colour that it sees looking down to the left, (if there is no colour that it sees
# looking up to the right, (if there is no colour one step up, (if the number of columns to its left
# is at least 4, it stays; else it becomes green); else it stays); else it becomes blue); else it
# becomes green.
def solve_a65b410d(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN, SOUTH), EQUALS, 2, 3, (IF, (SEEN, SOUTHWEST), EQUALS, NOTHING, (IF, (SEEN, NORTHEAST), EQUALS, NOTHING, (IF, (NEIGHBOR, NORTH), EQUALS, NOTHING, (IF, COLUMNS_LEFT, AT_LEAST, 4, KEEP, 3), KEEP), 1), 3)))
    return O


# a68b268e: trees, class 14; 6 demos; 5860 units
# In each cell of the first of the 2 by 2 panels of the grid (with lines 1 wide between them), laid
# over the others: it takes the colour at its place in the first panel that has something there.
def solve_a68b268e(I):
    O = cell_tree(I, (PANELS, 2, 2, 1), (COPY, PANELS_FIRST))
    return O


# a699fb00: draw, class 0; 3 demos; 27299 units
# For each part of one colour: draw rays to the right from each of its cells, to the next thing, if
# there is one, in red.
def solve_a699fb00(I):
    O = draw(I, I, (PARTS,), ((RAY, {EAST}, FROM_CELLS, ONLY_TO_THING), (IN_COLOR, 2)))
    return O


# a740d043: trees, class 14; 3 demos; 4878 units
# In each cell of the box of all that is not background: if its colour is blue, it becomes black;
# else it stays.
def solve_a740d043(I):
    O = cell_tree(I, (CUT_OUT, ALL_CONTENT), (IF, ITSELF, EQUALS, 1, 0, KEEP))
    return O


# a79310a0: trees, class 0; 3 demos; 5165 units
# In each cell of the grid: if the colour one step up is cyan, it becomes red; else it becomes
# black.
def solve_a79310a0(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBOR, NORTH), EQUALS, 8, 2, 0))
    return O


# a85d4709: trees, class 5; 4 demos; 4237 units
# In each cell of the grid: if the colour at the right end of its row is black, (if the colour at
# the left end of its row is black, it becomes yellow; else it becomes red); else it becomes green.
def solve_a85d4709(I):
    O = cell_tree(I, SAME_GRID, (IF, ROW_END, EQUALS, 0, (IF, ROW_START, EQUALS, 0, 4, 2), 3))
    return O


# a87f7484: cutout, class 5; 4 demos; 4564 units
# Cut out the part of one colour (joined over corners too) with the greatest number of cells.
def solve_a87f7484(I):
    O = cutout(I, (PARTS_DIAGONAL,), (SIZE, MOST))
    return O


# a9f96cdd: trees, class 1; 4 demos; 4589 units
# In each cell of the grid: if the colour one step up to the left is red, it becomes orange; else if
# the colour one step up to the right is red, it becomes cyan; else if the colour one step down to
# the right is red, it becomes green; else if the colour one step down to the left is red, it
# becomes pink; else it becomes black.
def solve_a9f96cdd(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBOR, NORTHWEST), EQUALS, 2, 7, (IF, (NEIGHBOR, NORTHEAST), EQUALS, 2, 8, (IF, (NEIGHBOR, SOUTHEAST), EQUALS, 2, 3, (IF, (NEIGHBOR, SOUTHWEST), EQUALS, 2, 6, 0)))))
    return O


# aabf363d: trees, class 2; 2 demos; 7838 units
# In each cell of the grid: if the number of colours commoner than its own is 0, it takes the rarest
# colour of the grid but the background; else it becomes black.
def solve_aabf363d(I):
    O = cell_tree(I, SAME_GRID, (IF, COLORS_COMMONER, EQUALS, 0, (COPY, RAREST_COLOR), 0))
    return O


# ac0a08a4: trees, class 14; 3 demos; 11118 units
# In each cell of the grid repeated (down: the number of colours in the grid but the background,
# across: the number of colours in the grid but the background): it takes the colour at its place in
# the grid scaled up.
def solve_ac0a08a4(I):
    O = cell_tree(I, (REPEATED, GRID_FOREGROUND_COLORS, GRID_FOREGROUND_COLORS), (COPY, ENLARGED_CELL))
    return O


# ae3edfdc: move, class 3; 3 demos; 27921 units
# Each part of one colour without the least number of parts of its colour moves straight to the
# nearest part of any colour that stays, until something is in the way.
def solve_ae3edfdc(I):
    O = shift_parts(I, (PARTS, ((SAME_COLOR, LEAST, NOT),)), (TOWARDS, ANY_COLOR), OWN_COLOR)
    return O


# ae4f1146: cutout, class 3; 4 demos; 4924 units
# Cut out the thing of any colours with the greatest number of blue cells.
def solve_ae4f1146(I):
    O = cutout(I, (THINGS,), ((CELLS_OF, 1), MOST))
    return O


# aedd82e4: trees, class 2; 4 demos; 7714 units
# In each cell of the grid: if it is in a part of one colour whose width is 1, it becomes blue; else
# it stays.
def solve_aedd82e4(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS, WIDTH), EQUALS, 1, 1, KEEP))
    return O


# af902bf9: draw, class 0; 3 demos; 18965 units
# For each part of one colour: draw the inside of the box whose corners have its colour, in red.
def solve_af902bf9(I):
    O = draw(I, I, (PARTS,), (CORNERED, (IN_COLOR, 2)))
    return O


# b1948b0a: lines, class 1; 3 demos; 10 units
# Replace pink by red.
def solve_b1948b0a(I):
    O = replace(I, SIX, TWO)
    return O


# b230c067: trees, class 5; 3 demos; 22926 units
# In each cell of the grid: if its colour is black, it stays; else if it is in a part of one colour
# (joined over corners too) whose number of parts of its shape is 2, it becomes blue; else it
# becomes red.
def solve_b230c067(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 0, KEEP, (IF, (PART, PARTS_DIAGONAL, SAME_SHAPE), EQUALS, 2, 1, 2)))
    return O


# b27ca6d3: draw, class 0; 2 demos; 60890 units
# For each part of one colour with the greatest number of cells: draw the frame of its box, grown by
# 1, in green.
def solve_b27ca6d3(I):
    O = draw(I, I, (PARTS, ((SIZE, MOST),)), ((BOX, 1, FRAME), (IN_COLOR, 3)))
    return O


# b2862040: trees, class 0; 4 demos; 49542 units
# In each cell of the grid: if it is in a part of one colour (joined over corners too) whose number
# of holes is 1, it becomes cyan; else it stays.
def solve_b2862040(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, PARTS_DIAGONAL, HOLES), EQUALS, 1, 8, KEEP))
    return O


# b548a754: views, class 11; 3 demos; 11193 units
# Look at the input as the box of all that is not background. In each cell of the grid: if its
# distance to the border is at least 1, it takes the second commonest colour of the grid but the
# background; else it takes the commonest colour of the grid but the background. Turn that back.
def solve_b548a754(I):
    x1 = view(I, CONTENT_BOX)
    x2 = cell_tree(x1, SAME_GRID, (IF, EDGE_DISTANCE, AT_LEAST, 1, (COPY, SECOND_COLOR), (COPY, COMMONEST_COLOR)))
    O = unview(I, CONTENT_BOX, x2)
    return O


# b60334d2: trees, class 0; 2 demos; 8341 units
# In each cell of the grid: if none of its neighbours are foreground, it becomes black; else if
# exactly 1 of the cells at its sides are foreground, it becomes blue; else it becomes grey.
def solve_b60334d2(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 0, 0, (IF, (SIDES, FOREGROUND), EQUALS, 1, 1, 5)))
    return O


# b6afb2da: trees, class 0; 2 demos; 11728 units
# In each cell of the grid: if its colour is grey, (if exactly 5 of its neighbours are foreground,
# it becomes yellow; else if exactly 8 of its neighbours are foreground, it becomes red; else it
# becomes blue); else it stays.
def solve_b6afb2da(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 5, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 5, 4, (IF, (NEIGHBORS, FOREGROUND), EQUALS, 8, 2, 1)), KEEP))
    return O


# b8825c91: repair, class 2; 4 demos; 76843 units
# Complete the input where it is yellow, by its mirror images, over the diagonals too where they
# hold.
def solve_b8825c91(I):
    x1 = shape(I)
    O = repaired(I, 4, MIRROR_BOTH_WAYS, x1)
    return O


# b8cdaf2b: draw, class 3; 4 demos; 11768 units
# For each patch of one colour (background too) that lies inside another part: draw rays up to the
# right and up to the left from the corners of its box, to the border, in the colour that it
# touches.
def solve_b8cdaf2b(I):
    O = draw(I, I, (PATCHES, ((IS_INSIDE, EQUALS, 1),)), ((RAY, {NORTHEAST, NORTHWEST}, FROM_CORNERS), COLOR_TOUCHED))
    return O


# b91ae062: trees, class 14; 5 demos; 8516 units
# In each cell of the grid repeated (down: the number of colours in the grid but the background,
# across: the number of colours in the grid but the background): it takes the colour at its place in
# the grid scaled up.
def solve_b91ae062(I):
    O = cell_tree(I, (REPEATED, GRID_FOREGROUND_COLORS, GRID_FOREGROUND_COLORS), (COPY, ENLARGED_CELL))
    return O


# b94a9452: trees, class 14; 3 demos; 9982 units
# In each cell of the box of all that is not background: it takes the first colour at the edge of
# its part of one colour.
def solve_b94a9452(I):
    O = cell_tree(I, (CUT_OUT, ALL_CONTENT), (COPY, (PART_COLOR, PARTS, TOUCHED_COLOR)))
    return O


# b9b7f026: cutout, class 5; 3 demos; 15393 units
# Cut out the thing of any colours (joined over corners too) with the greatest number of holes, as
# one cell of its commonest colour.
def solve_b9b7f026(I):
    O = cutout(I, (THINGS_DIAGONAL, AS_DOT), (HOLES, MOST))
    return O


# ba26e723: trees, class 0; 5 demos; 8459 units
# In each cell of the grid: if its column (counted 0, 1, 2, 0, 1, 2, … from the left) is at least 1,
# it stays; else if its colour is yellow, it becomes pink; else it stays.
def solve_ba26e723(I):
    O = cell_tree(I, SAME_GRID, (IF, COLUMN_IN_THREES, AT_LEAST, 1, KEEP, (IF, ITSELF, EQUALS, 4, 6, KEEP)))
    return O


# ba97ae07: draw, class 1; 4 demos; 8014 units
# For each set of all cells of one colour: draw the other cells of its box, in its own colour.
def solve_ba97ae07(I):
    O = draw(I, I, (COLORS,), ((BOX, 0, REST), OWN_COLOR))
    return O


# bb43febb: patterns, class 10; 2 demos; 541 units
# Where all is grey, fill the rectangles that cannot grow, but for a margin of 1 with red.
def solve_bb43febb(I):
    O = fill_places(I, 5, (FULL_RECTANGLES, 1, 1, 1), 2)
    return O


# bbc9ae5d: lines, class 30; 5 demos; 4267 units
# Stretch the input in height by a factor of the width of the input. Take the upper half of the
# result. Fill the free cells in the box around the ray from each of the black cells of the input
# going down to the right with the colour of the input at the upper left cell.
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
# In each cell of the grid: if its distance to the border is at least 1, (if the number of rows
# above it is at least 4, it takes the first colour looking down that is not its own; else it takes
# the first colour looking up that is not its own); else it takes the rarest colour of the grid but
# the background.
def solve_bda2d7a6(I):
    O = cell_tree(I, SAME_GRID, (IF, EDGE_DISTANCE, AT_LEAST, 1, (IF, ROWS_ABOVE, AT_LEAST, 4, (COPY, (SEEN_OTHER, SOUTH)), (COPY, (SEEN_OTHER, NORTH))), (COPY, RAREST_COLOR)))
    return O


# bdad9b1f: trees, class 5; 2 demos; 8294 units
# In each cell of the grid: if exactly 2 of the cells in its row are foreground, (if the colour that
# it sees looking up is cyan, it becomes yellow; else it becomes red); else it takes the colour at
# the top of its column.
def solve_bdad9b1f(I):
    O = cell_tree(I, SAME_GRID, (IF, ROW_FOREGROUND, EQUALS, 2, (IF, (SEEN, NORTH), EQUALS, 8, 4, 2), (COPY, COLUMN_TOP)))
    return O


# be94b721: cutout, class 7; 4 demos; 4744 units
# Cut out the part of one colour (joined over corners too) with the greatest number of cells.
def solve_be94b721(I):
    O = cutout(I, (PARTS_DIAGONAL,), (SIZE, MOST))
    return O


# c0f76784: draw, class 3; 3 demos; 9697 units
# For each part of one colour: draw what it encloses, in the colour for its number of cells (cyan
# for 16, pink for 8, orange for 12).
def solve_c0f76784(I):
    O = draw(I, I, (PARTS,), (ENCLOSED, (BY_TABLE, SIZE, ((16, 8), (8, 6), (12, 7)))))
    return O


# c1d99e64: patterns, class 10; 3 demos; 7753 units
# Where all is black, fill the rectangles that go from border to border with red.
def solve_c1d99e64(I):
    O = fill_places(I, 0, RECTANGLES_ACROSS, 2)
    return O


# c3e719e8: trees, class 14; 3 demos; 9367 units
# In each cell of the grid scaled up (height × 3, width × 3): if it is background, it takes the
# colour at its place in the grid repeated; else it becomes black.
def solve_c3e719e8(I):
    O = cell_tree(I, (SCALED_UP, 3, 3), (IF, IS_BACKGROUND, EQUALS, 1, (COPY, COPY_CELL), 0))
    return O


# c3f564a4: trees, class 7; 3 demos; 37370 units
# In each cell of the grid: if it is not background, it stays; else if there is no colour that it
# sees looking both up to the right and down to the left, it takes the colour at its place in the
# grid with rows as columns; else it takes the colour that it sees looking both up to the right and
# down to the left.
def solve_c3f564a4(I):
    O = cell_tree(I, SAME_GRID, (IF, COLORS_COMMONER, AT_LEAST, 0, KEEP, (IF, (BETWEEN, ALONG_RISING), EQUALS, NOTHING, (COPY, (MIRRORED, TRANSPOSED)), (COPY, (BETWEEN, ALONG_RISING)))))
    return O


# c444b776: trees, class 2; 2 demos; 60382 units
# In each cell of the grid: if at least 5 of its neighbours have its colour, it takes the colour at
# its place in the fullest room; else it stays.
def solve_c444b776(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 5, (COPY, FULLEST_ROOM_CELL), KEEP))
    return O


# c59eb873: lines, class 0; 3 demos; 54 units
# Enlarge the input by a factor of 2.
def solve_c59eb873(I):
    O = upscale(I, TWO)
    return O


# c8f0f002: lines, class 1; 3 demos; 9 units
# Replace orange by grey.
def solve_c8f0f002(I):
    O = replace(I, SEVEN, FIVE)
    return O


# c909285e: trees, class 14; 3 demos; 20915 units
# In each cell of the box of the rarest colour: it stays.
def solve_c909285e(I):
    O = cell_tree(I, (CUT_OUT, RAREST_BOX), KEEP)
    return O


# c9e6f938: trees, class 14; 3 demos; 5968 units
# In each cell of the grid repeated (down: 1, across: 2): if the number of copies left of its own is
# 1, it takes the colour at its place in the grid repeated, each copy mirrored left to right; else
# it stays.
def solve_c9e6f938(I):
    O = cell_tree(I, (REPEATED, 1, 2), (IF, COPIES_LEFT, EQUALS, 1, (COPY, (COPY_CELL, LEFT_TO_RIGHT)), KEEP))
    return O


# c9f8e694: trees, class 0; 2 demos; 19394 units
# In each cell of the grid: if it is background, it stays; else it takes the colour at the left end
# of its row.
def solve_c9f8e694(I):
    O = cell_tree(I, SAME_GRID, (IF, IS_BACKGROUND, EQUALS, 1, KEEP, (COPY, ROW_START)))
    return O


# cbded52d: trees, class 27; 3 demos; 14960 units
# In each cell of the grid: if the shorter of the runs of its colour in its row and its column is 2,
# (if exactly 4 of the cells in its row have its colour, (if one step to the left is a cell that is
# not background, it takes the colour at the right end of its row; else it takes the colour at the
# left end of its row); else if exactly 4 of the cells in its column have its colour, (if one step
# up is a cell that is not background, it takes the colour at the bottom of its column; else it
# takes the colour at the top of its column); else it stays); else it stays.
def solve_cbded52d(I):
    O = cell_tree(I, SAME_GRID, (IF, SHORTER_RUN, EQUALS, 2, (IF, ROW_ALIKE, EQUALS, 4, (IF, (IS_FOREGROUND, WEST), EQUALS, 1, (COPY, ROW_END), (COPY, ROW_START)), (IF, COLUMN_ALIKE, EQUALS, 4, (IF, (IS_FOREGROUND, NORTH), EQUALS, 1, (COPY, COLUMN_BOTTOM), (COPY, COLUMN_TOP)), KEEP)), KEEP))
    return O


# cce03e0d: trees, class 14; 3 demos; 8395 units
# In each cell of the grid repeated (down: 3, across: 3): if the colour at its place in the grid
# scaled up is red, it stays; else it becomes black.
def solve_cce03e0d(I):
    O = cell_tree(I, (REPEATED, 3, 3), (IF, ENLARGED_CELL, EQUALS, 2, KEEP, 0))
    return O


# cdecee7f: cutout, class 14; 3 demos; 7794 units
# Cut out each part of one colour (joined over corners too), as one cell of its commonest colour, by
# leftmost column, the least first, and put them row by row, to and fro, into 3 by 3 cells.
def solve_cdecee7f(I):
    O = cutouts(I, (PARTS_DIAGONAL, AS_DOT), (LEFTMOST, LEAST_FIRST), (SNAKE, 3, 3))
    return O


# ce22a75a: draw, class 0; 2 demos; 9957 units
# For each part of one colour: draw its box, grown by 1, in blue.
def solve_ce22a75a(I):
    O = draw(I, I, (PARTS,), ((BOX, 1), (IN_COLOR, 1)))
    return O


# ce4f8723: cutout, class 23; 4 demos; 3183 units
# Lay each square tile on the others, by how many of them are not background there: green for 2,
# green for 1, black for 0.
def solve_ce4f8723(I):
    O = overlaid(I, SQUARE_TILES, BY_HOW_MANY, ((2, 3), (1, 3), (0, 0)))
    return O


# ce602527: lines, class 5; 4 demos; 1684 units
# If the objects of the input are higher than wide, take the part of the input in the box of the
# narrowest of the colour groups of the input, else the part of the input in the box of the one of
# the objects of the input with the greatest first column.
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
# For each part of one colour: draw the half of its cells that lies down, in cyan.
def solve_ce9e57f2(I):
    O = draw(I, I, (PARTS,), ((HALF, SOUTH), (IN_COLOR, 8)))
    return O


# cf98881b: trees, class 14; 5 demos; 5360 units
# In each cell of the first of the 1 by 3 panels of the grid (with lines 1 wide between them), laid
# over the others: it takes the colour at its place in the first panel that has something there.
def solve_cf98881b(I):
    O = cell_tree(I, (PANELS, 1, 3, 1), (COPY, PANELS_FIRST))
    return O


# d037b0a7: draw, class 0; 3 demos; 5958 units
# For each part of one colour: draw rays down from each of its cells, to the border, in its own
# colour.
def solve_d037b0a7(I):
    O = draw(I, I, (PARTS,), ((RAY, {SOUTH}), OWN_COLOR))
    return O


# d0f5fe59: lines, class 28; 3 demos; 295 units
# Start with a black grid of the number of the objects of the input by the number of the objects of
# the input. Fill the ray from the upper left cell going down to the right with cyan.
def solve_d0f5fe59(I):
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = astuple(x2, x2)
    x4 = canvas(ZERO, x3)
    x5 = shoot(ORIGIN, UNITY)
    O = fill(x4, EIGHT, x5)
    return O


# d10ecb37: lines, class 3; 3 demos; 9 units
# Cut out the 2 by 2 part of the input in the upper left corner.
def solve_d10ecb37(I):
    O = crop(I, ORIGIN, TWO_BY_TWO)
    return O


# d13f3404: trees, class 24; 3 demos; 15418 units
# In each cell of the grid repeated (down: 2, across: 2): if it is in a set of all cells of one
# colour that has the top left corner of its box an odd number of steps away, (if it sees something
# looking up to the left, it takes the colour that it sees looking up to the left; else it becomes
# black); else if it sees something looking up to the left, (if it sees something looking down to
# the right, (if exactly 2 of the cells looking up to the left are foreground, it takes the colour
# that it sees looking down to the right; else it takes the colour that it sees looking up to the
# left); else if at least 2 of the cells looking up to the left are foreground, it takes the nearest
# colour but the background (in steps over corners too); else it stays); else it stays.
def solve_d13f3404(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, (PART, COLORS, CHESSBOARD_IN_BOX), EQUALS, 1, (IF, (SEEN_DISTANCE, NORTHWEST), AT_LEAST, 0, (COPY, (SEEN, NORTHWEST)), 0), (IF, (SEEN_DISTANCE, NORTHWEST), AT_LEAST, 0, (IF, (SEEN_DISTANCE, SOUTHEAST), AT_LEAST, 0, (IF, (SEEN_COUNT, NORTHWEST), EQUALS, 2, (COPY, (SEEN, SOUTHEAST)), (COPY, (SEEN, NORTHWEST))), (IF, (SEEN_COUNT, NORTHWEST), AT_LEAST, 2, (COPY, NEAREST_COLOR_DIAGONAL), KEEP)), KEEP)))
    return O


# d23f8c26: trees, class 7; 3 demos; 9412 units
# In each cell of the grid: if no column is fuller than its own, (if its colour is black, it stays;
# else it takes the colour at its place in the grid mirrored left to right); else it becomes black.
def solve_d23f8c26(I):
    O = cell_tree(I, SAME_GRID, (IF, COLUMN_FULLEST, EQUALS, 1, (IF, ITSELF, EQUALS, 0, KEEP, (COPY, (MIRRORED, LEFT_TO_RIGHT))), 0))
    return O


# d2abd087: trees, class 26; 3 demos; 22926 units
# In each cell of the grid: if its colour is black, it stays; else if it is in a part of one colour
# (joined over corners too) whose number of cells is 6, it becomes red; else it becomes blue.
def solve_d2abd087(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 0, KEEP, (IF, (PART, PARTS_DIAGONAL, SIZE), EQUALS, 6, 2, 1)))
    return O


# d364b489: draw, class 9; 2 demos; 16801 units
# For each part of one colour: draw a stamp of 4 cells, in its own colour.
def solve_d364b489(I):
    O = draw(I, I, (PARTS,), ((STAMP, ((-1, 0, 2), (0, -1, 7), (0, 1, 6), (1, 0, 8))), OWN_COLOR))
    return O


# d406998b: trees, class 5; 4 demos; 8459 units
# In each cell of the grid: if its colour is grey, (if it is in the 2nd, 4th, … column from the
# right, it stays; else it becomes green); else it stays.
def solve_d406998b(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 5, (IF, SECOND_COLUMN_BACK, EQUALS, 1, KEEP, 3), KEEP))
    return O


# d43fd935: draw, class 3; 3 demos; 25465 units
# For each part of one colour: draw rays to all four sides from each of its cells, to the next
# thing, if that is green, in its own colour.
def solve_d43fd935(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTH, EAST, SOUTH, WEST}, FROM_CELLS, (ONLY_TO, 3)), OWN_COLOR))
    return O


# d4469b4b: cutout, class 23; 7 demos; 2285 units
# The output is one of 3 given values, by the commonest colour but the background of the whole grid
# of the input.
def solve_d4469b4b(I):
    x1 = measure(I, WHOLE, COMMON_COLOR, GREATEST)
    O = lookup(x1, ((2, ((5, 5, 5), (0, 5, 0), (0, 5, 0))), (1, ((0, 5, 0), (5, 5, 5), (0, 5, 0))), (3, ((0, 0, 5), (0, 0, 5), (5, 5, 5)))), ZERO)
    return O


# d4a91cb9: draw, class 0; 3 demos; 7600 units
# For each part of one colour: draw a path to the nearest other part of cyan, along the row first,
# in yellow.
def solve_d4a91cb9(I):
    O = draw(I, I, (PARTS,), ((ELBOW_TO, 8), (IN_COLOR, 4)))
    return O


# d4f3cd78: trees, class 26; 2 demos; 18128 units
# In each cell of the grid: if the commonest colour of the smallest part around it is grey, it
# becomes cyan; else if the shorter of the runs of its colour in its row and its column is 9, it
# becomes cyan; else if the shorter of the runs of its colour in its row and its column is 7, it
# becomes cyan; else it stays.
def solve_d4f3cd78(I):
    O = cell_tree(I, SAME_GRID, (IF, PART_AROUND_COLOR, EQUALS, 5, 8, (IF, SHORTER_RUN, EQUALS, 9, 8, (IF, SHORTER_RUN, EQUALS, 7, 8, KEEP))))
    return O


# d511f180: lines, class 1; 3 demos; 10 units
# Exchange grey and cyan.
def solve_d511f180(I):
    O = switch(I, FIVE, EIGHT)
    return O


# d5d6de2d: trees, class 1; 3 demos; 109415 units
# In each cell of the grid: if it is in a region of background that does not touch the border of the
# grid, it becomes green; else it becomes black.
def solve_d5d6de2d(I):
    O = cell_tree(I, SAME_GRID, (IF, (PART, REGIONS, AT_BORDER), EQUALS, 0, 3, 0))
    return O


# d631b094: cutout, class 3; 4 demos; 843 units
# Cut out the part of one colour (joined over corners too) with the greatest number of cells, as a
# row of its colour with as many cells as it has.
def solve_d631b094(I):
    O = cutout(I, (PARTS_DIAGONAL, AS_BAR), (SIZE, MOST))
    return O


# d687bc17: bank, class 7; 3 demos; 21746 units
# Start with a blank grid of the size of the input. Let A be the input with its colours brought to
# their normal form (black first, then those with, in turn, being cyan, fewest cells, being yellow,
# the farthest reach down to the right, being red, the farthest reach down to the right). Lay the
# lines between cells of one colour in one row or column of the colours of A, put in their places,
# the one with the fewest cells on top on it. Lay the one of what its background leaves of A with
# most cells on it. Lay a blank grid of the size of the input with the image in a blue frame of A
# scaled to the size of the input laid on it on it, erasing it where that is black. Bring the
# colours back from their normal form.
def solve_d687bc17(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0}, ((BEING, 8), FEWEST_CELLS, (BEING, 4), (FARTHEST, SOUTHEAST), (BEING, 2), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x4 = image(x3)
    x5 = image_split(x4, BY_COLOR)
    x6 = image_connect(x5, IN_ROWS_AND_COLUMNS)
    x7 = image_pile(x6, SMALLEST_ON_TOP)
    x8 = image_lay(x2, x7, ON_TOP)
    x9 = image_split(x4, BY_BACKGROUND)
    x10 = image_pick(x9, MOST_CELLS)
    x11 = image_lay(x8, x10, ON_TOP)
    x12 = image_ring(x4, IN_BLUE_FRAME)
    x13 = image_fit(x12, x1, RESIZED)
    x14 = image_lay(x2, x13, ON_TOP)
    x15 = image_lay(x11, x14, ERASING)
    x16 = image_grid(x15)
    O = normal_colors(x16, I, ({0}, ((BEING, 8), FEWEST_CELLS, (BEING, 4), (FARTHEST, SOUTHEAST), (BEING, 2), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# d8c310e9: repair, class 1; 3 demos; 22520 units
# Complete the input where it is black, by the period of each row, all within the box of the known
# cells being known.
def solve_d8c310e9(I):
    x1 = shape(I)
    O = repaired(I, 0, (PERIOD_OF_EACH_ROW, {BOX_IS_KNOWN}), x1)
    return O


# d90796e8: patterns, class 4; 3 demos; 551 units
# Replace a given pattern of 1 by 2 by another wherever it is, turned and mirrored too.
def solve_d90796e8(I):
    O = replace_pattern(I, ((3, 2),), ((8, 0),), TURNED_TOO)
    return O


# d9fac9be: cutout, class 3; 4 demos; 15253 units
# Cut out the part of one colour with the greatest number of cells, only what else is in its box.
def solve_d9fac9be(I):
    O = cutout(I, (PARTS, CONTENT), (SIZE, MOST))
    return O


# dae9d2b5: cutout, class 23; 5 demos; 1767 units
# Lay each square tile on the others, by how many of them are not background there: pink for 2,
# black for 0, pink for 1.
def solve_dae9d2b5(I):
    O = overlaid(I, SQUARE_TILES, BY_HOW_MANY, ((2, 6), (0, 0), (1, 6)))
    return O


# db3e9e38: trees, class 9; 2 demos; 13605 units
# In each cell of the grid: if the colour that it sees looking down to the left is orange, (if it is
# in the 2nd, 4th, … column from the right, it becomes orange; else it becomes cyan); else if the
# colour that it sees looking down to the right is orange, (if it is in the 2nd, 4th, … column from
# the right, it becomes orange; else it becomes cyan); else it stays.
def solve_db3e9e38(I):
    O = cell_tree(I, SAME_GRID, (IF, (SEEN, SOUTHWEST), EQUALS, 7, (IF, SECOND_COLUMN_BACK, EQUALS, 1, 7, 8), (IF, (SEEN, SOUTHEAST), EQUALS, 7, (IF, SECOND_COLUMN_BACK, EQUALS, 1, 7, 8), KEEP)))
    return O


# dbc1a6ce: draw, class 0; 4 demos; 60654 units
# For each part of one colour: draw rays to all four sides from each of its cells, to the next
# thing, if there is one, in cyan.
def solve_dbc1a6ce(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTH, EAST, SOUTH, WEST}, FROM_CELLS, ONLY_TO_THING), (IN_COLOR, 8)))
    return O


# dc0a314f: repair, class 10; 3 demos; 77005 units
# Complete the input where it is green, by its mirror images, over the diagonals too where they
# hold. Cut out the box of the green cells of the input.
def solve_dc0a314f(I):
    x1 = ofcolor(I, THREE)
    x2 = shape(I)
    x3 = repaired(I, 3, MIRROR_BOTH_WAYS, x2)
    O = subgrid(x1, x3)
    return O


# dc1df850: trees, class 0; 3 demos; 13024 units
# In each cell of the grid: if red is not among its neighbours, it stays; else it becomes blue.
def solve_dc1df850(I):
    O = cell_tree(I, SAME_GRID, (IF, (NEIGHBOR_HAS, 2), EQUALS, 0, KEEP, 1))
    return O


# dc433765: trees, class 13; 7 demos; 37088 units
# In each cell of the grid: if its colour is yellow, it stays; else if exactly 6 of its neighbours
# have its colour, (if the colour one step up to the right is yellow, it stays; else it becomes
# green); else if it is in a region of background whose number of rows of its box below the cell is
# 7, it takes the colour one step up; else if it is in a region of background whose distance from
# the cell to the nearest side of its box is 2, (if the colour one step down is green, it becomes
# green; else if at least 35 of the cells of the grid have its colour, it takes the colour one step
# up to the left; else it becomes green); else it becomes black.
def solve_dc433765(I):
    O = cell_tree(I, SAME_GRID, (IF, ITSELF, EQUALS, 4, KEEP, (IF, (NEIGHBORS, ALIKE), EQUALS, 6, (IF, (NEIGHBOR, NORTHEAST), EQUALS, 4, KEEP, 3), (IF, (PART, REGIONS, ROWS_BELOW_IN_BOX), EQUALS, 7, (COPY, (NEIGHBOR, NORTH)), (IF, (PART, REGIONS, DEPTH_IN_BOX), EQUALS, 2, (IF, (NEIGHBOR, SOUTH), EQUALS, 3, 3, (IF, CELLS_ALIKE, AT_LEAST, 35, (COPY, (NEIGHBOR, NORTHWEST)), 3)), 0)))))
    return O


# ddf7fa4f: draw, class 1; 3 demos; 14620 units
# For each part of one colour whose colour is grey: draw its cells, in the colour of the nearest
# other part.
def solve_ddf7fa4f(I):
    O = draw(I, I, (PARTS, ((COLOR, EQUALS, 5),)), (CELLS, COLOR_OF_NEAREST))
    return O


# de1cd16c: trees, class 20; 4 demos; 10813 units
# In each cell of the box of the smallest part of one colour (joined over corners too): if the
# background's colour is cyan, (if its colour is pink, it becomes cyan; else it becomes red); else
# if its colour is yellow, it becomes pink; else it becomes yellow.
def solve_de1cd16c(I):
    O = cell_tree(I, (CUT_OUT, SMALLEST_PART), (IF, GROUND_COLOR, EQUALS, 8, (IF, ITSELF, EQUALS, 6, 8, 2), (IF, ITSELF, EQUALS, 4, 6, 4)))
    return O


# ded97339: trees, class 0; 3 demos; 11724 units
# In each cell of the grid: if the colour that it sees looking both up and down or both left and
# right is cyan, it becomes cyan; else it stays.
def solve_ded97339(I):
    O = cell_tree(I, SAME_GRID, (IF, (BETWEEN, STRAIGHT), EQUALS, 8, 8, KEEP))
    return O


# e179c5f4: draw, class 4; 3 demos; 6142 units
# For each region of background: draw its cells, in cyan. For each part of one colour of the input:
# draw rays up to the right that are thrown back by the left and right border, in its own colour.
def solve_e179c5f4(I):
    x1 = draw(I, I, (REGIONS,), (CELLS, (IN_COLOR, 8)))
    O = draw(x1, I, (PARTS,), ((BOUNCE, {NORTHEAST}, BY_SIDE_WALLS), OWN_COLOR))
    return O


# e21d9049: bank, class 7; 2 demos; 22824 units
# Start with a blank grid of the size of the input. Let A be the input with its colours brought to
# their normal form (black first, then those with, in turn, most components, fewest cells, being
# cyan, the farthest reach down to the right). Lay the box of what is not black of A repeated to the
# size of the input on it. Lay a blank grid of the size of the input with the red cells of A with
# its cells drawn out left, right, up and down laid on it on it, erasing it where that is black.
# Bring the colours back from their normal form.
def solve_e21d9049(I):
    x1 = shape(I)
    x2 = image_blank(x1)
    x3 = normal_colors(I, I, ({0}, (MOST_COMPONENTS, FEWEST_CELLS, (BEING, 8), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x4 = image(x3)
    x5 = image_trim(x4, TO_CONTENT)
    x6 = image_fit(x5, x1, IN_COPIES)
    x7 = image_lay(x2, x6, ON_TOP)
    x8 = image_keep(x4, 2)
    x9 = image_smear(x8, FOUR_WAYS)
    x10 = image_lay(x2, x9, ON_TOP)
    x11 = image_lay(x7, x10, ERASING)
    x12 = image_grid(x11)
    O = normal_colors(x12, I, ({0}, (MOST_COMPONENTS, FEWEST_CELLS, (BEING, 8), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# e3497940: trees, class 14; 3 demos; 10157 units
# In each cell of the first of the 1 by 2 panels of the grid (with lines 1 wide between them), laid
# over the others: if it is background, it takes the colour at its place in the second panel
# mirrored left to right; else it stays.
def solve_e3497940(I):
    O = cell_tree(I, (PANELS, 1, 2, 1), (IF, IS_BACKGROUND, EQUALS, 1, (COPY, (PANEL_MIRRORED, SECOND, LEFT_TO_RIGHT)), KEEP))
    return O


# e40b9e2f: repair, class 2; 3 demos; 30023 units
# Complete the input where it is black, by its turns by a quarter.
def solve_e40b9e2f(I):
    x1 = shape(I)
    O = repaired(I, 0, QUARTER_TURNS, x1)
    return O


# e50d258f: cutout, class 3; 3 demos; 17794 units
# Cut out the part of one colour (joined over corners too) with the greatest number of red cells.
def solve_e50d258f(I):
    O = cutout(I, (PARTS_DIAGONAL,), ((CELLS_OF, 2), MOST))
    return O


# e73095fd: draw, class 20; 3 demos; 71504 units
# For each region of background whose number of parts that begin left of it is 9: draw its cells, in
# yellow. For each region of background whose width is not 11 of the input: draw the other cells of
# its box, grown by 1, in yellow, on background only.
def solve_e73095fd(I):
    x1 = draw(I, I, (REGIONS, ((COLUMN_RANK, EQUALS, 9),)), (CELLS, (IN_COLOR, 4)))
    O = draw(x1, I, (REGIONS, ((WIDTH, EQUALS, 11, NOT),)), ((BOX, 1, REST), (IN_COLOR, 4), UNDER))
    return O


# e76a88a6: patterns, class 2; 2 demos; 1175 units
# Take each thing of any colours (joined over corners too): each one of several colours is a
# template, to be put over each other one of its shape.
def solve_e76a88a6(I):
    O = complete_templates(I, (THINGS_DIAGONAL, OVER_SAME_SHAPE))
    return O


# e8593010: draw, class 5; 3 demos; 35673 units
# For each part of one colour: draw its cells, in the colour for its number of cells (green for 1,
# blue for 3, red for 2).
def solve_e8593010(I):
    O = draw(I, I, (PARTS,), (CELLS, (BY_TABLE, SIZE, ((1, 3), (3, 1), (2, 2)))))
    return O


# e9614598: lines, class 12; 2 demos; 240 units
# Fill the free cells in the box around the four cells diagonal to the middle of each of the colour
# groups of the input but for the background with green.
def solve_e9614598(I):
    x1 = compose(ineighbors, center)
    x2 = fgpartition(I)
    x3 = mapply(x1, x2)
    x4 = delta(x3)
    O = fill(I, THREE, x4)
    return O


# e98196ab: trees, class 14; 3 demos; 7951 units
# In each cell of the first of the 2 by 1 panels of the grid (with lines 1 wide between them), laid
# over the others: it takes the colour at its place in the first panel that has something there.
def solve_e98196ab(I):
    O = cell_tree(I, (PANELS, 2, 1, 1), (COPY, PANELS_FIRST))
    return O


# e9afcf9a: draw, class 0; 2 demos; 4160 units
# For each patch of one colour (background too): draw rays down to the left that are thrown back by
# the borders, in its own colour.
def solve_e9afcf9a(I):
    O = draw(I, I, (PATCHES,), ((BOUNCE, {SOUTHWEST}), OWN_COLOR))
    return O


# ea32f347: draw, class 3; 4 demos; 8351 units
# For each part of one colour: draw its cells, in the colour for its number of larger parts (blue
# for 0, yellow for 1, red for 2).
def solve_ea32f347(I):
    O = draw(I, I, (PARTS,), (CELLS, (BY_TABLE, SIZE_RANK, ((0, 1), (1, 4), (2, 2)))))
    return O


# ea786f4a: draw, class 0; 3 demos; 4664 units
# For each part of one colour: draw rays in all four diagonal directions from each of its cells, to
# the border, in its own colour.
def solve_ea786f4a(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}), OWN_COLOR))
    return O


# eb281b96: bank, class 3; 2 demos; 7785 units
# Let A be the input with its colours brought to their normal form (black first, then those with, in
# turn, the farthest reach down to the right). Let B be the height of A times 4 plus minus 3 by the
# width of A. Start with a blank grid of B. Lay a given pattern of 13 by 17 scaled to B on it. Bring
# the colours back from their normal form.
def solve_eb281b96(I):
    x1 = normal_colors(I, I, ({0}, ((FARTHEST, SOUTHEAST),)), TO_NORMAL)
    x2 = image(x1)
    x3 = image_grid(x2)
    x4 = height(x3)
    x5 = multiply(x4, FOUR)
    x6 = add(x5, -3)
    x7 = width(x3)
    x8 = astuple(x6, x7)
    x9 = image_blank(x8)
    x10 = image(((0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), (0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)))
    x11 = image_fit(x10, x8, RESIZED)
    x12 = image_lay(x9, x11, ON_TOP)
    x13 = image_grid(x12)
    O = normal_colors(x13, I, ({0}, ((FARTHEST, SOUTHEAST),)), FROM_NORMAL)
    return O


# eb5a1d5d: trees, class 14; 3 demos; 20271 units
# In each cell of the grid without the rows and columns that repeat the one before: it stays.
def solve_eb5a1d5d(I):
    O = cell_tree(I, (CUT_OUT, WITHOUT_REPEATED_LINES), KEEP)
    return O


# ec883f72: draw, class 4; 4 demos; 7313 units
# For each part of one colour: draw rays in all four diagonal directions from the corners of its
# box, to the border, if nothing is in the way, in the colour of the nearest other part.
def solve_ec883f72(I):
    O = draw(I, I, (PARTS,), ((RAY, {NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST}, FROM_CORNERS, ONLY_TO_WALL), COLOR_OF_NEAREST))
    return O


# ed36ccf7: lines, class 1; 4 demos; 12 units
# Turn the input left by a quarter.
def solve_ed36ccf7(I):
    O = rot270(I)
    return O


# ef135b50: draw, class 4; 3 demos; 12624 units
# For each part of one colour without the greatest bottom row: draw rays to the left and to the
# right from each of its cells, to the next thing, if there is one, in maroon.
def solve_ef135b50(I):
    O = draw(I, I, (PARTS, ((BOTTOM, MOST, NOT),)), ((RAY, {EAST, WEST}, FROM_CELLS, ONLY_TO_THING), (IN_COLOR, 9)))
    return O


# f25fbde4: lines, class 0; 3 demos; 133 units
# Take the rows and columns of one colour out of the input. Enlarge the result by a factor of 2.
def solve_f25fbde4(I):
    x1 = compress(I)
    O = upscale(x1, TWO)
    return O


# f25ffba3: draw, class 0; 2 demos; 8760 units
# For each part of one colour: draw a copy of it where it would lie in the grid mirrored top to
# bottom, in its own colour.
def solve_f25ffba3(I):
    O = draw(I, I, (PARTS,), ((REFLECT, UPSIDE_DOWN), OWN_COLOR))
    return O


# f2829549: trees, class 14; 5 demos; 4681 units
# In each cell of the first of the 1 by 2 panels of the grid (with lines 1 wide between them), laid
# over the others: if at least 1 of the panels have something at its place, it becomes black; else
# it becomes green.
def solve_f2829549(I):
    O = cell_tree(I, (PANELS, 1, 2, 1), (IF, PANELS_FULL, AT_LEAST, 1, 0, 3))
    return O


# f5b8619d: trees, class 16; 3 demos; 17524 units
# In each cell of the grid repeated (down: 2, across: 2): if exactly 2 of the cells in its column
# are foreground, (if at least 2 of its neighbours have its colour, it becomes cyan; else it stays);
# else it stays.
def solve_f5b8619d(I):
    O = cell_tree(I, (REPEATED, 2, 2), (IF, COLUMN_FOREGROUND, EQUALS, 2, (IF, (NEIGHBORS, ALIKE), AT_LEAST, 2, 8, KEEP), KEEP))
    return O


# f76d97a5: trees, class 5; 3 demos; 6792 units
# In each cell of the grid: if it is not background, and at least 6 of the cells of the grid have
# its colour, it takes the background's colour; else if the colour that it sees looking in two
# opposite directions is yellow, it becomes yellow; else it becomes black.
def solve_f76d97a5(I):
    O = cell_tree(I, SAME_GRID, (IF, FOREGROUND_ALIKE, AT_LEAST, 6, (COPY, GROUND_COLOR), (IF, (BETWEEN, ANYHOW), EQUALS, 4, 4, 0)))
    return O


# f8b3ba0a: cutout, class 8; 4 demos; 29643 units
# Cut out each set of all cells of one colour, as one cell of its commonest colour, by number of
# cells that are not background, the greatest first, of those whose number of larger parts is not 0,
# and put them in a column.
def solve_f8b3ba0a(I):
    O = cutouts(I, (COLORS, AS_DOT), (FILLED_CELLS, MOST_FIRST, WITHOUT, SIZE_RANK, 0), IN_COLUMN)
    return O


# f8ff0b80: cutout, class 13; 3 demos; 7973 units
# Cut out each part of one colour (joined over corners too), as one cell of its commonest colour, by
# number of cells that are not background, the greatest first, and put them in a column.
def solve_f8ff0b80(I):
    O = cutouts(I, (PARTS_DIAGONAL, AS_DOT), (FILLED_CELLS, MOST_FIRST), IN_COLUMN)
    return O


# f9012d9b: repair, class 8; 3 demos; 14763 units
# Complete the input where it is black, by its periods down and across. Cut out the box of the black
# cells of the input.
def solve_f9012d9b(I):
    x1 = ofcolor(I, ZERO)
    x2 = shape(I)
    x3 = repaired(I, 0, PERIODS, x2)
    O = subgrid(x1, x3)
    return O


# fafffa47: cutout, class 23; 5 demos; 1767 units
# Lay each square tile on the others, by how many of them are not background there: red for 0, black
# for 2, black for 1.
def solve_fafffa47(I):
    O = overlaid(I, SQUARE_TILES, BY_HOW_MANY, ((0, 2), (2, 0), (1, 0)))
    return O


# fcb5c309: trees, class 14; 3 demos; 15276 units
# In each cell of the box of the largest part of one colour (joined over corners too): if it is
# background, it stays; else it takes the rarest colour of the grid but the background.
def solve_fcb5c309(I):
    O = cell_tree(I, (CUT_OUT, LARGEST_PART), (IF, IS_BACKGROUND, EQUALS, 1, KEEP, (COPY, RAREST_COLOR)))
    return O


# feca6190: bank, class 18; 5 demos; 5523 units
# Let A be the input with its colours brought to their normal form (black first, then those with, in
# turn, the farthest reach to the left, being cyan, the farthest reach down to the right). Let B be
# a square as long as the number of cells of A. Let C be the height of B times 5 by the width of B
# times 5. Start with a blank grid of C. Lay A cut off or padded to C turned right with its cells
# drawn out down to the left on it. Bring the colours back from their normal form.
def solve_feca6190(I):
    x1 = normal_colors(I, I, ({0}, ((FARTHEST, WEST), (BEING, 8), (FARTHEST, SOUTHEAST))), TO_NORMAL)
    x2 = image(x1)
    x3 = image_count(x2, COUNT_CELLS)
    x4 = image_grid(x3)
    x5 = height(x4)
    x6 = multiply(x5, FIVE)
    x7 = width(x4)
    x8 = multiply(x7, FIVE)
    x9 = astuple(x6, x8)
    x10 = image_blank(x9)
    x11 = image_fit(x2, x9, CROPPED_OR_PADDED)
    x12 = image_rigid(x11, TURNED_RIGHT)
    x13 = image_smear(x12, SOUTHWEST)
    x14 = image_lay(x10, x13, ON_TOP)
    x15 = image_grid(x14)
    O = normal_colors(x15, I, ({0}, ((FARTHEST, WEST), (BEING, 8), (FARTHEST, SOUTHEAST))), FROM_NORMAL)
    return O


# ff28f65a: cutout, class 22; 8 demos; 4449 units
# The output is one of 5 given values, by the number of cells that are not background of the whole
# grid of the input.
def solve_ff28f65a(I):
    x1 = measure(I, WHOLE, FILLED_CELLS, GREATEST)
    O = lookup(x1, ((4, ((1, 0, 0), (0, 0, 0), (0, 0, 0))), (8, ((1, 0, 1), (0, 0, 0), (0, 0, 0))), (12, ((1, 0, 1), (0, 1, 0), (0, 0, 0))), (16, ((1, 0, 1), (0, 1, 0), (1, 0, 0))), (20, ((1, 0, 1), (0, 1, 0), (1, 0, 1)))), ZERO)
    return O


# ff805c23: lines, class 2; 3 demos; 459 units
# Mirror the input upside down. Cut out the box of the blue cells of the input. Replace blue by
# pink.
def solve_ff805c23(I):
    x1 = ofcolor(I, ONE)
    x2 = hmirror(I)
    x3 = subgrid(x1, x2)
    O = replace(x3, ONE, SIX)
    return O
