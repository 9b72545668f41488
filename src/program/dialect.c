// A program as the dialect of solve(S, I, C) writes it, so that the dialect's own Python runs it and does
// what Tessera does. Three things are said otherwise there:
//
//   names    Of some primitives the dialect has one for each kind of argument: height_t of a grid, height_f
//   of
//            a patch. The types say which; of a function that is passed on, those of the calls in the end.
//   cells    are (row, column, colour) there and (colour, (row, column)) here. What puts one together or
//   takes
//            it apart becomes the dialect's primitive for that: astuple(c, ij) is ascell(ij, c).
//   numbers  that choose something have names by which the dialect's mutations know them: ranks F0, L1, kinds
//   R5.
//
// What comes out is read here as a program that does the same. What the dialect has no words for is an error.
#include <stdlib.h>

#include "program/constants.h"
#include "program/program.h"

// What is known of a place where a primitive is written (types.h): sorts of its arguments and of its result.
typedef struct {
    uint16_t given[LINE_MOST_ARGS], inside[LINE_MOST_ARGS]; // the latter of their elements
    uint16_t result, elements;
} Place;

typedef struct {
    Text *t;
    const Program *p;
    const Type *types;
    const Place *places;
    uint32_t line; // that is being written
    Status *status;
} Writer;

enum { MOST_NESTING = 100 }; // with the deepest literal inside still within what the reader takes

static bool fail(const Writer *w, const char *format, const char *name) {
    status_fail(w->status, TS_INPUT, format, name);
    if (w->line < w->p->line_count) w->status->line = (int)w->p->lines[w->line].source;
    return false;
}

// ---- Names ----

// Where the name depends on an argument: of a tuple or grid, of an object, of another set. `any` is for what
// may be more than one of these; NULL: no name says it.
static const struct {
    Op op;
    int argument;
    const char *tuple, *set, *object, *any;
} names[] = {
    // clang-format off
    {OP_ofcolor, 0, "f_ofcolor", "f_ofcolor", "f_ofcolor", "f_ofcolor"},
    {OP_mostcolor, 0, "mostcolor_t", NULL, "mostcolor_f", NULL},
    {OP_leastcolor, 0, "leastcolor_t", NULL, "leastcolor_f", NULL},
    {OP_colorcount, 0, "colorcount_t", NULL, "colorcount_f", NULL},
    {OP_palette, 0, "palette_t", NULL, "palette_f", NULL},
    {OP_numcolors, 0, "numcolors_t", NULL, "numcolors_f", NULL},
    {OP_p_g, 0, "p_g", NULL, "p_o", NULL},
    {OP_upscale, 0, "upscale_t", NULL, "upscale_f", NULL},
    {OP_height, 0, "height_t", "height_f", "height_f", NULL},
    {OP_width, 0, "width_t", "width_f", "width_f", NULL},
    {OP_shape, 0, "shape_t", "shape_f", "shape_f", NULL},
    {OP_portrait, 0, "portrait_t", "portrait_f", "portrait_f", NULL},
    {OP_square, 0, "square_t", "square_f", "square_f", NULL},
    {OP_hmirror, 0, "hmirror_t", "hmirror_f", "hmirror_f", NULL},
    {OP_vmirror, 0, "vmirror_t", "vmirror_f", "vmirror_f", NULL},
    {OP_dmirror, 0, "dmirror_t", "dmirror_f", "dmirror_f", NULL},
    {OP_cmirror, 0, "cmirror_t", "cmirror_f", "cmirror_f", NULL},
    {OP_vline, 0, NULL, "vline_i", "vline_o", NULL},
    {OP_hline, 0, NULL, "hline_i", "hline_o", NULL},
    {OP_recolor, 1, NULL, "recolor_i", "recolor_o", NULL},
    {OP_first_t, 0, "first_t", "first_f", "first_f", "first"},
    {OP_last_t, 0, "last_t", "last_f", "last_f", "last"},
    {OP_other_f, 0, "other_t", "other_f", "other_f", "other"},
    {OP_get_common_rank, 0, "get_common_rank_t", "get_common_rank_f", "get_common_rank_f", "get_common_rank"},
    // clang-format on
};

