// Walkers on their way; walker.h says what they are.
//
// A walker that comes into a cell in a direction in which it has been there before would go on for ever: it
// ends. So each takes eight steps for each cell of the grid at most, forks and all.
#include "walk/walker.h"

#include <assert.h>
#include <string.h>

enum {
    SOAKED = 1 << DIRECTIONS, // in `seen`, beside the directions
    BEGUN = SOAKED << 1,
    MOST_FORKS = 64,
    BESIDES = 2 * MOST_FORKS + 4, // cells that are coloured without a step: ends, and the beginning
    MOST_TURNS = 4,
    NO_HOME = -1
};

void walk_clear_habits(Walk *w) {
    memset(w->deeds, WALK_UNSET, sizeof w->deeds);
    memset(w->takes, 0, sizeof w->takes);
}

void walk_default_habits(Walk *w) {
    if (w->deeds[Met_BORDER] == WALK_UNSET) w->deeds[Met_BORDER] = Deed_STOPS;
    if (w->deeds[Met_ITS_TRAIL] == WALK_UNSET) w->deeds[Met_ITS_TRAIL] = Deed_GOES_OVER;
    if (w->deeds[Met_NEAR_TRAIL] == WALK_UNSET) w->deeds[Met_NEAR_TRAIL] = Deed_GOES_OVER;
}

// A quarter more to the right, or n quarters.
static int turned(int direction, int n) { return direction / 4 * 4 + (direction + n) % 4; }

// ---- Where walkers begin ----

typedef struct {
    const Scene *s;
    int part, h, w;
    WalkBegin *begins;
    int n;
} Beginning;

static bool own(const Beginning *b, int i, int j) {
    return i >= 0 && j >= 0 && i < b->h && j < b->w && b->s->parts.label[i * b->w + j] == b->part;
}

static void begin_at(Beginning *b, int i, int j, int d) {
    if (b->n == WALK_MOST_BEGINS || i < 0 || j < 0 || i >= b->h || j >= b->w) return;
    b->begins[b->n++] = (WalkBegin){i * b->w + j, d};
}

// Of the neighbours that belong to the part the direction of the only one; -1 where there is none or many.
static int only_neighbor(const Beginning *b, int i, int j) {
    int found = -1;
    for (int d = 0; d < DIRECTIONS; d++) {
        if (!own(b, i + direction_rows[d], j + direction_columns[d])) continue;
        if (found >= 0) return -1;
        found = d;
    }
    return found;
}

// Out of the part: from a tip on, else away from where the part lies behind.
static void begin_out(Beginning *b, int i, int j, bool through) {
    int only = only_neighbor(b, i, j), back = through ? 2 : 0;
    if (only >= 0) {
        begin_at(b, i, j, turned(only, 2 - back));
        return;
    }
    for (int d = 0; d < Direction_NORTHEAST; d++) {
        int di = direction_rows[d], dj = direction_columns[d];
        if (own(b, i - di, j - dj) && !own(b, i + di, j + dj)) begin_at(b, i, j, turned(d, back));
    }
}

// To the nearest thing that is seen from the cell, along a side rather than a corner.
static void begin_nearest(Beginning *b, int i, int j) {
    int best = -1, least = 0;
    const int8_t *cells = b->s->parts.grid.cells;
    for (int d = 0; d < DIRECTIONS; d++) {
        int di = direction_rows[d], dj = direction_columns[d], k = i + di, l = j + dj, far = 1;
        if (own(b, k, l)) continue;
        for (; k >= 0 && l >= 0 && k < b->h && l < b->w; k += di, l += dj, far++)
            if (cells[k * b->w + l] != b->s->parts.background) break;
        if (k < 0 || l < 0 || k >= b->h || l >= b->w || own(b, k, l) || (best >= 0 && far >= least)) continue;
        best = d;
        least = far;
    }
    if (best >= 0) begin_at(b, i, j, best);
}

static void begin_from_cell(Beginning *b, const Walk *w, int i, int j) {
    if (w->gait == Gait_FLOODING || w->heading == Heading_NOWHERE) {
        begin_at(b, i, j, Direction_NORTH); // all ways from there, or none
        return;
    }
    if (w->heading == Heading_OUT_OF_IT || w->heading == Heading_THROUGH_IT)
        begin_out(b, i, j, w->heading == Heading_THROUGH_IT);
    else if (w->heading == Heading_TO_NEAREST) begin_nearest(b, i, j);
    for (int d = 0; d < DIRECTIONS && w->heading < Heading_OUT_OF_IT; d++)
        if (w->heading >> d & 1 && !own(b, i + direction_rows[d], j + direction_columns[d]))
            begin_at(b, i, j, d);
}

