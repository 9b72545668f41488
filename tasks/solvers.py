from dsl import *
from constants import *


# A cell of a wing stays only if the other wing has the same colour at the mirrored place.
def solve_butterfly(I):
    x1 = lefthalf(I)
    x2 = righthalf(I)
    x3 = vmirror(x2)
    x4 = cellwise(x1, x3, ZERO)
    x5 = vmirror(x4)
    x6 = width(I)
    x7 = halve(x6)
    x8 = tojvec(x7)
    x9 = height(I)
    x10 = astuple(x9, ONE)
    x11 = crop(I, x8, x10)
    x12 = hconcat(x4, x11)
    O = hconcat(x12, x5)
    return O


# Count the beads of each colour and draw one standing bar per colour, from short to tall.
def solve_bead_stairs(I):
    x1 = mostcolor(I)
    x2 = fgpartition(I)
    x3 = order(x2, size)
    x4 = apply(color, x3)
    x5 = apply(size, x3)
    x6 = papply(repeat, x4, x5)
    x7 = maximum(x5)
    x8 = lbind(subtract, x7)
    x9 = lbind(repeat, x1)
    x10 = chain(x9, x8, size)
    x11 = apply(x10, x3)
    x12 = papply(combine, x6, x11)
    O = rot270(x12)
    return O


# Each snail crawls straight to the grey wall and leaves a light blue trail behind it.
def solve_snail_race(I):
    x1 = objects(I, T, F, T)
    x2 = colorfilter(x1, FIVE)
    x3 = difference(x1, x2)
    x4 = ofcolor(I, FIVE)
    x5 = rbind(gravitate, x4)
    x6 = fork(shift, identity, x5)
    x7 = compose(ulcorner, x6)
    x8 = fork(connect, ulcorner, x7)
    x9 = mapply(x8, x3)
    x10 = fill(I, EIGHT, x9)
    x11 = mapply(x6, x3)
    O = paint(x10, x11)
    return O


# Closed gardens become green, and the largest one becomes a blue pond.
def solve_walled_gardens(I):
    x1 = objects(I, T, F, F)
    x2 = mostcolor(I)
    x3 = matcher(color, x2)
    x4 = rbind(bordering, I)
    x5 = compose(flip, x4)
    x6 = fork(both, x3, x5)
    x7 = sfilter(x1, x6)
    x8 = merge(x7)
    x9 = fill(I, THREE, x8)
    x10 = argmax(x7, size)
    O = fill(x9, ONE, x10)
    return O


# Continue the scrap of wallpaper in the corner until it covers the whole wall.
def solve_wallpaper(I):
    x1 = compress(I)
    x2 = asobject(x1)
    x3 = vperiod(x2)
    x4 = hperiod(x2)
    x5 = height(I)
    x6 = width(I)
    x7 = interval(ZERO, x5, x3)
    x8 = interval(ZERO, x6, x4)
    x9 = product(x7, x8)
    x10 = lbind(shift, x2)
    x11 = mapply(x10, x9)
    O = paint(I, x11)
    return O


# Every exact copy of the stamp in the corner gets the same frame that the stamp has.
def solve_framed_copies(I):
    x1 = crop(I, ORIGIN, THREE_BY_THREE)
    x2 = asobject(x1)
    x3 = occurrences(I, x2)
    x4 = asindices(x1)
    x5 = lbind(shift, x4)
    x6 = compose(outbox, x5)
    x7 = mapply(x6, x3)
    x8 = index(I, THREE_BY_THREE)
    O = fill(I, x8, x7)
    return O


# Three spoiled copies of one picture: each cell takes the colour that most copies have.
def solve_majority_vote(I):
    x1 = hsplit(I, THREE)
    x2 = lbind(lbind, index)
    x3 = apply(x2, x1)
    x4 = lbind(rapply, x3)
    x5 = compose(mostcommon, x4)
    x6 = fork(astuple, x5, identity)
    x7 = first(x1)
    x8 = asindices(x7)
    x9 = apply(x6, x8)
    O = paint(x7, x9)
    return O


