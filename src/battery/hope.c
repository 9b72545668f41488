#include "battery/hope.h"

enum { ALL_COLORS = 0x3FF };

// A column seen from below.
typedef struct {
    uint32_t below;  // a column that is no painted grid
    unsigned colors; // a bit for each that it may have been painted with
    bool turned;     // height and width are exchanged
    bool fails;
} Painted;

// The colours of the output where it differs from a column.
typedef struct {
    uint32_t below;
    unsigned colors;
} Wanted;

static void add_color(const Sheet *s, uint32_t column, uint32_t lane, Painted *p) {
    const Value v = sheet_value(s, column, lane);
    if (value_is_late(v)) p->colors = ALL_COLORS;
    else if (value_is_failure(v)) p->fails = true;
    else if (!value_is_small(v)) p->colors = ALL_COLORS;
    else if (value_small(v) >= 0 && value_small(v) <= 9) p->colors |= 1U << value_small(v);
}

typedef enum { NOT_PAINTED, FILLED, PAINTED, OF_SAME_SIZE, TURNED } Way;

// How a primitive makes a grid of its first argument.
static Way way_of(int op) {
    switch (op) {
    case OP_fill:
    case OP_underfill: return FILLED;
    case OP_paint:
    case OP_underpaint: return PAINTED;
    case OP_cover:
    case OP_move:
    case OP_replace:
    case OP_switch:
    case OP_hmirror:
    case OP_vmirror:
    case OP_rot180: return OF_SAME_SIZE;
    case OP_dmirror:
    case OP_cmirror:
    case OP_rot90:
    case OP_rot270: return TURNED;
    default: return NOT_PAINTED;
    }
}

// The grid below, through all that is painted on it.
static uint32_t below(const Graph *g, uint32_t column) {
    while (column >= g->first && way_of(g->nodes[column - g->first].op) != NOT_PAINTED)
        column = g->nodes[column - g->first].args[0];
    return column;
}

// The column of the colour that a painted one has been painted with, if there is one: of an object it is
// known where it was given one.
static bool color_column(const Graph *g, const Node *node, uint32_t *column) {
    const Way way = way_of(node->op);
    if (way == PAINTED && node->args[1] >= g->first) {
        const Node *object = &g->nodes[node->args[1] - g->first];
        *column = object->args[0];
        return object->op == OP_recolor;
    }
    *column = node->args[1];
    return way == FILLED;
}

static Painted seen_from_below(const Sheet *s, uint32_t column, uint32_t lane) {
    const Graph *g = s->graph;
    Painted p = {.below = below(g, column)};
    for (; column != p.below; column = g->nodes[column - g->first].args[0]) {
        const Node *node = &g->nodes[column - g->first];
        uint32_t color;
        if (color_column(g, node, &color)) add_color(s, color, lane, &p);
        else p.colors = ALL_COLORS;
        p.turned ^= way_of(node->op) == TURNED;
    }
    return p;
}

static unsigned colors_wanted(const Obj *below, const ts_grid *output) {
    unsigned colors = 0;
    for (size_t k = 0; k < (size_t)below->n * below->width; k++)
        if (obj_cells(below)[k] != output->cells[k]) colors |= 1U << output->cells[k];
    return colors;
}

// Whether a painted column can be the output. Most are painted over the same grid: what is wanted of the last
// one is kept.
static bool can_be(const Sheet *s, const Painted *p, uint32_t lane, const ts_grid *output, Wanted *last) {
    const Value v = sheet_value(s, p->below, lane);
    if (p->fails || (value_is_failure(v) && !value_is_late(v))) return false;
    if (!value_is_grid(v)) return true;
    const int height = (int)value_obj(v)->n, width = (int)value_obj(v)->width;
    if ((p->turned ? width : height) != output->height) return false;
    if ((p->turned ? height : width) != output->width) return false;
    if (p->colors == ALL_COLORS) return true;
    if (last->below != p->below) *last = (Wanted){p->below, colors_wanted(value_obj(v), output)};
    return !(last->colors & ~p->colors);
}

// Each painted column asks for its colour, and what is below for itself.
void hope_ask_below(Sheet *s, const bool *eligible, uint32_t lane) {
    const Graph *g = s->graph;
    for (uint32_t column = g->first; column < graph_columns(g); column++) {
        if (!eligible[column]) continue;
        uint32_t color, at = column;
        for (; at >= g->first && way_of(g->nodes[at - g->first].op) != NOT_PAINTED;
             at = g->nodes[at - g->first].args[0])
            if (color_column(g, &g->nodes[at - g->first], &color)) sheet_need(s, color, lane);
        sheet_need(s, at, lane);
    }
}

void hope_ask_painted(Sheet *s, const bool *eligible, uint32_t lane, const ts_grid *output) {
    Wanted last = {.below = UINT32_MAX};
    for (uint32_t column = s->graph->first; column < graph_columns(s->graph); column++) {
        if (!eligible[column] || sheet_has_run(s, column, lane)) continue;
        const Painted p = seen_from_below(s, column, lane);
        if (!output || can_be(s, &p, lane, output, &last)) sheet_need(s, column, lane);
    }
}