// What an argument may be, a tuple that passes for a set being taken for that set.
static unsigned sorts_given(const Place *place, Op op, int argument) {
    Type parameter = type_of_parameter(op, argument);
    unsigned sorts = place->given[argument] & parameter.self, inside = place->inside[argument];
    if (!(sorts & TYPE_TUPLE) || !(parameter.self & (TYPE_INDICES | TYPE_OBJECT)) ||
        parameter.self & TYPE_PAIR)
        return sorts;
    sorts &= ~(unsigned)TYPE_TUPLE;
    return sorts | (inside & TYPE_PAIR ? TYPE_INDICES : 0) | (inside & TYPE_CELL ? TYPE_OBJECT : 0);
}

// A name by the sorts that the argument may be of. NULL where none is for all of them.
static const char *name_by_sorts(size_t row, unsigned sorts) {
    const struct {
        unsigned sorts;
        const char *name;
    } kinds[] = {
        {TYPE_TUPLES, names[row].tuple},
        {TYPE_INDICES | TYPE_SET, names[row].set},
        {TYPE_OBJECT, names[row].object},
    };
    const char *name = NULL;
    for (size_t k = 0; k < 3; k++) {
        if (!(sorts & kinds[k].sorts) || !kinds[k].name) continue;
        if (name && strcmp(name, kinds[k].name) != 0) return names[row].any;
        name = kinds[k].name;
    }
    return name ? name : names[row].any;
}

// What a primitive is at its place.
typedef struct {
    const char *name; // NULL, with the status: the dialect has none
    bool exchanged;   // its first two arguments change places
} Named;

static Named refuse(const Writer *w, const char *format, Op op) {
    fail(w, format, ops_table[op].name);
    return (Named){0};
}

static const char about_cells[] = "'%s' may have to do with a cell here, which the dialect writes otherwise";

// Primitives that may put cells together or take them apart become others, where they do.
static bool name_for_cells(const Writer *w, Op op, const Place *place, Named *named) {
    unsigned sorts = place->given[0];
    if (op == OP_astuple) sorts = place->result;
    if (op == OP_pair) sorts = place->elements;
    if (!sorts || (sorts & TYPE_CELL && sorts != TYPE_CELL)) *named = refuse(w, about_cells, op);
    else if (sorts != TYPE_CELL) return false;
    else if (op == OP_first) *named = (Named){"last_t", false}; // the colour
    else if (op == OP_last) *named = (Named){"toij", false};
    else *named = (Named){op == OP_pair ? "celltuple" : "ascell", true};
    return true;
}

// Whether a primitive may go through a cell as if it were any tuple, or pair up what makes one: a cell has
// three elements there.
static bool walks_cell(Op op, const Place *place) {
    if (op == OP_product && place->result != TYPE_ALL && place->result & TYPE_OBJECT) return true;
    for (int k = 0; k < ops_table[op].arity; k++) {
        const char *type = ops_table[op].types[k];
        bool any_tuple = strcmp(type, "Container") == 0 || strcmp(type, "Tuple") == 0 ||
                         strcmp(type, "FrozenSet") == 0 || strcmp(type, "ContainerContainer") == 0 ||
                         strcmp(type, "IntegerSet") == 0;
        bool cell = place->given[k] != TYPE_ALL && place->given[k] & TYPE_CELL;
        if (any_tuple && cell) return ops_table[op].origin == ORIGIN_PUBLIC;
    }
    return false;
}

