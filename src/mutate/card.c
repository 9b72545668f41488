// The card: a fresh set of programs, picked from another one by weight and mutated.
//
// Nothing in it refers to the source, so that may change or go. Each program is mutated with random numbers
// of its own, made from the seed and its place, so one does not depend on how another came about. No two
// mutants of a card are the same program as long as different ones are found.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "mutate/mutate.h"

enum { TRIES_FOR_ANOTHER = 12 };
#define MOST_PROGRAMS ((size_t)100 * 1000 * 1000)

struct ts_card {
    ts_programs *programs;
    ts_card_entry *entries;
    size_t made[TS_MUTATIONS];
};

typedef struct {
    const ts_programs *source;
    const ts_card_options *options;
    ts_card *card;
    size_t room; // for programs
    Mutator mutator;
    Index names;     // of the programs in the card
    uint64_t *known; // hashes of the programs, 0 for none
    size_t known_room;
} Deal;

ts_colors ts_task_colors(const ts_task *task) {
    ts_colors colors = {0};
    for (int k = 0; k < task->demos; k++) {
        const ts_grid in = task->samples[k].input, out = task->samples[k].output;
        for (int n = 0; n < in.height * in.width; n++) colors.inputs |= (uint16_t)(1U << (in.cells[n] & 15));
        for (int n = 0; n < out.height * out.width; n++)
            colors.outputs |= (uint16_t)(1U << (out.cells[n] & 15));
    }
    return colors;
}

// ---- Picking ----

// A number from 0 up to, not including, 1.
static double fraction(Rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }

// A program that is right is four times as good as one that is half right; without a score it has a chance
// still.
double ts_card_weight(const ts_pool_score *score) {
    double share = score && score->demos ? (double)score->score / (1000.0 * score->demos) : 0;
    return 0.05 + share * share;
}

// Sums of the weights up to and with each program; equal ones where there are none, or all are zero.
static bool sum_weights(const double *weights, double *sums, size_t n, ts_status *status) {
    double total = 0;
    for (size_t k = 0; k < n; k++) {
        double weight = weights ? weights[k] : 1;
        if (!(weight >= 0) || !isfinite(total + weight))
            return status_fail(status, TS_USAGE, "the weight of program %zu is no number that can be used",
                               k);
        sums[k] = total += weight;
    }
    for (size_t k = 0; total == 0 && k < n; k++) sums[k] = (double)(k + 1);
    return true;
}

static size_t pick(const double *sums, size_t n, Rng *r) {
    double at = fraction(r) * sums[n - 1];
    size_t low = 0, high = n - 1; // the first sum above
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sums[middle] > at) high = middle;
        else low = middle + 1;
    }
    return low;
}

// Which programs to take, `count` of them; without `again` each once at most, fewer where there are not
// enough.
static size_t pick_all(const double *sums, size_t n, bool again, size_t count, uint64_t seed, size_t *picked,
                       bool *taken) {
    Rng r = {seed};
    size_t made = 0, left = 0;
    for (size_t k = 0; k < n; k++) left += sums[k] > (k ? sums[k - 1] : 0);
    if (!again && count > left) count = left;
    while (made < count) {
        size_t k = pick(sums, n, &r);
        if (!again && taken[k]) continue;
        taken[k] = true;
        picked[made++] = k;
    }
    return made;
}

// ---- Putting programs into the card ----

// Whether the program is new, from now on known. Hashes of 64 bits: two programs that share one are not worth
// the care.
static bool is_new(Deal *d, uint64_t hash) {
    size_t k = hash_mix(hash_seed, hash) & (d->known_room - 1);
    hash += hash == 0;
    for (; d->known[k]; k = (k + 1) & (d->known_room - 1))
        if (d->known[k] == hash) return false;
    d->known[k] = hash;
    return true;
}

// A copy of the name, for the program that is added next; NULL where another has it, or memory is short.
static const char *take_name(Deal *d, const char *name) {
    ts_programs *set = d->card->programs;
    uint32_t hash = (uint32_t)hash_bytes(hash_seed, name, strlen(name)), at = hash, k;
    bool good = index_reserve(&d->names);
    while (good && (k = index_next(&d->names, hash, &at)))
        if (strcmp(set->programs[k - 1].name, name) == 0) return NULL;
    char *copy = good ? arena_text(&set->ctx.arena, name, strlen(name)) : NULL;
    if (copy) index_put(&d->names, at, hash, (uint32_t)set->count);
    else d->mutator.failed = true;
    return copy;
}

