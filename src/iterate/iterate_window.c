// The rounds under way: planned, given out, taken back, merged in their order.
//
//     merged   | so_far.rounds ... next - 1: waits, out or back | next ... last: not planned yet
//
// There are as many under way as the options have slots, fewer only towards the end. Each time one is merged
// the next one is planned, before another is merged. So what round n deals follows from the seed, n, and the
// rounds up to n - slots, never from when results come: one that comes early is kept until it is its turn.
//
// A round whose result is lost or refused is given out again, as the same order; after three times it counts
// as one that has found nothing, for nobody can tell what it would have found.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "iterate/iterate.h"
#include "search/message.h"

enum { MOST_LOST = 3 };

static IterateRound *round_at(const ts_iterate *it, uint64_t number) {
    return &it->rounds[number % (uint64_t)it->options.slots];
}

static bool fail(ts_iterate *it, Status *s) {
    it->failed = true;
    return iterate_say_why(s);
}

// ---- Beginning and ending ----

void iterate_abandon(ts_iterate *it) {
    for (uint64_t n = it->next; it->rounds && n-- > it->so_far.rounds;) {
        iterate_drop(it, round_at(it, n));
        iterate_round_free(round_at(it, n));
    }
    free(it->rounds);
    it->rounds = NULL;
    it->next = it->so_far.rounds;
    text_free(&it->stock);
    text_free(&it->stock_differs);
    if (it->start > 0) it->spent += clock_ms() - it->start;
    it->start = 0;
}

void iterate_window_free(ts_iterate *it) {
    if (it->known) iterate_abandon(it);
    index_free(&it->stock_index);
    free(it->stock_hashes);
}

bool iterate_begin(ts_iterate *it, uint64_t rounds, double seconds, Status *s) {
    iterate_abandon(it);
    *s = (Status){0};
    it->last = rounds && rounds < UINT64_MAX - it->so_far.rounds ? it->so_far.rounds + rounds : 0;
    it->start = clock_ms();
    it->seconds = seconds;
    it->failed = false;
    return true;
}

static bool plan_one(ts_iterate *it, Status *s) {
    IterateRound *r = round_at(it, it->next);
    if (iterate_plan(it, r, s) && (!it->evolving || (r->differs = iterate_differs_text(it))) &&
        iterate_write_order(it, r, s)) {
        it->next++;
        return true;
    }
    iterate_drop(it, r);
    iterate_round_free(r);
    return fail(it, s);
}

static bool plan_more(ts_iterate *it, Status *s) {
    bool good = true;
    while (good && it->next - it->so_far.rounds < (uint64_t)it->options.slots &&
           (!it->last || it->next < it->last) && iterate_goes_on(it))
        good = plan_one(it, s);
    return good;
}

bool ts_iterate_begin(ts_iterate *it, uint64_t rounds, double seconds, ts_status *status) {
    iterate_begin(it, rounds, seconds, status);
    it->rounds = calloc((size_t)it->options.slots, sizeof *it->rounds);
    return (it->rounds && archive_refresh(it, status) && iterate_write_stock(it, status) &&
            plan_more(it, status)) ||
           fail(it, status);
}

bool ts_iterate_is_over(const ts_iterate *it) {
    if (!(it->start > 0) || it->failed || !iterate_goes_on(it)) return true;
    return it->last && it->so_far.rounds >= it->last;
}

// What is back when there is no time left for the others, still in their order. Ends all rounds under way.
static bool merge_rest(ts_iterate *it, Status *s) {
    bool good = true;
    const uint64_t first = it->so_far.rounds; // which merging raises, also where it left one out
    for (uint64_t n = first; it->rounds && n < it->next; n++) {
        IterateRound *r = round_at(it, n);
        const bool counts = good && r->state == ROUND_BACK && !iterate_is_stopped(it);
        if (counts) good = iterate_merge(it, r, s);
        if (!counts || !good) iterate_drop(it, r);
        iterate_round_free(r);
    }
    it->next = it->so_far.rounds;
    return good;
}

