// Types, mutations and the card: laws that hold for every program and every seed.
//
//     mutate [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
//
// Runs in the root of the project, for it reads tests/golden/programs.py and tasks/.
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "check.h"
#include "generate.h"
#include "mutate/mutate.h"
#include "program/constants.h"
#include "program/evaluator.h"

#define MEMORY ((size_t)256 << 20)
enum { GENERATIONS = 4, RANDOM_PROGRAMS = 300 };

typedef struct {
    Checks checks;
    Ctx c, scratch, run;
    Gen g;
    ts_programs *golden;
    ts_tasks *tasks;
    ts_engine *engine;
    size_t made[TS_MUTATIONS]; // by all cards
} Unit;

static void empty(Ctx *c) { ctx_begin(c, INT64_MAX / 2); }

static bool read_text(ts_programs *set, const char *text, ts_status *s) {
    return ts_programs_add_text(set, "test.py", text, strlen(text), true, NULL, NULL, s);
}

// The types of a program, to be freed; NULL where it does not type-check, with the reason.
static Type *types_of(const Program *p, Text *why) {
    Type *types = calloc(SLOTS_GIVEN + p->constant_count + p->line_count, sizeof *types);
    TypeProblem problem;
    if (program_types(p, types, &problem)) return types;
    type_problem_print(why, &problem);
    free(types);
    return NULL;
}

// ---- Types ----

static bool is_of_type(Ctx *c, Value v, Type t);

static bool all_of_type(Ctx *c, Value container, Type t) {
    Value e;
    for (Iter it = iter(c, container); iter_next(&it, &e);)
        if (!is_of_type(c, e, t)) return false;
    return true;
}

static bool is_pair(Ctx *c, Value v, Type first, Type second) {
    return value_is_tuple(v) && value_length(c, v) == 2 && is_of_type(c, value_element(c, v, 0), first) &&
           is_of_type(c, value_element(c, v, 1), second);
}

// By what the value is made of, whatever its form. None and empty containers are what primitives
// give where they find nothing.
static bool is_of_type(Ctx *c, Value v, Type t) {
    const Type integer = {TYPE_INT}, pair = {TYPE_PAIR}, cell = {TYPE_CELL}, row = {TYPE_TUPLE, TYPE_INT};
    const Type element = {t.element, t.inner, TYPE_ALL, TYPE_ANY_ARITY};
    bool tuple = value_is_tuple(v), set = value_is_set(v);
    if (t.self == TYPE_ALL || value_tag(v) == TAG_NONE) return true;
    if (value_is_int(v)) return t.self & (TYPE_INT | TYPE_BOOL);
    if (value_is_word(v)) return t.self & TYPE_WORD;
    if (!tuple && !set) return t.self & TYPE_FUNCTION;
    if (value_length(c, v) == 0) return true;
    return (t.self & TYPE_PAIR && is_pair(c, v, integer, integer)) ||
           (t.self & TYPE_CELL && is_pair(c, v, integer, pair)) ||
           (t.self & TYPE_GRID && tuple && all_of_type(c, v, row)) ||
           (t.self & TYPE_TUPLE && tuple && all_of_type(c, v, element)) ||
           (t.self & TYPE_INDICES && set && all_of_type(c, v, pair)) ||
           (t.self & TYPE_OBJECT && set && all_of_type(c, v, cell)) ||
           (t.self & TYPE_SET && set && all_of_type(c, v, element));
}

// Each line of the program, cut off there, gives a value of the type found for it.
static void check_types(Unit *u, const Program *p, Value input) {
    Text why = {0};
    Type *types = types_of(p, &why);
    for (uint32_t k = 0; types && k < p->line_count; k++) {
        Program part = *p;
        uint32_t failed_line;
        part.line_count = k + 1;
        part.result = program_slot_of_line(p, k);
        ctx_begin(&u->run, 1000 * 1000);
        Value v = program_run(&u->run, &part, VALUE_NO_TUPLE, input, VALUE_NONE, &failed_line);
        if (u->run.failure) break;
        Text t = {0};
        type_print(&t, types[part.result]);
        text_add(&t, " for ");
        literal_print(&t, v);
        text_char(&t, '\n');
        program_print(&t, p);
        // Of no elements the key is that of 0.
        int op = p->lines[k].op;
        bool by_key = op == OP_valmax || op == OP_valmin || op == OP_get_val_rank;
        bool right = is_of_type(&u->run, v, types[part.result]);
        check(&u->checks, right || by_key, "line %u: %s", k + 1, t.data);
        text_free(&t);
        // What may be anything may be passed, and give what no type says; so does () for a number.
        Type type = types[part.result];
        bool nothing =
            value_is_container(v) && value_length(&u->run, v) == 0 && !(type.self & TYPE_CONTAINERS);
        if (!right || nothing || type.self == TYPE_ALL || type.element == TYPE_ALL) break;
    }
    free(types);
    text_free(&why);
}

