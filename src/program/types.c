// Runs programs on types; types.h says what a type is.
//
// Each primitive takes and gives what ops.def says, but for two small tables: parameters that take more than
// is declared there, and results that follow from the arguments. A primitive without a line in either is just
// as it is declared.
#include "program/types.h"

#include <assert.h>
#include <stdlib.h>

// Functions of functions can ask for very many steps; beyond these a call gives anything.
enum { STEPS_OF_A_LINE = 500, SAMPLED_ELEMENTS = 16 };

// ---- The types that ops.def names ----

#define T_Boolean \
    { TYPE_BOOL }
#define T_Integer \
    { TYPE_INT }
#define T_IntegerTuple \
    { TYPE_PAIR }
#define T_Numerical \
    { TYPE_INT | TYPE_PAIR }
#define T_Cell \
    { TYPE_CELL }
#define T_Grid \
    { TYPE_GRID }
#define T_Object \
    { TYPE_OBJECT }
#define T_Indices \
    { TYPE_INDICES }
#define T_Patch \
    { TYPE_INDICES | TYPE_OBJECT }
#define T_Element \
    { TYPE_GRID | TYPE_OBJECT }
#define T_Piece \
    { TYPE_GRID | TYPE_INDICES | TYPE_OBJECT }
#define T_IntegerSet \
    { TYPE_SET, TYPE_INT }
#define T_Objects \
    { TYPE_SET, TYPE_OBJECT }
#define T_Samples \
    { TYPE_TUPLE, TYPE_TUPLE, TYPE_GRID }
#define T_Image \
    { TYPE_TUPLE, TYPE_PAIR | TYPE_GRID | TYPE_TUPLE, TYPE_INT | TYPE_TUPLE }
#define T_Images \
    { TYPE_TUPLE, TYPE_TUPLE, TYPE_PAIR | TYPE_GRID | TYPE_TUPLE }
#define T_Imagery \
    { TYPE_TUPLE, TYPE_PAIR | TYPE_GRID | TYPE_TUPLE, TYPE_INT | TYPE_TUPLE | TYPE_PAIR | TYPE_GRID }
#define T_Tuple \
    { TYPE_TUPLES, TYPE_ALL, TYPE_ALL }
#define T_TupleTuple \
    { TYPE_GRID | TYPE_TUPLE, TYPE_TUPLES, TYPE_ALL }
#define T_FrozenSet \
    { TYPE_SETS, TYPE_ALL, TYPE_ALL }
#define T_Container \
    { TYPE_CONTAINERS, TYPE_ALL, TYPE_ALL }
#define T_ContainerContainer \
    { TYPE_CONTAINERS & ~(TYPE_PAIR | TYPE_CELL), TYPE_CONTAINERS, TYPE_ALL }
#define T_Callable \
    { TYPE_FUNCTION, .arities = TYPE_ANY_ARITY }
#define T_Any \
    { TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY }

// Shapes (words.def), by the sorts that a value in words may be of.
#define T_SHAPE \
    { TYPE_WORD | TYPE_TUPLE, TYPE_ALL, TYPE_ALL }
#define T_SHAPE_OR_NUMBER \
    { TYPE_WORD | TYPE_INT | TYPE_TUPLE, TYPE_ALL, TYPE_ALL }
#define T_TABLE T_Tuple
#define T_Which T_SHAPE
#define T_Drawing T_SHAPE
#define T_Moving T_SHAPE
#define T_Journey T_SHAPE
#define T_Paint T_SHAPE
#define T_Assembling T_SHAPE
#define T_CellRule T_SHAPE
#define T_Choice T_SHAPE
#define T_Color T_SHAPE_OR_NUMBER
#define T_CopyCells T_SHAPE
#define T_EachKind T_SHAPE
#define T_ErasedColor T_SHAPE_OR_NUMBER
#define T_Fitting T_SHAPE
#define T_GistTable T_TABLE
#define T_ImageBox T_SHAPE
#define T_ImageConnect T_SHAPE
#define T_ImageCount T_SHAPE
#define T_ImageFall T_SHAPE
#define T_ImageFit T_SHAPE
#define T_ImageHalf T_SHAPE
#define T_ImageInside T_SHAPE
#define T_ImageLay T_SHAPE
#define T_ImageMotion T_SHAPE
#define T_ImagePick T_SHAPE
#define T_ImagePile T_SHAPE
#define T_ImageRing T_SHAPE
#define T_ImageSift T_SHAPE
#define T_ImageSmear T_SHAPE
#define T_ImageSplit T_SHAPE
#define T_ImageSpread T_SHAPE
#define T_ImageTrim T_SHAPE
#define T_KeptColor T_SHAPE_OR_NUMBER
#define T_KeyForm T_SHAPE
#define T_KeyJoin T_SHAPE
#define T_KeyUse T_SHAPE
#define T_Look T_SHAPE
#define T_Mask T_SHAPE_OR_NUMBER
#define T_Measure T_SHAPE_OR_NUMBER
#define T_NormalForm T_SHAPE
#define T_NormalWay T_SHAPE
#define T_Overlay T_SHAPE
#define T_OverlayTable T_TABLE
#define T_PieceLayout T_SHAPE
#define T_PieceOrder T_SHAPE
#define T_PieceProperty T_SHAPE
#define T_Place T_SHAPE
#define T_PlaceGround T_SHAPE_OR_NUMBER
#define T_Repair T_SHAPE
#define T_Replacing T_SHAPE
#define T_Source T_SHAPE
#define T_TemplateRule T_SHAPE
#define T_TileMotions T_SHAPE
#define T_View T_SHAPE
#define T_Walk T_SHAPE
#define T_Layout T_SHAPE
#define T_Tree \
    { TYPE_WORD | TYPE_TUPLE | TYPE_INT | TYPE_BOOL, TYPE_ALL, TYPE_ALL }

