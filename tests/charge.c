// What a unit of work takes: whether it takes about as long for all primitives on ordinary arguments, and for
// which primitive and arguments it takes longest.
//     charge [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
//
// Units are to be about a nanosecond, and they are all that ends a program; so whatever is done must be
// charged, however heavy the values are: those that hold one part a million times, wide, long and deep ones,
// such as differ in their last element only, functions of functions. Every primitive is called with mixes of
// those, typed and not, on both paths; what they give is mixed in again, and the dearest calls are changed
// step by step into dearer ones. None may take more than MOST_NS for each unit that it charges.
//
// Only the thread's own processor time counts, what looks dear is measured again until it looks cheap, and a
// slow machine may take longer by as much as it does for plain arithmetic: so neither load nor age fails
// anything.
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "generate.h"

enum {
    MOST_NS = 100,      // for each unit
    MOST_SPREAD = 50,   // from the least to the most that a unit takes, on ordinary arguments
    FREE_UNITS = 20,    // a call has these beside what it charges
    POOL = 400,         // values at hand
    TEXT = 300,         // what is said of a value
    DEAREST = 48,       // calls that are changed on
    ROUNDS = 80,        // calls of each primitive
    COARSE = 4,         // times as many of each coarse step
    CLIMBS = 60,        // changes of each of the dearest
    AGAIN = 8,          // measurements of what looks dear
    HEAVIEST = 1 << 22, // bytes of a result that is kept
    PRINTED = 10,       // primitives, the dearest
};
#define POOL_BYTES ((size_t)1 << 30)

typedef struct {
    Value v;
    char text[TEXT]; // how it was made
} Item;

typedef struct {
    Op op;
    Item args[4];
    bool plain;
    int64_t units;
    double ns; // for each unit that it charged
} Call;

typedef struct {
    Checks checks;
    Gen g;
    Ctx c, scratch, run;
    ts_programs *programs; // holds what the texts below make
    Item pool[POOL];
    size_t fixed, count; // of the pool: those from the start, all
    size_t kept;         // bytes of results
    Call dearest[DEAREST];
    Call worst[OPS]; // of each primitive
    double clock_ns; // what it takes to ask for the time
    double most_ns;  // for each unit, on this machine
} Search;

// ---- Hostile values ----

