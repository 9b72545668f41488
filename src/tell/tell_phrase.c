// Calls as parts of sentences, by the rows of phrases.def, which says what stands in a phrase.
#include "tell/teller.h"

// ---- The rows ----

enum { FOR_SORT, FOR_WAY, FOR_FIXED, FOR_INNER };
typedef struct {
    int16_t op;
    uint8_t why;
    int32_t what; // a sort, an argument from 1, a primitive
    const char *phrase;
} SpecialRow;

static const char *const phrases[OPS_MOST] = {
// none for what users registered
#define TELL(name, phrase) [OP_##name] = phrase,
#include "tell/phrases.def"
};

// Each primitive has its row, and they stand in one order.
enum {
#define TELL(name, phrase) ROW_##name,
#include "tell/phrases.def"
    ROWS
};
#define TELL(name, phrase) _Static_assert((int)ROW_##name == (int)OP_##name, "rows as in ops.def: " #name);
#include "tell/phrases.def"
_Static_assert((int)ROWS == (int)OPS, "a row for each primitive");

static const SpecialRow specials[] = {
#define OF(name, sort, phrase) {OP_##name, FOR_SORT, TYPE_##sort, phrase},
#define WAY(name, phrase) {OP_##name, FOR_WAY, 0, phrase},
#define FIXED(name, k, phrase) {OP_##name, FOR_FIXED, k, phrase},
#define AROUND(name, inner, phrase) {OP_##name, FOR_INNER, OP_##inner, phrase},
#include "tell/phrases.def"
};

static const struct {
    int argument; // from 1; 0: no step
    const char *phrase;
} steps[OPS_MOST] = {
#define STEP(name, k, phrase) [OP_##name] = {k, phrase},
#include "tell/phrases.def"
};

static const struct {
    const char *most, *least;
} superlatives[OPS_MOST] = {
#define MOST(name, most, least) [OP_##name] = {most, least},
#include "tell/phrases.def"
};

int tell_step_argument(Op op) { return steps[op].argument - 1; }

bool tell_step_is_silent(Op op) { return steps[op].phrase && !*steps[op].phrase; }

// ---- Things ----

static bool is_constant(const Expr *e) { return e->kind == EXPR_VALUE && !expr_is_function(e); }

static bool is_zero(Value v) {
    if (value_is_small(v)) return value_small(v) == 0;
    return value_is_loc(v) && !word_i(value_word(v)) && !word_j(value_word(v));
}

static bool is_plain_thing(const Expr *e) {
    return e->kind == EXPR_THING && e->called && strcmp(e->called, "it") == 0;
}

// Whether the expression is told by what it is, not by a name.
static bool is_open(const Teller *t, const Expr *e) {
    if (e->kind != EXPR_CALL) return false;
    return e->slot == NO_SLOT || !(t->notes[e->slot].is_named || t->notes[e->slot].step);
}

static bool is_open_call(const Teller *t, const Expr *e, Op op) {
    return expr_is_call(e, op) && is_open(t, e);
}

static bool is_condition(const Expr *e) {
    if (e->kind != EXPR_CALL) return false;
    if (e->op == OP_flip || e->op == OP_both || e->op == OP_either) return true;
    return phrases[e->op] && strchr(phrases[e->op], '<');
}

// A name for a thing that the body tells of: no other that is told of there has it.
static void bind(Teller *t, Expr *thing, const Expr *body) {
    static const char *const names[] = {"it", "this one", "that one", "the further one"};
    size_t k = 0;
    for (int n = 0; n < t->thing_count; n++) {
        const Expr *other = t->things[n];
        if (k < 3 && other->called && strcmp(other->called, names[k]) == 0 && expr_mentions(t, body, other))
            k++;
    }
    thing->called = names[k];
    if (t->thing_count < (int)(sizeof t->things / sizeof *t->things)) t->things[t->thing_count] = thing;
    t->thing_count++;
}

static void unbind(Teller *t) { t->thing_count--; }

// ---- Arguments ----

static bool is_wide(const char *type) {
    static const char *const wide[] = {"Any",        "Container",          "FrozenSet", "Tuple",
                                       "IntegerSet", "ContainerContainer", "Numerical"};
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++)
        if (strcmp(type, wide[k]) == 0) return true;
    return false;
}

static bool is_size(Op op, int k) {
    const char *name = ops_table[op].parameters[k];
    return strcmp(ops_table[op].types[k], "IntegerTuple") == 0 &&
           (strcmp(name, "shape") == 0 || strcmp(name, "size") == 0);
}

static bool is_patch(const char *type) {
    return strcmp(type, "Patch") == 0 || strcmp(type, "Indices") == 0 || strcmp(type, "Object") == 0 ||
           strcmp(type, "Piece") == 0;
}

ConstantKind tell_parameter_kind(Op op, int k) {
    if (is_patch(ops_table[op].types[k])) return CONSTANT_PAIR; // of places
    if (is_size(op, k)) return CONSTANT_SIZE;
    return is_wide(ops_table[op].types[k]) ? CONSTANT_OTHER : constant_kind_of_parameter(op, k, VALUE_NONE);
}