static Named name_at(const Writer *w, Op op, uint32_t place) {
    const Place *seen = &w->places[place];
    Named named;
    bool may_be_cells = op == OP_first || op == OP_last || op == OP_astuple || op == OP_pair;
    if (may_be_cells && name_for_cells(w, op, seen, &named)) return named;
    if (ops_table[op].origin == ORIGIN_OURS || ops_table[op].origin == ORIGIN_ADDED)
        return refuse(w, "the dialect has no '%s'", op);
    if (walks_cell(op, seen)) return refuse(w, about_cells, op);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (names[k].op != op) continue;
        named = (Named){name_by_sorts(k, sorts_given(seen, op, names[k].argument)), false};
        if (named.name) return named;
        return refuse(w, "it is not clear what '%s' is given here; the dialect has a name for each kind", op);
    }
    return (Named){ops_table[op].name, false};
}

// ---- Constants ----

static bool is_cell(Value v) { return value_tag(v) == TAG_CELL; }
static bool is_word_or_function(Value v) {
    return value_tag(v) == TAG_WORD || value_tag(v) == TAG_OP ||
           (value_tag(v) == TAG_OBJ && value_obj(v)->kind == KIND_FUNC);
}

// Whether a value is or holds something of this sort.
static bool holds(Value v, bool (*sort)(Value)) {
    if (sort(v)) return true;
    if (value_tag(v) != TAG_OBJ) return false;
    const Obj *o = value_obj(v);
    if (o->kind == KIND_CELLS) return sort == is_cell && o->n;
    if (o->kind != KIND_TUPLE && o->kind != KIND_SET) return false;
    for (uint32_t k = 0; k < o->n; k++)
        if (holds(obj_items(o)[k], sort)) return true;
    return false;
}

// The cells of one colour are a patch in that colour; they lie side by side.
static void write_object(Text *t, const Obj *o, uint32_t from) {
    const uint32_t *words = obj_words(o);
    uint32_t to = from;
    while (to < o->n && word_v(words[to]) == word_v(words[from])) to++;
    if (to < o->n) text_add(t, "combine_f(");
    text_print(t, "recolor_i(%d, frozenset({", word_v(words[from]));
    for (uint32_t k = from; k < to; k++)
        text_print(t, "%s(%d, %d)", k > from ? ", " : "", word_i(words[k]), word_j(words[k]));
    text_add(t, "}))");
    if (to == o->n) return;
    text_add(t, ", ");
    write_object(t, o, to);
    text_char(t, ')');
}

// Cells of a literal become calls that make them, so that the text means the same in both languages; what
// holds them is made by calls too.
static void write_value(Text *t, Value v) {
    if (is_cell(v)) {
        uint32_t word = value_word(v);
        text_print(t, "astriple(%d, %d, %d)", word_i(word), word_j(word), word_v(word));
        return;
    }
    if (!holds(v, is_cell)) {
        literal_print_python(t, v);
        return;
    }
    const Obj *o = value_obj(v);
    if (o->kind == KIND_CELLS) {
        write_object(t, o, 0);
        return;
    }
    bool tuple = o->kind == KIND_TUPLE;
    if (tuple) text_char(t, '(');
    for (uint32_t k = 0; k < o->n; k++) {
        if (!tuple) text_add(t, k + 1 < o->n ? "insert(" : "initset(");
        write_value(t, obj_items(o)[k]);
        if (k + 1 < o->n || (tuple && o->n == 1)) text_add(t, o->n == 1 ? "," : ", ");
    }
    for (uint32_t k = 0; k < (tuple ? 1 : o->n); k++) text_char(t, ')');
}

// How deep the calls of a written value nest; what the reader takes is limited.
static size_t nesting(Value v) {
    size_t deepest = 0, own = 1;
    if (value_tag(v) != TAG_OBJ || !holds(v, is_cell)) return is_cell(v);
    const Obj *o = value_obj(v);
    if (o->kind == KIND_CELLS) {
        for (uint32_t k = 1; k < o->n; k++) own += word_v(obj_words(o)[k]) != word_v(obj_words(o)[k - 1]);
        return own + 2;
    }
    for (uint32_t k = 0; k < o->n; k++) {
        size_t n = nesting(obj_items(o)[k]);
        if (n > deepest) deepest = n;
    }
    return deepest + (o->kind == KIND_SET ? o->n : 1);
}

