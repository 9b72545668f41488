// Small mutations: one constant, primitive, argument or line becomes another, one line more or less. What
// comes of it is like what was there, but for mutate_retype: there it is something else that all uses take as
// well.
#include "mutate/mutator.h"

enum { MOST_OPERAND_TRIES = 8, MOST_NOTED = 60 };

// ---- Constants ----

// One of the constants of a line, of this kind (CONSTANT_OTHER: of any that can be exchanged). -1: none.
static int any_constant(Mutator *m, uint32_t line, ConstantKind wanted, ConstantKind *found) {
    const Line *l = &m->p->lines[line];
    int chosen = -1;
    uint32_t seen = 0;
    for (int k = 0; k < l->n; k++) {
        if (!mutator_is_constant(m->p, l->args[k])) continue;
        ConstantKind kind = constant_kind(m->p, m->types, line, k);
        if (kind == CONSTANT_OTHER || (wanted && kind != wanted) || !mutator_take(m, &seen)) continue;
        chosen = k;
        *found = kind;
    }
    return chosen;
}

void mutator_exchange(Mutator *m, uint32_t line, int argument, ConstantKind kind, Ref to) {
    uint32_t slot = m->p->lines[line].args[argument], others = 0;
    Ref from = mutator_ref(m->p, slot);
    const char *type = mutator_type_name(&m->lines[line], argument);
    *mutator_argument(m, line, argument) = to;
    bool everywhere = mutator_below(m, 2);
    for (uint32_t k = 0; everywhere && k < m->p->line_count; k++)
        for (int n = 0; n < m->p->lines[k].n; n++) {
            bool same = m->lines[k].args[n] == from && constant_kind(m->p, m->types, k, n) == kind;
            if (same) m->lines[k].args[n] = to;
            others += same;
        }
    text_print(&m->note, "line %u: %s ", line + 1, constant_kind_name(kind));
    mutator_note_ref(m, from, type);
    text_add(&m->note, " -> ");
    mutator_note_ref(m, to, type);
    if (others) text_add(&m->note, " everywhere");
}

// The words of the next argument, where they are about what this one says and that is another now: read anew
// or, where they make no sense any more, made up. (Classic mutants are thrown away then.)
static void follow_words(Mutator *m, uint32_t line, int argument, Value v) {
    const Line *l = &m->p->lines[line];
    const OpInfo *info = &ops_table[l->op];
    const int next = argument + 1;
    if (next >= l->n || info->shapes[next] == SHAPE_NONE || !shape_follows(info->shapes[next]) ||
        !mutator_is_constant(m->p, l->args[next]) || m->kinds == TS_MUTATIONS_CLASSIC)
        return;
    Value arguments[LINE_MOST_ARGS], old = m->p->constants[l->args[next] - SLOTS_GIVEN];
    arguments[argument] = v;
    Shape yields = op_yields(&m->said, info, next, arguments);
    Value words = shape_read_after(&m->said, yields, info->shapes[next], old, NULL);
    if (mutator_said_nothing(m)) words = shape_random(&m->said, &m->rng, yields, info->shapes[next]);
    if (mutator_said_nothing(m) || value_equal(words, old)) return;
    *mutator_argument(m, line, next) = mutator_constant(m, words);
    text_print(&m->note, ", another %s", info->parameters[next]);
}

// A word, a number or a condition among the words of a constant.
static bool mutate_words(Mutator *m, uint32_t line, int argument, Value v) {
    Shape shape = constant_shape(m->p, m->types, line, argument);
    const Line *l = &m->p->lines[line];
    bool direct = l->op != LINE_CALLS_VALUE && ops_table[l->op].shapes[argument] == shape;
    if (shape == SHAPE_NONE || (shape_follows(shape) && !direct)) return false;
    Shape yields = direct ? mutator_yields_before(m, m->p, l, argument) : SHAPE_Number;
    ShapeChange made;
    Value other = shape_mutate(&m->said, &m->rng, yields, shape, v, &made);
    if (mutator_said_nothing(m) || value_equal(other, v)) return false;
    *mutator_argument(m, line, argument) = mutator_constant(m, other);
    text_print(&m->note, "line %u: ", line + 1);
    if (value_tag(made.from) == TAG_NONE || value_tag(made.to) == TAG_NONE) {
        bool added = value_tag(made.from) == TAG_NONE;
        literal_print_some(&m->note, added ? made.to : made.from, MOST_NOTED);
        text_add(&m->note, added ? " added" : " dropped");
    } else {
        literal_print_some(&m->note, made.from, MOST_NOTED);
        text_add(&m->note, " -> ");
        literal_print_some(&m->note, made.to, MOST_NOTED);
    }
    if (direct) follow_words(m, line, argument, other);
    return true;
}

