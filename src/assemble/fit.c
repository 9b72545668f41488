// Workload: a frame of up to 20 by 20, one to six items of some ten cells, under eight symmetries and ten
// scales. Places are tried cell by cell and most fail at once.
#include "assemble/fit.h"

#include <assert.h>

enum { CLEAR = 10 }; // a cell of an item's box that is not its own

// The ways to turn things that a FitTurn allows; of several that fit as well the first is taken.
enum { WAYS = 4 };
static const int8_t turns[FitTurn_MIRRORED_TO_FIT + 1][WAYS] = {
    [FitTurn_UNTURNED] = {Symmetry_AS_IS, -1, -1, -1},
    [FitTurn_TURNED_TO_FIT] = {Symmetry_AS_IS, Symmetry_TURNED_RIGHT, Symmetry_TURNED_LEFT,
                               Symmetry_TURNED_ROUND},
    [FitTurn_MIRRORED_TO_FIT] = {Symmetry_AS_IS, Symmetry_LEFT_TO_RIGHT, Symmetry_UPSIDE_DOWN, -1},
};

typedef struct {
    Arena *arena;
    int ground;
    const Fitting *how;
    ts_grid frame; // as it is cut out, then with what went in
    int n;
    ts_grid items[FIT_MOST_ITEMS];
    int64_t work;
} Fitter;

static int cell(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }

// The background outside of a box: the commonest colour there.
static int ground_outside(ts_grid g, Box box) {
    int counts[10] = {0};
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            int c = cell(g, i, j);
            if (!box_holds(box, i, j) && c >= 0 && c < 10) counts[c]++;
        }
    return colors_by_count(counts, -1, false);
}

// The parts that have no cell in common with the box of the frame.
static bool find_items(Fitter *f, const Pieces *p, int frame) {
    const Piece *t = &p->at[frame];
    Box box = {t->top, t->left, t->top + t->height - 1, t->left + t->width - 1};
    Parts parts;
    if (!parts_of(f->arena, p->grid, ground_outside(p->grid, box), f->how->items, &parts)) return false;
    f->work += 20 * p->grid.height * p->grid.width;
    for (int k = 0; k < parts.count; k++) {
        Box b = part_box(&parts.parts[k]);
        if (b.top <= box.bottom && b.bottom >= box.top && b.left <= box.right && b.right >= box.left)
            continue;
        ts_grid *item = &f->items[f->n];
        if (f->n++ == FIT_MOST_ITEMS || !grid_cut(f->arena, p->grid, b, item)) return false;
        for (int i = 0; i < item->height; i++)
            for (int j = 0; j < item->width; j++)
                if (parts.label[(b.top + i) * p->grid.width + b.left + j] != k)
                    grid_edit(*item)[i * item->width + j] = CLEAR;
    }
    return f->n > 0;
}

static void put(Fitter *f, ts_grid item, int top, int left) {
    for (int i = 0; i < item.height; i++)
        for (int j = 0; j < item.width; j++)
            if (cell(item, i, j) != CLEAR)
                grid_edit(f->frame)[(top + i) * f->frame.width + left + j] = (signed char)cell(item, i, j);
}

static bool turn_item(Fitter *f, int item, int way, ts_grid *out) {
    int turn = turns[f->how->turn][way];
    return turn >= 0 && grid_moved(f->arena, f->items[item], turn, out);
}

// ---- All that is inside ----

// The colour of the side of the frame that is nearest to a cell inside; its own where two are equally near.
static int side_color(const Fitter *f, int i, int j, int own) {
    int h = f->frame.height, w = f->frame.width, far[4] = {i, w - 1 - j, h - 1 - i, j}, best = 0;
    bool tie = false;
    for (int k = 1; k < 4; k++) {
        tie = far[k] == far[best] || (tie && far[k] > far[best]);
        if (far[k] < far[best]) best = k;
    }
    if (tie) return own;
    return best == 0   ? cell(f->frame, 0, j)
           : best == 1 ? cell(f->frame, i, w - 1)
           : best == 2 ? cell(f->frame, h - 1, j)
                       : cell(f->frame, i, 0);
}

