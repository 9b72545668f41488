// Differs that evolve: those stay whose scores best foretell which parents have winning children.
//
// A case is a winner that was made by mutating a program that does not solve the task itself: the parent, and
// rivals, other parents of the round, which had no such child. (TRIED: near-winners of the task as half of
// the rivals. They are what the score itself has picked, so by them any differ looks no better than chance,
// and odd ones were taken into use: 41.2 tasks solved instead of 43.5.) What they give on the demos is kept,
// so that any differ can be asked how it would have ranked them. A differ, or a set of them, is worth the
// share of pairs (parent, rival) in which the parent has the better score, a tie counting half: 0.5 is no
// better than chance. Scores are those of a battery, between the input's and the right grid's.
//
// Every so many rounds the differs held are mutated, and a set is picked greedily by the cases with even
// numbers. It is used from then on only if it is also worth more than the set in use by the odd ones, which
// it was not picked by. All follows from the seed and the rounds, never from the clock.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/replace.h"
#include "battery/points.h"
#include "iterate/iterate.h"
#include "program/program.h"
#include "task/task.h"

enum {
    EVERY = 64, // rounds from one generation to the next
    MOST_CASES = 128,
    LEAST_CASES = 24, // before that no other set is picked
    RIVALS = 8,
    MOST_DEMOS = 6,
    MUTANTS = 16, // of a generation
    HELD = 12,    // evolved ones that stay, beside those in use
    MOST_USED = 6,
    MOST_UNITS = 20000,     // that an evolved one may take for a grid; bundled ones take some 500 to 5,000
    DIFFER_UNITS = 1000000, // that a battery allows
    MOST_PENDING = 64,      // winners of a round
    GRID_CELLS = GRID_USUAL_SIDE * GRID_USUAL_SIDE,
};

// What programs gave on the demos of a task: the parent first.
typedef struct {
    const ts_task *task;
    int programs, demos;
    ts_grid grids[1 + RIVALS][MOST_DEMOS]; // height 0: none
    bool right[1 + RIVALS][MOST_DEMOS];
    signed char cells[]; // of the grids
} Case;

typedef struct {
    ts_programs *set; // it alone
    char *text, *origin;
    bool first, used;                                   // first: of those that the run began with
    bool dear;                                          // it took too many units
    uint64_t asked;                                     // cases up to this number
    int16_t points[MOST_CASES][2 + RIVALS][MOST_DEMOS]; // of the input, then of the programs
    size_t won, pairs;                                  // won: 2 for each pair, 1 for a tie
} Differ;

// A winner of the round under way.
typedef struct {
    size_t task;
    char parent[17], others[RIVALS][17]; // by their hashes; others: parents of the same card
    int other_count;
} Pending;

struct IterateDiffers {
    const char *path;
    Differ **list;               // those of the start, then evolved ones
    size_t count, room, settled; // settled: those beyond are mutants that are not through
    Case *cases[MOST_CASES];     // case n at n % MOST_CASES
    uint64_t case_count;
    Pending pending[MOST_PENDING];
    int pending_count;
    uint64_t evolved;            // the round of the last generation
    size_t names, settled_names; // how many names mutants were given
    ts_programs *used;
    ts_engine *engine;
};

static bool no_memory(Status *s) { return status_fail(s, TS_SYSTEM, "not enough memory to evolve differs"); }

// ---- Differs ----

static void free_differ(Differ *f) {
    if (!f) return;
    ts_programs_free(f->set);
    free(f->text);
    free(f->origin);
    free(f);
}

static const char *name_of(const Differ *f) { return f->set->programs[0].name; }

static const Differ *find_name(const IterateDiffers *d, const char *name) {
    for (size_t k = 0; k < d->count; k++)
        if (strcmp(name_of(d->list[k]), name) == 0) return d->list[k];
    return NULL;
}