# Cut out the one shape that has no twin, put it on a grey card and show it twice as large.
def solve_odd_one_out(I):
    x1 = objects(I, T, T, T)
    x2 = totuple(x1)
    x3 = compose(normalize, toindices)
    x4 = apply(x3, x2)
    x5 = leastcommon(x4)
    x6 = matcher(x3, x5)
    x7 = extract(x2, x6)
    x8 = delta(x7)
    x9 = fill(I, FIVE, x8)
    x10 = subgrid(x7, x9)
    O = upscale(x10, TWO)
    return O


# The top row lists colours from left to right for the grey shapes from small to large.
def solve_size_legend(I):
    x1 = first(I)
    x2 = dedupe(x1)
    x3 = objects(I, T, F, T)
    x4 = colorfilter(x3, FIVE)
    x5 = apply(size, x4)
    x6 = order(x5, identity)
    x7 = lbind(sizefilter, x4)
    x8 = compose(merge, x7)
    x9 = apply(x8, x6)
    x10 = mpapply(recolor, x2, x9)
    O = paint(I, x10)
    return O


# Road crossings turn yellow, and every city block gets a green ring inside its edge.
def solve_city_map(I):
    x1 = frontiers(I)
    x2 = sfilter(x1, hline)
    x3 = sfilter(x1, vline)
    x4 = prapply(intersection, x2, x3)
    x5 = merge(x4)
    x6 = fill(I, FOUR, x5)
    x7 = objects(I, T, F, F)
    x8 = colorfilter(x7, ZERO)
    x9 = mapply(inbox, x8)
    O = fill(x6, THREE, x9)
    return O


# The seesaw tips: the side with more cells goes down by one, the other side goes up by one.
def solve_seesaw(I):
    x1 = fgpartition(I)
    x2 = argmin(x1, leftmost)
    x3 = argmax(x1, rightmost)
    x4 = size(x2)
    x5 = size(x3)
    x6 = greater(x4, x5)
    x7 = branch(x6, DOWN, UP)
    x8 = invert(x7)
    x9 = move(I, x2, x7)
    O = move(x9, x3, x8)
    return O


# Take the picture out of its frame; blue frame: quarter turn, red: half turn, green: upside-down mirror.
def solve_turn_by_frame(I):
    x1 = index(I, ORIGIN)
    x2 = power(trim, TWO)
    x3 = x2(I)
    x4 = equality(x1, ONE)
    x5 = equality(x1, TWO)
    x6 = branch(x4, rot90, hmirror)
    x7 = branch(x5, rot180, x6)
    O = x7(x3)
    return O


# Wrap each block as a gift: a crossed ribbon and a bow in the colour of the single loose cell.
def solve_gift_wrap(I):
    x1 = objects(I, T, F, T)
    x2 = argmin(x1, size)
    x3 = color(x2)
    x4 = remove(x2, x1)
    x5 = compose(hfrontier, center)
    x6 = compose(vfrontier, center)
    x7 = fork(combine, x5, x6)
    x8 = fork(intersection, toindices, x7)
    x9 = mapply(x8, x4)
    x10 = fill(I, x3, x9)
    x11 = compose(last, center)
    x12 = fork(astuple, uppermost, x11)
    x13 = compose(ineighbors, x12)
    x14 = mapply(x13, x4)
    O = underfill(x10, x3, x14)
    return O


# Each gun fires a light blue ray from its red end to the edge, and its green end turns grey.
def solve_ray_guns(I):
    x1 = objects(I, F, T, T)
    x2 = matcher(first, TWO)
    x3 = rbind(extract, x2)
    x4 = compose(last, x3)
    x5 = matcher(first, THREE)
    x6 = rbind(extract, x5)
    x7 = compose(last, x6)
    x8 = fork(subtract, x4, x7)
    x9 = fork(add, x4, x8)
    x10 = fork(shoot, x9, x8)
    x11 = mapply(x10, x1)
    x12 = fill(I, EIGHT, x11)
    O = replace(x12, THREE, FIVE)
    return O