// How many cells of an item that fills the inside have their own colour beside them in the frame.
static int contacts(const Fitter *f, ts_grid item) {
    int n = 0, h = item.height, w = item.width;
    for (int i = 0; i < h; i++)
        n += (cell(item, i, 0) == cell(f->frame, i + 1, 0)) +
             (cell(item, i, w - 1) == cell(f->frame, i + 1, w + 1));
    for (int j = 0; j < w; j++)
        n += (cell(item, 0, j) == cell(f->frame, 0, j + 1)) +
             (cell(item, h - 1, j) == cell(f->frame, h + 1, j + 1));
    return n;
}

static bool fill_inside(Fitter *f) {
    int h = f->frame.height - 2, w = f->frame.width - 2, most = -1;
    ts_grid best = {0};
    if (f->n != 1 || h < 1 || w < 1) return false;
    for (int k = 0; k < WAYS; k++) {
        ts_grid turned, scaled;
        if (!turn_item(f, 0, k, &turned)) continue;
        int n = h / turned.height;
        f->work += 20 + 2 * h * w;
        if (n < 1 || n * turned.height != h || n * turned.width != w) continue;
        if (!grid_scaled(f->arena, turned, n, GRID_TASK_SIDE, &scaled)) return false;
        if (contacts(f, scaled) > most) most = contacts(f, scaled), best = scaled;
    }
    if (most < 0 || !grid_copy(f->arena, best, &best)) return false;
    for (int k = 0; k < h * w && f->how->paint == FitPaint_NEAREST_SIDE; k++)
        if (best.cells[k] != CLEAR)
            grid_edit(best)[k] = (signed char)side_color(f, k / w + 1, k % w + 1, best.cells[k]);
    put(f, best, 1, 1);
    return true;
}

// ---- On what is drawn ----

static bool is_corner(ts_grid g, int i, int j) {
    return (i == 0 || i == g.height - 1) && (j == 0 || j == g.width - 1);
}

// Whether all that is drawn, but for the corners, lies under cells of the item of the same colour.
static bool covers_marks(Fitter *f, ts_grid item, int n, int top, int left) {
    int h = item.height * n, w = item.width * n;
    bool any = false;
    for (int i = 0; i < f->frame.height; i++)
        for (int j = 0; j < f->frame.width; j++) {
            int color = cell(f->frame, i, j);
            f->work++;
            if (color == f->ground || is_corner(f->frame, i, j)) continue;
            if (i < top || j < left || i >= top + h || j >= left + w) return false;
            if (cell(item, (i - top) / n, (j - left) / n) != color) return false;
            any = true;
        }
    return any;
}

// The smallest scale at which it covers them.
static bool cover_marks(Fitter *f) {
    ts_grid best = {0};
    int top = 0, left = 0, found = 0;
    if (f->n != 1) return false;
    for (int k = 0; k < WAYS && !found; k++) {
        ts_grid item;
        if (!turn_item(f, 0, k, &item)) continue;
        for (int n = 1; !found && n * item.height <= f->frame.height && n * item.width <= f->frame.width; n++)
            for (int i = 0; i + n * item.height <= f->frame.height; i++)
                for (int j = 0; j + n * item.width <= f->frame.width; j++) {
                    if (f->work > FIT_MOST_WORK) return false;
                    if (!covers_marks(f, item, n, i, j)) continue;
                    if (found++ || !grid_scaled(f->arena, item, n, GRID_TASK_SIDE, &best)) return false;
                    top = i, left = j;
                }
    }
    if (found != 1) return false;
    put(f, best, top, left);
    return true;
}

// ---- Into holes ----

static int commonest(ts_grid g, int ground) {
    int counts[10];
    colors_count(g, counts);
    return colors_by_count(counts, ground, false);
}

// Whether cells of the frame's colour come to lie in holes, and all others on the frame.
static bool plugs(Fitter *f, ts_grid item, int color, int top, int left) {
    bool any = false;
    for (int i = 0; i < item.height; i++)
        for (int j = 0; j < item.width; j++) {
            int c = cell(item, i, j), under = cell(f->frame, top + i, left + j);
            f->work++;
            if (c == CLEAR) continue;
            if (under != (c == color ? f->ground : color)) return false;
            any |= c == color;
        }
    return any;
}

