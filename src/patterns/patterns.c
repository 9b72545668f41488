// Templates, patterns and places; patterns.h says what there is.
//
// All of it tries places one after the other and gives a place up at the first cell that contradicts it: a
// place costs a few cells. What would take too long, such as a hundred templates over four hundred parts, is
// given up.
#include "patterns/patterns.h"

#include <assert.h>
#include <string.h>

#include "grid/grid.h"
#include "parts/selector.h"

#define TAKE_FROM(arena, type, n) ((type *)arena_alloc(arena, (size_t)(n) * sizeof(type)))

// Where there is no rule, the work that this took.
static int64_t no_rule(int64_t work) { return -1 - work; }

// ---- Templates ----

enum { WORK_MOST = 4000000 }; // a rule that takes more is given up
enum { SHAPE_MOST = 1600, SCALE_MOST = 4, TEMPLATES_AT_ONCE = 32 };

typedef struct {
    int8_t row, column, color;
} ShapeCell;

// A part, turned and scaled, from the upper left of its box.
typedef struct {
    int n, height, width;
    ShapeCell *cells; // SHAPE_MOST of them
} Stencil;

typedef struct {
    ts_grid grid;
    Parts parts;
    const Completion *rule;
    bool template[SELECTOR_PARTS], used[SELECTOR_PARTS];
    int current;        // the template that the shape is of
    unsigned elsewhere; // colours of the parts that are no templates
    Stencil shape;
    int8_t *out, *stamped; // stamped: whether a shape was put there
    int64_t work;
} Board;

typedef struct {
    int matched, clear, outside; // cells: there already, on background, beyond the grid
} Fit;

static bool shape_of(Board *b, int part, int symmetry, int scale) {
    const Part *p = &b->parts.parts[part];
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1;
    Stencil *s = &b->shape;
    b->current = part;
    if (p->size * scale * scale > SHAPE_MOST || h * scale > GRID_MOST_SIDE || w * scale > GRID_MOST_SIDE)
        return false;
    bool aside = symmetry_exchanges(symmetry);
    s->n = 0;
    s->height = (aside ? w : h) * scale;
    s->width = (aside ? h : w) * scale;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int at = (p->top + i) * b->grid.width + p->left + j;
            if (b->parts.label[at] != part) continue;
            int k, l;
            symmetry_cell(symmetry, h, w, i, j, &k, &l);
            for (int y = 0; y < scale; y++)
                for (int x = 0; x < scale; x++)
                    s->cells[s->n++] =
                        (ShapeCell){(int8_t)(k * scale + y), (int8_t)(l * scale + x), b->grid.cells[at]};
        }
    b->work += 4 * s->n;
    return true;
}

// How the shape fits there; false where it contradicts what is there.
static bool fits_at(Board *b, int top, int left, Fit *fit) {
    *fit = (Fit){0};
    for (int n = 0; n < b->shape.n; n++) {
        ShapeCell c = b->shape.cells[n];
        int i = top + c.row, j = left + c.column;
        b->work++;
        if (i < 0 || j < 0 || i >= b->grid.height || j >= b->grid.width) {
            fit->outside++;
            continue;
        }
        int there = b->grid.cells[i * b->grid.width + j];
        if (there == c.color) fit->matched++;
        else if (there == b->parts.background) fit->clear++;
        else return false;
    }
    return true;
}

static void stamp(Board *b, int top, int left, int from, int to) {
    for (int n = 0; n < b->shape.n; n++) {
        ShapeCell c = b->shape.cells[n];
        int i = top + c.row, j = left + c.column;
        if (i < 0 || j < 0 || i >= b->grid.height || j >= b->grid.width) continue;
        b->out[i * b->grid.width + j] = (int8_t)(c.color == from ? to : c.color);
        b->stamped[i * b->grid.width + j] = 1;
    }
    b->used[b->current] = true;
    b->work += 2 * b->shape.n;
}

// Whether all cells of the colours that are elsewhere are there, and only these, and no other turn was put
// there.
static bool anchored_at(Board *b, int top, int left) {
    bool new = false;
    for (int n = 0; n < b->shape.n; n++) {
        ShapeCell c = b->shape.cells[n];
        int i = top + c.row, j = left + c.column, at = i * b->grid.width + j;
        bool anchor = b->elsewhere >> c.color & 1;
        b->work++;
        if (i < 0 || j < 0 || i >= b->grid.height || j >= b->grid.width) {
            if (anchor) return false;
            continue;
        }
        if (b->grid.cells[at] != (anchor ? c.color : b->parts.background) || (anchor && b->stamped[at]))
            return false;
        if (!anchor && b->out[at] != b->parts.background && b->out[at] != c.color) return false;
        new |= !anchor;
    }
    return new;
}

