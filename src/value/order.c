// Equality, the natural order, Python's `<`, and hashes.
//
// Equality never looks across forms: a value has one form only, so a grid is never equal to a generic tuple.
// The orders do look across them, through `Part`: an element as a Value, or as a row of a grid where it is
// lies.
#include "base/hash.h"
#include "value/value.h"

static size_t payload_bytes(const Obj *o) {
    switch (o->kind) {
    case KIND_BIG: return sizeof(int64_t);
    case KIND_GRID: return (size_t)o->n * o->width;
    case KIND_LOCS:
    case KIND_CELLS: return o->n * sizeof(uint32_t);
    default: return o->n * sizeof(Value);
    }
}

static bool has_items(const Obj *o) {
    return o->kind == KIND_TUPLE || o->kind == KIND_SET || o->kind == KIND_FUNC;
}

bool value_equal(Value a, Value b) {
    if (value_same(a, b)) return true;
    if (value_tag(a) != TAG_OBJ || value_tag(b) != TAG_OBJ) return false;
    const Obj *x = value_obj(a), *y = value_obj(b);
    if (x->kind != y->kind || x->n != y->n || x->width != y->width || x->weight != y->weight) return false;
    if (!has_items(x)) return memcmp(x + 1, y + 1, payload_bytes(x)) == 0;
    if (x->detail != y->detail) return false;
    for (uint32_t k = 0; k < x->n; k++)
        if (!value_equal(obj_items(x)[k], obj_items(y)[k])) return false;
    return true;
}

// By what the values are, never by where they lie: equal parts may be one object or two.
int64_t value_equal_units(Value a, Value b) {
    if (value_tag(a) != TAG_OBJ || value_tag(b) != TAG_OBJ) return 1;
    const Obj *x = value_obj(a), *y = value_obj(b);
    if (x->kind != y->kind || x->n != y->n || x->weight != y->weight) return 1;
    return 1 + (int64_t)(has_items(x) ? x->weight / 2 : payload_bytes(x) / 64);
}

uint64_t value_hash_from(uint64_t seed, Value v) {
    if (value_tag(v) != TAG_OBJ) return hash_mix(seed + 1, v.bits);
    const Obj *o = value_obj(v);
    uint64_t h = hash_mix(seed + 2 + o->kind, (uint64_t)o->n << 32 | o->width);
    if (!has_items(o)) return hash_bytes(h, o + 1, payload_bytes(o));
    h = hash_mix(h, o->kind == KIND_FUNC ? o->detail : 0);
    for (uint32_t k = 0; k < o->n; k++) h = hash_mix(h, value_hash_from(seed, obj_items(o)[k]));
    return h;
}

// ---- The natural order ----

typedef struct {
    Value v;
    const int8_t *row; // where not NULL, the element is this row of `width` cells
    uint32_t width;
} Part;

static uint32_t part_count(Value v) { return value_tag(v) == TAG_OBJ ? value_obj(v)->n : 2; }

// Element k of a container.
static Part part_at(Value v, uint32_t k) {
    uint32_t word = value_word(v);
    if (value_is_loc(v)) return (Part){.v = value_of_small(k ? word_j(word) : word_i(word))};
    if (value_is_cell(v)) return (Part){.v = k ? value_of_loc(word_loc(word)) : value_of_small(word_v(word))};
    const Obj *o = value_obj(v);
    switch (o->kind) {
    case KIND_GRID: return (Part){.row = obj_cells(o) + (size_t)k * o->width, .width = o->width};
    case KIND_LOCS: return (Part){.v = value_of_loc(obj_words(o)[k])};
    case KIND_CELLS: return (Part){.v = value_of_cell(obj_words(o)[k])};
    default: return (Part){.v = obj_items(o)[k]};
    }
}

static int sign_of(int64_t a, int64_t b) { return (a > b) - (a < b); }

