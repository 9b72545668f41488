// Rounds of the loop done elsewhere: the same pool whatever the workers, their number and the order in which
// results come, and the pool of a run here; results that are lost, damaged, false or too large; texts of all
// kinds, damaged at random.
//
//     build/obj/tests/slots [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
//
// Runs in the root of the project.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "check.h"
#include "iterate/iterate.h"
#include "iterate/iterate_worker.h"
#include "search/message.h"

enum { MOST_OUT = 16, ROUNDS = 24 };

typedef struct {
    Checks *k;
    Rng rng;
    uint64_t seed;
    ts_tasks *tasks;
    const ts_task **chosen;
    size_t count;
    char path[64];
    ts_pool *pool;
    ts_status s;
} Test;

// A new pool with programs one mutation away from the bundled ones, or with these, or with nothing.
static void open_pool(Test *t, bool mutants, bool solvers) {
    ts_programs *set = ts_programs_new();
    char hash[17];
    bool is_new, good = ts_programs_add_file(set, "tasks/solvers.py", true, NULL, NULL, &t->s);
    strcpy(t->path, "/tmp/tessera-slots-XXXXXX");
    close(mkstemp(t->path));
    unlink(t->path);
    t->pool = ts_pool_open(t->path, TS_POOL_CREATE, &t->s);
    const ts_card_options options = {.count = 60, .seed = 1, .kinds = TS_MUTATIONS_CLASSIC};
    ts_card *card = ts_card_new(set, NULL, &options, &t->s);
    const ts_programs *from = mutants ? ts_card_programs(card) : set;
    for (size_t n = 0; (mutants || solvers) && n < ts_programs_count(from); n++)
        good &= ts_pool_add_program(t->pool, from, n, &(ts_pool_facts){.origin = "test", .pinned = solvers},
                                    hash, &is_new, &t->s);
    check(t->k, good && t->pool && card, "no pool: %s", t->s.message);
    ts_card_free(card);
    ts_programs_free(set);
}

static void close_pool(Test *t) {
    ts_pool_close(t->pool);
    check_remove_pool(t->path);
}

static ts_iterate *start(Test *t, const ts_iterate_options *options) {
    ts_iterate *loop = ts_iterate_new(t->pool, t->chosen, t->count, options, &t->s);
    check(t->k, loop, "%s", t->s.message);
    return loop;
}

static void put_score(void *user, const char *task, const ts_pool_score *score) {
    text_print(user, "  %s %d %d %lld %llu\n", task, score->demos_right, score->tests_right,
               (long long)score->score, (unsigned long long)score->behaviour);
}

// All programs of the pool with what is known of them, and what the loop has counted.
static char *contents(Test *t, const ts_iterate *loop) {
    ts_pool_view view = {0};
    Text text = {0};
    ts_pool_counts held;
    const ts_iterate_counts c = ts_iterate_count(loop);
    check(t->k, ts_pool_load(t->pool, NULL, &view, &t->s) && ts_pool_count(t->pool, &held, &t->s), "%s",
          t->s.message);
    for (size_t n = 0; n < view.count; n++) {
        const ts_pool_entry *e = &view.entries[n];
        text_print(&text, "%s %s %s %d %llu\n%s", e->hash, e->name, e->origin, (int)e->round,
                   (unsigned long long)e->units, e->text);
        check(t->k, ts_pool_scores(t->pool, e->hash, put_score, &text, &t->s), "%s", t->s.message);
    }
    text_print(&text,
               "%llu rounds, %zu tried, %llu grown, %zu and %zu stored, %zu solved, %zu held, %zu dealt\n",
               (unsigned long long)c.rounds, c.tried, (unsigned long long)c.grown, c.winners, c.near,
               c.solved, c.held, held.dealt);
    ts_pool_view_free(&view);
    return text_take(&text);
}

// ---- Workers, of which several are simulated ----

typedef struct {
    uint64_t number;
    char *result;
} Out;

// What may happen to results: one in so many is lost, comes damaged, or twice; 0: none.
typedef struct {
    int workers;
    unsigned lost, damaged, twice;
} Fate;

