// The pipe for program generators: lines of JSON in, an answer each, in order and as soon as input pauses.
//
// Each worker takes turns with the others at reading and at writing, and judges in between:
//
//     lock input, take some whole lines (a piece, numbered), unlock │ judge │ wait for the turn, write
//
// So there is no queue: at most one piece for each worker is under way, a reader that does not read holds the
// worker whose turn it is, then the others, and nothing more is read. A single line goes through at once.
//
// The first line is read when all threads are there and have given up their rights (base/sandbox.h).
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "base/threads.h"
#include "cli/cli.h"

enum {
    PIECE = 32 * 1024,                   // bytes of lines to be judged in one go
    BUFFER = TS_JUDGE_LINE + 256 * 1024, // more than the longest line
    SHOW_EVERY_MS = 200,
};

typedef struct {
    const ts_tasks *tasks;
    ts_judge_options options;
    // The input side:
    pthread_mutex_t input;
    char *buffer;
    size_t start, end; // what was read and not taken
    bool ended;        // there is no more to be read
    bool skipping;     // the rest of a line that is too long
    uint64_t line;     // that comes next
    size_t taken;      // pieces
    // The output side:
    pthread_mutex_t output;
    pthread_cond_t turn;
    size_t written; // pieces
    size_t judged, unread;
    bool cut;     // a line has no answer, so none after it has
    double begun; // ms; 0 before the first line
    CliProgress progress;
    bool sandbox, insists, sandboxed; // wanted, needed, there
    // Both:
    atomic_bool closed; // nobody reads the answers any more
    atomic_int code;    // of the first failure
} Pipe;

typedef struct {
    char text[BUFFER];
    size_t length;
    uint64_t line;
    size_t number;
} Piece;

// Set when the work is to end early; then a byte in the pipe wakes up whoever waits for input.
static ts_stop ending;
static int wake[2];

static void end_early(int signal) {
    (void)signal;
    int saved = errno;
    ts_stop_set(&ending, true);
    ssize_t written = write(wake[1], "", 1);
    (void)written; // where it is full there is a byte to be read already
    errno = saved;
}

static void fail(Pipe *p, const char *what, const char *why) {
    cli_say("%s%s%s", what, *why ? ": " : "", why);
    p->code = EXIT_SYSTEM;
    end_early(0);
}

// ---- Input ----

