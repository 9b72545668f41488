// A worker of a battery: takes chunks of tasks and runs them stage by stage.
//
// Stage k is the k-th sample of each task of the chunk, a lane for each task: the demos first, then the
// tests. In the first stage all nodes are run, and each that gives a grid is a candidate. After each stage
// its Candidate says what it has come to: how many demos right, a hash over its grids, its score. What has
// missed a demo is not asked for in the stages to come (unless full scores are wanted), so only what is still
// right, and what that needs, is run there; a task of which nothing is left is done.
//
// A lane depends on its task alone, never on its neighbours, so chunks and threads change nothing. Where its
// values do not fit into its memory some are late (sheet.h): of these a lane keeps what counts of a
// candidate, its grid if that can be an answer.
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "battery/battery.h"
#include "battery/hope.h"
#include "battery/points.h"
#include "program/evaluator.h"
#include "task/task.h"

typedef struct {
    uint64_t key; // hash over the grids so far
    uint32_t column;
    uint32_t right, tests; // demos, tests
    uint32_t demos;        // with a grid
    uint32_t entry;        // of its grid in this stage; GRIDS_NONE for none
    int32_t score;
    bool missed; // a demo
} Candidate;

// A distinct answer of a task while its candidates are gathered.
typedef struct {
    const Candidate *best; // of those that agree the one with the fewest lines
    uint32_t agreeing;
} Answer;

typedef struct {
    Ctx ctx;
    Grids grids;
    const ts_task *task;
    Value samples, expected;
    Candidate *candidates;
    uint32_t count;
    int stage; // under way
} Lane;

struct Worker {
    ts_battery *b;
    Sheet sheet, differs;
    Ctx scores;       // of the differs
    Profile *profile; // NULL: off
    Lane *lanes;
    size_t first_task;
    Answer *answers;
    uint32_t *answer_table, answer_mask;
    ts_engine *alone;
    ts_battery_counts counts;
    bool failed; // memory has run out
};

// ---- Making one ----

// Of every column at most one grid that can be an answer is kept beside the values.
enum { ANSWER_BYTES = sizeof(Obj) + GRID_TASK_SIDE * GRID_TASK_SIDE };

static bool init_lane(Lane *lane, const ts_battery *b) {
    arena_init(&lane->ctx.arena,
               arena_room(b->limits.lane + (size_t)graph_columns(&b->graph) * ANSWER_BYTES));
    lane->ctx.plain = b->options.plain;
    lane->candidates = malloc(graph_columns(&b->graph) * sizeof *lane->candidates);
    return grids_init(&lane->grids) && lane->candidates;
}

static bool init(Worker *w) {
    ts_battery *b = w->b;
    SheetOptions options = {.units = (int64_t)b->options.units,
                            .lane_units = (int64_t)b->options.lane_units,
                            .lane_ms = b->options.lane_seconds * 1000,
                            .limits = b->limits,
                            .end = b->end,
                            .stop = b->options.stop,
                            .plain = b->options.plain};
    if (b->options.profile && !(w->profile = calloc(1, sizeof *w->profile))) return false;
    uint32_t columns = graph_columns(&b->graph), room = 64;
    while (room < columns * 2) room *= 2;
    w->answer_mask = room - 1;
    w->answers = malloc(columns * sizeof *w->answers);
    w->answer_table = malloc(room * sizeof *w->answer_table);
    w->alone = ts_engine_new();
    arena_init(&w->scores.arena, differs_room(&b->differ_limits));
    w->lanes = calloc(b->chunk, sizeof *w->lanes);
    bool good = w->answers && w->answer_table && w->alone && w->lanes &&
                sheet_init(&w->sheet, &b->graph, b->chunk, &options, w->profile) &&
                (!b->differs.member_count ||
                 differs_init(&w->differs, &b->differs, &b->differ_limits, options.plain, w->profile));
    for (uint32_t k = 0; good && k < b->chunk; k++) good = init_lane(&w->lanes[k], b);
    if (!good) return false;
    ts_engine_set_units(w->alone, b->options.units);
    ts_engine_set_plain(w->alone, options.plain);
    ts_engine_set_stop(w->alone, options.stop);
    w->differs.scratch.stop = options.stop;
    return true;
}

Profile *worker_profile(Worker *w) { return w->profile; }