// What argument k is for; `kind` is what the call itself is for.
static ConstantKind argument_kind(const Expr *e, int k, ConstantKind kind) {
    const Expr *a = e->args[k];
    const Value v = a->kind == EXPR_VALUE ? a->value : VALUE_NONE;
    const char *type = ops_table[e->op].types[k];
    // A pair of other numbers than a step's is a direction all the same.
    if (!is_wide(type))
        return value_is_small(v) ? constant_kind_of_parameter((Op)e->op, k, v)
                                 : tell_parameter_kind((Op)e->op, k);
    if (strcmp(type, "Numerical") == 0) {
        if (value_is_loc(v)) return kind == CONSTANT_SIZE ? kind : CONSTANT_DIRECTION;
        return a->kind == EXPR_VALUE ? CONSTANT_INTEGER : kind;
    }
    for (int n = 0; n < e->n && e->op != OP_branch && e->op != OP_choose && e->op != OP_repeat; n++) {
        ConstantKind beside = n == k ? CONSTANT_OTHER : expr_kind(e->args[n], 0);
        if (beside != CONSTANT_OTHER) return beside;
    }
    return kind;
}

static void tell_argument(Teller *t, Text *out, const Expr *e, int k, ConstantKind kind) {
    const Expr *a = e->args[k];
    if (tell_shaped(out, e, k)) return;
    if (strcmp(ops_table[e->op].types[k], "Boolean") == 0 && !is_constant(a)) tell_clause(t, out, a, false);
    else tell_expr(t, out, a, argument_kind(e, k, kind));
}

// ---- Functions ----

// Takes "its " or "the " from the front of what was written since `start`.
static void strip(Text *out, size_t start) {
    if (out->failed || out->length < start + 4) return;
    char *s = out->data + start;
    if (memcmp(s, "its ", 4) != 0 && memcmp(s, "the ", 4) != 0) return;
    memmove(s, s + 4, out->length - start - 4 + 1);
    out->length -= 4;
}

static bool is_negative_key(Teller *t, const Expr *e, int f) {
    Expr *thing = expr_element(t, e->args[0]), *body = expr_apply(t, e->args[f], &thing, 1);
    return expr_is_call(body, OP_invert) && body->slot == NO_SLOT;
}

// What the elements of the first argument are compared by.
static void tell_key(Teller *t, Text *out, const Expr *e, int f) {
    Expr *thing = expr_element(t, e->args[0]), *body = expr_apply(t, e->args[f], &thing, 1);
    if (expr_is_call(body, OP_invert) && body->slot == NO_SLOT) body = body->args[0];
    if (body == thing) {
        text_add(out, "value");
        return;
    }
    const size_t start = out->length;
    bind(t, thing, body);
    tell_expr(t, out, body, CONSTANT_OTHER);
    unbind(t);
    strip(out, start);
}

static void tell_relative(Teller *t, Text *out, const Expr *body, const Expr *thing, bool negated) {
    if (is_open_call(t, body, OP_flip)) {
        tell_relative(t, out, body->args[0], thing, !negated);
        return;
    }
    if (is_open_call(t, body, OP_both) || is_open_call(t, body, OP_either)) {
        tell_relative(t, out, body->args[0], thing, negated);
        text_add(out, (body->op == OP_both) != negated ? " and " : " or ");
        tell_relative(t, out, body->args[1], thing, negated);
        return;
    }
    Text clause = {0};
    t->said_of = NULL;
    tell_clause(t, &clause, body, negated);
    const char *s = clause.data ? clause.data : "";
    if (strncmp(s, "it ", 3) == 0 && t->said_of == thing) text_print(out, "that %s", s + 3);
    else if (strncmp(s, "its ", 4) == 0) text_print(out, "whose %s", s + 4);
    else text_print(out, "for which %s", s);
    out->failed |= clause.failed;
    text_free(&clause);
}

// What a filter compares with its argument; -1: it takes a condition.
static int filter_property(const Expr *e) {
    switch (e->op) {
    case OP_colorfilter:
    case OP_colorfilter_t: return OP_color;
    case OP_sizefilter:
    case OP_sizefilter_t: return OP_size;
    default: return -1;
    }
}

static bool is_filter(const Expr *e) {
    return expr_is_call(e, OP_sfilter) || expr_is_call(e, OP_mfilter) || expr_is_call(e, OP_mfilter_t) ||
           (e->kind == EXPR_CALL && filter_property(e) >= 0);
}

// All but what a filter takes.
static bool is_rest(const Teller *t, const Expr *e) {
    return expr_is_call(e, OP_difference) && is_filter(e->args[1]) && is_open(t, e->args[1]) &&
           e->args[1]->args[0] == e->args[0];
}