// A literal that mixes sorts, or is nested deeper than a type can tell.
static bool has_odd_literal(const Program *p) {
    for (uint32_t k = 0; k < p->constant_count; k++) {
        Type t = type_of_value(p->constants[k]);
        t.element &= (uint16_t)~TYPE_BOOL;
        t.inner &= (uint16_t)~TYPE_BOOL;
        if (t.element & (t.element - 1) || t.inner & (t.inner - 1)) return true;
        if (t.inner & (TYPE_TUPLE | TYPE_SET)) return true;
    }
    // A cell is one that mixes sorts where it is taken for its elements.
    for (uint32_t k = 0; k < p->line_count; k++)
        for (int n = 0; n < p->lines[k].n; n++) {
            uint32_t slot = p->lines[k].args[n];
            bool is_constant = slot >= SLOTS_GIVEN && slot < SLOTS_GIVEN + p->constant_count;
            if (!is_constant || type_of_value(p->constants[slot - SLOTS_GIVEN]).self != TYPE_CELL) continue;
            bool is_call = p->lines[k].op == LINE_CALLS_VALUE;
            if (is_call || strcmp(ops_table[p->lines[k].op].types[n], "Cell") != 0) return true;
        }
    return false;
}

// Random programs, in the order in which they came; those that do not type-check are left out.
static ts_programs *random_programs(Unit *u, int wanted, bool check_them) {
    ts_programs *set = ts_programs_new();
    for (int k = 0; k < wanted; k++) {
        empty(&u->c);
        Value grid = gen_typed(&u->g, "Grid"), result;
        Text text = {0};
        char name[32];
        ts_status s;
        snprintf(name, sizeof name, "solve_r%d", k);
        if (gen_program(&u->g, name, grid, &text, &result) && read_text(set, text.data, &s)) {
            Type *types = types_of(&set->programs[set->count - 1], &text);
            if (check_them && !has_odd_literal(&set->programs[set->count - 1]))
                check_types(u, &set->programs[set->count - 1], grid);
            if (!types) set->count--;
            free(types);
        }
        text_free(&text);
    }
    return set;
}

static void test_types(Unit *u) {
    check_begin(&u->checks,
                "every program of the golden ones type-checks, and its values are of their types");
    for (size_t k = 0; k < u->golden->count; k++) {
        Text why = {0};
        Type *types = types_of(&u->golden->programs[k], &why);
        check(&u->checks, types, "%s: %s", u->golden->programs[k].name, why.data);
        free(types);
        text_free(&why);
        empty(&u->c);
        check_types(u, &u->golden->programs[k], gen_typed(&u->g, "Grid"));
    }
    check_end(&u->checks);
    check_begin(&u->checks, "the values of random programs are of their types");
    ts_programs *set = random_programs(u, 2000, true);
    check(&u->checks, set->count > 1500, "only %zu programs of 2000 type-check", set->count);
    ts_programs_free(set);
    check_end(&u->checks);
}

// Whether a value is a function or has one in it.
static bool holds_function(Ctx *c, Value v) {
    bool found = ts_value_kind(v) == TS_KIND_FUNCTION;
    for (size_t k = 0; value_is_container(v) && k < ts_value_length(v) && !found && !c->failure; k++)
        found = holds_function(c, ts_value_at(c, v, k));
    return found;
}

// What the dialect's text of a program gives is what the program gives, here too. How many it has words for.
static size_t check_dialect(Unit *u, const ts_programs *set) {
    size_t written = 0;
    for (size_t k = 0; k < set->count; k++) {
        const Program *p = &set->programs[k];
        ts_programs *again = ts_programs_new();
        ts_status s;
        uint32_t failed;
        char *text = ts_programs_print_dialect(set, k, &s);
        check(&u->checks, text || (s.code == TS_INPUT && s.line > 0), "%s: %s", p->name, s.message);
        written += text != NULL;
        if (text && check(&u->checks, read_text(again, text, &s), "%s\n%s", s.message, text)) {
            empty(&u->c);
            Value grid = gen_typed(&u->g, "Grid");
            ctx_begin(&u->run, 1000 * 1000);
            Value v = program_run(&u->run, p, VALUE_NO_TUPLE, grid, VALUE_NONE, &failed);
            ctx_begin(&u->scratch, 2 * 1000 * 1000);
            Value w = program_run(&u->scratch, again->programs, VALUE_NO_TUPLE, grid, VALUE_NONE, &failed);
            bool spent = u->run.failure == TS_FAIL_BUDGET;
            // Functions that do the same may be of other parts (last_t for last), and so not equal.
            check(&u->checks,
                  u->run.failure ? u->scratch.failure || spent
                                 : !u->scratch.failure && (value_compare(&u->scratch, v, w) == 0 ||
                                                           holds_function(&u->scratch, v)),
                  "%s gives something else:\n%s", p->name, text);
        }
        free(text);
        ts_programs_free(again);
    }
    return written;
}

static void test_dialect(Unit *u) {
    check_begin(&u->checks, "programs in the dialect do the same when they are read again");
    size_t written = check_dialect(u, u->golden);
    check(&u->checks, written == u->golden->count, "only %zu of %zu golden ones", written, u->golden->count);
    ts_programs *set = random_programs(u, 2000, false);
    written = check_dialect(u, set);
    check(&u->checks, written * 3 > set->count, "only %zu of %zu random programs", written, set->count);
    ts_programs_free(set);
    check_end(&u->checks);
}