bool ts_iterate_end(ts_iterate *it, ts_status *status) {
    *status = (ts_status){0};
    bool good = it->failed ||
                (merge_rest(it, status) && iterate_count_held(it, status) && iterate_differs_end(it, status));
    iterate_abandon(it);
    return good || iterate_say_why(status);
}

// ---- Giving ----

char *ts_iterate_stock(const ts_iterate *it) { return strdup(it->stock.data ? it->stock.data : ""); }

char *ts_iterate_give(ts_iterate *it, uint64_t *number, ts_status *status) {
    *status = (ts_status){0};
    if (!it->rounds || ts_iterate_is_over(it)) return NULL;
    uint64_t n = it->so_far.rounds;
    while (n < it->next && round_at(it, n)->state != ROUND_WAITS) n++;
    if (n == it->next) return NULL;
    IterateRound *r = round_at(it, n);
    Text t = {0};
    text_put(&t, r->order, r->order_length);
    if (it->seconds > 0) {
        const double left = it->seconds - (clock_ms() - it->start) / 1000;
        text_print(&t, "within\t%.3f\n", left > 0.001 ? left : 0.001);
    }
    message_end(&t);
    char *order = text_take(&t);
    if (order) r->state = ROUND_OUT;
    else status_fail(status, TS_SYSTEM, "not enough memory for an order");
    *number = n;
    return order;
}

// ---- Taking ----

static bool merge_ready(ts_iterate *it, Status *s) {
    while (it->so_far.rounds < it->next && round_at(it, it->so_far.rounds)->state == ROUND_BACK &&
           !iterate_is_stopped(it)) {
        IterateRound *r = round_at(it, it->so_far.rounds);
        if (!iterate_merge(it, r, s)) return fail(it, s);
        iterate_round_free(r);
        if (!plan_more(it, s)) return false;
    }
    return true;
}

// Whether this was not the last time. What is wrong with it is in the status.
static bool lose(ts_iterate *it, IterateRound *r, Status *s) {
    if (++r->lost < MOST_LOST) {
        r->state = ROUND_WAITS;
        return true;
    }
    r->state = ROUND_BACK;
    Status failed = {0};
    if (!merge_ready(it, &failed)) *s = failed;
    return false;
}

static IterateRound *find_round(const ts_iterate *it, uint64_t number, Status *s) {
    if (it->rounds && number >= it->so_far.rounds && number < it->next) return round_at(it, number);
    status_fail(s, TS_USAGE, "round %llu is not under way", (unsigned long long)number);
    return NULL;
}

bool ts_iterate_take(ts_iterate *it, uint64_t number, const char *result, size_t length, ts_status *status) {
    *status = (ts_status){0};
    if (number < it->so_far.rounds || iterate_is_stopped(it)) return true; // it came twice, or too late
    IterateRound *r = find_round(it, number, status);
    if (!r) return false;
    if (r->state == ROUND_BACK) return true;
    IterateFound *found = iterate_read_found(it, r, result, length, status);
    if (found && iterate_check(it, r, found, status)) {
        r->found = found;
        r->state = ROUND_BACK;
        return merge_ready(it, status);
    }
    iterate_found_free(found);
    iterate_say_why(status);
    if (status->code == TS_SYSTEM) r->state = ROUND_WAITS; // it is our memory that was short
    else lose(it, r, status);
    return false;
}

bool ts_iterate_lose(ts_iterate *it, uint64_t number, const char *why, bool for_good, ts_status *status) {
    *status = (ts_status){0};
    if (number < it->so_far.rounds) return true;
    IterateRound *r = find_round(it, number, status);
    if (!r) return false;
    if (r->state != ROUND_OUT) return true;
    if (for_good) r->lost = MOST_LOST - 1;
    if (r->lost + 1 < MOST_LOST) return lose(it, r, status);
    status_fail(status, TS_INPUT, "round %llu was given up: %.300s", (unsigned long long)number, why);
    return lose(it, r, status);
}
