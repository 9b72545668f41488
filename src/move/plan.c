// Which way each part goes; journey.h says how.
#include <stdlib.h>

#include "move/journey.h"

typedef struct {
    const Scene *s;
    const bool *chosen;
    const Way *way;
    int64_t steps;
} Planner;

static const Part *part_at(const Planner *x, int part) { return &x->s->parts.parts[part]; }
static bool has(const Planner *x, int part, int i, int j) {
    return x->s->parts.label[i * x->s->parts.grid.width + j] == part;
}
static int color_at(const Planner *x, int i, int j) {
    return x->s->parts.grid.cells[i * x->s->parts.grid.width + j];
}
static bool within(const Planner *x, int i, int j) {
    return i >= 0 && j >= 0 && i < x->s->parts.grid.height && j < x->s->parts.grid.width;
}

static int opposite(int direction) { return direction < 4 ? (direction + 2) % 4 : 4 + (direction - 2) % 4; }

// ---- Towards and away from what stays ----

static bool is_target(const Planner *x, int part, int i, int j) {
    int label = x->s->parts.label[i * x->s->parts.grid.width + j], color = color_at(x, i, j);
    if (label < 0 || x->chosen[label]) return false;
    return x->way->value == Target_ANY_COLOR ||
           color == (x->way->value == Target_OWN_COLOR ? part_at(x, part)->color : x->way->value);
}

// How many cells lie between (i, j) of the part and the first target in this direction; -1: there is none, or
// more of the part lies before it.
static int look_out(Planner *x, int part, int i, int j, int direction, int *target) {
    for (int n = 0;; n++) {
        i += direction_rows[direction], j += direction_columns[direction];
        x->steps++;
        if (!within(x, i, j) || has(x, part, i, j)) return -1;
        if (!is_target(x, part, i, j)) continue;
        *target = x->s->parts.label[i * x->s->parts.grid.width + j];
        return n;
    }
}

// The direction with the nearest target; of equals the one in which most cells see one so near.
static void plan_by_target(Planner *x, int part, Plan *plan) {
    const Part *p = part_at(x, part);
    int directions = x->way->kind == Way_HEADING_ASLANT_TO ? DIRECTIONS : Direction_NORTHEAST;
    int best_seen = 0;
    for (int d = 0; d < directions; d++) {
        int least = -1, seen = 0, nearest = -1;
        for (int i = p->top; i <= p->bottom; i++)
            for (int j = p->left; j <= p->right; j++) {
                int target = -1, gap = has(x, part, i, j) ? look_out(x, part, i, j, d, &target) : -1;
                if (gap < 0 || (least >= 0 && gap > least)) continue;
                seen = gap == least ? seen + 1 : 1;
                least = gap;
                nearest = target;
            }
        if (least < 0 ||
            (plan->direction >= 0 && (least > plan->gap || (least == plan->gap && seen <= best_seen))))
            continue;
        plan->direction = (int8_t)d;
        plan->gap = (int16_t)least;
        plan->target = (int16_t)nearest;
        best_seen = seen;
    }
    if (x->way->kind == Way_HEADING_FROM && plan->direction >= 0)
        plan->direction = (int8_t)opposite(plan->direction);
}

// The nearest target wherever it lies, by the middles of the boxes.
static void plan_onto_nearest(Planner *x, int part, Plan *plan) {
    const Part *p = part_at(x, part);
    int best = -1;
    for (int k = 0; k < x->s->parts.count; k++) {
        const Part *t = part_at(x, k);
        if (!is_target(x, part, t->first / x->s->parts.grid.width, t->first % x->s->parts.grid.width))
            continue;
        int rows = t->top + t->bottom - p->top - p->bottom, columns = t->left + t->right - p->left - p->right;
        int far = abs(rows) + abs(columns);
        if (best >= 0 && far >= best) continue;
        best = far;
        plan->landing = (Landing){.rows = rows >> 1, .columns = columns >> 1};
    }
    plan->lands = best >= 0;
    x->steps += x->s->parts.count;
}

// ---- By how it, or something else, lies ----

// The direction of something that lies so many rows and columns off the middle of h by w cells. As parts of
// those: a side that counts for less than half of the other counts for nothing.
static int direction_of(int rows, int columns, int h, int w) {
    int down = rows * w, right = columns * h;
    int di = abs(down) * 2 < abs(right) ? 0 : (down > 0) - (down < 0);
    int dj = abs(right) * 2 < abs(down) ? 0 : (right > 0) - (right < 0);
    for (int d = 0; d < DIRECTIONS; d++)
        if (direction_rows[d] == di && direction_columns[d] == dj) return d;
    return -1;
}

