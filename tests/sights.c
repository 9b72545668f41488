// What the search works out for all parts and all cells at once, held against the plain way: one part, one
// property, one choice after the other.
//
//     build/obj/tests/sights [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "draw/sight.h"

enum { ROUNDS = 150, SAMPLES = 3, SIDE = GRID_TASK_SIDE };

typedef struct {
    Checks checks;
    Rng r;
    Arena arena;
    signed char cells[SAMPLES][SIDE * SIDE];
} Sights;

static int below(Sights *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// A grid that has something to see: boxes, filled or not, single cells, and now and then a part that is there
// again, turned.
static ts_grid any_grid(Sights *u, int sample, int most_side) {
    int h = 1 + below(u, most_side), w = 1 + below(u, most_side), colors = 2 + below(u, 4);
    if (below(u, 8) == 0) h = w;
    signed char *cells = u->cells[sample];
    ts_grid g = {h, w, cells};
    memset(cells, below(u, colors), (size_t)(h * w));
    for (int n = below(u, 12); n >= 0; n--) {
        int top = below(u, h), left = below(u, w), color = below(u, colors);
        int bottom = top + below(u, 1 + (h - top < 7 ? h - top : 7)), hollow = below(u, 2);
        int right = left + below(u, 1 + (w - left < 7 ? w - left : 7));
        for (int i = top; i <= bottom && i < h; i++)
            for (int j = left; j <= right && j < w; j++)
                if (!hollow || i == top || i == bottom || j == left || j == right || below(u, 9) == 0)
                    cells[i * w + j] = (signed char)color;
    }
    for (int n = below(u, 20); n > 0; n--) cells[below(u, h * w)] = (signed char)below(u, colors);
    for (int i = 0; below(u, 3) == 0 && i < h / 2; i++)
        for (int j = 0; j < w; j++) cells[(h - 1 - i) * w + j] = cells[i * w + j];
    if (below(u, 10) == 0) cells[below(u, h * w)] = 11; // no colour of a task
    return g;
}

// ---- Parts ----

// Whether two neighbours are of one part.
static bool hang_together(const Parts *p, int one, int other) {
    int a = p->grid.cells[one], b = p->grid.cells[other];
    bool things = p->kind == PartsKind_THINGS || p->kind == PartsKind_THINGS_DIAGONAL;
    return a == b || (things && a != p->background && b != p->background);
}

// Labels all that hangs together with a cell.
static void flood(const Parts *p, int cell, int label, int *labels) {
    int stack[SIDE * SIDE], n = 0, h = p->grid.height, w = p->grid.width;
    bool corners = p->kind == PartsKind_PARTS_DIAGONAL || p->kind == PartsKind_THINGS_DIAGONAL;
    for (labels[stack[n++] = cell] = label; n;) {
        int at = stack[--n];
        for (int d = 0; d < (corners ? DIRECTIONS : 4); d++) {
            int i = at / w + direction_rows[d], j = at % w + direction_columns[d], next = i * w + j;
            if (i < 0 || j < 0 || i >= h || j >= w || labels[next] != -1 || !hang_together(p, at, next))
                continue;
            labels[stack[n++] = next] = label;
        }
    }
}

static void check_labels(Sights *u, const Parts *p) {
    int labels[SIDE * SIDE], count = 0, of_color[10], n = p->grid.height * p->grid.width;
    for (int c = 0; c < 10; c++) of_color[c] = -1;
    for (int k = 0; k < n; k++) {
        int c = p->grid.cells[k];
        bool taken = p->kind == PartsKind_PATCHES || (c == p->background) == (p->kind == PartsKind_REGIONS);
        labels[k] = taken && c >= 0 && c <= 9 ? -1 : -2;
    }
    for (int k = 0; k < n; k++) {
        if (labels[k] != -1) continue;
        if (p->kind != PartsKind_COLORS) flood(p, k, count++, labels);
        else {
            int *number = &of_color[p->grid.cells[k]];
            labels[k] = *number = *number < 0 ? count++ : *number;
        }
    }
    check(&u->checks, count == p->count, "kind %d: %d parts, not %d", p->kind, p->count, count);
    for (int k = 0; k < n; k++)
        check(&u->checks, p->label[k] == (labels[k] < 0 ? -1 : labels[k]), "kind %d: cell %d is of part %d",
              p->kind, k, p->label[k]);
}

static void test_labels(Sights *u) {
    check_begin(&u->checks, "parts are what hangs together");
    for (int round = 0; round < ROUNDS; round++) {
        arena_reset(&u->arena);
        ts_grid g = any_grid(u, 0, below(u, 4) ? 16 : SIDE);
        for (int kind = 0; kind < PARTS_KINDS; kind++) {
            Parts p;
            if (parts_of(&u->arena, g, ground_of(g), kind, &p)) check_labels(u, &p);
        }
    }
    check_end(&u->checks);
}

static void test_props(Sights *u) {
    check_begin(&u->checks, "all properties at once are those that are asked for one by one");
    for (int round = 0; round < ROUNDS; round++) {
        arena_reset(&u->arena);
        ts_grid g = any_grid(u, 0, below(u, 4) ? 16 : SIDE);
        for (int kind = 0; kind < PARTS_KINDS; kind++) {
            Parts p;
            if (!parts_of(&u->arena, g, ground_of(g), kind, &p)) continue;
            const int *props = parts_props(&u->arena, &p);
            check(&u->checks, props != NULL, "no memory");
            for (int part = 0; props && part < p.count && part < 60; part++)
                for (int prop = 0; prop < PROPS; prop++)
                    check(&u->checks, props[part * PROPS + prop] == part_prop(&p, part, prop),
                          "kind %d, part %d of %d, property %d: %d, plainly %d", kind, part, p.count, prop,
                          props[part * PROPS + prop], part_prop(&p, part, prop));
        }
    }
    check_end(&u->checks);
}

// ---- Patches ----

// How a ray ends before a cell of a colour, -1 for the wall: not at all, or there; and whether it is drawn.
static bool ends_ray(const Parts *p, int part, int stop, int color) {
    if (color < 0) return true;
    if (color == p->background || stop == Stop_TO_WALL) return false;
    if (stop == Stop_THROUGH_TO_OWN) return color == p->parts[part].color;
    if (stop / 10 == Stop_THROUGH_UP_TO / 10 || stop / 10 == Stop_THROUGH_TO / 10) return color == stop % 10;
    return true;
}

static bool is_drawn(const Parts *p, int part, int stop, int color) {
    switch (stop) {
    case Stop_ONLY_TO_THING: return color >= 0;
    case Stop_ONLY_TO_WALL: return color < 0;
    case Stop_ONLY_TO_OWN:
    case Stop_THROUGH_TO_OWN: return color == p->parts[part].color;
    case Stop_ONLY_TO_OTHER: return color >= 0 && color != p->parts[part].color;
    default: return stop < Stop_ONLY_TO || color == stop % 10;
    }
}

static int color_at(const Parts *p, int i, int j) {
    bool inside = i >= 0 && j >= 0 && i < p->grid.height && j < p->grid.width;
    return inside ? p->grid.cells[i * p->grid.width + j] : -1;
}

static void mark_rays(const Parts *p, int part, int d, int stop, bool *marked) {
    int h = p->grid.height, w = p->grid.width, di = direction_rows[d], dj = direction_columns[d];
    memset(marked, 0, (size_t)(h * w));
    for (int cell = 0; cell < h * w; cell++) {
        int i = cell / w + di, j = cell % w + dj, n = 0, color = color_at(p, i, j);
        if (p->label[cell] != part || (color >= 0 && p->label[i * w + j] == part)) continue;
        while (!ends_ray(p, part, stop, color = color_at(p, i + n * di, j + n * dj))) n++;
        for (int k = 0; k < n && is_drawn(p, part, stop, color); k++)
            marked[(i + k * di) * w + j + k * dj] = true;
    }
}

static bool is_in_box(const Parts *p, int part, int grow, int which, int cell) {
    const Part *x = &p->parts[part];
    int i = cell / p->grid.width, j = cell % p->grid.width;
    int top = x->top - grow, left = x->left - grow, bottom = x->bottom + grow, right = x->right + grow;
    bool row = i == top || i == bottom, column = j == left || j == right;
    if (i < top || i > bottom || j < left || j > right) return false;
    switch (which) {
    case BoxPart_FRAME: return row || column;
    case BoxPart_REST: return p->label[cell] != part;
    case BoxPart_CORNER_CELLS: return row && column;
    case BoxPart_SIDE_CELLS: return row != column;
    case BoxPart_FALLING_DIAGONAL: return i - top == j - left;
    case BoxPart_RISING_DIAGONAL: return i - top == right - j;
    default: return true;
    }
}

// Draws a patch for a part, and tells for each cell whether that is drawn.
static void draw_plainly(const Scene *s, int part, const Patch *patch, Brush *b, bool *drawn) {
    memset(drawn, 0, (size_t)(s->parts.grid.height * s->parts.grid.width));
    drawing_patch(s, part, patch, b);
    for (int n = 0; n < b->n; n++) drawn[b->at[n]] = true;
}

static void check_patches(Sights *u, const Scene *s, int part, Brush *b) {
    bool drawn[SIDE * SIDE];
    int cells = s->parts.grid.height * s->parts.grid.width, grow = below(u, 6) - 2, which = below(u, 8);
    if (which != BoxPart_CENTER) {
        draw_plainly(s, part, &(Patch){Drawn_BOX, (int16_t)grow, (int16_t)which, 0, 0}, b, drawn);
        for (int k = 0; k < cells; k++)
            check(&u->checks, drawn[k] == is_in_box(&s->parts, part, grow, which, k),
                  "box %d, grown by %d, of part %d: cell %d", which, grow, part, k);
    }
    bool marked[SIDE * SIDE];
    int d = below(u, 8), stop = below(u, 2) ? below(u, Stop_ONLY_TO_OTHER + 1) : 10 + below(u, 30);
    Patch ray = {Drawn_RAY, (int16_t)(1 << d), RayFrom_FROM_CELLS, (int16_t)stop, Dash_SOLID};
    draw_plainly(s, part, &ray, b, drawn);
    mark_rays(&s->parts, part, d, stop, marked);
    check(&u->checks, memcmp(drawn, marked, (size_t)cells) == 0, "ray %d to %d of part %d", d, stop, part);
}

static void test_patches(Sights *u) {
    check_begin(&u->checks, "boxes and rays are drawn where they should be");
    for (int round = 0; round < ROUNDS; round++) {
        Brush b;
        Scene s;
        arena_reset(&u->arena);
        ts_grid g = any_grid(u, 0, 20);
        if (!brush_init(&u->arena, &b, g)) continue;
        b.round = 0;
        for (int kind = 0; kind < PARTS_KINDS; kind++)
            if (scene_of(&u->arena, g, kind, &s))
                for (int part = 0; part < s.parts.count && part < 30; part++) check_patches(u, &s, part, &b);
    }
    check_end(&u->checks);
}

// ---- Sights ----

// Each choice takes what its selector takes, and no two the same.
static void check_choices(Sights *u, const Quest *q, const Sight *s) {
    for (int k = 0; k < s->choice_count; k++) {
        const uint64_t *set = sight_chosen(s, &s->choices[k]);
        for (int sample = 0; sample < q->samples; sample++) {
            bool chosen[SCENE_MOST_PARTS];
            int parts = s->scenes[sample].parts.count;
            selector_apply(&s->choices[k].selector, parts, s->scenes[sample].props, chosen);
            for (int n = 0; n < parts; n++)
                check(&u->checks, set_has(set, s->first[sample] + n) == chosen[n],
                      "choice %d, sample %d, part %d", k, sample, n);
        }
        for (int n = 0; n < k; n++)
            check(&u->checks,
                  memcmp(set, sight_chosen(s, &s->choices[n]), (size_t)s->words * sizeof *set) != 0,
                  "choices %d and %d are the same", n, k);
    }
}

static void test_choices(Sights *u) {
    check_begin(&u->checks, "a choice of a sight takes the parts that its selector takes");
    for (int round = 0; round < ROUNDS / 3; round++) {
        ts_grid inputs[SAMPLES];
        Quest q = {.demos = SAMPLES - 1, .tests = 1, .samples = SAMPLES, .inputs = inputs, .units = 1 << 30};
        arena_init(&q.arena, (size_t)256 << 20);
        for (int k = 0; k < SAMPLES; k++) inputs[k] = any_grid(u, k, 12);
        for (int kind = 0; kind < PARTS_KINDS; kind++) {
            Sight s;
            if (sight_of(&q, inputs, kind, NULL, 0, &s)) check_choices(u, &q, &s);
        }
        arena_free(&q.arena);
    }
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Sights u;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    arena_init(&u.arena, (size_t)256 << 20);
    for (uint64_t seed = first; seed <= last; seed++) {
        u.r = (Rng){seed};
        test_labels(&u);
        test_props(&u);
        test_patches(&u);
        test_choices(&u);
    }
    arena_free(&u.arena);
    return check_summary(&u.checks);
}