// What is told in the plural, "the red cells".
static bool is_several(const Teller *t, const Expr *e) {
    while (is_open_call(t, e, OP_totuple) || is_open_call(t, e, OP_merge)) e = e->args[0];
    if (!is_open(t, e)) return false;
    switch (e->op) {
    case OP_ofcolor:
    case OP_asindices:
    case OP_toindices:
    case OP_asobject:
    case OP_objects:
    case OP_o_g:
    case OP_objects_t:
    case OP_o_g_t:
    case OP_product:
    case OP_pair:
    case OP_partition:
    case OP_fgpartition:
    case OP_frontiers:
    case OP_interval:
    case OP_palette:
    case OP_p_g: return true;
    default: return is_filter(e) || is_rest(t, e);
    }
}

// The condition of a filter, on its elements or on one of them.
static void tell_filter(Teller *t, Text *out, const Expr *e, bool several, bool negated) {
    const int property = filter_property(e);
    Expr *thing = expr_element(t, e->args[0]), *body;
    if (property < 0) body = expr_apply(t, e->args[1], &thing, 1);
    else {
        Expr *of = expr_call(t, (Op)property, &thing, 1);
        body = expr_call(t, OP_equality, (Expr *[]){of, e->args[1]}, 2);
    }
    const Expr *before = t->plural;
    bind(t, thing, body);
    if (several) t->plural = thing;
    tell_relative(t, out, body, thing, negated);
    t->plural = before;
    unbind(t);
}

static void tell_each_of(Teller *t, Text *out, const Expr *from);

static void tell_for_each(Teller *t, Text *out, const Expr *thing) {
    const Expr *from = thing->from;
    while (expr_is_call(from, OP_totuple) && is_open(t, from)) from = from->args[0];
    text_add(out, "for ");
    if (thing->is_pair && is_open(t, from)) tell_expr(t, out, from, CONSTANT_OTHER);
    else tell_each_of(t, out, from);
}

// What a function gives for each element of the argument that follows it. Where the thing is told once, it is
// told as "each of" them; else the body is for "it".
typedef struct {
    Expr *thing, *body;
    bool is_once;
} Each;

static Each each_of(Teller *t, const Expr *e, int f) {
    Each each;
    each.thing = expr_element(t, e->args[f + 1]);
    each.body = expr_apply(t, e->args[f], &each.thing, 1);
    each.is_once =
        !each.thing->is_pair && !is_condition(each.body) && expr_mentions(t, each.body, each.thing) == 1;
    return each;
}

static bool is_each(const Teller *t, const Expr *e) {
    return is_open_call(t, e, OP_apply) || is_open_call(t, e, OP_mapply);
}

// "each of them"; what is made of each of something is told so already.
static void tell_each_of(Teller *t, Text *out, const Expr *from) {
    if (is_each(t, from) && each_of(t, from, 0).is_once) text_add(out, "");
    else text_add(out, from->type.self == TYPE_GRID ? "each row of " : "each of ");
    tell_expr(t, out, from, CONSTANT_OTHER);
}

static void tell_each(Teller *t, Text *out, const Expr *e, int f, ConstantKind kind) {
    const Each each = each_of(t, e, f);
    if (each.is_once) {
        tell_expr(t, out, each.body == each.thing ? e->args[f + 1] : each.body, kind);
        return;
    }
    bind(t, each.thing, each.body);
    tell_for_each(t, out, each.thing);
    text_char(out, ' ');
    tell_expr(t, out, each.body, kind);
    unbind(t);
}

// The same for two elements, at the same place or not.
static void tell_each_two(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    Expr *a = expr_element(t, e->args[1]), *b = expr_element(t, e->args[2]);
    a->called = "the one";
    b->called = "the other";
    a->from = b->from = NULL;
    text_add(out, "for each pair of one of ");
    tell_argument(t, out, e, 1, CONSTANT_OTHER);
    text_add(out, e->op == OP_prapply ? " and one of " : " and the one of ");
    tell_argument(t, out, e, 2, CONSTANT_OTHER);
    text_add(out, e->op == OP_prapply ? " " : " at the same place ");
    tell_expr(t, out, expr_apply(t, e->args[0], (Expr *[]){a, b}, 2), kind);
}

// What a function gives for some thing.
static Expr *applied(Teller *t, const Expr *e, int f) {
    if (e->op == OP_c_iz_n || e->op == OP_c_zo_n) {
        Expr *found = expr_call(t, e->op == OP_c_iz_n ? OP_c_iz : OP_c_zo, e->args, 2);
        return f == 2 ? expr_apply(t, e->args[2], &found, 1) : found;
    }
    Expr *thing = expr_thing(t, type_of_parameter(OP_rot90, 0), "it");
    if (e->op == OP_c_iz) thing->called = "the inputs of the demos";
    if (e->op == OP_c_zo) thing->called = "the outputs of the demos";
    return expr_apply(t, e->args[f], &thing, 1);
}

static void tell_doing(Teller *t, Text *out, const Expr *e, int f) {
    const Expr *body = applied(t, e, f);
    if (body->kind == EXPR_CALL && tell_step(t, out, body)) return;
    text_add(out, "put ");
    tell_expr(t, out, body, CONSTANT_OTHER);
}