// What a program is refused for; what its result is taken for.
static void test_judgements(Unit *u) {
    static const struct {
        const char *body, *verdict;
    } cases[] = {
        {"rot90(size(I))", "line 2: rot90 takes Grid as grid, not Integer"},
        {"fill(I, I, ofcolor(I, 1))", "line 2: fill takes Integer as value, not Grid"},
        {"objects(I, 2, F, T)", "line 1: objects takes Boolean as univalued, not Integer"},
        {"apply(rot90, objects(I, T, T, T))", "line 2: rot90 takes Grid as grid, not Object"},
        {"apply(compose(height, color), objects(I, T, T, T))",
         "line 3: height takes Piece as piece, not Integer"},
        {"compose(add, first)", "line 1: compose takes Callable as outer, not Callable of 2"},
        {"rbind(first, 1)(I)", "line 1: rbind takes Callable as function, not Callable of 1"},
        {"fork(size, first, last)", "line 1: fork takes Callable as outer, not Callable of 1"},
        {"combine(objects(I, T, T, T), palette(I))",
         "line 3: the arguments of combine have nothing to do with each other"},
        {"branch(T, rot90, color)(I)", "line 2: color takes Object as obj, not Grid"},
        {"lbind(fill, I)(1)",
         "line 2: a function that takes these arguments was expected, not Callable of 2"},
        {"argmax(objects(I, T, T, T), size)", "Object"},
        {"order(objects(I, T, T, T), size)", "Tuple[Object]"},
        {"merge(objects(I, T, T, T))", "Object"},
        {"apply(toindices, objects(I, T, T, T))", "FrozenSet[Indices]"},
        {"mapply(lbind(shift, asindices(I)), asindices(I))", "Indices"},
        {"hmirror(asobject(I))", "Object"},
        {"add(height(I), ONE)", "Integer"},
        {"add(height(I), UNITY)", "IntegerTuple"},
        {"apply(rbind(rbind(fill, asindices(I)), FIVE), hsplit(I, 3))", "Tuple[Grid]"},
        {"fork(astuple, height, width)(I)", "IntegerTuple"},
        {"power(rbind(add, 1), 3)(4)", "Integer"},
        {"branch(T, rot90, rot180)(I)", "Grid"},
        {"first(first(I))", "Integer"},
        {"product(interval(0, 3, 1), interval(0, 3, 1))", "Indices"},
        {"pair(interval(0, 3, 1), totuple(asindices(I)))", "Tuple[Cell]"},
        {"sfilter(asindices(I), matcher(first, 0))", "Indices"},
        {"initset((3, (0, 0)))", "Object"},
        {"c_iz_n(S, p_g, first)", "Integer"},
        {"first(first(S))", "Grid"},
    };
    check_begin(&u->checks, "types found, and why programs are refused");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Text text = {0}, found = {0};
        ts_status s;
        ts_programs *set = ts_programs_new();
        text_print(&text, "def solve(S, I, C):\n    return %s\n", cases[k].body);
        if (check(&u->checks, read_text(set, text.data, &s), "%s: %s", cases[k].body, s.message)) {
            Type *types = types_of(&set->programs[0], &found);
            if (types) type_print(&found, types[set->programs[0].result]);
            check(&u->checks, strcmp(found.data, cases[k].verdict) == 0, "%s: %s", cases[k].body, found.data);
            free(types);
        }
        text_free(&text);
        text_free(&found);
        ts_programs_free(set);
    }
    check_end(&u->checks);
}

// ---- Constants ----