// solve_PARENT, where that is free; else, and for mutants, solve_PARENT_m17. A mutant of a mutant is named as
// if it were one of its parent's parent.
static const char *make_name(Deal *d, const char *parent, bool mutant) {
    const char *name = mutant ? NULL : take_name(d, parent);
    size_t length = strlen(parent), digits = length;
    while (digits > 2 && parent[digits - 1] >= '0' && parent[digits - 1] <= '9') digits--;
    bool named = digits < length && digits > 2 && memcmp(parent + digits - 2, "_m", 2) == 0;
    Text t = {0};
    for (size_t number = d->card->programs->count + 1; !name && !d->mutator.failed; number++) {
        text_clear(&t);
        text_put(&t, parent, named ? digits - 2 : length);
        text_print(&t, "_m%zu", number);
        if (t.failed) d->mutator.failed = true;
        else name = take_name(d, t.data);
    }
    text_free(&t);
    return name;
}

static bool add(Deal *d, Program p, const char *note, ts_card_entry entry) {
    ts_programs *set = d->card->programs;
    Ctx *c = &set->ctx;
    p.name = make_name(d, d->source->programs[entry.parent].name, entry.mutations > 0);
    Line *lines = arena_alloc(&c->arena, p.line_count * sizeof *lines + 1);
    Value *constants = arena_alloc(&c->arena, p.constant_count * sizeof *constants + 1);
    entry.note = arena_text(&c->arena, note ? note : "", note ? strlen(note) : 0);
    if (!p.name || !lines || !constants || !entry.note) return false;
    memcpy(lines, p.lines, p.line_count * sizeof *lines);
    for (uint32_t k = 0; k < p.constant_count; k++) constants[k] = value_copy(c, p.constants[k]);
    p.lines = lines;
    p.constants = constants;
    d->card->entries[set->count] = entry;
    set->programs[set->count++] = p;
    return !c->failure;
}

static bool add_parent(Deal *d, size_t parent) {
    const Program *p = &d->source->programs[parent];
    is_new(d, mutate_hash(p));
    return add(d, *p, "", (ts_card_entry){.parent = parent});
}

static bool add_mutant(Deal *d, size_t parent) {
    const Program *p = &d->source->programs[parent];
    Mutator *m = &d->mutator;
    Program mutant;
    size_t made[TS_MUTATIONS];
    unsigned mutations = 0;
    m->rng.state = hash_mix(hash_mix(0x7E55E4A, d->options->seed), d->card->programs->count);
    for (int tries = 0; tries < TRIES_FOR_ANOTHER; tries++) {
        memset(made, 0, sizeof made);
        mutations = mutate_program(m, p, d->options->rate, &mutant, made);
        if (m->failed || m->note.failed) return false;
        if (mutations && is_new(d, mutate_hash(&mutant))) break;
    }
    ts_card_entry entry = {.parent = parent, .mutations = mutations};
    for (int k = 0; k < TS_MUTATIONS; k++) {
        d->card->made[k] += made[k];
        entry.kinds |= (unsigned)(mutations && made[k]) << k;
    }
    return add(d, mutations ? mutant : *p, m->note.data, entry);
}

// ---- The whole ----

static bool deal_begin(Deal *d, size_t room) {
    ts_card *card = d->card = calloc(1, sizeof *card);
    if (!card) return false;
    card->programs = ts_programs_new();
    card->entries = calloc(room + 1, sizeof *card->entries);
    for (d->known_room = 64; d->known_room < 2 * (room + d->source->count); d->known_room *= 2) {}
    d->known = calloc(d->known_room, sizeof *d->known);
    mutator_init(&d->mutator, d->source, d->options->colors, d->options->kinds);
    d->mutator.worth = d->options->worth;
    if (!card->programs || !card->entries || !d->known) return false;
    card->programs->ctx.units = INT64_MAX / 2;
    card->programs->programs = calloc(room + 1, sizeof *card->programs->programs);
    card->programs->room = room + 1;
    return card->programs->programs;
}

static void deal_end(Deal *d) {
    mutator_free(&d->mutator);
    index_free(&d->names);
    free(d->known);
}

