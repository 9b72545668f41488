// tessera-mpi: `tessera solve` and `tessera iterate`, with the work done by all ranks of an MPI job.
//
// Rank 0 runs the command: it reads the tasks, gives out orders, takes results, and writes the submission,
// the journal, the pool. Each rank, rank 0 too, has a thread that does orders (hand.c), and a main thread
// that carries messages: so nobody waits for a rank that is busy, and MPI is called by one thread alone. A
// rank has up to two orders, so that it need not wait for the next one; with a budget one, for what lies
// there waits.
//
// Main threads look for messages every millisecond in place of waiting for them: MPI waits by turning round
// and round, which would take the processor from the thread that works.
//
// Nothing of the job outlives the death of a rank, as MPI has it; what was done is in the journal or the
// pool, and the same command goes on from there with any number of ranks. A rank that hangs, or whose machine
// does, would hold up all others for ever: each says now and then that it is alive, whatever its order takes,
// and rank 0 ends the job where one does not.
#include <malloc.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "hand.h"

extern const CliCommand cmd_solve, cmd_iterate;
const CliGroup cli_groups[] = {{"Search with all ranks of a job", {&cmd_solve, &cmd_iterate}}, {NULL}};
const char cli_program[] = "tessera-mpi";
const char *const cli_lacks[] = {"threads", "device", "profile", NULL};

enum {
    MOST_AHEAD = 2, // orders that a rank has
    NAP_US = 1000,
    LOOK_MS = 100,    // between two looks at files and progress
    PATIENCE_S = 600, // that a rank may say nothing
    BEATS = 30,       // that it has in this time to say something
    BUILD_BYTES = 64,
    KEPT_BYTES = 256 << 20,  // that are free, at the most
    MAPPED_BYTES = 32 << 20, // and more at once are not among them
};

static double patience_ms(void) {
    const char *text = getenv("TESSERA_MPI_PATIENCE"); // seconds
    const double seconds = text ? strtod(text, NULL) : 0;
    return 1000 * (seconds > 0 ? seconds : PATIENCE_S);
}

static const char *words_of(const Message *m) { return m->text ? m->text : "not enough memory"; }

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = NAP_US * 1000}, NULL); }

// ---- What gives out the work ----

typedef struct {
    void *of;
    int ahead; // orders for a rank
    char *(*give)(void *of, int workers, uint64_t *number, ts_status *s);
    char *(*stock)(const void *of);
    bool (*take)(void *of, uint64_t number, const char *text, ts_status *s); // false: there is no going on
    bool (*lose)(void *of, uint64_t number, const char *why, ts_status *s);  // likewise
    bool (*is_over)(const void *of);
    void (*look)(void *of, const void *watch); // at progress and files
    const void *watch;
} Source;

// ---- Rank 0 ----

// A message on its way to another rank.
typedef struct Sent {
    MPI_Request request;
    char *text; // its own; NULL: it is shared
    struct Sent *next;
} Sent;

typedef struct {
    uint64_t numbers[MOST_AHEAD]; // of the orders that it has, the first one first
    int count;
    bool has_stock;
    double silent_ms; // since it said something, as rank 0 counts: while all are held up nobody is silent
} Rank;

typedef struct {
    int size;
    Rank *ranks;
    Hand *hand; // rank 0's own
    Sent *sent;
    char *stock;
    bool is_hungry; // a rank would take more than there was
    ts_status status;
    bool failed;
    uint64_t orders, bytes_out, bytes_back; // so far
    double ms;                              // that giving out and taking have taken
} Office;

static bool give_up(Office *o, const char *why) {
    if (!o->failed) {
        o->failed = true;
        if (!o->status.message[0]) {
            o->status.code = TS_SYSTEM;
            snprintf(o->status.message, sizeof o->status.message, "%s", why);
        }
    }
    return false;
}

static bool send_text(Office *o, int rank, MessageKind kind, char *text, bool owned) {
    Sent *sent = calloc(1, sizeof *sent);
    const size_t length = strlen(text);
    if (!sent || length > INT32_MAX) {
        free(sent);
        if (owned) free(text);
        return give_up(o, "not enough memory to send an order");
    }
    MPI_Isend(text, (int)length, MPI_CHAR, rank, (int)kind, MPI_COMM_WORLD, &sent->request);
    sent->text = owned ? text : NULL;
    sent->next = o->sent;
    o->sent = sent;
    return true;
}

