// How each mutation is made. It looks at the program as it was, m->p and its types, and changes the lines in
// m->lines, where a reference to a line is to its number there: new lines come last, whatever refers to them.
#include "mutate/mutate.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "program/constants.h"

enum {
    MOST_TRIES = 40,
    LINES_PER_KIND = 6,
    MOST_OPERAND_TRIES = 8,
    MOST_DONORS = 3,
    MOST_GRAFTED = 12,
    MOST_NOTED = 60
};

#define NO_REF REF_NONE

// ---- Room ----

void mutator_init(Mutator *m, const ts_programs *source, ts_colors colors) {
    *m = (Mutator){.source = source, .colors = colors};
    for (int k = 0; k < 2; k++) arena_init(&m->ctx[k].arena, (size_t)1 << 30);
    arena_init(&m->said.arena, (size_t)1 << 30);
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

// At least n elements in an array of m's. What it held is kept.
static bool make_room(Mutator *m, void **array, size_t *room, size_t n, size_t size) {
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

static Ref add_line(Mutator *m, DraftLine line) {
    size_t room = m->line_room;
    if (!make_room(m, (void **)&m->lines, &room, m->line_count + 1, sizeof line)) return NO_REF;
    m->line_room = (uint32_t)room;
    m->lines[m->line_count] = line;
    return ref_make(REF_LINE, m->line_count++);
}

static Ref add_constant(Mutator *m, Value v) {
    size_t room = m->constant_room;
    if (!make_room(m, (void **)&m->constants, &room, m->constant_count + 1, sizeof v)) return NO_REF;
    m->constant_room = (uint32_t)room;
    m->constants[m->constant_count] = v;
    return ref_make(REF_CONSTANT, m->constant_count++);
}

// ---- From a program to lines that can be changed, and back ----

static Ref ref_of_slot(const Program *p, uint32_t slot) {
    assert(slot < program_slots(p));
    uint32_t first = program_slot_of_line(p, 0);
    if (slot < SLOTS_GIVEN) return ref_make(REF_GIVEN, slot);
    return slot < first ? ref_make(REF_CONSTANT, slot - SLOTS_GIVEN) : ref_make(REF_LINE, slot - first);
}

static bool is_constant_slot(const Program *p, uint32_t slot) {
    return slot >= SLOTS_GIVEN && slot < program_slot_of_line(p, 0);
}

static bool load(Mutator *m) {
    const Program *p = m->p;
    m->line_count = m->constant_count = 0;
    m->takes_samples = p->takes_samples;
    m->result = ref_of_slot(p, p->result);
    for (uint32_t k = 0; k < p->constant_count; k++) add_constant(m, p->constants[k]);
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        DraftLine line = {.op = l->op, .n = l->n, .source = l->source};
        if (l->op == LINE_CALLS_VALUE) line.callee = ref_of_slot(p, l->callee);
        for (int n = 0; n < l->n; n++) line.args[n] = ref_of_slot(p, l->args[n]);
        add_line(m, line);
    }
    return !m->failed;
}

static bool lay_out(Mutator *m, Ref from, Ref *to);

// A line and all that it needs into the draft. False where a constant is called that is no such function.
static bool lay_out_line(Mutator *m, uint32_t number, Ref *to) {
    assert(number < m->line_count);
    DraftLine line = m->lines[number];
    if (m->places[number] != NO_REF) {
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
    assert(from != NO_REF && (ref_kind(from) != REF_CONSTANT || ref_index(from) < m->constant_count));
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

// Whether no words came of it; that memory was short is not forgotten.
static bool said_nothing(Mutator *m) {
    bool failed = m->said.failure;
    m->failed |= m->said.arena.starved;
    m->said.failure = TS_FAIL_NONE;
    return failed;
}

// What the argument before one is about, for a parameter that follows it.
static Shape yields_before(Mutator *m, const Program *p, const Line *l, int argument) {
    const OpInfo *info = &ops_table[l->op];
    if (!argument || !is_constant_slot(p, l->args[argument - 1])) return SHAPE_Number;
    Value arguments[LINE_MOST_ARGS];
    arguments[argument - 1] = p->constants[l->args[argument - 1] - SLOTS_GIVEN];
    return op_yields(&m->said, info, argument, arguments);
}

// Whether a constant is what its parameter wants, in its one form.
static bool says_it(Mutator *m, const Program *p, const Line *l, int argument, Shape shape) {
    bool sees = !shape_follows(shape) || (argument && is_constant_slot(p, l->args[argument - 1]));
    if (!sees) return true;
    Value v = p->constants[l->args[argument] - SLOTS_GIVEN];
    Value said = shape_read_after(&m->said, yields_before(m, p, l, argument), shape, v, NULL);
    return !said_nothing(m) && value_equal(said, v);
}

// How many parameters that want words get something that is worked out; -1 where one gets other words.
static int unsaid(Mutator *m, const Program *p) {
    int n = 0;
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        for (int arg = 0; l->op != LINE_CALLS_VALUE && arg < l->n; arg++) {
            Shape shape = ops_table[l->op].shapes[arg];
            if (shape == SHAPE_NONE) continue;
            if (!is_constant_slot(p, l->args[arg])) n++;
            else if (!says_it(m, p, l, arg, shape)) return -1;
        }
    }
    return n;
}

// The changed lines as a program. False where it is not worth having.
static bool finish(Mutator *m, Program *mutant) {
    Ref root;
    if (m->failed || !make_room(m, (void **)&m->places, &m->place_room, m->line_count, sizeof *m->places))
        return false;
    for (uint32_t k = 0; k < m->line_count; k++) m->places[k] = NO_REF;
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
    if (!make_room(m, (void **)&m->other_types, &m->other_type_room, slots, sizeof *m->types)) return false;
    return program_types(mutant, m->other_types, NULL) &&
           type_alike(m->other_types[mutant->result], m->wanted);
}

// ---- Notes ----

static void note_ref(Mutator *m, Ref r, const char *type) {
    enum { HEAVY = 200 }; // of a constant that is, the beginning
    static const char *const given[] = {"S", "I", "C"};
    if (ref_kind(r) == REF_GIVEN) text_add(&m->note, given[ref_index(r)]);
    else if (ref_kind(r) == REF_CONSTANT && value_weight(m->constants[ref_index(r)]) > HEAVY)
        literal_print_some(&m->note, m->constants[ref_index(r)], HEAVY);
    else if (ref_kind(r) == REF_CONSTANT) program_print_constant(&m->note, m->constants[ref_index(r)], type);
    else if (r == ref_of_slot(m->p, m->p->result)) text_char(&m->note, 'O');
    else text_print(&m->note, "x%u", ref_index(r) + 1);
}

static const char *type_name(const DraftLine *l, int argument) {
    return l->op == LINE_CALLS_VALUE || argument < 0 ? NULL : ops_table[l->op].types[argument];
}

static void cut_note(Mutator *m, size_t length) {
    m->note.length = length;
    if (m->note.data) m->note.data[length] = 0;
}

// "line 3: argument 2: x1 -> x2"
static void note_change(Mutator *m, uint32_t line, int argument, Ref from, Ref to) {
    const char *type = type_name(&m->lines[line], argument);
    text_print(&m->note, "line %u: ", line + 1);
    if (argument < 0) text_add(&m->note, "function: ");
    else text_print(&m->note, "argument %d: ", argument + 1);
    note_ref(m, from, type);
    text_add(&m->note, " -> ");
    note_ref(m, to, type);
}

// ---- Choosing ----

static uint32_t below(Mutator *m, uint32_t n) { return rng_below(&m->rng, n); }

// Counts candidates up and says whether this one replaces the one chosen before, so that in the end each was
// equally likely.
static bool take(Mutator *m, uint32_t *seen) { return below(m, ++*seen) == 0; }

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

// The smallest language that has all primitives of a program. Its mutants stay in it: those of a public
// program have no names that Python does not know.
static OpOrigin origin_of(const Program *p) {
    OpOrigin origin = ORIGIN_PUBLIC;
    for (uint32_t k = 0; k < p->line_count; k++)
        if (p->lines[k].op != LINE_CALLS_VALUE) origin = wider(origin, ops_table[p->lines[k].op].origin);
    for (uint32_t k = 0; k < p->constant_count; k++) origin = wider(origin, origin_of_value(p->constants[k]));
    return origin;
}

static bool is_at_hand(const Mutator *m, int op) { return ops_table[op].origin <= m->origin; }

static bool allowed(const Mutator *m, int op) { return op != OP_identity && is_at_hand(m, op); }

static Type slot_type(const Mutator *m, uint32_t slot) { return m->types[slot]; }

static Type parameter_type(const Line *l, int argument) {
    if (argument < 0) // what is called
        return (Type){.self = TYPE_FUNCTION, .arities = (uint16_t)(l->n ? 1U << (l->n - 1) : 0)};
    if (l->op == LINE_CALLS_VALUE) return (Type){TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY};
    return type_of_parameter((Op)l->op, argument);
}

static uint32_t argument_slot(const Line *l, int argument) {
    return argument < 0 ? l->callee : l->args[argument];
}

static Ref *argument_ref(Mutator *m, uint32_t line, int argument) {
    assert(line < m->line_count && argument >= -1 && argument < LINE_MOST_ARGS);
    return argument < 0 ? &m->lines[line].callee : &m->lines[line].args[argument];
}

// One of the arguments of a line, -1 for the function that it calls; -2 where it has none.
static int any_argument(Mutator *m, const Line *l) {
    int calls = l->op == LINE_CALLS_VALUE;
    return l->n + calls ? (int)below(m, (uint32_t)(l->n + calls)) - calls : -2;
}

// An earlier value that may be passed, is like the one wanted and is not it: a slot; 0 where there is none (S
// is never chosen, for nothing else is like it).
static uint32_t earlier_value(Mutator *m, uint32_t line, Type parameter, Type wanted, uint32_t not_this) {
    const Program *p = m->p;
    uint32_t chosen = 0, seen = 0, first = program_slot_of_line(p, 0);
    for (uint32_t slot = SLOT_I; slot < first + line; slot = slot == SLOT_I ? first : slot + 1) {
        Type t = slot_type(m, slot);
        if (slot != not_this && type_fits(t, parameter) && type_alike(t, wanted) && take(m, &seen))
            chosen = slot;
    }
    return chosen;
}

// All uses of a value on the lines of the program, and as its result, take another one.
static void replace_uses(Mutator *m, Ref from, Ref to) {
    for (uint32_t k = 0; k < m->p->line_count; k++) {
        DraftLine *l = &m->lines[k];
        if (l->op == LINE_CALLS_VALUE && l->callee == from) l->callee = to;
        for (int n = 0; n < l->n; n++)
            if (l->args[n] == from) l->args[n] = to;
    }
    if (m->result == from) m->result = to;
}

// ---- The mutations: each changes a line, or what it gives, and notes it; false where it cannot ----

// One of the constants of a line, of this kind (CONSTANT_OTHER: of any that can be exchanged). -1: none.
static int any_constant(Mutator *m, uint32_t line, ConstantKind wanted, ConstantKind *found) {
    const Line *l = &m->p->lines[line];
    int chosen = -1;
    uint32_t seen = 0;
    for (int k = 0; k < l->n; k++) {
        if (!is_constant_slot(m->p, l->args[k])) continue;
        ConstantKind kind = constant_kind(m->p, m->types, line, k);
        if (kind == CONSTANT_OTHER || (wanted && kind != wanted) || !take(m, &seen)) continue;
        chosen = k;
        *found = kind;
    }
    return chosen;
}

// Puts another constant there, and half the time everywhere else where the old one is used for the same.
static void exchange_constant(Mutator *m, uint32_t line, int argument, ConstantKind kind, Value v) {
    uint32_t slot = m->p->lines[line].args[argument], others = 0;
    Ref from = ref_of_slot(m->p, slot), to = add_constant(m, v);
    const char *type = type_name(&m->lines[line], argument);
    *argument_ref(m, line, argument) = to;
    bool everywhere = below(m, 2);
    for (uint32_t k = 0; everywhere && k < m->p->line_count; k++)
        for (int n = 0; n < m->p->lines[k].n; n++) {
            bool same = m->lines[k].args[n] == from && constant_kind(m->p, m->types, k, n) == kind;
            if (same) m->lines[k].args[n] = to;
            others += same;
        }
    text_print(&m->note, "line %u: %s ", line + 1, constant_kind_name(kind));
    note_ref(m, from, type);
    text_add(&m->note, " -> ");
    note_ref(m, to, type);
    if (others) text_add(&m->note, " everywhere");
}

// A word, a number or a condition among the words of a constant.
static bool mutate_words(Mutator *m, uint32_t line, int argument, Value v) {
    Shape shape = constant_shape(m->p, m->types, line, argument);
    const Line *l = &m->p->lines[line];
    bool direct = l->op != LINE_CALLS_VALUE && ops_table[l->op].shapes[argument] == shape;
    if (shape == SHAPE_NONE || (shape_follows(shape) && !direct)) return false;
    Shape yields = direct ? yields_before(m, m->p, l, argument) : SHAPE_Number;
    ShapeChange made;
    Value other = shape_mutate(&m->said, &m->rng, yields, shape, v, &made);
    if (said_nothing(m) || value_equal(other, v)) return false;
    *argument_ref(m, line, argument) = add_constant(m, other);
    text_print(&m->note, "line %u: ", line + 1);
    if (value_tag(made.from) == TAG_NONE || value_tag(made.to) == TAG_NONE) {
        bool added = value_tag(made.from) == TAG_NONE;
        literal_print_some(&m->note, added ? made.to : made.from, MOST_NOTED);
        text_add(&m->note, added ? " added" : " dropped");
        return true;
    }
    literal_print_some(&m->note, made.from, MOST_NOTED);
    text_add(&m->note, " -> ");
    literal_print_some(&m->note, made.to, MOST_NOTED);
    return true;
}

static bool mutate_constant(Mutator *m, uint32_t line) {
    ConstantKind kind;
    int argument = any_constant(m, line, CONSTANT_OTHER, &kind);
    if (argument < 0) return false;
    Value v = m->p->constants[m->p->lines[line].args[argument] - SLOTS_GIVEN];
    if (kind == CONSTANT_WORDS) return mutate_words(m, line, argument, v);
    exchange_constant(m, line, argument, kind, constant_exchange(kind, v, &m->rng));
    return true;
}

// A colour by what it does in the samples: it goes, it comes, or it stays.
static bool mutate_color(Mutator *m, uint32_t line) {
    static const char *const names[3] = {"inputs only", "outputs only", "inputs and outputs"};
    ConstantKind kind;
    int argument = any_constant(m, line, CONSTANT_COLOR, &kind), group = -1, chosen = -1;
    if (argument < 0) return false;
    int64_t old = value_small(m->p->constants[m->p->lines[line].args[argument] - SLOTS_GIVEN]);
    unsigned in = m->colors.inputs, out = m->colors.outputs, others = 0x3FFU & ~(1U << old);
    const unsigned groups[3] = {in & ~out & others, out & ~in & others, in & out & others};
    uint32_t seen = 0;
    for (int k = 0; k < 3; k++)
        if (groups[k] && take(m, &seen)) group = k;
    if (group < 0) return false;
    seen = 0;
    for (int color = 0; color < 10; color++)
        if (groups[group] >> color & 1 && take(m, &seen)) chosen = color;
    exchange_constant(m, line, argument, kind, value_of_small(chosen));
    text_print(&m->note, " (in %s)", names[group]);
    return true;
}

// Another primitive for the one of a line: it takes the same arguments and gives the like.
static bool exchange_line_op(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    Type a[LINE_MOST_ARGS], old = slot_type(m, program_slot_of_line(m->p, line)), result;
    int chosen = -1;
    uint32_t seen = 0;
    for (int k = 0; k < l->n; k++) a[k] = slot_type(m, l->args[k]);
    for (int op = 0; op < OPS; op++) {
        if (op == l->op || ops_table[op].arity != l->n || !allowed(m, op)) continue;
        if (type_of_call(m->p, m->types, (Op)op, a, &result) && type_alike(result, old) && take(m, &seen))
            chosen = op;
    }
    if (chosen < 0) return false;
    m->lines[line].op = (int16_t)chosen;
    text_print(&m->note, "line %u: %s -> %s", line + 1, ops_table[l->op].name, ops_table[chosen].name);
    return true;
}

// Another primitive for one that is passed as a function.
static bool exchange_function(Mutator *m, uint32_t line, int argument, Op old) {
    int chosen = -1, arity = ops_table[old].arity;
    uint32_t seen = 0;
    for (int op = 0; op < OPS; op++) {
        bool same = op != (int)old && ops_table[op].arity == arity && is_at_hand(m, op) &&
                    type_alike(type_of_result((Op)op), type_of_result(old));
        for (int k = 0; same && k < arity; k++)
            same = type_alike(type_of_parameter((Op)op, k), type_of_parameter(old, k));
        if (same && take(m, &seen)) chosen = op;
    }
    if (chosen < 0) return false;
    Ref function = add_constant(m, value_of_op((unsigned)chosen));
    *argument_ref(m, line, argument) = function;
    text_print(&m->note, "line %u: function %s -> %s", line + 1, ops_table[old].name, ops_table[chosen].name);
    return true;
}

static bool mutate_primitive(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = -1;
    uint32_t seen = l->op != LINE_CALLS_VALUE; // the line's own primitive
    for (int k = 0; k < l->n; k++) {
        uint32_t slot = l->args[k];
        bool function = is_constant_slot(m->p, slot) && value_is_op(m->p->constants[slot - SLOTS_GIVEN]);
        if (function && take(m, &seen)) argument = k;
    }
    if (argument < 0) return l->op != LINE_CALLS_VALUE && exchange_line_op(m, line);
    return exchange_function(m, line, argument,
                             (Op)value_op(m->p->constants[l->args[argument] - SLOTS_GIVEN]));
}

static bool mutate_argument(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = any_argument(m, l);
    if (argument < -1) return false;
    uint32_t old = argument_slot(l, argument);
    uint32_t slot = earlier_value(m, line, parameter_type(l, argument), slot_type(m, old), old);
    if (!slot) return false;
    note_change(m, line, argument, ref_of_slot(m->p, old), ref_of_slot(m->p, slot));
    *argument_ref(m, line, argument) = ref_of_slot(m->p, slot);
    return true;
}

// Something for a parameter of a line that is being made: a value from before, or a constant.
static Ref operand(Mutator *m, uint32_t line, Op op, int argument, Type *type) {
    Type parameter = type_of_parameter(op, argument);
    ConstantKind kind = constant_kind_of_parameter(op, argument, VALUE_NONE);
    Value v = VALUE_NONE;
    uint32_t slot = 0;
    if (m->p->takes_samples && parameter.self == TYPE_TUPLE && type_fits(m->types[SLOT_S], parameter)) {
        *type = m->types[SLOT_S];
        return ref_make(REF_GIVEN, SLOT_S);
    }
    if (kind == CONSTANT_OTHER || (kind != CONSTANT_WORDS && below(m, 2)))
        slot = earlier_value(m, line, parameter, parameter, SLOT_C);
    if (slot) {
        *type = slot_type(m, slot);
        return ref_of_slot(m->p, slot);
    }
    if (op == OP_branch && argument == 0) return NO_REF; // the answer would be known
    if (kind == CONSTANT_WORDS) {
        v = shape_random(&m->said, &m->rng, SHAPE_Number, ops_table[op].shapes[argument]);
        if (said_nothing(m)) return NO_REF;
    } else if (kind != CONSTANT_OTHER) v = constant_exchange(kind, VALUE_NONE, &m->rng);
    else if (parameter.self == TYPE_FUNCTION) {
        uint32_t f = below(m, OPS);
        if (!is_at_hand(m, (int)f)) return NO_REF;
        v = value_of_op(f);
    } else if (type_fits((Type){TYPE_INT}, parameter))
        v = constant_exchange(CONSTANT_INTEGER, VALUE_NONE, &m->rng);
    else return NO_REF;
    *type = type_of_value(v);
    return type_fits(*type, parameter) ? add_constant(m, v) : NO_REF;
}

// A primitive that can take the value and give the like of it: which one, and as which argument.
static bool choose_wrapping(Mutator *m, Type t, Op *op, int *argument) {
    uint32_t seen = 0;
    for (int k = 0; k < OPS; k++) {
        if (!allowed(m, k) || !type_alike(type_of_result((Op)k), t)) continue;
        for (int n = 0; n < ops_table[k].arity; n++)
            if (type_fits(t, type_of_parameter((Op)k, n)) && take(m, &seen)) {
                *op = (Op)k;
                *argument = n;
            }
    }
    return seen;
}

static void note_call(Mutator *m, const DraftLine *line) {
    text_print(&m->note, "%s(", ops_table[line->op].name);
    for (int k = 0; k < line->n; k++) {
        if (k) text_add(&m->note, ", ");
        note_ref(m, line->args[k], ops_table[line->op].types[k]);
    }
    text_char(&m->note, ')');
}

static bool mutate_insert(Mutator *m, uint32_t line) {
    const Program *p = m->p;
    bool on_input = p->line_count == 0 || below(m, 8) == 0;
    uint32_t slot = on_input ? SLOT_I : program_slot_of_line(p, line);
    Type t = slot_type(m, slot), a[LINE_MOST_ARGS], result;
    for (int tries = 0; tries < MOST_OPERAND_TRIES; tries++) {
        Op op = OP_identity;
        int argument = 0;
        if (!choose_wrapping(m, t, &op, &argument)) return false;
        DraftLine made = {.op = (int16_t)op, .n = (uint8_t)ops_table[op].arity};
        if (p->line_count) made.source = p->lines[line].source;
        bool good = true;
        for (int k = 0; good && k < made.n; k++) {
            a[k] = t;
            made.args[k] =
                k == argument ? ref_of_slot(p, slot) : operand(m, on_input ? 0 : line + 1, op, k, &a[k]);
            good = made.args[k] != NO_REF;
        }
        if (!good || !type_of_call(p, m->types, op, a, &result) || !type_alike(result, t)) continue;
        if (on_input) text_add(&m->note, "line inserted after I: ");
        else text_print(&m->note, "line inserted after %u: ", line + 1);
        note_call(m, &made);
        replace_uses(m, ref_of_slot(p, slot), add_line(m, made));
        return true;
    }
    return false;
}

static bool mutate_drop(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    Type old = slot_type(m, program_slot_of_line(m->p, line));
    uint32_t seen = 0;
    int chosen = -1;
    for (int k = 0; k < l->n; k++)
        if (type_alike(slot_type(m, l->args[k]), old) && take(m, &seen)) chosen = k;
    if (chosen < 0) return false;
    Ref stand_in = ref_of_slot(m->p, l->args[chosen]);
    text_print(&m->note, "line %u dropped, ", line + 1);
    note_ref(m, stand_in, NULL);
    text_add(&m->note, " stands for it");
    replace_uses(m, ref_of_slot(m->p, program_slot_of_line(m->p, line)), stand_in);
    return true;
}

// ---- Grafting ----

// Marks the lines of the donor that this one needs; their number.
static uint32_t mark_part(Mutator *m, const Program *donor, uint32_t line) {
    uint32_t first = program_slot_of_line(donor, 0), count = 0;
    for (uint32_t k = 0; k <= line; k++) m->places[k] = NO_REF;
    m->places[line] = 0;
    for (uint32_t k = line + 1; k-- > 0;) {
        const Line *l = &donor->lines[k];
        if (m->places[k] == NO_REF) continue;
        count++;
        if (l->op == LINE_CALLS_VALUE && l->callee >= first) m->places[l->callee - first] = 0;
        for (int n = 0; n < l->n; n++)
            if (l->args[n] >= first) m->places[l->args[n] - first] = 0;
    }
    return count;
}

// What a slot of the donor is in the program: its own lines have been added already.
static Ref translate(Mutator *m, const Program *donor, uint32_t slot, Ref input) {
    uint32_t first = program_slot_of_line(donor, 0);
    if (slot >= first) return m->places[slot - first];
    if (slot >= SLOTS_GIVEN) return add_constant(m, donor->constants[slot - SLOTS_GIVEN]);
    if (slot == SLOT_S) m->takes_samples = true;
    return slot == SLOT_I ? input : ref_make(REF_GIVEN, slot);
}

// The part of the donor that gives this line, its I being another grid of the program now and then.
static Ref add_part(Mutator *m, const Program *donor, uint32_t line, Ref input) {
    for (uint32_t k = 0; k <= line; k++) {
        const Line *l = &donor->lines[k];
        if (m->places[k] == NO_REF) continue;
        DraftLine copy = {.op = l->op, .n = l->n, .source = l->source};
        if (l->op == LINE_CALLS_VALUE) copy.callee = translate(m, donor, l->callee, input);
        for (int n = 0; n < l->n; n++) copy.args[n] = translate(m, donor, l->args[n], input);
        m->places[k] = add_line(m, copy);
    }
    return m->places[line];
}

static bool uses_candidate(const Program *p) {
    for (uint32_t k = 0; k < p->line_count; k++)
        for (int n = 0; n < p->lines[k].n; n++)
            if (p->lines[k].args[n] == SLOT_C) return true;
    return false;
}

static const Program *choose_donor(Mutator *m) {
    const Program *donor = &m->source->programs[below(m, (uint32_t)m->source->count)];
    bool fine = strcmp(donor->name, m->p->name) != 0 && donor->line_count <= MUTATE_LONGEST_PARENT &&
                !uses_candidate(donor) && origin_of(donor) <= m->origin;
    if (!fine || !make_room(m, (void **)&m->places, &m->place_room, donor->line_count, sizeof *m->places) ||
        !make_room(m, (void **)&m->other_types, &m->other_type_room, program_slots(donor), sizeof *m->types))
        return NULL;
    return program_types(donor, m->other_types, NULL) ? donor : NULL;
}

static bool mutate_graft(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = any_argument(m, l);
    if (argument < -1 || m->source->count < 2) return false;
    Type old = slot_type(m, argument_slot(l, argument)), parameter = parameter_type(l, argument);
    for (int tries = 0; tries < MOST_DONORS; tries++) {
        const Program *donor = choose_donor(m);
        uint32_t seen = 0, chosen = 0;
        for (uint32_t k = 0; donor && k < donor->line_count; k++) {
            Type t = m->other_types[program_slot_of_line(donor, k)];
            if (type_fits(t, parameter) && type_alike(t, old) && take(m, &seen)) chosen = k;
        }
        uint32_t part = seen ? mark_part(m, donor, chosen) : 0;
        if (part == 0 || part > MOST_GRAFTED) continue;
        const Type grid = {TYPE_GRID};
        uint32_t input = below(m, 4) ? SLOT_I : earlier_value(m, line, grid, grid, SLOT_I);
        Ref grafted = add_part(m, donor, chosen, ref_of_slot(m->p, input ? input : SLOT_I));
        *argument_ref(m, line, argument) = grafted; // found now: the lines may have moved
        text_print(&m->note, "line %u: ", line + 1);
        if (argument < 0) text_add(&m->note, "function: ");
        else text_print(&m->note, "argument %d: ", argument + 1);
        text_print(&m->note, "part grafted from %s, %u line%s", donor->name, part, part == 1 ? "" : "s");
        return true;
    }
    return false;
}

// ---- All of them ----

static const struct {
    const char *name;
    unsigned weight;
    bool (*make)(Mutator *m, uint32_t line);
} mutations[TS_MUTATIONS] = {
    [TS_MUTATE_CONSTANT] = {"constant", 25, mutate_constant},
    [TS_MUTATE_COLOR] = {"colour", 15, mutate_color},
    [TS_MUTATE_PRIMITIVE] = {"primitive", 20, mutate_primitive},
    [TS_MUTATE_ARGUMENT] = {"argument", 15, mutate_argument},
    [TS_MUTATE_INSERT] = {"insert", 10, mutate_insert},
    [TS_MUTATE_DROP] = {"drop", 7, mutate_drop},
    [TS_MUTATE_GRAFT] = {"graft", 8, mutate_graft},
};

const char *ts_mutation_name(ts_mutation kind) {
    return (unsigned)kind < TS_MUTATIONS ? mutations[kind].name : "unknown";
}

static ts_mutation choose_kind(Mutator *m) {
    unsigned total = 0, k = 0;
    for (unsigned n = 0; n < TS_MUTATIONS; n++) total += mutations[n].weight;
    uint32_t at = below(m, total);
    for (; at >= mutations[k].weight; k++) at -= mutations[k].weight;
    return (ts_mutation)k;
}

// One mutation of m->p, whose types are known. The note is as before where it fails.
static bool mutate_once(Mutator *m, Program *mutant, ts_mutation *kind) {
    size_t noted = m->note.length;
    for (int tries = 0; tries < MOST_TRIES && !m->failed; tries++) {
        *kind = choose_kind(m);
        if (m->p->line_count == 0) *kind = TS_MUTATE_INSERT;
        if (*kind == TS_MUTATE_COLOR && !m->colors.inputs && !m->colors.outputs) continue;
        for (int lines = 0; lines < LINES_PER_KIND && !m->failed; lines++) {
            uint32_t line = m->p->line_count ? below(m, m->p->line_count) : 0;
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
    m->origin = origin_of(p);
    if (p->line_count > MUTATE_LONGEST_PARENT) {
        text_print(&m->note, "not mutated: it has more than %d lines", MUTATE_LONGEST_PARENT);
        return false;
    }
    if (!make_room(m, (void **)&m->types, &m->type_room, program_slots(p), sizeof *m->types)) return false;
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