Worker *worker_new(ts_battery *b) {
    Worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->b = b;
    if (init(w)) return w;
    worker_free(w);
    return NULL;
}

void worker_free(Worker *w) {
    if (!w) return;
    sheet_free(&w->sheet);
    sheet_free(&w->differs);
    arena_free(&w->scores.arena);
    for (uint32_t k = 0; w->lanes && k < w->b->chunk; k++) {
        arena_free(&w->lanes[k].ctx.arena);
        grids_free(&w->lanes[k].grids);
        free(w->lanes[k].candidates);
    }
    free(w->lanes);
    free(w->answers);
    free(w->answer_table);
    ts_engine_free(w->alone);
    free(w->profile);
    free(w);
}

// ---- What is late ----

// Instead of a late value a column has the entry of its grid, or nothing at all.
static Value value_of_entry(uint32_t entry) { return value_from(TAG_NONE, (uint64_t)entry + 1); }
static bool value_is_entry(Value v) { return value_tag(v) == TAG_NONE && v.bits >> 8; }

static Value keep_late(void *user, uint32_t lane, Value v) {
    Worker *w = user;
    Lane *l = &w->lanes[lane];
    const ts_sample *sample = &l->task->samples[l->stage];
    size_t bytes = 0;
    if (!value_is_grid(v)) return VALUE_NONE;
    if (points_comparable(value_obj(v), l->grids.side))
        v = value_move(&l->ctx.arena, &w->sheet.scratch.arena, v, VALUE_MOVE_ENOUGH, &bytes);
    uint32_t entry = value_is_failure(v)
                         ? GRIDS_NONE
                         : grids_find_new(&l->grids, v, sample->has_output ? &sample->output : NULL);
    w->failed |= entry == GRIDS_NONE;
    return entry == GRIDS_NONE ? VALUE_NONE : value_of_entry(entry);
}

static bool gives_grid(Value v) { return value_is_grid(v) || value_is_entry(v); }

// The entry of what a column gave, which is a grid.
static uint32_t entry_of(Worker *w, uint32_t lane, Value v, const ts_sample *sample) {
    if (value_is_entry(v)) return (uint32_t)(v.bits >> 8) - 1;
    uint32_t entry = grids_find(&w->lanes[lane].grids, v, sample->has_output ? &sample->output : NULL);
    w->failed |= entry == GRIDS_NONE;
    return entry;
}

// ---- What a stage gave ----

static uint8_t failure_alone(Worker *w, const Member *m, uint32_t lane, int stage) {
    size_t program = (size_t)(m->program - w->b->programs->programs);
    ts_result r = ts_run_sample(w->alone, w->b->programs, program, w->lanes[lane].task, stage);
    w->failed |= ts_engine_starved(w->alone);
    return outcome_failed(r.failure ? r.failure : TS_FAIL_BUDGET);
}

// What a program is charged where it ran alone; where a failing line and the end of the units fall together,
// running it alone decides which comes first. So it does where the program was late and failed, its lines may
// stand in another order than the columns; and where it goes on after a line that fails.
static uint8_t failed_outcome(Worker *w, const Member *m, uint32_t lane, int stage) {
    const Sheet *s = &w->sheet;
    Value v = sheet_value(s, m->result, lane);
    int64_t sum = 0, limit = s->options.units;
    if (value_is_late(v))
        return s->over[lane] ? outcome_failed(TS_FAIL_BUDGET) : failure_alone(w, m, lane, stage);
    if (failure_kind(v) == TS_FAIL_BUDGET || s->bound[(size_t)m->result * s->width + lane] <= limit)
        return outcome_failed(failure_kind(v));
    if (m->program->forgives) return failure_alone(w, m, lane, stage);
    for (uint32_t k = 0; k < m->program->line_count; k++) {
        bool is_origin = m->columns[k] == failure_place(v);
        sum += s->units[(size_t)m->columns[k] * s->width + lane];
        if (sum > limit && is_origin) return failure_alone(w, m, lane, stage);
        if (sum > limit) return outcome_failed(TS_FAIL_BUDGET);
        if (is_origin) break;
    }
    return outcome_failed(failure_kind(v));
}

static bool is_right(Worker *w, uint32_t lane, Value v, const ts_sample *sample) {
    if (value_is_entry(v)) return w->lanes[lane].grids.entries[entry_of(w, lane, v, sample)].right;
    return value_is_grid(v) && grids_same(value_obj(v), &sample->output);
}

