// One draw a statement: C leaves it to the compiler which of two arguments it evaluates first.
#include "dsl/random.h"

// A grid as ARC's are: a background, some rectangles, some loose cells.
static Value random_grid(Ctx *c, Rng *r) {
    int h = 3 + (int)rng_below(r, 14), w = 3 + (int)rng_below(r, 14);
    Obj *o = value_grid_new(c, h, w);
    if (!o) return VALUE_FAILED;
    int8_t *cells = grid_cells(o);
    memset(cells, rng_below(r, 3) ? 0 : (int)rng_below(r, 10), (size_t)(h * w));
    for (int n = 1 + (int)rng_below(r, 5); n > 0; n--) {
        int top = (int)rng_below(r, (uint32_t)h), left = (int)rng_below(r, (uint32_t)w);
        int bottom = top + (int)rng_below(r, 5), right = left + (int)rng_below(r, 5);
        int8_t color = (int8_t)rng_below(r, 10);
        for (int i = top; i <= bottom && i < h; i++)
            for (int j = left; j <= right && j < w; j++) cells[i * w + j] = color;
    }
    for (int n = (int)rng_below(r, 6); n > 0; n--) {
        int8_t color = (int8_t)rng_below(r, 10);
        cells[rng_below(r, (uint32_t)(h * w))] = color;
    }
    return value_of_obj(o);
}

static Value random_loc(Rng *r) {
    int j = (int)rng_below(r, 12), i = (int)rng_below(r, 12);
    return value_of_loc(loc_word(i, j));
}

// A connected patch of one to some thirty cells, now and then a scattered one.
static Value random_patch(Ctx *c, Rng *r, Kind kind) {
    size_t n = 1 + rng_below(r, rng_below(r, 2) ? 6 : 30);
    Obj *o = packed_new(c, kind, n);
    if (!o) return VALUE_FAILED;
    int i = (int)rng_below(r, 12), j = (int)rng_below(r, 12), v = (int)rng_below(r, 10);
    bool scattered = rng_below(r, 4) == 0, colorful = rng_below(r, 4) == 0;
    for (size_t k = 0; k < n; k++) {
        packed_of(o)[k] = kind == KIND_LOCS ? loc_word(i, j) : cell_word(v, i, j);
        if (scattered) i = (int)rng_below(r, 12), j = (int)rng_below(r, 12);
        else if (rng_below(r, 2)) i += (int)rng_below(r, 3) - 1;
        else j += (int)rng_below(r, 3) - 1;
        if (colorful) v = (int)rng_below(r, 10);
    }
    return packed_finish(c, o, n);
}

static Value random_objects(Ctx *c, Rng *r) {
    Gather g = gather(c);
    for (int n = (int)rng_below(r, 6) + 1; n > 0; n--) gather_add(&g, random_patch(c, r, KIND_CELLS));
    return gather_set(&g);
}

static Value random_ints(Ctx *c, Rng *r, bool set) {
    Gather g = gather(c);
    for (int n = (int)rng_below(r, 7); n > 0; n--) gather_add(&g, value_of_small(rng_below(r, 12)));
    return set ? gather_set(&g) : gather_tuple(&g);
}

static Value random_tuple_of(Ctx *c, Rng *r, const char *type) {
    Gather g = gather(c);
    for (int n = 1 + (int)rng_below(r, 5); n > 0; n--) gather_add(&g, random_value(c, r, type));
    return gather_tuple(&g);
}

static Value random_function(Ctx *c, Rng *r, int arity) {
    static const Op unary[] = {
        OP_size,      OP_height,   OP_width,  OP_color,  OP_ulcorner, OP_normalize, OP_identity, OP_toindices,
        OP_uppermost, OP_leftmost, OP_center, OP_square, OP_backdrop, OP_outbox,    OP_vmirror,  OP_shape};
    static const Op binary[] = {OP_add,     OP_subtract, OP_astuple, OP_equality,
                                OP_combine, OP_multiply, OP_shift};
    if (arity == 2) return value_of_op(binary[rng_below(r, sizeof binary / sizeof *binary)]);
    Value f = value_of_op(unary[rng_below(r, sizeof unary / sizeof *unary)]);
    switch (rng_below(r, 4)) {
    case 0: return CALL(matcher, f, value_of_small(rng_below(r, 5)));
    case 1: return CALL(rbind, value_of_op(OP_shift), random_loc(r));
    default: return f;
    }
}

// A grid with many 0s and a place; or some of them.
static Value random_image(Ctx *c, Rng *r) {
    Value grid = random_grid(c, r);
    if (!c->failure && rng_below(r, 2)) grid = CALL(replace, grid, CALL(mostcolor, grid), value_of_small(0));
    if (c->failure) return VALUE_FAILED;
    return value_pair(c, rng_below(r, 2) ? random_loc(r) : value_of_loc(loc_word(0, 0)), grid);
}

// Three pairs of a grid and what has become of it: some are turned, some get another colour.
static Value random_samples(Ctx *c, Rng *r) {
    Gather g = gather(c);
    Value turn = value_of_small(rng_below(r, 8)), from = value_of_small(0),
          to = value_of_small(rng_below(r, 10));
    for (int n = 3; n > 0 && !c->failure; n--) {
        Value input = random_grid(c, r), turned = CALL(mir_rot_t, input, turn);
        gather_add(&g, value_pair(c, input, rng_below(r, 2) ? turned : CALL(replace, turned, from, to)));
    }
    return gather_tuple(&g);
}