// Whether no cell of the parts that the shape touches lies outside of it.
static bool holds_whole_parts(Board *b, int top, int left) {
    for (int n = 0; n < b->shape.n; n++) {
        ShapeCell c = b->shape.cells[n];
        int i = top + c.row, j = left + c.column, w = b->grid.width;
        if (i < 0 || j < 0 || i >= b->grid.height || j >= w) continue;
        int part = b->parts.label[i * w + j], held = 0;
        if (part < 0) continue;
        for (int m = 0; m < b->shape.n; m++) {
            int k = top + b->shape.cells[m].row, l = left + b->shape.cells[m].column;
            held += k >= 0 && l >= 0 && k < b->grid.height && l < w && b->parts.label[k * w + l] == part;
        }
        b->work += 2 * b->shape.n;
        if (held < b->parts.parts[part].size) return false;
    }
    return true;
}

static void complete_colors(Board *b) {
    int anchor = 0;
    while (anchor < b->shape.n && !(b->elsewhere >> b->shape.cells[anchor].color & 1)) anchor++;
    if (anchor == b->shape.n) return;
    ShapeCell first = b->shape.cells[anchor];
    for (int at = 0; at < b->grid.height * b->grid.width && b->work < WORK_MOST; at++) {
        if (b->grid.cells[at] != first.color || b->template[b->parts.label[at]]) continue;
        int top = at / b->grid.width - first.row, left = at % b->grid.width - first.column;
        if (!anchored_at(b, top, left)) continue;
        if (!(b->rule->flags & TEMPLATE_SCALED) || holds_whole_parts(b, top, left))
            stamp(b, top, left, -1, -1);
    }
}

static void complete_middles(Board *b) {
    int counts[10] = {0};
    for (int n = 0; n < b->shape.n; n++) counts[b->shape.cells[n].color]++;
    int most = colors_by_count(counts, -1, false);
    for (int k = 0; k < b->parts.count; k++) {
        const Part *p = &b->parts.parts[k];
        if (b->template[k] || p->size != 1) continue;
        stamp(b, p->top - b->shape.height / 2, p->left - b->shape.width / 2,
              b->rule->flags & TEMPLATE_TINTED ? most : -1, p->color);
    }
}

// Puts the shape over each part that has it and was not yet replaced.
static void complete_shapes(Board *b, bool *done) {
    for (int k = 0; k < b->parts.count && b->work < WORK_MOST; k++) {
        const Part *p = &b->parts.parts[k];
        if (b->template[k] || done[k] || p->size != b->shape.n || p->bottom - p->top + 1 != b->shape.height ||
            p->right - p->left + 1 != b->shape.width)
            continue;
        bool same = true;
        for (int n = 0; n < b->shape.n && same; n++) {
            int i = p->top + b->shape.cells[n].row, j = p->left + b->shape.cells[n].column;
            same = b->parts.label[i * b->grid.width + j] == k;
        }
        b->work += b->shape.n;
        if (same) stamp(b, p->top, p->left, -1, -1);
        done[k] = same;
    }
}

typedef struct {
    int template, symmetry, scale, top, left, score;
} Placement;

// Tries the shape on a part: each of its cells on the part's first one.
static void try_on_part(Board *b, int part, Placement place, Placement *best) {
    const Part *p = &b->parts.parts[part];
    int w = b->grid.width;
    for (int n = 0; n < b->shape.n && b->work < WORK_MOST; n++) {
        ShapeCell c = b->shape.cells[n];
        Fit fit;
        place.top = p->first / w - c.row;
        place.left = p->first % w - c.column;
        b->work++;
        if (c.color != b->grid.cells[p->first] || !fits_at(b, place.top, place.left, &fit)) continue;
        if (fit.matched < p->size || !fit.clear) continue;
        int held = 0;
        for (int m = 0; m < b->shape.n; m++) {
            int i = place.top + b->shape.cells[m].row, j = place.left + b->shape.cells[m].column;
            if (i >= 0 && j >= 0 && i < b->grid.height && j < w) held += b->parts.label[i * w + j] == part;
        }
        place.score = fit.matched * 1000 - fit.outside;
        if (held == p->size && place.score > best->score) *best = place;
    }
}

