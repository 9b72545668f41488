def a(I):
    x1 = draw(I, I, (REGIONS, ((AT_BORDER, EQUALS, 0),)), (CELLS, (BY_TABLE, IS_RECTANGLE, ((1, 3), (0, 1)))))
    x2 = shift_parts(x1, (PARTS, ((COLOR, EQUALS, 2), (SIZE, MOST))), (SLIDE, SOUTH), OWN_COLOR)
    return cell_tree(x2, SAME_GRID, (IF, (PART, REGIONS, DEPTH_IN_BOX), EQUALS, 1, 3, KEEP))