// Adds a differ. False where memory is short; where it was not tried yet and is none, nothing is added.
static bool add_differ(IterateDiffers *d, Program p, const char *name, const char *origin, bool first) {
    Text text = {0};
    Status s = {0};
    p.name = name;
    program_print(&text, &p);
    Differ *f = calloc(1, sizeof *f);
    if (d->count == d->room) {
        size_t room = d->room ? 2 * d->room : 32;
        Differ **grown = realloc(d->list, room * sizeof *grown);
        if (grown) d->list = grown, d->room = room;
    }
    if (!f || text.failed || d->count == d->room || !(f->set = ts_programs_new())) {
        free(f);
        text_free(&text);
        return false;
    }
    f->first = first;
    const bool good = first ? ts_programs_add_text(f->set, name, text.data, text.length, true, NULL, NULL, &s)
                            : ts_differs_add_text(f->set, name, text.data, text.length, &s);
    f->origin = strdup(origin);
    f->text = text_take(&text);
    if (good && f->origin && f->text) {
        d->list[d->count++] = f;
        return true;
    }
    const bool starved = s.code == TS_SYSTEM || !f->origin || !f->text;
    free_differ(f);
    return !starved;
}

static bool add_all(IterateDiffers *d, const ts_programs *set, const char *origin, bool first) {
    bool good = true;
    for (size_t k = 0; good && k < set->count; k++)
        if (!find_name(d, set->programs[k].name))
            good = add_differ(d, set->programs[k], set->programs[k].name, origin, first);
    return good;
}

// ---- Asking ----

int16_t iterate_points(ts_value value) {
    Ctx c = {.units = DIFFER_UNITS};
    if (!value_is_tuple(value) || value_length(&c, value) < 1) return 0;
    Value score = value_item(&c, value, 0);
    if (c.failure || !value_is_small(score)) return 0;
    int64_t n = value_small(score);
    return (int16_t)(n < 0 ? 0 : n > POINTS_PERFECT ? POINTS_PERFECT : n);
}

static int16_t ask(IterateDiffers *d, Differ *f, const ts_task *task, ts_grid grid, ts_grid right) {
    if (!grid.height) return 0;
    const ts_result r = ts_run_differ(d->engine, f->set, 0, task, grid, right);
    if (r.units > MOST_UNITS) f->dear = true;
    return r.failure ? 0 : iterate_points(r.value);
}

static uint64_t first_case(const IterateDiffers *d) {
    return d->case_count > MOST_CASES ? d->case_count - MOST_CASES : 0;
}

// Asks a differ about the cases that it has not seen.
static bool ask_all(IterateDiffers *d, Differ *f, Status *s) {
    if (f->asked < first_case(d)) f->asked = first_case(d);
    for (; f->asked < d->case_count && !(f->dear && !f->first && !f->used); f->asked++) {
        const Case *c = d->cases[f->asked % MOST_CASES];
        int16_t(*points)[MOST_DEMOS] = f->points[f->asked % MOST_CASES];
        for (int demo = 0; demo < c->demos; demo++) {
            const ts_sample *sample = &c->task->samples[demo];
            points[0][demo] = ask(d, f, c->task, sample->input, sample->output);
            for (int p = 0; p < c->programs; p++)
                points[1 + p][demo] = ask(d, f, c->task, c->grids[p][demo], sample->output);
        }
        if (ts_engine_starved(d->engine)) return no_memory(s);
    }
    return true;
}

// What a set of differs is worth by the cases with even (0) or odd (1) numbers, or by all (2).
static size_t worth_of(const IterateDiffers *d, Differ *const *set, int count, int part, size_t *pairs) {
    size_t won = 0, all = 0;
    for (uint64_t n = first_case(d); count && n < d->case_count; n++) {
        const Case *c = d->cases[n % MOST_CASES];
        int32_t scores[1 + RIVALS] = {0};
        if (part < 2 && (int)(n % 2) != part) continue;
        for (int demo = 0; demo < c->demos; demo++) {
            int32_t points[2 + RIVALS] = {0};
            for (int k = 0; k < count; k++)
                for (int p = 0; p <= c->programs; p++) points[p] += set[k]->points[n % MOST_CASES][p][demo];
            for (int p = 0; p < c->programs; p++)
                scores[p] += c->right[p][demo] ? POINTS_PERFECT
                                               : points_score(points[1 + p] / count, points[0] / count);
        }
        for (int p = 1; p < c->programs; p++, all++)
            won += scores[0] > scores[p] ? 2 : scores[0] == scores[p];
    }
    if (pairs) *pairs = all;
    return won;
}

