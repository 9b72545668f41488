#include "battery/sheet.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/threads.h"
#include "program/evaluator.h"

enum { UNIT_BYTES = 16 }; // at most, of what a unit buys: the smallest piece costs one

// ---- The seam, on the CPU ----

// Moves a result to where its lane keeps it. What it takes is counted so that it follows from the values
// alone: by its parts, but never more than the units can have bought.
static Value keep_result(const Operation *o, Ctx *c, Arena *to, unsigned lane, Value v) {
    const size_t most = UNIT_BYTES * ((size_t)o->units[lane] + 1);
    const Arena before = *to;
    size_t bytes = 0;
    v = value_move(to, &c->arena, v, most, &bytes);
    if (bytes > most) bytes = most;
    if (!value_is_failure(v) && bytes <= o->room - o->kept[lane]) {
        o->kept[lane] += bytes;
        return v;
    }
    arena_return(to, &before);
    o->late[lane] = true;
    return late_value(o->column);
}

void sheet_evaluate(const Operation *o, Ctx *c, Arena *const *lanes, const uint16_t *active, size_t n,
                    int64_t units) {
    for (size_t k = 0; k < n; k++) {
        unsigned lane = active[k];
        assert(lane < SHEET_WIDEST && o->n <= LINE_MOST_ARGS);
        Value a[LINE_MOST_ARGS];
        for (int arg = 0; arg < o->n; arg++) a[arg] = o->args[arg][lane];
        ctx_begin(c, units);
        Value v = line_run(c, o->op, o->callee[lane], a, o->n);
        // What fails may cost less than it has to be able to spend; alone, with less, it would fail with
        // `budget`.
        int64_t left = c->failure && c->foreseen < c->units ? c->foreseen : c->units, cost = units - left;
        o->units[lane] = (uint32_t)(cost > units ? units + 1 : cost);
        o->result[lane] =
            c->failure ? failure_value(c->failure, o->column) : keep_result(o, c, lanes[lane], lane, v);
    }
}

// ---- Running ----

static uint32_t add_units(uint32_t a, uint32_t b) { return a + b < a ? UINT32_MAX : a + b; }

// What ended with `budget` may have cost little, as a value that would be too heavy does. But no program goes
// on from there, not even one with choose: so it is charged more than any has.
static void charge_end(Sheet *s, uint32_t column, uint32_t lane) {
    const size_t at = (size_t)column * s->width + lane;
    if (s->values[at].bits == failure_value(TS_FAIL_BUDGET, column).bits)
        s->units[at] = (uint32_t)(s->options.units + 1);
}

static void add_bound(Sheet *s, const Node *node, uint32_t column, uint32_t lane) {
    charge_end(s, column, lane);
    uint32_t bound = s->units[(size_t)column * s->width + lane];
    if (node->op == LINE_CALLS_VALUE)
        bound = add_units(bound, s->bound[(size_t)node->callee * s->width + lane]);
    for (int arg = 0; arg < node->n; arg++)
        bound = add_units(bound, s->bound[(size_t)node->args[arg] * s->width + lane]);
    s->bound[(size_t)column * s->width + lane] = bound;
    if (bound <= s->options.limits.sure_units) return;
    s->values[(size_t)column * s->width + lane] = late_value(column);
    s->late[lane] = true;
}

static Operation operation_of(const Sheet *s, const Node *node, uint32_t column) {
    assert(column < graph_columns(s->graph) && node->callee < column);
    for (int arg = 0; arg < node->n; arg++) assert(node->args[arg] < column); // what was run before
    Operation o = {.op = node->op, .n = node->n, .column = column};
    o.callee = s->values + (size_t)node->callee * s->width;
    for (int arg = 0; arg < node->n; arg++) o.args[arg] = s->values + (size_t)node->args[arg] * s->width;
    o.result = s->values + (size_t)column * s->width;
    o.units = s->units + (size_t)column * s->width;
    o.kept = s->kept;
    o.room = s->options.limits.lane;
    o.late = s->late;
    return o;
}

