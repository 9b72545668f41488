// What a program failed with, in words.
//
// A value that has a name is called by it, one that stands inside of a call by the call that made it; what a
// function was given in the middle of a line has neither. Nothing is said that was not seen: where no
// argument is to blame by itself all of them are described.
#include "program/blame.h"
#include "program/types.h"

enum { MOST_MADE = 48 }; // bytes of a call that stands for its value

typedef struct {
    Text *t;
    const Blame *b;
    const Program *p;
} Say;

// ---- What values are called ----

static bool is_line_slot(const Program *p, uint32_t slot) { return slot >= program_slot_of_line(p, 0); }

static void say_call(const Say *s, Text *t, const Line *l);

// A slot as it stands in a call.
static void say_slot(const Say *s, Text *t, uint32_t slot, const char *type) {
    static const char *const given[] = {"S", "I", "C"};
    const Program *p = s->p;
    if (slot < SLOTS_GIVEN) text_add(t, given[slot]);
    else if (!is_line_slot(p, slot)) {
        Text constant = {0};
        program_print_constant(&constant, p->constants[slot - SLOTS_GIVEN], type);
        text_add(t, constant.length > MOST_MADE || constant.failed ? "…" : constant.data);
        text_free(&constant);
    } else {
        const Line *l = &p->lines[slot - program_slot_of_line(p, 0)];
        if (l->name[0]) text_add(t, l->name);
        else if (t->length > MOST_MADE) text_add(t, "…");
        else say_call(s, t, l);
    }
}

static void say_call(const Say *s, Text *t, const Line *l) {
    const OpInfo *info = l->op == LINE_CALLS_VALUE ? NULL : &ops_table[l->op];
    if (info) text_add(t, info->name);
    else say_slot(s, t, l->callee, NULL);
    text_char(t, '(');
    for (int k = 0; k < l->n; k++) {
        if (k) text_add(t, ", ");
        if (t->length > MOST_MADE) {
            text_add(t, "…");
            break;
        }
        say_slot(s, t, l->args[k], info ? info->types[k] : NULL);
    }
    text_char(t, ')');
}

static const Line *line_of(const Say *s) { return &s->p->lines[s->b->line]; }

// What argument k of the line is called; "" where it is written out or has no name. To be freed.
static Text name_of(const Say *s, int k) {
    Text t = {0};
    const uint32_t slot = line_of(s)->args[k];
    text_add(&t, "");
    if (slot < SLOTS_GIVEN || is_line_slot(s->p, slot)) say_slot(s, &t, slot, NULL);
    return t;
}

static Text name_of_argument(const Say *s, int k) {
    Text none = {0};
    if (!s->b->inside) return name_of(s, k);
    text_add(&none, "");
    return none;
}

// ---- Parts of sentences ----

// "a Patch (Object or Indices)", with what is said of the type up to a colon; what a grid, a number or a
// tuple is needs no saying.
static void say_kind(const Say *s, const char *type) {
    const char *doc = ops_type_doc(type);
    const bool plain =
        strcmp(type, "Grid") == 0 || strcmp(type, "Integer") == 0 || strcmp(type, "Tuple") == 0;
    text_print(s->t, "%s %s", strchr("AEIOU", type[0]) ? "an" : "a", type);
    if (doc && !plain) text_print(s->t, " (%.*s)", (int)strcspn(doc, ":"), doc);
}

static const char *op_name(const Say *s) { return ops_table[s->b->op].name; }

// "argument 2 of fill"
static void say_which(const Say *s, int k) {
    if (s->b->op == LINE_CALLS_VALUE) text_print(s->t, "argument %d", k + 1);
    else text_print(s->t, "argument %d of %s", k + 1, op_name(s));
}

// "x1 is a set of 7 objects"; without a name "it is …".
static void say_is(const Say *s, int k) {
    Text name = name_of_argument(s, k);
    text_print(s->t, "%s is ", name.length ? name.data : "it");
    literal_describe(s->t, s->b->args[k]);
    text_free(&name);
}

// "argument 2 of fill, x1, is a set of 7 objects"
static void say_argument(const Say *s, int k) {
    Text name = name_of_argument(s, k);
    say_which(s, k);
    if (name.length) text_print(s->t, ", %s,", name.data);
    text_add(s->t, " is ");
    literal_describe(s->t, s->b->args[k]);
    text_free(&name);
}

static void say_all(const Say *s) {
    for (int k = 0; k < s->b->n; k++) {
        Text name = name_of_argument(s, k);
        text_print(s->t, "%sargument %d%s%s%s is ", k ? "; " : "", k + 1, name.length ? ", " : "",
                   name.length ? name.data : "", name.length ? "," : "");
        literal_describe(s->t, s->b->args[k]);
        text_free(&name);
    }
}