static void test_constants(Unit *u) {
    static const struct {
        const char *body, *kinds; // of all constants that a line has, in order
    } cases[] = {
        {"fill(I, 3, ofcolor(I, 2))", "colour colour"},
        {"objects(I, T, F, 1)", "flag flag flag"},
        {"shoot(ulcorner(asindices(I)), (1, 1))", "direction"},
        {"shift(asindices(I), (0, 5))", "pair"},
        {"shift(asindices(I), (0, -1))", "direction"},
        {"crop(I, (1, 1), (2, 2))", "pair size"},
        {"upscale(I, 3)", "count"},
        {"o_g(I, 5)", "flags"},
        {"mir_rot_t(I, 4)", "symmetry"},
        {"get_nth_f(asindices(I), -1)", "rank"},
        {"corner(asindices(I), 2)", "side"},
        {"switch(I, 4, 5)", "colour colour"},
        {"rbind(rbind(replace, 3), 2)(I)", "constant colour colour"},
        {"lbind(recolor, 3)(asindices(I))", "constant colour"},
        {"sfilter(objects(I, T, T, T), matcher(color, 3))", "flag flag flag constant colour"},
        {"sfilter(objects(I, T, T, T), matcher(size, 3))", "flag flag flag constant count"},
        {"sfilter(objects(I, T, T, T), compose(lbind(contained, 3), palette))",
         "flag flag flag constant integer constant"},
        {"equality(leastcolor(I), 8)", "colour"},
        {"remove(0, palette(I))", "colour"},
        {"astuple(3, 4)", "integer integer"},
        {"canvas(0, (3, 3))", "colour size"},
    };
    check_begin(&u->checks, "kinds of constants");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Text text = {0}, found = {0};
        ts_status s;
        ts_programs *set = ts_programs_new();
        text_print(&text, "def solve(I):\n    return %s\n", cases[k].body);
        check(&u->checks, read_text(set, text.data, &s), "%s: %s", cases[k].body, s.message);
        const Program *p = &set->programs[0];
        Type *types = types_of(p, &found);
        for (uint32_t line = 0; types && line < p->line_count; line++)
            for (int n = 0; n < p->lines[line].n; n++) {
                uint32_t slot = p->lines[line].args[n];
                if (slot < SLOTS_GIVEN || slot >= program_slot_of_line(p, 0)) continue;
                ConstantKind kind = constant_kind(p, types, line, n);
                text_print(&found, "%s%s", found.length ? " " : "", constant_kind_name(kind));
            }
        check(&u->checks, found.data && strcmp(found.data, cases[k].kinds) == 0, "%s: %s", cases[k].body,
              found.data);
        free(types);
        text_free(&text);
        text_free(&found);
        ts_programs_free(set);
    }
    Rng r = u->g.rng;
    for (int kind = CONSTANT_COLOR; kind < CONSTANT_KINDS; kind++) {
        Value v = constant_exchange((ConstantKind)kind, VALUE_NONE, &r);
        bool number = kind < CONSTANT_DIRECTION, changed = false;
        for (int n = 0; n < 50; n++) {
            Value other = constant_exchange((ConstantKind)kind, v, &r);
            changed |= !value_same(other, v);
            check(&u->checks, number ? value_is_small(other) : value_is_loc(other), "a %s of another sort",
                  constant_kind_name((ConstantKind)kind));
            check(&u->checks, kind != CONSTANT_COLOR || (value_small(other) >= 0 && value_small(other) <= 9),
                  "no colour");
            check(&u->checks, !number || !value_same(other, v), "the same number");
        }
        check(&u->checks, changed, "%s: nothing else", constant_kind_name((ConstantKind)kind));
    }
    check_end(&u->checks);
}

// ---- Copies of values ----

static void test_copies(Unit *u) {
    check_begin(&u->checks, "a copied value has the same bytes and needs nothing of the first");
    for (int k = 0; k < 3000; k++) {
        Ctx other;
        empty(&u->c);
        gen_typed(&u->g, "Grid");
        Value v = gen_any(&u->g, 4);
        if (u->c.failure) continue;
        uint64_t hash = value_hash(v);
        gen_context(&other, MEMORY);
        Value copy = value_copy(&other, v);
        check(&u->checks, gen_identical(copy, v), "not the same");
        arena_free(&u->c.arena);
        check(&u->checks, value_hash(copy) == hash, "it goes with the first");
        arena_free(&other.arena);
    }
    check_end(&u->checks);
}

// ---- Mutants ----

static bool has_dead_parts(const Program *p) {
    size_t slots = SLOTS_GIVEN + p->constant_count + p->line_count;
    bool *used = calloc(slots, sizeof *used), dead = false;
    used[p->result] = true;
    for (uint32_t k = p->line_count; k-- > 0;) {
        const Line *l = &p->lines[k];
        if (l->op == LINE_CALLS_VALUE) used[l->callee] = true;
        for (int n = 0; n < l->n; n++) used[l->args[n]] = true;
    }
    for (size_t k = SLOTS_GIVEN; k < slots; k++) dead |= !used[k];
    free(used);
    return dead;
}

static void check_mutant(Unit *u, const ts_programs *source, const ts_card *card, size_t k) {
    const Program *p = &ts_card_programs(card)->programs[k];
    ts_card_entry entry = ts_card_at(card, k);
    const Program *parent = &source->programs[entry.parent];
    Text why = {0};
    Type *types = types_of(p, &why);
    check(&u->checks, types, "%s (%s): %s", p->name, entry.note, why.data);
    check(&u->checks, !has_dead_parts(p), "%s (%s): parts without use", p->name, entry.note);
    check(&u->checks, (mutate_hash(p) != mutate_hash(parent)) == (entry.mutations > 0), "%s: %s", p->name,
          entry.note);
    check(&u->checks, !entry.mutations || entry.note[0], "%s: no note", p->name);
    check(&u->checks, p->line_count <= MUTATE_MOST_LINES || p->line_count <= parent->line_count,
          "%s: %u lines", p->name, p->line_count);
    const ts_task *task = ts_tasks_at(u->tasks, k % ts_tasks_count(u->tasks));
    ts_engine_set_units(u->engine, 100 * 1000);
    ts_run_sample(u->engine, ts_card_programs(card), k, task, 0);
    free(types);
    text_free(&why);
}

