// Workers: what does the orders that solvers and loops give out.
//
// A worker keeps one stock, read: orders that come one after the other mostly go with the same.
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "iterate/iterate_worker.h"
#include "search/solver.h"

struct ts_worker {
    char stock[MESSAGE_STOCK]; // empty: none
    ts_programs *pool;         // of a solver,
    IterateStock *loop;        // or what a loop's rounds go with
};

const char *ts_build(void) { return build_sum(); }

static bool needs(const char *stock) { return strcmp(stock, "-") != 0; }

ts_worker *ts_worker_new(void) { return calloc(1, sizeof(ts_worker)); }

static void drop(ts_worker *w) {
    ts_programs_free(w->pool);
    iterate_stock_free(w->loop);
    *w = (ts_worker){0};
}

void ts_worker_free(ts_worker *w) {
    if (w) drop(w);
    free(w);
}

bool ts_worker_lacks(const ts_worker *w, const char *order, size_t length) {
    char kind[MESSAGE_STOCK], stock[MESSAGE_STOCK];
    return message_peek(order, length, kind, stock) && needs(stock) && strcmp(stock, w->stock) != 0;
}

bool ts_worker_stock(ts_worker *w, const char *text, size_t length, ts_status *status) {
    char kind[MESSAGE_STOCK], stock[MESSAGE_STOCK];
    *status = (ts_status){0};
    drop(w);
    if (!message_peek(text, length, kind, stock)) return status_fail(status, TS_INPUT, "this is no stock");
    if (strcmp(kind, "pool") == 0) w->pool = solver_read_stock(text, length, status);
    else w->loop = iterate_stock_read(text, length, status);
    if (!w->pool && !w->loop) return false;
    message_name(text, length, w->stock);
    return true;
}

char *ts_worker_do(ts_worker *w, const char *order, size_t length, const ts_stop *stop, ts_status *status) {
    char kind[MESSAGE_STOCK], stock[MESSAGE_STOCK];
    *status = (ts_status){0};
    if (!message_peek(order, length, kind, stock)) {
        status_fail(status, TS_INPUT, "this is no order");
        return NULL;
    }
    const bool of_loop = strcmp(kind, "round") == 0;
    if ((needs(stock) && strcmp(stock, w->stock) != 0) || (of_loop && !w->loop)) {
        status_fail(status, TS_USAGE, "the worker lacks the stock of this order");
        return NULL;
    }
    if (of_loop) return iterate_do(order, length, w->loop, 1, stop, status);
    return solver_do(order, length, needs(stock) ? w->pool : NULL, stop, status);
}