// Where in the line: "in apply, at element 2 of x1, a grid of 3 × 4: ".
static void say_inside(const Say *s) {
    const Line *l = line_of(s);
    text_add(s->t, "in ");
    if (s->b->place) {
        Text name = name_of(s, s->b->container);
        text_print(s->t, "%s, at element %u of ", ops_table[l->op].name, s->b->place);
        if (name.length) text_print(s->t, "%s, ", name.data);
        else text_print(s->t, "argument %d, ", s->b->container + 1);
        literal_describe(s->t, s->b->element);
        text_free(&name);
    } else {
        Text call = {0};
        say_call(s, &call, l);
        text_add(s->t, call.data ? call.data : "");
        text_free(&call);
    }
    text_add(s->t, ": ");
}

// ---- By kind ----

static void say_empty(const Say *s) {
    const int k = s->b->argument;
    if (s->b->op == OP_extract) {
        text_add(s->t, "no element meets the condition of extract: ");
        say_argument(s, 0);
    } else if (s->b->op == OP_other) {
        text_add(s->t, "other finds no element that is not the value: ");
        say_all(s);
    } else {
        text_print(s->t, "%s finds nothing there: ", op_name(s));
        if (k >= 0) say_argument(s, k);
        else say_all(s);
    }
}

// "first of an empty set (x3)"
static void say_of_empty(const Say *s, int k) {
    Text name = name_of_argument(s, k);
    text_print(s->t, "%s of ", op_name(s));
    literal_describe(s->t, s->b->args[k]);
    if (name.length) text_print(s->t, " (%s)", name.data);
    if (s->b->n > 1) text_print(s->t, ", which is argument %d", k + 1);
    text_free(&name);
}

// What is called is no function, or takes another number of arguments.
static void say_callee(const Say *s) {
    const Value f = s->b->callee;
    const char *plural = s->b->n == 1 ? "" : "s";
    if (value_is_op(f)) {
        const OpInfo *info = &ops_table[value_op(f)];
        text_print(s->t, "%s takes %d argument%s", info->name, info->arity, info->arity == 1 ? "" : "s");
        text_print(s->t, ", it is called with %d", s->b->n);
        return;
    }
    if (s->b->inside) text_add(s->t, "what is called");
    else say_slot(s, s->t, line_of(s)->callee, NULL);
    text_add(s->t, " is ");
    literal_describe(s->t, f);
    if (s->b->kind == TS_FAIL_DEPTH) text_add(s->t, ", in which calls nest more than 300 deep");
    else text_print(s->t, ", it is called with %d argument%s", s->b->n, plural);
    if (!value_is(f, KIND_FUNC)) text_add(s->t, " as if it were a function");
}

static void say_misfit(const Say *s, int k) {
    say_which(s, k);
    text_add(s->t, " wants ");
    say_kind(s, ops_table[s->b->op].types[k]);
    text_add(s->t, ", ");
    say_is(s, k);
}

// An argument that is of the right type and still will not do; the reason goes before it.
static void say_reason(const Say *s) {
    const char *name = op_name(s);
    switch (s->b->kind) {
    case TS_FAIL_ZERO: text_print(s->t, "%s divides by zero: ", name); return;
    case TS_FAIL_INDEX: text_print(s->t, "%s asks for what is not there: ", name); return;
    case TS_FAIL_OVERFLOW: text_print(s->t, "what %s gives does not fit 64 bits: ", name); return;
    case TS_FAIL_BUDGET:
        text_print(s->t, "the work or the memory that is allowed ends in %s: ", name);
        return;
    case TS_FAIL_DEPTH:
        if (s->b->op == OP_power) text_add(s->t, "power takes a number of 1 or more: ");
        else text_print(s->t, "calls or values nest too deeply in %s: ", name);
        return;
    case TS_FAIL_ARITY:
        text_print(s->t, "%s calls a function with another number of arguments: ", name);
        return;
    case TS_FAIL_FOREIGN:
        text_print(s->t, "%s failed: %s; ", name,
                   s->b->message && *s->b->message ? s->b->message : "it does not say why");
        return;
    default: text_print(s->t, "%s cannot take %s: ", name, s->b->argument < 0 ? "these" : "this"); return;
    }
}

