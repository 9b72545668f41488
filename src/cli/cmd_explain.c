// Explains an answer: the program that comes first, what each of its lines gives on a demo, why it comes
// first, and what came second.
//
// The programs come from a file of candidates, from a pool, or from a search made here and now. In any case
// they become a search, which runs them on the task and ranks them.
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/cli.h"

enum { MOST_ANSWERS = 16, MOST_NAMED = 6, INDENT = 4, LINES = 4 }; // LINES: of a terminal, for a line

// ---- Where programs come from ----

// Programs of a pool that have a score for the task; all of it where none has.
static ExitCode add_pool(ts_search *search, const char *path, const char *task, int *problems) {
    ExitCode code = EXIT_GOOD;
    ts_programs *programs = cli_pool_programs(path, task, problems, &code);
    if (programs && ts_programs_count(programs) == 0) {
        ts_programs_free(programs);
        programs = cli_pool_programs(path, NULL, problems, &code);
    }
    for (size_t k = 0; programs && k < ts_programs_count(programs); k++)
        ts_search_add_program(search, programs, k);
    ts_programs_free(programs);
    return code;
}

static ExitCode add_candidates(ts_search *search, const char *path) {
    ts_status s;
    Text text = {0};
    bool good = text_read_file(&text, path, &s) &&
                ts_search_read(search, path, text.data ? text.data : "", text.length, &s);
    text_free(&text);
    return good ? EXIT_GOOD : cli_fail(&s);
}

static ExitCode fill(const Cli *cli, ts_search *search, const char *task, int *problems) {
    const char *pool = cli_value(cli, "pool"), *candidates = cli_value(cli, "candidates");
    ExitCode code = candidates ? add_candidates(search, candidates) : EXIT_GOOD;
    return pool && !code ? add_pool(search, pool, task, problems) : code;
}

// ---- The lines of a program ----

enum { LEFT_OUT = 40 }; // columns for the last element and " … 12,345,678 more elements"

typedef struct {
    const ts_task *task;
    int demo; // from 0
    ts_color color;
    int columns;
    size_t most;    // bytes of a value shown as text
    ts_fault fault; // of the program that is shown, on the demo
} Look;

// Each line of the text, moved in.
static void print_indented(const char *text) {
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, '\n');
        printf("%*s%.*s\n", end > text ? INDENT : 0, "", (int)(end - text), text);
    }
}

static void print_short(const char *text, size_t length, int indent, size_t most) {
    printf("%*s%.*s%s\n", indent, "", (int)utf8_fit(text, length, most), text, length > most ? " …" : "");
}

static void print_value(const Look *l, const ts_trace_line *line) {
    if (line->failure) {
        const char *why = line->number == l->fault.number ? l->fault.message : "";
        printf("%*sfails: %s%s%s\n", INDENT, "", ts_failure_name(line->failure), *why ? ", " : "", why);
        return;
    }
    char *picture =
        ts_draw_value(line->value, l->task->samples[l->demo].input, l->color, l->columns - INDENT);
    if (picture) print_indented(picture);
    else {
        const size_t room = l->most > LEFT_OUT + LEFT_OUT / 2 ? l->most - LEFT_OUT : l->most;
        char *text = ts_value_print_some(line->value, room, NULL);
        if (text) print_short(text, strlen(text), INDENT, l->most);
        free(text);
    }
    free(picture);
}

static void print_verdict(const Look *l, const ts_result *r) {
    const ts_grid wanted = l->task->samples[l->demo].output;
    if (!r->failure && ts_value_is_grid(r->value) && ts_grid_equal(ts_value_grid(r->value), wanted)) {
        puts("as the demo wants it");
        return;
    }
    const bool is_grid = !r->failure && ts_value_is_grid(r->value);
    const ts_grid grids[2] = {wanted, is_grid ? ts_value_grid(r->value) : wanted};
    const bool is_near = is_grid && ts_grid_off(grids[1], wanted) > 0;
    static const char *const titles[2] = {"wanted", "got"};
    char *picture = ts_draw_against(grids, (ts_grid[2]){{0}, wanted}, is_near ? titles : NULL,
                                    is_near ? 2 : 1, l->color, l->columns - INDENT);
    puts("the demo wants");
    if (picture) print_indented(picture);
    free(picture);
}

static bool show_line(void *user, const ts_trace_line *line) {
    const Look *l = user;
    print_short(line->text, strlen(line->text), 0, LINES * l->most);
    print_value(l, line);
    return true;
}