static char *text_of(const ts_card *card) {
    Text t = {0};
    const ts_programs *set = ts_card_programs(card);
    for (size_t k = 0; k < set->count; k++) {
        text_print(&t, "# %s\n", ts_card_at(card, k).note);
        program_print(&t, &set->programs[k]);
    }
    return text_take(&t);
}

static void check_reads_back(Unit *u, const ts_card *card, const char *text) {
    ts_status s = {0};
    const ts_programs *set = ts_card_programs(card);
    ts_programs *again = ts_programs_new();
    check(&u->checks, read_text(again, text, &s), "%d: %s\n%s", s.line, s.message, s.excerpt);
    for (size_t k = 0; k < again->count && k < set->count; k++)
        check(&u->checks, mutate_hash(&again->programs[k]) == mutate_hash(&set->programs[k]),
              "%s is read as another program", set->programs[k].name);
    check(&u->checks, again->count == set->count, "%zu of %zu programs are read", again->count, set->count);
    ts_programs_free(again);
}

static void check_card(Unit *u, const ts_programs *source, const ts_card_options *o, const ts_card *card) {
    ts_status s;
    ts_card_counts counts;
    char *text = text_of(card);
    for (size_t k = 0; k < ts_card_programs(card)->count; k++) check_mutant(u, source, card, k);
    check_reads_back(u, card, text);
    ts_card *same = ts_card_new(source, NULL, o, &s);
    char *same_text = same ? text_of(same) : NULL;
    check(&u->checks, same_text && strcmp(text, same_text) == 0, "the same seed, another card");
    check(&u->checks,
          ts_card_count(card, &counts) && counts.programs == ts_card_programs(card)->count &&
              counts.distinct <= counts.lines && counts.distinct > 0,
          "the counts");
    for (int k = 0; k < TS_MUTATIONS; k++) u->made[k] += counts.mutations[k];
    free(text);
    free(same_text);
    ts_card_free(same);
}

static void test_cards(Unit *u, uint64_t seed) {
    check_begin(&u->checks, "mutants: typed, canonical, without dead parts, read back, the same for a seed");
    ts_colors colors = ts_task_colors(ts_tasks_at(u->tasks, seed % ts_tasks_count(u->tasks)));
    ts_programs *random = random_programs(u, RANDOM_PROGRAMS, false);
    const ts_programs *sources[] = {u->golden, random};
    for (size_t k = 0; k < 2; k++) {
        const ts_card_options o = {.each = 1, .seed = seed, .rate = 0.1, .colors = colors};
        ts_status s;
        ts_card *card = ts_card_new(sources[k], NULL, &o, &s);
        if (check(&u->checks, card, "%s", s.message)) check_card(u, sources[k], &o, card);
        ts_card_free(card);
    }
    ts_programs_free(random);
    check_end(&u->checks);
}

// Mutants of mutants of mutants, with many mutations at a time.
static void test_generations(Unit *u, uint64_t seed) {
    check_begin(&u->checks, "mutants of mutants stay typed and within the limit");
    const ts_programs *source = u->golden;
    ts_card *before = NULL;
    for (int k = 0; k < GENERATIONS; k++) {
        const ts_card_options o = {.count = 200, .seed = seed + (uint64_t)k, .rate = 1};
        ts_status s;
        ts_card *card = ts_card_new(source, NULL, &o, &s);
        if (!check(&u->checks, card, "%s", s.message)) break;
        check_card(u, source, &o, card);
        ts_card_free(before);
        before = card;
        source = ts_card_programs(card);
    }
    ts_card_free(before);
    check_end(&u->checks);
}

// Each kind alone makes its kind and nothing else, and what holds for all mutants holds for those.
static void test_all_kinds(Unit *u) {
    check_begin(&u->checks, "every kind of mutation is made, alone and among others");
    const ts_colors colors = ts_task_colors(ts_tasks_at(u->tasks, 0));
    for (unsigned k = 0; k < TS_MUTATIONS; k++) {
        const ts_card_options o = {.count = 200, .seed = k, .colors = colors, .kinds = 1U << k};
        ts_status s;
        ts_card_counts counts = {0};
        ts_card *card = ts_card_new(u->golden, NULL, &o, &s);
        if (!check(&u->checks, card && ts_card_count(card, &counts), "%s", s.message)) break;
        check_card(u, u->golden, &o, card);
        const char *name = ts_mutation_name((ts_mutation)k);
        check(&u->checks, u->made[k] > 0, "%s: never among others", name);
        for (unsigned n = 0; n < TS_MUTATIONS; n++)
            check(&u->checks, n == k ? counts.mutations[n] > 60 : !counts.mutations[n], "%s: %zu of %s", name,
                  counts.mutations[n], ts_mutation_name((ts_mutation)n));
        ts_card_free(card);
    }
    check_end(&u->checks);
}

