// The graph of a sample; bank.h says what it is.
//
// Workload: some ten thousand nodes for each demo, a hundred thousand steps, most of which give what is known
// already. So a step works in a scratch arena, and what is new is moved to where it stays.
#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "bank/bank.h"

bool bank_array_room(Arena *a, void *array, size_t count, size_t *room, size_t item) {
    if (count < *room) return true;
    size_t more = *room ? *room * 2 : 256;
    while (more <= count) more *= 2;
    void *old, *new = arena_alloc(a, more * item);
    if (!new) return false;
    memcpy(&old, array, sizeof old);
    if (*room) memcpy(new, old, *room * item);
    memcpy(array, &new, sizeof new);
    *room = more;
    return true;
}

// Twice the room, with all nodes in their new places.
static bool grow_table(Workshop *w, BankGraph *g) {
    size_t room = g->table_room ? g->table_room * 2 : 1024;
    struct NodeSlot *table = arena_alloc(w->arena, room * sizeof *table);
    if (!table) return false;
    memset(table, 0, room * sizeof *table);
    for (size_t n = 0; n < g->table_room; n++) {
        if (!g->table[n].node) continue;
        size_t at = g->table[n].hash & (room - 1);
        while (table[at].node) at = (at + 1) & (room - 1);
        table[at] = g->table[n];
    }
    g->table = table;
    g->table_room = room;
    return true;
}

// A copy that lives as long as the graph, of what does not do so anyway.
static bool keep(Workshop *w, const Images *value, Images *kept) {
    Image *at = arena_alloc(w->arena, (size_t)value->count * sizeof *at);
    if (!at) return false;
    for (int k = 0; k < value->count; k++) {
        at[k] = value->at[k];
        if (!arena_holds(&w->scratch, at[k].cells)) continue;
        size_t cells = (size_t)image_cells(&at[k]);
        int8_t *copy = arena_alloc(w->arena, cells);
        if (!copy) return false;
        memcpy(copy, value->at[k].cells, cells);
        at[k].cells = copy;
    }
    *kept = (Images){value->count, value->is_list, at};
    return true;
}

static int32_t add_hashed(Workshop *w, BankGraph *g, const Images *value, uint64_t hash, int depth) {
    size_t at = hash & (g->table_room - 1);
    for (; g->table[at].node; at = (at + 1) & (g->table_room - 1))
        if (g->table[at].hash == hash) return (int32_t)g->table[at].node - 1;
    BankNode node = {.row = -1, .depth = (uint8_t)depth};
    if (!bank_array_room(w->arena, &g->nodes, g->count, &g->room, sizeof node) ||
        !keep(w, value, &node.value))
        return -1;
    g->nodes[g->count++] = node;
    g->table[at] = (struct NodeSlot){hash, (uint32_t)g->count};
    return (int32_t)g->count - 1;
}

static bool table_has_room(Workshop *w, BankGraph *g) {
    return g->count * 2 < g->table_room || grow_table(w, g);
}

int32_t bank_graph_add(Workshop *w, BankGraph *g, const Images *value, int depth) {
    return table_has_room(w, g) ? add_hashed(w, g, value, images_hash(value), depth) : -1;
}

static int32_t *children_of(Workshop *w, BankGraph *g, int32_t node) {
    assert(node >= 0 && (size_t)node < g->count);
    BankNode *n = &g->nodes[node];
    if (n->row < 0) {
        size_t width = (size_t)w->step_count;
        if (!bank_array_room(w->arena, &g->children, g->rows, &g->rows_room, width * sizeof *g->children))
            return NULL;
        n->row = (int32_t)g->rows++;
        memset(g->children + (size_t)n->row * width, CHILD_UNKNOWN, width * sizeof *g->children);
    }
    return g->children + (size_t)n->row * (size_t)w->step_count;
}

// Whether a step has given back the very image.
static bool is_same(const Images *in, const Images *out) {
    return !in->is_list && !out->is_list && !memcmp(in->at, out->at, sizeof *in->at);
}

bool bank_graphs_step(Workshop *w, BankGraph *graphs, int count, const int32_t *nodes, int step, int depth,
                      int32_t *made) {
    assert(step >= 0 && step < w->step_count && count <= BANK_MOST_DEMOS);
    const BankStep *s = &w->steps[step];
    Images out[BANK_MOST_DEMOS];
    uint64_t hash[BANK_MOST_DEMOS] = {0};
    bool same[BANK_MOST_DEMOS];
    arena_reset(&w->scratch);
    // All look-ups wait for memory: so first all is made that is to be looked up.
    for (int k = 0; k < count; k++) {
        BankGraph *g = &graphs[k];
        int32_t *child = children_of(w, g, nodes[k]);
        if (!child) return false;
        w->units += 10;
        if ((made[k] = child[step]) == CHILD_NONE) return false;
        if (made[k] != CHILD_UNKNOWN) continue;
        const Image *size = s->size < 0 ? NULL : &g->size[s->size];
        const Images *in = &g->nodes[nodes[k]].value;
        w->units += 50 + images_units(s->fn, in, size);
        if (!table_has_room(w, g) || !images_apply(&w->scratch, s->fn, s->variant, in, size, &out[k])) {
            child[step] = CHILD_NONE;
            return false;
        }
        if ((same[k] = is_same(in, &out[k]))) continue;
        hash[k] = images_hash(&out[k]);
        __builtin_prefetch(&g->table[hash[k] & (g->table_room - 1)]);
    }
    for (int k = 0; k < count; k++) {
        if (made[k] != CHILD_UNKNOWN) continue;
        made[k] = same[k] ? nodes[k] : add_hashed(w, &graphs[k], &out[k], hash[k], depth);
        if (made[k] < 0) return false;
        children_of(w, &graphs[k], nodes[k])[step] = made[k];
    }
    return true;
}

int32_t bank_graph_step(Workshop *w, BankGraph *g, int32_t node, int step, int depth) {
    int32_t made;
    return bank_graphs_step(w, g, 1, &node, step, depth, &made) ? made : CHILD_NONE;
}