// A comparison goes on until it finds a difference, and what it goes through is counted by weight: equal
// parts count the same whether they are one object, which nobody has to go through, or two. The first steps
// are in the price of whatever compares; more of them are charged, so that no value is too heavy to be
// compared.
enum { FREE_STEPS = 32, STEPS_A_UNIT = 4, MOST_STEPS = 1 << 30 };

static void charge_steps(Ctx *c, int64_t steps) {
    if (steps > FREE_STEPS) ctx_charge(c, (steps - FREE_STEPS) / STEPS_A_UNIT);
}

// Whoever takes more is charged more than there is.
static int64_t steps_afforded(const Ctx *c) {
    return c->units < MOST_STEPS / STEPS_A_UNIT ? FREE_STEPS + (c->units + 1) * STEPS_A_UNIT : MOST_STEPS;
}

static int compare_rows(int64_t *left, const int8_t *a, uint32_t n, const int8_t *b, uint32_t m) {
    uint32_t k = 0;
    const uint32_t shared = n < m ? n : m;
    while (k < shared && a[k] == b[k]) k++;
    *left -= k;
    return k < shared ? sign_of(a[k], b[k]) : sign_of(n, m);
}

static int compare_words(int64_t *left, const Obj *x, const Obj *y) {
    uint32_t k = 0;
    const uint32_t shared = x->n < y->n ? x->n : y->n, *a = obj_words(x), *b = obj_words(y);
    while (k < shared && a[k] == b[k]) k++;
    *left -= k * (x->kind == KIND_LOCS ? 3 : 5);
    return k < shared ? sign_of(a[k], b[k]) : sign_of(x->n, y->n);
}

static int rank(Value v) {
    if (value_is_int(v)) return 0;
    if (value_is_tuple(v)) return 1;
    if (value_is_set(v)) return 2;
    return value_tag(v) == TAG_NONE ? 3 : 4;
}

static int compare(int64_t *left, Value a, Value b);
static int compare_parts(int64_t *left, Part a, Part b);

// A row of a grid against any value.
static int compare_row(int64_t *left, Part row, Value v) {
    if (rank(v) != 1) return sign_of(1, rank(v));
    uint32_t m = part_count(v);
    for (uint32_t k = 0; k < row.width && k < m; k++) {
        int order = compare_parts(left, (Part){.v = value_of_small(row.row[k])}, part_at(v, k));
        if (order) return order;
    }
    return sign_of(row.width, m);
}

static int compare_parts(int64_t *left, Part a, Part b) {
    if (a.row && b.row) return compare_rows(left, a.row, a.width, b.row, b.width);
    if (a.row) return compare_row(left, a, b.v);
    if (b.row) return -compare_row(left, b, a.v);
    return compare(left, a.v, b.v);
}

// Values of the same form, which is the usual case. False where that decides nothing.
static bool compare_alike(int64_t *left, Value a, Value b, int *order) {
    unsigned tag = value_tag(a);
    if (tag != value_tag(b)) return false;
    if (tag == TAG_LOC || tag == TAG_CELL) *order = sign_of(value_word(a), value_word(b));
    else if (tag == TAG_INT) *order = sign_of(value_small(a), value_small(b));
    else if (tag != TAG_OBJ) return false;
    else {
        const Obj *x = value_obj(a), *y = value_obj(b);
        if (x->kind != y->kind) return false;
        if (x->kind == KIND_LOCS || x->kind == KIND_CELLS) *order = compare_words(left, x, y);
        else if (x->kind == KIND_GRID && x->width == y->width) {
            const int64_t before = *left;
            *order = compare_rows(left, obj_cells(x), x->n * x->width, obj_cells(y), y->n * y->width);
            *left -= (before - *left) / x->width; // a row weighs one more than its cells
        } else return false;
    }
    return true;
}

