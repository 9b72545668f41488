#include "battery/graph.h"

#include <assert.h>
#include <stdlib.h>

// ---- Laying out ----

static uint32_t column_of(const Graph *g, Ref r) {
    switch (ref_kind(r)) {
    case REF_GIVEN: return ref_index(r);
    case REF_CONSTANT: return SLOTS_GIVEN + ref_index(r);
    default: return g->first + ref_index(r);
    }
}

static uint8_t needs_of(const Graph *g, uint32_t column) {
    if (column < SLOTS_GIVEN) return (uint8_t)(1 << column);
    return column < g->first ? 0 : g->nodes[column - g->first].needs;
}

// Counts the lines below a node: a walk with a mark on those that were met.
static uint32_t count_lines(const Graph *g, uint32_t k, uint32_t *met, uint32_t *stack) {
    uint32_t depth = 0, size = 0;
    stack[depth++] = k;
    met[k] = k + 1;
    while (depth) {
        const Node *node = &g->nodes[stack[--depth]];
        size++;
        for (int arg = node->op == LINE_CALLS_VALUE ? -1 : 0; arg < node->n; arg++) {
            uint32_t column = arg < 0 ? node->callee : node->args[arg];
            if (column < g->first || met[column - g->first] == k + 1) continue;
            met[column - g->first] = k + 1;
            stack[depth++] = column - g->first;
        }
    }
    return size;
}

// From the line of the draft; all nodes before this one have been laid out.
static void lay_out_node(Graph *g, uint32_t k, uint32_t *met, uint32_t *stack) {
    const DraftLine *l = &g->draft.lines[k];
    Node *node = &g->nodes[k];
    uint32_t below = 0; // a node that it takes
    bool several = false;
    *node = (Node){.op = l->op, .n = l->n};
    for (int arg = l->op == LINE_CALLS_VALUE ? -1 : 0; arg < l->n; arg++) {
        uint32_t column = column_of(g, arg < 0 ? l->callee : l->args[arg]);
        *(arg < 0 ? &node->callee : &node->args[arg]) = column;
        node->needs |= needs_of(g, column);
        if (column < g->first) continue;
        several |= below && below != column;
        below = column;
    }
    node->size = several ? count_lines(g, k, met, stack) : 1 + node_size(g, below);
}

static bool lay_out_nodes(Graph *g) {
    g->first = SLOTS_GIVEN + g->draft.constant_count;
    g->count = g->draft.line_count;
    g->nodes = malloc((g->count + 1) * sizeof *g->nodes);
    uint32_t *met = calloc(g->count + 1, sizeof *met), *stack = malloc((g->count + 1) * sizeof *stack);
    bool good = g->nodes && met && stack;
    for (uint32_t k = 0; good && k < g->count; k++) lay_out_node(g, k, met, stack);
    free(met);
    free(stack);
    return good;
}

// Turns what the members' lines and results have become into columns. Nodes are in the order in which the
// members first needed them.
static void place_members(Graph *g) {
    uint32_t *column = g->member_columns, next = 0;
    for (uint32_t m = 0; m < g->member_count; m++) {
        Member *member = &g->members[m];
        member->columns = column;
        member->result = column_of(g, member->result);
        for (uint32_t k = 0; k < member->program->line_count; k++, column++) {
            if (*column == next) g->nodes[next++].member = m;
            *column += g->first;
        }
    }
}

// Takes in a member: its columns and its result are at first what they are in the draft.
static void add_member(Graph *g, const Program *p, DraftSlot *slots, uint32_t *columns) {
    draft_program(&g->draft, p, slots);
    g->members[g->member_count++] = (Member){.program = p, .result = slots[p->result].ref};
    for (uint32_t k = 0; k < p->line_count; k++)
        columns[k] = ref_index(slots[program_slot_of_line(p, k)].ref);
}

bool graph_make(Graph *g, const ts_programs *programs, bool share) {
    *g = (Graph){.draft.keeps_equal = !share};
    size_t longest = 0;
    for (size_t m = 0; m < programs->count; m++) {
        const Program *p = &programs->programs[m];
        g->lines += p->line_count;
        if (program_slots(p) > longest) longest = program_slots(p);
    }
    g->members = malloc((programs->count + 1) * sizeof *g->members);
    g->member_columns = malloc((size_t)(g->lines + 1) * sizeof *g->member_columns);
    DraftSlot *slots = malloc((longest + 1) * sizeof *slots);
    bool good = g->members && g->member_columns && slots;
    uint32_t *columns = g->member_columns;
    for (size_t m = 0; good && m < programs->count; m++) {
        const Program *p = &programs->programs[m];
        add_member(g, p, slots, columns);
        columns += p->line_count;
        good = !g->draft.failed;
    }
    free(slots);
    if (!good || !lay_out_nodes(g)) return false;
    place_members(g);
    return true;
}

void graph_free(Graph *g) {
    draft_free(&g->draft);
    free(g->nodes);
    free(g->members);
    free(g->member_columns);
}

uint32_t graph_member(const Graph *g, uint32_t column) {
    if (column >= g->first) return g->nodes[column - g->first].member;
    uint32_t m = 0;
    while (m + 1 < g->member_count && g->members[m].result != column) m++;
    return m;
}

// ---- Cutting out ----

bool graph_cut(Graph *g, Ctx *c, uint32_t column, Program *p) {
    assert(column < graph_columns(g));
    Ref r = column < SLOTS_GIVEN ? ref_make(REF_GIVEN, column)
            : column < g->first  ? ref_make(REF_CONSTANT, column - SLOTS_GIVEN)
                                 : ref_make(REF_LINE, column - g->first);
    *p = (Program){.name = "solve", .takes_samples = needs_of(g, column) & (NEEDS_S | NEEDS_C)};
    return draft_finish(&g->draft, c, r, p);
}
