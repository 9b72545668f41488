// Pieces that go where they fit into the rest of the grid: of all places without overlap the one at which
// most sides of their cells touch something. What fits best goes first, and is a part of the rest from then
// on.
//
// Workload: one to six pieces of some ten cells on a grid of 10 by 10 to 20 by 20; a place is left as soon as
// two cells would lie on each other.
#include "assemble/assembly.h"

enum { JIGSAW_MOST = 10 };

typedef struct {
    int ground;
    ts_grid canvas;
    int64_t work;
} Jigsaw;

typedef struct {
    int contacts, far; // sides that touch something; steps from where it was
    int top, left;
} Place;

static int cell(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }

static bool is_filled(const Jigsaw *w, int i, int j) {
    if (i < 0 || j < 0 || i >= w->canvas.height || j >= w->canvas.width) return false;
    return cell(w->canvas, i, j) != w->ground;
}

// Sides of cells of the piece at this place that touch something; -1 where it lies on something.
static int contacts_at(Jigsaw *w, ts_grid g, int top, int left) {
    int n = 0;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            if (cell(g, i, j) == w->ground) continue;
            w->work += 4;
            if (is_filled(w, top + i, left + j)) return -1;
            for (int k = 0; k < 4; k++)
                n += is_filled(w, top + i + direction_rows[k], left + j + direction_columns[k]);
        }
    return n;
}

// The best place; of several the nearest, and of those the first.
static Place best_place(Jigsaw *w, ts_grid g, const Piece *from) {
    Place best = {.contacts = 0};
    for (int i = 0; i + g.height <= w->canvas.height; i++)
        for (int j = 0; j + g.width <= w->canvas.width && w->work < ASSEMBLY_MOST_WORK; j++) {
            int n = contacts_at(w, g, i, j);
            int down = i > from->top ? i - from->top : from->top - i;
            int right = j > from->left ? j - from->left : from->left - j;
            if (n > best.contacts || (n > 0 && n == best.contacts && down + right < best.far))
                best = (Place){n, down + right, i, j};
        }
    return best;
}

static void put(Jigsaw *w, ts_grid g, int top, int left, int color) {
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++)
            if (cell(g, i, j) != w->ground)
                grid_edit(w->canvas)[(top + i) * w->canvas.width + left + j] =
                    (signed char)(color == OwnOrColor_ITS_OWN_COLORS ? cell(g, i, j) : color);
}

bool assembly_interlocked(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n, int color,
                          int64_t *work, ts_grid *out) {
    Jigsaw w = {.ground = p->ground, .work = 500};
    bool in[JIGSAW_MOST] = {false};
    int left = n;
    if (n > JIGSAW_MOST || !grid_copy(a, p->grid, &w.canvas)) return false;
    for (int k = 0; k < n; k++) {
        const Piece *t = &p->at[order[k]];
        ts_grid g = views[order[k]];
        if (g.height != t->height || g.width != t->width) return false;
        put(&w, g, t->top, t->left, p->ground);
    }
    while (left) {
        int best = -1;
        Place place = {.contacts = 0};
        for (int k = 0; k < n; k++) {
            if (in[k]) continue;
            Place here = best_place(&w, views[order[k]], &p->at[order[k]]);
            if (here.contacts > place.contacts) best = k, place = here;
        }
        if (best < 0 || w.work >= ASSEMBLY_MOST_WORK) break;
        put(&w, views[order[best]], place.top, place.left, color);
        in[best] = true;
        left--;
    }
    *work += w.work;
    *out = w.canvas;
    return left == 0;
}