// Out of the box, and where the gap ends aslant too.
static void begin_from_gap(Beginning *b, const Walk *w, int i, int j) {
    const Part *p = &b->s->parts.parts[b->part];
    for (int d = 0; d < Direction_NORTHEAST; d++) {
        int di = direction_rows[d], dj = direction_columns[d];
        if (box_holds(part_box(p), i + di, j + dj)) continue;
        begin_at(b, i, j, d);
        if (w->heading != Heading_FANNING_OUT) continue;
        if (own(b, i + direction_rows[(d + 1) % 4], j + direction_columns[(d + 1) % 4]))
            begin_at(b, i, j, Direction_NORTHEAST + d); // between this side and the next
        if (own(b, i + direction_rows[(d + 3) % 4], j + direction_columns[(d + 3) % 4]))
            begin_at(b, i, j, Direction_NORTHEAST + (d + 3) % 4);
    }
}

static void begin_from_cells(Beginning *b, const Walk *w) {
    const Part *p = &b->s->parts.parts[b->part];
    int rarest = w->from == WalkFrom_FROM_RAREST_CELLS ? drawing_rarest(b->s, b->part) : -1;
    if (rarest >= 0 && !(p->colors & (p->colors - 1))) return;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            if (!own(b, i, j) || (rarest >= 0 && b->s->parts.grid.cells[i * b->w + j] != rarest)) continue;
            if (w->from == WalkFrom_FROM_TIPS && only_neighbor(b, i, j) < 0) continue;
            begin_from_cell(b, w, i, j);
        }
}

// From the cells of its box that are not its own: all of them, or those of the frame, straight out.
static void begin_from_others(Beginning *b, const Walk *w) {
    const Part *p = &b->s->parts.parts[b->part];
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            if (own(b, i, j)) continue;
            if (w->from == WalkFrom_FROM_INSIDE || w->heading < Heading_OUT_OF_IT)
                begin_from_cell(b, w, i, j);
            else begin_from_gap(b, w, i, j);
        }
}

// From the side of the box that lies in the direction: its middle, or its ends.
static void begin_from_box(Beginning *b, int side, bool corners, int direction) {
    const Part *p = &b->s->parts.parts[b->part];
    int di = direction_rows[side], dj = direction_columns[side];
    int top = di > 0 ? p->bottom : p->top, bottom = di < 0 ? p->top : p->bottom;
    int left = dj > 0 ? p->right : p->left, right = dj < 0 ? p->left : p->right;
    if (!corners) {
        int i = top + bottom, j = left + right;
        top = i / 2, bottom = (i + 1) / 2, left = j / 2, right = (j + 1) / 2;
    }
    begin_at(b, top, left, direction);
    if (bottom != top || right != left) begin_at(b, bottom, right, direction);
}

int walk_begins(const Scene *s, int part, const Walk *w, WalkBegin *begins) {
    Beginning b = {s, part, s->parts.grid.height, s->parts.grid.width, begins, 0};
    bool of_box = w->from == WalkFrom_FROM_CENTER || w->from == WalkFrom_FROM_CORNERS;
    if (w->from == WalkFrom_FROM_GAPS || w->from == WalkFrom_FROM_INSIDE) begin_from_others(&b, w);
    else if (!of_box && w->from < WalkFrom_FROM_SIDE) begin_from_cells(&b, w);
    else if (w->heading < Heading_OUT_OF_IT)
        for (int d = 0; d < DIRECTIONS; d++)
            if (w->heading >> d & 1)
                begin_from_box(&b, of_box ? d : w->from - WalkFrom_FROM_SIDE,
                               w->from == WalkFrom_FROM_CORNERS, d);
    return b.n;
}

int walk_color(const Scene *s, int part, const Walk *w, WalkBegin begin) {
    bool its_own = w->paint.kind == Paint_OWN_COLOR && s->parts.label[begin.at] == part;
    return its_own ? s->parts.grid.cells[begin.at] : drawing_paint(s, part, &w->paint);
}

// ---- On the way ----

typedef struct {
    int i, j, direction;
    int home; // the direction to take again as soon as that way is free
    int color, steps;
    int turns; // since its last step
} Agent;

typedef struct {
    Walker *x;
    const int8_t *cells;
    int h, w, ground, own, first; // own: its colour; first: that of the cell where it began
    Agent *forks;                 // MOST_FORKS in all
    int fork_count;
} Way;