// To where the cells of its rarest colour lie, off its middle.
static int own_lean(Planner *x, int part) {
    const Part *p = part_at(x, part);
    int color = drawing_rarest(x->s, part), rows = 0, columns = 0;
    if (!(p->colors & (p->colors - 1))) return -1;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            if (!has(x, part, i, j) || color_at(x, i, j) != color) continue;
            rows += 2 * i - p->top - p->bottom;
            columns += 2 * j - p->left - p->right;
        }
    x->steps += 3 * box_height(part_box(p)) * box_width(part_box(p));
    return direction_of(rows, columns, box_height(part_box(p)), box_width(part_box(p)));
}

// To where it lies itself, off the middle of the grid.
static int grid_lean(const Planner *x, int part) {
    const Part *p = part_at(x, part);
    ts_grid g = x->s->parts.grid;
    return direction_of(p->top + p->bottom - g.height + 1, p->left + p->right - g.width + 1, g.height,
                        g.width);
}

static void plan_by_lean(Planner *x, int part, Plan *plan) {
    int kind = x->way->kind;
    bool own = kind == Way_WHERE_IT_POINTS || kind == Way_WHERE_IT_POINTS_NOT;
    bool back = kind == Way_WHERE_IT_POINTS_NOT || kind == Way_TO_MIDDLE;
    int direction = own ? own_lean(x, part) : grid_lean(x, part);
    plan->direction = (int8_t)(back && direction >= 0 ? opposite(direction) : direction);
}

int journey_room(ts_grid grid, const Part *p, int direction) {
    int rows = direction_rows[direction] < 0   ? p->top
               : direction_rows[direction] > 0 ? grid.height - 1 - p->bottom
                                               : GRID_TASK_SIDE;
    int columns = direction_columns[direction] < 0   ? p->left
                  : direction_columns[direction] > 0 ? grid.width - 1 - p->right
                                                     : GRID_TASK_SIDE;
    return rows < columns ? rows : columns;
}

static void plan_by_border(const Planner *x, int part, Plan *plan) {
    int best = GRID_TASK_SIDE;
    for (int d = 0; d < Direction_NORTHEAST; d++) {
        int room = journey_room(x->s->parts.grid, part_at(x, part), d);
        if (room >= best) continue;
        best = room;
        plan->direction = (int8_t)(x->way->kind == Way_FROM_NEAR_BORDER ? opposite(d) : d);
    }
}

static bool plan_by_table(const Planner *x, int part, Plan *plan) {
    int value = x->s->props[part * PROPS + x->way->value];
    for (int k = 0; k < x->way->entries; k++)
        if (x->way->from[k] == value) plan->direction = x->way->to[k];
    return plan->direction >= 0;
}

// ---- Places ----

// Whether the part, moved so, fills a hole: all its cells lie on background, all around it on something else.
static bool fills(Planner *x, int part, int rows, int columns) {
    const Part *p = part_at(x, part);
    int ground = x->s->parts.background;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            if (!has(x, part, i, j)) continue;
            x->steps += 5;
            if (color_at(x, i + rows, j + columns) != ground) return false;
            for (int d = 0; d < Direction_NORTHEAST; d++) {
                int k = i + direction_rows[d], l = j + direction_columns[d];
                if (within(x, k, l) && has(x, part, k, l)) continue;
                k += rows, l += columns;
                if (within(x, k, l) && color_at(x, k, l) == ground) return false;
            }
        }
    return true;
}

// Whether the part, moved so, has its cells of its rarest colour on others of that colour.
static bool matches(Planner *x, int part, int rarest, int rows, int columns) {
    const Part *p = part_at(x, part);
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            if (!has(x, part, i, j) || color_at(x, i, j) != rarest) continue;
            int label = x->s->parts.label[(i + rows) * x->s->parts.grid.width + j + columns];
            x->steps += 3;
            if (color_at(x, i + rows, j + columns) != rarest || label < 0 || x->chosen[label]) return false;
        }
    return true;
}

// The nearest place within the grid that suits it, other than its own.
static void plan_to_place(Planner *x, int part, Plan *plan) {
    const Part *p = part_at(x, part);
    ts_grid g = x->s->parts.grid;
    int rarest = drawing_rarest(x->s, part), best = 0;
    bool hole = x->way->kind == Way_INTO_ITS_HOLE;
    if (!hole && !(p->colors & (p->colors - 1))) return;
    for (int rows = -p->top; rows < g.height - p->bottom; rows++)
        for (int columns = -p->left; columns < g.width - p->right; columns++) {
            int far = abs(rows) + abs(columns);
            x->steps += 2;
            if (far == 0 || (plan->lands && far >= best)) continue;
            if (!(hole ? fills(x, part, rows, columns) : matches(x, part, rarest, rows, columns))) continue;
            best = far;
            plan->lands = true;
            plan->landing = (Landing){.rows = rows, .columns = columns};
        }
}

