#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TRIES = 12 };

void gen_context(Ctx *c, size_t memory) {
    *c = (Ctx){.units = INT64_MAX / 2};
    arena_init(&c->arena, memory);
}

// ---- Numbers, pairs, grids ----

int64_t gen_int(Gen *g) {
    static const int64_t edges[] = {
        -129,      -128,     127,       128,          -2049,           -2048,
        2047,      2048,     1LL << 60, -(1LL << 60), (1LL << 60) - 1, -(1LL << 60) - 1,
        INT64_MAX, INT64_MIN};
    if (gen_chance(g, 12)) return edges[gen_below(g, sizeof edges / sizeof *edges)];
    return gen_chance(g, 80) ? gen_from(g, -2, 10) : gen_from(g, -200, 200);
}

static int64_t number(Gen *g) {
    if (gen_chance(g, 3)) return gen_int(g);
    return gen_chance(g, 80) ? gen_from(g, 0, 9) : gen_from(g, -5, 31);
}

static Value loc(Gen *g) {
    if (gen_chance(g, 3)) {
        Value j = value_int(g->c, gen_int(g)), i = value_int(g->c, gen_int(g));
        return value_pair(g->c, i, j);
    }
    int64_t most = gen_chance(g, 80) ? 6 : 35, least = gen_chance(g, 70) ? 0 : -most;
    int64_t j = gen_from(g, least, most), i = gen_from(g, least, most);
    return value_loc(g->c, i, j);
}

static Value cell(Gen *g) {
    Value place = loc(g);
    return value_pair(g->c, value_int(g->c, number(g)), place);
}

static Value grid(Gen *g) {
    int64_t most = gen_chance(g, 90) ? 7 : gen_chance(g, 96) ? 30 : 127;
    int64_t h = gen_from(g, 1, most), w = gen_chance(g, 30) ? h : gen_from(g, 1, most);
    int8_t colors[4];
    bool odd = gen_chance(g, 3);
    for (int k = 0; k < 4; k++) colors[k] = (int8_t)(odd ? gen_from(g, -128, 127) : gen_from(g, 0, 9));
    uint32_t used = 1 + gen_below(g, 4), dense = gen_below(g, 100);
    int64_t across = gen_chance(g, 20) ? gen_from(g, 1, 3) : w,
            down = gen_chance(g, 20) ? gen_from(g, 1, 3) : h;
    Obj *o = value_grid_new(g->c, h, w);
    if (!o) return VALUE_NO_TUPLE;
    int8_t *cells = grid_cells(o);
    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < w; j++) {
            bool repeated = i >= down || j >= across;
            if (repeated) cells[i * w + j] = cells[i % down * w + j % across];
            else cells[i * w + j] = colors[gen_chance(g, dense) ? gen_below(g, used) : 0];
        }
    if (gen_chance(g, 10)) memset(cells + gen_from(g, 0, h - 1) * w, colors[1], (size_t)w);
    return g->grid = value_of_obj(o);
}

static Value indices(Gen *g) {
    if (gen_chance(g, 3)) return VALUE_NO_SET;
    int64_t side = gen_chance(g, 85) ? gen_from(g, 1, 7) : gen_from(g, 8, 100);
    int64_t top = gen_from(g, gen_chance(g, 20) ? -5 : 0, 6),
            left = gen_from(g, gen_chance(g, 20) ? -5 : 0, 6);
    if (gen_chance(g, 2)) top = 2047 - side / 2;
    Gather items = gather(g->c);
    for (uint32_t n = 1 + gen_below(g, gen_chance(g, 80) ? 10 : 60); n > 0; n--) {
        int64_t j = left + gen_from(g, 0, side - 1), i = top + gen_from(g, 0, side - 1);
        gather_add(&items, value_loc(g->c, i, j));
    }
    return gather_set(&items);
}