static void complete_parts(Board *b, int motions, int scales) {
    for (int k = 0; k < b->parts.count; k++) {
        Placement best = {.score = -1};
        if (b->template[k]) continue;
        for (int t = 0; t < b->parts.count; t++)
            for (int scale = 1; b->template[t] && scale <= scales; scale++)
                for (int m = 0; m < motions && b->work < WORK_MOST; m++)
                    if (shape_of(b, t, symmetry_by_steps[m], scale))
                        try_on_part(
                            b, k,
                            (Placement){.template = t, .symmetry = symmetry_by_steps[m], .scale = scale},
                            &best);
        if (best.score < 0 || !shape_of(b, best.template, best.symmetry, best.scale)) continue;
        stamp(b, best.top, best.left, -1, -1);
    }
}

// Marks the templates. False where there are none, or nothing else.
static bool pick_templates(Board *b) {
    int best = -1, picked = 0;
    for (int k = 0; k < b->parts.count; k++) {
        const Part *p = &b->parts.parts[k], *q = best < 0 ? NULL : &b->parts.parts[best];
        int colors = __builtin_popcount(p->colors), most = q ? __builtin_popcount(q->colors) : 0;
        b->template[k] =
            b->rule->pick == TemplatePick_MANY_COLORED && colors > 1 && picked < TEMPLATES_AT_ONCE;
        picked += b->template[k];
        if (!q || (b->rule->pick == TemplatePick_MOST_COLORFUL && colors > most) ||
            ((b->rule->pick == TemplatePick_LARGEST || colors == most) && p->size > q->size))
            best = k;
    }
    if (b->rule->pick != TemplatePick_MANY_COLORED && best >= 0 && b->parts.parts[best].size > 1) {
        b->template[best] = true;
        picked = 1;
    }
    for (int k = 0; k < b->parts.count; k++)
        if (!b->template[k]) b->elsewhere |= b->parts.parts[k].colors;
    return picked && picked < b->parts.count;
}

static void complete_all(Board *b) {
    int motions = b->rule->flags & TEMPLATE_TURNED ? SYMMETRIES : 1;
    int scales = b->rule->flags & TEMPLATE_SCALED ? SCALE_MOST : 1;
    bool done[SELECTOR_PARTS] = {0};
    if (b->rule->anchor == Completion_WHERE_PART_FITS) {
        complete_parts(b, motions, scales);
        return;
    }
    for (int t = 0; t < b->parts.count; t++)
        for (int scale = 1; b->template[t] && scale <= scales; scale++)
            for (int m = 0; m < motions && b->work < WORK_MOST; m++) {
                if (!shape_of(b, t, symmetry_by_steps[m], scale)) continue;
                if (b->rule->anchor == Completion_WHERE_MARKED) complete_colors(b);
                else if (b->rule->anchor == Completion_OVER_SAME_SHAPE) complete_shapes(b, done);
                else if (m == 0 && scale == 1) complete_middles(b);
            }
}

// Takes away the templates that were put elsewhere, but for what was put over them.
static void take_away(Board *b) {
    for (int n = 0; n < b->grid.height * b->grid.width; n++) {
        int part = b->parts.label[n];
        if (part >= 0 && b->used[part] && !b->stamped[n]) b->out[n] = (int8_t)b->parts.background;
    }
}

// Puts a colour where there is nothing yet.
static void put_on_ground(Board *b, int i, int j, int color) {
    b->work += 2;
    if (i < 0 || j < 0 || i >= b->grid.height || j >= b->grid.width) return;
    int8_t *at = &b->out[i * b->grid.width + j];
    if (*at == b->parts.background) *at = (int8_t)color;
}