typedef struct {
    Type result;
    int arity;
    Type parameters[LINE_MOST_ARGS];
} Signature;

#define A1(p, t) \
    1, { T_##t }
#define A2(p, t, q, u) \
    2, { T_##t, T_##u }
#define A3(p, t, q, u, r, v) \
    3, { T_##t, T_##u, T_##v }
#define A4(p, t, q, u, r, v, s, w) \
    4, { T_##t, T_##u, T_##v, T_##w }

static Signature signatures[OPS_MOST] = {
#define OP(family, name, result, arguments, doc, example) {T_##result, arguments},
#include "dsl/ops.def"
};

static const struct {
    const char *name;
    Type type;
} named[] = {
#define TYPE(name, doc) {#name, T_##name},
#include "words/types.def"
};

const Type *type_named(const char *name) {
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (strcmp(named[k].name, name) == 0) return &named[k].type;
    return NULL;
}

void type_declare(Op op) {
    const OpInfo *info = &ops_table[op];
    Signature s = {.result = *type_named(info->result), .arity = info->arity};
    for (int k = 0; k < info->arity; k++) s.parameters[k] = *type_named(info->types[k]);
    signatures[op] = s;
}

static const Type any = T_Any, no_type = {0};

// ---- What follows from the arguments ----

typedef enum {
    AS_DECLARED,
    LIKE_FIRST,    // of the type of the first argument
    PART_OF_FIRST, // the same, but a pair may have lost an element
    PART_OF_SECOND,
    LIKE_PATCH, // the same as a set
    LIKE_NUMBER,
    NUMBERS,
    INTEGERS, // a tuple of these
    ELEMENT,  // an element of the first argument
    TUPLE_OF_ELEMENTS,
    SET_OF_ELEMENTS,
    GRIDS, // tuples of these
    OBJECTS,
    BRANCH,
    COMBINE,
    REPEAT,
    MERGE,
    INITSET,
    INSERT,
    ASTUPLE,
    PRODUCT,
    PAIR_UP,
    PAIR_UP_CELLS, // the other way round
    KEY,           // what the function gives for an element of the first argument
    ORDER,
    PICK,         // an element of the first argument, by a function
    PICK_BY_LAST, // the function being the third argument
    FILTER,
    FILTER_SET,
    FILTER_MERGE,
    APPLY,
    APPLY_MERGE,
    APPLY_PAIRS,
    APPLY_PAIRS_MERGE,
    APPLY_PRODUCT,
    APPLY_EACH, // of several functions
    IN_SAMPLES, // elements of what the function finds in a grid of the samples
    PICK_IN_SAMPLES,
    FUNCTION,
} Rule;

static const uint8_t rules[OPS_MOST] = {
    [OP_add] = NUMBERS,
    [OP_subtract] = NUMBERS,
    [OP_multiply] = NUMBERS,
    [OP_divide] = NUMBERS,
    [OP_invert] = LIKE_NUMBER,
    [OP_double] = LIKE_NUMBER,
    [OP_halve] = LIKE_NUMBER,
    [OP_increment] = LIKE_NUMBER,
    [OP_decrement] = LIKE_NUMBER,
    [OP_crement] = LIKE_NUMBER,
    [OP_sign] = LIKE_NUMBER,
    [OP_branch] = BRANCH,
    [OP_choose] = BRANCH,
    [OP_combine] = COMBINE,
    [OP_intersection] = PART_OF_FIRST,
    [OP_difference] = PART_OF_FIRST,
    [OP_dedupe] = PART_OF_FIRST,
    [OP_repeat] = REPEAT,
    [OP_merge] = MERGE,
    [OP_mostcommon] = ELEMENT,
    [OP_leastcommon] = ELEMENT,
    [OP_maximum] = ELEMENT,
    [OP_minimum] = ELEMENT,
    [OP_initset] = INITSET,
    [OP_totuple] = TUPLE_OF_ELEMENTS,
    [OP_first] = ELEMENT,
    [OP_last] = ELEMENT,
    [OP_insert] = INSERT,
    [OP_remove] = PART_OF_SECOND,
    [OP_other] = ELEMENT,
    [OP_other_f] = ELEMENT,
    [OP_interval] = INTEGERS,
    [OP_astuple] = ASTUPLE,
    [OP_product] = PRODUCT,
    [OP_pair] = PAIR_UP,
    [OP_sizefilter] = SET_OF_ELEMENTS,
    [OP_sizefilter_t] = TUPLE_OF_ELEMENTS,
    [OP_identity] = LIKE_FIRST,
    [OP_compose] = FUNCTION,
    [OP_chain] = FUNCTION,
    [OP_matcher] = FUNCTION,
    [OP_rbind] = FUNCTION,
    [OP_lbind] = FUNCTION,
    [OP_power] = FUNCTION,
    [OP_fork] = FUNCTION,
    [OP_order] = ORDER,
    [OP_valmax] = KEY,
    [OP_valmin] = KEY,
    [OP_argmax] = PICK,
    [OP_argmin] = PICK,
    [OP_get_arg_rank] = PICK,
    [OP_get_val_rank] = KEY,
    [OP_get_nth_by_key_t] = PICK_BY_LAST,
    [OP_get_nth_by_key_f] = PICK_BY_LAST,
    [OP_sfilter] = FILTER,
    [OP_mfilter] = FILTER_MERGE,
    [OP_mfilter_t] = FILTER_SET,
    [OP_extract] = PICK,
    [OP_apply] = APPLY,
    [OP_rapply] = APPLY_EACH,
    [OP_mapply] = APPLY_MERGE,
    [OP_papply] = APPLY_PAIRS,
    [OP_mpapply] = APPLY_PAIRS_MERGE,
    [OP_prapply] = APPLY_PRODUCT,
    [OP_colorfilter_t] = TUPLE_OF_ELEMENTS,
    [OP_p_g] = INTEGERS,
    [OP_shift] = LIKE_PATCH,
    [OP_normalize] = LIKE_PATCH,
    [OP_hmirror] = LIKE_FIRST,
    [OP_vmirror] = LIKE_FIRST,
    [OP_dmirror] = LIKE_FIRST,
    [OP_cmirror] = LIKE_FIRST,
    [OP_mir_rot_f] = LIKE_PATCH,
    [OP_upscale] = LIKE_FIRST,
    [OP_hsplit] = GRIDS,
    [OP_vsplit] = GRIDS,
    [OP_objects_t] = OBJECTS,
    [OP_o_g_t] = OBJECTS,
    [OP_get_nth_t] = ELEMENT,
    [OP_get_nth_f] = ELEMENT,
    [OP_first_t] = ELEMENT,
    [OP_second] = ELEMENT,
    [OP_last_t] = ELEMENT,
    [OP_get_common_rank] = ELEMENT,
    [OP_celltuple] = PAIR_UP_CELLS,
    [OP_image_keep] = LIKE_FIRST,
    [OP_image_erase] = LIKE_FIRST,
    [OP_image_recolor] = LIKE_FIRST,
    [OP_image_box] = LIKE_FIRST,
    [OP_image_trim] = LIKE_FIRST,
    [OP_image_rigid] = LIKE_FIRST,
    [OP_image_half] = LIKE_FIRST,
    [OP_image_inside] = LIKE_FIRST,
    [OP_image_ring] = LIKE_FIRST,
    [OP_image_smear] = LIKE_FIRST,
    [OP_image_connect] = LIKE_FIRST,
    [OP_image_spread] = LIKE_FIRST,
    [OP_image_count] = LIKE_FIRST,
    [OP_image_fit] = LIKE_FIRST,
    [OP_c_iz] = IN_SAMPLES,
    [OP_c_zo] = IN_SAMPLES,
    [OP_c_iz_n] = PICK_IN_SAMPLES,
    [OP_c_zo_n] = PICK_IN_SAMPLES,
};

// Parameters that take more, or less, than they are declared to.
static const struct {
    Op op;
    int argument;
    Type type;
} declared_otherwise[] = {
    {OP_astuple, 0, T_Any},
    {OP_astuple, 1, T_Any},
    {OP_totuple, 0, T_Container},
    {OP_mapply, 1, T_Container},
    {OP_difference, 0, T_Container},
    {OP_difference, 1, T_Container},
    {OP_rapply, 0, {TYPE_TUPLE | TYPE_SET, TYPE_FUNCTION}},
};

// A tuple passes for a set of the same elements, where the elements say enough and it is not taken for a
// grid.
Type type_of_parameter(Op op, int argument) {
    assert((unsigned)op < OPS_MOST && argument >= 0 && argument < ops_table[op].arity);
    Type t = signatures[op].parameters[argument];
    for (size_t k = 0; k < sizeof declared_otherwise / sizeof *declared_otherwise; k++)
        if (declared_otherwise[k].op == op && declared_otherwise[k].argument == argument)
            return declared_otherwise[k].type;
    if (t.element == TYPE_ALL || !(t.self & TYPE_SETS) || t.self & TYPE_GRID) return t;
    if (t.self & TYPE_INDICES) t.element |= TYPE_PAIR;
    if (t.self & TYPE_OBJECT) t.element |= TYPE_CELL;
    if (t.element & TYPE_INT) t.self |= TYPE_PAIR;
    t.self |= TYPE_TUPLE;
    return t;
}

Type type_of_result(Op op) { return signatures[op].result; }

// ---- Types put together and taken apart ----

static Type function_type(uint32_t function, unsigned arities) {
    return (Type){.self = TYPE_FUNCTION, .function = function, .arities = (uint16_t)arities};
}

static unsigned arity_bit(int n) { return n >= 1 ? 1U << (n - 1) : 0; }

static Type join(Type a, Type b) {
    if (!a.self) return b;
    if (!b.self) return a;
    bool same = a.self == b.self && a.function == b.function;
    return (Type){.self = a.self | b.self,
                  .element = a.element | b.element,
                  .inner = a.inner | b.inner,
                  .arities = a.arities | b.arities,
                  .function = same ? a.function : 0};
}

// Truth values pass for numbers.
static uint16_t widened(uint16_t sorts) { return sorts & TYPE_BOOL ? sorts | TYPE_INT : sorts; }

// Whether the sorts of two containers' elements have something in common; an empty container has none.
static bool elements_fit(uint16_t a, uint16_t b) { return !a || !b || (widened(a) & b); }

bool type_fits(Type argument, Type parameter) {
    unsigned common = widened(argument.self) & parameter.self;
    if (common == TYPE_FUNCTION) return argument.arities & parameter.arities;
    if (common & ~(unsigned)(TYPE_TUPLE | TYPE_SET)) return true;
    if (!common || !elements_fit(argument.element, parameter.element)) return false;
    unsigned elements = widened(argument.element) & parameter.element;
    if (!elements || elements & ~(unsigned)(TYPE_TUPLE | TYPE_SET)) return true;
    return elements_fit(argument.inner, parameter.inner);
}

bool type_alike(Type a, Type b) {
    unsigned common = a.self & b.self;
    if (common == TYPE_FUNCTION) return a.arities & b.arities;
    if (common & ~(unsigned)(TYPE_TUPLE | TYPE_SET)) return true;
    return common && (!a.element || !b.element || (a.element & b.element));
}

// What the argument is once it has been passed: only what the parameter takes.
static Type narrowed(Type argument, Type parameter) {
    Type t = argument;
    t.self = widened(t.self) & parameter.self;
    if (t.self & (TYPE_TUPLE | TYPE_SET) && widened(t.element) & parameter.element) {
        t.element = widened(t.element) & parameter.element;
        if (widened(t.inner) & parameter.inner) t.inner = widened(t.inner) & parameter.inner;
    }
    t.arities &= parameter.arities;
    return t;
}

static Type element_of(Type t) {
    Type e = {0};
    if (t.self & (TYPE_TUPLE | TYPE_SET)) {
        e.self = t.element;
        e.element = t.inner;
        if (t.inner & (TYPE_TUPLE | TYPE_SET)) e.inner = TYPE_ALL;
        e.function = t.function; // for who watches: see functions_inside
    }
    if (e.self & TYPE_FUNCTION) e.arities = TYPE_ANY_ARITY;
    if (t.self & (TYPE_PAIR | TYPE_CELL)) e.self |= TYPE_INT;
    if (t.self & (TYPE_INDICES | TYPE_CELL)) e.self |= TYPE_PAIR;
    if (t.self & TYPE_OBJECT) e.self |= TYPE_CELL;
    if (t.self & TYPE_GRID) {
        e.self |= TYPE_TUPLE;
        e.element |= TYPE_INT;
    }
    return e;
}

static Type holding(uint16_t self, Type element) {
    return (Type){.self = self, .element = element.self, .inner = element.element};
}

// Rows of integers make a grid, and so do rows of nothing and no rows.
static Type tuple_of(Type e) {
    bool grid = !e.self || (e.self & TYPE_TUPLE && (!e.element || e.element & TYPE_INT));
    return holding(grid ? TYPE_TUPLE | TYPE_GRID : TYPE_TUPLE, e);
}

static Type set_of(Type e) {
    unsigned self = (e.self & TYPE_PAIR ? TYPE_INDICES : 0) | (e.self & TYPE_CELL ? TYPE_OBJECT : 0);
    bool other = e.self != TYPE_PAIR && e.self != TYPE_CELL; // both at once are neither
    if (!other) return (Type){.self = (uint16_t)self};
    if (!e.self) self |= TYPE_INDICES | TYPE_OBJECT; // empty: any of them
    return holding((uint16_t)(self | TYPE_SET), e);
}

// A container of the kind of `like` with other elements.
static Type container_of(Type like, Type e) {
    Type t = {0};
    if (like.self & TYPE_TUPLES) t = tuple_of(e);
    if (like.self & TYPE_SETS) t = join(t, set_of(e));
    return t;
}

static Type pair_of(Type a, Type b) {
    Type t = {0};
    bool number = a.self & (TYPE_INT | TYPE_BOOL);
    if (number && b.self & (TYPE_INT | TYPE_BOOL)) t.self |= TYPE_PAIR;
    if (number && b.self & TYPE_PAIR) t.self |= TYPE_CELL;
    const unsigned plain = TYPE_INT | TYPE_BOOL | TYPE_PAIR;
    bool other = !t.self || a.self & ~(unsigned)(TYPE_INT | TYPE_BOOL) || b.self & ~plain;
    return other ? join(t, tuple_of(join(a, b))) : t;
}

static Type part_of(Type t) {
    return t.self & (TYPE_PAIR | TYPE_CELL) ? join(t, tuple_of(element_of(t))) : t;
}

// A container like this one, of as many elements, each of the type given. Any tuple may have two.
static Type apply_type(Type like, Type e) {
    bool pair = like.self & (TYPE_PAIR | TYPE_TUPLE) && e.self & (TYPE_INT | TYPE_BOOL);
    Type t = pair ? (Type){TYPE_PAIR} : no_type;
    bool only = pair && like.self == TYPE_PAIR && !(e.self & ~(unsigned)(TYPE_INT | TYPE_BOOL));
    return only ? t : join(t, container_of(like, e));
}

static bool same_kind(Type a, Type b) { return !a.self || !b.self || type_fits(a, b) || type_fits(b, a); }

static Type known(Type t) { return t.self ? t : any; }

Type type_of_value(Value v) {
    switch (value_tag(v)) {
    case TAG_INT: return (Type){value_small(v) >> 1 ? TYPE_INT : TYPE_INT | TYPE_BOOL};
    case TAG_LOC: return (Type){TYPE_PAIR};
    case TAG_CELL: return (Type){TYPE_CELL};
    case TAG_OP: return function_type(1 + value_op(v), arity_bit(ops_table[value_op(v)].arity));
    case TAG_WORD: return (Type){TYPE_WORD};
    case TAG_OBJ: break;
    default: return (Type){TYPE_NONE};
    }
    const Obj *o = value_obj(v);
    Type e = {0};
    switch ((Kind)o->kind) {
    case KIND_BIG: return (Type){TYPE_INT};
    case KIND_GRID: return (Type){TYPE_GRID};
    case KIND_LOCS: return (Type){TYPE_INDICES};
    case KIND_CELLS: return (Type){TYPE_OBJECT};
    case KIND_FUNC: return function_type(0, arity_bit(o->arity));
    default: break;
    }
    for (uint32_t k = 0; k < o->n && k < SAMPLED_ELEMENTS; k++) e = join(e, type_of_value(obj_items(o)[k]));
    return o->kind == KIND_TUPLE ? tuple_of(e) : set_of(e);
}

// ---- Types under way ----

enum { NO_ARGUMENT = -1 };

// A function that is made in the middle of a call, lbind(rbind, f)(x) being rbind(f, x).
typedef struct {
    Op op;
    Type parts[LINE_MOST_ARGS];
} Made;

typedef struct {
    TypeWatch *tell;
    void *user;
    Made *made;
    uint32_t count, room;
    bool starved;
    uint32_t given; // the function in what the last function over elements gave
} Watch;

typedef struct {
    const Program *p; // NULL: functions made on lines are not known
    const Type *types;
    uint32_t line;
    int steps; // left for this line
    TypeProblem problem;
    Watch *watch; // NULL: nobody looks on
} Typing;

// ---- Calls, watched ----

// For who watches a function's type may say more: beyond the lines come the places where primitives are
// written, then the functions that calls have made.
static uint32_t first_place(const Typing *t) { return 1 + OPS_MOST + t->p->line_count; }
static uint32_t first_made(const Typing *t) { return first_place(t) + type_place(t->p->line_count, 0); }

// What a line is given.
static Type argument_type(const Typing *t, const Line *l, int k) {
    Type x = t->types[l->args[k]];
    if (t->watch && l->args[k] < program_slot_of_line(t->p, 0) && x.function)
        x.function = first_place(t) + type_place((uint32_t)(l - t->p->lines), k);
    return x;
}

// The number of a function that a call makes; 0, it is not known, where memory is short.
static uint32_t remember_made(const Typing *t, Op op, const Type *parts) {
    Watch *w = t->watch;
    if (w->count == w->room) {
        uint32_t room = w->room ? w->room * 2 : 64;
        Made *grown = realloc(w->made, room * sizeof *grown);
        if (!grown) {
            w->starved = true;
            return 0;
        }
        w->made = grown;
        w->room = room;
    }
    w->made[w->count].op = op;
    memcpy(w->made[w->count].parts, parts, (size_t)signatures[op].arity * sizeof *parts);
    return first_made(t) + w->count++;
}

// ---- Calls ----

static bool call_function(Typing *t, Type f, const Type *args, int n, Type *result);

static bool refuse(Typing *t, int op, int argument, Type found) {
    t->problem = (TypeProblem){.line = t->line, .op = op, .argument = argument, .found = found};
    return false;
}

static bool call1_function(Typing *t, Type f, Type x, Type *result) {
    return call_function(t, f, &x, 1, result);
}

// The function of the elements of containers; what it gives is anything where there are none.
static bool call_elements(Typing *t, Type f, Type a, Type b, int n, Type *result) {
    Type elements[2] = {element_of(a), element_of(b)};
    *result = any;
    if (!elements[0].self || (n == 2 && !elements[1].self)) return true;
    bool good = call_function(t, f, elements, n, result);
    if (t->watch) t->watch->given = result->function;
    return good;
}

// The function that this primitive makes takes so many arguments. The parts must be able to take what they
// will be given.
static bool make_function(Typing *t, Op op, const Type *a, Type *result) {
    unsigned arities = 1;
    if (op == OP_rbind || op == OP_lbind) {
        arities = a[0].arities >> 1;
        if (!arities) return refuse(t, (int)op, 0, a[0]);
    } else {
        for (int k = 0; k < signatures[op].arity; k++) {
            bool function = signatures[op].parameters[k].self == TYPE_FUNCTION;
            int n = op == OP_fork && k == 0 ? 2 : 1;
            if (function && !(a[k].arities & arity_bit(n))) return refuse(t, (int)op, k, a[k]);
        }
    }
    *result = function_type(0, arities);
    return true;
}

static bool call_rule(Typing *t, Op op, const Type *a, Type *result) {
    Type r = {0};
    bool good = true;
    switch ((Rule)rules[op]) {
    case AS_DECLARED: r = signatures[op].result; break;
    case LIKE_FIRST: r = a[0]; break;
    case PART_OF_FIRST: r = part_of(a[0]); break;
    case PART_OF_SECOND: r = part_of(a[1]); break;
    case LIKE_PATCH:
        r = set_of(element_of(a[0]));
        r.self &= TYPE_INDICES | TYPE_OBJECT;
        break;
    case LIKE_NUMBER: r.self = a[0].self; break;
    case NUMBERS:
        r.self = (uint16_t)((a[0].self & a[1].self & TYPE_INT) | ((a[0].self | a[1].self) & TYPE_PAIR));
        break;
    case INTEGERS: r = (Type){TYPE_TUPLE, TYPE_INT}; break;
    case ELEMENT: r = known(element_of(a[0])); break;
    case TUPLE_OF_ELEMENTS: r = tuple_of(element_of(a[0])); break;
    case SET_OF_ELEMENTS: r = set_of(element_of(a[0])); break;
    case GRIDS: r = (Type){TYPE_TUPLE, TYPE_GRID}; break;
    case OBJECTS: r = (Type){TYPE_TUPLE, TYPE_OBJECT}; break;
    case BRANCH: r = join(a[1], a[2]); break;
    case COMBINE: r = container_of(a[0], join(element_of(a[0]), element_of(a[1]))); break;
    case REPEAT: r = tuple_of(a[0]); break;
    case MERGE: r = container_of(a[0], element_of(element_of(a[0]))); break;
    case INITSET: r = set_of(a[0]); break;
    case INSERT: r = set_of(join(a[0], element_of(a[1]))); break;
    case ASTUPLE: r = pair_of(a[0], a[1]); break;
    case PRODUCT: r = set_of(pair_of(element_of(a[0]), element_of(a[1]))); break;
    case PAIR_UP: r = tuple_of(pair_of(element_of(a[0]), element_of(a[1]))); break;
    case PAIR_UP_CELLS: // what is no location is made a tuple first
        r = element_of(a[0]);
        r = tuple_of(pair_of(element_of(a[1]), r.self == TYPE_PAIR ? r : any));
        break;
    case KEY: good = call_elements(t, a[1], a[0], no_type, 1, &r); break;
    case ORDER:
        good = call_elements(t, a[1], a[0], no_type, 1, &r);
        r = tuple_of(element_of(a[0]));
        break;
    case PICK:
    case PICK_BY_LAST:
        good = call_elements(t, a[rules[op] == PICK ? 1 : 2], a[0], no_type, 1, &r);
        r = known(element_of(a[0]));
        break;
    case FILTER:
        good = call_elements(t, a[1], a[0], no_type, 1, &r);
        r = part_of(a[0]);
        break;
    case FILTER_SET:
        good = call_elements(t, a[1], a[0], no_type, 1, &r);
        r = set_of(element_of(a[0]));
        break;
    case FILTER_MERGE:
        good = call_elements(t, a[1], a[0], no_type, 1, &r);
        r = container_of(a[0], element_of(element_of(a[0])));
        break;
    case APPLY:
        good = call_elements(t, a[0], a[1], no_type, 1, &r);
        r = apply_type(a[1], r);
        break;
    case APPLY_MERGE:
        good = call_elements(t, a[0], a[1], no_type, 1, &r);
        r = container_of(a[1], element_of(r));
        break;
    case APPLY_PAIRS:
        good = call_elements(t, a[0], a[1], a[2], 2, &r);
        r = tuple_of(r);
        break;
    case APPLY_PAIRS_MERGE:
        good = call_elements(t, a[0], a[1], a[2], 2, &r);
        r = tuple_of(element_of(r));
        break;
    case APPLY_PRODUCT:
        good = call_elements(t, a[0], a[1], a[2], 2, &r);
        r = set_of(r);
        break;
    case APPLY_EACH:
        r = any;
        if (t->watch && element_of(a[0]).self) good = call1_function(t, element_of(a[0]), a[1], &r);
        r = container_of(a[0], r);
        break;
    case IN_SAMPLES:
    case PICK_IN_SAMPLES:
        good = call1_function(t, a[1], (Type){TYPE_GRID}, &r);
        r = tuple_of(element_of(r));
        if (good && rules[op] == PICK_IN_SAMPLES) good = call1_function(t, a[2], r, &r);
        break;
    case FUNCTION: good = make_function(t, op, a, &r); break;
    }
    bool chosen = rules[op] == BRANCH && r.self == TYPE_FUNCTION && !r.function;
    if (t->watch && good && (chosen || rules[op] == FUNCTION)) r.function = remember_made(t, op, a);
    *result = r;
    return good;
}

// Arguments that have to do with each other: two of a type, two containers of the same elements, a value and
// a container that may hold it. Python takes others too, but nothing comes of it.
static bool belong_together(Op op, const Type *a) {
    switch (op) {
    case OP_equality: return same_kind(a[0], a[1]);
    case OP_combine:
    case OP_intersection:
    case OP_difference: return same_kind(element_of(a[0]), element_of(a[1]));
    case OP_contained:
    case OP_insert:
    case OP_remove: return same_kind(a[0], element_of(a[1]));
    case OP_other: return same_kind(a[1], element_of(a[0]));
    default: return true;
    }
}

static bool call_op(Typing *t, Op op, const Type *args, Type *result) {
    Type a[LINE_MOST_ARGS];
    for (int k = 0; k < signatures[op].arity; k++) {
        Type parameter = type_of_parameter(op, k);
        if (!type_fits(args[k], parameter)) return refuse(t, (int)op, k, args[k]);
        a[k] = narrowed(args[k], parameter);
    }
    return belong_together(op, a) ? call_rule(t, op, a, result) : refuse(t, (int)op, NO_ARGUMENT, any);
}

static uint32_t either_function(const Typing *t, uint32_t f, uint32_t g) {
    if (!f || !g || f == g) return f ? f : g;
    const Type parts[] = {any, function_type(f, TYPE_ANY_ARITY), function_type(g, TYPE_ANY_ARITY)};
    return remember_made(t, OP_branch, parts);
}

// For who watches the type of a container with functions somewhere inside says which: one that stands for
// all.
static uint32_t functions_inside(const Typing *t, Op op, const Type *args) {
    uint32_t function = 0;
    switch ((Rule)rules[op]) {
    case APPLY:
    case APPLY_MERGE:
    case APPLY_PAIRS:
    case APPLY_PAIRS_MERGE:
    case APPLY_PRODUCT: return t->watch->given;
    case ORDER:
    case FILTER:
    case FILTER_SET:
    case FILTER_MERGE: return args[0].function;
    default: break;
    }
    for (int k = 0; k < signatures[op].arity; k++) function = either_function(t, function, args[k].function);
    return function;
}

// The same for who watches: what does not fit goes on as if it did, and of the parts of a cell it is known
// which is which.
static bool call_watched(Typing *t, uint32_t place, Op op, const Type *args, Type *result) {
    if (!call_op(t, op, args, result)) *result = signatures[op].result;
    else if (rules[op] == ELEMENT && args[0].self == TYPE_CELL)
        *result = (Type){op == OP_last ? TYPE_PAIR : TYPE_INT};
    if (result->self & (TYPE_TUPLE | TYPE_SET) && (result->element | result->inner) & TYPE_FUNCTION)
        result->function = functions_inside(t, op, args);
    t->watch->tell(t->watch->user, place, op, args, *result);
    return true;
}

// A function done n times over, n being unknown: until its result is no longer of another type.
static bool call_again_and_again(Typing *t, Type f, Type x, Type *result) {
    enum { MOST_TIMES = 4 };
    if (!call1_function(t, f, x, result)) return false;
    for (int k = 0; k < MOST_TIMES; k++) {
        Type before = *result;
        if (!call1_function(t, f, before, &x)) return false;
        *result = join(before, x);
        if (memcmp(result, &before, sizeof before) == 0) return true;
    }
    *result = any;
    return true;
}

// A function made of parts, as `call` in function.c runs it on values.
static bool call_made(Typing *t, int op, const Type *parts, const Type *args, int n, Type *result) {
    Type x = args[0], pair[LINE_MOST_ARGS];
    switch (op) {
    case OP_compose: return call1_function(t, parts[1], x, &x) && call1_function(t, parts[0], x, result);
    case OP_chain:
        return call1_function(t, parts[2], x, &x) && call1_function(t, parts[1], x, &x) &&
               call1_function(t, parts[0], x, result);
    case OP_fork:
        return call1_function(t, parts[1], x, &pair[0]) && call1_function(t, parts[2], x, &pair[1]) &&
               call_function(t, parts[0], pair, 2, result);
    case OP_matcher: *result = (Type){TYPE_BOOL}; return call1_function(t, parts[0], x, &x);
    case OP_branch:
    case OP_choose:
        return call_function(t, parts[1], args, n, result) && call_function(t, parts[2], args, n, &x) &&
               (*result = join(*result, x), true);
    case OP_power: return call_again_and_again(t, parts[0], x, result);
    default: break; // rbind, lbind
    }
    if (n >= LINE_MOST_ARGS) return refuse(t, LINE_CALLS_VALUE, 0, x);
    bool left = op == OP_lbind;
    for (int k = 0; k < n; k++) pair[k + left] = args[k];
    pair[left ? 0 : n] = parts[1];
    return call_function(t, parts[0], pair, n + 1, result);
}

// power(f, n) as often as it says, for who watches: each time at a place of its own, as far as there are any.
static bool call_power(Typing *t, const Line *l, Type f, Type x, Type *result) {
    Value n = l->args[1] < program_slot_of_line(t->p, 0) && l->args[1] >= SLOTS_GIVEN
                  ? t->p->constants[l->args[1] - SLOTS_GIVEN]
                  : VALUE_NONE;
    if (!value_is_small(n) || value_small(n) < 1 || value_small(n) > TYPE_MOST_POWER)
        return call_again_and_again(t, f, x, result);
    bool written = f.function >= first_place(t) && f.function < first_made(t);
    for (int64_t k = 0; k < value_small(n); k++, x = *result, f.function += written)
        if (!call1_function(t, f, x, result)) return false;
    return true;
}

static bool call_made_on_line(Typing *t, const Line *l, const Type *args, int n, Type *result) {
    Type parts[LINE_MOST_ARGS];
    for (int k = 0; k < l->n; k++) parts[k] = argument_type(t, l, k);
    if (t->watch && l->op == OP_power) return call_power(t, l, parts[0], args[0], result);
    return call_made(t, l->op, parts, args, n, result);
}

// A primitive where it is written, or a function that a call has made.
static bool call_place(Typing *t, uint32_t function, const Type *args, int n, Type *result) {
    if (function >= first_made(t)) {
        const Made made = t->watch->made[function - first_made(t)]; // its place may change meanwhile
        return call_made(t, (int)made.op, made.parts, args, n, result);
    }
    uint32_t place = function - first_place(t);
    const Line *l = &t->p->lines[place / TYPE_PLACES];
    uint32_t slot = l->args[l->op == OP_power ? 0 : place % TYPE_PLACES];
    Op op = (Op)value_op(t->p->constants[slot - SLOTS_GIVEN]);
    if (ops_table[op].arity != n) return refuse(t, LINE_CALLS_VALUE, 0, args[0]);
    return call_watched(t, place, op, args, result);
}

static bool call_function(Typing *t, Type f, const Type *args, int n, Type *result) {
    if (!(f.self & TYPE_FUNCTION) || !(f.arities & arity_bit(n))) return refuse(t, LINE_CALLS_VALUE, 0, f);
    *result = any;
    if (f.self != TYPE_FUNCTION || !f.function || t->steps-- <= 0) return true;
    if (f.function <= OPS_MOST) return call_op(t, (Op)(f.function - 1), args, result);
    if (!t->p) return true;
    if (f.function >= first_place(t)) return call_place(t, f.function, args, n, result);
    return call_made_on_line(t, &t->p->lines[f.function - 1 - OPS_MOST], args, n, result);
}

// ---- Programs ----

bool type_of_call(const Program *p, const Type *types, Op op, const Type *arguments, Type *result) {
    Typing t = {.p = p, .types = types, .steps = STEPS_OF_A_LINE};
    return call_op(&t, op, arguments, result);
}

static bool line_type(Typing *t, const Line *l, Type *result) {
    assert(l->op < OPS_MOST && l->n <= LINE_MOST_ARGS);
    Type a[LINE_MOST_ARGS] = {{0}};
    for (int k = 0; k < l->n; k++) a[k] = argument_type(t, l, k);
    t->steps = STEPS_OF_A_LINE;
    if (l->op == LINE_CALLS_VALUE) return call_function(t, t->types[l->callee], a, l->n, result);
    if (t->watch) call_watched(t, type_place(t->line, TYPE_PLACE_OF_LINE), (Op)l->op, a, result);
    else if (!call_op(t, (Op)l->op, a, result)) return false;
    bool chosen = rules[l->op] == BRANCH && result->self == TYPE_FUNCTION && !result->function;
    if (chosen || rules[l->op] == FUNCTION) result->function = 1 + OPS_MOST + t->line;
    return true;
}

// The types of what is there before the lines; the first line's place.
static Type *types_given(const Program *p, Type *types) {
    types[SLOT_S] = (Type){TYPE_TUPLE, TYPE_TUPLE, TYPE_GRID};
    types[SLOT_I] = (Type){TYPE_GRID};
    types[SLOT_C] = (Type){TYPE_GRID | TYPE_NONE};
    Type *next = types + SLOTS_GIVEN;
    for (uint32_t k = 0; k < p->constant_count; k++) *next++ = type_of_value(p->constants[k]);
    return next;
}

bool program_types(const Program *p, Type *types, TypeProblem *problem) {
    Type *next = types_given(p, types);
    Typing t = {.p = p, .types = types};
    for (t.line = 0; t.line < p->line_count; t.line++)
        if (!line_type(&t, &p->lines[t.line], next++)) {
            if (problem) *problem = t.problem;
            return false;
        }
    return true;
}

bool program_watch_types(const Program *p, Type *types, TypeWatch *tell, void *user) {
    Type *next = types_given(p, types);
    Watch watch = {.tell = tell, .user = user};
    Typing t = {.p = p, .types = types, .watch = &watch};
    for (t.line = 0; t.line < p->line_count; t.line++, next++)
        if (!line_type(&t, &p->lines[t.line], next)) *next = any;
    free(watch.made);
    return !watch.starved;
}

Type type_element(Type container) { return element_of(container); }
Type type_join(Type a, Type b) { return join(a, b); }
Type type_apply(Type like, Type element) { return apply_type(like, element); }
Type type_tuple(Type element) { return tuple_of(element); }
Type type_set(Type element) { return set_of(element); }

bool type_of_line(const Program *p, const Type *types, uint32_t line, Type *result) {
    Typing t = {.p = p, .types = types, .line = line};
    return line_type(&t, &p->lines[line], result);
}

// ---- Text ----

static void print_sorts(Text *t, unsigned sorts, Type type) {
    static const char *const names[] = {"Boolean", "Integer", "IntegerTuple", "Cell",     "Grid", "Tuple",
                                        "Indices", "Object",  "FrozenSet",    "Callable", "None"};
    if (sorts == TYPE_ALL) {
        text_add(t, "Any");
        return;
    }
    const char *separator = "";
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        if (!(sorts >> k & 1)) continue;
        text_print(t, "%s%s", separator, names[k]);
        separator = " or ";
        if (1U << k == TYPE_FUNCTION && type.arities && !(type.arities & (type.arities - 1)))
            text_print(t, " of %d", __builtin_ctz(type.arities) + 1);
        if (1U << k != TYPE_TUPLE && 1U << k != TYPE_SET) continue;
        if (!type.element || type.element == TYPE_ALL) continue;
        text_add(t, "[");
        print_sorts(t, type.element, (Type){.element = type.inner});
        text_add(t, "]");
    }
}

void type_print(Text *t, Type type) { print_sorts(t, type.self, type); }

void type_problem_print(Text *t, const TypeProblem *problem) {
    text_print(t, "line %u: ", problem->line + 1);
    if (problem->op == LINE_CALLS_VALUE)
        text_add(t, "a function that takes these arguments was expected, not ");
    else if (problem->argument == NO_ARGUMENT) {
        text_print(t, "the arguments of %s have nothing to do with each other", ops_table[problem->op].name);
        return;
    } else {
        const OpInfo *info = &ops_table[problem->op];
        text_print(t, "%s takes %s as %s, not ", info->name, info->types[problem->argument],
                   info->parameters[problem->argument]);
    }
    type_print(t, problem->found);
}
