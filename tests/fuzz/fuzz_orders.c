// Fuzzes what travels between who gives out work and who does it. The first byte says what: o, an order of a
// solver; r, its result; g, that of a trusted worker; p, a pool; t, the stock of a loop; l, a round of one.
// The head and the end are put around it, so that what is between is read. Whatever a worker gets it makes
// something of, or says why not; whatever a solver gets, it ends with answers that are grids. Orders are done
// stopped, which is to be quick.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search/message.h"
#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const signed char cells[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
#define GRID \
    { 3, 3, cells }
static const ts_sample samples[] = {{.input = GRID, .output = GRID, .has_output = true},
                                    {.input = GRID, .is_test = true}};
static const ts_task task = {.id = "aaa", .samples = samples, .demos = 1, .tests = 1};
static const ts_task *const tasks[] = {&task};

static Text message(const char *kind, const char *stock, const uint8_t *data, size_t size) {
    Text t = {0};
    message_begin(&t, kind, stock);
    text_put(&t, (const char *)data, size);
    message_end(&t);
    if (t.failed) abort();
    return t;
}

static void said(const ts_status *s) {
    if (!s->message[0]) abort();
}

static void do_order(const char *kind, const char *stock, const char *stock_text, const uint8_t *data,
                     size_t size) {
    static ts_stop stop;
    ts_stop_set(&stop, true);
    ts_status s;
    ts_worker *w = ts_worker_new();
    if (!w || (stock_text && !ts_worker_stock(w, stock_text, strlen(stock_text), &s))) abort();
    Text t = message(kind, stock, data, size);
    char *result = ts_worker_do(w, t.data, t.length, &stop, &s);
    if (!result) said(&s);
    free(result);
    text_free(&t);
    ts_worker_free(w);
}

static void read_stock(const char *kind, const uint8_t *data, size_t size) {
    ts_status s;
    ts_worker *w = ts_worker_new();
    Text t = message(kind, "-", data, size);
    if (!w) abort();
    if (!ts_worker_stock(w, t.data, t.length, &s)) said(&s);
    text_free(&t);
    ts_worker_free(w);
}

static void take_result(const uint8_t *data, size_t size, bool trusting) {
    ts_status s;
    const ts_solver_options options = {.search.seconds = 0.001, .threads = 1, .trust_workers = trusting};
    ts_solver *solver = ts_solver_new(tasks, 1, &options, &s);
    uint64_t number;
    char *order = solver ? ts_solver_give(solver, 1, &number, &s) : NULL;
    if (!order) abort();
    Text t = message("result", "-", data, size);
    if (!ts_solver_take(solver, number, t.data, t.length, &s)) said(&s);
    for (int attempt = 0; attempt < 2; attempt++) {
        const ts_grid g = ts_submission_at(ts_solver_submission(solver), 0, 0, attempt);
        for (int k = 0; k < g.height * g.width; k++)
            if (g.cells[k] < 0 || g.cells[k] > 9) abort();
    }
    text_free(&t);
    free(order);
    ts_solver_free(solver);
}

// What rounds of a real loop go with.
typedef struct {
    char *stock, name[MESSAGE_STOCK];
} Round;

static Round real_round(void) {
    ts_status s;
    Round r;
    uint64_t number;
    char path[] = "/tmp/tessera-fuzz-XXXXXX", kind[MESSAGE_STOCK];
    close(mkstemp(path));
    unlink(path);
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    const ts_iterate_options options = {.programs = 2};
    ts_iterate *loop = pool ? ts_iterate_new(pool, tasks, 1, &options, &s) : NULL;
    char *order = loop && ts_iterate_begin(loop, 1, 0, &s) ? ts_iterate_give(loop, &number, &s) : NULL;
    if (!order || !(r.stock = ts_iterate_stock(loop)) || !message_peek(order, strlen(order), kind, r.name))
        abort();
    free(order);
    ts_iterate_free(loop);
    ts_pool_close(pool);
    unlink(path);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    static Round round;
    if (!round.stock) round = real_round();
    switch (*data) {
    case 'o': do_order("order", "-", NULL, data + 1, size - 1); break;
    case 'r': take_result(data + 1, size - 1, false); break;
    case 'g': take_result(data + 1, size - 1, true); break;
    case 'p': read_stock("pool", data + 1, size - 1); break;
    case 't': read_stock("tasks", data + 1, size - 1); break;
    case 'l': do_order("round", round.name, round.stock, data + 1, size - 1); break;
    default: break;
    }
    return 0;
}