// Cells of the grid made last, or of any colours at any places.
static Value object(Gen *g) {
    if (gen_chance(g, 2)) return VALUE_NO_SET;
    Value where = indices(g), e;
    bool cut_out = gen_chance(g, 50), one_color = gen_chance(g, 50);
    const Obj *from = value_obj(g->grid);
    int64_t color = number(g);
    Gather items = gather(g->c);
    for (Iter it = iter(g->c, where); iter_next(&it, &e);) {
        if (!value_is_loc(e)) continue;
        uint32_t i = (uint32_t)word_i(value_word(e)) % from->n,
                 j = (uint32_t)word_j(value_word(e)) % from->width;
        int64_t v = cut_out ? obj_cells(from)[i * from->width + j] : one_color ? color : number(g);
        gather_add(&items, value_pair(g->c, value_int(g->c, v), cut_out ? value_loc(g->c, i, j) : e));
    }
    return gather_set(&items);
}

// ---- Containers ----

// From least to most elements of a type; "some" is any type, or elements of several. A tuple, by so many
// percent, or a set.
static Value container_of(Gen *g, uint32_t tuple, int64_t least, int64_t most, const char *type) {
    static const char *const some[] = {"Integer", "Integer", "IntegerTuple", "Cell",
                                       "Indices", "Object",  "Grid",         "Tuple"};
    enum { SOME = sizeof some / sizeof *some };
    if (strcmp(type, "some") == 0) {
        uint32_t k = gen_below(g, SOME + 1);
        type = k < SOME ? some[k] : NULL;
    }
    int64_t n = gen_from(g, least, most);
    bool is_tuple = tuple % 100 ? gen_chance(g, tuple) : tuple > 0;
    Gather items = gather(g->c);
    for (; n > 0; n--) gather_add(&items, type ? gen_typed(g, type) : gen_any(g, 1));
    return is_tuple ? gather_tuple(&items) : gather_set(&items);
}

Value gen_any(Gen *g, int depth) {
    switch (gen_below(g, depth > 0 ? 16 : 7)) {
    case 0:
    case 1: return value_int(g->c, gen_int(g));
    case 2: return loc(g);
    case 3: return cell(g);
    case 4: return gen_chance(g, 80) ? value_int(g->c, number(g)) : VALUE_NONE;
    case 5: return value_of_op(gen_below(g, OPS));
    case 6:
        if (gen_chance(g, 30)) return value_of_word(gen_below(g, WORDS));
        return gen_chance(g, 50) ? VALUE_NO_TUPLE : VALUE_NO_SET;
    case 7: return grid(g);
    case 8: return indices(g);
    case 9: return object(g);
    case 10: return gen_function(g, 1 + (int)gen_below(g, 2));
    case 11: return container_of(g, 50, 0, 3, "some");
    default: break;
    }
    Gather items = gather(g->c);
    for (uint32_t n = gen_below(g, 5); n > 0; n--) gather_add(&items, gen_any(g, depth - 1));
    return gen_chance(g, 50) ? gather_tuple(&items) : gather_set(&items);
}

// ---- Words ----

// What a parameter takes, after those before it: nothing where none of them comes to mind.
static Value words(Gen *g, const OpInfo *info, int k, const Value *before) {
    Shape yields = before ? op_yields(g->c, info, k, before) : SHAPE_Number;
    Value v = shape_random(g->c, &g->rng, yields, info->shapes[k]);
    if (!g->c->failure) return v;
    g->c->failure = TS_FAIL_NONE;
    return VALUE_NO_TUPLE;
}

// ---- Types ----

static Value one_of(Gen *g, const char *const *types, uint32_t n) {
    return gen_typed(g, types[gen_below(g, n)]);
}
#define ONE_OF(...) \
    one_of(g, (const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))

// Pairs of a grid and what has become of it: often the same for all of them.
static Value samples(Gen *g) {
    Gather pairs = gather(g->c);
    Value symmetry = value_of_small(gen_below(g, 8));
    for (uint32_t n = gen_below(g, 4); n > 0; n--) {
        Value input = grid(g), turned[2] = {input, symmetry};
        Value output = gen_chance(g, 60) ? op_mir_rot_t(g->c, turned) : grid(g);
        gather_add(&pairs, value_pair(g->c, input, output));
    }
    return gather_tuple(&pairs);
}