static Value failure_of(const Operation *o, uint32_t lane) {
    Value a[LINE_MOST_ARGS];
    for (int arg = 0; arg < o->n; arg++) a[arg] = o->args[arg][lane];
    return line_failure(o->op, o->callee[lane], a, o->n);
}

// What the operation fails with because arguments have failed. Else a value whose bits are 0.
static Value failed_argument(const Operation *o, uint32_t lane) {
    if (o->op == LINE_CALLS_VALUE && value_is_failure(o->callee[lane])) return failure_of(o, lane);
    for (int arg = 0; arg < o->n; arg++)
        if (value_is_failure(o->args[arg][lane])) return failure_of(o, lane);
    return (Value){0};
}

// Whether this lane has to run the node; else its result is there already.
static bool has_to_run(Sheet *s, const Operation *o, uint32_t lane) {
    Value failed = failed_argument(o, lane);
    if (!failed.bits && s->over[lane]) failed = failure_value(TS_FAIL_BUDGET, o->column);
    if (failed.bits) {
        o->units[lane] = 0;
        o->result[lane] = failed;
        return false;
    }
    return true;
}

static void after_run(Sheet *s, const Operation *o, uint32_t lane) {
    s->spent[lane] += o->units[lane];
    if (s->spent[lane] > s->options.lane_units) s->over[lane] = true;
}

bool sheet_ends(Sheet *s) {
    s->stopped = threads_stopped(s->options.stop) || (s->options.end > 0 && clock_ms() > s->options.end);
    return s->stopped;
}

static void run_node(Sheet *s, uint32_t k) {
    const Node *node = &s->graph->nodes[k];
    Operation o = operation_of(s, node, s->graph->first + k);
    uint8_t *needed = s->narrow ? s->needed + (size_t)o.column * s->width : NULL;
    size_t n = 0;
    for (uint32_t i = 0; i < s->lanes; i++) {
        uint16_t lane = s->lane[i];
        if (needed && needed[lane] != SHEET_NEEDED) continue;
        if (needed) needed[lane] = SHEET_RUN;
        if (has_to_run(s, &o, lane)) s->active[n++] = lane;
    }
    if (n) {
        profile_lap(s->profile, PROFILE_LOOKUP, s->lanes);
        sheet_evaluate(&o, &s->scratch, s->arenas, s->active, n, s->options.units);
        profile_lap(s->profile, o.op == LINE_CALLS_VALUE ? PROFILE_CALL : (unsigned)o.op, n);
        s->counts.evaluated += n;
        for (size_t i = 0; i < n; i++) after_run(s, &o, s->active[i]);
        sheet_ends(s);
        if (s->deadline > 0 && clock_ms() > s->deadline)
            for (uint32_t i = 0; i < s->lanes; i++) s->over[s->lane[i]] = true;
    }
    for (uint32_t i = 0; i < s->lanes; i++) add_bound(s, node, o.column, s->lane[i]);
}

// Runs a node in the first lane only, whatever that one has spent, and copies the result to the others.
static void run_once(Sheet *s, uint32_t k) {
    uint32_t lanes = s->lanes;
    bool over = s->over[s->lane[0]];
    s->lanes = 1;
    s->over[s->lane[0]] = false;
    run_node(s, k);
    s->over[s->lane[0]] |= over;
    s->lanes = lanes;
    size_t column = (size_t)(s->graph->first + k) * s->width, from = column + s->lane[0];
    for (uint32_t i = 1; i < lanes; i++) {
        s->values[column + s->lane[i]] = s->values[from];
        s->units[column + s->lane[i]] = s->units[from];
        s->bound[column + s->lane[i]] = s->bound[from];
    }
    s->counts.shared += lanes - 1;
}

void sheet_begin(Sheet *s) {
    s->lanes = 0;
    for (uint32_t k = 0; k < s->listed; k++)
        memset(s->needed + (size_t)(s->graph->first + s->list[k]) * s->width, 0, s->width);
    s->listed = 0;
    s->narrow = false;
}

