// Fuzzes the reader of programs as models write them: what it makes of a text runs within its units, on a
// small grid, and prints as a text that the first reader takes, in as many lines. Each problem has a place
// inside the text.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_problem(void *user, const ts_status *problem) {
    const size_t size = *(const size_t *)user, length = strlen(problem->message);
    if (problem->code == TS_OK || !length || (unsigned)problem->kind >= TS_PROBLEM_KINDS) abort();
    if (problem->line < 0 || (size_t)problem->line > size + 1 || (size_t)problem->column > size + 1) abort();
    if (problem->remedy < 0 || (size_t)problem->remedy > length) abort();
}

static void check_program(ts_engine *engine, const ts_programs *programs, size_t k) {
    static const signed char cells[] = {0, 1, 1, 0, 2, 0, 0, 0, 3, 3, 0, 5};
    const ts_grid grid = {.height = 3, .width = 4, .cells = cells};
    ts_status s;
    ts_programs *again = ts_programs_new();
    char *printed = ts_programs_print(programs, k);
    if (!again || !printed) abort();
    if (!ts_programs_add_text(again, "", printed, strlen(printed), true, NULL, NULL, &s)) abort();
    if (ts_programs_lines(again, 0) != ts_programs_lines(programs, k)) abort();
    ts_run(engine, programs, k, grid);
    free(printed);
    ts_programs_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size ? size : 1);
    ts_programs *programs = ts_programs_new();
    ts_engine *engine = ts_engine_new();
    ts_status s;
    if (!text || !programs || !engine) abort();
    if (size) memcpy(text, data, size);
    ts_engine_set_units(engine, 100000);
    ts_programs_add_text(programs, "fuzz", text, size, false, check_problem, &size, &s);
    for (size_t k = 0; k < ts_programs_count(programs); k++) check_program(engine, programs, k);
    ts_engine_free(engine);
    ts_programs_free(programs);
    free(text);
    return 0;
}