Value gen_typed(Gen *g, const char *type) {
#define IS(name) (strcmp(type, name) == 0)
    if (IS("Integer")) return value_int(g->c, number(g));
    if (IS("Boolean")) return value_bool(gen_chance(g, 50));
    if (IS("IntegerTuple")) return loc(g);
    if (IS("Cell")) return cell(g);
    if (IS("Grid")) return grid(g);
    if (IS("Indices")) return indices(g);
    if (IS("Object")) return object(g);
    if (IS("Objects")) return container_of(g, 10, 1, 4, "Object");
    if (IS("Callable")) return gen_function(g, 1);
    if (IS("Samples")) return samples(g);
    if (IS("Image")) {
        Value cells = gen_chance(g, 5) ? VALUE_NO_TUPLE : grid(g);
        return value_pair(g->c, loc(g), cells);
    }
    if (IS("Images")) return container_of(g, 100, 0, 4, "Image");
    if (IS("Imagery")) return ONE_OF("Image", "Images");
    if (IS("Numerical")) return ONE_OF("Integer", "IntegerTuple");
    if (IS("Patch")) return ONE_OF("Indices", "Object");
    if (IS("Piece")) return ONE_OF("Grid", "Indices", "Object");
    if (IS("Element")) return ONE_OF("Grid", "Object");
    if (IS("IntegerSet")) return container_of(g, 40, 0, 7, "Integer");
    if (IS("Tuple")) return container_of(g, 100, 0, 4, "some");
    if (IS("TupleTuple")) return container_of(g, 100, 1, 3, "Tuple");
    if (IS("FrozenSet")) return gen_chance(g, 60) ? gen_typed(g, "Patch") : container_of(g, 0, 0, 4, "some");
    if (IS("Container")) return ONE_OF("FrozenSet", "Tuple", "Grid", "Objects");
    if (IS("ContainerContainer")) {
        if (gen_chance(g, 50)) return ONE_OF("Grid", "Objects", "TupleTuple");
        return container_of(g, 40, 1, 4, gen_chance(g, 50) ? "Indices" : "IntegerSet");
    }
#undef IS
    return gen_any(g, 2); // Any
}

// ---- Functions ----

static unsigned op_of_arity(Gen *g, int arity) {
    for (;;) {
        unsigned op = gen_below(g, OPS);
        if (ops_table[op].arity == arity) return op;
    }
}

static Value bound(Gen *g, int arity) {
    unsigned op = op_of_arity(g, arity + 1);
    bool left = gen_chance(g, 50);
    int k = left ? 0 : arity;
    bool said = ops_table[op].shapes[k] != SHAPE_NONE && gen_chance(g, 80);
    Value parts[2] = {value_of_op(op)};
    parts[1] = said ? words(g, &ops_table[op], k, NULL) : gen_typed(g, ops_table[op].types[k]);
    return left ? op_lbind(g->c, parts) : op_rbind(g->c, parts);
}

Value gen_function(Gen *g, int arity) {
    if (gen_chance(g, 55)) return value_of_op(op_of_arity(g, arity));
    if (arity > 1 || gen_chance(g, 50)) return bound(g, arity);
    Value parts[3] = {gen_function(g, 1)};
    parts[1] = gen_function(g, 1);
    switch (gen_below(g, 5)) {
    case 0: return op_compose(g->c, parts);
    case 1: parts[1] = gen_any(g, 1); return op_matcher(g->c, parts);
    case 2: parts[1] = value_of_small(gen_from(g, 1, 3)); return op_power(g->c, parts);
    case 3: parts[2] = gen_function(g, 1); return op_chain(g->c, parts);
    default:
        parts[2] = parts[1];
        parts[1] = parts[0];
        parts[0] = value_of_op(op_of_arity(g, 2));
        return op_fork(g->c, parts);
    }
}

static void reset(Ctx *c) { ctx_begin(c, 1000 * 1000); }