// Benchmarks compare with the small mutations: what these deal for a seed stays as it is.
static void test_classic(Unit *u) {
    check_begin(&u->checks, "the classic kinds deal what they always did");
    static const struct {
        ts_card_options options;
        uint64_t hash;
    } cases[] = {
        {{.count = 300, .seed = 1, .rate = 0.05}, 0xD7109AC2499D10B0},
        {{.count = 300, .seed = 2, .colors = {0x21, 0x12}}, 0x33FDFB9A98DE14C9},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ts_card_options o = cases[k].options;
        o.kinds = TS_MUTATIONS_CLASSIC;
        ts_status s;
        ts_card *card = ts_card_new(u->golden, NULL, &o, &s);
        if (!check(&u->checks, card, "%s", s.message)) continue;
        char *text = text_of(card);
        const uint64_t hash = hash_bytes(0, text, strlen(text));
        check(&u->checks, hash == cases[k].hash, "card %zu has the hash %#llx", k, (unsigned long long)hash);
        free(text);
        ts_card_free(card);
    }
    check_end(&u->checks);
}

// ---- Picking ----

static void test_picking(Unit *u, uint64_t seed) {
    check_begin(&u->checks, "programs are picked by weight");
    double weights[800] = {[3] = 1, [5] = 3, [700] = 4};
    size_t picked[800] = {0};
    ts_status s = {0};
    ts_card_options o = {.count = 8000, .seed = seed};
    ts_card *card = ts_card_new(u->golden, weights, &o, &s);
    check(&u->checks, card && ts_card_programs(card)->count == 8000, "%s", s.message);
    for (size_t k = 0; card && k < 8000; k++) picked[ts_card_at(card, k).parent]++;
    for (size_t k = 0; card && k < 800; k++) {
        size_t wanted = (size_t)(weights[k] * 1000), apart = wanted / 5;
        check(&u->checks, picked[k] + apart >= wanted && picked[k] <= wanted + apart, "%zu: %zu times", k,
              picked[k]);
    }
    ts_card_free(card);
    o = (ts_card_options){.count = 10, .seed = seed, .freeze = true}; // only three have a weight
    card = ts_card_new(u->golden, weights, &o, &s);
    check(&u->checks, card && ts_card_programs(card)->count == 3, "frozen");
    for (size_t k = 0; card && k < ts_card_programs(card)->count; k++) {
        ts_card_entry entry = ts_card_at(card, k);
        bool same = strcmp(ts_programs_name(ts_card_programs(card), k),
                           ts_programs_name(u->golden, entry.parent)) == 0;
        check(&u->checks, same && entry.mutations == 0 && weights[entry.parent] > 0, "frozen: %zu",
              entry.parent);
    }
    ts_card_free(card);
    check(&u->checks,
          ts_card_weight(&(ts_pool_score){.demos = 2, .score = 2000}) >
                  ts_card_weight(&(ts_pool_score){.demos = 2, .score = 1000}) &&
              ts_card_weight(NULL) > 0,
          "weights of scores");
    check_end(&u->checks);
}

// The widest language that a text takes a name from: 0 arc-dsl, 1 the dialect, 2 ours.
static int widest_name(const char *text) {
    int widest = 0;
    while (*text) {
        char name[64] = "";
        size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (n && n < sizeof name) memcpy(name, text, n);
        const ptrdiff_t op = ts_ops_find(name);
        const ts_op info = op >= 0 ? ts_ops_at((size_t)op) : (ts_op){0};
        const int width = info.ours ? 2 : info.dialect ? 1 : 0;
        if (width > widest) widest = width;
        text += n ? n : 1;
    }
    return widest;
}

// Mutants have no primitives of a wider language than their parents, though grafts come from all of them.
static void test_origins(Unit *u, uint64_t seed) {
    check_begin(&u->checks, "mutants stay within the language of their parents");
    static const char text[] =
        "def solve_a(I):\n    x1 = objects(I, T, F, T)\n    x2 = argmax(x1, size)\n    x3 = vmirror(I)\n"
        "    return fill(x3, THREE, x2)\n"
        "def solve_b(I):\n    x1 = lbind(apply, increment)\n    x2 = hsplit(I, TWO)\n    x3 = first(x2)\n"
        "    x4 = branch(portrait(I), rot90, hmirror)\n    x5 = x4(x3)\n    return hconcat(x5, x3)\n"
        "def solve_c(S, I, C):\n    x1 = o_g(I, R5)\n    x2 = get_nth_f(x1, F0)\n    return fill(I, TWO, "
        "x2)\n"
        "def solve_d(I):\n    x1 = view(I, 3)\n    x2 = image(x1)\n    return image_grid(image_trim(x2, "
        "0))\n";
    ts_status s = {0};
    ts_programs *set = ts_programs_new();
    check(&u->checks, read_text(set, text, &s), "%s", s.message);
    const ts_card_options o = {.each = 3000, .seed = seed, .rate = 0.3};
    ts_card *card = ts_card_new(set, NULL, &o, &s);
    const ts_programs *made = card ? ts_card_programs(card) : NULL;
    size_t of_parent[4] = {0}, widest[4] = {0};
    for (size_t k = 0; made && k < made->count; k++) {
        const size_t parent = ts_card_at(card, k).parent;
        const int most = parent < 2 ? 0 : (int)parent - 1;
        char *printed = ts_programs_print(made, k);
        const int width = widest_name(printed);
        check(&u->checks, width <= most, "a mutant of program %zu:\n%s", parent, printed);
        of_parent[parent]++;
        widest[parent] += width == most;
        free(printed);
    }
    for (int k = 0; made && k < 4; k++) // else nothing would have been shown
        check(&u->checks, of_parent[k] > 2500 && widest[k] > 100, "program %d: %zu mutants, %zu", k,
              of_parent[k], widest[k]);
    check(&u->checks, made != NULL, "%s", s.message);
    ts_card_free(card);
    ts_programs_free(set);
    check_end(&u->checks);
}

