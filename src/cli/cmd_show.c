#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "cli/cli.h"

static ExitCode write_svg(const ts_task *task, const char *path) {
    ts_status s;
    char *svg = ts_svg_task(task);
    bool good = svg ? replace_with(path, svg, strlen(svg), &s)
                    : status_fail(&s, TS_SYSTEM, "not enough memory for a picture");
    free(svg);
    return good ? EXIT_GOOD : cli_fail(&s);
}

static ExitCode show(Cli *cli, const ts_task *task, int *problems) {
    (void)problems;
    ts_status s;
    const char *png = cli_value(cli, "png"), *svg = cli_value(cli, "svg");
    if (png && svg) return cli_usage(cli, "--png or --svg, not both");
    if (svg) return write_svg(task, svg);
    if (png) return ts_png_task(task, png, &s) ? EXIT_GOOD : cli_fail(&s);
    char *picture = ts_draw_task(task, cli_color(stdout), cli_columns(stdout));
    if (picture) fputs(picture, stdout);
    free(picture);
    return EXIT_GOOD;
}

static ExitCode run(Cli *cli) { return cli_with_task(cli, show); }

const CliCommand cmd_show = {
    .name = "show",
    .arguments = "TASK [--tasks PATH] [--png FILE | --svg FILE]",
    .summary = "draw a task",
    .help =
        "Draws the demos and tests of a task in the terminal, in ARC's colours as far as the terminal has\n"
        "them (NO_COLOR turns them off), or into a PNG or SVG file. TASK is a task file or the id of a task.",
    .options = {CLI_TASK_OPTIONS,
                {"png", "FILE", "write a picture instead"},
                {"svg", "FILE", "the same as SVG"}},
    .run = run,
};