static uint8_t outcome_of(Worker *w, const Member *m, uint32_t lane, int stage) {
    const ts_sample *sample = &w->lanes[lane].task->samples[stage];
    Value v = sheet_value(&w->sheet, m->result, lane);
    if (value_is_failure(v)) return failed_outcome(w, m, lane, stage);
    if (!sheet_affords(&w->sheet, m->result, lane)) return outcome_failed(TS_FAIL_BUDGET);
    if (!sample->has_output) return TS_UNKNOWN;
    return is_right(w, lane, v, sample) ? TS_RIGHT : TS_WRONG;
}

// The place of a lane and stage in what is noted for each program.
static size_t noted_at(const Worker *w, uint32_t lane, int stage) {
    return (w->b->first_lane[w->first_task + lane] + (size_t)stage) * w->b->graph.member_count;
}

static void note_outcomes(Worker *w, uint32_t lane, int stage) {
    ts_battery *b = w->b;
    const Graph *g = &b->graph;
    const bool after_demo = stage <= w->lanes[lane].task->demos;
    uint8_t *now = b->outcomes + noted_at(w, lane, stage);
    const uint8_t *before = stage > 0 && !b->options.full ? now - g->member_count : NULL;
    for (uint32_t m = 0; m < g->member_count; m++) {
        if (before && (after_demo ? before[m] != TS_RIGHT : before[m] == TS_NOT_RUN)) continue;
        if (!sheet_has_run(&w->sheet, g->members[m].result, lane)) continue; // it cannot be right
        now[m] = outcome_of(w, &g->members[m], lane, stage);
        if (now[m] > TS_FAILED) w->counts.failures[now[m] / 8]++;
    }
}

// What a candidate gave in this stage.
static void follow(Worker *w, Candidate *k, uint32_t lane, int stage) {
    Lane *l = &w->lanes[lane];
    const ts_sample *sample = &l->task->samples[stage];
    Value v = sheet_value(&w->sheet, k->column, lane);
    k->entry = GRIDS_NONE;
    if (gives_grid(v) && sheet_affords(&w->sheet, k->column, lane)) k->entry = entry_of(w, lane, v, sample);
    const GridEntry *e = k->entry == GRIDS_NONE ? NULL : &l->grids.entries[k->entry];
    const bool right = e && e->right;
    k->key = hash_mix(k->key, e ? e->hash : 1);
    if (stage < l->task->demos) {
        k->demos += e != NULL;
        k->right += right;
        k->missed |= !right;
    } else k->tests += right;
}

// Where only what can be right is run only what is right counts.
static bool is_candidate(Worker *w, uint32_t column, uint32_t lane) {
    const ts_task *task = w->lanes[lane].task;
    const Value v = sheet_value(&w->sheet, column, lane);
    if (!w->b->options.hopeful || !task->demos) return gives_grid(v);
    return sheet_has_run(&w->sheet, column, lane) && is_right(w, lane, v, &task->samples[0]);
}

// The first stage: every column that gives a grid is a candidate.
static void find_candidates(Worker *w) {
    const Sheet *s = &w->sheet;
    for (uint32_t i = 0; i < s->lanes; i++) w->lanes[s->lane[i]].count = 0;
    for (uint32_t column = 0; column < graph_columns(s->graph); column++) {
        if (!w->b->eligible[column]) continue;
        for (uint32_t i = 0; i < s->lanes; i++) {
            if (!is_candidate(w, column, s->lane[i])) continue;
            Lane *l = &w->lanes[s->lane[i]];
            Candidate *k = &l->candidates[l->count];
            *k = (Candidate){.column = column};
            follow(w, k, s->lane[i], 0);
            l->count += k->entry != GRIDS_NONE;
        }
    }
}

static bool still_asked(const Worker *w, const Candidate *k) { return w->b->options.full || !k->missed; }

static void follow_lane(Worker *w, uint32_t lane, int stage) {
    Lane *l = &w->lanes[lane];
    for (uint32_t k = 0; k < l->count; k++) {
        l->candidates[k].entry = GRIDS_NONE;
        if (still_asked(w, &l->candidates[k])) follow(w, &l->candidates[k], lane, stage);
    }
}