static void mirror_about(Board *b) {
    int middle = 0, flags = b->rule->flags;
    for (int k = 1; k < b->parts.count; k++) {
        const Part *p = &b->parts.parts[k], *q = &b->parts.parts[middle];
        if (b->rule->pick == MirrorPick_LARGEST ? p->size > q->size
            : b->rule->pick == MirrorPick_MOST_COLORFUL
                ? __builtin_popcount(p->colors) > __builtin_popcount(q->colors)
                : p->size < q->size)
            middle = k;
    }
    // All places are doubled, so that the middle may lie between cells.
    int row = b->parts.parts[middle].top + b->parts.parts[middle].bottom;
    int column = b->parts.parts[middle].left + b->parts.parts[middle].right;
    for (int n = 0; n < b->grid.height * b->grid.width; n++) {
        int i = n / b->grid.width, j = n % b->grid.width, color = b->grid.cells[n];
        if (color == b->parts.background) continue;
        if (!(flags & MIRROR_NOT_DOWN)) put_on_ground(b, row - i, j, color);
        if (!(flags & MIRROR_NOT_ACROSS)) put_on_ground(b, i, column - j, color);
        if (!(flags & (MIRROR_NOT_DOWN | MIRROR_NOT_ACROSS))) put_on_ground(b, row - i, column - j, color);
        for (int way = 0; way < 4 && flags & MIRROR_DIAGONALS; way++) {
            int di = way & 1 ? 2 * j - column : column - 2 * j, dj = way & 2 ? 2 * i - row : row - 2 * i;
            if ((row + di) % 2 == 0 && (column + dj) % 2 == 0)
                put_on_ground(b, (row + di) / 2, (column + dj) / 2, color);
        }
    }
}

int64_t patterns_complete(Arena *a, ts_grid grid, const Completion *rule, int8_t *out) {
    assert((unsigned)rule->kind < PARTS_KINDS);
    int cells = grid.height * grid.width;
    Board b = {.grid = grid, .rule = rule, .out = out, .work = 10 * cells};
    if (!grid_fits(grid, GRID_MOST_SIDE)) return -1;
    if (!parts_of(a, grid, ground_of(grid), rule->kind, &b.parts)) return no_rule(b.work);
    b.shape.cells = TAKE_FROM(a, ShapeCell, SHAPE_MOST);
    b.stamped = TAKE_FROM(a, int8_t, cells);
    if (!b.shape.cells || !b.stamped || b.parts.count > SELECTOR_PARTS || !b.parts.count)
        return no_rule(b.work);
    memset(b.stamped, 0, (size_t)cells);
    memcpy(out, grid.cells, (size_t)cells);
    if (rule->anchor == Completion_MIRROR_ABOUT) mirror_about(&b);
    else {
        if (!pick_templates(&b)) return no_rule(b.work);
        complete_all(&b);
        if (rule->flags & TEMPLATE_MOVED) take_away(&b);
    }
    return b.work < WORK_MOST ? b.work : no_rule(b.work);
}

// ---- A pattern with what takes its place ----

// Whether the pattern is there; *own becomes the colour of its cells of PATTERN_OWN.
static bool occurs(ts_grid grid, ts_grid pattern, int top, int left, int ground, int *own, int64_t *work) {
    *own = ground;
    for (int i = 0; i < pattern.height; i++)
        for (int j = 0; j < pattern.width; j++) {
            int wanted = pattern.cells[i * pattern.width + j];
            (*work)++;
            int there = grid.cells[(top + i) * grid.width + left + j];
            if (wanted == PATTERN_OWN && *own == ground) *own = there;
            if (wanted == PATTERN_OWN ? there == ground || there != *own
                                      : wanted != PATTERN_ANY && wanted != there)
                return false;
        }
    return true;
}

static void put(ts_grid grid, ts_grid to, int top, int left, int own, bool apart, bool *taken, int8_t *out) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < to.height; i++)
            for (int j = 0; j < to.width; j++) {
                int at = (top + i) * grid.width + left + j, color = to.cells[i * to.width + j];
                if (color == PATTERN_ANY) continue;
                if (pass == 0 && apart && taken[at]) return;
                if (pass == 0) continue;
                taken[at] = true;
                out[at] = (int8_t)(color == PATTERN_OWN ? own : color);
            }
}

