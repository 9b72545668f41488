// From a program to lines that can be changed, and from what the kinds of mutation (mutator.h) made of them
// back to a program, if it is worth having.
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "base/hash.h"
#include "mutate/mutator.h"

enum { MOST_TRIES = 40, LINES_PER_KIND = 6 };

// ---- Room ----

void mutator_init(Mutator *m, const ts_programs *source, ts_colors colors, unsigned kinds) {
    *m = (Mutator){.source = source, .colors = colors, .kinds = kinds ? kinds : UINT_MAX};
    for (int k = 0; k < 2; k++) arena_init(&m->ctx[k].arena, (size_t)1 << 30);
    arena_init(&m->said.arena, (size_t)1 << 30);
    mutator_learn_grammar(&m->grammar);
}

void mutator_free(Mutator *m) {
    for (int k = 0; k < 2; k++) arena_free(&m->ctx[k].arena);
    arena_free(&m->said.arena);
    text_free(&m->note);
    draft_free(&m->draft);
    free(m->types);
    free(m->other_types);
    free(m->lines);
    free(m->constants);
    free(m->places);
}

bool mutator_room(Mutator *m, void **array, size_t *room, size_t n, size_t size) {
    if (n <= *room) return true;
    size_t wanted = n < 64 ? 64 : 2 * n;
    void *grown = realloc(*array, wanted * size);
    if (!grown) {
        m->failed = true;
        return false;
    }
    *array = grown;
    *room = wanted;
    return true;
}

Ref mutator_line(Mutator *m, DraftLine line) {
    size_t room = m->line_room;
    if (!mutator_room(m, (void **)&m->lines, &room, m->line_count + 1, sizeof line)) return REF_NONE;
    m->line_room = (uint32_t)room;
    m->lines[m->line_count] = line;
    return ref_make(REF_LINE, m->line_count++);
}

Ref mutator_constant(Mutator *m, Value v) {
    size_t room = m->constant_room;
    if (!mutator_room(m, (void **)&m->constants, &room, m->constant_count + 1, sizeof v)) return REF_NONE;
    m->constant_room = (uint32_t)room;
    m->constants[m->constant_count] = v;
    return ref_make(REF_CONSTANT, m->constant_count++);
}

// ---- From a program to lines that can be changed, and back ----

Ref mutator_ref(const Program *p, uint32_t slot) {
    assert(slot < program_slots(p));
    uint32_t first = program_slot_of_line(p, 0);
    if (slot < SLOTS_GIVEN) return ref_make(REF_GIVEN, slot);
    return slot < first ? ref_make(REF_CONSTANT, slot - SLOTS_GIVEN) : ref_make(REF_LINE, slot - first);
}

static bool load(Mutator *m) {
    const Program *p = m->p;
    m->line_count = m->constant_count = 0;
    m->takes_samples = p->takes_samples;
    m->result = mutator_ref(p, p->result);
    for (uint32_t k = 0; k < p->constant_count; k++) mutator_constant(m, p->constants[k]);
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        DraftLine line = {.op = l->op, .n = l->n, .source = l->source};
        if (l->op == LINE_CALLS_VALUE) line.callee = mutator_ref(p, l->callee);
        for (int n = 0; n < l->n; n++) line.args[n] = mutator_ref(p, l->args[n]);
        mutator_line(m, line);
    }
    return !m->failed;
}

static bool lay_out(Mutator *m, Ref from, Ref *to);