void sheet_give(Sheet *s, uint32_t lane, Arena *arena, Value samples, Value input, Value candidate) {
    const Value given[SLOTS_GIVEN] = {samples, input, candidate};
    s->lane[s->lanes++] = (uint16_t)lane;
    s->counts.nodes += s->graph->count;
    s->arenas[lane] = arena;
    s->spent[lane] = 0;
    s->kept[lane] = 0;
    s->over[lane] = false;
    for (uint32_t column = 0; column < SLOTS_GIVEN; column++)
        s->values[(size_t)column * s->width + lane] = given[column];
    s->late[lane] = s->fixed_late_count > 0;
    for (uint32_t k = 0; k < s->fixed_late_count; k++)
        s->values[(size_t)s->fixed_late[k] * s->width + lane] = late_value(s->fixed_late[k]);
}

void sheet_narrow(Sheet *s) {
    if (!s->narrow) s->stamp++;
    s->narrow = true;
}

void sheet_need(Sheet *s, uint32_t column, uint32_t lane) {
    const Graph *g = s->graph;
    sheet_narrow(s);
    if (column < g->first) return;
    uint8_t *needed = &s->needed[(size_t)column * s->width + lane];
    if (!*needed) *needed = SHEET_NEEDED;
    s->stamps[column] = s->stamp;
}

// Lists the nodes that any lane needs, from front to back, and marks for which lanes. What a node needs
// stands before it.
static void complete_list(Sheet *s) {
    const Graph *g = s->graph;
    for (uint32_t k = g->count; k-- > 0;) {
        if (s->stamps[g->first + k] != s->stamp) continue;
        const Node *node = &g->nodes[k];
        const uint8_t *needed = s->needed + (size_t)(g->first + k) * s->width;
        for (int arg = node->op == LINE_CALLS_VALUE ? -1 : 0; arg < node->n; arg++) {
            uint32_t below = arg < 0 ? node->callee : node->args[arg];
            if (below < g->first) continue;
            s->stamps[below] = s->stamp;
            uint8_t *to = s->needed + (size_t)below * s->width;
            for (uint32_t i = 0; i < s->lanes; i++)
                if (needed[s->lane[i]] == SHEET_NEEDED && !to[s->lane[i]]) to[s->lane[i]] = SHEET_NEEDED;
        }
    }
    s->listed = 0;
    for (uint32_t k = 0; k < g->count; k++)
        if (s->stamps[g->first + k] == s->stamp) s->list[s->listed++] = k;
}

// A node that is the same in every lane has its values already.
static void count_fixed(Sheet *s, uint32_t k) {
    uint8_t *needed = s->needed + (size_t)(s->graph->first + k) * s->width;
    for (uint32_t i = 0; i < s->lanes; i++) {
        if (s->narrow && needed[s->lane[i]] != SHEET_NEEDED) continue;
        needed[s->lane[i]] = SHEET_RUN;
        s->counts.shared++;
    }
}

static void run_any(Sheet *s, uint32_t k) {
    uint8_t needs = s->graph->nodes[k].needs;
    if (needs & (uint8_t)~s->alike) run_node(s, k);
    else if (needs) run_once(s, k);
    else count_fixed(s, k);
}

void sheet_run(Sheet *s) {
    const Graph *g = s->graph;
    sheet_ends(s);
    if (s->options.lane_ms > 0) s->deadline = clock_ms() + s->options.lane_ms * s->lanes;
    if (s->narrow) {
        complete_list(s);
        for (uint32_t k = 0; k < s->listed && !s->stopped; k++) run_any(s, s->list[k]);
        return;
    }
    for (uint32_t k = 0; k < g->count && !s->stopped; k++) run_any(s, k);
}

// ---- Charging ----

bool sheet_affords(Sheet *s, uint32_t column, uint32_t lane) {
    if (s->bound[(size_t)column * s->width + lane] <= s->options.units) return true; // also what is given
    const Graph *g = s->graph;
    uint32_t depth = 0;
    int64_t sum = 0;
    s->stack[depth++] = column;
    s->stamps[column] = ++s->stamp;
    while (depth && sum <= s->options.units) {
        uint32_t at = s->stack[--depth];
        const Node *node = &g->nodes[at - g->first];
        sum += s->units[(size_t)at * s->width + lane];
        for (int arg = node->op == LINE_CALLS_VALUE ? -1 : 0; arg < node->n; arg++) {
            uint32_t below = arg < 0 ? node->callee : node->args[arg];
            if (below < g->first || s->stamps[below] == s->stamp) continue;
            s->stamps[below] = s->stamp;
            s->stack[depth++] = below;
        }
    }
    return sum <= s->options.units;
}

