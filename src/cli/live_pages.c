// The page that lives while a command works: --pages DIR.
#include <string.h>

#include "cli/cli.h"

const char *cli_tasks_title(const Cli *cli) {
    const char *path = cli_value(cli, "tasks"), *slash = path ? strrchr(path, '/') : NULL;
    int paths = 0;
    for (int at = 0; cli_next(cli, "tasks", &at);) paths++;
    if (paths > 1) return "tasks of several paths";
    return !path ? "bundled tasks" : slash && slash[1] ? slash + 1 : path;
}

ExitCode cli_live_open(const Cli *cli, CliLive *live, const ts_task *const *tasks, size_t count) {
    ts_status s;
    const char *folder = cli_value(cli, "pages");
    if (!folder) return EXIT_GOOD;
    live->page = ts_live_open(folder, cli_tasks_title(cli), tasks, count, &s);
    return live->page ? EXIT_GOOD : cli_fail(&s);
}

void cli_live_told(CliLive *live, bool good, const ts_status *s) {
    if (good) return;
    if (!live->failed) cli_say("%s; the work goes on without that page", s->message);
    live->failed = true;
}

void cli_live_close(CliLive *live, const ts_submission *submission) {
    ts_status s;
    cli_live_told(live, ts_live_close(live->page, submission, &s), &s);
    live->page = NULL;
}