static bool is_written(const Writer *w, Value v) {
    if (holds(v, is_word_or_function))
        return fail(w, "a word, or a function inside of a literal, cannot be written in the dialect%s", "");
    if (nesting(v) > MOST_NESTING) return fail(w, "the dialect has no literals for so many cells%s", "");
    return true;
}

static bool write_constant(const Writer *w, Value v, int argument) {
    const Line *l = &w->p->lines[w->line];
    if (!is_written(w, v)) return false;
    ConstantKind kind = constant_kind(w->p, w->types, w->line, argument);
    bool chooses = kind == CONSTANT_FLAGS || kind == CONSTANT_SIDE || kind == CONSTANT_SYMMETRY;
    const char *type = l->op == LINE_CALLS_VALUE ? NULL : ops_table[l->op].types[argument];
    const char *name = program_constant_name(v, kind == CONSTANT_FLAG ? "Boolean" : type);
    int64_t n = value_is_small(v) ? value_small(v) : INT64_MAX;
    if (kind == CONSTANT_RANK && n >= -10 && n <= 9) text_print(w->t, "%c%d", n < 0 ? 'L' : 'F', abs((int)n));
    else if (chooses && n >= 0 && n <= 9) text_print(w->t, "R%d", (int)n);
    else if (name) text_add(w->t, name);
    else write_value(w->t, v);
    return true;
}

// ---- Lines ----

// A call as it will be written: who is called, and the arguments in their order, primitives by their names.
typedef struct {
    Named called;
    Named written[LINE_MOST_ARGS];
    int n, order[LINE_MOST_ARGS];
} Call;

static bool constant_of(const Program *p, uint32_t slot, Value *v) {
    if (slot < SLOTS_GIVEN || slot >= program_slot_of_line(p, 0)) return false;
    *v = p->constants[slot - SLOTS_GIVEN];
    return true;
}

static bool is_primitive(const Program *p, uint32_t slot, Op *op) {
    Value v;
    if (!constant_of(p, slot, &v) || value_tag(v) != TAG_OP) return false;
    *op = (Op)value_op(v);
    return true;
}

static void exchange(int order[], int k) {
    int first = order[k];
    order[k] = order[k + 1];
    order[k + 1] = first;
}

static const char *other_bind(Op op) { return op == OP_lbind ? "rbind" : "lbind"; }

// The function that is argument k wants its arguments the other way round: so what calls it passes them so.
static bool pass_exchanged(const Program *p, const Line *l, int k, Call *call) {
    Op binds;
    switch (l->op) {
    case OP_fork:
    case OP_papply:
    case OP_mpapply:
    case OP_prapply: exchange(call->order, 1); return true;
    case OP_lbind:
    case OP_rbind:
        if (k == 0) call->called.name = other_bind((Op)l->op);
        else if (is_primitive(p, l->args[0], &binds) && (binds == OP_lbind || binds == OP_rbind))
            call->written[0].name = other_bind(binds); // lbind(lbind, astuple)
        else return false;
        return true;
    default: return false;
    }
}

// power(last, 2) of an object: the second time that is another primitive there, so it is a compose.
static bool name_power(const Writer *w, const Line *l, Op op, Call *call) {
    Named each[TYPE_MOST_POWER];
    Value n;
    bool known = constant_of(w->p, l->args[1], &n) && value_is_small(n) && value_small(n) <= TYPE_MOST_POWER;
    int times = known ? (int)value_small(n) : 1, differ = 0;
    for (int k = 0; k < times; k++) {
        each[k] = name_at(w, op, type_place(w->line, k));
        if (!each[k].name) return false;
        differ += strcmp(each[k].name, each[0].name) != 0;
    }
    call->written[0] = times > 0 ? each[0] : (Named){ops_table[op].name, false};
    if (!differ) return true;
    if (times > 3)
        return fail(w, "the dialect has no 'power' for this: '%s' is not one primitive there",
                    ops_table[op].name);
    call->called.name = times == 2 ? "compose" : "chain";
    call->n = times;
    for (int k = 0; k < times; k++) call->written[k] = each[times - 1 - k];
    return true;
}