int64_t patterns_replace(Arena *a, ts_grid grid, ts_grid from, ts_grid to, int flags, int8_t *out) {
    int64_t work = grid.height * grid.width;
    int motions = flags & REPLACE_TURNED ? SYMMETRIES : 1, ground, own;
    ts_grid froms[SYMMETRIES], tos[SYMMETRIES];
    bool *taken = TAKE_FROM(a, bool, work);
    if (!grid_fits(grid, GRID_MOST_SIDE) || !grid_fits(from, GRID_MOST_SIDE) || !grid_same_size(from, to) ||
        !taken)
        return -1;
    ground = ground_of(grid);
    memset(taken, 0, (size_t)work);
    memcpy(out, grid.cells, (size_t)work);
    const bool fits = from.height <= grid.height && from.width <= grid.width,
               fits_turned = from.width <= grid.height && from.height <= grid.width;
    if (!fits && !(fits_turned && motions > 1)) return work; // not to turn a large pattern for a small grid
    for (int m = 0; m < motions; m++) {
        int symmetry = symmetry_by_steps[m];
        if (!grid_moved(a, from, symmetry, &froms[m]) || !grid_moved(a, to, symmetry, &tos[m])) return -1;
    }
    for (int i = 0; i < grid.height && work < WORK_MOST; i++)
        for (int j = 0; j < grid.width; j++)
            for (int m = 0; m < motions; m++) {
                if (i + froms[m].height > grid.height || j + froms[m].width > grid.width) continue;
                if (occurs(grid, froms[m], i, j, ground, &own, &work))
                    put(grid, tos[m], i, j, own, flags & REPLACE_APART, taken, out);
            }
    return work < WORK_MOST ? work : no_rule(work);
}

// ---- Places of one colour ----

typedef struct {
    ts_grid grid;
    const Place *place;
    int color;
    uint64_t rows[GRID_MOST_SIDE]; // a bit for each cell of the ground
    int8_t *out;
    int64_t work;
} Ground;

static uint64_t bits(int left, int width) {
    return (width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1) << left;
}

static void paint_rectangle(Ground *g, int top, int left, int height, int width) {
    int inset = g->place->inset;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) {
            int from_border = i < j ? i : j;
            from_border = height - 1 - i < from_border ? height - 1 - i : from_border;
            from_border = width - 1 - j < from_border ? width - 1 - j : from_border;
            if (inset == Inset_FRAME_ONLY ? from_border == 0 : from_border >= inset)
                g->out[(top + i) * g->grid.width + left + j] = (int8_t)g->color;
        }
    g->work += height * width;
}

static void fill_exact(Ground *g, int height, int width, bool apart) {
    uint64_t used[GRID_MOST_SIDE] = {0};
    for (int i = 0; i + height <= g->grid.height; i++)
        for (int j = 0; j + width <= g->grid.width; j++) {
            uint64_t wanted = bits(j, width);
            bool all = true;
            for (int k = i; k < i + height && all; k++) all = (g->rows[k] & ~used[k] & wanted) == wanted;
            g->work += 3;
            if (!all) continue;
            paint_rectangle(g, i, j, height, width);
            for (int k = i; k < i + height && apart; k++) used[k] |= wanted;
        }
}

static bool is_meant(const Ground *g, int height, int width, int most) {
    int shorter = height < width ? height : width, longer = height + width - shorter;
    int a = g->place->a < g->place->b ? g->place->a : g->place->b, b = g->place->a + g->place->b - a;
    switch (g->place->kind) {
    case Place_LARGEST_RECTANGLES: return height * width == most;
    case Place_LARGEST_SQUARES: return shorter == most;
    case Place_RECTANGLES_ACROSS:
        return shorter >= a && longer >= b && (height == g->grid.height || width == g->grid.width);
    default: return shorter >= a && longer >= b;
    }
}

// Paints a rectangle that cannot grow, or the largest squares in it.
static void paint_meant(Ground *g, int top, int left, int height, int width, int most) {
    bool squares = g->place->kind == Place_LARGEST_SQUARES;
    if (!is_meant(g, height, width, most)) return;
    if (!squares) paint_rectangle(g, top, left, height, width);
    for (int i = 0; squares && i + most <= height && g->work < WORK_MOST; i++)
        for (int j = 0; j + most <= width; j++) paint_rectangle(g, top + i, left + j, most, most);
}

