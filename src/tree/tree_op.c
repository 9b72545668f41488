// Rules for each cell, as the search learns them: a tree of questions about the cell's features.
#include "tree/cell_tree.h"

#include "dsl/ops.h"

enum { MOST_ROUNDS = 100 };

static bool read_layout(Ctx *c, Value v, CellLayout *layout) {
    int codes[4];
    if (!shape_codes(c, SHAPE_Layout, v, codes)) return false;
    *layout = (CellLayout){codes[0], codes[1], codes[2], codes[3]};
    return true;
}

typedef struct {
    TreeNode *nodes;
    int count;
} Reading;

// Appends the tree; the number of its root, -1 on failure. A value is at most 200 deep, so this ends.
static int read_tree(Ctx *c, Reading *r, Value v) {
    TreeForm form;
    if (r->count == TREE_MOST_NODES) return ctx_fail(c, TS_FAIL_VALUE), -1;
    if (!shape_tree(c, v, &form)) return -1;
    int self = r->count++;
    TreeNode *t = &r->nodes[self];
    *t = (TreeNode){.kind = form.is_color                        ? TREE_COLOR
                            : form.is_copy                       ? TREE_COPY
                            : form.relation == Relation_AT_LEAST ? TREE_AT_LEAST
                                                                 : TREE_EQUALS,
                    .feature = form.feature,
                    .number = form.is_color ? form.color : form.number};
    if (form.is_color || form.is_copy) return self;
    t->yes = read_tree(c, r, form.yes);
    if (!c->failure) t->no = read_tree(c, r, form.no);
    return c->failure ? -1 : self;
}

// The columns of all questions, and the charge for them. NULL on failure.
static const uint8_t **columns_for(Ctx *c, CellScene *s, const Reading *r) {
    const uint8_t **columns = ctx_alloc(c, (size_t)r->count * sizeof *columns);
    for (int k = 0; columns && k < r->count; k++) {
        const TreeNode *t = &r->nodes[k];
        if (t->kind == TREE_COLOR) continue;
        FeatureFamily family = feature_family_of(t->feature);
        if (!s->columns[family] && !ctx_charge(c, cell_scene_cost(s, family))) return NULL;
        columns[k] = cell_scene_column(s, t->feature);
        if (!columns[k]) return ctx_fail(c, TS_FAIL_VALUE), NULL;
    }
    for (int k = 0; k < PARTS_KINDS; k++) // each part is compared with each
        if (s->props[k]) ctx_charge(c, (int64_t)s->parts[k].count * s->parts[k].count);
    return c->failure ? NULL : columns;
}

static Value paint_tree(Ctx *c, ts_grid input, CellLayout layout, const Reading *r) {
    CellScene s;
    if (!ctx_charge(c, 1000 + 20 * (int64_t)input.height * input.width)) return VALUE_FAILED;
    if (!cell_scene_init(&s, &c->arena, input, layout)) return ctx_fail(c, TS_FAIL_VALUE);
    const uint8_t **columns = columns_for(c, &s, r);
    Obj *o = columns ? value_grid_new(c, s.base.height, s.base.width) : NULL;
    if (!o) return VALUE_FAILED;
    int8_t *cells = grid_cells(o);
    size_t n = (size_t)s.base.height * (size_t)s.base.width;
    if (!ctx_charge(c, 10 * (int64_t)n)) return VALUE_FAILED;
    for (size_t k = 0; k < n; k++) {
        int color = tree_color(r->nodes, columns, k);
        cells[k] = color < 0 || color > 9 ? s.base.cells[k] : (int8_t)color;
    }
    return value_of_obj(o);
}

OP_FN(cell_tree) {
    CellLayout layout;
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    if (!read_layout(c, a[1], &layout)) return VALUE_FAILED;
    Reading r = {.nodes = ctx_alloc(c, TREE_MOST_NODES * sizeof *r.nodes)};
    if (!r.nodes || read_tree(c, &r, a[2]) < 0) return VALUE_FAILED;
    int rounds = layout.kind == Layout_SAME_GRID && layout.n > 1 ? layout.n : 1;
    Value grid = a[0];
    for (int k = 0; k < rounds && k < MOST_ROUNDS; k++) {
        const Obj *o = value_obj(grid);
        Value next = paint_tree(c, (ts_grid){(int)o->n, (int)o->width, obj_cells(o)}, layout, &r);
        if (c->failure) return VALUE_FAILED;
        bool done = value_equal(grid, next);
        grid = next;
        if (done) break;
    }
    return grid;
}
