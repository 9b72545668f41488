// A fixed workload. Its signature is a hash over all that comes out: the same on every machine, with every
// compiler and build; so a change of it is a change of behaviour.
#include <stdlib.h>

#include "base/hash.h"
#include "cli/cli.h"

enum {
    SEED = 2026,
    ENDS = 10, // primitives that are named at either end
};

typedef struct {
    uint64_t signature;
    size_t programs, samples, right;
    size_t calls, failures;
    double us_per_sample, ns_per_call;
} Bench;

// Each bundled program on all samples of all bundled tasks.
static void run_programs(ts_engine *engine, const ts_programs *programs, const ts_tasks *tasks, Bench *b,
                         bool count) {
    for (size_t p = 0; p < ts_programs_count(programs); p++) {
        for (size_t t = 0; t < ts_tasks_count(tasks); t++) {
            const ts_task *task = ts_tasks_at(tasks, t);
            for (int s = 0; s < task->demos + task->tests; s++) {
                ts_result r = ts_run_sample(engine, programs, p, task, s);
                if (!count) continue;
                b->samples++;
                bool grid = !r.failure && ts_value_is_grid(r.value);
                b->right += grid && ts_grid_equal(ts_value_grid(r.value), task->samples[s].output);
                b->signature = hash_mix(b->signature, r.failure ? 1 : ts_value_hash(r.value));
            }
        }
    }
}

static bool bench_programs(ts_engine *engine, Bench *b, double seconds, ts_status *s) {
    ts_tasks *tasks = ts_tasks_bundled(NULL, s);
    ts_programs *programs = ts_programs_new();
    bool good = tasks && programs && ts_programs_examples(programs, s);
    if (good) {
        b->programs = ts_programs_count(programs);
        run_programs(engine, programs, tasks, b, true);
        double start = clock_ms(), fastest = 0;
        do {
            double before = clock_ms();
            run_programs(engine, programs, tasks, b, false);
            double ms = clock_ms() - before;
            if (fastest == 0 || ms < fastest) fastest = ms;
        } while (clock_ms() - start < seconds * 1e3);
        b->us_per_sample = fastest * 1e3 / (double)b->samples;
    }
    ts_programs_free(programs);
    ts_tasks_free(tasks);
    return good;
}

typedef struct {
    const char *name;
    double ns_per_unit, units;
} Price;

static int by_price(const void *a, const void *b) {
    const double x = ((const Price *)a)->ns_per_unit, y = ((const Price *)b)->ns_per_unit;
    return (x > y) - (x < y);
}

// A budget is to mean the same whatever a program does: so how far apart the primitives are for what they
// charge, and which lie at either end.
static void print_prices(Price *prices, size_t n) {
    qsort(prices, n, sizeof *prices, by_price);
    const Price fastest = prices[0], slowest = prices[n - 1];
    printf("ns a unit: from %.3f (%s) to %.3f (%s), a factor of %.0f\nfastest:", fastest.ns_per_unit,
           fastest.name, slowest.ns_per_unit, slowest.name, slowest.ns_per_unit / fastest.ns_per_unit);
    for (size_t k = 0; k < n && k < ENDS; k++) printf(" %s %.3f", prices[k].name, prices[k].ns_per_unit);
    fputs("\nslowest:", stdout);
    for (size_t k = 0; k < n && k < ENDS; k++)
        printf(" %s %.3f", prices[n - 1 - k].name, prices[n - 1 - k].ns_per_unit);
    putchar('\n');
}

static bool bench_ops(ts_engine *engine, Bench *b, double seconds, bool print, bool json) {
    const size_t n = ts_ops_count();
    Price *prices = malloc(n * sizeof *prices);
    double sum = 0;
    if (!prices) return false;
    for (size_t k = 0; k < n; k++) {
        ts_op_time t = ts_bench_op(engine, k, SEED, seconds / (double)n);
        ts_op op = ts_ops_at(k);
        b->signature = hash_mix(b->signature, t.hash);
        b->calls += t.calls;
        b->failures += t.failures;
        sum += t.ns;
        prices[k] = (Price){op.name, t.ns / t.units, t.units};
        if (print && json) printf("%s\"%s\": %.1f", k ? ", " : "{\"ops\": {", op.name, t.ns);
        else if (print)
            printf("%-12s %-18s %9.1f ns %9.1f units %8.3f ns a unit\n", op.family, op.name, t.ns, t.units,
                   prices[k].ns_per_unit);
    }
    for (size_t k = 0; print && json && k < n; k++)
        printf("%s\"%s\": %.1f", k ? ", " : "}, \"units\": {", prices[k].name, prices[k].units);
    if (print && json) fputs("}, ", stdout);
    else if (print) print_prices(prices, n);
    b->ns_per_call = sum / (double)n;
    free(prices);
    return true;
}

