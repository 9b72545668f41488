// The pool of programs: what goes in, what is in it, what comes out. `tessera pool ACTION …`.
//
// What an action prints of a program is program text with its facts in comments, so that all of it can be
// read again; with --json it is data.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/replace.h"
#include "base/utf8.h"
#include "cli/cli.h"

#define DEFAULT_POOL "pool.db"
enum { MOST = 1000 * 1000 * 1000 };

static const char *pool_path(const Cli *cli) {
    const char *path = cli_value(cli, "pool");
    return path ? path : DEFAULT_POOL;
}

static ts_pool *open_pool(const Cli *cli, ts_pool_mode mode, ExitCode *code) {
    ts_status s;
    ts_pool *pool = ts_pool_open(pool_path(cli), mode, &s);
    if (!pool) *code = cli_fail(&s);
    return pool;
}

// ---- One program ----

// A text of the pool inside a comment: whatever it holds, the comment does not end there.
static void add_clean(Text *t, const char *text) {
    const size_t length = strlen(text);
    for (size_t k = 0, n; k < length; k += n) {
        n = utf8_printable((const unsigned char *)text + k, length - k);
        if (n) text_put(t, text + k, n);
        else n = 1, text_char(t, ' ');
    }
}

static void add_score(Text *t, const char *task, const ts_pool_score *s) {
    add_clean(t, task);
    text_print(t, ": %d/%d demos, %d/%d tests, score %lld/%lld", s->demos_right, s->demos, s->tests_right,
               s->tests, (long long)s->score, 1000LL * s->demos);
    if (s->confidence > 0) text_print(t, ", confidence %.2f", s->confidence);
}

static void add_facts(Text *t, const ts_pool_entry *e) {
    add_clean(t, e->hash);
    text_print(t, ": %zu line%s, %llu units; ", e->size, e->size == 1 ? "" : "s",
               (unsigned long long)e->units);
    if (e->task) add_score(t, e->task, &e->score);
    else text_add(t, "no score");
    if (e->wins > 1) text_print(t, ", solves %zu tasks", e->wins);
    text_add(t, "; ");
    add_clean(t, e->origin);
}

// Text of the program, after a line of facts.
static void add_program(Text *t, const ts_pool_view *v, size_t k) {
    char *text = ts_programs_print(v->programs, (size_t)v->entries[k].program);
    t->failed |= !text;
    text_add(t, "# ");
    add_facts(t, &v->entries[k]);
    text_print(t, "\n%s", text ? text : "");
    free(text);
}

static void add_score_json(Text *t, const char *task, const ts_pool_score *s) {
    text_add(t, "\"task\": ");
    text_json(t, task);
    text_print(t, ", \"demos_right\": %d, \"demos\": %d, \"tests_right\": %d, \"tests\": %d, \"score\": %lld",
               s->demos_right, s->demos, s->tests_right, s->tests, (long long)s->score);
    if (s->confidence > 0) text_print(t, ", \"confidence\": %.3f", s->confidence);
    if (s->behaviour) text_print(t, ", \"behaviour\": \"%016llx\"", (unsigned long long)s->behaviour);
    if (s->answers) text_print(t, ", \"answers\": \"%016llx\"", (unsigned long long)s->answers);
    for (int k = 0; s->each && k < s->demos && k < TS_POOL_DEMOS; k++)
        text_print(t, "%s%s", k ? ", " : ", \"right\": [", s->right_on >> k & 1 ? "true" : "false");
    for (int k = 0; s->each && k < s->demos && k < TS_POOL_DEMOS; k++)
        text_print(t, "%s%d", k ? ", " : "], \"points\": [", s->points[k]);
    if (s->each) text_char(t, ']');
}