static bool measure(IterateDiffers *d, Status *s) {
    for (size_t k = 0; k < d->count; k++) {
        if (!ask_all(d, d->list[k], s)) return false;
        d->list[k]->won = worth_of(d, &d->list[k], 1, 2, &d->list[k]->pairs);
    }
    return true;
}

// ---- The set in use ----

// Those in use, or those of the start: a list of at most `count`, and how many there are.
static int list_set(const IterateDiffers *d, Differ **set, bool used) {
    int n = 0;
    for (size_t k = 0; k < d->count; k++)
        if (used ? d->list[k]->used : d->list[k]->first) set[n++] = d->list[k];
    return n;
}

static void put_used(Text *t, const IterateDiffers *d) {
    for (size_t k = 0; k < d->count; k++)
        if (d->list[k]->used) text_add(t, d->list[k]->text);
}

char *iterate_differs_text(const ts_iterate *it) {
    Text text = {0};
    put_used(&text, it->evolving);
    return text_take(&text);
}

// Makes programs of the set in use, and the loop's differs of these.
static bool use_set(ts_iterate *it, Status *s) {
    IterateDiffers *d = it->evolving;
    Text text = {0};
    put_used(&text, d);
    ts_programs *used = ts_programs_new();
    const bool good = used && !text.failed &&
                      ts_programs_add_text(used, "differs", text.data, text.length, true, NULL, NULL, s);
    text_free(&text);
    if (!good) {
        ts_programs_free(used);
        return false;
    }
    ts_programs_free(d->used);
    it->options.differs = d->used = used;
    return true;
}

// Takes one differ after the other that adds most to what the set is worth by the even cases.
static int pick_greedily(const IterateDiffers *d, Differ **set) {
    int n = 0;
    for (size_t most = 0, best; n < MOST_USED; n++) {
        best = SIZE_MAX;
        for (size_t k = 0; k < d->count; k++) {
            bool is_in = d->list[k]->dear && !d->list[k]->first;
            for (int j = 0; j < n; j++) is_in |= set[j] == d->list[k];
            set[n] = d->list[k];
            const size_t won = is_in ? 0 : worth_of(d, set, n + 1, 0, NULL);
            if (won > most) most = won, best = k;
        }
        if (best == SIZE_MAX) break;
        set[n] = d->list[best];
    }
    return n;
}

// The best set by the odd cases: the one in use, that of the start, or the one picked by the even cases.
static bool pick_set(ts_iterate *it, Status *s) {
    IterateDiffers *d = it->evolving;
    Differ **set = malloc(3 * (d->count + MOST_USED) * sizeof(Differ *)), **sets[3];
    int counts[3], best = 0;
    if (!set) return no_memory(s);
    for (int k = 0; k < 3; k++) sets[k] = set + (size_t)k * (d->count + MOST_USED);
    counts[0] = list_set(d, sets[0], true);
    counts[1] = list_set(d, sets[1], false);
    counts[2] = pick_greedily(d, sets[2]);
    size_t most = worth_of(d, sets[0], counts[0], 1, NULL);
    for (int k = 1; k < 3; k++) {
        const size_t won = worth_of(d, sets[k], counts[k], 1, NULL);
        if (counts[k] && won > most) most = won, best = k;
    }
    if (best) {
        for (size_t k = 0; k < d->count; k++) d->list[k]->used = false;
        for (int k = 0; k < counts[best]; k++) sets[best][k]->used = true;
    }
    free(set);
    return !best || use_set(it, s);
}

// ---- A generation ----

// A name for a mutant: NAME_m17; a mutant of a mutant is named as one of its parent's parent.
static void name_mutant(IterateDiffers *d, const char *parent, char *name, size_t size) {
    size_t length = strlen(parent), digits = length;
    while (digits > 2 && parent[digits - 1] >= '0' && parent[digits - 1] <= '9') digits--;
    if (digits < length && digits > 2 && memcmp(parent + digits - 2, "_m", 2) == 0) length = digits - 2;
    if (length > size - 32) length = size - 32;
    do snprintf(name, size, "%.*s_m%zu", (int)length, parent, ++d->names);
    while (find_name(d, name));
}