typedef struct {
    const char *type;
    const char *choices[4];
} Union;

// Types that stand for several others.
static const Union unions[] = {
    {"Numerical", {"Integer", "IntegerTuple"}},
    {"Patch", {"Object", "Indices"}},
    {"Element", {"Object", "Grid"}},
    {"Piece", {"Grid", "Object", "Indices"}},
    {"FrozenSet", {"Indices", "Object", "IntegerSet", "Objects"}},
    {"Container", {"Objects", "Tuple", "Indices", "TupleTuple"}},
    {"ContainerContainer", {"Objects", "TupleTuple", "IndicesSet"}},
    {"Imagery", {"Image", "Images"}},
    {"Any", {"Integer", "Grid", "Object", "IntegerTuple"}},
};

Value random_value(Ctx *c, Rng *r, const char *type) {
    for (size_t k = 0; k < sizeof unions / sizeof *unions; k++) {
        if (strcmp(unions[k].type, type) != 0) continue;
        uint32_t n = 0;
        while (n < 4 && unions[k].choices[n]) n++;
        return random_value(c, r, unions[k].choices[rng_below(r, n)]);
    }
    if (strcmp(type, "Integer") == 0) {
        int number = (int)rng_below(r, 12);
        return value_of_small(rng_below(r, 5) == 0 ? number - 3 : number);
    }
    if (strcmp(type, "Boolean") == 0) return value_bool(rng_below(r, 2));
    if (strcmp(type, "IntegerTuple") == 0) return random_loc(r);
    if (strcmp(type, "Cell") == 0) {
        Value place = random_loc(r);
        return value_pair(c, value_of_small(rng_below(r, 10)), place);
    }
    if (strcmp(type, "Image") == 0) return random_image(c, r);
    if (strcmp(type, "Images") == 0) return random_tuple_of(c, r, "Image");
    if (strcmp(type, "Samples") == 0) return random_samples(c, r);
    if (strcmp(type, "Grid") == 0) return random_grid(c, r);
    if (strcmp(type, "Object") == 0) return random_patch(c, r, KIND_CELLS);
    if (strcmp(type, "Indices") == 0) return random_patch(c, r, KIND_LOCS);
    if (strcmp(type, "Objects") == 0) return random_objects(c, r);
    if (strcmp(type, "IndicesSet") == 0) {
        Value one = random_patch(c, r, KIND_LOCS), other = random_patch(c, r, KIND_LOCS);
        return value_set(c, (Value[]){one, other}, 2);
    }
    if (strcmp(type, "IntegerSet") == 0) return random_ints(c, r, true);
    if (strcmp(type, "Tuple") == 0)
        return rng_below(r, 2) ? random_ints(c, r, false) : random_tuple_of(c, r, "Object");
    if (strcmp(type, "TupleTuple") == 0) return random_tuple_of(c, r, "IntegerTuple");
    return random_function(c, r, 1); // Callable
}

// What a number is for; false for those that may be any.
static bool random_number(Rng *r, const char *parameter, Value *number) {
    static const struct {
        const char *parameter;
        int least;
        uint32_t count;
    } numbers[] = {{"rank", -3, 6}, {"flags", 0, 8}, {"kind", 0, 4}, {"symmetry", 0, 8}, {"choice", 0, 15}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (strcmp(parameter, numbers[k].parameter) != 0) continue;
        *number = value_of_small((int)rng_below(r, numbers[k].count) + numbers[k].least);
        return true;
    }
    return false;
}

// Of samples the colours are asked for, and of these one.
static Value random_finder(Rng *r, bool picks) {
    static const Op finders[] = {OP_p_g, OP_palette}, pickers[] = {OP_first, OP_last_t, OP_size};
    return value_of_op(picks ? pickers[rng_below(r, 3)] : finders[rng_below(r, 2)]);
}

// Functions fit what they are given: patches for one argument, numbers for two.
void random_arguments(Ctx *c, Rng *r, Op op, Value *a) {
    const OpInfo *info = &ops_table[op];
    bool maps_pairs = op == OP_papply || op == OP_mpapply || op == OP_prapply;
    bool maps = strcmp(info->family, "mapping") == 0 && !maps_pairs && op != OP_rapply;
    bool binds = op == OP_rbind || op == OP_lbind || op == OP_fork;
    bool samples = strcmp(info->family, "sample") == 0;
    for (int k = 0; k < info->arity; k++) {
        const char *type = info->types[k];
        if (info->shapes[k] != SHAPE_NONE) {
            a[k] = shape_random(c, r, op_yields(c, info, k, a), info->shapes[k]);
            continue;
        }
        if (random_number(r, info->parameters[k], &a[k])) continue;
        if (samples && k > 0) a[k] = random_finder(r, k == 2);
        else if (strcmp(type, "Callable") == 0)
            a[k] = random_function(c, r, (maps_pairs || (binds && k == 0)) ? 2 : 1);
        else if (maps) a[k] = random_objects(c, r);
        else if (maps_pairs) a[k] = random_ints(c, r, false);
        else if (op == OP_rapply && k == 0) {
            Value f = random_function(c, r, 1), g = random_function(c, r, 1);
            a[k] = value_pair(c, f, g);
        } else a[k] = random_value(c, r, type);
    }
}