// ---- Making a sheet ----

// Constants, and nodes made of nothing else, are filled into all lanes once.
static void fill_fixed(Sheet *s) {
    const Graph *g = s->graph;
    Arena *fixed = &s->fixed;
    for (uint32_t column = SLOTS_GIVEN; column < graph_columns(g); column++) {
        size_t at = (size_t)column * s->width;
        if (column < g->first) s->values[at] = g->draft.constants[column - SLOTS_GIVEN];
        else if (g->nodes[column - g->first].needs) continue;
        else {
            Operation o = operation_of(s, &g->nodes[column - g->first], column);
            o.room = s->options.limits.fixed;
            Value failed = failed_argument(&o, 0);
            if (failed.bits) s->values[at] = failed;
            else {
                sheet_evaluate(&o, &s->scratch, &fixed, (const uint16_t[]){0}, 1, s->options.units);
                if (sheet_ends(s)) return;
            }
            add_bound(s, &g->nodes[column - g->first], column, 0);
            if (value_is_late(s->values[at])) s->fixed_late[s->fixed_late_count++] = column;
        }
        for (uint32_t lane = 1; lane < s->width; lane++) {
            s->values[at + lane] = s->values[at];
            s->units[at + lane] = s->units[at];
            s->bound[at + lane] = s->bound[at];
        }
    }
}

uint32_t sheet_sure_units(uint64_t units) {
    const uint32_t sure = (uint32_t)((EVALUATOR_MEMORY - ((size_t)64 << 20)) / (2 * UNIT_BYTES));
    return units > sure ? sure : UINT32_MAX;
}

bool sheet_init(Sheet *s, const Graph *g, uint32_t width, const SheetOptions *options, Profile *profile) {
    *s = (Sheet){.graph = g, .options = *options, .width = width, .profile = profile};
    size_t columns = graph_columns(g), places = columns * width;
    s->values = calloc(places, sizeof *s->values);
    s->units = calloc(places, sizeof *s->units);
    s->bound = calloc(places, sizeof *s->bound);
    s->needed = calloc(places, 1);
    s->list = malloc((g->count + 1) * sizeof *s->list);
    s->arenas = calloc(width, sizeof(Arena *));
    s->spent = calloc(width, sizeof *s->spent);
    s->kept = calloc(width, sizeof *s->kept);
    s->over = calloc(width, sizeof *s->over);
    s->late = calloc(width, sizeof *s->late);
    s->lane = calloc(width, sizeof *s->lane);
    s->active = calloc(width, sizeof *s->active);
    s->stamps = calloc(columns, sizeof *s->stamps);
    s->stack = malloc(columns * sizeof *s->stack);
    s->fixed_late = malloc((g->count + 1) * sizeof *s->fixed_late);
    arena_init(&s->fixed, arena_room(options->limits.fixed));
    arena_init(&s->scratch.arena, EVALUATOR_MEMORY);
    s->scratch.plain = options->plain;
    s->scratch.stop = options->stop;
    s->scratch.profile = profile;
    bool good = s->values && s->units && s->bound && s->needed && s->list && s->arenas && s->spent &&
                s->kept && s->over && s->late && s->lane && s->active && s->stamps && s->stack &&
                s->fixed_late;
    if (good) fill_fixed(s);
    return good;
}

void sheet_free(Sheet *s) {
    arena_free(&s->fixed);
    arena_free(&s->scratch.arena);
    free(s->values);
    free(s->units);
    free(s->bound);
    free(s->needed);
    free(s->list);
    free(s->arenas);
    free(s->spent);
    free(s->kept);
    free(s->over);
    free(s->late);
    free(s->fixed_late);
    free(s->alone);
    free(s->lane);
    free(s->active);
    free(s->stamps);
    free(s->stack);
}