// A function that does not fail for these arguments, if one is found soon.
static Value fitting_function(Gen *g, const Value *args, int n) {
    Value f = VALUE_NONE;
    for (int k = 0; k < MOST_TRIES; k++) {
        f = gen_function(g, n);
        reset(g->scratch);
        func_call(g->scratch, f, args, n);
        if (!g->scratch->failure) break;
    }
    return f;
}

static Value first_of(Gen *g, Value container) {
    bool some = value_is_container(container) && value_length(g->c, container) > 0;
    return some ? value_element(g->c, container, 0) : value_of_small(0);
}

static bool is_op(Op op, const Op *among, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (among[k] == op) return true;
    return false;
}
#define IS_ONE_OF(...) is_op(op, (const Op[]){__VA_ARGS__}, sizeof(const Op[]){__VA_ARGS__} / sizeof(Op))

// The value with some of its numbers exchanged.
static Value altered(Gen *g, Value v) {
    if (value_is_small(v)) return gen_chance(g, 8) ? value_of_small(gen_from(g, -1, 12)) : v;
    if (!value_is_tuple(v)) return v;
    Gather items = gather(g->c);
    Value e;
    for (Iter it = iter(g->c, v); iter_next(&it, &e);) gather_add(&items, altered(g, e));
    return gather_tuple(&items);
}

// A rule that was learnt is a tuple in which nearly all numbers hang together: by chance none would come up.
// So those of the examples are taken, changed a little, with grids of all kinds; or words are made up.
static void alter_example(Gen *g, Op op, Value *a) {
    const OpInfo *info = &ops_table[op];
    ts_programs *set = ts_programs_new();
    ts_status status;
    Program p;
    if (set && program_parse_expression(set, "example", info->example, strlen(info->example), &p, &status) &&
        p.line_count == 1 && p.lines[0].op == (int)op)
        for (int k = 0; k < info->arity; k++) {
            uint32_t constant = p.lines[0].args[k] - SLOTS_GIVEN;
            if (strcmp(info->types[k], "Grid") == 0 && gen_chance(g, 60)) continue;
            Value v = value_copy(g->c, p.constants[constant]);
            bool said = info->shapes[k] != SHAPE_NONE && gen_chance(g, 50);
            if (said)
                a[k] = shape_mutate(g->c, &g->rng, op_yields(g->c, info, k, a), info->shapes[k], v, NULL);
            if (!said || g->c->failure) a[k] = altered(g, v);
            g->c->failure = TS_FAIL_NONE; // it may not fit what is before it any more
        }
    ts_programs_free(set);
}