// A line and all that it needs into the draft. False where a constant is called that is no such function.
static bool lay_out_line(Mutator *m, uint32_t number, Ref *to) {
    assert(number < m->line_count);
    DraftLine line = m->lines[number];
    if (m->places[number] != REF_NONE) {
        *to = m->places[number];
        return true;
    }
    if (line.op == LINE_CALLS_VALUE && !lay_out(m, line.callee, &line.callee)) return false;
    for (int k = 0; k < line.n; k++)
        if (!lay_out(m, line.args[k], &line.args[k])) return false;
    if (line.op == LINE_CALLS_VALUE && ref_kind(line.callee) == REF_CONSTANT) {
        Value f = m->draft.constants[ref_index(line.callee)];
        if (!value_is_op(f) || ops_table[value_op(f)].arity != line.n) return false;
        line.op = (int16_t)value_op(f);
        line.callee = 0;
    }
    *to = m->places[number] = draft_line(&m->draft, &line);
    return true;
}

static bool lay_out(Mutator *m, Ref from, Ref *to) {
    assert(from != REF_NONE && (ref_kind(from) != REF_CONSTANT || ref_index(from) < m->constant_count));
    *to = from;
    if (ref_kind(from) == REF_CONSTANT) *to = draft_constant(&m->draft, m->constants[ref_index(from)]);
    return ref_kind(from) != REF_LINE || lay_out_line(m, ref_index(from), to);
}

static bool needs_input(const Program *p) {
    for (uint32_t k = 0; k < p->line_count; k++)
        for (int n = 0; n < p->lines[k].n; n++)
            if (p->lines[k].args[n] == SLOT_I || p->lines[k].args[n] == SLOT_S) return true;
    return false;
}

uint64_t mutate_hash(const Program *p) {
    uint64_t h = hash_mix(p->takes_samples, p->result);
    for (uint32_t k = 0; k < p->constant_count; k++) h = hash_mix(h, value_hash(p->constants[k]));
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        h = hash_mix(h, (uint64_t)(l->op + 1) << 8 | l->n);
        if (l->op == LINE_CALLS_VALUE) h = hash_mix(h, l->callee);
        for (int n = 0; n < l->n; n++) h = hash_mix(h, l->args[n]);
    }
    return h;
}

bool mutator_said_nothing(Mutator *m) {
    bool failed = m->said.failure;
    m->failed |= m->said.arena.starved;
    m->said.failure = TS_FAIL_NONE;
    return failed;
}

Shape mutator_yields_before(Mutator *m, const Program *p, const Line *l, int argument) {
    const OpInfo *info = &ops_table[l->op];
    if (!argument || !mutator_is_constant(p, l->args[argument - 1])) return SHAPE_Number;
    Value arguments[LINE_MOST_ARGS];
    arguments[argument - 1] = p->constants[l->args[argument - 1] - SLOTS_GIVEN];
    return op_yields(&m->said, info, argument, arguments);
}

// Whether a constant is what its parameter wants, in its one form.
static bool says_it(Mutator *m, const Program *p, const Line *l, int argument, Shape shape) {
    bool sees = !shape_follows(shape) || (argument && mutator_is_constant(p, l->args[argument - 1]));
    if (!sees) return true;
    Value v = p->constants[l->args[argument] - SLOTS_GIVEN];
    Value said = shape_read_after(&m->said, mutator_yields_before(m, p, l, argument), shape, v, NULL);
    return !mutator_said_nothing(m) && value_equal(said, v);
}

// How many parameters that want words get something that is worked out; -1 where one gets other words.
static int unsaid(Mutator *m, const Program *p) {
    int n = 0;
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        for (int arg = 0; l->op != LINE_CALLS_VALUE && arg < l->n; arg++) {
            Shape shape = ops_table[l->op].shapes[arg];
            if (shape == SHAPE_NONE) continue;
            if (!mutator_is_constant(p, l->args[arg])) n++;
            else if (!says_it(m, p, l, arg, shape)) return -1;
        }
    }
    return n;
}