// The grids that programs gave, each a program's entry among those of the lane; `visit` is told of each.
static void each_result(Worker *w, uint32_t lane, int stage,
                        void (*visit)(Worker *w, size_t at, GridEntry *e)) {
    Lane *l = &w->lanes[lane];
    const size_t first = noted_at(w, lane, stage);
    for (uint32_t m = 0; m < w->b->graph.member_count; m++) {
        const uint8_t outcome = w->b->outcomes[first + m];
        const Value v = sheet_value(&w->sheet, w->b->graph.members[m].result, lane);
        if ((outcome != TS_RIGHT && outcome != TS_WRONG) || !gives_grid(v)) continue;
        uint32_t entry = entry_of(w, lane, v, &l->task->samples[stage]);
        if (entry != GRIDS_NONE) visit(w, first + m, &l->grids.entries[entry]);
    }
}

static void ask_score(Worker *w, size_t at, GridEntry *e) {
    (void)w, (void)at;
    e->unseen = false;
}

static void note_score(Worker *w, size_t at, GridEntry *e) { w->b->scores[at] = (int16_t)e->score; }

static void score_lane(Worker *w, uint32_t lane, int stage) {
    Lane *l = &w->lanes[lane];
    // Where nobody sees the candidates, what the programs give is enough.
    const bool unseen = w->b->scores && !w->b->options.top;
    for (uint32_t k = 0; unseen && k < l->grids.count; k++) l->grids.entries[k].unseen = true;
    // Some are no candidates: no grid in the first stage.
    if (w->b->scores) each_result(w, lane, stage, ask_score);
    const Value input = sheet_value(&w->sheet, SLOT_I, lane);
    if (w->b->bundled_differs && !w->b->options.plain) differs_score_bundled(input, l->expected, &l->grids);
    else differs_score(&w->differs, &w->scores, l->samples, input, l->expected, &l->grids);
    for (uint32_t k = 0; k < l->count; k++)
        if (l->candidates[k].entry != GRIDS_NONE)
            l->candidates[k].score += l->grids.entries[l->candidates[k].entry].score;
    if (w->b->scores) each_result(w, lane, stage, note_score);
}

// ---- What a task gave ----

// Finds the different answers of a lane: candidates whose grids agree in all stages are one.
static uint32_t gather_answers(Worker *w, const Lane *l) {
    const Graph *g = &w->b->graph;
    uint32_t count = 0, mask = 63;
    while (mask < l->count * 2) mask = mask * 2 + 1;
    memset(w->answer_table, 0, (mask + 1) * sizeof *w->answer_table);
    for (uint32_t k = 0; k < l->count; k++) {
        const Candidate *new = &l->candidates[k];
        uint32_t at = (uint32_t)hash_mix(hash_seed, new->key) & mask;
        while (w->answer_table[at] && w->answers[w->answer_table[at] - 1].best->key != new->key)
            at = (at + 1) & mask;
        if (!w->answer_table[at]) {
            w->answers[count] = (Answer){.best = new};
            w->answer_table[at] = ++count;
        }
        Answer *a = &w->answers[w->answer_table[at] - 1];
        a->agreeing++;
        if (node_size(g, new->column) < node_size(g, a->best->column)) a->best = new;
    }
    return count;
}

static ts_candidate candidate_of(const Worker *w, const Answer *a) {
    const Candidate *k = a->best;
    return (ts_candidate){.node = k->column,
                          .program = graph_member(&w->b->graph, k->column),
                          .lines = node_size(&w->b->graph, k->column),
                          .agreeing = a->agreeing,
                          .demos_right = k->right,
                          .demos = k->demos,
                          .tests_right = k->tests,
                          .score = k->score,
                          .outputs = k->key,
                          .whole = w->b->giver[k->column]};
}

// Whether a comes before b: more demos right, a better score, fewer lines.
static bool better(const ts_candidate *a, const ts_candidate *b) {
    if (a->demos_right != b->demos_right) return a->demos_right > b->demos_right;
    if (a->score != b->score) return a->score > b->score;
    if (a->lines != b->lines) return a->lines < b->lines;
    return a->node < b->node;
}

static void rank(ts_candidate *top, size_t *count, size_t most, ts_candidate new) {
    size_t at = *count;
    while (at > 0 && better(&new, &top[at - 1])) at--;
    if (at >= most) return;
    size_t last = *count < most ? (*count)++ : most - 1;
    memmove(top + at + 1, top + at, (last - at) * sizeof *top);
    top[at] = new;
}