void gen_arguments(Gen *g, Op op, Value *a) {
    const OpInfo *info = &ops_table[op];
    for (int k = 0; k < info->arity; k++) {
        if (info->shapes[k] != SHAPE_NONE && gen_chance(g, 90)) a[k] = words(g, info, k, a);
        else a[k] = gen_typed(g, gen_chance(g, 4) ? "Any" : info->types[k]);
    }
    if (info->origin == ORIGIN_OURS && strcmp(info->family, "image") != 0 && gen_chance(g, 75)) {
        alter_example(g, op, a);
        return;
    }
    if (IS_ONE_OF(OP_papply, OP_mpapply, OP_prapply))
        a[0] = fitting_function(g, (const Value[]){first_of(g, a[1]), first_of(g, a[2])}, 2);
    else if (IS_ONE_OF(OP_rbind, OP_lbind)) a[0] = gen_function(g, 1 + (int)gen_below(g, 4) % 3);
    else if (op == OP_fork) a[0] = gen_function(g, 2);
    else if (op == OP_rapply) {
        Gather functions = gather(g->c);
        for (uint32_t n = 1 + gen_below(g, 3); n > 0; n--)
            gather_add(&functions, fitting_function(g, &a[1], 1));
        a[0] = gen_chance(g, 70) ? gather_tuple(&functions) : gather_set(&functions);
    } else if (IS_ONE_OF(OP_apply, OP_mapply)) {
        Value e = first_of(g, a[1]);
        a[0] = fitting_function(g, &e, 1);
    } else if (strcmp(info->family, "mapping") == 0) {
        Value e = first_of(g, a[0]);
        a[strcmp(info->types[1], "Callable") == 0 ? 1 : 2] = fitting_function(g, &e, 1);
    } else if (strcmp(info->family, "sample") == 0 && info->arity > 1) {
        Value input = first_of(g, first_of(g, a[0])), colors = value_of_loc(loc_word(1, 2));
        a[1] = gen_chance(g, 60) ? value_of_op(OP_p_g) : fitting_function(g, &input, 1);
        if (info->arity > 2) a[2] = fitting_function(g, &colors, 1);
    } else if (op == OP_merge && gen_chance(g, 30)) a[0] = object(g);
    if (IS_ONE_OF(OP_contained, OP_insert) && gen_chance(g, 50)) a[0] = first_of(g, a[1]);
    if (IS_ONE_OF(OP_remove) && gen_chance(g, 50)) a[0] = first_of(g, a[1]);
    if (op == OP_equality && gen_chance(g, 50)) a[1] = gen_rebuild(g, a[0]);
    for (int k = 0; k < info->arity; k++) { // numbers of a meaning
        const char *name = info->parameters[k];
        if (!strcmp(name, "choice") && gen_chance(g, 45)) a[k] = value_of_small(gen_from(g, 0, 15));
        bool chooses = !strcmp(name, "flags") || !strcmp(name, "kind") || !strcmp(name, "symmetry");
        if (!chooses && strcmp(name, "rank") != 0) continue;
        if (gen_chance(g, 90)) a[k] = value_of_small(chooses ? gen_from(g, 0, 7) : gen_from(g, -3, 3));
    }
}

// ---- The same value again ----

static Value rebuild_items(Gen *g, Value v, bool tuple) {
    Gather items = gather(g->c);
    Value e;
    for (Iter it = iter(g->c, v); iter_next(&it, &e);) gather_add(&items, gen_rebuild(g, e));
    if (tuple) return gather_tuple(&items);
    for (uint32_t n = items.n ? gen_below(g, 3) : 0; n > 0; n--) // some of them twice
        gather_add(&items, items.items[gen_below(g, (uint32_t)items.n)]);
    for (size_t k = items.n; k > 1; k--) {
        uint32_t other = gen_below(g, (uint32_t)k);
        Value swap = items.items[k - 1];
        items.items[k - 1] = items.items[other];
        items.items[other] = swap;
    }
    return gather_set(&items);
}

Value gen_rebuild(Gen *g, Value v) {
    if (value_is_int(v)) return value_int(g->c, value_int_of(v));
    if (value_is_grid(v) && gen_chance(g, 30)) {
        const Obj *o = value_obj(v);
        return value_grid(g->c, (ts_grid){(int)o->n, (int)o->width, obj_cells(o)});
    }
    if (value_is_container(v)) return rebuild_items(g, v, value_is_tuple(v));
    if (!value_is(v, KIND_FUNC)) return v;
    const Obj *o = value_obj(v);
    Value parts[3] = {VALUE_NONE};
    for (uint32_t k = 0; k < o->n && k < 3; k++) parts[k] = gen_rebuild(g, obj_items(o)[k]);
    return value_func(g->c, o->detail, o->arity, parts, o->n);
}

bool gen_identical(Value a, Value b) {
    if (value_tag(a) != TAG_OBJ || value_tag(b) != TAG_OBJ) return value_same(a, b);
    const Obj *x = value_obj(a), *y = value_obj(b);
    if (memcmp(x, y, sizeof *x) != 0) return false;
    switch ((Kind)x->kind) {
    case KIND_BIG: return value_int_of(a) == value_int_of(b);
    case KIND_GRID: return memcmp(obj_cells(x), obj_cells(y), (size_t)x->n * x->width) == 0;
    case KIND_LOCS:
    case KIND_CELLS: return memcmp(obj_words(x), obj_words(y), x->n * sizeof(uint32_t)) == 0;
    default: break;
    }
    for (uint32_t k = 0; k < x->n; k++)
        if (!gen_identical(obj_items(x)[k], obj_items(y)[k])) return false;
    return true;
}