static bool name_call(const Writer *w, const Line *l, Call *call) {
    Op op;
    call->n = l->n;
    for (int k = 0; k < LINE_MOST_ARGS; k++) call->order[k] = k;
    if (l->op != LINE_CALLS_VALUE) {
        call->called = name_at(w, (Op)l->op, type_place(w->line, TYPE_PLACE_OF_LINE));
        if (!call->called.name) return false;
        if (call->called.exchanged) exchange(call->order, 0);
        if (l->op == OP_power && is_primitive(w->p, l->args[0], &op)) return name_power(w, l, op, call);
    }
    for (int k = 0; k < l->n; k++) {
        if (!is_primitive(w->p, l->args[k], &op)) continue;
        call->written[k] = name_at(w, op, type_place(w->line, k));
        if (!call->written[k].name) return false;
    }
    for (int k = 0; k < l->n; k++)
        if (call->written[k].exchanged && !pass_exchanged(w->p, l, k, call))
            return fail(w, "the dialect writes '%s' of cells otherwise, which cannot be passed on here",
                        call->written[k].name);
    return true;
}

// What is no argument: a variable, or a constant that is called or returned.
static bool write_slot(const Writer *w, uint32_t slot) {
    static const char *const given[] = {"S", "I", "C"};
    Value v;
    if (slot < SLOTS_GIVEN) text_add(w->t, given[slot]);
    else if (constant_of(w->p, slot, &v)) {
        const char *name = program_constant_name(v, NULL);
        if (!is_written(w, v)) return false;
        if (name) text_add(w->t, name);
        else write_value(w->t, v);
    } else if (slot == w->p->result) text_char(w->t, 'O');
    else text_print(w->t, "x%u", slot - program_slot_of_line(w->p, 0) + 1);
    return true;
}

static bool write_line(const Writer *w) {
    const Line *l = &w->p->lines[w->line];
    Call call = {0};
    Value v;
    if (!name_call(w, l, &call)) return false;
    text_add(w->t, "    ");
    write_slot(w, program_slot_of_line(w->p, w->line));
    text_add(w->t, " = ");
    if (call.called.name) text_add(w->t, call.called.name);
    else if (!write_slot(w, l->callee)) return false;
    text_char(w->t, '(');
    for (int j = 0; j < call.n; j++) {
        int k = call.order[j];
        if (j) text_add(w->t, ", ");
        if (call.written[k].name) text_add(w->t, call.written[k].name);
        else if (!constant_of(w->p, l->args[k], &v)) write_slot(w, l->args[k]);
        else if (!write_constant(w, v, k)) return false;
    }
    text_add(w->t, ")\n");
    return true;
}

// ---- Programs ----

static void watch(void *user, uint32_t place, Op op, const Type *arguments, Type result) {
    Place *seen = (Place *)user + place;
    for (int k = 0; k < ops_table[op].arity; k++) {
        seen->given[k] |= arguments[k].self;
        seen->inside[k] |= arguments[k].element;
    }
    seen->result |= result.self;
    seen->elements |= result.element;
}

static bool write_program(Writer *w) {
    text_print(w->t, "def %s(S, I, C):\n", w->p->name);
    for (w->line = 0; w->line < w->p->line_count; w->line++)
        if (!write_line(w)) return false;
    text_add(w->t, "    return ");
    bool good = write_slot(w, w->p->result);
    text_char(w->t, '\n');
    return good;
}

bool program_print_dialect(Text *t, const Program *p, Status *status) {
    Type *types = calloc(program_slots(p), sizeof *types);
    Place *places = calloc((size_t)p->line_count * TYPE_PLACES + 1, sizeof *places);
    bool good = types && places && program_watch_types(p, types, watch, places);
    if (!good) status_fail(status, TS_SYSTEM, "not enough memory");
    else {
        program_types(p, types, NULL);
        good = write_program(&(Writer){.t = t, .p = p, .types = types, .places = places, .status = status});
    }
    free(types);
    free(places);
    return good;
}
