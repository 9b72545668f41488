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
        if (!arena_holds(&w->wave.run.arena, at[k].cells) && !arena_holds(&w->scratch, at[k].cells)) continue;
        size_t cells = (size_t)image_cells(&at[k]);
        int8_t *copy = arena_alloc(w->arena, cells);
        if (!copy) return false;
        memcpy(copy, value->at[k].cells, cells);
        at[k].cells = copy;
    }
    *kept = (Images){value->count, value->is_list, at};
    return true;
}

// Where a hash is in the table, or would be.
static inline size_t slot_of(const BankGraph *g, uint64_t hash) {
    size_t at = hash & (g->table_room - 1);
    while (g->table[at].node && g->table[at].hash != hash) at = (at + 1) & (g->table_room - 1);
    return at;
}

// The node that has a hash, -1 for none.
static inline int32_t find_hashed(const BankGraph *g, uint64_t hash) {
    return g->table_room ? (int32_t)g->table[slot_of(g, hash)].node - 1 : -1;
}

static int32_t add_hashed(Workshop *w, BankGraph *g, const Images *value, uint64_t hash, int depth) {
    const size_t at = slot_of(g, hash);
    if (g->table[at].node) return (int32_t)g->table[at].node - 1;
    BankNode node = {.depth = (uint8_t)depth};
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

// Where the children of a node are, by step; NULL where memory is short.
static inline int32_t *children_of(Workshop *w, BankGraph *g, int32_t node) {
    assert(node >= 0 && (size_t)node < g->count);
    BankNode *n = &g->nodes[node];
    if (n->children) return n->children;
    const size_t bytes = (size_t)w->step_count * sizeof *n->children;
    n->children = arena_alloc(w->arena, bytes);
    if (n->children) memset(n->children, CHILD_UNKNOWN, bytes);
    return n->children;
}

// ---- Waves ----

static WaveJob job_of(const Workshop *w, BankGraph *g, int32_t node, int step) {
    const BankStep *s = &w->steps[step];
    const Image *size = s->size < 0 ? NULL : &g->size[s->size];
    return (WaveJob){g->nodes[node].value, size, &g->nodes[node].held, s->fn, s->variant};
}

static int32_t units_of(const WaveJob *job) {
    return 50 + (int32_t)images_units(job->fn, &job->in, job->size);
}

void bank_wave_add(Workshop *w, BankGraph *graphs, int count, const int32_t *nodes, const uint8_t *steps,
                   int step_count) {
    BankWave *v = &w->wave;
    int32_t *rows[BANK_MOST_DEMOS];
    for (int k = 0; k < count; k++)
        if (!(rows[k] = children_of(w, &graphs[k], nodes[k]))) return;
    assert(v->count + (size_t)(count * step_count) <= v->room);
    for (int n = 0; n < step_count; n++) {
        for (int k = 0; k < count; k++) {
            int32_t *child = &rows[k][steps[n]];
            if (*child == CHILD_NONE) break; // it fails: the others are not asked for
            if (*child != CHILD_UNKNOWN) continue;
            WaveJob *job = &v->jobs[v->count];
            *job = job_of(w, &graphs[k], nodes[k], steps[n]);
            const int32_t units = units_of(job);
            *child = CHILD_JOB - (int32_t)v->count;
            v->units += units;
            v->whose[v->count++] = (struct BankJob){nodes[k], (uint8_t)k, steps[n], units};
        }
    }
}

// Whether nobody in this wave has asked for the image before.
static bool is_first(BankWave *v, uint8_t graph, uint64_t hash) {
    size_t at = (hash + graph) & (v->wanted_room - 1);
    for (; v->wanted_table[at].wave == v->number; at = (at + 1) & (v->wanted_room - 1))
        if (v->wanted_table[at].hash == hash && v->wanted_table[at].graph == graph) return false;
    v->wanted_table[at] = (struct WantedSlot){hash, v->number, graph};
    return true;
}

// Brings the cells of what a device has made and no graph has.
static void fetch_new(BankWave *v, const BankGraph *graphs) {
    size_t n = 0;
    v->number++;
    for (size_t k = 0; k < v->count; k++) {
        const uint8_t graph = v->whose[k].graph;
        if (v->results[k].status == WAVE_UNSEEN && find_hashed(&graphs[graph], v->results[k].hash) < 0 &&
            is_first(v, graph, v->results[k].hash))
            v->wanted[n++] = (uint32_t)k;
    }
    wave_fetch(&v->run, v->jobs, v->results, v->wanted, n);
}

void bank_wave_run(Workshop *w, const BankGraph *graphs) {
    BankWave *v = &w->wave;
    wave_run(&v->run, v->jobs, v->count, v->results);
    if (v->run.device) fetch_new(v, graphs);
}

void bank_wave_end(Workshop *w, BankGraph *graphs) {
    BankWave *v = &w->wave;
    for (size_t k = 0; k < v->count; k++) {
        const BankNode *node = &graphs[v->whose[k].graph].nodes[v->whose[k].node];
        int32_t *child = &node->children[v->whose[k].step];
        if (*child <= CHILD_JOB) *child = CHILD_UNKNOWN;
    }
    v->count = 0;
    v->units = 0;
}

// ---- Steps ----

// What a step makes of a node: from the wave, or run now, into *alone. NULL where it fails.
static inline const WaveResult *make_child(Workshop *w, BankGraph *g, int32_t node, int step, int32_t child,
                                           WaveResult *alone) {
    const WaveResult *made = NULL;
    if (child <= CHILD_JOB) {
        const size_t job = (size_t)(CHILD_JOB - child);
        made = &w->wave.results[job];
        w->units += w->wave.whose[job].units;
    }
    // An image that is unseen is known, or was to be known by now: by a step that failed on another demo.
    if (!made || made->status == WAVE_LEFT ||
        (made->status == WAVE_UNSEEN && find_hashed(g, made->hash) < 0)) {
        const WaveJob job = job_of(w, g, node, step);
        if (!made) w->units += units_of(&job);
        wave_run_one(&w->scratch, &job, alone);
        made = alone;
    }
    // Alone it is left only where memory is short.
    const bool is_made = made->status != WAVE_FAILED && made->status != WAVE_LEFT;
    return is_made && table_has_room(w, g) ? made : NULL;
}

bool bank_graphs_step(Workshop *w, BankGraph *graphs, int count, const int32_t *nodes, int step, int depth,
                      int32_t *made) {
    assert(step >= 0 && step < w->step_count && count <= BANK_MOST_DEMOS);
    WaveResult alone[BANK_MOST_DEMOS];
    const WaveResult *out[BANK_MOST_DEMOS];
    arena_reset(&w->scratch);
    // All look-ups wait for memory: so first all is made that is to be looked up.
    for (int k = 0; k < count; k++) {
        BankGraph *g = &graphs[k];
        int32_t *child = children_of(w, g, nodes[k]);
        if (!child) return false;
        w->units += 10;
        if ((made[k] = child[step]) == CHILD_NONE) return false;
        if (made[k] >= 0) continue;
        if (!(out[k] = make_child(w, g, nodes[k], step, made[k], &alone[k]))) {
            child[step] = CHILD_NONE;
            return false;
        }
        __builtin_prefetch(&g->table[out[k]->hash & (g->table_room - 1)]);
    }
    for (int k = 0; k < count; k++) {
        if (made[k] >= 0) continue;
        made[k] = out[k]->status == WAVE_SAME
                      ? nodes[k]
                      : add_hashed(w, &graphs[k], &out[k]->value, out[k]->hash, depth);
        if (made[k] < 0) return false;
        graphs[k].nodes[nodes[k]].children[step] = made[k];
    }
    return true;
}

int32_t bank_graph_step(Workshop *w, BankGraph *g, int32_t node, int step, int depth) {
    int32_t made;
    return bank_graphs_step(w, g, 1, &node, step, depth, &made) ? made : CHILD_NONE;
}
