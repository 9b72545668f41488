// Times a primitive on random arguments that are the same on every machine.
#include "base/clock.h"
#include "base/hash.h"
#include "dsl/random.h"
#include "program/evaluator.h"

enum { SETS = 64 };

// All sets once. What comes out goes into the hash where one is wanted.
static size_t run_sets(ts_engine *engine, const OpInfo *info, Value (*a)[4], uint64_t *hash) {
    size_t failures = 0;
    for (int k = 0; k < SETS; k++) {
        evaluator_begin(engine);
        Value v = info->fn(&engine->ctx, a[k]);
        failures += engine->ctx.failure != TS_FAIL_NONE;
        if (hash) *hash = hash_mix(*hash, engine->ctx.failure ? 1 : value_hash(v));
    }
    return failures;
}

ts_op_time ts_bench_op(ts_engine *engine, size_t index, uint64_t seed, double seconds) {
    ts_op_time result = {.calls = SETS};
    Ctx arguments = {.units = INT64_MAX / 2};
    arena_init(&arguments.arena, (size_t)64 << 20);
    const char *name = ops_table[index].name;
    Rng rng = {hash_bytes(seed, name, strlen(name))};
    Value a[SETS][4];
    for (int k = 0; k < SETS; k++) random_arguments(&arguments, &rng, (Op)index, a[k]);
    result.failures = run_sets(engine, &ops_table[index], a, &result.hash);
    double start = clock_ms(), fastest = 0;
    do {
        double before = clock_ms();
        for (int k = 0; k < 8; k++) run_sets(engine, &ops_table[index], a, NULL);
        double each = (clock_ms() - before) / (8 * SETS) * 1e6;
        if (fastest == 0 || each < fastest) fastest = each;
    } while (clock_ms() - start < seconds * 1e3);
    result.ns = fastest;
    arena_free(&arguments.arena);
    return result;
}