static bool add_mutants(ts_iterate *it, Status *s) {
    IterateDiffers *d = it->evolving;
    Program *programs = malloc(d->count * sizeof *programs);
    if (!programs) return no_memory(s);
    for (size_t k = 0; k < d->count; k++) programs[k] = d->list[k]->set->programs[0];
    const ts_programs source = {.programs = programs, .count = d->count};
    const ts_card_options options = {.count = MUTANTS,
                                     .seed = hash_mix(hash_mix(0xD1FFE4, it->options.seed), it->next)};
    ts_card *card = ts_card_new(&source, NULL, &options, s);
    bool good = card;
    for (size_t k = 0; good && k < ts_programs_count(ts_card_programs(card)); k++) {
        const ts_card_entry made = ts_card_at(card, k);
        const Differ *parent = d->list[made.parent];
        char name[128], origin[256];
        if (!made.mutations) continue;
        name_mutant(d, name_of(parent), name, sizeof name);
        snprintf(origin, sizeof origin, "%s: %s", name_of(parent), made.note);
        good = add_differ(d, ts_card_programs(card)->programs[k], name, origin, false) || no_memory(s);
    }
    ts_card_free(card);
    free(programs);
    return good;
}

static bool same_points(const IterateDiffers *d, const Differ *a, const Differ *b) {
    const size_t known = d->case_count < MOST_CASES ? (size_t)d->case_count : MOST_CASES;
    return memcmp(a->points, b->points, known * sizeof *a->points) == 0;
}

// Drops evolved ones that say the same as another, cost too much, or are worth less than the best few.
static void drop_some(IterateDiffers *d) {
    for (size_t k = 0; k < d->count; k++) {
        Differ *f = d->list[k];
        bool stays = f->first || f->used;
        size_t better = 0;
        for (size_t j = 0; !stays && j < d->count; j++) {
            const Differ *g = d->list[j];
            if (!g || j == k) continue;
            if (j < k && same_points(d, f, g)) better = HELD;
            better += !g->first && !g->used && (g->won > f->won || (g->won == f->won && j < k));
        }
        if (stays || (!f->dear && better < HELD)) continue;
        free_differ(f);
        d->list[k] = NULL;
    }
    size_t left = 0;
    for (size_t k = 0; k < d->count; k++)
        if (d->list[k]) d->list[left++] = d->list[k];
    d->count = d->settled = left;
}

// ---- The file ----

static double share(size_t won, size_t pairs) { return pairs ? (double)won / (2.0 * (double)pairs) : 0.5; }

static bool write_file(const IterateDiffers *d, Status *s) {
    Text t = {0};
    text_add(&t, "# The differs in use of tessera iterate --evolve-differs, for that or for --only-differs.\n"
                 "# Worth: how often the parent of a winner has a better score than another parent; 0.5 is "
                 "chance.\n");
    for (size_t k = 0; k < d->count; k++) {
        const Differ *f = d->list[k];
        if (!f->used) continue;
        if (f->pairs) text_print(&t, "\n\n# worth %.3f in %zu pairs", share(f->won, f->pairs), f->pairs);
        else text_add(&t, "\n\n# not measured yet");
        text_print(&t, "; %s\n%s", f->origin, f->text);
    }
    const bool good = !t.failed ? replace_with(d->path, t.data, t.length, s) : no_memory(s);
    text_free(&t);
    return good;
}

// Takes up what another run has left, if it is there.
static bool read_file(IterateDiffers *d, Status *s) {
    if (access(d->path, F_OK) != 0 && errno == ENOENT) return true;
    ts_programs *set = ts_programs_new();
    bool good = set && ts_differs_add_file(set, d->path, s);
    if (good) {
        for (size_t k = 0; k < d->count; k++) d->list[k]->used = false;
        good = add_all(d, set, "taken up from the file", false);
    }
    for (size_t k = 0; good && k < set->count; k++) {
        const Differ *f = find_name(d, set->programs[k].name);
        for (size_t j = 0; j < d->count; j++) d->list[j]->used |= d->list[j] == f;
    }
    ts_programs_free(set);
    return good;
}

// ---- Cases ----

static bool is_among(const char *hash, char list[][17], int count) {
    for (int k = 0; k < count; k++)
        if (strcmp(list[k], hash) == 0) return true;
    return false;
}