static void finish_task(Worker *w, uint32_t lane) {
    ts_task_result *r = &w->b->results[w->first_task + lane];
    const Lane *l = &w->lanes[lane];
    uint32_t known = 0;
    for (int k = 0; k < l->task->tests; k++) known += l->task->samples[l->task->demos + k].has_output;
    uint32_t count = gather_answers(w, l);
    r->candidates = l->count;
    r->distinct = count;
    for (uint32_t k = 0; k < count; k++) {
        ts_candidate c = candidate_of(w, &w->answers[k]);
        bool solved = c.demos_right == (uint32_t)l->task->demos;
        r->solved |= solved;
        r->correct |= solved && known && c.tests_right == known;
        rank((ts_candidate *)(uintptr_t)r->top, &r->top_count, (size_t)w->b->options.top, c);
    }
    w->counts.candidates += r->candidates;
    w->counts.distinct += r->distinct;
    w->counts.solved += r->solved;
    w->counts.correct += r->correct;
}

// ---- Running ----

static void give_lane(Worker *w, uint32_t lane, int stage) {
    Lane *l = &w->lanes[lane];
    Ctx *c = &l->ctx;
    ctx_begin(c, INT64_MAX / 2);
    grids_begin(&l->grids, task_side(l->task));
    l->samples = w->b->uses_samples ? program_samples(c, l->task) : VALUE_NO_TUPLE;
    bool scored = w->b->differs.member_count && stage < l->task->demos;
    l->expected = scored ? value_grid(c, l->task->samples[stage].output) : VALUE_NONE;
    l->stage = stage;
    Value input = value_grid(c, l->task->samples[stage].input);
    if (c->failure) w->failed = true;
    else sheet_give(&w->sheet, lane, &c->arena, l->samples, input, VALUE_NONE);
}

// Gives a lane what it has to run in this stage, if anything.
static void prepare_lane(Worker *w, uint32_t lane, int stage) {
    const Lane *l = &w->lanes[lane];
    if (stage >= l->task->demos + l->task->tests) return;
    bool any = stage == 0 || w->b->options.full || !l->task->demos;
    if (stage > 0 && !w->b->options.full && !l->task->demos) // where nothing can be missed all go on
        for (uint32_t m = 0; m < w->b->graph.member_count; m++)
            sheet_need(&w->sheet, w->b->graph.members[m].result, lane);
    for (uint32_t k = 0; !w->b->options.full && stage > 0 && k < l->count; k++) {
        if (l->candidates[k].missed) continue;
        sheet_need(&w->sheet, l->candidates[k].column, lane);
        any = true;
    }
    if (any) give_lane(w, lane, stage);
}

static void enter_stage(Worker *w, ts_stage stage) {
    if (w->profile) w->profile->stage = stage;
}

// The first stage in two steps, where only what can be right is asked for. Without demos anything can.
static void run_hopeful(Worker *w) {
    Sheet *s = &w->sheet;
    const bool *eligible = w->b->eligible;
    sheet_narrow(s);
    for (uint32_t i = 0; i < s->lanes; i++) hope_ask_below(s, eligible, s->lane[i]);
    sheet_run(s);
    for (uint32_t i = 0; i < s->lanes && !s->stopped; i++) {
        const ts_task *task = w->lanes[s->lane[i]].task;
        hope_ask_painted(s, eligible, s->lane[i], task->demos ? &task->samples[0].output : NULL);
    }
    if (!s->stopped) sheet_run(s);
}

