// Writes the playground out, with a task in it where one is named.
//
// The page is a file beside the command, or in share/tessera where it is installed: `make playground` builds
// it, and nothing else needs what that needs.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/replace.h"
#include "cli/cli.h"

static const char *const places[] = {"/playground.html", "/../share/tessera/playground.html"};
static const char mark[] = "<script id=\"given\" type=\"application/json\">null</script>";
enum { NULL_AT = sizeof "<script id=\"given\" type=\"application/json\">" - 1 };

char *cli_playground(void) {
    char path[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
    for (size_t k = 0; slash && k < sizeof places / sizeof *places; k++) {
        strcpy(slash, places[k]);
        if (access(path, R_OK) == 0) return strdup(path);
    }
    cli_say(
        "this tessera has no playground: `make playground` builds playground.html, which belongs beside the "
        "command or into share/tessera");
    return NULL;
}

// The page with what it is to open by itself.
static bool fill(Text *page, const ts_task *task, const char *program, ts_status *s) {
    char *at = page->data ? memmem(page->data, page->length, mark, sizeof mark - 1) : NULL;
    char *given = ts_playground_given(task, program);
    Text filled = {0};
    if (at && given) {
        const size_t before = (size_t)(at - page->data) + NULL_AT, after = before + sizeof "null" - 1;
        text_put(&filled, page->data, before);
        text_add(&filled, given);
        text_put(&filled, page->data + after, page->length - after);
    }
    free(given);
    text_free(page);
    *page = filled;
    if (!at)
        return status_fail(s, TS_INPUT, "the playground is of another version: `make playground` builds it");
    return !filled.failed && filled.data ? true : status_fail(s, TS_SYSTEM, "not enough memory");
}

// An address that a browser opens.
static void put_address(const char *path) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";
    fputs("file://", stdout);
    for (; *path; path++)
        if (strchr(safe, *path)) putchar(*path);
        else printf("%%%02X", (unsigned char)*path);
    putchar('\n');
}

static ExitCode write_out(const char *out, const Text *page) {
    ts_status s;
    if (!replace_with(out, page->data, page->length, &s)) return cli_fail(&s);
    char *path = realpath(out, NULL);
    if (path) put_address(path);
    else cli_say("cannot find '%s' again: %s", out, strerror(errno));
    free(path);
    return path ? EXIT_GOOD : EXIT_SYSTEM;
}

static ExitCode make(Cli *cli, const ts_task *task, int *problems) {
    (void)problems;
    const char *out = cli_value(cli, "out"), *file = cli_value(cli, "program");
    ts_status s;
    Text page = {0}, program = {0};
    char *path = cli_playground();
    bool good = path && text_read_file(&page, path, &s);
    if (good && file) good = text_read_file(&program, file, &s);
    if (good && task) good = fill(&page, task, file ? program.data : NULL, &s);
    ExitCode code = good   ? write_out(out ? out : "playground.html", &page)
                    : path ? cli_fail(&s)
                           : EXIT_SYSTEM;
    free(path);
    text_free(&page);
    text_free(&program);
    return code;
}

static ExitCode run(Cli *cli) {
    if (cli->word_count) return cli_with_task(cli, make);
    if (cli_has(cli, "program")) return cli_usage(cli, "--program is for a task: name one");
    int none = 0;
    return make(cli, NULL, &none);
}

const CliCommand cmd_playground = {
    .name = "playground",
    .arguments = "[TASK] [--tasks PATH] [--program FILE] [--out FILE]",
    .summary = "write a page in which to try tasks and programs",
    .help =
        "Writes one HTML file with the engine in it, and prints its address: look at tasks, write programs "
        "and "
        "see\n"
        "what each line gives, search, paint tasks, share them as links. It needs no network and no server. "
        "TASK is\n"
        "a task file or the id of a task that the page opens with. `make playground` builds the page.\n"
        "Example: tessera playground seesaw",
    .options = {CLI_TASK_OPTIONS,
                {"program", "FILE", "a program for the task, to begin with"},
                {"out", "FILE", "the page (playground.html)"}},
    .run = run,
};