bool walker_init(Arena *a, Walker *x, int cells) {
    size_t n = (size_t)cells;
    *x = (Walker){.room = 9 * cells + BESIDES,
                  .at = arena_alloc(a, (9 * n + BESIDES) * sizeof *x->at),
                  .color = arena_alloc(a, 9 * n + BESIDES),
                  .seen = arena_alloc(a, n * sizeof *x->seen),
                  .queue = arena_alloc(a, n * sizeof *x->queue)};
    return x->at && x->color && x->seen && x->queue;
}

static bool within(const Way *y, int i, int j) { return i >= 0 && j >= 0 && i < y->h && j < y->w; }
static bool is_free(const Way *y, int i, int j) {
    return within(y, i, j) && y->cells[i * y->w + j] == y->ground;
}

static void color_cell(Way *y, int at, int color) {
    assert(y->x->n < y->x->room);
    y->x->at[y->x->n] = (uint16_t)at;
    y->x->color[y->x->n++] = (int8_t)color;
}

// Colours a cell that it comes into, if its rhythm has it.
static void color_step(Way *y, const Agent *g) {
    int rhythm = y->x->walk->rhythm, color = g->color;
    bool second = g->steps % 2 == 0;
    bool bare = y->cells[g->i * y->w + g->j] == y->ground;
    if (rhythm == Rhythm_END_ONLY || (rhythm == Rhythm_THINGS_ALONE && bare) ||
        (rhythm == Rhythm_DASHED && second) || (rhythm == Rhythm_DASHED_SECOND && !second))
        return;
    if (rhythm == Rhythm_OWN_EVERY_SECOND && second) color = y->first;
    if (rhythm >= Rhythm_ALTERNATING && second) color = rhythm - Rhythm_ALTERNATING;
    color_cell(y, g->i * y->w + g->j, color);
}

// What lies ahead at (i, j): a Met, or -1 where the way is free.
static int meets(const Way *y, const Agent *g, int i, int j) {
    if (!within(y, i, j)) return Met_BORDER;
    if (y->cells[i * y->w + j] != y->ground) return y->cells[i * y->w + j];
    if (y->x->seen[i * y->w + j]) return Met_ITS_TRAIL;
    i += direction_rows[g->direction];
    j += direction_columns[g->direction];
    return within(y, i, j) && y->x->seen[i * y->w + j] ? Met_NEAR_TRAIL : -1;
}

// The habit for what it meets: that for the colour itself goes before those for its own kind and for any
// thing. -1 where there is none; then x->met is the habit that it lacks.
static int habit_for(Way *y, int met) {
    Walker *x = y->x;
    const int8_t *deeds = x->walk->deeds;
    bool is_own = met == y->own;
    if (met < Met_BORDER) x->things |= 1U << met;
    if (deeds[met] != WALK_UNSET) return met;
    if (met < Met_BORDER && is_own && deeds[Met_OWN_KIND] != WALK_UNSET) return Met_OWN_KIND;
    if (met < Met_BORDER && deeds[Met_ANY_THING] != WALK_UNSET && !(is_own && x->eyes == EYES_OWN))
        return Met_ANY_THING;
    x->met = met;
    if (met < Met_BORDER && x->eyes != EYES_COLORS)
        x->met = is_own && x->eyes == EYES_OWN ? Met_OWN_KIND : Met_ANY_THING;
    return -1;
}

static void fork_off(Way *y, Agent g) {
    g.turns++;
    if (y->fork_count < MOST_FORKS) y->forks[y->fork_count++] = g;
}

// Goes a step. False where it has been there in this direction.
static bool step(Way *y, Agent *g, bool colors) {
    g->i += direction_rows[g->direction];
    g->j += direction_columns[g->direction];
    g->steps++;
    uint16_t *seen = &y->x->seen[g->i * y->w + g->j];
    if (*seen >> g->direction & 1) return false;
    *seen |= (uint16_t)(1 << g->direction);
    if (colors) color_step(y, g);
    int gait = y->x->walk->gait, right = gait < Gait_STAIRS_LEFT;
    int every = gait - (right ? Gait_STAIRS_RIGHT : Gait_STAIRS_LEFT);
    if (gait >= Gait_STAIRS_RIGHT && every > 0 && g->steps % every == 0)
        g->direction = turned(g->direction, right == (g->steps / every % 2 == 1) ? 1 : 3);
    return true;
}