// Runs a stage; false where there is nothing left to run, or memory has run out.
static bool run_stage(Worker *w, uint32_t tasks, int stage) {
    Sheet *s = &w->sheet;
    const double start = clock_ms(), core = w->profile ? clock_thread_ms() : 0;
    sheet_begin(s);
    for (uint32_t lane = 0; lane < tasks; lane++) prepare_lane(w, lane, stage);
    enter_stage(w, TS_STAGE_RUN);
    if (!s->lanes || w->failed) return false;
    profile_lap(w->profile, PROFILE_LANES, s->lanes);
    if (stage == 0 && w->b->options.hopeful) run_hopeful(w);
    else sheet_run(s);
    for (uint32_t i = 0; i < s->lanes; i++) w->failed |= !sheet_settle(s, s->lane[i], keep_late, w);
    profile_lap(w->profile, PROFILE_LOOKUP, 0);
    if (s->stopped) return false;
    enter_stage(w, TS_STAGE_SCORE);
    double ran = clock_ms();
    if (stage == 0) find_candidates(w);
    for (uint32_t i = 0; i < s->lanes; i++) {
        uint32_t lane = s->lane[i];
        ts_task_result *r = &w->b->results[w->first_task + lane];
        r->lanes++;
        r->over += s->over[lane];
        w->counts.over += s->over[lane];
        if (stage > 0) follow_lane(w, lane, stage);
        profile_lap(w->profile, PROFILE_CANDIDATES, w->lanes[lane].count);
        note_outcomes(w, lane, stage);
        profile_lap(w->profile, PROFILE_FAILURES, 1);
        if (w->b->differs.member_count && stage < w->lanes[lane].task->demos) score_lane(w, lane, stage);
        profile_lap(w->profile, PROFILE_SCORES, 0);
    }
    const double scored = clock_ms(), ms = w->profile ? clock_thread_ms() - core : scored - start;
    w->counts.run_ms += ran - start;
    w->counts.score_ms += scored - ran;
    w->counts.lanes += s->lanes;
    int64_t spent = 0; // the time is shared out by what each lane spent
    for (uint32_t i = 0; i < s->lanes; i++) spent += s->spent[s->lane[i]] + 1;
    for (uint32_t i = 0; i < s->lanes; i++)
        w->b->results[w->first_task + s->lane[i]].ms +=
            ms * (double)(s->spent[s->lane[i]] + 1) / (double)spent;
    return true;
}

// What stages before the end have noted of tasks that are not through.
static void forget_tasks(Worker *w, size_t first_task, size_t count) {
    ts_battery *b = w->b;
    const size_t first = b->first_lane[first_task], lanes = b->first_lane[first_task + count] - first;
    memset(b->outcomes + first * b->graph.member_count, TS_NOT_RUN, lanes * b->graph.member_count);
    if (b->scores)
        memset(b->scores + first * b->graph.member_count, 0,
               lanes * b->graph.member_count * sizeof *b->scores);
    for (size_t k = first_task; k < first_task + count; k++) b->results[k].lanes = b->results[k].over = 0;
}

bool worker_run(Worker *w, size_t first_task, size_t count) {
    w->first_task = first_task;
    for (uint32_t lane = 0; lane < count; lane++) w->lanes[lane].task = w->b->results[first_task + lane].task;
    for (int stage = 0; run_stage(w, (uint32_t)count, stage); stage++) continue;
    if (w->failed) return true;
    if (w->sheet.stopped || threads_stopped(w->b->options.stop)) { // some of it may have failed for that
        forget_tasks(w, first_task, count);
        return false;
    }
    double start = clock_ms();
    for (uint32_t lane = 0; lane < count; lane++) finish_task(w, lane);
    profile_lap(w->profile, PROFILE_DEDUPE, count);
    w->counts.score_ms += clock_ms() - start;
    return true;
}

// Whether memory has run out, the machine's and not what a lane may take.
static bool is_starved(const Worker *w) {
    bool starved = w->failed || w->scores.arena.starved || w->sheet.scratch.arena.starved ||
                   w->sheet.fixed.starved || w->differs.scratch.arena.starved || w->differs.fixed.starved;
    for (uint32_t k = 0; k < w->b->chunk; k++) starved |= w->lanes[k].ctx.arena.starved;
    return starved;
}

bool worker_add_counts(const Worker *w, ts_battery_counts *counts) {
    const ts_battery_counts *own = &w->counts;
    counts->lanes += own->lanes;
    counts->evaluated += w->sheet.counts.evaluated;
    counts->shared += w->sheet.counts.shared;
    counts->skipped += w->sheet.counts.nodes - w->sheet.counts.evaluated - w->sheet.counts.shared;
    for (int kind = 0; kind < TS_FAIL_KINDS; kind++) counts->failures[kind] += own->failures[kind];
    counts->candidates += own->candidates;
    counts->distinct += own->distinct;
    counts->solved += own->solved;
    counts->correct += own->correct;
    counts->over += own->over;
    counts->run_ms += own->run_ms;
    counts->score_ms += own->score_ms;
    return !is_starved(w);
}