// The facts as members of an object, without the closing bracket.
static void add_json(Text *t, const ts_pool_view *v, size_t k, bool with_text) {
    const ts_pool_entry *e = &v->entries[k];
    text_add(t, "{\"hash\": ");
    text_json(t, e->hash);
    text_add(t, ", \"name\": ");
    text_json(t, e->name);
    text_print(
        t,
        ", \"lines\": %zu, \"units\": %llu, \"wins\": %zu, \"pinned\": %s, \"round\": %llu, \"made\": %lld",
        e->size, (unsigned long long)e->units, e->wins, e->pinned ? "true" : "false",
        (unsigned long long)e->round, (long long)e->made);
    text_add(t, ", \"origin\": ");
    text_json(t, e->origin);
    if (e->task) {
        text_add(t, ", ");
        add_score_json(t, e->task, &e->score);
    }
    if (!with_text) return;
    char *text = ts_programs_print(v->programs, (size_t)v->entries[k].program);
    t->failed |= !text;
    text_add(t, ", \"text\": ");
    text_json(t, text ? text : "");
    free(text);
}

// ---- Out of the pool ----

typedef ExitCode Use(const Cli *cli, ts_pool *pool, const ts_pool_view *view);

static void leave_out_unread(ts_pool_view *view) {
    size_t count = 0;
    for (size_t k = 0; k < view->count; k++)
        if (view->entries[k].program >= 0) view->entries[count++] = view->entries[k];
    view->count = count;
}

// Loads what the query and the options ask for, and hands it on.
static ExitCode with_programs(const Cli *cli, ts_pool_query query, bool with_texts, Use *use) {
    ts_status s;
    ExitCode code = EXIT_GOOD;
    int problems = 0;
    long limit = (long)query.limit;
    if (!cli_number(cli, "limit", 1, MOST, &limit)) return EXIT_USAGE;
    query.limit = (size_t)limit;
    query.solved = cli_has(cli, "solved");
    query.confidence = true;
    if (!query.task) query.task = cli_value(cli, "task");
    ts_pool *pool = open_pool(cli, TS_POOL_READ, &code);
    if (!pool) return code;
    ts_pool_view view = {0};
    bool good = ts_pool_load(pool, &query, &view, &s) &&
                (!with_texts || ts_pool_read(pool, &view, NULL, 0, cli_report, &problems, &s));
    if (problems) leave_out_unread(&view);
    if (!good) code = cli_fail(&s);
    else if (!problems || view.count) code = use(cli, pool, &view);
    ts_pool_view_free(&view);
    ts_pool_close(pool);
    return code ? code : problems ? EXIT_INPUT : EXIT_GOOD;
}

// The programs as text, with two blank lines between them, or as a JSON array.
static ExitCode print_programs(const Cli *cli, const ts_pool_view *view, bool with_text) {
    Text t = {0};
    bool json = cli_has(cli, "json");
    if (json) text_char(&t, '[');
    for (size_t k = 0; k < view->count; k++) {
        if (json) {
            text_add(&t, k ? ",\n " : "");
            add_json(&t, view, k, with_text);
            text_char(&t, '}');
        } else if (with_text) {
            text_add(&t, k ? "\n\n" : "");
            add_program(&t, view, k);
        } else {
            add_facts(&t, &view->entries[k]);
            if (!t.failed) cli_print_line(t.data, 4);
            text_clear(&t);
        }
    }
    if (json) text_add(&t, "]\n");
    return cli_print(&t);
}

// The same in the dialect; false where that has no words for it.
static bool add_in_dialect(Text *t, const ts_pool_view *v, size_t k) {
    ts_status s;
    char *text = ts_programs_print_dialect(v->programs, (size_t)v->entries[k].program, &s);
    t->failed |= !text && s.code == TS_SYSTEM;
    if (!text) return false;
    text_add(t, "\n\n# ");
    add_facts(t, &v->entries[k]);
    text_print(t, "\n%s", text);
    free(text);
    return true;
}