// All cells of the colour at (i, j) that hang together.
static void soak(Way *y, int i, int j, int color) {
    Walker *x = y->x;
    int16_t *queue = x->queue;
    int first = 0, n = 0, of = y->cells[i * y->w + j];
    if (x->seen[i * y->w + j] & SOAKED) return;
    x->seen[i * y->w + j] |= SOAKED;
    for (queue[n++] = (int16_t)(i * y->w + j); first < n; first++) {
        color_cell(y, queue[first], color);
        for (int d = 0; d < Direction_NORTHEAST; d++) {
            int k = queue[first] / y->w + direction_rows[d], l = queue[first] % y->w + direction_columns[d];
            if (!within(y, k, l) || y->cells[k * y->w + l] != of || x->seen[k * y->w + l] & SOAKED) continue;
            x->seen[k * y->w + l] |= SOAKED;
            queue[n++] = (int16_t)(k * y->w + l);
        }
    }
    x->steps += 20 * n;
}

// Thrown back: as a ball by a wall.
static void reflect(const Way *y, Agent *g) {
    int di = direction_rows[g->direction], dj = direction_columns[g->direction];
    bool rows = !is_free(y, g->i + di, g->j), columns = !is_free(y, g->i, g->j + dj);
    if (g->direction < Direction_NORTHEAST || rows == columns) {
        g->direction = turned(g->direction, 2);
        return;
    }
    if (rows) di = -di;
    else dj = -dj;
    for (int d = Direction_NORTHEAST; d < DIRECTIONS; d++)
        if (direction_rows[d] == di && direction_columns[d] == dj) g->direction = d;
}

static void wrap(const Way *y, Agent *g) {
    int di = direction_rows[g->direction], dj = direction_columns[g->direction];
    if (!within(y, g->i + di, 0)) g->i = di > 0 ? -1 : y->h;
    if (!within(y, 0, g->j + dj)) g->j = dj > 0 ? -1 : y->w;
}

// To the left (3) or right (1) of its way, and back.
static bool come_back(Way *y, Agent *g, int side) {
    int back = turned(g->direction, 2);
    g->direction = turned(g->direction, side);
    if (!is_free(y, g->i + direction_rows[g->direction], g->j + direction_columns[g->direction]))
        return false;
    bool goes = step(y, g, true);
    g->direction = back;
    return goes;
}

typedef enum { GOES, TURNED, ENDS, GONE } Then;

// Does what the habit says at a cell (i, j) that is in the way.
static Then act(Way *y, Agent *g, int habit, int i, int j) {
    int d = g->direction, deed = y->x->walk->deeds[habit];
    bool inside = within(y, i, j);
    int met = inside ? y->cells[i * y->w + j] : g->color;
    if (y->x->walk->takes[habit] && inside) g->color = met;
    switch (deed) {
    case Deed_GOES_OVER: return inside && step(y, g, true) ? GOES : ENDS;
    case Deed_GOES_UNDER: return inside && step(y, g, false) ? GOES : ENDS;
    case Deed_TURNS_LEFT: g->direction = turned(d, 3); return TURNED;
    case Deed_TURNS_RIGHT: g->direction = turned(d, 1); return TURNED;
    case Deed_IS_REFLECTED: reflect(y, g); return TURNED;
    case Deed_PASSES_BOTH:
    case Deed_FORKS: {
        Agent other = *g;
        if (deed == Deed_PASSES_BOTH) g->home = other.home = d;
        other.direction = turned(d, 3);
        fork_off(y, other);
        g->direction = turned(d, 1);
        return TURNED;
    }
    case Deed_PASSES_LEFT:
    case Deed_PASSES_RIGHT:
        if (g->home == NO_HOME) g->home = d;
        g->direction = turned(d, deed == Deed_PASSES_LEFT ? 3 : 1);
        return TURNED;
    case Deed_HITS:
        if (inside) color_cell(y, i * y->w + j, g->color);
        return ENDS;
    case Deed_SOAKS:
        if (inside) soak(y, i, j, g->color);
        return inside && step(y, g, false) ? GOES : ENDS;
    case Deed_TURNS_FREE: {
        int left = turned(d, 3), right = turned(d, 1);
        bool free_left = is_free(y, g->i + direction_rows[left], g->j + direction_columns[left]);
        bool free_right = is_free(y, g->i + direction_rows[right], g->j + direction_columns[right]);
        if (free_left == free_right) return ENDS;
        g->direction = free_left ? left : right;
        return TURNED;
    }
    case Deed_COMES_BACK_LEFT: return come_back(y, g, 3) ? GOES : ENDS;
    case Deed_COMES_BACK_RIGHT: return come_back(y, g, 1) ? GOES : ENDS;
    case Deed_WRAPS:
        if (inside) return ENDS;
        wrap(y, g);
        return TURNED;
    case Deed_VANISHES: return GONE;
    default: return ENDS;
    }
}