// "its holes, in red" of it: "the holes of it, in red".
static void tell_belonging(Teller *t, Text *out, const Expr *e, int k) {
    Text text = {0};
    tell_argument(t, &text, e, k, CONSTANT_OTHER);
    const char *s = text.data ? text.data : "", *comma;
    if (strncmp(s, "its ", 4) == 0) {
        text_add(out, "the ");
        s += 4;
    }
    comma = strchrnul(s, ',');
    text_put(out, s, (size_t)(comma - s));
    text_add(out, " of ");
    tell_argument(t, out, e, 0, CONSTANT_OTHER);
    text_add(out, comma);
    out->failed |= text.failed;
    text_free(&text);
}

// ---- Phrases ----

typedef struct {
    const Expr *e; // its arguments are those that the phrase tells
    const Expr *subject;
    ConstantKind kind;
    bool negated;
} Filling;

static void expand(Teller *t, Text *out, const char *s, const char *end, const Filling *f);
static void tell_open_clause(Teller *t, Text *out, const Expr *e, bool negated);

static const char *closing(const char *s, const char *end, char open, char close) {
    int depth = 0;
    for (; s < end; s++) {
        if (*s == open) depth++;
        if (*s == close && --depth == 0) return s;
    }
    return end;
}

// The n-th of alternatives a|b|c, or the last.
static void expand_alternative(Teller *t, Text *out, const char *s, const char *end, int64_t n,
                               const Filling *f) {
    const char *start = s;
    int depth = 0;
    for (; s < end && (n || *s != '|' || depth); s++) {
        if (*s == '{') depth++;
        if (*s == '}') depth--;
        if (*s == '|' && !depth && n) {
            start = s + 1;
            n--;
        }
    }
    for (s = start; s < end && (*s != '|' || depth); s++) depth += (*s == '{') - (*s == '}');
    expand(t, out, start, s, f);
}

static void expand_choice(Teller *t, Text *out, const char *s, const char *end, const Filling *f) {
    const Expr *a = f->e->args[*s - '1'];
    const bool fixed = is_constant(a);
    int64_t n = fixed && value_is_small(a->value) ? value_small(a->value) : -1;
    if (s[1] == '#') {
        expand_alternative(t, out, s + 2, end, n >= 0 && n < 99 ? n : 99, f);
        return;
    }
    bool yes = fixed && !is_zero(a->value);
    if (s[1] == '&') {
        yes = n > 0 && n & (s[2] - '0');
        s += 2;
    }
    expand_alternative(t, out, s + 2, end, !yes, f);
}

// What stands between { and }.
static void expand_place(Teller *t, Text *out, const char *s, const char *end, const Filling *f) {
    const char how = *s >= '1' && *s <= '9' ? 0 : *s++;
    const int k = *s - '1';
    if (k >= f->e->n) return;
    if (s + 1 < end) {
        expand_choice(t, out, s, end, f);
        return;
    }
    if (strchr("ptqxm", how) && how && f->e->args[k]->kind != EXPR_VALUE) {
        text_add(out, how == 'q' || how == 'x' ? "" : "something");
        return;
    }
    switch (how) {
    case 'p': tell_pieces(out, f->e, k, true); break;
    case 't': tell_pieces(out, f->e, k, false); break;
    case 'q': tell_cut(out, f->e, k); break;
    case 'x': tell_choice(out, f->e, k); break;
    case 'm': tell_measure(out, f->e, k); break;
    case 'k': tell_key(t, out, f->e, k); break;
    case 'r': tell_filter(t, out, f->e, true, false); break;
    case 's': tell_filter(t, out, f->e, false, false); break;
    case 'e':
        if (f->e->n == 3) tell_each_two(t, out, f->e, f->kind);
        else tell_each(t, out, f->e, k, f->kind);
        break;
    case 'w': tell_expr(t, out, applied(t, f->e, k), f->kind); break;
    case 'd': tell_doing(t, out, f->e, k); break;
    case 'a': {
        Text text = {0};
        tell_argument(t, &text, f->e, k, f->kind);
        const char *cells = text.data ? text.data : "";
        text_print(out, strncmp(cells, "the ", 4) == 0 ? "%s" : "the %s cells", cells);
        out->failed |= text.failed;
        text_free(&text);
        break;
    }
    case 'b':
        if (is_constant(f->e->args[k]) && value_is_loc(f->e->args[k]->value)) {
            const uint32_t way = value_word(f->e->args[k]->value);
            tell_value(out, value_of_loc(loc_word(-word_i(way), -word_j(way))), CONSTANT_DIRECTION);
            break;
        }
        text_add(out, "back by ");
        tell_argument(t, out, f->e, k, f->kind);
        break;
    case 'c':
        if (is_constant(f->e->args[k]) && is_zero(f->e->args[k]->value)) {
            text_add(out, "in the upper left corner");
            break;
        }
        text_add(out, "from ");
        tell_argument(t, out, f->e, k, f->kind);
        text_add(out, " on");
        break;
    case 'v':
        if (k > 0 && is_open_call(t, f->e->args[k], OP_gravitate) &&
            f->e->args[k]->args[0] == f->e->args[k - 1]) {
            text_add(out, "until it touches ");
            tell_argument(t, out, f->e->args[k], 1, CONSTANT_OTHER);
            break;
        }
        if (!is_constant(f->e->args[k])) text_add(out, "by ");
        tell_argument(t, out, f->e, k, f->kind);
        break;
    default: tell_argument(t, out, f->e, k, f->kind);
    }
}

