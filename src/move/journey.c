// Journeys carried out; journey.h says how.
#include "move/journey.h"

#include <assert.h>
#include <string.h>

enum { FREE = -1, TAKEN = -2, MOST_MOVERS = GRID_TASK_SIDE * GRID_TASK_SIDE };

// What moves as one: a part, or a cell of one.
typedef struct {
    int16_t part;
    int8_t top, left, bottom, right; // the box of what moves, where it began
    int8_t direction, gone;          // gone: how far by now
} Mover;

typedef struct {
    const Scene *s;
    const Journey *j;
    const Plan *plans;
    int h, w;
    int8_t *canvas;
    int16_t *taken; // by which mover a cell is taken
    int64_t steps;
} Traffic;

static bool has(const Traffic *x, int part, int i, int j) { return x->s->parts.label[i * x->w + j] == part; }

// ---- How far ----

static int own_length(const Part *p, int unit, int direction) {
    int height = p->bottom - p->top + 1, width = p->right - p->left + 1;
    switch (unit) {
    case OwnLength_BY_HEIGHT: return height;
    case OwnLength_BY_WIDTH: return width;
    case OwnLength_BY_SIZE: return p->size;
    default: return direction_rows[direction] ? height : width;
    }
}

static int cells_of_color(ts_grid grid, int color) {
    int counts[10];
    colors_count(grid, counts);
    return color >= 0 && color < 10 ? counts[color] : 0;
}

// Mirrored at a row or column of the target's box, or at its middle.
static Landing mirrored(const Part *t, int direction, int far) {
    bool rows = direction_rows[direction] != 0,
         back = direction == Direction_NORTH || direction == Direction_WEST;
    int low = rows ? t->top : t->left, high = rows ? t->bottom : t->right;
    int near = back ? high : low, other = back ? low : high;
    int sum = far == HowFar_MIRRORED_AT_NEAR  ? 2 * near
              : far == HowFar_MIRRORED_AT_FAR ? 2 * other
                                              : low + high;
    return (Landing){rows ? sum : 0, rows ? 0 : sum, rows, !rows};
}

// How many cells to right behind the target.
static int past(const Part *p, const Part *t, int direction) {
    switch (direction) {
    case Direction_NORTH: return p->bottom - t->top + 1;
    case Direction_SOUTH: return t->bottom - p->top + 1;
    case Direction_WEST: return p->right - t->left + 1;
    default: return t->right - p->left + 1;
    }
}

bool journey_landing(const Scene *s, int part, const Plan *plan, int far, Landing *landing) {
    const Part *p = &s->parts.parts[part];
    const Part *t = plan->target >= 0 ? &s->parts.parts[plan->target] : NULL;
    int n = 0;
    if (plan->lands) return *landing = plan->landing, true;
    if (plan->direction < 0) return false;
    switch (far) {
    case HowFar_TILL_STOPPED:
    case HowFar_CELLS_TILL_STOPPED: return false;
    case HowFar_TO_THE_BORDER: n = journey_room(s->parts.grid, p, plan->direction); break;
    case HowFar_UP_TO_IT: n = plan->gap; break;
    case HowFar_OVER_IT: n = t ? past(p, t, plan->direction) : 0; break;
    case HowFar_MIRRORED_AT_NEAR:
    case HowFar_MIRRORED_AT_FAR:
    case HowFar_MIRRORED_AT_MIDDLE:
        if (!t) return false;
        return *landing = mirrored(t, plan->direction, far), true;
    default:
        n = far >= HowFar_STEPS        ? far - HowFar_STEPS
            : far >= HowFar_AS_MANY_AS ? cells_of_color(s->parts.grid, far - HowFar_AS_MANY_AS)
                                       : own_length(p, far - HowFar_LENGTHS, plan->direction);
    }
    if (n > GRID_TASK_SIDE) n = GRID_TASK_SIDE; // it is out of the grid by then
    *landing = (Landing){.rows = n * direction_rows[plan->direction],
                         .columns = n * direction_columns[plan->direction]};
    return true;
}

// ---- All at the same time ----