// A program that calls this coarse primitive with words made up, as text.
static void write_coarse(Unit *u, const OpInfo *info, Text *t) {
    Value words[LINE_MOST_ARGS] = {VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE};
    text_print(t, "def solve(I):\n    return %s(", info->name);
    for (int k = 0; k < info->arity; k++) {
        const char *type = info->types[k];
        if (k) text_add(t, ", ");
        if (info->shapes[k] != SHAPE_NONE) {
            words[k] = shape_random(&u->c, &u->g.rng, op_yields(&u->c, info, k, words), info->shapes[k]);
            literal_print_words(t, words[k]);
        } else if (strcmp(type, "IntegerTuple") == 0) text_add(t, "(3, 3)");
        else if (strcmp(type, "Callable") == 0) text_add(t, "vmirror");
        else if (strcmp(type, "Images") == 0) text_add(t, "image_split(image(I), BY_COLOR)");
        else text_add(t, strncmp(type, "Image", 5) == 0 ? "image(I)" : "I");
    }
    text_add(t, ")\n");
}

static bool same_constant(const Program *p, const Program *q, int argument) {
    Value v = p->constants[p->lines[p->line_count - 1].args[argument] - SLOTS_GIVEN];
    return value_equal(v, q->constants[q->lines[q->line_count - 1].args[argument] - SLOTS_GIVEN]);
}

static void test_words(Unit *u, uint64_t seed) {
    check_begin(&u->checks, "all words of the coarse primitives vary, and grown lines have such primitives");
    bool grown[OPS] = {false};
    size_t kinds = 0;
    for (int op = 0; op < OPS; op++) {
        const OpInfo *info = &ops_table[op];
        bool any = false;
        for (int k = 0; k < info->arity; k++) any |= info->shapes[k] != SHAPE_NONE;
        if (!any) continue;
        Text t = {0};
        ts_status s = {0};
        ts_programs *set = ts_programs_new();
        empty(&u->c);
        write_coarse(u, info, &t);
        check(&u->checks, !u->c.failure && read_text(set, t.data, &s), "%s\n%s", s.message, t.data);
        ts_card_options o = {.each = 150, .seed = seed, .kinds = 1U << TS_MUTATE_CONSTANT};
        ts_card *card = ts_card_new(set, NULL, &o, &s);
        const ts_programs *made = ts_card_programs(card);
        for (int arg = 0; arg < info->arity; arg++) {
            bool changed = info->shapes[arg] == SHAPE_NONE;
            for (size_t k = 1; k < made->count && !changed; k++)
                changed = !same_constant(&made->programs[k], &made->programs[0], arg);
            check(&u->checks, changed, "%s stays as it is in\n%s", info->parameters[arg], t.data);
        }
        ts_card_free(card);
        o.kinds = 1U << TS_MUTATE_GROW;
        card = ts_card_new(set, NULL, &o, &s);
        made = ts_card_programs(card);
        for (size_t k = 1; k < made->count; k++)
            for (uint32_t n = 0; n < made->programs[k].line_count; n++)
                grown[made->programs[k].lines[n].op] |= made->programs[k].lines[n].op != op;
        ts_card_free(card);
        ts_programs_free(set);
        text_free(&t);
    }
    for (int op = 0; op < OPS; op++) kinds += grown[op] && ops_table[op].origin == ORIGIN_OURS;
    check(&u->checks, kinds > 15, "only %zu coarse primitives are grown", kinds);
    check_end(&u->checks);
}

static void test_bad_options(Unit *u) {
    check_begin(&u->checks, "options that cannot be met");
    double weights[800] = {1};
    static const ts_card_options bad[] = {{.count = 0},
                                          {.count = 1, .rate = 1.5},
                                          {.count = 1, .rate = -0.5},
                                          {.count = SIZE_MAX},
                                          {.each = SIZE_MAX},
                                          {.each = SIZE_MAX / 800},
                                          {.count = 1, .kinds = 1U << TS_MUTATIONS}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ts_status s = {0};
        ts_card *card = ts_card_new(u->golden, NULL, &bad[k], &s);
        check(&u->checks, !card && s.code == TS_USAGE && s.message[0], "options %zu", k);
        ts_card_free(card);
    }
    const double wrong[] = {-1, NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < 4; k++) {
        ts_status s = {0};
        weights[7] = wrong[k];
        ts_card *card = ts_card_new(u->golden, weights, &(ts_card_options){.count = 1}, &s);
        check(&u->checks, !card && s.code == TS_USAGE, "a weight of %f", wrong[k]);
        ts_card_free(card);
    }
    ts_status s = {0};
    ts_programs *none = ts_programs_new();
    check(&u->checks, !ts_card_new(none, NULL, &(ts_card_options){.count = 1}, &s) && s.code == TS_USAGE,
          "no programs");
    check(&u->checks, strcmp(ts_mutation_name((ts_mutation)99), "unknown") == 0, "mutation 99");
    ts_programs_free(none);
    ts_card_free(NULL);
    check_end(&u->checks);
}