// The changed lines as a program. False where it is not worth having.
static bool finish(Mutator *m, Program *mutant) {
    Ref root;
    if (m->failed || !mutator_room(m, (void **)&m->places, &m->place_room, m->line_count, sizeof *m->places))
        return false;
    for (uint32_t k = 0; k < m->line_count; k++) m->places[k] = REF_NONE;
    draft_clear(&m->draft);
    if (!lay_out(m, m->result, &root)) return false;
    *mutant = (Program){.name = m->p->name, .takes_samples = m->takes_samples};
    ctx_begin(&m->ctx[!m->at], INT64_MAX / 2);
    if (!draft_finish(&m->draft, &m->ctx[!m->at], root, mutant)) {
        m->failed = true;
        return false;
    }
    if (mutant->line_count > MUTATE_MOST_LINES && mutant->line_count > m->p->line_count) return false;
    if (!needs_input(mutant) || mutate_hash(mutant) == mutate_hash(m->p)) return false;
    int found = unsaid(m, mutant);
    if (found < 0 || found > m->unsaid) return false;
    size_t slots = program_slots(mutant);
    if (!mutator_room(m, (void **)&m->other_types, &m->other_type_room, slots, sizeof *m->types))
        return false;
    return program_types(mutant, m->other_types, NULL) &&
           type_alike(m->other_types[mutant->result], m->wanted);
}

// ---- Notes ----

void mutator_note_call(Mutator *m, const DraftLine *line) {
    text_print(&m->note, "%s(", ops_table[line->op].name);
    for (int k = 0; k < line->n; k++) {
        if (k) text_add(&m->note, ", ");
        mutator_note_ref(m, line->args[k], ops_table[line->op].types[k]);
    }
    text_char(&m->note, ')');
}

void mutator_note_ref(Mutator *m, Ref r, const char *type) {
    enum { HEAVY = 200 }; // of a constant that is, the beginning
    static const char *const given[] = {"S", "I", "C"};
    if (ref_kind(r) == REF_GIVEN) text_add(&m->note, given[ref_index(r)]);
    else if (ref_kind(r) == REF_CONSTANT && value_weight(m->constants[ref_index(r)]) > HEAVY)
        literal_print_some(&m->note, m->constants[ref_index(r)], HEAVY);
    else if (ref_kind(r) == REF_CONSTANT) program_print_constant(&m->note, m->constants[ref_index(r)], type);
    else if (r == mutator_ref(m->p, m->p->result)) text_char(&m->note, 'O');
    else if (ref_index(r) >= m->p->line_count) mutator_note_call(m, &m->lines[ref_index(r)]);
    else text_print(&m->note, "x%u", ref_index(r) + 1);
}

const char *mutator_type_name(const DraftLine *l, int argument) {
    return l->op == LINE_CALLS_VALUE || argument < 0 ? NULL : ops_table[l->op].types[argument];
}

static void cut_note(Mutator *m, size_t length) {
    m->note.length = length;
    if (m->note.data) m->note.data[length] = 0;
}

void mutator_note_place(Mutator *m, uint32_t line, int argument) {
    text_print(&m->note, "line %u: ", line + 1);
    if (argument < 0) text_add(&m->note, "function: ");
    else text_print(&m->note, "argument %d: ", argument + 1);
}

void mutator_note_change(Mutator *m, uint32_t line, int argument, Ref from, Ref to) {
    const char *type = mutator_type_name(&m->lines[line], argument);
    mutator_note_place(m, line, argument);
    mutator_note_ref(m, from, type);
    text_add(&m->note, " -> ");
    mutator_note_ref(m, to, type);
}

// ---- Choosing ----

static OpOrigin wider(OpOrigin a, OpOrigin b) { return a > b ? a : b; }

// Of the functions that a constant holds; literals are rarely nested, and never deep.
static OpOrigin origin_of_value(Value v) {
    OpOrigin origin = ORIGIN_PUBLIC;
    if (value_is_op(v)) return ops_table[value_op(v)].origin;
    if (!value_is(v, KIND_TUPLE) && !value_is(v, KIND_SET) && !value_is(v, KIND_FUNC)) return origin;
    const Obj *o = value_obj(v);
    if (o->kind == KIND_FUNC) origin = ops_table[o->detail].origin;
    for (uint32_t k = 0; k < o->n; k++) origin = wider(origin, origin_of_value(obj_items(o)[k]));
    return origin;
}