static const char *const hostile[] = {
    // numbers, locations
    "0",
    "1",
    "2",
    "5",
    "10",
    "-3",
    "43",
    "127",
    "200",
    "1000",
    "100000",
    "1152921504606846976",
    "(1, 2)",
    "(0, 0)",
    "(-1, 1)",
    "(30, 30)",
    "(1000, 1000)",
    "(2047, -2047)",
    "(1, 30000)",
    "(5000, 3)",
    "(3, (4, 5))",
    "(0, (2000, 2000))",
    "None",
    "()",
    "{}",
    // one part many times over: two of each, equal but apart
    "power(rbind(repeat, 2), 25)(1)",
    "power(rbind(repeat, 2), 25)(1)",
    "power(rbind(repeat, 7), 8)((7, 8, 9))",
    "power(rbind(repeat, 7), 8)((7, 8, 9))",
    "astuple(power(rbind(repeat, 2), 23)(1), power(fork(astuple, identity, identity), 23)(1))",
    "combine(repeat(power(rbind(repeat, 2), 20)(1), 9), repeat(power(fork(astuple, identity, identity), "
    "20)(1), 9))",
    "astuple(initset(power(rbind(repeat, 2), 23)(1)), initset(power(fork(astuple, identity, identity), "
    "23)(1)))",
    "power(fork(astuple, identity, identity), 24)(9)",
    "power(fork(astuple, identity, identity), 24)(9)",
    "power(fork(astuple, identity, identity), 24)(8)",
    "power(rbind(repeat, 1), 190)(0)",
    "power(rbind(repeat, 1), 190)(0)",
    "power(initset, 190)(0)",
    "power(initset, 190)(0)",
    "repeat(initset(power(rbind(repeat, 2), 20)(1)), 30)",
    "repeat(initset(power(rbind(repeat, 2), 20)(1)), 30)",
    "repeat(power(rbind(repeat, 3), 12)(1), 60)",
    "repeat(power(rbind(repeat, 3), 12)(1), 60)",
    "initset(power(rbind(repeat, 2), 22)({(1, 1), (2, 2)}))",
    "initset(power(rbind(repeat, 2), 22)({(1, 1), (2, 2)}))",
    "repeat(asindices(canvas(0, (300, 300))), 200)",
    "repeat(canvas(0, (1, 100000)), 3)",
    "repeat(canvas(1, (100, 100)), 3000)",
    // wide, high, large
    "canvas(0, (1, 100000))",
    "canvas(0, (1, 100000))",
    "canvas(0, (100000, 1))",
    "canvas(3, (1000, 1000))",
    "canvas(0, (30, 30))",
    "canvas(0, (2, 20000))",
    "canvas(0, (20000, 2))",
    "canvas(0, (4000, 4000))",
    "hconcat(canvas(0, (3, 30000)), canvas(1, (3, 1)))",
    "vconcat(canvas(0, (1, 100000)), canvas(1, (1, 100000)))",
    "upscale(((0, 1), (1, 0)), 100)",
    "hupscale(((0, 1), (1, 0)), 5000)",
    "asobject(canvas(5, (600, 600)))",
    "asindices(canvas(0, (1000, 1000)))",
    "asindices(canvas(0, (1, 2000)))",
    "shoot((0, 0), (40, 47))",
    "recolor(4, shift(asindices(canvas(0, (60, 60))), (1000, -1500)))",
    "{(0, 0), (2000, 2000)}",
    "{(1, (-2000, 0)), (2, (2000, 5))}",
    "connect((-2000, 0), (2000, 0))",
    "connect((0, 0), (1500, 1500))",
    "outbox({(0, 0), (1000, 1000)})",
    "asobject(((1, 2, 3), (4, 5, 6)))",
    "apply(rbind(multiply, 40), asindices(canvas(0, (45, 45))))",
    // long
    "interval(0, 50000, 1)",
    "interval(0, 4000, 1)",
    "interval(50000, 0, -1)",
    "repeat(0, 50000)",
    "repeat((0, 0), 20000)",
    "repeat((1, 2, 3), 20000)",
    "apply(toivec, interval(0, 3000, 1))",
    "combine(repeat(7, 30000), (1, 2))",
    // alike but for the end
    "apply(rbind(combine, ()), apply(lbind(combine, repeat(3, 2000)), apply(rbind(repeat, 1), interval(0, "
    "300, 1))))",
    "apply(initset, apply(lbind(combine, repeat(3, 2000)), apply(rbind(repeat, 1), interval(300, 0, -1))))",
    "apply(lbind(combine, repeat(3, 5000)), apply(rbind(repeat, 1), interval(8, 0, -1)))",
    "mfilter_t(apply(lbind(combine, repeat(3, 2000)), apply(rbind(repeat, 1), interval(0, 100, 1))), "
    "identity)",
    "apply(lbind(insert, (200, 300)), apply(lbind(shift, asindices(canvas(0, (40, 40)))), apply(toivec, "
    "interval(60, 0, -1))))",
    "apply(lbind(vconcat, canvas(0, (100, 100))), apply(rbind(canvas, (1, 100)), interval(60, 0, -1)))",
    "apply(rbind(canvas, (1, 3000)), interval(100, 0, -1))",
    "apply(compose(initset, rbind(repeat, 5000)), interval(60, 0, -1))",
    "mfilter_t(apply(initset, interval(0, 3000, 1)), identity)",
    "mfilter_t(interval(0, 20000, 1), identity)",
    "apply(lbind(insert, (2000, 2000)), repeat(asindices(canvas(0, (50, 50))), 80))",
    // functions
    "identity",
    "first",
    "size",
    "power(lbind(compose, identity), 60)(identity)",
    "power(fork(compose, identity, identity), 20)(identity)",
    "power(fork(compose, identity, identity), 20)(first)",
    "power(power(power(identity, 100), 100), 100)",
    "power(increment, 100000)",
    "matcher(identity, power(rbind(repeat, 2), 24)(1))",
    "lbind(equality, power(rbind(repeat, 2), 24)(1))",
    "rbind(contained, repeat(power(rbind(repeat, 2), 18)(1), 100))",
    "lbind(shift, asindices(canvas(0, (200, 200))))",
    "lbind(shift, {(0, 0), (1, 1), (2, 5)})",
    "rbind(difference, asindices(canvas(0, (300, 300))))",
    "lbind(lbind, lbind)",
    "lbind(rbind, manhattan)",
    "compose(lbind(argmin, interval(0, 3000, 1)), lbind(lbind, subtract))",
    "lbind(valmax, interval(0, 300, 1))",
    "lbind(apply, initset)",
    "rbind(repeat, 100)",
    "chain(size, lbind(interval, 0), first)",
    "fork(combine, identity, identity)",
    "power(fork(combine, identity, identity), 15)",
    "fork(astuple, identity, identity)",
    "power(fork(astuple, identity, identity), 24)",
    "power(rbind(repeat, 2), 24)",
    "lbind(mapply, neighbors)",
    "lbind(product, interval(0, 200, 1))",
    "apply(lbind(lbind, astuple), repeat(power(rbind(repeat, 2), 12)(1), 300))",
    "apply(lbind(rbind, equality), interval(0, 1000, 1))",
    "apply(lbind(lbind, shift), repeat({(0, 0), (1, 1)}, 500))",
    "repeat(identity, 20000)",
};