bool mutate_constant(Mutator *m, uint32_t line) {
    ConstantKind kind;
    int argument = any_constant(m, line, CONSTANT_OTHER, &kind);
    if (argument < 0) return false;
    Value v = m->p->constants[m->p->lines[line].args[argument] - SLOTS_GIVEN];
    if (kind == CONSTANT_WORDS) return mutate_words(m, line, argument, v);
    mutator_exchange(m, line, argument, kind, mutator_constant(m, constant_exchange(kind, v, &m->rng)));
    return true;
}

// A colour by what it does in the samples: it goes, it comes, or it stays.
bool mutate_color(Mutator *m, uint32_t line) {
    static const char *const names[3] = {"inputs only", "outputs only", "inputs and outputs"};
    ConstantKind kind;
    int argument = any_constant(m, line, CONSTANT_COLOR, &kind), group = -1, chosen = -1;
    if (argument < 0) return false;
    int64_t old = value_small(m->p->constants[m->p->lines[line].args[argument] - SLOTS_GIVEN]);
    unsigned in = m->colors.inputs, out = m->colors.outputs, others = 0x3FFU & ~(1U << old);
    const unsigned groups[3] = {in & ~out & others, out & ~in & others, in & out & others};
    uint32_t seen = 0;
    for (int k = 0; k < 3; k++)
        if (groups[k] && mutator_take(m, &seen)) group = k;
    if (group < 0) return false;
    seen = 0;
    for (int color = 0; color < 10; color++)
        if (groups[group] >> color & 1 && mutator_take(m, &seen)) chosen = color;
    mutator_exchange(m, line, argument, kind, mutator_constant(m, value_of_small(chosen)));
    text_print(&m->note, " (in %s)", names[group]);
    return true;
}