static ExitCode use_export(const Cli *cli, ts_pool *pool, const ts_pool_view *view) {
    (void)pool;
    Text t = {0};
    size_t count = 0;
    bool dialect = cli_has(cli, "dialect");
    text_print(&t,
               "# Programs of a pool, for Tessera and for Python with %s.\nfrom dsl import *\n"
               "from constants import *\n",
               dialect ? "the dialect of solve(S, I, C)" : "arc-dsl");
    for (size_t k = 0; k < view->count; k++) {
        if (dialect) {
            count += add_in_dialect(&t, view, k);
            continue;
        }
        text_add(&t, "\n\n");
        add_program(&t, view, k);
        count++;
    }
    size_t left = view->count - count;
    if (left && !t.failed)
        cli_say("%zu program%s left out: the dialect has no words for %s", left, left == 1 ? "" : "s",
                left == 1 ? "it" : "them");
    const char *out = cli_value(cli, "out");
    if (!out || t.failed) return cli_print(&t);
    ts_status s;
    bool good = replace_with(out, t.data, t.length, &s);
    text_free(&t);
    if (!good) return cli_fail(&s);
    printf("%s: %zu program%s\n", out, count, count == 1 ? "" : "s");
    return EXIT_GOOD;
}

static ExitCode use_list(const Cli *cli, ts_pool *pool, const ts_pool_view *view) {
    (void)pool;
    return print_programs(cli, view, false);
}

static ExitCode use_best(const Cli *cli, ts_pool *pool, const ts_pool_view *view) {
    (void)pool;
    if (view->count) return print_programs(cli, view, true);
    cli_say("no program of '%s' has a score for task '%s'", pool_path(cli), cli->words[1]);
    return EXIT_INPUT;
}

static void visit_score(void *user, const char *task, const ts_pool_score *score) {
    text_add(user, "#   ");
    add_score(user, task, score);
    text_print(user, ", %llu units\n", (unsigned long long)score->units);
}

static void visit_score_json(void *user, const char *task, const ts_pool_score *score) {
    Text *t = user;
    text_add(t, t->data[t->length - 1] == '[' ? "{" : ", {");
    add_score_json(t, task, score);
    text_print(t, ", \"units\": %llu}", (unsigned long long)score->units);
}

static ExitCode not_one(const Cli *cli, const ts_pool_view *view) {
    const char *prefix = cli->words[1];
    if (view->count == 0) {
        cli_say("no program of '%s' has a hash that begins with '%s'", pool_path(cli), prefix);
        return EXIT_INPUT;
    }
    cli_say("%zu programs have a hash that begins with '%s':", view->count, prefix);
    for (size_t k = 0; k < view->count && k < 10; k++) fprintf(stderr, "  %s\n", view->entries[k].hash);
    if (view->count > 10) fputs("  …\n", stderr);
    return EXIT_INPUT;
}

static ExitCode use_show(const Cli *cli, ts_pool *pool, const ts_pool_view *view) {
    if (view->count != 1) return not_one(cli, view);
    const ts_pool_entry *e = &view->entries[0];
    ts_status s;
    Text t = {0};
    bool json = cli_has(cli, "json"), good;
    if (json) {
        add_json(&t, view, 0, true);
        text_add(&t, ", \"scores\": [");
        good = !t.failed && ts_pool_scores(pool, e->hash, visit_score_json, &t, &s);
        text_add(&t, "]}\n");
    } else {
        time_t made = (time_t)e->made;
        struct tm utc;
        char when[32] = "?";
        if (gmtime_r(&made, &utc)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &utc);
        add_program(&t, view, 0);
        text_add(&t, "\n# stored as ");
        add_clean(&t, e->name);
        text_print(&t, ", %s, round %llu%s\n", when, (unsigned long long)e->round,
                   e->pinned ? ", pinned" : "");
        good = ts_pool_scores(pool, e->hash, visit_score, &t, &s);
    }
    if (good) return cli_print(&t);
    bool short_of_memory = t.failed;
    text_free(&t);
    return short_of_memory ? cli_no_memory() : cli_fail(&s);
}

// ---- Stats ----

typedef struct {
    Text solved, correct; // ids as JSON
    size_t tasks, solved_count, correct_count;
} TaskStats;