// Waits for input. False where there is nothing more to wait for.
static bool wait_for_input(Pipe *p) {
    struct pollfd on[] = {{STDIN_FILENO, POLLIN, 0}, {wake[0], POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    while (poll(on, 3, -1) < 0)
        if (errno != EINTR) return false;
    if (on[2].revents & POLLERR) p->closed = true;
    return !ts_stop_is_set(&ending) && !p->closed;
}

static void skip_line(Pipe *p) {
    char *newline = memchr(p->buffer + p->start, '\n', p->end - p->start);
    p->start = newline ? (size_t)(newline + 1 - p->buffer) : p->end;
    p->skipping = !newline;
}

// Reads what is there, at least something unless the input ends.
static void fill(Pipe *p) {
    memmove(p->buffer, p->buffer + p->start, p->end - p->start);
    p->end -= p->start;
    p->start = 0;
    if (!wait_for_input(p)) {
        p->end = 0; // what is half a line, interrupted, is none
        p->ended = true;
        return;
    }
    ssize_t n = read(STDIN_FILENO, p->buffer + p->end, BUFFER - p->end);
    if (n > 0) p->end += (size_t)n;
    else if (n == 0) p->ended = true;
    else if (errno != EINTR && errno != EAGAIN) {
        fail(p, "cannot read standard input", strerror(errno));
        p->ended = true;
    }
    if (p->skipping) skip_line(p);
}

// How many bytes of what was read make a piece: whole lines, a last line without an end, or so much of a line
// that is too long as to see that it is. 0: none yet.
static size_t piece_length(const Pipe *p) {
    const char *from = p->buffer + p->start;
    size_t n = p->end - p->start;
    const char *newline = memrchr(from, '\n', n < PIECE ? n : PIECE);
    if (!newline && n > PIECE) newline = memchr(from + PIECE, '\n', n - PIECE);
    if (newline && newline - from <= TS_JUDGE_LINE) return (size_t)(newline + 1 - from);
    if (n > TS_JUDGE_LINE) return TS_JUDGE_LINE + 1;
    return p->ended ? n : 0;
}

// Takes the next piece of input. False where there is none.
static bool take(Pipe *p, Piece *piece) {
    pthread_mutex_lock(&p->input);
    while (!(piece->length = piece_length(p)) && !p->ended) fill(p);
    if (ts_stop_is_set(&ending)) piece->length = 0;
    memcpy(piece->text, p->buffer + p->start, piece->length);
    p->start += piece->length;
    if (p->begun == 0) p->begun = clock_ms();
    piece->line = p->line;
    piece->number = p->taken;
    p->taken += piece->length > 0;
    for (size_t k = 0; k < piece->length; k++) p->line += piece->text[k] == '\n';
    if (piece->length && piece->text[piece->length - 1] != '\n') {
        p->line++;
        p->skipping = piece->length > TS_JUDGE_LINE;
        if (p->skipping) skip_line(p);
    }
    pthread_mutex_unlock(&p->input);
    return piece->length > 0;
}

// ---- Output ----

// False where nobody reads, or it cannot be written.
static bool write_all(Pipe *p, const char *text, size_t length) {
    while (length) {
        ssize_t n = write(STDOUT_FILENO, text, length);
        if (n >= 0) {
            text += n;
            length -= (size_t)n;
        } else if (errno == EAGAIN) {
            struct pollfd on = {STDOUT_FILENO, POLLOUT, 0};
            poll(&on, 1, -1);
        } else if (errno == EPIPE) {
            p->closed = true;
            end_early(0);
            return false;
        } else if (errno != EINTR) {
            fail(p, "cannot write the answers", strerror(errno));
            return false;
        }
    }
    return true;
}

static double per_second(const Pipe *p) {
    double ms = clock_ms() - p->begun;
    return ms > 0 ? (double)(p->judged + p->unread) / ms * 1000 : 0;
}

static void show(Pipe *p) {
    char text[160];
    snprintf(text, sizeof text, "%zu programs judged, %.0f a second, %zu could not be read", p->judged,
             per_second(p), p->unread);
    cli_progress_bar(&p->progress, -1, text); // nobody knows how many there will be
}

// Writes the answers to a piece when its turn has come. After a failure no more is written.
static void give(Pipe *p, const Piece *piece, const ts_judge_answers *answers) {
    pthread_mutex_lock(&p->output);
    while (p->written != piece->number) pthread_cond_wait(&p->turn, &p->output);
    if (!p->closed && !p->code && !p->cut && write_all(p, answers->text, answers->length)) {
        p->judged += answers->judged;
        p->unread += answers->unread;
        show(p);
    }
    p->cut |= answers->stopped;
    p->written++;
    pthread_cond_broadcast(&p->turn);
    pthread_mutex_unlock(&p->output);
}

// ---- The command ----

static void give_up_rights(Pipe *p) {
    const char *why = "";
    p->sandboxed = p->sandbox && sandbox_enter(&why);
    if (p->insists && !p->sandboxed) fail(p, "there is no sandbox to judge in", why);
    pthread_mutex_unlock(&p->input);
}

static void work(void *arg, int number) {
    Pipe *p = arg;
    ts_status s;
    if (number == 0) give_up_rights(p); // the others wait for input
    Piece *piece = malloc(sizeof *piece);
    ts_judge *judge = ts_judge_new(&p->options, &s);
    if (!piece || !judge) fail(p, "no memory for a judge", "");
    while (piece && judge && take(p, piece)) {
        ts_judge_answers answers = {0};
        if (!ts_judge_lines(judge, p->tasks, piece->text, piece->length, piece->line, &answers, &s))
            fail(p, s.message, "");
        give(p, piece, &answers);
    }
    ts_judge_free(judge);
    free(piece);
}

static ExitCode judge_all(Pipe *p, int threads) {
    if (p->sandbox) sandbox_close_files();
    // What is closed would become one end of the pipe below.
    if (fcntl(STDIN_FILENO, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0 ||
        pipe2(wake, O_CLOEXEC | O_NONBLOCK) < 0 || !(p->buffer = malloc(BUFFER))) {
        cli_say("cannot begin to judge: %s", strerror(errno));
        return EXIT_SYSTEM;
    }
    // A second Ctrl-C does not wait.
    struct sigaction action = {.sa_handler = end_early, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); // a closed output is seen when writing to it
    p->progress = cli_progress("judge", "programs");
    p->progress.on &= !isatty(STDOUT_FILENO);
    pthread_mutex_lock(&p->input);
    threads_run(threads, work, p);
    cli_progress_end(&p->progress);
    if (!p->closed && !p->code)
        fprintf(stderr, "%zu judged, %zu could not be read; %.0f lines a second%s\n", p->judged, p->unread,
                per_second(p), p->sandboxed ? ", in a sandbox" : "");
    return (ExitCode)p->code;
}

static ExitCode run(Cli *cli) {
    long threads = threads_processors(), units = 0;
    int problems = 0;
    ExitCode code = EXIT_GOOD;
    Pipe p = {.input = PTHREAD_MUTEX_INITIALIZER,
              .output = PTHREAD_MUTEX_INITIALIZER,
              .turn = PTHREAD_COND_INITIALIZER,
              .line = 1};
    if (cli->word_count) return cli_usage(cli, "the programs come on standard input, as lines of JSON");
    if (!cli_number(cli, "threads", 1, 256, &threads) ||
        !cli_number(cli, "units", 1, 1000L * 1000 * 1000 * 1000, &units) ||
        !cli_bytes(cli, "memory", &p.options.memory))
        return EXIT_USAGE;
    p.options.units = (uint64_t)units;
    p.options.stop = &ending;
    p.options.tests = cli_has(cli, "tests");
    p.options.no_scores = cli_has(cli, "no-scores");
    p.options.errors = cli_has(cli, "errors");
    p.options.outputs = cli_has(cli, "outputs");
    p.sandbox = !cli_has(cli, "no-sandbox");
    p.insists = cli_has(cli, "sandbox");
    if (p.insists && !p.sandbox) return cli_usage(cli, "give either --sandbox or --no-sandbox");
    ts_tasks *tasks = cli_tasks(cli, &problems, &code);
    if (!tasks) return code;
    p.tasks = tasks;
    code = judge_all(&p, (int)threads);
    free(p.buffer);
    ts_tasks_free(tasks);
    return code || !problems ? code : EXIT_INPUT;
}

const CliCommand cmd_judge = {
    .name = "judge",
    .arguments = "[--tasks PATH] [--split NAME] <PROGRAMS.jsonl",
    .summary = "run programs from a generator as they come, an answer for each",
    .help =
        "Reads lines of JSON on standard input and writes one line for each, in order, as soon as input "
        "pauses:\n"
        "\n"
        "  {\"id\": 7, \"task\": \"turn_by_frame\", \"program\": \"def solve(I):\\n    return "
        "compress(I)\\n\"}\n"
        "  {\"id\": 7, \"task\": \"turn_by_frame\", \"right\": [false, false, false, false], \"score\": "
        "1840, "
        "\"scores\": [152, 703, 844, 141], \"failures\": [], \"units\": 466}\n"
        "\n"
        "  id        any text, number, true, false or null; given back as it was written. Without one the "
        "answer\n"
        "            has \"line\", the number of the line, in its place\n"
        "  task      the id of one of the tasks\n"
        "  program   the text of one program, def NAME(I): … or def NAME(S, I, C): …\n"
        "  outputs   true: the answer has the grids, too\n"
        "  errors    true: the answer says what is wrong, too\n"
        "\n"
        "  right     for each demo; with --tests tests_right for each test, null where the solution is "
        "unknown\n"
        "  scores    for each demo 0 (no better than the input) to 1000 (right); score is their sum\n"
        "  failures  {\"demo\" or \"test\": number, \"kind\": as in `tessera run`, \"line\": of the "
        "program}\n"
        "  units     work, of all samples\n"
        "  outputs   for each demo what the program gave: a grid; {\"height\", \"width\"} of one with more "
        "than\n"
        "            30 rows or columns (127 where the task has such grids); null where it is no grid. With\n"
        "            --tests tests_outputs for each test\n"
        "  error     instead of all these: {\"kind\": what is wrong, \"line\", \"task\" or \"program\"; "
        "\"message\";\n"
        "            \"line\" and \"column\" in the program, or \"column\" in the line of JSON}\n"
        "  errors    all that is wrong, where it is asked for: {\"stage\": \"read\", \"run\" or \"answer\"; "
        "\"kind\"; \"demo\"\n"
        "            or \"test\"; \"line\", \"column\"; \"primitive\", \"argument\", what it was \"given\"; "
        "\"message\"; \"remedy\"}\n"
        "  prompt    the same as one text for the model that wrote the program, \"\" where nothing is wrong\n"
        "\n"
        "A line may have 1 MiB. Blank lines are passed over. What a program may do is bounded by units, not "
        "by\n"
        "time, so the answers are the same on every machine, whatever --threads says.\n"
        "\n"
        "When the tasks are read the process gives up its rights, where the system can take them (Linux): "
        "it opens\n"
        "no file and no socket, starts nothing, touches no other process. The last line on stderr says "
        "whether it did.",
    .options = {CLI_TASK_OPTIONS,
                {"threads", "N", "threads; else one for each processor"},
                {"outputs", NULL, "give the grids with every answer"},
                {"errors", NULL, "say what is wrong with every program, in words"},
                {"tests", NULL, "run the programs on the tests, too"},
                {"no-scores", NULL, "only what is right: no partial scores"},
                {"units", "N", "work units that a program may spend on a sample (250000)"},
                {"memory", "BYTES", "memory that it may take there, such as 64M, which is what it has"},
                {"sandbox", NULL, "judge nothing where the process cannot give up its rights"},
                {"no-sandbox", NULL, "keep all rights, and inherited files open"}},
    .run = run,
};