// Frees what has arrived.
static void tidy(Office *o) {
    for (Sent **at = &o->sent; *at;) {
        Sent *s = *at;
        int done;
        MPI_Test(&s->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s->text);
        free(s);
    }
}

static bool put(Office *o, int rank, MessageKind kind, char *text, bool owned) {
    o->bytes_out += strlen(text); // also what rank 0 has for itself, as with what comes back
    if (rank) return send_text(o, rank, kind, text, owned);
    char *mine = owned ? text : strdup(text);
    return (mine && hand_put(o->hand, kind, mine)) || give_up(o, "not enough memory for an order");
}

// Gives a rank as much as it may have. False: nothing is left now, or it failed.
static bool feed(Office *o, const Source *source, int rank, int most) {
    Rank *r = &o->ranks[rank];
    while (r->count < most) {
        uint64_t number;
        char *order = source->give(source->of, o->size, &number, &o->status);
        if (!order) {
            if (o->status.message[0]) give_up(o, "");
            o->is_hungry = true;
            return false;
        }
        if (!r->has_stock && o->stock[0] && !put(o, rank, MESSAGE_STOCK, o->stock, false)) return false;
        r->has_stock = true;
        r->numbers[r->count++] = number;
        o->orders++;
        if (!put(o, rank, MESSAGE_ORDER, order, true)) return false;
    }
    return true;
}

static void feed_all(Office *o, const Source *source) {
    o->is_hungry = false;
    for (int most = 1; most <= source->ahead; most++)
        for (int rank = 0; rank < o->size; rank++)
            if (!feed(o, source, rank, most)) return;
}

// What a rank says, mostly of the first of its orders.
static void hear(Office *o, const Source *source, int rank, MessageKind kind, const char *text) {
    Rank *r = &o->ranks[rank];
    r->silent_ms = 0;
    if (kind == MESSAGE_ALIVE || !r->count) return; // or nobody asked
    const uint64_t number = r->numbers[0];
    memmove(r->numbers, r->numbers + 1, (size_t)--r->count * sizeof *r->numbers);
    o->bytes_back += strlen(text);
    const bool good = kind == MESSAGE_RESULT ? source->take(source->of, number, text, &o->status)
                                             : source->lose(source->of, number, text, &o->status);
    if (!good) give_up(o, "");
    else if (o->is_hungry) feed_all(o, source);
    else feed(o, source, rank, source->ahead);
}

static char *receive(MPI_Status *status) {
    int length;
    MPI_Get_count(status, MPI_CHAR, &length);
    char *text = malloc((size_t)length + 1);
    if (!text) MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    MPI_Recv(text, length, MPI_CHAR, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    text[length] = 0;
    return text;
}

// Hears what has come, of each rank once in the mean: where more comes all the time there is still something
// else to be done. False: nothing has come.
static bool hear_some(Office *o, const Source *source) {
    bool any = false;
    int come;
    MPI_Status status;
    Message *m = hand_get(o->hand);
    if (m) {
        hear(o, source, 0, m->kind, words_of(m));
        free(m->text);
        free(m);
        any = true;
    }
    for (int n = 1; n < o->size && !o->failed; n++) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &come, &status);
        if (!come) break;
        char *text = receive(&status);
        hear(o, source, status.MPI_SOURCE, (MessageKind)status.MPI_TAG, text);
        free(text);
        any = true;
    }
    return any;
}

// Ends the job where a rank has said nothing for too long.
static void look_after_ranks(Office *o) {
    for (int rank = 1; rank < o->size; rank++) {
        if ((o->ranks[rank].silent_ms += LOOK_MS) < patience_ms()) continue;
        cli_say("rank %d has not answered for %g s: the job is ended, and the same command goes on from here",
                rank, patience_ms() / 1000);
        MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    }
}

// Tells the others, once, that there is no more to come. What they say until they have heard it comes too
// late, but somebody has to listen: who sends waits for that. False: one does not answer.
static bool end_ranks(int size) {
    static bool have_ended, all_answer = true;
    double silent_ms = 0;
    if (have_ended) return all_answer;
    have_ended = true;
    for (int rank = 1; rank < size; rank++) MPI_Send("", 0, MPI_CHAR, rank, MESSAGE_END, MPI_COMM_WORLD);
    for (int left = size - 1; left > 0 && all_answer;) {
        MPI_Status status;
        int come;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &come, &status);
        if (!come) {
            nap();
            all_answer = (silent_ms += NAP_US / 1e3) < patience_ms();
            continue;
        }
        free(receive(&status));
        silent_ms = 0;
        left -= status.MPI_TAG == MESSAGE_BYE;
    }
    return all_answer;
}