// Waves on the devices that are used, beside the CPU: measured anew.
static bool bench_devices(ts_devices *devices, ts_status *s) {
    for (size_t k = 0; k < ts_devices_count(devices); k++)
        if (ts_devices_at(devices, k).is_used && !ts_devices_measure(devices, k, true, s)) return false;
    return true;
}

static void print_devices(const ts_devices *devices, bool json) {
    Text t = {0};
    size_t used = 0;
    for (size_t k = 0; k < ts_devices_count(devices); k++) {
        const ts_device d = ts_devices_at(devices, k);
        if (!d.is_used) continue;
        if (json) {
            text_add(&t, used++ ? "}, {\"name\": " : ", \"devices\": [{\"name\": ");
            text_json(&t, d.name);
            text_add(&t, ", ");
            cli_json_prices(&t, devices, k);
        } else {
            printf("\ndevice %zu: %s\n", k, d.name);
            cli_print_prices(devices, k);
        }
    }
    if (used) text_add(&t, "}]");
    if (json) printf("%s}\n", t.data && !t.failed ? t.data : "");
    text_free(&t);
}

static ExitCode run_on(Cli *cli, ts_devices *devices) {
    long seconds = 2;
    if (cli->word_count) return cli_usage(cli, "unexpected '%s'", cli->words[0]);
    if (!cli_number(cli, "seconds", 0, 3600, &seconds)) return EXIT_USAGE;
    ts_engine *engine = ts_engine_new();
    if (!engine) return cli_no_memory();
    ts_engine_set_plain(engine, cli_has(cli, "plain"));
    ts_status s = {.code = TS_SYSTEM, .message = "not enough memory"};
    Bench b = {0};
    bool ops = cli_has(cli, "ops"), json = cli_has(cli, "json");
    bool good = bench_programs(engine, &b, (double)seconds / 2, &s) &&
                bench_ops(engine, &b, (double)seconds / 2, ops, json) && bench_devices(devices, &s);
    if (good) {
        if (json)
            printf("%s\"signature\": \"%016llx\", \"programs\": %zu, \"samples\": %zu, \"right\": %zu, "
                   "\"calls\": %zu, "
                   "\"failures\": %zu, \"us_per_sample\": %.3f, \"ns_per_call\": %.1f",
                   ops ? "" : "{", (unsigned long long)b.signature, b.programs, b.samples, b.right, b.calls,
                   b.failures, b.us_per_sample, b.ns_per_call);
        else
            printf("signature %016llx\n%zu programs on %zu samples, %zu right: %.2f us per sample\n"
                   "%zu primitives on %zu sets of arguments, %zu failing: %.0f ns per call\n",
                   (unsigned long long)b.signature, b.programs, b.samples, b.right, b.us_per_sample,
                   ts_ops_count(), b.calls, b.failures, b.ns_per_call);
        print_devices(devices, json);
    }
    ts_engine_free(engine);
    return good ? EXIT_GOOD : cli_fail(&s);
}

static ExitCode run(Cli *cli) {
    ExitCode code = EXIT_GOOD;
    ts_devices *devices = cli_devices(cli, "none", &code);
    if (devices) code = run_on(cli, devices);
    ts_devices_close(devices);
    return code;
}

const CliCommand cmd_bench = {
    .name = "bench",
    .arguments = "[--ops] [--seconds N] [--device WHICH]",
    .summary = "time a fixed workload",
    .help = "Runs the bundled programs on the bundled tasks and every primitive on random arguments, and "
            "prints a\n"
            "signature over all results (the same on every machine) and the times. With --device the "
            "functions on images\n"
            "are timed on these devices, too.",
    .options = {{"ops", NULL, "the time and the units of each primitive, per call"},
                {"seconds", "N", "how long to measure (2)"},
                CLI_DEVICE_OPTION("none"),
                {"json", NULL, "as JSON"},
                {"plain", NULL, "leave out the fast paths"}},
    .run = run,
};