static bool evaluate_text(Search *s, const char *text, Item *item) {
    ts_status status;
    Program p;
    uint32_t line;
    if (!program_parse_expression(s->programs, "", text, strlen(text), &p, &status)) {
        printf("%s: %s\n", text, status.message);
        return false;
    }
    s->c.failure = TS_FAIL_NONE;
    item->v = program_run(&s->c, &p, VALUE_NO_TUPLE, VALUE_NONE, VALUE_NONE, &line);
    snprintf(item->text, sizeof item->text, "%s", text);
    if (s->c.failure) printf("%s: %s\n", text, ts_failure_name(s->c.failure));
    return !s->c.failure;
}

static void say(Item *item, const char *text) {
    snprintf(item->text, TEXT, "%s", text);
    if (strlen(text) >= TEXT) memcpy(item->text + TEXT - 5, "...)", 5);
}

// Grids that no short text makes.
typedef enum { RANDOM, COMBS, STRIPES, RINGS, LATTICE, DOTS, KINDS } GridKind;
static const char *const kind_names[KINDS] = {"random", "combs", "stripes", "rings", "lattice", "dots"};

static int64_t cell_of(Search *s, GridKind kind, int64_t h, int64_t w, int64_t i, int64_t j,
                       uint32_t colors) {
    const int64_t from_side = i < h - 1 - i ? i : h - 1 - i, across = j < w - 1 - j ? j : w - 1 - j;
    switch (kind) {
    case RANDOM: return gen_below(&s->g, colors);
    case COMBS: return i % 2 == 0 || j == 0; // one part that winds through all of it
    case STRIPES: return (i + j) % colors;
    case RINGS: return (from_side < across ? from_side : across) % colors; // parts in parts
    case LATTICE: return i % 4 == 3 || j % 4 == 3 ? 1 : gen_below(&s->g, colors);
    default: return i % 2 == 0 && j % 2 == 0 ? 1 + gen_below(&s->g, colors) : 0; // as many parts as can be
    }
}

