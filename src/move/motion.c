// Parts lifted and put down; motion.h says how.
//
// A part that slides is stopped by what lies on the canvas at that time: what was not lifted, and what was
// put down before. So those that are ahead go first.
#include "move/motion.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const Scene *s;
    const Motion *m;
    const bool *chosen;
    int8_t *canvas;
    int h, w, background;
    int64_t steps;
} Mover;

static bool has(const Mover *x, int part, int i, int j) { return x->s->parts.label[i * x->w + j] == part; }

// Whether the part, moved by (di, dj), lies within the grid and on nothing.
static bool is_free(Mover *x, int part, int di, int dj) {
    const Part *p = &x->s->parts.parts[part];
    if (p->top + di < 0 || p->left + dj < 0 || p->bottom + di >= x->h || p->right + dj >= x->w) return false;
    x->steps += 4;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            x->steps++;
            if (has(x, part, i, j) && x->canvas[(i + di) * x->w + j + dj] != x->background) return false;
        }
    return true;
}

static void put_down(Mover *x, int part, int di, int dj, int color) {
    const Scene *s = x->s;
    for (int n = s->first[part]; n < s->first[part + 1]; n++) {
        int i = s->cells[n].row, j = s->cells[n].column, k = i + di, l = j + dj;
        if (k < 0 || l < 0 || k >= x->h || l >= x->w) continue;
        x->canvas[k * x->w + l] = color >= 0 ? (int8_t)color : s->parts.grid.cells[i * x->w + j];
    }
    x->steps += s->parts.parts[part].size + 20;
}

// How far it slides.
static int slide(Mover *x, int part, int direction) {
    int n = 0;
    while (is_free(x, part, (n + 1) * direction_rows[direction], (n + 1) * direction_columns[direction])) n++;
    return n;
}

static int to_wall(const Mover *x, const Part *p, int direction) {
    int rows = direction_rows[direction] < 0   ? p->top
               : direction_rows[direction] > 0 ? x->h - 1 - p->bottom
                                               : GRID_TASK_SIDE;
    int columns = direction_columns[direction] < 0   ? p->left
                  : direction_columns[direction] > 0 ? x->w - 1 - p->right
                                                     : GRID_TASK_SIDE;
    return rows < columns ? rows : columns;
}

static int own_length(const Mover *x, int part, int unit) {
    const Part *p = &x->s->parts.parts[part];
    int height = p->bottom - p->top + 1, width = p->right - p->left + 1;
    switch (unit) {
    case OwnLength_BY_HEIGHT: return height;
    case OwnLength_BY_WIDTH: return width;
    case OwnLength_BY_SIZE: return p->size;
    default: return direction_rows[x->m->a] ? height : width;
    }
}

static bool overlap(int low, int high, int other_low, int other_high) {
    return low <= other_high && other_low <= high;
}

// The direction of the nearest part that stays and lies straight above, below or beside; -1 for none.
static int target_direction(const Mover *x, int part, int *gap) {
    const Part *p = &x->s->parts.parts[part];
    int best = -1;
    for (int k = 0; k < x->s->parts.count; k++) {
        const Part *t = &x->s->parts.parts[k];
        if (x->chosen[k] || (x->m->a != AnyColor_ANY_COLOR && t->color != x->m->a)) continue;
        int direction = -1, far = 0;
        if (overlap(p->left, p->right, t->left, t->right)) {
            if (t->bottom < p->top) direction = Direction_NORTH, far = p->top - t->bottom - 1;
            if (t->top > p->bottom) direction = Direction_SOUTH, far = t->top - p->bottom - 1;
        } else if (overlap(p->top, p->bottom, t->top, t->bottom)) {
            if (t->left > p->right) direction = Direction_EAST, far = t->left - p->right - 1;
            if (t->right < p->left) direction = Direction_WEST, far = p->left - t->right - 1;
        }
        if (direction >= 0 && (best < 0 || far < *gap)) best = direction, *gap = far;
    }
    return best;
}

static void move_towards(Mover *x, int part, int color) {
    int gap = 0, direction = target_direction(x, part, &gap), n = gap;
    if (direction < 0) {
        put_down(x, part, 0, 0, color);
        return;
    }
    if (x->m->b == Reach_UNTIL_BLOCKED) n = slide(x, part, direction);
    put_down(x, part, n * direction_rows[direction], n * direction_columns[direction], color);
}

static void fall(Mover *x, int part, int color) {
    const Part *p = &x->s->parts.parts[part];
    int di = direction_rows[x->m->a], dj = direction_columns[x->m->a];
    int rows = p->bottom - p->top + 1, columns = p->right - p->left + 1;
    for (int n = 0; n < rows * columns; n++) { // those ahead first
        int i = p->top + n / columns, j = p->left + n % columns;
        if (di > 0 || dj > 0) i = p->top + p->bottom - i, j = p->left + p->right - j;
        if (!has(x, part, i, j)) continue;
        int c = color >= 0 ? color : x->s->parts.grid.cells[i * x->w + j];
        int k = i + di, l = j + dj;
        for (; k >= 0 && l >= 0 && k < x->h && l < x->w && x->canvas[k * x->w + l] == x->background;
             k += di, l += dj)
            x->steps++;
        x->canvas[(k - di) * x->w + l - dj] = (int8_t)c;
    }
    x->steps += rows * columns;
}