// Programs that no mutation can do much with: they come out as they are, or changed, but whole.
static void test_odd_parents(Unit *u, uint64_t seed) {
    check_begin(&u->checks, "odd parents: nothing to change, ill typed, very long, of the same name");
    Text text = {0};
    text_add(&text, "def solve_a(I):\n    return I\n"
                    "def solve_b(I):\n    return 5\n"
                    "def solve_c(S, I, C):\n    return S\n"
                    "def solve_d(I):\n    return rot90(size(I))\n"
                    "def solve_a_m9(I):\n    return rot90(I)\n"
                    "def solve_e(I):\n    return I()\n"
                    "def solve_f(S, I, C):\n    return equality(C, I)\n");
    for (int lines = 100; lines <= 3000; lines += 2900) {
        text_print(&text, "def solve_long%d(I):\n    x0 = I\n", lines);
        for (int k = 0; k < lines; k++)
            text_print(&text, "    x%d = %s(x%d)\n", k + 1, k % 2 ? "rot90" : "vmirror", k);
        text_print(&text, "    return x%d\n", lines);
    }
    // Functions of functions: calling the last one is 2^60 calls of the first.
    text_add(&text, "def solve_deep(I):\n    f0 = rot90\n");
    for (int k = 0; k < 60; k++) text_print(&text, "    f%d = compose(f%d, f%d)\n", k + 1, k, k);
    text_add(&text, "    return f60(I)\n");
    ts_status s = {0};
    ts_programs *set = ts_programs_new();
    check(&u->checks, read_text(set, text.data, &s), "%s", s.message);
    check(&u->checks, read_text(set, "def solve_a(I):\n    return rot180(I)\n", &s), "%s", s.message);
    const ts_card_options o = {.each = 20, .seed = seed, .rate = 0.01};
    ts_card *card = ts_card_new(set, NULL, &o, &s);
    if (check(&u->checks, card, "%s", s.message)) {
        char *printed = text_of(card);
        check_reads_back(u, card, printed);
        for (size_t k = 0; k < ts_card_programs(card)->count; k++) {
            ts_card_entry entry = ts_card_at(card, k);
            const char *parent = ts_programs_name(set, entry.parent);
            bool hopeless = strcmp(parent, "solve_d") == 0 || strcmp(parent, "solve_long3000") == 0 ||
                            strcmp(parent, "solve_e") == 0;
            check(&u->checks, !hopeless || !entry.mutations, "%s: %s", parent, entry.note);
            check(&u->checks, k % 21 == 0 || !hopeless || strncmp(entry.note, "not mutated: ", 13) == 0,
                  "%s: %s", parent, entry.note);
            bool easy = strcmp(parent, "solve_a") == 0 || strcmp(parent, "solve_a_m9") == 0;
            check(&u->checks, k % 21 == 0 || !easy || entry.mutations, "%s: %s", parent, entry.note);
        }
        free(printed);
    }
    ts_card_free(card);
    ts_programs_free(set);
    text_free(&text);
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Unit u;
    ts_status s = {0};
    gen_context(&u.c, MEMORY);
    gen_context(&u.scratch, MEMORY);
    gen_context(&u.run, MEMORY);
    u.golden = ts_programs_new();
    u.engine = ts_engine_new();
    u.tasks = ts_tasks_read("tasks", NULL, false, NULL, NULL, &s);
    bool good = u.golden && u.engine && u.tasks &&
                ts_programs_add_file(u.golden, "tests/golden/programs.py", true, NULL, NULL, &s);
    if (!good) {
        printf("%s\n", s.message);
        return 1;
    }
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    for (uint64_t seed = first; seed <= last; seed++) {
        u.g = (Gen){.rng = {seed}, .c = &u.c, .scratch = &u.scratch};
        test_types(&u);
        test_dialect(&u);
        test_copies(&u);
        test_cards(&u, seed);
        test_generations(&u, seed);
        test_picking(&u, seed);
        test_odd_parents(&u, seed);
    }
    test_judgements(&u);
    test_constants(&u);
    test_all_kinds(&u);
    test_classic(&u);
    test_origins(&u, first);
    test_words(&u, first);
    test_bad_options(&u);
    ts_programs_free(u.golden);
    ts_tasks_free(u.tasks);
    ts_engine_free(u.engine);
    arena_free(&u.c.arena);
    arena_free(&u.scratch.arena);
    arena_free(&u.run.arena);
    return check_summary(&u.checks);
}