static void add_grid(Search *s, int64_t height, int64_t width, uint32_t colors, GridKind kind) {
    Item *item = &s->pool[s->count++];
    Obj *o = value_grid_new(&s->c, height, width);
    for (int64_t k = 0; k < height * width; k++)
        grid_cells(o)[k] = (int8_t)cell_of(s, kind, height, width, k / width, k % width, colors);
    item->v = value_of_obj(o);
    snprintf(item->text, TEXT, "<%s %dx%d of %u>", kind_names[kind], (int)height, (int)width, colors);
}

static bool make_pool(Search *s) {
    bool good = true;
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++)
        if (evaluate_text(s, hostile[k], &s->pool[s->count])) s->count++;
        else good = false;
    static const int sides[][2] = {{30, 30},   {10, 12},  {40, 40}, {32, 32},  {64, 64},
                                   {200, 300}, {1, 5000}, {30, 29}, {3000, 2}, {500, 40}};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
        for (int kind = 0; kind < KINDS; kind++)
            add_grid(s, sides[k][0], sides[k][1], (uint32_t[]){2, 9, 120}[(k + (size_t)kind) % 3],
                     (GridKind)kind);
    s->fixed = s->count;
    return good;
}

// ---- Arguments ----

static bool is_function(Value v) { return value_is_op(v) || value_is(v, KIND_FUNC); }

static bool fits(const char *type, Value v) {
#define IS(name) (strcmp(type, name) == 0)
    const bool patch = value_is(v, KIND_LOCS) || value_is(v, KIND_CELLS), grid = value_is_grid(v);
    if (IS("Integer") || IS("Boolean")) return value_is_small(v);
    if (IS("IntegerTuple")) return value_is_loc(v);
    if (IS("Numerical")) return value_is_small(v) || value_is_loc(v);
    if (IS("Cell")) return value_is_cell(v);
    if (IS("Grid")) return grid;
    if (IS("Indices")) return value_is(v, KIND_LOCS);
    if (IS("Object")) return value_is(v, KIND_CELLS);
    if (IS("Patch")) return patch;
    if (IS("Piece")) return patch || grid;
    if (IS("Element")) return value_is(v, KIND_CELLS) || grid;
    if (IS("Callable")) return is_function(v);
    if (IS("FrozenSet")) return value_is_set(v);
    if (IS("Tuple") || IS("TupleTuple") || IS("Samples") || IS("Images")) return value_is(v, KIND_TUPLE);
    if (IS("Any")) return true;
#undef IS
    return value_is_container(v); // the kinds of containers
}

static Item made(Search *s, Value v) {
    static Text t;
    Item item = {.v = v};
    (void)s;
    text_clear(&t);
    literal_print(&t, v);
    say(&item, t.data);
    return item;
}

static Item pick(Search *s, const char *type) {
    for (int k = 0; k < 40; k++) {
        const Item *item = &s->pool[gen_below(&s->g, (uint32_t)s->count)];
        if (fits(type, item->v)) return *item;
    }
    return made(s, gen_typed(&s->g, type));
}

static Item call_text(Search *s, Op op, const Item *args, Value v) {
    static Text t;
    (void)s;
    text_clear(&t);
    text_print(&t, "%s(", ops_table[op].name);
    for (int k = 0; k < ops_table[op].arity; k++) text_print(&t, "%s%s", k ? ", " : "", args[k].text);
    text_char(&t, ')');
    Item item = {.v = v};
    say(&item, t.data);
    return item;
}