// ---- Programs ----

enum { MOST_VARIABLES = 24 };

typedef struct {
    char name[16];
    Value value;
    const char *type;
} Variable;

typedef struct {
    Gen *g;
    Text *text;
    Variable variables[MOST_VARIABLES];
    uint32_t count;
} Writing;

// Which types go well where another is asked for.
static bool suits(const char *have, const char *want) {
    static const char *const pairs[][2] = {{"Integer", "Numerical"},   {"IntegerTuple", "Numerical"},
                                           {"Indices", "Patch"},       {"Object", "Patch"},
                                           {"Indices", "Piece"},       {"Object", "Piece"},
                                           {"Grid", "Piece"},          {"Grid", "Element"},
                                           {"Object", "Element"},      {"Objects", "Container"},
                                           {"Indices", "Container"},   {"Tuple", "Container"},
                                           {"FrozenSet", "Container"}, {"Objects", "FrozenSet"},
                                           {"Indices", "FrozenSet"},   {"Objects", "ContainerContainer"}};
    if (strcmp(have, want) == 0 || strcmp(want, "Any") == 0) return true;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (strcmp(have, pairs[k][0]) == 0 && strcmp(want, pairs[k][1]) == 0) return true;
    return false;
}

// A variable of this type, or else a literal; its value and how it is written.
static Value argument(Writing *w, const char *type, Value otherwise, Text *how) {
    uint32_t start = gen_below(w->g, w->count);
    for (uint32_t k = 0; gen_chance(w->g, 85) && k < w->count; k++) {
        const Variable *v = &w->variables[(start + k) % w->count];
        if (!suits(v->type, type)) continue;
        text_add(how, v->name);
        return v->value;
    }
    Text literal = {0};
    literal_print(&literal, otherwise);
    for (const char *at = literal.data; *at; at++) // in a program the empty set is as in Python
        if (at[0] == '{' && at[1] == '}') text_add(how, "frozenset()"), at++;
        else text_char(how, *at);
    text_free(&literal);
    return otherwise;
}

static void space(Writing *w, Text *t) {
    if (gen_chance(w->g, 10)) text_add(t, gen_chance(w->g, 50) ? "  " : "\t");
}

static void assign(Writing *w, const char *expression, Value value, const char *type) {
    bool anew = w->count == 1 || (w->count < MOST_VARIABLES && gen_chance(w->g, 90));
    uint32_t k = anew ? w->count++ : 1 + gen_below(w->g, w->count - 1); // else a variable gets another value
    Variable *v = &w->variables[k];
    *v = (Variable){.value = value, .type = type};
    snprintf(v->name, sizeof v->name, "x%u", k);
    text_print(w->text, "    %s = %s\n", v->name, expression);
    if (gen_chance(w->g, 5)) text_add(w->text, "\n  # a comment (with brackets\n");
}

// One line, tried until it does not fail.
static bool write_line(Writing *w) {
    Ctx *c = w->g->c;
    for (int k = 0; k < MOST_TRIES; k++) {
        Op op = (Op)gen_below(w->g, OPS);
        const OpInfo *info = &ops_table[op];
        Value a[4];
        gen_arguments(w->g, op, a);
        Text t = {0};
        text_print(&t, "%s(", info->name);
        bool by_name = gen_chance(w->g, 10);
        for (int n = 0; n < info->arity; n++) {
            if (n) text_char(&t, ',');
            space(w, &t);
            if (by_name) text_print(&t, "%s=", info->parameters[n]);
            a[n] = argument(w, info->types[n], a[n], &t);
        }
        text_char(&t, ')');
        c->units = 1000 * 1000;
        Value value = info->fn(c, a);
        bool good = !c->failure && !t.failed && t.length < 2000 && value_weight(value) < 5000;
        if (good) assign(w, t.data, value, info->result);
        c->failure = TS_FAIL_NONE;
        c->units = INT64_MAX / 2;
        text_free(&t);
        if (good) return true;
    }
    return false;
}

