// The command line: `tessera COMMAND …`. Each command is a table and a function in its own cmd_*.c.
#include "cli/cli.h"

extern const CliCommand cmd_run, cmd_eval, cmd_check, cmd_print, cmd_show, cmd_ops, cmd_bench, cmd_pool,
    cmd_card, cmd_battery, cmd_profile, cmd_iterate, cmd_solve, cmd_score, cmd_explain, cmd_judge, cmd_report,
    cmd_merge, cmd_devices, cmd_playground;

// clang-format off
const CliGroup cli_groups[] = {
    {"Solve tasks", {&cmd_solve, &cmd_explain, &cmd_score, &cmd_merge, &cmd_report}},
    {"Look at tasks and at the language", {&cmd_show, &cmd_ops, &cmd_playground}},
    {"Run and check programs", {&cmd_run, &cmd_eval, &cmd_print, &cmd_check}},
    {"Grow programs", {&cmd_pool, &cmd_iterate, &cmd_battery, &cmd_card}},
    {"For tools and for measuring", {&cmd_judge, &cmd_bench, &cmd_profile, &cmd_devices}},
    {NULL}};
// clang-format on

const char cli_program[] = "tessera";
const char *const cli_lacks[] = {NULL};

int main(int argc, char **argv) { return cli_main(argc, argv, NULL); }