static void turn(Mover *x, int part, int color) {
    const Part *p = &x->s->parts.parts[part];
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int k, l;
            symmetry_cell(symmetry_by_steps[x->m->a], h, w, i, j, &k, &l);
            if (!has(x, part, p->top + i, p->left + j) || p->top + k >= x->h || p->left + l >= x->w) continue;
            int c = color >= 0 ? color : x->s->parts.grid.cells[(p->top + i) * x->w + p->left + j];
            x->canvas[(p->top + k) * x->w + p->left + l] = (int8_t)c;
        }
    x->steps += 2 * h * w;
}

static void align(Mover *x, int part, int color) {
    const Part *p = &x->s->parts.parts[part], *t = NULL;
    int far = 0, di = 0, dj = 0;
    for (int k = 0; k < x->s->parts.count; k++) {
        const Part *o = &x->s->parts.parts[k];
        int its = abs(o->top - p->top) + abs(o->left - p->left);
        if (x->chosen[k] || (x->m->b != AnyColor_ANY_COLOR && o->color != x->m->b) || (t && its >= far))
            continue;
        t = o;
        far = its;
    }
    if (t) {
        int top = t->top - p->top, bottom = t->bottom - p->bottom;
        int left = t->left - p->left, right = t->right - p->right;
        switch (x->m->a) {
        case Line_ALIGN_TOP: di = top; break;
        case Line_ALIGN_MIDDLE_ROW: di = (top + bottom) / 2; break;
        case Line_ALIGN_BOTTOM: di = bottom; break;
        case Line_ALIGN_LEFT: dj = left; break;
        case Line_ALIGN_MIDDLE_COLUMN: dj = (left + right) / 2; break;
        case Line_ALIGN_RIGHT: dj = right; break;
        }
    }
    put_down(x, part, di, dj, color);
}

static void move_part(Mover *x, int part, int color) {
    const Motion *m = x->m;
    const Part *p = &x->s->parts.parts[part];
    int n = 0;
    switch (m->kind) {
    case Motion_BY: put_down(x, part, m->a, m->b, color); return;
    case Motion_TOWARDS: move_towards(x, part, color); return;
    case Motion_FALL: fall(x, part, color); return;
    case Motion_ROTATE: turn(x, part, color); return;
    case Motion_ALIGN: align(x, part, color); return;
    case Motion_SLIDE: n = slide(x, part, m->a); break;
    case Motion_MOVE_TO_WALL: n = to_wall(x, p, m->a); break;
    case Motion_BY_OWN: n = own_length(x, part, m->b); break;
    default: break;
    }
    put_down(x, part, n * direction_rows[m->a], n * direction_columns[m->a], color);
}

// How far ahead a part is in the direction of the motion.
static int lead(const Mover *x, int part) {
    const Part *p = &x->s->parts.parts[part];
    int gap = 0;
    if (x->m->kind == Motion_TOWARDS) return target_direction(x, part, &gap) < 0 ? 0 : -gap;
    if (x->m->kind != Motion_SLIDE && x->m->kind != Motion_FALL) return 0;
    int di = direction_rows[x->m->a], dj = direction_columns[x->m->a];
    return (di < 0 ? -p->top : di * p->bottom) + (dj < 0 ? -p->left : dj * p->right);
}

int64_t move_apply(const Scene *s, const bool *chosen, const Motion *m, const Paint *paint, int8_t *canvas) {
    assert(s->parts.count <= SCENE_MOST_PARTS && m->kind >= 0 && m->kind < MOVES);
    ts_grid g = s->parts.grid;
    Mover x = {s, m, chosen, canvas, g.height, g.width, s->parts.background, 0};
    int order[SCENE_MOST_PARTS], leads[SCENE_MOST_PARTS], n = 0;
    memcpy(canvas, g.cells, (size_t)(g.height * g.width));
    for (int k = 0; k < s->parts.count && !m->leaves; k++)
        for (int c = s->first[k]; chosen[k] && c < s->first[k + 1]; c++)
            canvas[s->cells[c].row * g.width + s->cells[c].column] = (int8_t)s->parts.background;
    for (int k = 0; k < s->parts.count; k++) {
        if (!chosen[k]) continue;
        int at = n++, ahead = lead(&x, k);
        for (; at > 0 && leads[at - 1] < ahead; at--) order[at] = order[at - 1], leads[at] = leads[at - 1];
        order[at] = k;
        leads[at] = ahead;
    }
    for (int k = 0; k < n; k++)
        move_part(&x, order[k], paint->kind == Paint_OWN_COLOR ? -1 : drawing_paint(s, order[k], paint));
    return x.steps + (int64_t)g.height * g.width + (int64_t)n * n / 4;
}