void blame_print(Text *t, const Blame *b, const Program *p) {
    const Say s = {t, b, p};
    const int k = b->argument;
    if (b->inside) say_inside(&s);
    if (b->op == LINE_CALLS_VALUE && b->kind == TS_FAIL_BUDGET) {
        text_add(t, "the work or the memory that is allowed ends in what is called: ");
        say_all(&s);
    } else if (b->op == LINE_CALLS_VALUE) say_callee(&s);
    else if (b->kind == TS_FAIL_EMPTY && k >= 0 && value_is_container(b->args[k]) && !py_truth(b->args[k]))
        say_of_empty(&s, k);
    else if (b->kind == TS_FAIL_EMPTY) say_empty(&s);
    else if (k >= 0 && b->misfits) say_misfit(&s, k);
    else {
        say_reason(&s);
        if (k >= 0) say_argument(&s, k);
        else say_all(&s);
    }
}

// ---- Remedies ----

// What makes of a value that was given one of the type that was wanted; %s is its name. The first row that
// fits counts.
static const struct {
    unsigned wanted, given, element; // sorts of types.h; element 0: any
    const char *remedy;
} remedies[] = {
    {TYPE_GRID, TYPE_SET, TYPE_OBJECT,
     "pick one of the objects, as argmax(%s, size) does, and subgrid(object, I) cuts it out"},
    {TYPE_GRID, TYPE_OBJECT, 0, "subgrid(%s, I) cuts it out of the input; paint(I, %s) puts it on it"},
    {TYPE_GRID, TYPE_INDICES, 0,
     "subgrid(%s, I) cuts the box around it out of the input; fill(I, color, %s) colours it"},
    {TYPE_GRID, TYPE_TUPLE, TYPE_GRID, "pick one of the grids, as first(%s) does"},
    {TYPE_OBJECT, TYPE_SET, TYPE_OBJECT,
     "pick one of the objects, as argmax(%s, size) does, or merge(%s) makes one of all"},
    {TYPE_INDICES, TYPE_SET, TYPE_OBJECT,
     "pick one of the objects, as argmax(%s, size) does, or merge(%s) makes one of all"},
    {TYPE_OBJECT, TYPE_GRID, 0,
     "asobject(%s) gives all its cells, ofcolor(%s, color) the locations of a colour"},
    {TYPE_INDICES, TYPE_GRID, 0,
     "asindices(%s) gives all its locations, ofcolor(%s, color) those of a colour"},
    {TYPE_OBJECT, TYPE_INDICES, 0, "recolor(color, %s) or toobject(%s, I) makes an object of it"},
    {TYPE_INDICES, TYPE_PAIR, 0, "initset(%s) makes a set of the one location"},
    {TYPE_SET, TYPE_OBJECT, 0, "initset(%s) makes a set of the one object"},
    {TYPE_SET, TYPE_GRID, 0, "objects(%s, T, F, T) finds its objects"},
    {TYPE_PAIR, TYPE_INT, 0, "astuple(%s, %s), toivec(%s) and tojvec(%s) make pairs"},
    {TYPE_PAIR, TYPE_OBJECT | TYPE_INDICES, 0, "ulcorner(%s), center(%s) and shape(%s) are pairs"},
    {TYPE_INT, TYPE_PAIR, 0, "first(%s) is the row, last(%s) the column"},
    {TYPE_INT, TYPE_SET, TYPE_INT, "pick one of the numbers, as maximum(%s) or first(%s) does"},
    {TYPE_INT, TYPE_OBJECT, 0, "color(%s) is its colour, size(%s) the number of its cells"},
    {TYPE_TUPLE, TYPE_SETS, 0, "totuple(%s) makes a tuple of it"},
};

static const char *remedy_of(Type wanted, Type given) {
    for (size_t k = 0; k < sizeof remedies / sizeof *remedies; k++) {
        const bool element = !remedies[k].element || given.element & remedies[k].element;
        if (wanted.self & remedies[k].wanted && !(given.self & ~remedies[k].given) && element)
            return remedies[k].remedy;
    }
    return NULL;
}

// The text with a name for each %s.
static void say_with_name(Text *t, const char *text, const char *name) {
    for (const char *mark; (mark = strstr(text, "%s")); text = mark + 2) {
        text_put(t, text, (size_t)(mark - text));
        text_add(t, name);
    }
    text_add(t, text);
}

void blame_print_remedy(Text *t, const Blame *b, const Program *p) {
    const Say s = {t, b, p};
    if (b->kind == TS_FAIL_BUDGET) text_add(t, "go over fewer elements, or over smaller ones");
    if (b->kind == TS_FAIL_EMPTY)
        text_add(t, "choose(condition, a, b) takes b where there is nothing, and a may fail then");
    if (b->op == LINE_CALLS_VALUE || b->argument < 0 || !b->misfits) return;
    Text name = name_of_argument(&s, b->argument);
    const char *remedy =
        remedy_of(type_of_parameter((Op)b->op, b->argument), type_of_value(b->args[b->argument]));
    if (remedy) say_with_name(t, remedy, name.length ? name.data : "x");
    text_free(&name);
}