OpOrigin mutator_origin(const Program *p) {
    OpOrigin origin = ORIGIN_PUBLIC;
    for (uint32_t k = 0; k < p->line_count; k++)
        if (p->lines[k].op != LINE_CALLS_VALUE) origin = wider(origin, ops_table[p->lines[k].op].origin);
    for (uint32_t k = 0; k < p->constant_count; k++) origin = wider(origin, origin_of_value(p->constants[k]));
    return origin;
}

Type mutator_parameter(const Line *l, int argument) {
    if (argument < 0) // what is called
        return (Type){.self = TYPE_FUNCTION, .arities = (uint16_t)(l->n ? 1U << (l->n - 1) : 0)};
    if (l->op == LINE_CALLS_VALUE) return (Type){TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY};
    return type_of_parameter((Op)l->op, argument);
}

Ref *mutator_argument(Mutator *m, uint32_t line, int argument) {
    assert(line < m->line_count && argument >= -1 && argument < LINE_MOST_ARGS);
    return argument < 0 ? &m->lines[line].callee : &m->lines[line].args[argument];
}

int mutator_any_argument(Mutator *m, const Line *l) {
    int calls = l->op == LINE_CALLS_VALUE;
    return l->n + calls ? (int)mutator_below(m, (uint32_t)(l->n + calls)) - calls : -2;
}

uint32_t mutator_earlier(Mutator *m, uint32_t line, Type parameter, Type wanted, uint32_t not_this) {
    const Program *p = m->p;
    uint32_t chosen = 0, seen = 0, first = program_slot_of_line(p, 0);
    for (uint32_t slot = SLOT_I; slot < first + line; slot = slot == SLOT_I ? first : slot + 1) {
        Type t = m->types[slot];
        if (slot != not_this && type_fits(t, parameter) && type_alike(t, wanted) && mutator_take(m, &seen))
            chosen = slot;
    }
    return chosen;
}

void mutator_replace(Mutator *m, Ref from, Ref to) {
    for (uint32_t k = 0; k < m->p->line_count; k++) {
        DraftLine *l = &m->lines[k];
        if (l->op == LINE_CALLS_VALUE && l->callee == from) l->callee = to;
        for (int n = 0; n < l->n; n++)
            if (l->args[n] == from) l->args[n] = to;
    }
    if (m->result == from) m->result = to;
}

// ---- All of them ----

static const struct {
    const char *name;
    unsigned weight;
    MutateKind *make;
} mutations[TS_MUTATIONS] = {
    [TS_MUTATE_CONSTANT] = {"constant", 25, mutate_constant},
    [TS_MUTATE_COLOR] = {"colour", 15, mutate_color},
    [TS_MUTATE_PRIMITIVE] = {"primitive", 20, mutate_primitive},
    [TS_MUTATE_ARGUMENT] = {"argument", 15, mutate_argument},
    [TS_MUTATE_INSERT] = {"insert", 10, mutate_insert},
    [TS_MUTATE_DROP] = {"drop", 7, mutate_drop},
    [TS_MUTATE_GRAFT] = {"graft", 8, mutate_graft},
    [TS_MUTATE_GROW] = {"grow", 35, mutate_grow},
    [TS_MUTATE_CHAIN] = {"chain", 4, mutate_chain},
    [TS_MUTATE_MEASURE] = {"measure", 12, mutate_measure},
    [TS_MUTATE_CROSS] = {"cross", 35, mutate_cross},
    [TS_MUTATE_RETYPE] = {"retype", 4, mutate_retype},
    [TS_MUTATE_COVER] = {"cover", 2, mutate_cover},
};

const char *ts_mutation_name(ts_mutation kind) {
    return (unsigned)kind < TS_MUTATIONS ? mutations[kind].name : "unknown";
}