// Another primitive for the one of a line: it takes the same arguments and gives the like.
static bool exchange_line_op(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    Type a[LINE_MOST_ARGS], old = m->types[program_slot_of_line(m->p, line)], result;
    int chosen = -1;
    uint32_t seen = 0;
    for (int k = 0; k < l->n; k++) a[k] = m->types[l->args[k]];
    for (int op = 0; op < (int)ops_count(); op++) {
        if (op == l->op || ops_table[op].arity != l->n || !mutator_allows(m, op)) continue;
        if (type_of_call(m->p, m->types, (Op)op, a, &result) && type_alike(result, old) &&
            mutator_take(m, &seen))
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
    for (int op = 0; op < (int)ops_count(); op++) {
        bool same = op != (int)old && ops_table[op].arity == arity && mutator_has(m, op) &&
                    type_alike(type_of_result((Op)op), type_of_result(old));
        for (int k = 0; same && k < arity; k++)
            same = type_alike(type_of_parameter((Op)op, k), type_of_parameter(old, k));
        if (same && mutator_take(m, &seen)) chosen = op;
    }
    if (chosen < 0) return false;
    Ref function = mutator_constant(m, value_of_op((unsigned)chosen));
    *mutator_argument(m, line, argument) = function;
    text_print(&m->note, "line %u: function %s -> %s", line + 1, ops_table[old].name, ops_table[chosen].name);
    return true;
}

bool mutate_primitive(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = -1;
    uint32_t seen = l->op != LINE_CALLS_VALUE; // the line's own primitive
    for (int k = 0; k < l->n; k++) {
        uint32_t slot = l->args[k];
        bool function = mutator_is_constant(m->p, slot) && value_is_op(m->p->constants[slot - SLOTS_GIVEN]);
        if (function && mutator_take(m, &seen)) argument = k;
    }
    if (argument < 0) return l->op != LINE_CALLS_VALUE && exchange_line_op(m, line);
    return exchange_function(m, line, argument,
                             (Op)value_op(m->p->constants[l->args[argument] - SLOTS_GIVEN]));
}

bool mutate_argument(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = mutator_any_argument(m, l);
    if (argument < -1) return false;
    uint32_t old = mutator_argument_slot(l, argument);
    uint32_t slot = mutator_earlier(m, line, mutator_parameter(l, argument), m->types[old], old);
    if (!slot) return false;
    mutator_note_change(m, line, argument, mutator_ref(m->p, old), mutator_ref(m->p, slot));
    *mutator_argument(m, line, argument) = mutator_ref(m->p, slot);
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
    if (kind == CONSTANT_OTHER || (kind != CONSTANT_WORDS && mutator_below(m, 2)))
        slot = mutator_earlier(m, line, parameter, parameter, SLOT_C);
    if (slot) {
        *type = m->types[slot];
        return mutator_ref(m->p, slot);
    }
    if (op == OP_branch && argument == 0) return REF_NONE; // the answer would be known
    if (kind == CONSTANT_WORDS) {
        v = shape_random(&m->said, &m->rng, SHAPE_Number, ops_table[op].shapes[argument]);
        if (mutator_said_nothing(m)) return REF_NONE;
    } else if (kind != CONSTANT_OTHER) v = constant_exchange(kind, VALUE_NONE, &m->rng);
    else if (parameter.self == TYPE_FUNCTION) {
        uint32_t f = mutator_below(m, ops_count() - 1);
        f += f >= OP_choose; // which is none of them
        if (!mutator_has(m, (int)f)) return REF_NONE;
        v = value_of_op(f);
    } else if (type_fits((Type){TYPE_INT}, parameter))
        v = constant_exchange(CONSTANT_INTEGER, VALUE_NONE, &m->rng);
    else return REF_NONE;
    *type = type_of_value(v);
    return type_fits(*type, parameter) ? mutator_constant(m, v) : REF_NONE;
}

// A primitive that can take the value of type t and give what is wanted, or, where it has to be of another
// type, what fits that: which one, and as which argument.
static bool choose_wrapping(Mutator *m, Type t, Type wanted, bool other, Op *op, int *argument) {
    uint32_t seen = 0;
    for (int k = 0; k < (int)ops_count(); k++) {
        Type result = type_of_result((Op)k);
        if (!mutator_allows(m, k)) continue;
        if (other ? type_alike(result, t) || !type_fits(result, wanted) : !type_alike(result, wanted))
            continue;
        for (int n = 0; n < ops_table[k].arity; n++)
            if (type_fits(t, type_of_parameter((Op)k, n)) && mutator_take(m, &seen)) {
                *op = (Op)k;
                *argument = n;
            }
    }
    return seen;
}

// The line that passes a slot to a primitive, with values from before `line` or constants for its other
// parameters. False where there are none, or they do not go together.
static bool wrap(Mutator *m, uint32_t slot, uint32_t line, Op op, int argument, DraftLine *made,
                 Type *result) {
    Type a[LINE_MOST_ARGS];
    *made = (DraftLine){.op = (int16_t)op, .n = (uint8_t)ops_table[op].arity};
    for (int k = 0; k < made->n; k++) {
        a[k] = m->types[slot];
        made->args[k] = k == argument ? mutator_ref(m->p, slot) : operand(m, line, op, k, &a[k]);
        if (made->args[k] == REF_NONE) return false;
    }
    return type_of_call(m->p, m->types, op, a, result);
}

bool mutate_insert(Mutator *m, uint32_t line) {
    const Program *p = m->p;
    bool on_input = p->line_count == 0 || mutator_below(m, 8) == 0;
    uint32_t slot = on_input ? SLOT_I : program_slot_of_line(p, line);
    Type t = m->types[slot], result;
    for (int tries = 0; tries < MOST_OPERAND_TRIES; tries++) {
        Op op = OP_identity;
        int argument = 0;
        DraftLine made;
        if (!choose_wrapping(m, t, t, false, &op, &argument)) return false;
        if (!wrap(m, slot, on_input ? 0 : line + 1, op, argument, &made, &result) || !type_alike(result, t))
            continue;
        if (p->line_count) made.source = p->lines[line].source;
        if (on_input) text_add(&m->note, "line inserted after I: ");
        else text_print(&m->note, "line inserted after %u: ", line + 1);
        mutator_note_call(m, &made);
        mutator_replace(m, mutator_ref(p, slot), mutator_line(m, made));
        return true;
    }
    return false;
}

bool mutate_drop(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    Type old = m->types[program_slot_of_line(m->p, line)];
    uint32_t seen = 0;
    int chosen = -1;
    for (int k = 0; k < l->n; k++)
        if (type_alike(m->types[l->args[k]], old) && mutator_take(m, &seen)) chosen = k;
    if (chosen < 0) return false;
    Ref stand_in = mutator_ref(m->p, l->args[chosen]);
    text_print(&m->note, "line %u dropped, ", line + 1);
    mutator_note_ref(m, stand_in, NULL);
    text_add(&m->note, " stands for it");
    mutator_replace(m, mutator_ref(m->p, program_slot_of_line(m->p, line)), stand_in);
    return true;
}

// ---- Other types ----

// Whether all that use a slot take a value of this type instead.
static bool uses_take(const Mutator *m, uint32_t slot, Type t) {
    const Program *p = m->p;
    if (p->result == slot && !type_alike(t, m->wanted)) return false;
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        if (l->op == LINE_CALLS_VALUE && l->callee == slot && !type_fits(t, mutator_parameter(l, -1)))
            return false;
        for (int n = 0; n < l->n; n++)
            if (l->args[n] == slot && !type_fits(t, mutator_parameter(l, n))) return false;
    }
    return true;
}