// Has the work of a source done by all ranks.
static bool run(const Source *source, ts_status *s) {
    Office o = {.hand = hand_new()};
    MPI_Comm_size(MPI_COMM_WORLD, &o.size);
    o.ranks = calloc((size_t)o.size, sizeof *o.ranks);
    o.stock = source->stock(source->of);
    double looked = clock_ms();
    if (!o.hand || !o.ranks || !o.stock) give_up(&o, "not enough memory to give out the work");
    else {
        source->look(source->of, source->watch);
        feed_all(&o, source);
    }
    while (!o.failed && !source->is_over(source->of)) {
        const double start = clock_thread_ms();
        const bool any = hear_some(&o, source);
        tidy(&o);
        if (any) o.ms += clock_thread_ms() - start;
        if (clock_ms() - looked >= LOOK_MS) {
            source->look(source->of, source->watch);
            look_after_ranks(&o);
            looked = clock_ms();
        }
        if (!any) nap();
    }
    for (const bool all = end_ranks(o.size); all && o.sent; nap()) tidy(&o);
    hand_free(o.hand);
    if (getenv("TESSERA_MPI_COUNTS"))
        fprintf(stderr, "tessera-mpi: %llu orders, %llu bytes out, %llu back, %.1f ms at rank 0\n",
                (unsigned long long)o.orders, (unsigned long long)o.bytes_out,
                (unsigned long long)o.bytes_back, o.ms);
    *s = o.status;
    free(o.ranks);
    free(o.stock);
    return !o.failed;
}

// ---- Solving ----

static char *solver_give(void *of, int workers, uint64_t *number, ts_status *s) {
    return ts_solver_give(of, workers, number, s);
}
static char *solver_stock(const void *of) { return ts_solver_stock(of); }
static bool solver_is_over(const void *of) { return ts_solver_is_over(of); }

// What is no result counts as lost, and the solver has taken note of it.
static bool solver_take(void *of, uint64_t number, const char *text, ts_status *s) {
    ts_status ignored;
    (void)s;
    ts_solver_take(of, number, text, strlen(text), &ignored);
    return true;
}

static bool solver_lose(void *of, uint64_t number, const char *why, ts_status *s) {
    (void)s;
    ts_solver_lose(of, number, why, true);
    return true;
}

typedef struct {
    ts_solver_watch *watch;
    void *user;
} SolverWatch;

static void solver_look(void *of, const void *watch) {
    const SolverWatch *w = watch;
    ts_solver_watch_over(of, w->watch, w->user);
}

static bool solve(ts_solver *solver, ts_solver_watch *watch, void *user, ts_status *s) {
    const SolverWatch look = {watch, user};
    const Source source = {.of = solver,
                           .ahead = ts_solver_has_budget(solver) ? 1 : MOST_AHEAD,
                           .give = solver_give,
                           .stock = solver_stock,
                           .take = solver_take,
                           .lose = solver_lose,
                           .is_over = solver_is_over,
                           .look = solver_look,
                           .watch = &look};
    return run(&source, s) && ts_solver_end(solver, watch, user, s);
}

// ---- Iterating ----

typedef struct {
    ts_iterate *loop;
    ts_iterate_watch *watch;
    void *user;
    bool is_ended; // the watch says so
} Loop;

static char *loop_give(void *of, int workers, uint64_t *number, ts_status *s) {
    (void)workers;
    return ts_iterate_give(((Loop *)of)->loop, number, s);
}
static char *loop_stock(const void *of) { return ts_iterate_stock(((const Loop *)of)->loop); }
static bool loop_is_over(const void *of) {
    const Loop *l = of;
    return l->is_ended || ts_iterate_is_over(l->loop);
}

// What is wrong with one round is said, and the others go on.
static bool say(bool good, ts_status *s) {
    if (good || s->code == TS_SYSTEM) return good;
    cli_print_status(s);
    *s = (ts_status){0};
    return true;
}