static unsigned weight_of(const Mutator *m, unsigned kind) {
    if (!(m->kinds >> kind & 1)) return 0;
    return m->worth ? 1 + (unsigned)(100 * m->worth[kind] * mutations[kind].weight) : mutations[kind].weight;
}

static ts_mutation choose_kind(Mutator *m) {
    unsigned total = 0, k = 0;
    for (unsigned n = 0; n < TS_MUTATIONS; n++) total += weight_of(m, n);
    uint32_t at = mutator_below(m, total);
    for (; at >= weight_of(m, k); k++) at -= weight_of(m, k);
    return (ts_mutation)k;
}

// One mutation of m->p, whose types are known. The note is as before where it fails.
static bool mutate_once(Mutator *m, Program *mutant, ts_mutation *kind) {
    size_t noted = m->note.length;
    for (int tries = 0; tries < MOST_TRIES && !m->failed; tries++) {
        *kind = choose_kind(m);
        if (m->p->line_count == 0 && *kind != TS_MUTATE_GROW) {
            if (!weight_of(m, TS_MUTATE_INSERT)) continue;
            *kind = TS_MUTATE_INSERT;
        }
        if (*kind == TS_MUTATE_COLOR && !m->colors.inputs && !m->colors.outputs) continue;
        for (int lines = 0; lines < LINES_PER_KIND && !m->failed; lines++) {
            uint32_t line = m->p->line_count ? mutator_below(m, m->p->line_count) : 0;
            if (noted) text_add(&m->note, "; ");
            if (load(m) && mutations[*kind].make(m, line) && finish(m, mutant)) return true;
            cut_note(m, noted);
        }
    }
    return false;
}

static unsigned number_of_mutations(Mutator *m, uint32_t lines, double rate) {
    unsigned n = 0;
    for (uint32_t k = 0; k < lines; k++) n += (double)(rng_next(&m->rng) >> 11) * 0x1p-53 < rate;
    return n ? n : 1;
}

static bool begin(Mutator *m, const Program *p) {
    TypeProblem problem;
    text_clear(&m->note);
    m->p = p;
    ctx_begin(&m->said, INT64_MAX / 2);
    m->unsaid = unsaid(m, p);
    m->origin = mutator_origin(p);
    if (p->line_count > MUTATE_LONGEST_PARENT) {
        text_print(&m->note, "not mutated: it has more than %d lines", MUTATE_LONGEST_PARENT);
        return false;
    }
    if (!mutator_room(m, (void **)&m->types, &m->type_room, program_slots(p), sizeof *m->types)) return false;
    if (program_types(p, m->types, &problem)) {
        m->wanted = m->types[p->result];
        return true;
    }
    text_add(&m->note, "not mutated: ");
    type_problem_print(&m->note, &problem);
    return false;
}

unsigned mutate_program(Mutator *m, const Program *p, double rate, Program *mutant,
                        size_t made[TS_MUTATIONS]) {
    if (!begin(m, p)) return 0;
    unsigned wanted = number_of_mutations(m, p->line_count, rate), done = 0;
    ts_mutation kinds[MUTATE_LONGEST_PARENT];
    Program now = *p, next;
    while (done < wanted && mutate_once(m, &next, &kinds[done])) {
        now = next;
        m->p = &now;
        m->at = !m->at;
        Type *types = m->types; // those of the mutant are known already
        size_t room = m->type_room;
        m->types = m->other_types;
        m->type_room = m->other_type_room;
        m->other_types = types;
        m->other_type_room = room;
        done++;
    }
    m->p = NULL;
    if (!done || m->failed || mutate_hash(&now) == mutate_hash(p)) {
        text_clear(&m->note);
        text_add(&m->note, "not mutated: nothing found");
        return 0;
    }
    for (unsigned k = 0; k < done; k++) made[kinds[k]]++;
    *mutant = now;
    return done;
}