static bool can_step(Traffic *x, const Mover *movers, int mover) {
    const Mover *m = &movers[mover];
    int di = (m->gone + 1) * direction_rows[m->direction],
        dj = (m->gone + 1) * direction_columns[m->direction];
    if (m->top + di < 0 || m->left + dj < 0 || m->bottom + di >= x->h || m->right + dj >= x->w) return false;
    for (int i = m->top; i <= m->bottom; i++)
        for (int j = m->left; j <= m->right; j++) {
            if (!has(x, m->part, i, j)) continue;
            int by = x->taken[(i + di) * x->w + j + dj];
            if (by != FREE && by != mover) return false;
        }
    return true;
}

static void take(Traffic *x, const Mover *m, int16_t as) {
    int di = m->gone * direction_rows[m->direction], dj = m->gone * direction_columns[m->direction];
    for (int i = m->top; i <= m->bottom; i++)
        for (int j = m->left; j <= m->right; j++)
            if (has(x, m->part, i, j)) x->taken[(i + di) * x->w + j + dj] = as;
}

static void step_all(Traffic *x, Mover *movers, int count) {
    for (bool any = true; any;) {
        any = false;
        for (int k = 0; k < count; k++) {
            Mover *m = &movers[k];
            int area = (m->bottom - m->top + 1) * (m->right - m->left + 1);
            x->steps += 4 + area;
            if (!can_step(x, movers, k)) continue;
            take(x, m, FREE);
            m->gone++;
            take(x, m, (int16_t)k);
            x->steps += 2 * area;
            any = true;
        }
    }
}

// ---- Putting down ----

static void put(Traffic *x, int i, int j, int color) {
    if (i >= 0 && j >= 0 && i < x->h && j < x->w) x->canvas[i * x->w + j] = (int8_t)color;
}

static bool draws_trail(const Traffic *x) {
    return x->j->trail != Trail_NO_TRAIL && x->j->trail != Trail_LEAVING_COPY;
}

static int trail_color(const Traffic *x, const Part *p) {
    return x->j->trail == Trail_TRAIL_OWN ? p->color : x->j->trail - Trail_TRAIL_IN;
}

// The cells that a box's part passes on n steps, those where it begins included.
static void put_trail(Traffic *x, const Mover *m, int n) {
    const Part *p = &x->s->parts.parts[m->part];
    int color = trail_color(x, p), di = direction_rows[m->direction], dj = direction_columns[m->direction];
    for (int i = m->top; i <= m->bottom; i++)
        for (int j = m->left; j <= m->right; j++)
            for (int k = 0; k < n && has(x, m->part, i, j); k++) put(x, i + k * di, j + k * dj, color);
    x->steps += (int64_t)n * p->size;
}

static void put_down(Traffic *x, int part, Box box, Landing to, int color) {
    for (int i = box.top; i <= box.bottom; i++)
        for (int j = box.left; j <= box.right; j++)
            if (has(x, part, i, j))
                put(x, to.flips_rows ? to.rows - i : to.rows + i,
                    to.flips_columns ? to.columns - j : to.columns + j,
                    color >= 0 ? color : x->s->parts.grid.cells[i * x->w + j]);
    x->steps += box_height(box) * box_width(box);
}

static int dress(const Traffic *x, int part, const Paint *paint) {
    if (journey_ends(x->j, JourneyEnds_ALL_IN_MAIN_COLOR)) return x->s->parts.parts[part].color;
    return paint->kind == Paint_OWN_COLOR ? -1 : drawing_paint(x->s, part, paint);
}

// ---- The journey ----

static void add_mover(Mover *movers, int *count, int part, Box b, int direction) {
    movers[(*count)++] = (Mover){(int16_t)part,
                                 (int8_t)b.top,
                                 (int8_t)b.left,
                                 (int8_t)b.bottom,
                                 (int8_t)b.right,
                                 (int8_t)direction,
                                 0};
}

