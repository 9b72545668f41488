// The engine `assemble`: what rules are worth, and the engine itself. The rules are in assemble_layouts.c and
// assemble_fits.c.
#include "assemble/assemble_engine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

enum { SCRATCH_BYTES = 16 << 20 };

static Pieces *find_pieces(Quest *q, int source) {
    Pieces *p = arena_alloc(&q->arena, (size_t)q->samples * sizeof *p);
    for (int k = 0; p && k < q->samples; k++) {
        if (!pieces_of(&q->arena, q->inputs[k], source, &p[k])) return NULL;
        if (!quest_spend(q, 3000 + 10 * q->inputs[k].height * q->inputs[k].width)) return NULL;
        if (p[k].count < 1 || p[k].count > ASSEMBLE_PIECES) return NULL;
    }
    for (int k = 0; p && k < q->samples; k++)
        if (!quest_spend(q, 3000 * p[k].count) || !pieces_props(&q->arena, &p[k])) return NULL;
    return p;
}

Pieces *assemble_pieces(Assembler *s, int source) {
    int k = 0;
    while (k < s->source_count && s->sources[k] != source) k++;
    assert(k < ASSEMBLE_SOURCES);
    if (k == s->source_count) {
        s->sources[k] = source;
        s->pieces[k] = find_pieces(s->q, source);
        s->source_count++;
    }
    return s->pieces[k];
}

// ---- Rules that fit ----

static bool note_answers(Assembler *s, uint64_t answers, double cost, bool fits_in) {
    AssembleFound *f = s->found, *end = f + s->found_count;
    while (f < end && f->answers != answers) f++;
    if (f == end) {
        if (s->found_count == ASSEMBLE_MOST_FOUND) return false;
        *f = (AssembleFound){.answers = answers, .cost = INFINITY};
        s->found_count++;
    }
    f->worth += exp2(-cost);
    if (cost >= f->cost) return false;
    f->cost = cost;
    f->fits_in = fits_in;
    s->current = f;
    text_clear(&s->text);
    return true;
}

bool assemble_try(Assembler *s, AssembleFn *made, const void *rule, double cost, bool fits_in) {
    Quest *q = s->q;
    int misses = 0, missed = 0;
    ts_grid out;
    q->tried[ENGINE_assemble]++;
    for (int d = 0; d < q->demos && misses < 2; d++) {
        arena_reset(&s->scratch);
        if (made(s, rule, d, &out) && ts_grid_equal(out, q->outputs[d])) continue;
        misses++;
        missed = d;
    }
    if (misses > 1 || (misses && q->demos < 2)) return false;
    if (misses) {
        s->wrong_on[missed] += exp2(-cost);
        return false;
    }
    s->right += exp2(-cost);
    uint64_t answers = 1;
    for (int t = q->demos; t < q->samples; t++) {
        arena_reset(&s->scratch);
        if (!made(s, rule, t, &out)) return false;
        answers = hash_mix(answers, grid_hash(out));
    }
    return note_answers(s, answers, cost, fits_in);
}

void assemble_note(Assembler *s) {
    s->current->lines = s->text.failed ? NULL : arena_text(&s->q->arena, s->text.data, s->text.length);
}

// Offers the rule whose answers are worth most. The class: whether all demos, some or none would have been
// foreseen, and whether it is a layout, things in a frame, or any rule that takes many words.
static void offer_best(Assembler *s) {
    int foreseen = 0;
    AssembleFound *best = NULL;
    for (int d = 0; d < s->q->demos; d++) foreseen += s->right > s->wrong_on[d];
    for (int k = 0; k < s->found_count; k++)
        if (s->found[k].lines && (!best || s->found[k].worth > best->worth)) best = &s->found[k];
    if (!best) return;
    int trust = foreseen == s->q->demos ? 0 : foreseen ? 1 : 2;
    quest_offer(s->q, ENGINE_assemble, (best->cost > 8 ? 6 : best->fits_in ? 3 : 0) + trust, best->lines);
}

bool engine_assemble(Quest *q) {
    Assembler *s = arena_alloc(&q->arena, sizeof *s);
    if (!s) return true;
    memset(s, 0, sizeof *s);
    s->q = q;
    quest_arena(q, &s->scratch, SCRATCH_BYTES);
    s->new_colors = 0x3FF;
    for (int d = 0; d < q->demos; d++) s->new_colors &= colors_in(q->outputs[d]) & ~colors_in(q->inputs[d]);
    bool done = assemble_fits(s) && assemble_layouts(s);
    offer_best(s);
    quest_free_arena(q, &s->scratch);
    quest_free_text(q, &s->text);
    return done;
}