// A function of functions and hostile values.
static Item pick_function(Search *s, int depth) {
    if (depth == 0 || gen_chance(&s->g, 35)) {
        if (gen_chance(&s->g, 50)) return pick(s, "Callable");
        Value op = value_of_op(gen_below(&s->g, OPS));
        return made(s, op);
    }
    static const Op makers[] = {OP_compose, OP_chain, OP_fork,  OP_power, OP_matcher,
                                OP_rbind,   OP_lbind, OP_rbind, OP_lbind};
    Op op = makers[gen_below(&s->g, sizeof makers / sizeof *makers)];
    Item args[4];
    Value a[4];
    for (int k = 0; k < ops_table[op].arity; k++) {
        bool is_part = k == 0 || (op != OP_power && op != OP_matcher && op != OP_rbind && op != OP_lbind);
        args[k] = is_part          ? pick_function(s, depth - 1)
                  : op == OP_power ? made(s, value_of_small(gen_from(&s->g, 1, 300)))
                                   : pick(s, "Any");
        a[k] = args[k].v;
    }
    s->c.failure = TS_FAIL_NONE;
    Value f = ops_table[op].fn(&s->c, a);
    if (s->c.failure) return pick(s, "Callable");
    return call_text(s, op, args, f);
}

// Arguments that the primitive mostly accepts, for rules that were learnt are tuples in which all numbers
// hang together; the grids hostile.
static void take_fitting(Search *s, Call *call) {
    const OpInfo *info = &ops_table[call->op];
    Value a[4];
    s->c.failure = TS_FAIL_NONE;
    gen_arguments(&s->g, call->op, a);
    for (int k = 0; k < info->arity; k++)
        if (strcmp(info->types[k], "Grid") != 0 || gen_chance(&s->g, 20)) call->args[k] = made(s, a[k]);
}

static Item pick_argument(Search *s, Op op, int k) {
    const char *type = gen_chance(&s->g, 12) ? "Any" : ops_table[op].types[k],
               *name = ops_table[op].parameters[k];
    if (strcmp(type, "Callable") == 0 && gen_chance(&s->g, 70)) return pick_function(s, 3);
    if (strcmp(name, "choice") == 0) return made(s, value_of_small(gen_from(&s->g, 0, 15)));
    if (strcmp(type, "Image") == 0 || strcmp(type, "Imagery") == 0) {
        Item parts[2] = {pick(s, "IntegerTuple"), pick(s, "Grid")};
        s->c.failure = TS_FAIL_NONE;
        return call_text(s, OP_astuple, parts, value_pair(&s->c, parts[0].v, parts[1].v));
    }
    return pick(s, type);
}

static void pick_call(Search *s, Op op, Call *call) {
    *call = (Call){.op = op,
                   .plain = gen_chance(&s->g, 30),
                   .units = (int64_t[]){30000, 300000, 3000000}[gen_below(&s->g, 3)]};
    for (int k = 0; k < ops_table[op].arity; k++) call->args[k] = pick_argument(s, op, k);
    if (ops_table[op].origin == ORIGIN_OURS && gen_chance(&s->g, 70)) take_fitting(s, call);
    if (gen_chance(&s->g, 10) && ops_table[op].arity > 1) call->args[1] = call->args[0];
}

// ---- Measuring ----

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double measure(Search *s, const Call *call, Value *result) {
    Ctx *c = &s->run;
    Value a[4];
    for (int k = 0; k < ops_table[call->op].arity; k++) a[k] = call->args[k].v;
    ctx_begin(c, call->units);
    c->plain = call->plain;
    const double start = now_ns();
    *result = ops_table[call->op].fn(c, a);
    const double ns = now_ns() - start - s->clock_ns;
    return (ns > 0 ? ns : 0) / (double)(call->units - c->units + FREE_UNITS);
}

// The least of several measurements where the first is above all bounds: what is kept from being dear by a
// moment's load is dear a moment later.
static double price(Search *s, const Call *call, double bound, Value *result) {
    double least = measure(s, call, result);
    for (int k = 0; k < AGAIN && least > bound; k++) {
        double ns = measure(s, call, result);
        if (ns < least) least = ns;
    }
    return least;
}

static void print_call(const Call *call) {
    printf(" %.1f ns a unit, %s of %lld units: %s(", call->ns, call->plain ? "plain" : "fast",
           (long long)call->units, ops_table[call->op].name);
    for (int k = 0; k < ops_table[call->op].arity; k++) printf("%s%s", k ? ", " : "", call->args[k].text);
    puts(")");
}