// Counts down the steps that are left; once there are none what it says is nothing.
static int compare(int64_t *left, Value a, Value b) {
    int order;
    if (value_same(a, b)) {
        *left -= value_weight(a);
        return 0;
    }
    --*left;
    if (compare_alike(left, a, b, &order)) return order;
    int ra = rank(a), rb = rank(b);
    if (ra != rb) return sign_of(ra, rb);
    if (ra == 0) return sign_of(value_int_of(a), value_int_of(b));
    if (ra == 3) return 0;
    if (ra == 4) {
        unsigned ta = value_tag(a), tb = value_tag(b);
        if (ta != TAG_OBJ || tb != TAG_OBJ)
            return ta == tb ? sign_of(value_word(a), value_word(b)) : sign_of(tb, ta);
        if (value_obj(a)->detail != value_obj(b)->detail)
            return sign_of(value_obj(a)->detail, value_obj(b)->detail);
    }
    uint32_t n = part_count(a), m = part_count(b);
    for (uint32_t k = 0; k < n && k < m && *left >= 0; k++)
        if ((order = compare_parts(left, part_at(a, k), part_at(b, k)))) return order;
    return sign_of(n, m);
}

// Most sets of words differ in the first one: that is one step.
static bool first_words_differ(Value a, Value b, int *order) {
    if (value_tag(a) != TAG_OBJ || value_tag(b) != TAG_OBJ) return false;
    const Obj *x = value_obj(a), *y = value_obj(b);
    if (x->kind != y->kind || (x->kind != KIND_LOCS && x->kind != KIND_CELLS)) return false;
    *order = sign_of(obj_words(x)[0], obj_words(y)[0]);
    return *order != 0;
}

int value_compare_slow(Ctx *c, Value a, Value b) {
    int order = 0;
    if (c->failure || first_words_differ(a, b, &order)) return order;
    if (value_same(a, b)) {
        charge_steps(c, value_weight(a));
        return 0;
    }
    const int64_t most = steps_afforded(c);
    int64_t left = most;
    order = compare(&left, a, b);
    charge_steps(c, most - left);
    return order;
}

// ---- Python's `<` ----

// Whether a set is included in another and not equal to it.
static bool properly_included(Ctx *c, Value a, Value b) {
    const Obj *x = value_obj(a), *y = value_obj(b);
    if (x->n >= y->n) return false;
    if (!ctx_charge(c, x->n)) return false;
    for (uint32_t k = 0; k < x->n; k++)
        if (!value_contains(c, b, part_at(a, k).v)) return false;
    return true;
}

// One walk for both: they differ in how two sets compare.
static int less(Ctx *c, Value a, Value b, bool sets_by_inclusion) {
    ctx_charge(c, 1);
    if (value_is_small(a) && value_is_small(b)) return value_small(a) < value_small(b);
    if (value_is_loc(a) && value_is_loc(b)) return value_word(a) < value_word(b);
    int r = rank(a);
    if (r != rank(b) || r > 2) {
        ctx_fail(c, TS_FAIL_TYPE);
        return 0;
    }
    if (r == 0) return value_int_of(a) < value_int_of(b);
    if (r == 2 && sets_by_inclusion) return properly_included(c, a, b);
    if (r == 2) return ctx_charge(c, value_weight(a) / 2) && value_compare(c, a, b) < 0;
    uint32_t n = part_count(a), m = part_count(b);
    for (uint32_t k = 0; k < n && k < m && !c->failure; k++) {
        Part x = part_at(a, k), y = part_at(b, k);
        ctx_charge(c, 1);
        if (x.row && y.row) {
            int64_t left = 0;
            int order = compare_rows(&left, x.row, x.width, y.row, y.width);
            charge_steps(c, -left);
            if (order) return order < 0;
            continue;
        }
        Value u = x.row ? value_row(c, x.row, x.width) : x.v, v = y.row ? value_row(c, y.row, y.width) : y.v;
        if (!c->failure && ctx_charge(c, value_equal_units(u, v)) && !value_equal(u, v))
            return less(c, u, v, sets_by_inclusion);
    }
    return n < m;
}

int value_less(Ctx *c, Value a, Value b) { return less(c, a, b, true); }

int value_sorts_before(Ctx *c, Value a, Value b) { return less(c, a, b, false); }