// Another primitive for that of a line, which gives something else.
static bool retype_line(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    uint32_t slot = program_slot_of_line(m->p, line), seen = 0;
    Type a[LINE_MOST_ARGS], result;
    int chosen = -1;
    if (l->op == LINE_CALLS_VALUE) return false;
    for (int k = 0; k < l->n; k++) a[k] = m->types[l->args[k]];
    for (int op = 0; op < (int)ops_count(); op++) {
        if (op == l->op || ops_table[op].arity != l->n || !mutator_allows(m, op)) continue;
        bool good = type_of_call(m->p, m->types, (Op)op, a, &result) && !type_alike(result, m->types[slot]) &&
                    uses_take(m, slot, result);
        if (good && mutator_take(m, &seen)) chosen = op;
    }
    if (chosen < 0) return false;
    m->lines[line].op = (int16_t)chosen;
    text_print(&m->note, "line %u: %s -> %s", line + 1, ops_table[l->op].name, ops_table[chosen].name);
    return true;
}

// One more line before an argument, which makes something else of it.
static bool retype_argument(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = mutator_any_argument(m, l), at = 0;
    Op op = OP_identity;
    DraftLine made;
    Type result;
    if (argument < 0 || l->args[argument] < SLOT_I || mutator_is_constant(m->p, l->args[argument]))
        return false;
    uint32_t slot = l->args[argument];
    Type parameter = mutator_parameter(l, argument);
    if (!choose_wrapping(m, m->types[slot], parameter, true, &op, &at) ||
        !wrap(m, slot, line, op, at, &made, &result) || !type_fits(result, parameter))
        return false;
    made.source = l->source;
    Ref wrapped = mutator_line(m, made);
    mutator_note_change(m, line, argument, mutator_ref(m->p, slot), wrapped);
    *mutator_argument(m, line, argument) = wrapped;
    return true;
}

// One line less, an argument of another type standing for it.
static bool retype_dropped(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    uint32_t slot = program_slot_of_line(m->p, line), seen = 0;
    int chosen = -1;
    for (int k = 0; k < l->n; k++) {
        Type t = m->types[l->args[k]];
        bool good = l->args[k] != SLOT_S && !type_alike(t, m->types[slot]) && uses_take(m, slot, t);
        if (good && mutator_take(m, &seen)) chosen = k;
    }
    if (chosen < 0) return false;
    Ref stand_in = mutator_ref(m->p, l->args[chosen]);
    text_print(&m->note, "line %u dropped, ", line + 1);
    mutator_note_ref(m, stand_in, NULL);
    text_add(&m->note, " stands for it");
    mutator_replace(m, mutator_ref(m->p, slot), stand_in);
    return true;
}

bool mutate_retype(Mutator *m, uint32_t line) {
    switch (mutator_below(m, 3)) {
    case 0: return retype_line(m, line);
    case 1: return retype_argument(m, line);
    default: return retype_dropped(m, line);
    }
}