static WalkEnd go_way(Way *y, Agent g) {
    for (;;) {
        y->x->steps += 9;
        if (g.home != NO_HOME && g.turns == 0 &&
            is_free(y, g.i + direction_rows[g.home], g.j + direction_columns[g.home])) {
            g.direction = g.home;
            g.home = NO_HOME;
        }
        int i = g.i + direction_rows[g.direction], j = g.j + direction_columns[g.direction];
        int met = meets(y, &g, i, j);
        Then then = GOES;
        if (met < 0) then = step(y, &g, true) ? GOES : ENDS;
        else {
            int habit = habit_for(y, met);
            if (habit < 0) {
                y->x->ahead = within(y, i, j) ? i * y->w + j : -1;
                y->x->facing = g.direction;
                return WALK_PUZZLED;
            }
            then = act(y, &g, habit, i, j);
        }
        if (then == GONE) return WALK_VANISHED;
        g.turns = then == GOES ? 0 : g.turns + 1;
        if (then == ENDS || g.turns > MOST_TURNS) {
            if (y->x->walk->rhythm == Rhythm_END_ONLY && g.steps && within(y, g.i, g.j))
                color_cell(y, g.i * y->w + g.j, g.color);
            return WALK_ENDED;
        }
    }
}

// All cells that can be reached, those nearest first. What is in the way ends it or is gone over.
static WalkEnd flood(Way *y, int at, int color) {
    Walker *x = y->x;
    int first = 0, n = 0, last = 0, steps = 0;
    int ways = x->walk->heading < Heading_OUT_OF_IT ? x->walk->heading : 0xF;
    for (x->queue[n++] = (int16_t)at, last = n; first < n; first++) {
        if (first == last) last = n, steps++;
        for (int d = 0; d < DIRECTIONS; d++) {
            int i = x->queue[first] / y->w + direction_rows[d],
                j = x->queue[first] % y->w + direction_columns[d];
            if (!(ways >> d & 1) || !within(y, i, j) || x->seen[i * y->w + j]) continue;
            Agent g = {i, j, d, NO_HOME, color, steps + 1, 0};
            int met = y->cells[i * y->w + j], habit = met == y->ground ? -1 : habit_for(y, met);
            x->ahead = i * y->w + j;
            x->facing = d;
            if (met != y->ground && habit < 0) return WALK_PUZZLED;
            int deed = habit < 0 ? Deed_GOES_OVER : x->walk->deeds[habit];
            if (deed == Deed_VANISHES) return WALK_VANISHED;
            if (deed == Deed_HITS) color_cell(y, i * y->w + j, color);
            if (deed != Deed_GOES_OVER && deed != Deed_GOES_UNDER) continue;
            x->seen[i * y->w + j] = BEGUN;
            if (deed == Deed_GOES_OVER) color_step(y, &g);
            x->queue[n++] = (int16_t)(i * y->w + j);
        }
        x->steps += 30;
    }
    return WALK_ENDED;
}

WalkEnd walker_go(Walker *x, WalkBegin begin, int color) {
    Agent forks[MOST_FORKS];
    const Parts *p = &x->scene->parts;
    Way y = {.x = x,
             .cells = p->grid.cells,
             .h = p->grid.height,
             .w = p->grid.width,
             .ground = p->background,
             .own = color,
             .first = p->grid.cells[begin.at],
             .forks = forks};
    int cells = y.h * y.w, part = p->label[begin.at];
    memset(x->seen, 0, (size_t)cells * sizeof *x->seen);
    x->n = 0;
    x->steps += 40 + cells / 20;
    x->seen[begin.at] = BEGUN;
    if (x->walk->colors_start || x->walk->heading == Heading_NOWHERE) color_cell(&y, begin.at, color);
    if (x->walk->heading == Heading_NOWHERE) return WALK_ENDED;
    if (x->walk->gait == Gait_FLOODING) return flood(&y, begin.at, color);
    Agent g = {begin.at / y.w, begin.at % y.w, begin.direction, NO_HOME, color, 0, 0};
    for (;;) { // through its own part it goes unseen
        int i = g.i + direction_rows[g.direction], j = g.j + direction_columns[g.direction];
        if (part < 0 || !within(&y, i, j) || p->label[i * y.w + j] != part ||
            y.cells[i * y.w + j] == y.ground)
            break;
        g.i = i, g.j = j;
    }
    WalkEnd end = go_way(&y, g);
    for (int k = 0; k < y.fork_count && end == WALK_ENDED; k++) end = go_way(&y, y.forks[k]);
    return end;
}