static ExitCode explain_lines(Look *l, const char *program) {
    ts_status s;
    ts_engine *engine = ts_engine_new();
    ts_programs *programs = ts_programs_new();
    bool good = engine && programs &&
                ts_programs_add_text(programs, "program", program, strlen(program), true, NULL, NULL, &s);
    if (good) {
        const ts_grid input = l->task->samples[l->demo].input;
        ts_engine_set_units(engine, 1000 * 1000 * 1000);
        ts_explain(engine, programs, 0, l->task, input, NULL, &l->fault);
        ts_result r = ts_trace(engine, programs, 0, l->task, input, NULL, show_line, l);
        good = !ts_engine_starved(engine);
        if (good) print_verdict(l, &r);
    }
    ts_programs_free(programs);
    ts_engine_free(engine);
    return good ? EXIT_GOOD : cli_no_memory();
}

// ---- Why ----

static void print_found(const ts_found *f) {
    const char *about = cli_engine_about(f->engine);
    char line[256];
    snprintf(line, sizeof line,
             "  %s%s%s%s, class %d, right on %d of %d demos, %zu line%s, %llu units; by itself %.2f",
             f->engine, *about ? " (" : "", about, *about ? ")" : "", f->rule, f->demos_right, f->demos,
             f->lines, f->lines == 1 ? "" : "s", (unsigned long long)f->units, f->confidence);
    cli_print_line(line, INDENT);
}

// Who else gives this answer: one name for all programs of an engine and class.
static void print_agreeing(const ts_search *search, int test, const ts_attempt *a) {
    if (a->agreeing < 2) {
        puts("  no other program gives it");
        return;
    }
    Text t = {0};
    text_print(&t, "  %zu other%s (engine, class; by itself, demos):", a->agreeing - 1,
               a->agreeing == 2 ? " gives it" : "s give it");
    size_t named = 0;
    for (size_t k = 0; k < ts_search_count(search); k++) {
        ts_found f = ts_search_at(search, k);
        if (k == a->found || !ts_grid_equal(f.answers[test], a->grid)) continue;
        if (named++ >= MOST_NAMED) continue;
        text_print(&t, "%s %s %d (%.2f, %d/%d)", named > 1 ? "," : "", f.engine, f.rule, f.confidence,
                   f.demos_right, f.demos);
    }
    text_add(&t, named > MOST_NAMED ? ", …" : "");
    if (!t.failed) cli_print_line(t.data, INDENT);
    text_free(&t);
}

// What all demos keep and this answer does not.
static void print_broken(const ts_attempt *a, int columns) {
    for (size_t k = 0; ts_fact(k); k++)
        if (a->breaks >> k & 1) cli_print_wrapped("  less likely, for in all demos ", ts_fact(k), columns);
}

// Whether it is right, where that is known.
static void print_verdict_of(const ts_task *task, int test, ts_grid answer) {
    const ts_sample *sample = &task->samples[task->demos + test];
    const bool is_right = sample->has_output && ts_grid_equal(sample->output, answer);
    if (sample->has_output)
        printf(", %s%s%s", cli_ink(stdout, is_right ? CLI_GOOD : CLI_BAD), is_right ? "right" : "wrong",
               cli_ink(stdout, CLI_PLAIN));
    puts("");
}

static void print_ranking(const ts_search *search, const Look *l, int test, const ts_attempt *attempts,
                          size_t count) {
    static const char *const places[] = {"first", "second"};
    printf("test %d: %zu program%s, %zu%s different answer%s\n", test + 1, ts_search_count(search),
           ts_search_count(search) == 1 ? "" : "s", count, count == MOST_ANSWERS ? " or more" : "",
           count == 1 ? "" : "s");
    for (size_t k = 0; k < count && k < 2; k++) {
        ts_found f = ts_search_at(search, attempts[k].found);
        printf("%s: confidence %.2f", places[k], attempts[k].confidence);
        print_verdict_of(l->task, test, attempts[k].grid);
        print_found(&f);
        print_agreeing(search, test, &attempts[k]);
        print_broken(&attempts[k], l->columns);
    }
}