static void visit_task(void *user, const ts_pool_task *task) {
    TaskStats *stats = user;
    stats->tasks++;
    if (!task->winners) return;
    if (stats->solved_count++) text_add(&stats->solved, ", ");
    text_json(&stats->solved, task->id);
    if (!task->correct) return;
    if (stats->correct_count++) text_add(&stats->correct, ", ");
    text_json(&stats->correct, task->id);
}

static ExitCode stats(Cli *cli) {
    ExitCode code = EXIT_GOOD;
    ts_status s;
    ts_pool_counts c;
    TaskStats tasks = {0};
    ts_pool *pool = open_pool(cli, TS_POOL_READ, &code);
    if (!pool) return code;
    if (!ts_pool_count(pool, &c, &s) || !ts_pool_tasks(pool, visit_task, &tasks, &s)) code = cli_fail(&s);
    else if (tasks.solved.failed || tasks.correct.failed) code = cli_no_memory();
    else if (cli_has(cli, "json"))
        printf("{\"programs\": %zu, \"winners\": %zu, \"near\": %zu, \"unscored\": %zu, \"dealt\": %zu, "
               "\"bytes\": %llu, \"tasks\": %zu,\n \"solved\": [%s],\n \"correct\": [%s]}\n",
               c.programs, c.winners, c.near, c.unscored, c.dealt, (unsigned long long)c.bytes, tasks.tasks,
               tasks.solved.data ? tasks.solved.data : "", tasks.correct.data ? tasks.correct.data : "");
    else
        printf("%zu programs: %zu solve a task, %zu come near, %zu without a score\n"
               "%zu tasks with scores: %zu solved on the demos, %zu of them on the tests too\nthe file has "
               "%.1f KB\n",
               c.programs, c.winners, c.near, c.unscored, tasks.tasks, tasks.solved_count,
               tasks.correct_count, (double)c.bytes / 1024);
    text_free(&tasks.solved);
    text_free(&tasks.correct);
    ts_pool_close(pool);
    return code;
}

// ---- Prune ----

static ExitCode prune(Cli *cli) {
    long winners = -1, near = -1, lines = -1;
    if (!cli_number(cli, "keep", 1, MOST, &winners) || !cli_number(cli, "near", 0, MOST, &near) ||
        !cli_number(cli, "max-lines", 0, MOST, &lines))
        return EXIT_USAGE;
    const ts_pool_cut cut = {winners, near, lines, cli_has(cli, "drop-unscored"), cli_has(cli, "drop-dealt")};
    if (winners < 0 && near < 0 && lines < 0 && !cut.unscored && !cut.dealt)
        return cli_usage(cli, "prune: expected --keep, --near, --max-lines, --drop-unscored or --drop-dealt");
    ExitCode code = EXIT_GOOD;
    ts_status s;
    size_t removed;
    ts_pool_counts left;
    ts_pool *pool = open_pool(cli, TS_POOL_WRITE, &code);
    if (!pool) return code;
    if (!ts_pool_prune(pool, &cut, &removed, &s) || !ts_pool_count(pool, &left, &s)) code = cli_fail(&s);
    else if (cli_has(cli, "json")) printf("{\"removed\": %zu, \"programs\": %zu}\n", removed, left.programs);
    else printf("%s: %zu removed; %zu programs now\n", pool_path(cli), removed, left.programs);
    ts_pool_close(pool);
    return code;
}

// ---- The command ----

static ExitCode import(Cli *cli) { return cli_pool_import(cli, pool_path(cli)); }

static ExitCode export(Cli *cli) { return with_programs(cli, (ts_pool_query){0}, true, use_export); }

static ExitCode list(Cli *cli) {
    return with_programs(cli, (ts_pool_query){.best_first = true}, false, use_list);
}

static ExitCode show(Cli *cli) {
    return with_programs(cli, (ts_pool_query){.hash = cli->words[1]}, true, use_show);
}