// Tries a call. What it gives may become an argument, and what is dear is kept to be changed.
static bool try_call(Search *s, Call *call, Call *better_than) {
    Value v;
    call->ns = price(s, call, better_than ? better_than->ns : MOST_NS / 6, &v);
    if (call->ns > s->worst[call->op].ns) s->worst[call->op] = *call;
    if (!s->run.failure && gen_chance(&s->g, 25) && s->kept < POOL_BYTES / 2) {
        size_t bytes = 0;
        v = value_move(&s->c.arena, &s->run.arena, v, VALUE_MOVE_ENOUGH, &bytes);
        s->kept += bytes;
        if (bytes < HEAVIEST && value_tag(v) != TAG_FAIL) {
            size_t at =
                s->count < POOL ? s->count++ : s->fixed + gen_below(&s->g, (uint32_t)(POOL - s->fixed));
            s->pool[at] = call_text(s, call->op, call->args, v);
        }
    }
    if (better_than) return call->ns > better_than->ns;
    size_t least = 0;
    int of_this = 0; // some places for one primitive, not all
    for (size_t k = 0; k < DEAREST; k++) {
        if (s->dearest[k].ns < s->dearest[least].ns) least = k;
        of_this += s->dearest[k].ns > 0 && s->dearest[k].op == call->op;
    }
    if (call->ns > s->dearest[least].ns && of_this < 4) s->dearest[least] = *call;
    return true;
}

// ---- Climbing ----

static void change(Search *s, Call *call) {
    const int arity = ops_table[call->op].arity, k = (int)gen_below(&s->g, (uint32_t)arity);
    switch (gen_below(&s->g, 6)) {
    case 0: call->plain = !call->plain; break;
    case 1: call->units = (int64_t[]){3000, 30000, 300000, 3000000}[gen_below(&s->g, 4)]; break;
    case 2: { // the argument through another primitive
        Call other;
        Op op = (Op)gen_below(&s->g, OPS);
        pick_call(s, op, &other);
        for (int j = 0; j < ops_table[op].arity; j++)
            if (fits(ops_table[op].types[j], call->args[k].v)) other.args[j] = call->args[k];
        Value v;
        measure(s, &other, &v);
        size_t bytes = 0;
        if (s->run.failure || s->kept > POOL_BYTES / 2) break;
        v = value_move(&s->c.arena, &s->run.arena, v, VALUE_MOVE_ENOUGH, &bytes);
        s->kept += bytes;
        if (value_tag(v) != TAG_FAIL) call->args[k] = call_text(s, op, other.args, v);
        break;
    }
    case 3: call->args[k] = call->args[gen_below(&s->g, (uint32_t)arity)]; break;
    default: call->args[k] = pick_argument(s, call->op, k); break;
    }
}

static void climb(Search *s) {
    for (size_t d = 0; d < DEAREST; d++)
        for (int k = 0; k < CLIMBS; k++) {
            Call call = s->dearest[d];
            change(s, &call);
            if (try_call(s, &call, &s->dearest[d])) s->dearest[d] = call;
        }
}

// What asking for the time takes, and a step that waits for the one before it: a multiplication and a look
// into a table.
static void calibrate(Search *s) {
    enum { STEPS = 1 << 20, STEP_NS = 2 };
    static uint32_t table[1024];
    double step_ns = 1e9;
    s->clock_ns = 1e9;
    for (uint32_t k = 0; k < 1024; k++) table[k] = k * 2654435761U;
    for (int k = 0; k < 1000; k++) {
        const double start = now_ns(), ns = now_ns() - start;
        if (ns < s->clock_ns) s->clock_ns = ns;
    }
    uint32_t x = 1;
    for (int k = 0; k < 10; k++) {
        const double start = now_ns();
        for (int n = 0; n < STEPS; n++) x = x * 747796405U + table[x >> 22];
        const double ns = (now_ns() - start) / STEPS;
        if (ns < step_ns) step_ns = ns;
    }
    s->most_ns = step_ns > STEP_NS && x ? MOST_NS * step_ns / STEP_NS : MOST_NS;
}