// Takes the result away and brings it back, as the fate will.
static void bring_back(Test *t, ts_iterate *loop, Out *out, const Fate *fate) {
    const size_t length = strlen(out->result);
    if (fate->lost && !rng_below(&t->rng, fate->lost))
        ts_iterate_lose(loop, out->number, "it died", false, &t->s);
    else if (fate->damaged && !rng_below(&t->rng, fate->damaged)) {
        out->result[rng_below(&t->rng, (uint32_t)length)] ^= 1;
        ts_iterate_take(loop, out->number, out->result, rng_below(&t->rng, (uint32_t)length), &t->s);
    } else {
        check(t->k, ts_iterate_take(loop, out->number, out->result, length, &t->s), "%s", t->s.message);
        if (fate->twice && !rng_below(&t->rng, fate->twice))
            check(t->k, ts_iterate_take(loop, out->number, out->result, length, &t->s), "%s", t->s.message);
    }
    free(out->result);
}

static void run_elsewhere(Test *t, ts_iterate *loop, int rounds, const Fate *fate) {
    Out out[MOST_OUT];
    int count = 0;
    check(t->k, ts_iterate_begin(loop, (uint64_t)rounds, 0, &t->s), "%s", t->s.message);
    char *text = ts_iterate_stock(loop);
    IterateStock *stock = iterate_stock_read(text, strlen(text), &t->s);
    check(t->k, stock, "%s", t->s.message);
    for (bool good = stock; good && !ts_iterate_is_over(loop);) {
        uint64_t number = 0;
        char *order = count < fate->workers ? ts_iterate_give(loop, &number, &t->s) : NULL;
        if (order) {
            out[count] = (Out){number, iterate_do(order, strlen(order), stock, 1, NULL, &t->s)};
            good = check(t->k, out[count++].result, "%s", t->s.message);
            free(order);
        } else {
            good = check(t->k, count, "it is not over, and there is nothing to do");
            if (!good) break;
            const uint32_t which = rng_below(&t->rng, (uint32_t)count);
            bring_back(t, loop, &out[which], fate);
            out[which] = out[--count];
        }
    }
    while (count) free(out[--count].result);
    check(t->k, ts_iterate_end(loop, &t->s), "%s", t->s.message);
    iterate_stock_free(stock);
    free(text);
}

// What a run leaves behind: here where there is no fate.
static char *after(Test *t, ts_iterate_options options, const char *differs, const Fate *fate) {
    Text text = {0};
    char path[64] = "/tmp/tessera-differs-XXXXXX";
    open_pool(t, options.strategy != TS_BLIND, options.strategy == TS_BLIND);
    if (differs) {
        close(mkstemp(path));
        unlink(path);
        options.evolve_differs = path;
    }
    ts_iterate *loop = start(t, &options);
    const int rounds = differs ? 140 : ROUNDS;
    if (loop && fate) run_elsewhere(t, loop, rounds, fate);
    else if (loop)
        check(t->k, ts_iterate_run(loop, (uint64_t)rounds, 0, NULL, NULL, &t->s), "%s", t->s.message);
    char *pool = loop ? contents(t, loop) : NULL;
    text_add(&text, pool ? pool : "");
    if (differs) check(t->k, text_read_file(&text, path, &t->s), "%s", t->s.message);
    free(pool);
    ts_iterate_free(loop);
    close_pool(t);
    unlink(path);
    return text_take(&text);
}

static void compare(Test *t, const char *what, char *here, char *there) {
    size_t n = 0;
    while (here && there && here[n] && here[n] == there[n]) n++;
    check(t->k, here && there && strcmp(here, there) == 0, "%s, seed %llu: at %zu\n%.300s\nis not\n%.300s",
          what, (unsigned long long)t->seed, n, there ? there + n : "", here ? here + n : "");
    free(there);
}

static void test_same(Test *t) {
    static const struct {
        ts_strategy strategy;
        int slots;
    } cases[] = {{TS_EVOLVE, 1}, {TS_EVOLVE, 3}, {TS_EVOLVE, 8}, {TS_CARDS, 8}, {TS_BLIND, 3}};
    check_begin(t->k, "the same pool whoever does the rounds");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const ts_iterate_options o = {.seed = t->seed,
                                      .rate = 0.05,
                                      .threads = 1,
                                      .slots = cases[n].slots,
                                      .strategy = cases[n].strategy};
        char *here = after(t, o, NULL, NULL);
        compare(t, "one worker", here, after(t, o, NULL, &(Fate){.workers = 1}));
        compare(t, "five workers", here, after(t, o, NULL, &(Fate){.workers = 5, .twice = 4}));
        compare(t, "workers that die", here,
                after(t, o, NULL, &(Fate){.workers = 8, .lost = 40, .damaged = 40}));
        free(here);
    }
    check_end(t->k);
}