// Goes through the rectangles that are as wide as can be, twice: first for the measure of the largest.
static void fill_maximal(Ground *g) {
    int most = 0, h = g->grid.height;
    bool squares = g->place->kind == Place_LARGEST_SQUARES,
         largest = g->place->kind == Place_LARGEST_RECTANGLES;
    for (int top = 0, pass = 0; pass < 2; pass += ++top == h, top %= h) {
        uint64_t common = ~(uint64_t)0, run;
        for (int bottom = top; bottom < h && (common &= g->rows[bottom]); bottom++)
            for (uint64_t rest = common; rest; rest &= ~run) {
                int left = __builtin_ctzll(rest), height = bottom - top + 1;
                uint64_t gone = ~(rest >> left);
                int width = gone ? __builtin_ctzll(gone) : 64 - left;
                run = bits(left, width);
                g->work += 3;
                if (largest && (height < g->place->a || width < g->place->b)) continue;
                int measure = !squares ? height * width : height < width ? height : width;
                if (pass == 0 && measure > most) most = measure;
                bool grows = (top > 0 && (g->rows[top - 1] & run) == run) ||
                             (bottom + 1 < h && (g->rows[bottom + 1] & run) == run);
                if (pass && !grows) paint_meant(g, top, left, height, width, most);
            }
    }
}

// Fills what has the shape of a part, moved.
static bool fill_shape(Ground *g, Arena *a, const Parts *parts, int part, int motions) {
    const Part *p = &parts->parts[part];
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1;
    int8_t *from = TAKE_FROM(a, int8_t, h * w);
    if (!from) return false;
    g->work += h * w;
    for (int n = 0; n < h * w; n++)
        from[n] = parts->label[(p->top + n / w) * g->grid.width + p->left + n % w] == part ? 1 : PATTERN_ANY;
    for (int m = 0; m < motions; m++) {
        ts_grid shape;
        if (!grid_moved(a, (ts_grid){h, w, from}, symmetry_by_steps[m], &shape)) return false;
        for (int i = 0; i + shape.height <= g->grid.height && g->work < WORK_MOST; i++)
            for (int j = 0; j + shape.width <= g->grid.width; j++) {
                bool all = true;
                for (int n = 0; n < h * w && all; n++, g->work++)
                    all = shape.cells[n] == PATTERN_ANY ||
                          (g->rows[i + n / shape.width] >> (j + n % shape.width) & 1);
                for (int n = 0; n < h * w && all; n++)
                    if (shape.cells[n] != PATTERN_ANY)
                        g->out[(i + n / shape.width) * g->grid.width + j + n % shape.width] =
                            (int8_t)g->color;
            }
    }
    return true;
}

static bool fill_shapes(Ground *g, Arena *a, int background) {
    Parts parts;
    PartsKind kind = g->place->b & SHAPE_TOGETHER ? PartsKind_COLORS : PartsKind_PARTS_DIAGONAL;
    if (!parts_of(a, g->grid, background, kind, &parts)) return false;
    bool any = false;
    for (int k = 0; k < parts.count && k < SELECTOR_PARTS; k++) {
        if (parts.parts[k].color != g->place->a || parts.parts[k].size < 2) continue;
        any = true;
        if (!fill_shape(g, a, &parts, k, g->place->b & SHAPE_TURNED ? SYMMETRIES : 1)) return false;
    }
    return any;
}

int64_t patterns_fill_places(Arena *a, ts_grid grid, int ground, const Place *place, int color, int8_t *out) {
    assert((unsigned)place->kind <= Place_SHAPE_OF && color == (int8_t)color);
    int background = ground_of(grid), cells = grid.height * grid.width;
    Ground g = {.grid = grid, .place = place, .color = color, .out = out, .work = 3 * cells};
    if (!grid_fits(grid, GRID_MOST_SIDE)) return -1;
    memcpy(out, grid.cells, (size_t)cells);
    for (int n = 0; n < cells; n++)
        if (grid.cells[n] == (ground == PlaceGround_BACKGROUND ? background : ground))
            g.rows[n / grid.width] |= (uint64_t)1 << n % grid.width;
    switch (place->kind) {
    case Place_RECTANGLES_EITHER_WAY: fill_exact(&g, place->b, place->a, false); // fall through
    case Place_RECTANGLES_OF: fill_exact(&g, place->a, place->b, false); break;
    case Place_RECTANGLES_APART: fill_exact(&g, place->a, place->b, true); break;
    case Place_SHAPE_OF:
        if (!fill_shapes(&g, a, background)) return no_rule(g.work);
        break;
    default: fill_maximal(&g);
    }
    return g.work < WORK_MOST ? g.work : no_rule(g.work);
}