// The grid that is worked on, or a constant that need not be said.
static bool is_silent(const Teller *t, const char *s, const char *end, const Filling *f) {
    while (s < end && *s != '{') s++;
    while (s < end && (*s < '1' || *s > '9')) s++;
    if (s >= end || *s - '1' >= f->e->n) return true;
    const Expr *a = f->e->args[*s - '1'];
    if (a->kind == EXPR_VALUE) return tell_is_silent(f->e, *s - '1');
    if (is_open_call(t, a, OP_shape)) a = a->args[0]; // its size
    return a->slot != NO_SLOT && t->step && t->notes[a->slot].step == t->step;
}

// <is red|are red>: "is not red", "are not red"; <touches|touch>: "does not touch", "do not touch".
static void expand_verb(Teller *t, Text *out, const char *s, const char *end, const Filling *f) {
    const bool several = f->subject && (f->subject == t->plural || is_several(t, f->subject));
    const char *bar = memchr(s, '|', (size_t)(end - s)), *one_end = bar;
    const char *word = several ? bar + 1 : s, *word_end = several ? end : one_end;
    const char *be = several ? "are" : "is";
    const size_t n = strlen(be);
    if (!f->negated) text_put(out, word, (size_t)(word_end - word));
    else if (strncmp(word, be, n) == 0) {
        text_print(out, "%s not", be);
        text_put(out, word + n, (size_t)(word_end - word) - n);
    } else {
        text_add(out, several ? "do not " : "does not ");
        text_put(out, bar + 1, (size_t)(end - bar) - 1);
    }
}

static void expand(Teller *t, Text *out, const char *s, const char *end, const Filling *f) {
    for (const char *stop; s < end; s = stop + 1) {
        stop = s;
        if (*s == '{') {
            stop = closing(s, end, '{', '}');
            const bool belongs = s[1] == 'o';
            if (belongs) tell_belonging(t, out, f->e, s[2] - '1');
            else expand_place(t, out, s + 1, stop, f);
            if (belongs) stop += strlen(" of {1}");
        } else if (*s == '[') {
            stop = closing(s, end, '[', ']');
            if (!is_silent(t, s + 1, stop, f)) expand(t, out, s + 1, stop, f);
        } else if (*s == '<') {
            stop = closing(s, end, '<', '>');
            expand_verb(t, out, s + 1, stop, f);
        } else text_char(out, *s);
    }
}

static bool tells_constants(const char *s, const char *end, const Filling *f) {
    for (; s < end; s++)
        if (*s == '{' && s[1] >= '1' && s[1] - '1' < f->e->n && !is_constant(f->e->args[s[1] - '1']))
            return false;
    return true;
}

// A whole phrase; "the size of it" is "its size".
static void expand_phrase(Teller *t, Text *out, const char *phrase, const Filling *f) {
    const char *end = phrase + strlen(phrase), *of = strstr(phrase, " of {1}");
    if (of && strncmp(phrase, "the ", 4) == 0 && tells_constants(phrase, of, f) &&
        is_plain_thing(f->e->args[0])) {
        text_add(out, "its ");
        expand(t, out, phrase + 4, of, f);
        phrase = of + strlen(" of {1}");
    }
    expand(t, out, phrase, end, f);
}

// ---- Calls ----

static bool fits_row(const Teller *t, const SpecialRow *r, const Expr *e, ConstantKind kind) {
    const Expr *a = e->args[0];
    const bool arithmetic = strcmp(ops_table[e->op].family, "arithmetic") == 0;
    switch (r->why) {
    case FOR_SORT:
        if (arithmetic && (kind == CONSTANT_SIZE || kind == CONSTANT_DIRECTION)) return false;
        return a->type.self && !(a->type.self & ~r->what);
    case FOR_WAY: return kind == CONSTANT_DIRECTION && a->type.self == TYPE_PAIR;
    case FOR_FIXED: return is_constant(e->args[r->what - 1]);
    default: return is_open_call(t, a, (Op)r->what);
    }
}

// A pair by what it is for.
static bool tell_pair_of(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    const char *phrase = NULL;
    if (e->type.self & TYPE_CELL && e->args[1]->type.self == TYPE_PAIR) {
        tell_expr(t, out, e->args[1], CONSTANT_PAIR);
        text_add(out, " in ");
        tell_expr(t, out, e->args[0], CONSTANT_COLOR);
        return true;
    }
    if (kind == CONSTANT_SIZE) phrase = "{1} by {2}";
    else if (kind == CONSTANT_DIRECTION) phrase = "{1} down and {2} to the right";
    else if (e->type.self == TYPE_PAIR) phrase = "the cell in row {1} and column {2}";
    if (!phrase) return false;
    expand_phrase(t, out, phrase, &(Filling){.e = e, .kind = CONSTANT_OTHER});
    return true;
}

