#include "battery/graph.h"

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

static void lay_out_node(Graph *g, uint32_t k) {
    const DraftLine *l = &g->draft.lines[k];
    Node *node = &g->nodes[k];
    *node = (Node){.op = l->op, .n = l->n};
    if (l->op == LINE_CALLS_VALUE) {
        node->callee = column_of(g, l->callee);
        node->needs |= needs_of(g, node->callee);
    }
    for (int arg = 0; arg < l->n; arg++) {
        node->args[arg] = column_of(g, l->args[arg]);
        node->needs |= needs_of(g, node->args[arg]);
    }
}

// Counts the lines below each node: a walk with a mark on those that were met.
static bool count_sizes(Graph *g) {
    uint32_t *met = calloc(g->count + 1, sizeof *met), *stack = malloc((g->count + 1) * sizeof *stack);
    bool good = met && stack;
    for (uint32_t k = 0; good && k < g->count; k++) {
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
        g->nodes[k].size = size;
    }
    free(met);
    free(stack);
    return good;
}

// Turns what the lines of the members have become into columns.
static void place_members(Graph *g, const Ref *results, const uint32_t *lines) {
    uint32_t *columns = g->member_columns;
    for (uint32_t m = 0; m < g->member_count; m++) {
        Member *member = &g->members[m];
        member->columns = columns;
        member->result = column_of(g, results[m]);
        for (uint32_t k = 0; k < member->program->line_count; k++, lines++) {
            Node *node = &g->nodes[*lines];
            *columns++ = g->first + *lines;
            if (node->size == 0) node->member = m;
            node->size = 1; // met; counted anew below
        }
    }
}

bool graph_make(Graph *g, const ts_programs *programs, bool share) {
    *g = (Graph){.draft.keeps_equal = !share};
    uint32_t count = (uint32_t)programs->count;
    size_t longest = 0;
    for (uint32_t m = 0; m < count; m++) {
        const Program *p = &programs->programs[m];
        g->lines += p->line_count;
        if (program_slots(p) > longest) longest = program_slots(p);
    }
    g->members = calloc(count + 1, sizeof *g->members);
    g->member_columns = malloc((g->lines + 1) * sizeof *g->member_columns);
    Ref *results = malloc((count + 1) * sizeof *results), *refs = malloc((longest + 1) * sizeof *refs);
    uint32_t *lines = malloc((g->lines + 1) * sizeof *lines), *at = lines;
    bool good = g->members && g->member_columns && results && refs && lines;
    for (uint32_t m = 0; good && m < count; m++) {
        const Program *p = &programs->programs[m];
        g->members[g->member_count++].program = p;
        draft_program(&g->draft, p, refs);
        results[m] = refs[p->result];
        for (uint32_t k = 0; k < p->line_count; k++) *at++ = ref_index(refs[program_slot_of_line(p, k)]);
        good = !g->draft.failed;
    }
    if (good) {
        g->first = SLOTS_GIVEN + g->draft.constant_count;
        g->count = g->draft.line_count;
        g->nodes = malloc((g->count + 1) * sizeof *g->nodes);
        good = g->nodes != NULL;
    }
    if (good) {
        for (uint32_t k = 0; k < g->count; k++) lay_out_node(g, k);
        place_members(g, results, lines);
        good = count_sizes(g);
    }
    free(results);
    free(refs);
    free(lines);
    return good;
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
    Ref r = column < SLOTS_GIVEN ? ref_make(REF_GIVEN, column)
            : column < g->first  ? ref_make(REF_CONSTANT, column - SLOTS_GIVEN)
                                 : ref_make(REF_LINE, column - g->first);
    *p = (Program){.name = "solve", .takes_samples = needs_of(g, column) & (NEEDS_S | NEEDS_C)};
    return draft_finish(&g->draft, c, r, p);
}