static void draw_answer(const Look *l, int test, const ts_attempt *attempts, size_t count) {
    const ts_sample *sample = &l->task->samples[l->task->demos + test];
    const ts_grid right = sample->has_output ? sample->output : (ts_grid){0};
    ts_grid grids[3] = {sample->input};
    static const char *const titles[3] = {"input", "first", "second"};
    size_t shown = count < 2 ? count : 2;
    for (size_t k = 0; k < shown; k++) grids[k + 1] = attempts[k].grid;
    char *picture =
        ts_draw_against(grids, (ts_grid[3]){{0}, right, right}, titles, 1 + (int)shown, l->color, l->columns);
    if (picture) fputs(picture, stdout);
    free(picture);
}

// ---- In words ----

static bool print_words(const char *program, int columns) {
    char *words = ts_tell(program);
    if (words) cli_print_wrapped("", words, columns);
    free(words);
    return words != NULL;
}

// ---- The command ----

static ExitCode explain(const ts_search *search, Look *l) {
    ts_attempt attempts[MOST_ANSWERS];
    ExitCode code = EXIT_GOOD;
    const char *first = NULL, *second = NULL;
    for (int test = 0; test < l->task->tests; test++) {
        size_t count = ts_search_attempts(search, test, attempts, MOST_ANSWERS);
        print_ranking(search, l, test, attempts, count);
        draw_answer(l, test, attempts, count);
        puts("");
        if (!first && count > 0) first = ts_search_at(search, attempts[0].found).program;
        if (!second && count > 1) second = ts_search_at(search, attempts[1].found).program;
    }
    if (!first) return EXIT_MISMATCH;
    puts("The first, in words:");
    if (!print_words(first, l->columns)) return cli_no_memory();
    printf("\nThe first, on demo %d:\n", l->demo + 1);
    code = explain_lines(l, first);
    if (!second) return code;
    puts("\nThe second:");
    if (!print_words(second, l->columns)) return cli_no_memory();
    fputs(second, stdout);
    return code;
}

static ExitCode search_and_explain(const Cli *cli, Look *l, int *problems) {
    ts_status s;
    bool given = cli_has(cli, "pool") || cli_has(cli, "candidates");
    ts_search *search = ts_search_new(l->task, &(ts_search_options){.engines = given ? "" : NULL}, &s);
    if (!search) return cli_fail(&s);
    ExitCode code = fill(cli, search, l->task->id, problems);
    if (!code && ts_search_count(search)) code = explain(search, l);
    else if (!code) {
        cli_say("no program is right on a demo of task '%s'", l->task->id);
        code = EXIT_MISMATCH;
    }
    if (ts_search_starved(search)) {
        fprintf(stderr, "tessera: memory was short: with more of it more may be found\n");
        code = EXIT_SYSTEM;
    }
    ts_search_free(search);
    return code;
}

static ExitCode explain_task(Cli *cli, const ts_task *task, int *problems) {
    long demo = 1;
    if (!cli_number(cli, "demo", 1, 1000, &demo)) return EXIT_USAGE;
    if (demo > task->demos)
        return cli_usage(cli, "task '%s' has %d demo%s", task->id, task->demos, task->demos == 1 ? "" : "s");
    Look l = {
        .task = task, .demo = (int)demo - 1, .color = cli_color(stdout), .columns = cli_columns(stdout)};
    l.most = l.columns > 3 * INDENT ? (size_t)(l.columns - INDENT - 2) : 2 * INDENT;
    return search_and_explain(cli, &l, problems);
}

static ExitCode run(Cli *cli) { return cli_with_task(cli, explain_task); }

const CliCommand cmd_explain = {
    .name = "explain",
    .arguments = "TASK [--tasks PATH] [--candidates FILE | --pool P] [--demo N]",
    .summary = "show the program found for a task, line by line",
    .help =
        "Shows the answers that come first and second, with the programs that give them and why they are\n"
        "ranked so, what these do in words, and what each line of the first gives on a demo. The programs "
        "are those of a\n"
        "file that `tessera solve --candidates` wrote, those of a pool (its file, a file of programs or a\n"
        "folder of such), or else what a search of a second finds. TASK is a task file or an id.\n"
        "Example: tessera explain seesaw --pool tasks/solvers.py",
    .options = {CLI_TASK_OPTIONS,
                {"candidates", "FILE", "programs found, as `tessera solve --candidates` writes them"},
                {"pool", "P", "a pool, a file of programs, or a folder of such files"},
                {"demo", "N", "the demo on which the lines are shown (1)"}},
    .run = run,
};
