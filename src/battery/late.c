// What did not fit into a lane: it is run again, a program's nodes at a time, in memory that is given back
// after each. The nodes that one program brought into the graph stand together, so a walk over the columns
// meets them one after the other.
//
// At first all late nodes of a program are run together, as it would run them alone: in one context, with the
// units of one program. Whatever they gave before units or memory ended, each of them gives alone. What is
// left is run by itself, with only what it needs; and if its units or memory end, then they do so alone.
#include <stdlib.h>

#include "base/clock.h"
#include "battery/sheet.h"

static bool is_asked(const Sheet *s, uint32_t column, uint32_t lane) {
    const size_t at = (size_t)column * s->width + lane;
    return value_is_late(s->values[at]) && (!s->narrow || s->needed[at]);
}

// Marks a column and all that it needs.
static void mark(Sheet *s, uint32_t column) {
    const Graph *g = s->graph;
    uint32_t depth = 0;
    if (s->stamps[column] == s->stamp) return;
    s->stack[depth++] = column;
    s->stamps[column] = s->stamp;
    while (depth) {
        uint32_t at = s->stack[--depth];
        const Node *node = &g->nodes[at - g->first];
        s->alone[at] = late_value(at);
        for (int arg = node->op == LINE_CALLS_VALUE ? -1 : 0; arg < node->n; arg++) {
            uint32_t below = arg < 0 ? node->callee : node->args[arg];
            if (below < g->first || s->stamps[below] == s->stamp) continue;
            s->stamps[below] = s->stamp;
            s->stack[depth++] = below;
        }
    }
}

// Runs a node on what was run before it; a failed argument fails it.
static Value run_alone(Sheet *s, const Node *node, uint32_t column, uint32_t lane) {
    Ctx *c = &s->scratch;
    Value args[1 + LINE_MOST_ARGS] = {{0}}; // the callee first
    for (int arg = node->op == LINE_CALLS_VALUE ? -1 : 0; arg < node->n; arg++) {
        uint32_t below = arg < 0 ? node->callee : node->args[arg];
        args[1 + arg] = below < s->graph->first ? sheet_value(s, below, lane) : s->alone[below];
    }
    Value v = line_failure(node->op, args[0], args + 1, node->n);
    if (v.bits) return v;
    c->foreseen = c->units;
    v = line_run(c, node->op, args[0], args + 1, node->n);
    profile_lap(c->profile, node->op == LINE_CALLS_VALUE ? PROFILE_CALL : (unsigned)node->op, 1);
    return c->failure ? failure_value(c->failure, column) : v;
}

// Runs the marked nodes in the order in which the program has them. One that fails takes nothing from the
// others, but where units or memory end the rest stays late.
static void run_marked(Sheet *s, const Member *m, uint32_t lane) {
    const Graph *g = s->graph;
    Ctx *c = &s->scratch;
    ctx_begin(c, s->options.units);
    for (uint32_t k = 0; k < m->program->line_count && c->failure != TS_FAIL_BUDGET; k++) {
        uint32_t column = m->columns[k];
        if (s->stamps[column] != s->stamp) continue;
        Value v = run_alone(s, &g->nodes[column - g->first], column, lane);
        if (c->failure == TS_FAIL_BUDGET) break;
        s->alone[column] = v;
        if (c->failure) ctx_forgive(c);
    }
    s->spent[lane] += ctx_spent(c, s->options.units);
    if (s->spent[lane] > s->options.lane_units || (s->deadline > 0 && clock_ms() > s->deadline))
        s->over[lane] = true;
    sheet_ends(s);
}

static void settle(Sheet *s, uint32_t column, uint32_t lane, SheetKeep *keep, void *user) {
    const size_t at = (size_t)column * s->width + lane;
    if (value_is_failure(s->alone[column])) return;
    s->values[at] = keep(user, lane, s->alone[column]);
    s->units[at] = s->bound[at] = 0; // it was affordable
}

static bool has_failed_argument(const Sheet *s, uint32_t column, uint32_t lane) {
    const Node *node = &s->graph->nodes[column - s->graph->first];
    if (node->op == OP_choose) return false; // it may do without
    for (int arg = node->op == LINE_CALLS_VALUE ? -1 : 0; arg < node->n; arg++)
        if (value_is_failure(sheet_value(s, arg < 0 ? node->callee : node->args[arg], lane))) return true;
    return false;
}

// The columns from `first` to `end` are those that a program brought.
static void settle_member(Sheet *s, const Member *m, uint32_t first, uint32_t end, uint32_t lane,
                          SheetKeep *keep, void *user) {
    bool any = false;
    s->stamp++;
    for (uint32_t column = first; column < end; column++) {
        if (!is_asked(s, column, lane)) continue;
        mark(s, column);
        any = true;
    }
    if (!any) return;
    run_marked(s, m, lane);
    for (uint32_t column = first; column < end; column++)
        if (is_asked(s, column, lane)) settle(s, column, lane, keep, user);
    for (uint32_t column = first; column < end && !s->over[lane] && !s->stopped; column++) {
        bool left = is_asked(s, column, lane) && value_is_late(s->alone[column]);
        // By now what is late below it has failed.
        if (!left || has_failed_argument(s, column, lane)) continue;
        s->stamp++;
        mark(s, column);
        run_marked(s, m, lane);
        settle(s, column, lane, keep, user);
    }
}

bool sheet_settle(Sheet *s, uint32_t lane, SheetKeep *keep, void *user) {
    const Graph *g = s->graph;
    if (!s->late[lane]) return true;
    if (!s->alone && !(s->alone = malloc(graph_columns(g) * sizeof *s->alone))) return false;
    for (uint32_t first = 0, end; first < g->count && !s->over[lane] && !s->stopped; first = end) {
        const uint32_t member = g->nodes[first].member;
        for (end = first + 1; end < g->count && g->nodes[end].member == member;) end++;
        settle_member(s, &g->members[member], g->first + first, g->first + end, lane, keep, user);
    }
    return true;
}