// "the largest of …", or "the first of … that …" where elements are compared by a condition.
static bool tell_extreme(Teller *t, Text *out, const Expr *e) {
    Expr *thing = expr_element(t, e->args[0]), *body = expr_apply(t, e->args[1], &thing, 1);
    bool most = e->op == OP_argmax;
    if (expr_is_call(body, OP_invert) && body->slot == NO_SLOT) {
        body = body->args[0];
        most = !most;
    }
    const char *word = NULL;
    if (body == thing) word = most ? "greatest" : "least";
    else if (is_open(t, body) && body->args[0] == thing)
        word = most ? superlatives[body->op].most : superlatives[body->op].least;
    if (word && *word) text_print(out, "the %s of ", word);
    else if (is_condition(body)) text_add(out, "the first of ");
    else text_add(out, "the one of ");
    tell_argument(t, out, e, 0, CONSTANT_OTHER);
    if (word && *word) return true;
    bind(t, thing, body);
    if (is_condition(body)) {
        text_char(out, ' ');
        tell_relative(t, out, body, thing, !most);
    } else {
        text_add(out, most ? " with the greatest " : " with the least ");
        const size_t start = out->length;
        tell_expr(t, out, body, CONSTANT_OTHER);
        strip(out, start);
    }
    unbind(t);
    return true;
}

// The elements of `all` that the filter takes, or the others. A filter of a filter has conditions that are
// joined by "and".
static bool tell_filtered(Teller *t, Text *out, const Expr *all, const Expr *filter, bool negated) {
    const unsigned type = all->type.self;
    const bool of_cells = type && !(type & ~(unsigned)(TYPE_INDICES | TYPE_OBJECT)) && !is_several(t, all);
    if (of_cells && is_plain_thing(all)) text_add(out, "its cells");
    else {
        if (of_cells) text_add(out, "the cells of ");
        else if (!is_several(t, all)) text_add(out, "those of ");
        tell_argument(t, out, filter, 0, CONSTANT_OTHER);
    }
    text_add(out, is_filter(all) && is_open(t, all) ? " and " : " ");
    tell_filter(t, out, filter, true, negated);
    return true;
}

// "red if it is 1, blue if it is 2, else black", or "one of 5 given grids, by it".
static bool tell_lookup(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    enum { MOST_ENTRIES = 4 };
    const Expr *table = e->args[1];
    if (table->kind != EXPR_VALUE || value_tag(table->value) != TAG_OBJ) return false;
    const Obj *o = value_obj(table->value);
    if (o->n == 0) return false;
    bool pairs = o->kind == KIND_GRID && o->width == 2 && o->n <= MOST_ENTRIES;
    if (!pairs) {
        text_print(out, "one of %u given values, by ", o->n);
        tell_argument(t, out, e, 0, CONSTANT_OTHER);
        return true;
    }
    for (uint32_t k = 0; k < o->n; k++) {
        tell_value(out, value_of_small(obj_cells(o)[2 * k + 1]), kind);
        text_add(out, " if ");
        if (k) text_add(out, "that");
        else tell_argument(t, out, e, 0, CONSTANT_OTHER);
        text_print(out, " is %d, ", obj_cells(o)[2 * k]);
    }
    text_add(out, "else ");
    tell_expr(t, out, e->args[2], kind);
    return true;
}

// What no row can say; false for all else.
static bool tell_specially(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    if (is_filter(e)) return tell_filtered(t, out, e->args[0], e, false);
    switch (e->op) {
    case OP_astuple: return tell_pair_of(t, out, e, kind);
    case OP_difference:
        if (!is_rest(t, e)) return false;
        return tell_filtered(t, out, e->args[0], e->args[1], true);
    case OP_recolor:
        if (!is_open_call(t, e->args[1], OP_ofcolor) || e->args[1]->args[1] != e->args[0]) return false;
        tell_expr(t, out, e->args[1], kind); // has this colour already
        return true;
    case OP_argmax:
    case OP_argmin: return tell_extreme(t, out, e);
    case OP_first:
    case OP_last:
        if (e->args[0]->kind != EXPR_THING || !e->args[0]->is_pair) return false;
        text_add(out, e->op == OP_first ? "the one" : "the other");
        return true;
    case OP_lookup: return tell_lookup(t, out, e, kind);
    case OP_toivec:
    case OP_tojvec:
        if (kind != CONSTANT_PAIR) return false;
        expand_phrase(t, out,
                      e->op == OP_toivec ? "the cell {1} down from the upper left one"
                                         : "the cell {1} to the right of the upper left one",
                      &(Filling){.e = e});
        return true;
    case OP_order:
        if (!is_negative_key(t, e, 1)) return false;
        expand_phrase(t, out, "{1} ordered by {k2}, the greatest first", &(Filling){.e = e});
        return true;
    case OP_product:
        if (e->args[0] != e->args[1]) return false;
        expand_phrase(t, out, "every two of {1}", &(Filling){.e = e});
        return true;
    default: return false;
    }
}