// x7(x4): a function that a line before has made.
static void write_call(Writing *w) {
    uint32_t f = gen_below(w->g, w->count), x = gen_below(w->g, w->count);
    const Variable *function = &w->variables[f], *value = &w->variables[x];
    if (!value_is(function->value, KIND_FUNC)) return;
    reset(w->g->scratch);
    func_call(w->g->scratch, function->value, &value->value, 1);
    if (w->g->scratch->failure) return;
    char text[64];
    snprintf(text, sizeof text, "%s(%s)", function->name, value->name);
    assign(w, text, func_call(w->g->c, function->value, &value->value, 1), "Any");
}

bool gen_program(Gen *g, const char *name, Value input, Text *text, Value *result) {
    Writing w = {.g = g, .text = text, .count = 1};
    w.variables[0] = (Variable){.name = "I", .value = input, .type = "Grid"};
    text_print(text, "def %s(I):\n", name);
    for (uint32_t lines = 1 + gen_below(g, 12); lines > 0; lines--) {
        if (!write_line(&w)) return false;
        if (gen_chance(g, 30)) write_call(&w);
    }
    const Variable *last = &w.variables[gen_chance(g, 80) ? w.count - 1 : gen_below(g, w.count)];
    text_print(text, "    return %s\n", last->name);
    *result = last->value;
    return !text->failed && !g->c->failure;
}

// ---- Choices ----

// The lines of a program with names that begin with a letter of their own, and that of its result; I where it
// has none.
static void write_lines(Text *text, const ts_programs *set, size_t index, char letter, char result[16]) {
    char *printed = ts_programs_print(set, index), *at = strchr(printed, '\n') + 1;
    char *end = strstr(printed, "    return ");
    bool named = false; // inside a word
    for (; at < end; at++) {
        bool is_variable = !named && ((*at == 'x' && at[1] >= '0' && at[1] <= '9') ||
                                      (*at == 'O' && (at[1] == ' ' || at[1] == ',' || at[1] == ')')));
        if (is_variable) text_char(text, letter);
        text_char(text, *at);
        named = *at == '_' || (*at >= '0' && *at <= '9') || ((*at | 32) >= 'a' && (*at | 32) <= 'z');
    }
    const size_t length = strcspn(end + 11, "\n");
    const bool is_variable = end[11] == 'x' || (end[11] == 'O' && length == 1);
    snprintf(result, 16, "%c%.*s", is_variable ? letter : 'I', is_variable ? (int)length : 0, end + 11);
    free(printed);
}

void gen_choice(Rng *r, const ts_programs *set, const char *name, Text *text) {
    static const char *const conditions[] = {"portrait(I)",
                                             "greater(height(I), 3)",
                                             "equality(I, hmirror(I))",
                                             "first(ofcolor(I, 7))",
                                             "choose(portrait(I), 1, first(()))",
                                             "numcolors(I)"};
    static const char *const results[] = {
        "choose(%s, %s, %s)", "hconcat(choose(%s, %s, %s), I)", "choose(%s, hmirror(%s), %s)",
        "choose(%s, %s, choose(portrait(I), first(()), %s))", "choose(choose(%s, 1, 0), merge(%s), %s)"};
    const uint32_t programs = (uint32_t)ts_programs_count(set);
    char a[16], b[16];
    text_print(text, "def %s(S, I, C):\n", name);
    write_lines(text, set, rng_below(r, programs), 'a', a);
    write_lines(text, set, rng_below(r, programs), 'b', b);
    const char *condition = conditions[rng_below(r, sizeof conditions / sizeof *conditions)];
    const char *result = results[rng_below(r, sizeof results / sizeof *results)];
    text_add(text, "    return ");
    text_print(text, result, condition, a, b);
    text_char(text, '\n');
}