// Those that go until they are stopped.
static void go_jointly(Traffic *x, const bool *chosen, const Paint *paint) {
    Mover movers[MOST_MOVERS];
    int count = 0;
    for (int k = 0; k < x->s->parts.count; k++) {
        const Part *p = &x->s->parts.parts[k];
        if (!chosen[k] || x->plans[k].direction < 0) continue;
        if (x->j->far == HowFar_TILL_STOPPED)
            add_mover(movers, &count, k, part_box(p), x->plans[k].direction);
        for (int i = p->top; i <= p->bottom && x->j->far == HowFar_CELLS_TILL_STOPPED; i++)
            for (int j = p->left; j <= p->right; j++)
                if (has(x, k, i, j)) add_mover(movers, &count, k, (Box){i, j, i, j}, x->plans[k].direction);
    }
    for (int k = 0; k < count; k++) take(x, &movers[k], (int16_t)k);
    step_all(x, movers, count);
    for (int k = 0; k < count && draws_trail(x); k++) put_trail(x, &movers[k], movers[k].gone);
    for (int k = 0; k < count; k++) {
        const Mover *m = &movers[k];
        Landing to = {.rows = m->gone * direction_rows[m->direction],
                      .columns = m->gone * direction_columns[m->direction]};
        put_down(x, m->part, (Box){m->top, m->left, m->bottom, m->right}, to, dress(x, m->part, paint));
    }
}

static void go_alone(Traffic *x, const bool *chosen, const Paint *paint) {
    Landing to;
    for (int k = 0; k < x->s->parts.count && draws_trail(x); k++) {
        const Part *p = &x->s->parts.parts[k];
        int d = chosen[k] ? x->plans[k].direction : -1, n = 0, movers = 0;
        if (d < 0 || !journey_landing(x->s, k, &x->plans[k], x->j->far, &to) || to.flips_rows ||
            to.flips_columns)
            continue;
        n = to.rows * direction_rows[d] > to.columns * direction_columns[d]
                ? to.rows * direction_rows[d]
                : to.columns * direction_columns[d];
        Mover m;
        add_mover(&m, &movers, k, part_box(p), d);
        put_trail(x, &m, n);
    }
    for (int k = 0; k < x->s->parts.count; k++)
        if (chosen[k] && journey_landing(x->s, k, &x->plans[k], x->j->far, &to))
            put_down(x, k, part_box(&x->s->parts.parts[k]), to, dress(x, k, paint));
}

// Whether its plan leads anywhere.
static bool goes(const Scene *s, int part, const Plan *plan, int far) {
    Landing to;
    return (journey_joint(far) && plan->direction >= 0) || journey_landing(s, part, plan, far, &to);
}

bool journey_apply(const Scene *s, const bool *chosen, const Journey *j, const Paint *paint, int8_t *canvas,
                   int64_t *work) {
    assert(s->parts.count <= SCENE_MOST_PARTS && j->way.kind >= 0 && j->way.kind < JOURNEY_WAYS);
    ts_grid g = s->parts.grid;
    Plan plans[SCENE_MOST_PARTS];
    bool lifted[SCENE_MOST_PARTS];
    int16_t taken[MOST_MOVERS];
    bool eats = journey_ends(j, JourneyEnds_TARGETS_VANISH) && journey_has_target(&j->way);
    for (int k = 0; k < s->parts.count; k++) {
        if (!chosen[k]) continue;
        if (!journey_plan(s, chosen, &j->way, k, &plans[k], work)) return false;
        if (paint->kind == Paint_BY_TABLE && drawing_paint(s, k, paint) < 0) return false;
    }
    for (int k = 0; k < s->parts.count; k++)
        lifted[k] = chosen[k] && (goes(s, k, &plans[k], j->far) ? j->trail != Trail_LEAVING_COPY
                                                                : journey_ends(j, JourneyEnds_VANISHING));
    for (int k = 0; k < g.height * g.width; k++) {
        int part = s->parts.label[k];
        canvas[k] = part >= 0 && lifted[part] ? (int8_t)s->parts.background : g.cells[k];
        taken[k] = canvas[k] == s->parts.background ? FREE : TAKEN;
        if (eats && part >= 0 && !chosen[part] && g.cells[k] == j->way.value)
            canvas[k] = (int8_t)s->parts.background;
    }
    Traffic x = {s, j, plans, g.height, g.width, canvas, taken, 0};
    go_alone(&x, chosen, paint);
    if (journey_joint(j->far)) go_jointly(&x, chosen, paint);
    int counted = j->far >= HowFar_AS_MANY_AS && j->far < HowFar_STEPS ? 2 * s->parts.count : 0;
    *work += x.steps + (int64_t)(2 + counted) * g.height * g.width;
    return true;
}
