// Times a primitive on random arguments that are the same on every machine.
#include "base/clock.h"
#include "base/hash.h"
#include "dsl/random.h"
#include "program/evaluator.h"

enum { SETS = 64, LEAST_ROUNDS = 3 };

// All sets once, each as the line of a program. What comes out goes into the result where one is wanted.
static void run_sets(ts_engine *engine, size_t op, Value (*a)[4], ts_op_time *result) {
    Ctx *c = &engine->ctx;
    for (int k = 0; k < SETS; k++) {
        evaluator_begin(engine);
        const int64_t given = c->units;
        Value v = line_run(c, (int)op, VALUE_NONE, a[k], ops_table[op].arity);
        if (!result) continue;
        result->units += (double)ctx_spent(c, given) / SETS;
        result->failures += c->failure != TS_FAIL_NONE;
        result->hash = hash_mix(result->hash, c->failure ? 1 : value_hash(v));
    }
}

ts_op_time ts_bench_op(ts_engine *engine, size_t index, uint64_t seed, double seconds) {
    ts_op_time result = {.calls = SETS};
    Ctx arguments = {.units = INT64_MAX / 2};
    arena_init(&arguments.arena, (size_t)64 << 20);
    const char *name = ops_table[index].name;
    Rng rng = {hash_bytes(seed, name, strlen(name))};
    Value a[SETS][4];
    for (int k = 0; k < SETS; k++) random_arguments(&arguments, &rng, (Op)index, a[k]);
    run_sets(engine, index, a, &result);
    double start = clock_ms(), fastest = 0;
    int rounds = 0;
    do {
        double before = clock_ms();
        for (int k = 0; k < 8; k++) run_sets(engine, index, a, NULL);
        double each = (clock_ms() - before) / (8 * SETS) * 1e6;
        if (fastest == 0 || each < fastest) fastest = each;
        rounds++;
    } while (clock_ms() - start < seconds * 1e3 || (seconds > 0 && rounds < LEAST_ROUNDS));
    result.ns = fastest;
    arena_free(&arguments.arena);
    return result;
}