static int by_price(const void *a, const void *b) {
    const double x = ((const Call *)a)->ns, y = ((const Call *)b)->ns;
    return (x < y) - (x > y);
}

static void print_dearest(Search *s) {
    qsort(s->worst, OPS, sizeof *s->worst, by_price);
    for (int k = 0; k < PRINTED; k++) print_call(&s->worst[k]);
}

// A budget means the same whatever a program does: so on arguments as `tessera bench --ops` has them no
// primitive's unit takes many times longer than another's. Each is measured until they are near enough.
static void check_spread(Checks *checks) {
    double ns[OPS], seconds = 0.004;
    unsigned fastest, slowest;
    ts_engine *engine = ts_engine_new();
    check_begin(checks, "units are alike");
    for (unsigned op = 0; op < OPS; op++) ns[op] = 1e9;
    for (int k = 0; k < AGAIN; k++) {
        fastest = slowest = 0;
        for (unsigned op = 0; op < OPS; op++) {
            const ts_op_time t = ts_bench_op(engine, op, 2026, seconds);
            if (t.ns / t.units < ns[op]) ns[op] = t.ns / t.units;
            if (ns[op] < ns[fastest]) fastest = op;
            if (ns[op] > ns[slowest]) slowest = op;
        }
        if (ns[slowest] <= MOST_SPREAD * ns[fastest]) break;
    }
    check(checks, ns[slowest] <= MOST_SPREAD * ns[fastest], "%.3f ns for %s, %.3f for %s", ns[fastest],
          ops_table[fastest].name, ns[slowest], ops_table[slowest].name);
    check_end(checks);
    ts_engine_free(engine);
}

static void search(Search *s, uint64_t seed) {
    s->g = (Gen){.rng = {seed}, .c = &s->c, .scratch = &s->scratch};
    gen_context(&s->c, POOL_BYTES);
    gen_context(&s->scratch, (size_t)64 << 20);
    gen_context(&s->run, (size_t)512 << 20);
    s->programs = ts_programs_new();
    s->g.grid = value_grid(&s->c, (ts_grid){.height = 2, .width = 2, .cells = (const int8_t[]){1, 0, 2, 3}});
    check_begin(&s->checks, "hostile values can be made");
    check(&s->checks, make_pool(s), "not all of them");
    check_end(&s->checks);
    calibrate(s);
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned op = 0; op < OPS; op++) {
            Call call;
            for (int k = ops_table[op].origin == ORIGIN_OURS ? COARSE : 1; k > 0; k--) {
                pick_call(s, (Op)op, &call);
                try_call(s, &call, NULL);
            }
        }
    climb(s);
    for (unsigned op = 0; op < OPS; op++) {
        const Call *worst = &s->worst[op];
        check_begin(&s->checks, ops_table[op].name);
        if (!check(&s->checks, worst->ns <= s->most_ns, "more than %.0f ns a unit", s->most_ns))
            print_call(worst);
        check_end(&s->checks);
    }
    printf("The dearest of seed %llu:\n", (unsigned long long)seed);
    print_dearest(s);
    ts_programs_free(s->programs);
    arena_free(&s->c.arena);
    arena_free(&s->scratch.arena);
    arena_free(&s->run.arena);
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
             last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    Checks all = {0};
    check_spread(&all);
    for (uint64_t seed = first; seed <= last; seed++) {
        Search *s = calloc(1, sizeof *s);
        search(s, seed);
        all.passed += s->checks.passed;
        all.failed += s->checks.failed;
        free(s);
    }
    return check_summary(&all);
}