// "clip of the input and red": what a user registered has a name and nothing more to be told by.
static void tell_added(Teller *t, Text *out, const Expr *e) {
    text_print(out, "%s of ", ops_table[e->op].name);
    for (int k = 0; k < e->n; k++) {
        if (k) text_add(out, k + 1 == e->n ? " and " : ", ");
        tell_argument(t, out, e, k, CONSTANT_OTHER);
    }
}

static void tell_call(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    if (is_condition(e)) {
        text_add(out, "whether ");
        tell_open_clause(t, out, e, false);
        return;
    }
    if (e->n < ops_table[e->op].arity) {
        text_add(out, "something");
        return;
    }
    if (e->op >= OPS) {
        tell_added(t, out, e);
        return;
    }
    if (tell_specially(t, out, e, kind)) return;
    const char *phrase = phrases[e->op];
    const Expr *told = e;
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
        if (specials[k].op != e->op || !fits_row(t, &specials[k], e, kind)) continue;
        phrase = specials[k].phrase;
        if (specials[k].why == FOR_INNER) told = e->args[0];
        break;
    }
    expand_phrase(t, out, phrase, &(Filling){.e = told, .kind = kind});
}

static void tell_plain_step(Teller *t, Text *out, const Expr *e) {
    Expr filled = *e; // what is painted with something is filled with it
    if ((e->op == OP_paint || e->op == OP_underpaint) && is_open_call(t, e->args[1], OP_recolor)) {
        filled.op = e->op == OP_paint ? OP_fill : OP_underfill;
        filled.n = 3;
        filled.args[1] = e->args[1]->args[0];
        filled.args[2] = e->args[1]->args[1];
    }
    const char *phrase = steps[filled.op].phrase;
    expand(t, out, phrase, phrase + strlen(phrase), &(Filling){.e = &filled});
}

// "for each of them: fill its frame", where an argument is for each of several things.
static bool tell_step_for_each(Teller *t, Text *out, const Expr *e) {
    for (int k = 0; k < e->n; k++) {
        if (!is_each(t, e->args[k])) continue;
        const Each each = each_of(t, e->args[k], 0);
        if (each.is_once && !(is_open_call(t, each.body, OP_recolor) && e->op == OP_paint)) continue;
        Expr one = *e;
        one.args[k] = each.body;
        bind(t, each.thing, each.body);
        tell_for_each(t, out, each.thing);
        text_add(out, ": ");
        tell_plain_step(t, out, &one);
        unbind(t);
        return true;
    }
    return false;
}

bool tell_step(Teller *t, Text *out, const Expr *e) {
    if (!steps[e->op].phrase || e->n < ops_table[e->op].arity) return false;
    if (!tell_step_for_each(t, out, e)) tell_plain_step(t, out, e);
    return true;
}

bool tell_is_for_each(Teller *t, const Expr *e, bool in_step) {
    if (expr_is_call(e, OP_papply) || expr_is_call(e, OP_mpapply) || expr_is_call(e, OP_prapply)) return true;
    return !in_step && (expr_is_call(e, OP_apply) || expr_is_call(e, OP_mapply)) && !each_of(t, e, 0).is_once;
}

// ---- Conditions ----

static void tell_clause_with(Teller *t, Text *out, const char *phrase, const Expr *e, const Expr *subject,
                             bool negated) {
    const Filling f = {.e = e, .subject = subject, .negated = negated};
    expand(t, out, phrase, phrase + strlen(phrase), &f);
    t->said_of = subject;
}

// "it is red" for "its colour is red", "it has 3 cells" for "its size is 3".
static bool tell_equality(Teller *t, Text *out, const Expr *e, bool negated) {
    Expr *a = e->args[0], *b = e->args[1];
    if (is_constant(a) && !is_constant(b)) {
        Expr *other = expr_call(t, OP_equality, (Expr *[]){b, a}, 2);
        tell_clause(t, out, other, negated);
        return true;
    }
    if (!is_constant(b) || !is_open(t, a)) return false;
    const bool number = value_is_small(b->value);
    if (is_condition(a) && number) {
        tell_clause(t, out, a, negated == (value_small(b->value) != 0));
        return true;
    }
    if (a->op == OP_color && number) {
        Expr *args[] = {a->args[0], b};
        tell_clause_with(t, out, "{1} <is|are> ", expr_call(t, OP_equality, args, 2), a->args[0], negated);
        tell_color(out, value_small(b->value));
        return true;
    }
    if (a->op == OP_size && number && a->args[0]->type.self &&
        !(a->args[0]->type.self & ~(TYPE_INDICES | TYPE_OBJECT))) {
        tell_clause_with(t, out, "{1} <has|have> ", a, a->args[0], negated);
        text_print(out, "%lld cell%s", (long long)value_small(b->value),
                   value_small(b->value) == 1 ? "" : "s");
        return true;
    }
    return false;
}