static bool loop_take(void *of, uint64_t number, const char *text, ts_status *s) {
    return say(ts_iterate_take(((Loop *)of)->loop, number, text, strlen(text), s), s);
}

static bool loop_lose(void *of, uint64_t number, const char *why, ts_status *s) {
    return say(ts_iterate_lose(((Loop *)of)->loop, number, why, false, s), s);
}

static void loop_look(void *of, const void *unused) {
    Loop *l = of;
    (void)unused;
    const ts_iterate_counts counts = ts_iterate_count(l->loop);
    l->is_ended = l->watch && !l->watch(l->user, &counts);
}

static bool iterate(ts_iterate *loop, uint64_t rounds, double seconds, ts_iterate_watch *watch, void *user,
                    ts_status *s) {
    Loop l = {loop, watch, user, false};
    const Source source = {.of = &l,
                           .ahead = MOST_AHEAD,
                           .give = loop_give,
                           .stock = loop_stock,
                           .take = loop_take,
                           .lose = loop_lose,
                           .is_over = loop_is_over,
                           .look = loop_look};
    if (!ts_iterate_begin(loop, rounds, seconds, s)) return false;
    ts_status end;
    if (run(&source, s)) return ts_iterate_end(loop, s);
    ts_iterate_end(loop, &end);
    return false;
}

// ---- Other ranks ----

// Does orders until rank 0 has no more.
static void serve(void) {
    Hand *hand = hand_new();
    if (!hand) MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    double said = clock_ms();
    for (bool is_over = false; !is_over;) {
        MPI_Status status;
        int come;
        Message *m = hand_get(hand);
        if (m) {
            const char *words = words_of(m);
            MPI_Send(words, (int)strlen(words), MPI_CHAR, 0, (int)m->kind, MPI_COMM_WORLD);
            free(m->text);
            free(m);
        }
        if (clock_ms() - said > patience_ms() / BEATS) {
            MPI_Send("", 0, MPI_CHAR, 0, MESSAGE_ALIVE, MPI_COMM_WORLD);
            said = clock_ms();
        }
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &come, &status);
        if (!come) {
            if (!m) nap();
            continue;
        }
        char *text = receive(&status);
        is_over = status.MPI_TAG == MESSAGE_END;
        if (is_over) free(text);
        else if (!hand_put(hand, (MessageKind)status.MPI_TAG, text)) MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    }
    MPI_Send("", 0, MPI_CHAR, 0, MESSAGE_BYE, MPI_COMM_WORLD);
    hand_free(hand);
}

// ---- All ranks ----

// Whether all ranks have the same build; rank 0 says which has not.
static bool are_alike(int rank, int size) {
    char mine[BUILD_BYTES] = "", *all = rank ? NULL : calloc((size_t)size, BUILD_BYTES);
    snprintf(mine, sizeof mine, "%s, build %s", ts_version(), ts_build());
    if (!rank && !all) MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    MPI_Gather(mine, BUILD_BYTES, MPI_CHAR, all, BUILD_BYTES, MPI_CHAR, 0, MPI_COMM_WORLD);
    int alike = 1;
    for (int k = 1; k < size && all && alike; k++) {
        alike = strncmp(mine, all + (size_t)k * BUILD_BYTES, BUILD_BYTES) == 0;
        if (!alike)
            cli_say("rank %d has another tessera-mpi (%.63s) than rank 0 (%s): all must have the same", k,
                    all + (size_t)k * BUILD_BYTES, mine);
    }
    free(all);
    MPI_Bcast(&alike, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return alike;
}

int main(int argc, char **argv) {
    static const CliElsewhere all_ranks = {
        .solve = solve, .iterate = iterate, .is_trusted = true, .slots = 64};
    int rank, size, thread, code = EXIT_GOOD;
    // What an order leaves is for the next one: given back to the system, its pages come anew each time.
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &thread);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    // Rank 0 hears of Ctrl-C and tells the others.
    for (int k = 0; rank && k < 2; k++) signal(k ? SIGINT : SIGTERM, SIG_IGN);
    if (!are_alike(rank, size)) code = EXIT_USAGE;
    else if (rank) serve();
    else {
        code = cli_main(argc, argv, &all_ranks);
        if (!end_ranks(size)) MPI_Abort(MPI_COMM_WORLD, code); // all is written
    }
    MPI_Finalize();
    return code;
}