static void test_evolving(Test *t) {
    check_begin(t->k, "differs evolve the same whoever does the rounds");
    for (int slots = 1; slots < 8; slots += 5) {
        const ts_iterate_options o = {.seed = t->seed, .threads = 1, .slots = slots, .strategy = TS_CARDS};
        char *here = after(t, o, "evolve", NULL);
        compare(t, "five workers", here, after(t, o, "evolve", &(Fate){.workers = 5}));
        free(here);
    }
    check_end(t->k);
}

// ---- False results ----

// A loop that has begun, with the stock of its workers and an order.
typedef struct {
    ts_iterate *loop;
    IterateStock *stock;
    char *order, *result;
    uint64_t number;
} Begun;

static Begun begin(Test *t, ts_iterate_options options, bool mutants) {
    Begun b = {0};
    open_pool(t, mutants, !mutants);
    b.loop = start(t, &options);
    check(t->k, b.loop && ts_iterate_begin(b.loop, 4, 0, &t->s), "%s", t->s.message);
    char *text = ts_iterate_stock(b.loop);
    b.stock = iterate_stock_read(text, strlen(text), &t->s);
    b.order = ts_iterate_give(b.loop, &b.number, &t->s);
    b.result = iterate_do(b.order, strlen(b.order), b.stock, 1, NULL, &t->s);
    check(t->k, b.stock && b.order && b.result, "%s", t->s.message);
    free(text);
    return b;
}

static void end(Test *t, Begun *b) {
    check(t->k, ts_iterate_end(b->loop, &t->s), "%s", t->s.message);
    iterate_stock_free(b->stock);
    ts_iterate_free(b->loop);
    free(b->order);
    free(b->result);
    close_pool(t);
}

// A message of this body, with the head of a true one and an end that is right.
static char *forge(const char *from, const char *body) {
    Text t = {0};
    text_put(&t, from, (size_t)(strchr(from, '\n') + 1 - from));
    text_add(&t, body);
    message_end(&t);
    return text_take(&t);
}