void iterate_differs_note(ts_iterate *it, size_t task, const IterateRound *r, size_t program) {
    IterateDiffers *d = it->evolving;
    const ts_card *card = r->card;
    if (!d || !card || d->pending_count == MOST_PENDING || !ts_card_at(card, program).mutations) return;
    Pending *p = &d->pending[d->pending_count++];
    *p = (Pending){.task = task};
    memcpy(p->parent, r->parents[program], sizeof p->parent);
    const size_t n = ts_programs_count(ts_card_programs(card));
    for (size_t k = 1; k < n && p->other_count < RIVALS; k++) { // those after it, round the card
        const char *other = r->parents[(program + k) % n];
        if (strcmp(other, p->parent) != 0 && !is_among(other, p->others, p->other_count))
            memcpy(p->others[p->other_count++], other, sizeof p->parent);
    }
}

int iterate_differs_noted(const ts_iterate *it) { return it->evolving ? it->evolving->pending_count : 0; }

void iterate_differs_forget(ts_iterate *it, int noted) {
    if (it->evolving) it->evolving->pending_count = noted;
}

bool iterate_differs_case(ts_iterate *it, const ts_task *task, const ts_grid *const *grids, int programs) {
    IterateDiffers *d = it->evolving;
    const int demos = task->demos < MOST_DEMOS ? task->demos : MOST_DEMOS;
    Case *c = calloc(1, sizeof *c + (size_t)(programs * demos) * GRID_CELLS);
    if (!c) return false;
    signed char *cells = c->cells;
    c->task = task;
    c->programs = programs;
    c->demos = demos;
    for (int p = 0; p < programs; p++) {
        for (int k = 0; k < demos; k++, cells += GRID_CELLS) {
            const ts_grid g = grids[p][k];
            if (!g.height || !grid_fits(g, GRID_USUAL_SIDE)) continue;
            memcpy(cells, g.cells, (size_t)(g.height * g.width));
            c->grids[p][k] = (ts_grid){g.height, g.width, cells};
            c->right[p][k] = ts_grid_equal(g, task->samples[k].output);
        }
    }
    Case **place = &d->cases[d->case_count++ % MOST_CASES];
    free(*place);
    *place = c;
    return true;
}

// What a program gives on the demos, in cells that are given. Whether it fails to solve the task.
static bool run_demos(ts_iterate *it, size_t program, const ts_task *task, ts_grid *grids,
                      signed char *cells) {
    int right = 0;
    for (int k = 0; k < task->demos; k++) {
        const ts_result r = ts_run_sample(it->alone, it->view.programs, program, task, k);
        const ts_grid g = !r.failure && ts_value_is_grid(r.value) ? ts_value_grid(r.value) : (ts_grid){0};
        right += g.height && ts_grid_equal(g, task->samples[k].output);
        if (k >= MOST_DEMOS) continue;
        const bool fits = g.height && grid_fits(g, GRID_USUAL_SIDE);
        grids[k] = fits ? (ts_grid){g.height, g.width, cells + k * GRID_CELLS} : (ts_grid){0};
        if (fits) memcpy(cells + k * GRID_CELLS, g.cells, (size_t)(g.height * g.width));
    }
    return right < task->demos;
}

// Whether a program is the parent of a winner of this task in the round under way.
static bool has_won(const IterateDiffers *d, size_t task, const char *program) {
    for (int k = 0; k < d->pending_count; k++)
        if (d->pending[k].task == task && strcmp(d->pending[k].parent, program) == 0) return true;
    return false;
}

static bool take_pending(ts_iterate *it, const Pending *p, signed char *cells) {
    const ts_task *task = it->tasks[p->task];
    int made = 0;
    if (task_side(task) > GRID_USUAL_SIDE) return true; // such grids would make every differ look dear
    ts_grid grids[1 + RIVALS][MOST_DEMOS];
    const ts_grid *list[1 + RIVALS];
    for (int k = 0; k <= p->other_count; k++) {
        const char *hash = k ? p->others[k - 1] : p->parent;
        const size_t program = archive_program(it, hash);
        if (program == SIZE_MAX && !k) return true; // it is not in the pool any more
        if (program == SIZE_MAX || (k && has_won(it->evolving, p->task, hash))) continue;
        const bool open = run_demos(it, program, task, grids[made], cells + made * MOST_DEMOS * GRID_CELLS);
        if (!open && !k) return true; // the parent solves it itself
        list[made] = grids[made];
        made += open;
    }
    if (made < 2 || iterate_is_stopped(it)) return true;
    return !ts_engine_starved(it->alone) && iterate_differs_case(it, task, list, made);
}