// The next of the chosen with the same value; after the last the first.
static void plan_exchange(Planner *x, int part, Plan *plan) {
    const Part *p = part_at(x, part);
    int n = x->s->parts.count, value = x->s->props[part * PROPS + x->way->value];
    for (int k = 1; k < n; k++) {
        int other = (part + k) % n;
        if (!x->chosen[other] || x->s->props[other * PROPS + x->way->value] != value) continue;
        const Part *o = part_at(x, other);
        plan->lands = true;
        plan->landing = (Landing){.rows = (o->top + o->bottom - p->top - p->bottom) >> 1,
                                  .columns = (o->left + o->right - p->left - p->right) >> 1};
        return;
    }
}

static void plan_across(const Planner *x, Plan *plan) {
    int symmetry = symmetry_by_steps[x->way->value];
    if (symmetry_exchanges(symmetry)) return;
    bool rows = SYMMETRIES_THAT_FLIP_ROWS >> symmetry & 1,
         columns = SYMMETRIES_THAT_FLIP_COLUMNS >> symmetry & 1;
    plan->lands = true;
    plan->landing = (Landing){rows ? x->s->parts.grid.height - 1 : 0,
                              columns ? x->s->parts.grid.width - 1 : 0, rows, columns};
}

// Rows or columns next to the border behind that are full of what stays.
static int full_lines(Planner *x, int along) {
    ts_grid g = x->s->parts.grid;
    bool rows = direction_rows[along] != 0, from_end = along == Direction_NORTH || along == Direction_WEST;
    int lines = rows ? g.height : g.width, length = rows ? g.width : g.height, n = 0;
    for (; n < lines; n++)
        for (int k = 0; k < length; k++) {
            int line = from_end ? lines - 1 - n : n, at = rows ? line * g.width + k : k * g.width + line;
            int part = x->s->parts.label[at];
            x->steps++;
            if (g.cells[at] == x->s->parts.background || (part >= 0 && x->chosen[part])) return n;
        }
    return n;
}

// Each begins where those before it end, and lies against a border.
static void plan_stack(Planner *x, int part, Plan *plan) {
    const Part *p = part_at(x, part);
    const Way *way = x->way;
    int along = way->along, prop = way->value, before = 0;
    bool rows = direction_rows[along] != 0;
    if (along >= Direction_NORTHEAST || way->against >= Direction_NORTHEAST || along % 2 == way->against % 2)
        return;
    for (int k = 0; k < x->s->parts.count; k++) {
        int more = x->s->props[k * PROPS + prop] - x->s->props[part * PROPS + prop];
        if (way->kind == Way_STACKED_FALLING) more = -more;
        if (x->chosen[k] && (more < 0 || (more == 0 && k < part)))
            before += rows ? box_height(part_box(part_at(x, k))) : box_width(part_box(part_at(x, k)));
    }
    x->steps += 2 * x->s->parts.count;
    int n = journey_room(x->s->parts.grid, p, opposite(along)) - before - full_lines(x, along);
    int m = journey_room(x->s->parts.grid, p, way->against);
    plan->lands = true;
    plan->landing = (Landing){.rows = m * direction_rows[way->against] - n * direction_rows[along],
                              .columns = m * direction_columns[way->against] - n * direction_columns[along]};
}

static bool plan_part(Planner *x, int part, Plan *plan) {
    *plan = (Plan){.direction = -1, .target = -1};
    switch (x->way->kind) {
    case Way_GOING: plan->direction = (int8_t)x->way->value; break;
    case Way_HEADING_BY: return plan_by_table(x, part, plan);
    case Way_HEADING_TO:
    case Way_HEADING_ASLANT_TO:
    case Way_HEADING_FROM: plan_by_target(x, part, plan); break;
    case Way_TO_NEAR_BORDER:
    case Way_FROM_NEAR_BORDER: plan_by_border(x, part, plan); break;
    case Way_INTO_ITS_HOLE:
    case Way_ONTO_ITS_MARK: plan_to_place(x, part, plan); break;
    case Way_ONTO_NEAREST: plan_onto_nearest(x, part, plan); break;
    case Way_EXCHANGED: plan_exchange(x, part, plan); break;
    case Way_ACROSS_GRID: plan_across(x, plan); break;
    case Way_STACKED_RISING:
    case Way_STACKED_FALLING: plan_stack(x, part, plan); break;
    default: plan_by_lean(x, part, plan); break;
    }
    return true;
}

bool journey_plan(const Scene *s, const bool *chosen, const Way *way, int part, Plan *plan, int64_t *work) {
    Planner x = {s, chosen, way, 8};
    bool known = plan_part(&x, part, plan);
    *work += x.steps;
    return known;
}