static void test_lies(Test *t) {
    static const struct {
        const char *body, *says;
    } lies[] = {
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return I\\n\ntask\t2\t0 0 3 3000\n", "does not do"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return vmirror(I)\\n\ntask\t2\t0 0 0 999\n",
         "does not do"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return vmirror(I)\\n\ntask\t2\t0 0 1 1999\n",
         "does not do"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return size(I)\\n\ntask\t2\t0 0 0 1\n", "does not do"},
        {"found\t0\t1\t0\nprogram\tdef other(I):\\n    return I\\n\ntask\t2\t0 0 0 1\n", "one program"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return nothing(I)\\n\n", "nothing"},
        {"found\t0\t1\t0\nprogram\timport os\n", "one program"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return I\\n\ntask\t999\t0 0 0 1\n", "0 to"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return I\\n\ntask\t2\t1 0 0 1\n", "a candidate"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return I\\n\ntask\t2\t0 99999 0 1\n", "a candidate"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return I\\n\ntask\t2\t0 0 0 99999\n", "a candidate"},
        {"found\t0\t1\t0\nprogram\tdef solve(I):\\n    return I\\n\ntask\t2\t0 0 0 1\ntask\t1\t0 0 0 1\n",
         "each task once"},
        {"found\t1\t1\t0\n", "round 1"},
        {"found\t0\t0\t0\n", "not whole"},
        {"found\t0\t1\t-1\n", "0 to"},
        {"found\t0\t1\n", "what was found"},
        {"", "what was found"},
        {"task\t2\t0 0 0 1\n", "what was found"},
        {"found\t0\t1\t0\nodd\n", "a task"},
        {"found\t0\t1\t0\ntask\t2\t0 0 0\n", "a candidate"},
        {"found\t0\t1\t0\ntask\t2\tone\n", "whole numbers"},
    };
    check_begin(t->k, "what a worker says is not believed");
    Begun b = {0};
    for (size_t n = 0; n < sizeof lies / sizeof *lies; n++) {
        b = begin(t, (ts_iterate_options){.threads = 1, .slots = 2, .strategy = TS_CARDS}, false);
        char *lie = forge(b.result, lies[n].body);
        const bool taken = ts_iterate_take(b.loop, b.number, lie, strlen(lie), &t->s);
        check(t->k, !taken && t->s.code == TS_INPUT && strstr(t->s.message, lies[n].says), "lie %zu: %s", n,
              t->s.message);
        free(lie);
        // It is given out again, and taken when it is true.
        uint64_t number = 99;
        char *again = ts_iterate_give(b.loop, &number, &t->s);
        check(t->k, again && number == b.number && strcmp(again, b.order) == 0, "it is not given out again");
        check(t->k, ts_iterate_take(b.loop, number, b.result, strlen(b.result), &t->s), "%s", t->s.message);
        check(t->k, ts_iterate_count(b.loop).rounds == 1 && ts_iterate_count(b.loop).solved == t->count,
              "%zu solved", ts_iterate_count(b.loop).solved);
        free(again);
        end(t, &b);
    }
    check_end(t->k);
}

static void test_large(Test *t) {
    check_begin(t->k, "a result that is too large is refused");
    Begun b = begin(t, (ts_iterate_options){.threads = 1}, false);
    Text large = {0};
    text_add(&large, b.result);
    while (large.length <= 64 << 20) text_put(&large, b.result, strlen(b.result));
    check(t->k,
          !ts_iterate_take(b.loop, b.number, large.data, large.length, &t->s) &&
              strstr(t->s.message, "too large"),
          "%s", t->s.message);
    text_free(&large);
    end(t, &b);
    check_end(t->k);
}

static void test_lost(Test *t) {
    check_begin(t->k, "a round that is lost three times is given up, and the others go on");
    Begun b = begin(t, (ts_iterate_options){.threads = 1, .slots = 2, .strategy = TS_CARDS}, true);
    uint64_t number;
    for (int n = 0; n < 3; n++) {
        check(t->k, ts_iterate_lose(b.loop, b.number, "it died", false, &t->s) == (n < 2), "%d times", n);
        free(n < 2 ? ts_iterate_give(b.loop, &number, &t->s) : NULL);
    }
    check(t->k, strstr(t->s.message, "round 0 was given up") && strstr(t->s.message, "it died"), "%s",
          t->s.message);
    check(t->k, ts_iterate_count(b.loop).rounds == 1 && !ts_iterate_count(b.loop).tried, "it does not count");
    check(t->k,
          ts_iterate_lose(b.loop, 0, "again", false, &t->s) && !ts_iterate_lose(b.loop, 99, "", false, &t->s),
          "what is not under way was lost");
    check(t->k, ts_iterate_take(b.loop, 0, b.result, strlen(b.result), &t->s), "it came too late: %s",
          t->s.message);
    check(t->k, !ts_iterate_take(b.loop, 3, b.result, strlen(b.result), &t->s) && t->s.code == TS_USAGE,
          "what was never given out was taken");
    free(b.order);
    b.order = ts_iterate_give(b.loop, &number, &t->s);
    free(b.result);
    b.result = b.order ? iterate_do(b.order, strlen(b.order), b.stock, 1, NULL, &t->s) : NULL;
    check(t->k,
          b.result && number == 1 && ts_iterate_take(b.loop, 1, b.result, strlen(b.result), &t->s) &&
              ts_iterate_count(b.loop).rounds == 2,
          "%s", t->s.message);
    end(t, &b);
    check_end(t->k);
}

static ts_stop stop;

static void test_stopped(Test *t) {
    check_begin(t->k, "what is stopped or has no time ends, and goes on");
    Begun b = begin(t, (ts_iterate_options){.threads = 1, .slots = 3, .stop = &stop}, true);
    uint64_t number;
    ts_stop_set(&stop, true);
    char *none = iterate_do(b.order, strlen(b.order), b.stock, 1, &stop, &t->s);
    check(t->k, !none && t->s.code == TS_SYSTEM && strstr(t->s.message, "stopped"), "%s", t->s.message);
    check(t->k, ts_iterate_is_over(b.loop) && !ts_iterate_give(b.loop, &number, &t->s) && !t->s.code,
          "it is not over");
    check(t->k, ts_iterate_take(b.loop, b.number, b.result, strlen(b.result), &t->s), "%s", t->s.message);
    check(t->k, ts_iterate_end(b.loop, &t->s) && !ts_iterate_count(b.loop).rounds, "%s", t->s.message);
    ts_stop_set(&stop, false);
    // The time is over, with results that were there before their turn.
    check(t->k, ts_iterate_begin(b.loop, 0, 1e6, &t->s), "%s", t->s.message);
    for (int n = 0; n < 3; n++) {
        char *order = ts_iterate_give(b.loop, &number, &t->s), *result = NULL;
        check(t->k, order && strstr(order, "\nwithin\t"), "an order does not say how long it may take");
        char *text = ts_iterate_stock(b.loop);
        IterateStock *stock = iterate_stock_read(text, strlen(text), &t->s);
        result = iterate_do(order, strlen(order), stock, 1, NULL, &t->s);
        check(t->k, result, "%s", t->s.message);
        if (n && result)
            check(t->k, ts_iterate_take(b.loop, number, result, strlen(result), &t->s), "%s", t->s.message);
        iterate_stock_free(stock);
        free(text);
        free(order);
        free(result);
    }
    check(t->k, !ts_iterate_count(b.loop).rounds && !ts_iterate_is_over(b.loop),
          "it did not wait for the first");
    b.loop->seconds = 1e-9;
    check(t->k, ts_iterate_is_over(b.loop) && ts_iterate_end(b.loop, &t->s) && !b.loop->rounds, "%s",
          t->s.message);
    check(t->k, ts_iterate_count(b.loop).rounds == 2, "what was back does not count");
    check(t->k, ts_iterate_run(b.loop, 2, 0, NULL, NULL, &t->s), "%s", t->s.message);
    iterate_stock_free(b.stock);
    ts_iterate_free(b.loop);
    free(b.order);
    free(b.result);
    close_pool(t);
    check_end(t->k);
}

// ---- Damage ----

static void damage(Test *t, Text *text) {
    for (uint32_t n = 1 + rng_below(&t->rng, 4); n-- && text->length;) {
        const size_t at = rng_below(&t->rng, (uint32_t)text->length);
        const uint32_t how = rng_below(&t->rng, 5), most = (uint32_t)(text->length - at);
        const size_t piece = 1 + rng_below(&t->rng, most < 40 ? most : 40);
        if (how == 0) text->data[at] ^= (char)(1 << rng_below(&t->rng, 8));
        else if (how == 1) text->data[at] = "0123456789\t\n -=\\"[rng_below(&t->rng, 16)];
        else if (how == 2 && !rng_below(&t->rng, 4)) text->length = at;
        else if (how == 3) { // a piece is taken out
            memmove(text->data + at, text->data + at + piece, text->length - at - piece);
            text->length -= piece;
        } else { // it comes twice
            Text twice = {0};
            text_put(&twice, text->data, at + piece);
            text_put(&twice, text->data + at, text->length - at);
            text_free(text);
            *text = twice;
        }
        if (text->data) text->data[text->length] = 0;
    }
}

// The same text, damaged behind its first line, with an end that is right, or as it came out.
static Text damaged(Test *t, const char *from, bool ends) {
    Text text = {0}, whole = {0};
    const size_t head = (size_t)(strchr(from, '\n') + 1 - from), all = strlen(from);
    const size_t body = all - head - 21; // but for the end
    text_put(&text, from + head, body);
    damage(t, &text);
    text_put(&whole, from, head);
    text_put(&whole, text.data, text.length);
    if (ends) message_end(&whole);
    else text_put(&whole, from + all - 21, 21);
    text_free(&text);
    return whole;
}

static void test_damage(Test *t) {
    check_begin(t->k, "texts that were damaged do no harm");
    for (int strategy = 0; strategy < 2; strategy++) {
        Begun b =
            begin(t, (ts_iterate_options){.threads = 1, .slots = 2, .strategy = (ts_strategy)strategy}, true);
        char *text = ts_iterate_stock(b.loop);
        const uint64_t rounds = ts_iterate_count(b.loop).rounds;
        for (int n = 0; n < 300; n++) {
            const bool ends = n % 4;
            Text stock = damaged(t, text, ends), result = damaged(t, b.result, ends);
            IterateStock *read = n % 10 ? NULL : iterate_stock_read(stock.data, stock.length, &t->s);
            check(t->k, ends || !read, "a damaged stock was taken");
            iterate_stock_free(read);
            if (!ends) {
                Text order = damaged(t, b.order, false);
                char *done = iterate_do(order.data, order.length, b.stock, 1, NULL, &t->s);
                check(t->k, !done || strcmp(order.data, b.order) == 0, "a damaged order was done");
                free(done);
                text_free(&order);
            }
            // Whatever it says: it is refused, or does no harm.
            IterateRound *r = &b.loop->rounds[b.number % 2];
            IterateFound *found = iterate_read_found(b.loop, r, result.data, result.length, &t->s);
            check(t->k, ends || !found || strcmp(result.data, b.result) == 0, "a damaged result was taken");
            if (found) iterate_check(b.loop, r, found, &t->s);
            iterate_found_free(found);
            text_free(&stock);
            text_free(&result);
        }
        check(t->k, ts_iterate_count(b.loop).rounds == rounds, "a round was merged");
        free(text);
        end(t, &b);
    }
    check_end(t->k);
}

// Orders with an end that is right: they are done as far as they make sense, which takes a while.
static void test_orders(Test *t) {
    check_begin(t->k, "any order is done or refused");
    static const char grow[] =
        "round\t5\tgrow\t7\t60\t0\nbars\t- - 0 = 3 17 2\ndonors\tdef solve_0(I):\\n    "
        "return vmirror(I)\\n\nvisit\t1\t200000\t0 1\nvisit\t2\t100000\t\nvisit\t0\t30000\t1 "
        "0\nwithin\t0.2\n";
    static const char *const refused[][2] = {
        {"round\t5\tgrow\t7\t60\t0\nbars\t\n", "the order is not whole"},
        {"round\t5\tgrow\t7\t60\t0\nvisit\t1\t200000\t\n", "the order is not whole"},
        {"round\t5\tdeal\t7\t60\t0\nbars\t\n", "the order is not whole"},
        {"round\t5\tgrow\t7(1\t60\t0\n", "a whole number"},
        {"round\t5\tgrow\t\t60\t0\n", "a whole number"},
        {"round\t5\tgrow\t-7\t60\t0\n", "a whole number"},
        {"round\t5\tgrow\t99999999999999999999\t60\t0\n", "a whole number"},
    };
    Begun b = begin(t, (ts_iterate_options){.threads = 1}, true);
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        char *order = forge(b.order, refused[n][0]);
        check(t->k,
              !iterate_do(order, strlen(order), b.stock, 1, NULL, &t->s) &&
                  strstr(t->s.message, refused[n][1]),
              "%zu: %s", n, t->s.message);
        free(order);
    }
    char *sample = forge(b.order, grow);
    char *done = iterate_do(sample, strlen(sample), b.stock, 1, NULL, &t->s);
    check(t->k, done && strstr(done, "\nfound\t5\t"), "%s", t->s.message);
    free(done);
    for (int n = 0; n < 120; n++) {
        Text order = damaged(t, n % 3 ? sample : b.order, true);
        done = iterate_do(order.data, order.length, b.stock, 1, NULL, &t->s);
        check(t->k, done || t->s.message[0], "it fails without a word");
        free(done);
        text_free(&order);
    }
    free(sample);
    end(t, &b);
    check_end(t->k);
}

int main(int count, char **arguments) {
    Checks k = {0};
    Test t = {.k = &k};
    t.tasks = ts_tasks_read("tasks", NULL, false, NULL, NULL, &t.s);
    if (!t.tasks) return 1;
    t.count = ts_tasks_count(t.tasks);
    t.chosen = calloc(t.count, sizeof *t.chosen);
    for (size_t n = 0; t.chosen && n < t.count; n++) t.chosen[n] = ts_tasks_at(t.tasks, n);
    const uint64_t first = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    const uint64_t last = count > 2 ? strtoull(arguments[2], NULL, 10) : first;
    for (t.seed = first; t.seed <= last; t.seed++) {
        t.rng.state = t.seed;
        test_same(&t);
        test_evolving(&t);
        test_lies(&t);
        test_large(&t);
        test_lost(&t);
        test_stopped(&t);
        test_damage(&t);
        test_orders(&t);
    }
    free(t.chosen);
    ts_tasks_free(t.tasks);
    return check_summary(&k);
}
