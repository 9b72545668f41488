// Values that need not be made.
//
// What is around each location, looked up in a grid and counted; sets, or a patch moved to each place, held
// against one set and counted: the values in between are made for the next step alone. So these steps are
// put off: the column only says what would be made, and of what. Where the next step is one that can do
// without, it is done here, from the grid or from bits. Anything else has the values made after all.
#include "dsl/column_walk.h"
#include "dsl/patch.h"

enum {
    AROUND_UNITS = 16, // of looking around a location
    MOVED_UNITS = 8,   // of holding a patch against a set, and one for each row of it
    SIDE = 64,
    MOST_WAYS = 8, // to look around
};

static bool looks_around(unsigned op) {
    return op == OP_neighbors || op == OP_dneighbors || op == OP_ineighbors;
}

// Whether it may turn out that what a primitive makes is not needed.
static bool may_be_spared(unsigned op, const ValueColumn *in, int arity) {
    const ColumnMade *made = in[0].made;
    if (in[0].second || in[1].second || in[1].made) return false;
    if (arity == 1) return looks_around(op) && !made && in[0].step;
    if (op == OP_shift) return !made && !in[0].step && in[1].step && value_is(in[0].v[0], KIND_LOCS);
    if (op == OP_intersection && !made && !in[0].step) return in[1].step && value_is(in[0].v[0], KIND_LOCS);
    if (in[1].step) return false;
    if (op == OP_toobject) return made && looks_around(made->op) && value_is_grid(in[1].v[0]);
    if (op != OP_difference && op != OP_intersection) return false;
    return (made ? made->op == OP_shift : in[0].step) && value_is(in[1].v[0], KIND_LOCS);
}

bool column_puts_off(Ctx *c, unsigned op, const ValueColumn *in, int arity, ValueColumn *result) {
    if (arity > 2 || ops_table[op].arity != arity || !may_be_spared(op, in, arity)) return false;
    ColumnMade *made = ctx_alloc(c, sizeof *made);
    if (!made) return false;
    *made = (ColumnMade){.op = op, .arity = arity, .in = {in[0], in[1]}};
    *result = (ValueColumn){.step = 1, .made = made};
    return true;
}

// ---- What is around locations in a grid ----

typedef struct {
    const Obj *grid;
    const Value *locs;
    const int8_t (*ways)[2]; // to look
    int count;
    ptrdiff_t offsets[MOST_WAYS]; // of the ways
} Around;