static bool plug(Fitter *f, int k, int color) {
    for (int way = 0; way < WAYS; way++) {
        ts_grid item;
        if (!turn_item(f, k, way, &item)) continue;
        for (int i = 0; i + item.height <= f->frame.height; i++)
            for (int j = 0; j + item.width <= f->frame.width; j++) {
                if (!plugs(f, item, color, i, j)) continue;
                put(f, item, i, j);
                return true;
            }
    }
    return false;
}

// Those that fill most go in first: others may fit into what they leave, but not the other way round.
static bool plug_holes(Fitter *f) {
    int color = commonest(f->frame, f->ground);
    bool in[FIT_MOST_ITEMS] = {false};
    for (int round = 0; round < f->n; round++) {
        int best = -1, most = -1;
        for (int k = 0; k < f->n; k++) {
            int n = 0;
            for (int c = 0; c < f->items[k].height * f->items[k].width; c++)
                n += f->items[k].cells[c] == color;
            if (!in[k] && n > most) best = k, most = n;
        }
        if (!plug(f, best, color)) return false;
        in[best] = true;
    }
    Box box;
    return !grid_box(f->frame, f->ground, true, &box);
}

// ---- On marks ----

// How many odd cells of an item lie on marks of their colours, where all do and all others on background; 0
// where that is not so.
static int marks_under(Fitter *f, ts_grid item, int color, int ground, int top, int left) {
    int n = 0;
    for (int i = 0; i < item.height; i++)
        for (int j = 0; j < item.width; j++) {
            int c = cell(item, i, j), under = cell(f->frame, top + i, left + j);
            f->work++;
            if (c == CLEAR) continue;
            if (under != (c == color ? ground : c)) return 0;
            n += c != color;
        }
    return n;
}

static int put_on_marks(Fitter *f, int k, int ground) {
    int color = commonest(f->items[k], -1);
    for (int way = 0; way < WAYS; way++) {
        ts_grid item;
        if (!turn_item(f, k, way, &item)) continue;
        for (int i = 0; i + item.height <= f->frame.height; i++)
            for (int j = 0; j + item.width <= f->frame.width; j++) {
                int n = marks_under(f, item, color, ground, i, j);
                if (n) put(f, item, i, j);
                if (n) return n;
            }
    }
    return 0;
}

static int odd_cells(ts_grid item) {
    int counts[10], most = 0, n = 0;
    colors_count(item, counts);
    for (int c = 0; c < 10; c++) n += counts[c], most = counts[c] > most ? counts[c] : most;
    return n - most;
}

// Those with most odd cells go first. Some may find no place, but all marks must be found.
static bool put_all_on_marks(Fitter *f) {
    int counts[10], ground = ground_of(f->frame), left = 0;
    colors_count(f->frame, counts);
    for (int c = 0; c < 10; c++) left += c == ground ? 0 : counts[c];
    bool in[FIT_MOST_ITEMS] = {false};
    for (int round = 0; round < f->n; round++) {
        int best = -1;
        for (int k = 0; k < f->n; k++)
            if (!in[k] && (best < 0 || odd_cells(f->items[k]) > odd_cells(f->items[best]))) best = k;
        if (best < 0) break;
        left -= put_on_marks(f, best, ground);
        in[best] = true;
    }
    return left == 0;
}

bool fit_made(Arena *a, const Pieces *p, int frame, ts_grid view, const Fitting *how, int64_t *work,
              ts_grid *out) {
    assert(frame >= 0 && frame < p->count && how->fit >= 0 && how->fit < FITS);
    Fitter *f = arena_alloc(a, sizeof *f);
    if (!f) return false;
    *f = (Fitter){.arena = a, .ground = p->ground, .how = how, .work = 500};
    bool made = grid_copy(a, view, &f->frame) && find_items(f, p, frame) &&
                (how->fit == Fit_FILL_INSIDE   ? fill_inside(f)
                 : how->fit == Fit_COVER_MARKS ? cover_marks(f)
                 : how->fit == Fit_PLUG_HOLES  ? plug_holes(f)
                                               : put_all_on_marks(f));
    *out = f->frame;
    *work += f->work;
    return made;
}