static ExitCode best(Cli *cli) {
    return with_programs(cli, (ts_pool_query){.task = cli->words[1], .best_first = true, .limit = 1}, true,
                         use_best);
}

// clang-format off
static const CliAction actions[] = {
    {"import", "PATH…", "store programs of files and of whole folders, such as the dialect's solver_dir; makes "
     "the pool where there is none", import, "files of programs, or folders of them", " pool json "},
    {"export", NULL, "print programs for Tessera and for Python with arc-dsl, or with the dialect",
     export, NULL, " pool task solved limit out dialect "},
    {"list", NULL, "a line for each program: what solves a task, the most trusted first; what comes near",
     list, NULL, " pool task solved limit json "},
    {"show", "HASH", "one program and all its scores; the beginning of the hash is enough",
     show, "the hash of a program, or its beginning", " pool json "},
    {"best", "TASK", "the best program for a task: of those that solve it the most trusted",
     best, "the id of a task", " pool limit solved json "},
    {"stats", NULL, "how many programs, and which tasks are solved", stats, NULL, " pool json "},
    {"prune", NULL, "drop programs: with --keep, --near, --max-lines, --drop-unscored; or what is remembered "
     "of programs tried, with --drop-dealt",
     prune, NULL, " pool keep near max-lines drop-unscored drop-dealt json "},
    {NULL}};
// clang-format on

static const char *action_name(size_t index, const void *unused) {
    (void)unused;
    return actions[index].name;
}

static ExitCode run(Cli *cli) {
    if (cli->word_count == 0)
        return cli_usage(cli, "expected import, export, list, show, best, stats or prune");
    const char *name = cli->words[0];
    size_t a = 0;
    while (actions[a].name && strcmp(actions[a].name, name) != 0) a++;
    if (!actions[a].name)
        return cli_usage(cli, "a pool knows no '%s'%s", name, cli_hint(name, action_name, NULL).text);
    bool many = actions[a].run == import;
    if (!actions[a].argument && cli->word_count > 1)
        return cli_usage(cli, "%s: unexpected '%s'", name, cli->words[1]);
    if (actions[a].argument && (cli->word_count < 2 || (cli->word_count > 2 && !many)))
        return cli_usage(cli, "%s: expected %s", name, actions[a].argument);
    for (int k = 0; k < cli->given_count; k++) {
        char option[40];
        snprintf(option, sizeof option, " %s ", cli->given[k].option->name);
        if (!strstr(actions[a].options, option))
            return cli_usage(cli, "%s takes no --%s", name, cli->given[k].option->name);
    }
    return actions[a].run(cli);
}

const CliCommand cmd_pool = {
    .name = "pool",
    .arguments = "import PATH… | export | list | show HASH | best TASK | stats | prune  [--pool P]",
    .summary = "the store of programs found",
    .help =
        "Keeps programs and how they do on tasks in one file (SQLite), which several processes may use at\n"
        "once. The same program is stored once, under whatever names it comes.\n"
        "Example: tessera pool import solvers.py --pool my.db && tessera pool stats --pool my.db",
    .options = {{"pool", "P", "the file of the pool; else " DEFAULT_POOL " in the current folder"},
                {"task", "ID", "export, list: only programs with a score for this task"},
                {"solved", NULL, "export, list, best: only programs that solve a task"},
                {"limit", "N", "export, list, best: at most N programs"},
                {"out", "FILE", "export: write to this file"},
                {"dialect", NULL, "export: with the names of the dialect of solve(S, I, C)"},
                {"keep", "N", "prune: for each task keep the N shortest programs that solve it"},
                {"near", "N", "prune: for each task keep the N best programs that do not solve it"},
                {"max-lines", "N", "prune: drop programs of more than N lines that solve nothing"},
                {"drop-unscored", NULL, "prune: drop programs without a score"},
                {"drop-dealt", NULL, "prune: forget which programs were tried"},
                {"json", NULL, "print JSON (not for export)"}},
    .run = run,
    .actions = actions,
};