// False where a column is none of these.
static bool is_around(const ColumnMade *m, size_t n, Around *a) {
    static const int8_t ways[][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    if (!m || m->op != OP_toobject) return false;
    const ColumnMade *locs = m->in[0].made;
    for (size_t k = 0; k < n; k++)
        if (!value_is_loc(locs->in[0].v[k])) return false;
    const bool all = locs->op == OP_neighbors, direct = locs->op == OP_dneighbors;
    *a = (Around){value_obj(m->in[1].v[0]), locs->in[0].v, direct ? ways + 4 : ways, all ? 8 : 4, {0}};
    for (int w = 0; w < a->count; w++)
        a->offsets[w] = a->ways[w][0] * (ptrdiff_t)a->grid->width + a->ways[w][1];
    return true;
}

// The colours around location k that are in the grid.
static int colors_around(const Around *a, size_t k, int8_t colors[MOST_WAYS]) {
    const uint32_t word = value_word(a->locs[k]), height = a->grid->n, width = a->grid->width;
    const uint32_t above = (uint32_t)word_i(word) - 1, before = (uint32_t)word_j(word) - 1;
    const int8_t *cells = obj_cells(a->grid);
    int n = 0;
    if (height > 2 && width > 2 && above < height - 2 && before < width - 2) { // all of them are in the grid
        cells += (size_t)(above + 1) * width + before + 1;
        for (int w = 0; w < a->count && w < MOST_WAYS; w++) colors[w] = cells[a->offsets[w]];
        return a->count;
    }
    for (int w = 0; w < a->count && w < MOST_WAYS; w++) {
        const uint32_t i = (uint32_t)(word_i(word) + a->ways[w][0]),
                       j = (uint32_t)(word_j(word) + a->ways[w][1]);
        if (i < height && j < width) colors[n++] = cells[(size_t)i * width + j];
    }
    return n;
}

bool column_counts_color(Ctx *c, const ValueColumn *in, size_t n, Value *out) {
    Around a;
    if (in[1].made || in[1].second || in[1].step || !is_around(in[0].made, n, &a)) return false;
    if (!ctx_charge(c, (int64_t)n * AROUND_UNITS)) return true;
    const Value color = in[1].v[0];
    const bool fits = value_is_small(color) && fits_cell(value_small(color));
    for (size_t k = 0; k < n; k++) {
        int8_t colors[MOST_WAYS];
        int found = 0;
        for (int left = colors_around(&a, k, colors); left-- > 0;)
            found += fits && colors[left] == value_small(color);
        out[k] = value_of_small(found);
    }
    return true;
}

// The set of some colours, in any order and with repetitions.
static Value set_of_colors(Ctx *c, const int8_t *colors, int n) {
    Value found[MOST_WAYS];
    for (int k = 0; k < n; k++) found[k] = value_of_small(colors[k]);
    return value_set(c, found, (size_t)n);
}

static bool palettes(Ctx *c, const ValueColumn *in, size_t n, Value *out) {
    Around a;
    if (!is_around(in->made, n, &a)) return false;
    if (!ctx_charge(c, (int64_t)n * AROUND_UNITS)) return true;
    int8_t last[MOST_WAYS];
    for (size_t k = 0; k < n && !c->failure; k++) {
        int8_t colors[MOST_WAYS] = {0};
        const int count = colors_around(&a, k, colors);
        // Mostly the same as around the one before.
        out[k] = k && memcmp(colors, last, sizeof last) == 0 && count == a.count
                     ? out[k - 1]
                     : set_of_colors(c, colors, count);
        memcpy(last, colors, sizeof last);
        if (count != a.count) last[0] = (int8_t)~colors[0];
    }
    return true;
}

// ---- Sets against one ----

// The locations of a set as bits, if they lie in a box of 64 by 64.
typedef struct {
    uint64_t rows[SIDE];
    Box box;
} Bits;

static bool bits_of(Bits *b, const Obj *o) {
    b->box = patch_box(o);
    if (box_height(b->box) > SIDE || box_width(b->box) > SIDE) return false;
    memset(b->rows, 0, sizeof b->rows);
    patch_set_bits(b->rows, o, b->box.top, b->box.left);
    return true;
}

static inline bool bits_have(const Bits *b, uint32_t word) {
    const uint32_t i = (uint32_t)(word_i(word) - b->box.top), j = (uint32_t)(word_j(word) - b->box.left);
    return i < SIDE && j < SIDE && (b->rows[i] >> j & 1);
}

// How many locations of p, moved by a vector, are in q.
static int64_t common(const Bits *p, const Bits *q, uint32_t vector) {
    const int down = p->box.top + word_i(vector) - q->box.top,
              right = p->box.left + word_j(vector) - q->box.left;
    if (right <= -SIDE || right >= SIDE) return 0;
    int64_t count = 0;
    const int height = box_height(p->box), first = down < 0 ? -down : 0;
    for (int i = first; i < height && i + down < box_height(q->box); i++) {
        const uint64_t row = right < 0 ? p->rows[i] >> -right : p->rows[i] << right;
        count += __builtin_popcountll(row & q->rows[i + down]);
    }
    return count;
}

// How many of the locations of each of many sets are in one.
static bool count_common(Ctx *c, const Value *sets, const Obj *one, size_t n, Value *out) {
    Bits bits;
    int64_t words = one->n;
    for (size_t k = 0; k < n; k++) {
        if (!value_is(sets[k], KIND_LOCS)) return false;
        words += value_obj(sets[k])->n;
    }
    if (!bits_of(&bits, one)) return false;
    if (!ctx_charge(c, words)) return true;
    for (size_t k = 0; k < n; k++) {
        const Obj *set = value_obj(sets[k]);
        int64_t count = 0;
        for (uint32_t w = 0; w < set->n; w++) count += bits_have(&bits, obj_words(set)[w]);
        out[k] = value_of_small(count);
    }
    return true;
}

// The same of one that is moved by each of many vectors.
static bool count_common_moved(Ctx *c, const ColumnMade *moved, const Obj *one, size_t n, Value *out) {
    const Value *vectors = moved->in[1].v;
    const Obj *patch = value_obj(moved->in[0].v[0]);
    Bits p, q;
    for (size_t k = 0; k < n; k++)
        if (!value_is_loc(vectors[k])) return false;
    if (!bits_of(&p, patch) || !bits_of(&q, one)) return false;
    if (!ctx_charge(c, (int64_t)patch->n + one->n + (int64_t)n * (MOVED_UNITS + box_height(p.box))))
        return true;
    for (size_t k = 0; k < n; k++) out[k] = value_of_small(common(&p, &q, value_word(vectors[k])));
    return true;
}

// The sizes of differences or intersections.
static bool sizes(Ctx *c, const ColumnMade *made, size_t n, Value *out) {
    if (made->op != OP_difference && made->op != OP_intersection) return false;
    const bool first = !made->in[0].made && !made->in[0].step; // the set is
    const ValueColumn many = made->in[first];
    const Obj *one = value_obj(made->in[!first].v[0]);
    if (many.made ? !count_common_moved(c, many.made, one, n, out) : !count_common(c, many.v, one, n, out))
        return false;
    for (size_t k = 0; made->op == OP_difference && !c->failure && k < n; k++) {
        const Value set = many.made ? many.made->in[0].v[0] : many.v[k];
        out[k] = value_of_small(value_obj(set)->n - value_small(out[k]));
    }
    return true;
}

bool column_without_making(Ctx *c, unsigned op, const ValueColumn *in, size_t n, Value *out) {
    if (op == OP_palette) return palettes(c, in, n, out);
    return op == OP_size && sizes(c, in->made, n, out);
}

// ---- What has to be made after all ----

// difference(x, fixed) or intersection(x, fixed) for many sets of locations: each is looked up in a bitmap of
// the fixed one, at the price that the primitive asks. False where this is not what they are.
bool column_against(Ctx *c, unsigned op, ValueColumn in, Value fixed, size_t n, Value *out) {
    Bits m;
    if (n < COLUMN_ENOUGH || !value_is(fixed, KIND_LOCS)) return false;
    for (size_t k = 0; k < n; k++)
        if (!value_is(in.v[k * in.step], KIND_LOCS)) return false;
    if (!bits_of(&m, value_obj(fixed))) return false;
    const bool keep = op == OP_intersection;
    for (size_t k = 0; k < n && !c->failure; k++) {
        const Obj *x = value_obj(in.v[k * in.step]);
        Obj *o = ctx_charge(c, (int64_t)x->n + value_obj(fixed)->n) ? packed_new(c, KIND_LOCS, x->n) : NULL;
        if (!o) break;
        uint32_t *to = packed_of(o);
        for (uint32_t w = 0; w < x->n; w++) {
            *to = obj_words(x)[w];
            to += bits_have(&m, *to) == keep;
        }
        out[k] = packed_finish_sorted(c, o, (size_t)(to - packed_of(o)));
    }
    return true;
}