static bool is_symmetric(int op) {
    return op == OP_adjacent || op == OP_hmatching || op == OP_vmatching || op == OP_equality;
}

// A condition that is told by what it is.
static void tell_open_clause(Teller *t, Text *out, const Expr *e, bool negated) {
    Expr turned = *e;
    if (is_symmetric(e->op) && e->args[1]->kind == EXPR_THING && e->args[0]->kind != EXPR_THING) {
        turned.args[0] = e->args[1];
        turned.args[1] = e->args[0];
        e = &turned;
    }
    if (e->op == OP_flip) tell_clause(t, out, e->args[0], !negated);
    else if (e->op == OP_both || e->op == OP_either) {
        tell_clause(t, out, e->args[0], negated);
        text_add(out, (e->op == OP_both) != negated ? " and " : " or ");
        tell_clause(t, out, e->args[1], negated);
    } else if (e->op == OP_contained && is_constant(e->args[0]) && is_open_call(t, e->args[1], OP_palette)) {
        const Expr *of = e->args[1];
        tell_clause_with(t, out, "{1} <has|have> some ", of, of->args[0], negated);
        tell_argument(t, out, e, 0, CONSTANT_OTHER);
    } else if (e->op != OP_equality || !tell_equality(t, out, e, negated)) {
        const char *phrase = phrases[e->op];
        for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
            if (specials[k].op == e->op && fits_row(t, &specials[k], e, CONSTANT_OTHER))
                phrase = specials[k].phrase;
        tell_clause_with(t, out, phrase, e, e->args[0], negated);
    }
}

void tell_clause(Teller *t, Text *out, const Expr *e, bool negated) {
    if (t->deep >= MOST_DEEP || t->budget-- <= 0 || out->length > MOST_LENGTH) {
        text_add(out, "something holds");
        return;
    }
    t->deep++;
    if (is_constant(e)) text_add(out, is_zero(e->value) == negated ? "anything is" : "nothing is");
    else if (is_condition(e) && is_open(t, e)) tell_open_clause(t, out, e, negated);
    else {
        tell_expr(t, out, e, CONSTANT_FLAG);
        text_add(out, negated ? " does not hold" : " holds");
    }
    t->deep--;
}

// ---- Expressions ----

static void tell_thing(Teller *t, Text *out, const Expr *e) {
    if (e->called) text_add(out, e->called);
    else tell_each_of(t, out, e->from);
}

static void tell_named(Teller *t, Text *out, const Expr *e) {
    text_add(out, is_plain_thing(e->args[0]) ? "its " : "the ");
    tell_name(t, out, (uint32_t)e->slot);
    if (is_plain_thing(e->args[0])) return;
    text_add(out, " of ");
    tell_expr(t, out, e->args[0], CONSTANT_OTHER);
}

static void tell_over(Teller *t, Text *out, const Expr *e) {
    text_add(out, "what becomes of ");
    tell_expr(t, out, e->args[0], CONSTANT_OTHER);
    text_add(out, " when ");
    tell_expr(t, out, e->args[1], CONSTANT_COUNT);
    text_add(out, " times over it becomes ");
    bind(t, e->args[3], e->args[2]);
    tell_expr(t, out, e->args[2], CONSTANT_OTHER);
    unbind(t);
}

// A function that is not applied to anything.
static void tell_function(Teller *t, Text *out, const Expr *f) {
    Expr *thing = expr_thing(t, type_of_parameter(OP_identity, 0), "something");
    const Expr *body = expr_apply(t, f, &thing, 1);
    if (body->kind == EXPR_UNKNOWN) text_add(out, "what is worked out");
    else tell_expr(t, out, body, CONSTANT_OTHER);
}

void tell_content(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    static const char *const given[] = {"the demos", "the input", "nothing"};
    switch ((ExprKind)e->kind) {
    case EXPR_GIVEN: text_add(out, given[e->slot]); break;
    case EXPR_VALUE:
        if (expr_is_function(e)) tell_function(t, out, e);
        else tell_value(out, e->value, kind);
        break;
    case EXPR_CALL:
        if (expr_is_function(e)) tell_function(t, out, e);
        else tell_call(t, out, e, kind);
        break;
    case EXPR_THING: tell_thing(t, out, e); break;
    case EXPR_NAMED: tell_named(t, out, e); break;
    case EXPR_OVER: tell_over(t, out, e); break;
    case EXPR_UNKNOWN: text_add(out, "something"); break;
    }
}

void tell_expr(Teller *t, Text *out, const Expr *e, ConstantKind kind) {
    if (t->deep >= MOST_DEEP || t->budget-- <= 0 || out->length > MOST_LENGTH) {
        text_add(out, "something");
        return;
    }
    const bool has_name = e->slot != NO_SLOT && e->kind != EXPR_NAMED && e->kind != EXPR_VALUE;
    if (has_name && !expr_is_function(e) && tell_name(t, out, (uint32_t)e->slot)) return;
    t->deep++;
    tell_content(t, out, e, kind);
    t->deep--;
}