static bool deal_each(Deal *d) {
    size_t n = d->source->count, each = d->options->freeze ? 0 : d->options->each;
    for (size_t k = 0; k < n; k++) is_new(d, mutate_hash(&d->source->programs[k]));
    for (size_t k = 0; k < n; k++) {
        if (!add_parent(d, k)) return false;
        for (size_t mutant = 0; mutant < each; mutant++)
            if (!add_mutant(d, k)) return false;
    }
    return true;
}

static bool deal_picked(Deal *d, const size_t *picked, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!(d->options->freeze ? add_parent(d, picked[k]) : add_mutant(d, picked[k]))) return false;
    return true;
}

static bool out_of_memory(ts_status *status) { return status_fail(status, TS_SYSTEM, "out of memory"); }

static bool deal(Deal *d, const double *weights, ts_status *status) {
    const ts_card_options *o = d->options;
    size_t n = d->source->count;
    if (o->each) {
        if (!deal_begin(d, n * (o->each + 1)) || !deal_each(d)) return out_of_memory(status);
        return true;
    }
    double *sums = calloc(n, sizeof *sums);
    size_t *picked = calloc(o->count, sizeof *picked);
    bool *taken = calloc(n, sizeof *taken);
    bool good = sums && picked && taken ? sum_weights(weights, sums, n, status) : out_of_memory(status);
    if (good) {
        size_t count = pick_all(sums, n, !o->freeze, o->count, o->seed, picked, taken);
        good = (deal_begin(d, count) && deal_picked(d, picked, count)) || out_of_memory(status);
    }
    free(sums);
    free(picked);
    free(taken);
    return good;
}

static bool check_options(const ts_programs *source, const ts_card_options *o, ts_status *status) {
    if (source->count == 0) return status_fail(status, TS_USAGE, "there are no programs to pick from");
    if (!(o->rate >= 0 && o->rate <= 1)) return status_fail(status, TS_USAGE, "the rate must be from 0 to 1");
    for (int k = 0; o->worth && k < TS_MUTATIONS; k++)
        if (!(o->worth[k] >= 0 && o->worth[k] <= 1000))
            return status_fail(status, TS_USAGE, "a kind of mutation is worth 0 to 1000");
    if (o->kinds >> TS_MUTATIONS) return status_fail(status, TS_USAGE, "there is no such kind of mutation");
    if (!o->count && !o->each) return status_fail(status, TS_USAGE, "no programs are asked for");
    if (o->count > MOST_PROGRAMS || o->each > MOST_PROGRAMS / source->count)
        return status_fail(status, TS_USAGE, "more than %zu programs are asked for", MOST_PROGRAMS);
    return true;
}

ts_card *ts_card_new(const ts_programs *source, const double *weights, const ts_card_options *options,
                     ts_status *status) {
    Deal d = {.source = source, .options = options};
    if (!check_options(source, options, status)) return NULL;
    bool good = deal(&d, weights, status);
    deal_end(&d);
    if (good) return d.card;
    ts_card_free(d.card);
    return NULL;
}

void ts_card_free(ts_card *card) {
    if (!card) return;
    ts_programs_free(card->programs);
    free(card->entries);
    free(card);
}

const ts_programs *ts_card_programs(const ts_card *card) { return card->programs; }

ts_card_entry ts_card_at(const ts_card *card, size_t index) { return card->entries[index]; }

void ts_card_drop(ts_card *card, const bool *drop) {
    ts_programs *set = card->programs;
    size_t left = 0;
    for (size_t k = 0; k < set->count; k++) {
        if (drop[k]) continue;
        card->entries[left] = card->entries[k];
        set->programs[left++] = set->programs[k];
    }
    set->count = left;
}

// ---- Counts ----

bool ts_card_count(const ts_card *card, ts_card_counts *counts) {
    Draft draft = {0};
    const ts_programs *set = card->programs;
    *counts = (ts_card_counts){.programs = set->count};
    memcpy(counts->mutations, card->made, sizeof card->made);
    size_t most = 0;
    for (size_t k = 0; k < set->count; k++) {
        const Program *p = &set->programs[k];
        if (program_slots(p) > most) most = program_slots(p);
        counts->lines += p->line_count;
        counts->unchanged += card->entries[k].mutations == 0;
    }
    DraftSlot *slots = malloc((most + 1) * sizeof *slots);
    for (size_t k = 0; slots && k < set->count; k++) draft_program(&draft, &set->programs[k], slots);
    bool good = slots && !draft.failed;
    counts->distinct = draft.line_count;
    free(slots);
    draft_free(&draft);
    return good;
}