static bool take_all_pending(ts_iterate *it, Status *s) {
    IterateDiffers *d = it->evolving;
    signed char *cells = d->pending_count ? malloc((size_t)(1 + RIVALS) * MOST_DEMOS * GRID_CELLS) : NULL;
    bool good = cells || !d->pending_count;
    int done = 0;
    for (; good && done < d->pending_count; done++) good = take_pending(it, &d->pending[done], cells);
    free(cells);
    if (!good) return no_memory(s);
    d->pending_count = 0;
    return true;
}

// ---- What the loop calls ----

bool iterate_differs_start(ts_iterate *it, const char *path, Status *s) {
    IterateDiffers *d = it->evolving = calloc(1, sizeof *d);
    if (!d) return no_memory(s);
    d->path = path;
    d->engine = ts_engine_new();
    if (!d->engine || !add_all(d, it->options.differs, "of the start", true)) return no_memory(s);
    ts_engine_set_units(d->engine, DIFFER_UNITS);
    for (size_t k = 0; k < d->count; k++) d->list[k]->used = true;
    if (!read_file(d, s) || !use_set(it, s)) return false;
    d->settled = d->count;
    return write_file(d, s);
}

void iterate_differs_free(ts_iterate *it) {
    IterateDiffers *d = it->evolving;
    if (!d) return;
    for (size_t k = 0; k < d->count; k++) free_differ(d->list[k]);
    for (int k = 0; k < MOST_CASES; k++) free(d->cases[k]);
    free(d->list);
    ts_programs_free(d->used);
    ts_engine_free(d->engine);
    free(d);
    it->evolving = NULL;
}

bool iterate_differs_step(ts_iterate *it, Status *s) {
    IterateDiffers *d = it->evolving;
    if (!d) return true;
    if (!take_all_pending(it, s)) return false;
    if (it->next % EVERY || it->next == d->evolved || d->case_count < LEAST_CASES) return true;
    while (d->count > d->settled) free_differ(d->list[--d->count]); // of a generation that failed
    d->names = d->settled_names;
    if (!add_mutants(it, s) || !measure(d, s) || !pick_set(it, s)) return false;
    drop_some(d);
    d->evolved = it->next;
    d->settled_names = d->names;
    return write_file(d, s);
}

bool iterate_differs_end(ts_iterate *it, Status *s) {
    return !it->evolving ||
           (take_all_pending(it, s) && measure(it->evolving, s) && write_file(it->evolving, s));
}

// ---- What came of it ----

size_t ts_iterate_differs(const ts_iterate *it, ts_iterate_evolved *evolved) {
    const IterateDiffers *d = it->evolving;
    *evolved = (ts_iterate_evolved){.worth_first = 0.5, .worth_used = 0.5};
    Differ **set = d ? malloc(d->count * sizeof(Differ *)) : NULL;
    if (!set) return d ? d->count : 0;
    for (int used = 0; used < 2; used++) {
        size_t pairs;
        const int n = list_set(d, set, used);
        const size_t won = worth_of(d, set, n, 2, &pairs);
        *(used ? &evolved->worth_used : &evolved->worth_first) = share(won, pairs);
        evolved->pairs = pairs;
    }
    evolved->cases = (size_t)(d->case_count - first_case(d));
    free(set);
    return d->count;
}

ts_iterate_differ ts_iterate_differ_at(const ts_iterate *it, size_t index) {
    const Differ *f = it->evolving->list[index];
    return (ts_iterate_differ){.name = name_of(f),
                               .text = f->text,
                               .origin = f->origin,
                               .worth = share(f->won, f->pairs),
                               .pairs = f->pairs,
                               .first = f->first,
                               .used = f->used};
}
