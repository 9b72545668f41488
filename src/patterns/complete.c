// Templates completed, and all that is mirrored or repeated; patterns.h says what there is.
//
// A template is tried at one place after the other, and a place is given up at the first cell that
// contradicts it: a place costs a few cells. What would take too long, such as a hundred templates over four
// hundred parts, is given up.
#include "patterns/patterns.h"

#include <assert.h>
#include <string.h>

#include "grid/grid.h"
#include "grid/lattice.h"
#include "parts/selector.h"

// ---- Templates ----

enum { SHAPE_MOST = 1600, SCALE_MOST = 4, TEMPLATES_AT_ONCE = 32 };

typedef struct {
    int8_t row, column, color;
    bool anchor; // has to be there
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

enum { NO_TINT = -1 };

// Takes a part for the shape, with `tint` for its main colour.
static bool shape_of(Board *b, int part, int symmetry, int scale, int tint) {
    const Part *p = &b->parts.parts[part];
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1;
    Stencil *s = &b->shape;
    bool aside = symmetry_exchanges(symmetry), boxed = b->rule->anchor == Completion_AROUND_CONTENT;
    b->current = part;
    if ((boxed ? h * w : p->size) * scale * scale > SHAPE_MOST || h * scale > grid_reach(b->grid) ||
        w * scale > grid_reach(b->grid))
        return false;
    s->n = 0;
    s->height = (aside ? w : h) * scale;
    s->width = (aside ? h : w) * scale;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int at = (p->top + i) * b->grid.width + p->left + j;
            bool own = b->parts.label[at] == part;
            if (!own && !boxed) continue;
            int k, l, color = b->grid.cells[at];
            bool anchor = boxed ? !own : b->elsewhere >> color & 1;
            if (tint != NO_TINT && color == p->color) color = tint;
            symmetry_cell(symmetry, h, w, i, j, &k, &l);
            for (int y = 0; y < scale; y++)
                for (int x = 0; x < scale; x++)
                    s->cells[s->n++] =
                        (ShapeCell){(int8_t)(k * scale + y), (int8_t)(l * scale + x), (int8_t)color, anchor};
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

static void stamp(Board *b, int top, int left) {
    for (int n = 0; n < b->shape.n; n++) {
        ShapeCell c = b->shape.cells[n];
        int i = top + c.row, j = left + c.column;
        if (i < 0 || j < 0 || i >= b->grid.height || j >= b->grid.width) continue;
        b->out[i * b->grid.width + j] = c.color;
        b->stamped[i * b->grid.width + j] = 1;
    }
    b->used[b->current] = true;
    b->work += 2 * b->shape.n;
}

// Whether all cells that have to be are there, and none of the others (unless they go over anything), and no
// other turn was put there.
static bool anchored_at(Board *b, int top, int left) {
    bool adds = false, over = b->rule->flags & TEMPLATE_OVER;
    for (int n = 0; n < b->shape.n; n++) {
        ShapeCell c = b->shape.cells[n];
        int i = top + c.row, j = left + c.column, at = i * b->grid.width + j;
        b->work++;
        if (i < 0 || j < 0 || i >= b->grid.height || j >= b->grid.width) {
            if (c.anchor) return false;
            continue;
        }
        int there = b->grid.cells[at];
        if (c.anchor && (there != c.color || b->stamped[at])) return false;
        if (!c.anchor && !over &&
            (there != b->parts.background || (b->out[at] != there && b->out[at] != c.color)))
            return false;
        adds |= !c.anchor && there != c.color;
    }
    return adds;
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
    while (anchor < b->shape.n && !b->shape.cells[anchor].anchor) anchor++;
    if (anchor == b->shape.n) return;
    ShapeCell first = b->shape.cells[anchor];
    for (int at = 0; at < b->grid.height * b->grid.width && b->work < WORK_MOST; at++) {
        int part = b->parts.label[at];
        if (b->grid.cells[at] != first.color || (part >= 0 && b->template[part])) continue;
        int top = at / b->grid.width - first.row, left = at % b->grid.width - first.column;
        if (!anchored_at(b, top, left)) continue;
        if (!(b->rule->flags & TEMPLATE_SCALED) || holds_whole_parts(b, top, left)) stamp(b, top, left);
    }
}

static void complete_middles(Board *b, int template) {
    for (int k = 0; k < b->parts.count; k++) {
        const Part *p = &b->parts.parts[k];
        int tint = b->rule->flags & TEMPLATE_TINTED ? p->color : NO_TINT;
        if (b->template[k] || p->size != 1 || !shape_of(b, template, Symmetry_AS_IS, 1, tint)) continue;
        stamp(b, p->top - b->shape.height / 2, p->left - b->shape.width / 2);
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
        if (same) stamp(b, p->top, p->left);
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

// The colour of a part that a template has not: what its main colour becomes. NO_TINT where it has all.
static int tint_of(const Board *b, int template, int part) {
    if (!(b->rule->flags & TEMPLATE_TINTED)) return NO_TINT;
    return colors_only(b->parts.parts[part].colors & ~(unsigned)b->parts.parts[template].colors);
}

static void complete_parts(Board *b, int motions, int scales) {
    for (int k = 0; k < b->parts.count; k++) {
        Placement best = {.score = -1};
        if (b->template[k]) continue;
        for (int t = 0; t < b->parts.count; t++)
            for (int scale = 1; b->template[t] && scale <= scales; scale++)
                for (int m = 0; m < motions && b->work < WORK_MOST; m++) {
                    Placement place = {.template = t, .symmetry = symmetry_by_steps[m], .scale = scale};
                    if (shape_of(b, t, place.symmetry, scale, tint_of(b, t, k)))
                        try_on_part(b, k, place, &best);
                }
        if (best.score < 0) continue;
        shape_of(b, best.template, best.symmetry, best.scale, tint_of(b, best.template, k));
        stamp(b, best.top, best.left);
    }
}

// The blocks that a part is made up of: squares of one size, as large as can be.
static int blocks_of(Board *b, int part) {
    const Part *p = &b->parts.parts[part];
    int w = b->grid.width, side = SCALE_MOST;
    for (bool whole = false; !whole; side -= !whole) {
        whole = true;
        for (int i = p->top; i <= p->bottom && whole; i++)
            for (int j = p->left; j <= p->right && whole; j++, b->work++) {
                int k = i - (i - p->top) % side, l = j - (j - p->left) % side, at = i * w + j;
                bool own = b->parts.label[at] == part;
                whole = own == (b->parts.label[k * w + l] == part) &&
                        (!own || b->grid.cells[at] == b->grid.cells[k * w + l]);
            }
        whole &= box_height(part_box(p)) % side == 0 && box_width(part_box(p)) % side == 0;
    }
    return p->size / (side * side);
}

// What a template has the most of, the larger of equals; -1 where it is none.
static int template_worth(Board *b, int part) {
    const Part *p = &b->parts.parts[part];
    switch (b->rule->pick) {
    case TemplatePick_MANY_COLORED: return p->colors & (p->colors - 1) ? 0 : -1;
    case TemplatePick_LARGEST: return 0;
    case TemplatePick_MOST_COLORFUL: return __builtin_popcount(p->colors);
    case TemplatePick_MOST_DETAILED: return blocks_of(b, part);
    default: break;
    }
    b->work += b->parts.count;
    for (int k = 0; k < b->parts.count; k++)
        if (k != part && b->parts.parts[k].colors & p->colors) return -1;
    return 0;
}

// Marks the templates. False where there are none, or nothing else.
static bool pick_templates(Board *b) {
    int best = -1, most = -1, picked = 0;
    bool all = b->rule->pick == TemplatePick_MANY_COLORED;
    for (int k = 0; k < b->parts.count; k++) {
        int worth = template_worth(b, k), size = b->parts.parts[k].size;
        b->template[k] = all && worth >= 0 && picked < TEMPLATES_AT_ONCE;
        picked += b->template[k];
        if (worth > most || (worth == most && best >= 0 && size > b->parts.parts[best].size)) {
            best = k;
            most = worth;
        }
    }
    b->work += 5 * b->parts.count;
    if (!all && best >= 0 && b->parts.parts[best].size > 1) {
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
    for (int t = 0; t < b->parts.count; t++) {
        if (!b->template[t]) continue;
        if (b->rule->anchor == Completion_AROUND_CELLS) complete_middles(b, t);
        for (int scale = 1; b->rule->anchor != Completion_AROUND_CELLS && scale <= scales; scale++)
            for (int m = 0; m < motions && b->work < WORK_MOST; m++) {
                if (!shape_of(b, t, symmetry_by_steps[m], scale, NO_TINT)) continue;
                if (b->rule->anchor == Completion_OVER_SAME_SHAPE) complete_shapes(b, done);
                else complete_colors(b);
            }
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

// Mirrors a part so that its own cell (i, j) comes to lie on a mark beside it.
static void mirror_onto(Board *b, int part, int i, int j, int mark_i, int mark_j, int color) {
    const Part *p = &b->parts.parts[part];
    int w = b->grid.width;
    for (int y = p->top; y <= p->bottom; y++)
        for (int x = p->left; x <= p->right; x++)
            if (b->parts.label[y * w + x] == part && b->grid.cells[y * w + x] == p->color)
                put_on_ground(b, mark_i == i ? y : i + mark_i - y, mark_j == j ? x : j + mark_j - x, color);
    b->work += (p->bottom - p->top + 1) * (p->right - p->left + 1);
}

// Mirrors each part to the side, or the corner, at which a cell of another colour than its main one lies.
static void mirror_to_marks(Board *b) {
    int h = b->grid.height, w = b->grid.width;
    for (int at = 0; at < h * w && b->work < WORK_MOST; at++) {
        int part = b->parts.label[at], i = at / w, j = at % w, color = b->grid.cells[at];
        if (part < 0 || color == b->parts.parts[part].color) continue;
        for (int d = 0; d < DIRECTIONS; d++) {
            int k = i + direction_rows[d], l = j + direction_columns[d];
            if (k < 0 || l < 0 || k >= h || l >= w || b->parts.label[k * w + l] != part ||
                b->grid.cells[k * w + l] != b->parts.parts[part].color)
                continue;
            mirror_onto(b, part, k, l, i, j, color);
            break;
        }
    }
}

// Whether all cells of a part are cells of the template, moved.
static bool lies_in_moved(Board *b, int part, int template, int down, int right) {
    const Part *p = &b->parts.parts[part];
    int h = b->grid.height, w = b->grid.width;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++, b->work++) {
            int y = i - down, x = j - right;
            if (b->parts.label[i * w + j] != part) continue;
            if (y < 0 || x < 0 || y >= h || x >= w || b->parts.label[y * w + x] != template) return false;
        }
    return true;
}

// Repeats the template to the border in each direction in which a part marks its next place, in the colour of
// that.
static void repeat_to_marks(Board *b, int template) {
    const Part *t = &b->parts.parts[template];
    int h = box_height(part_box(t)) + b->rule->flags, w = box_width(part_box(t)) + b->rule->flags;
    for (int k = 0; k < b->parts.count; k++)
        for (int d = 0; d < DIRECTIONS && !b->template[k] && b->work < WORK_MOST; d++) {
            int down = direction_rows[d] * h, right = direction_columns[d] * w;
            if (!lies_in_moved(b, k, template, down, right)) continue;
            if (!shape_of(b, template, Symmetry_AS_IS, 1, b->parts.parts[k].color)) return;
            for (int n = 1; n <= grid_reach(b->grid) && b->work < WORK_MOST; n++)
                for (int m = 0; m < b->shape.n; m++)
                    put_on_ground(b, t->top + n * down + b->shape.cells[m].row,
                                  t->left + n * right + b->shape.cells[m].column, b->shape.cells[m].color);
        }
}

// What a rule does on a board that is ready; false where it is none for it.
static bool carry_out(Board *b) {
    switch (b->rule->anchor) {
    case Completion_MIRROR_ABOUT: mirror_about(b); return true;
    case Completion_MIRROR_TO_MARKS: mirror_to_marks(b); return true;
    default: break;
    }
    if (!pick_templates(b)) return false;
    if (b->rule->anchor != Completion_REPEAT_TO_MARKS) complete_all(b);
    else
        for (int t = 0; t < b->parts.count; t++)
            if (b->template[t]) repeat_to_marks(b, t);
    if (b->rule->anchor != Completion_REPEAT_TO_MARKS && b->rule->flags & TEMPLATE_MOVED) take_away(b);
    return b->work < WORK_MOST;
}

// The grid without the lines that cross it; without cells where memory is short.
static ts_grid without_lines(Arena *a, ts_grid grid, int ground) {
    int8_t *cells = TAKE_FROM(a, int8_t, grid.height * grid.width);
    if (!cells) return (ts_grid){0};
    memcpy(cells, grid.cells, (size_t)(grid.height * grid.width));
    for (int color = 0; color < 10; color++) {
        GridLines lines = grid_lines(grid, color);
        for (int n = 0; n < grid.height * grid.width && color != ground; n++)
            if (lines.rows >> n / grid.width & 1 || lines.columns >> n % grid.width & 1)
                cells[n] = (int8_t)ground;
    }
    return (ts_grid){grid.height, grid.width, cells};
}

int64_t patterns_complete(Arena *a, ts_grid grid, const Completion *rule, int8_t *out) {
    int cells = grid.height * grid.width, kind = rule->kind, ground = ground_of(grid);
    bool between = kind == TemplateParts_THINGS_BETWEEN_LINES;
    Board b = {.grid = grid, .rule = rule, .out = out, .work = 10 * cells};
    if (!grid_fits(grid, GRID_TASK_SIDE)) return -1;
    if (between) {
        kind = PartsKind_THINGS_DIAGONAL;
        b.grid = without_lines(a, grid, ground);
    }
    assert((unsigned)kind < PARTS_KINDS);
    b.shape.cells = TAKE_FROM(a, ShapeCell, SHAPE_MOST);
    b.stamped = TAKE_FROM(a, int8_t, cells);
    if (!b.grid.cells || !b.shape.cells || !b.stamped || !parts_of(a, b.grid, ground, kind, &b.parts) ||
        b.parts.count > SELECTOR_PARTS || !b.parts.count)
        return no_rule(b.work);
    memset(b.stamped, 0, (size_t)cells);
    memcpy(out, b.grid.cells, (size_t)cells);
    if (!carry_out(&b)) return no_rule(b.work);
    for (int n = 0; n < cells && between; n++) // the lines are as they were
        if (grid.cells[n] != b.grid.cells[n]) out[n] = grid.cells[n];
    return b.work < WORK_MOST ? b.work : no_rule(b.work);
}
