// Fuzzes the reader of programs. Whatever the text, each program that it gives prints as a text that gives
// the same program, which prints the same again, and can be told; what it prints in the dialect is one
// program; each problem has a place inside the text and a message.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_problem(void *user, const ts_status *problem) {
    size_t size = *(const size_t *)user;
    if (problem->code == TS_OK || !problem->message[0]) abort();
    if (problem->line < 0 || (size_t)problem->line > size + 1 || (size_t)problem->column > size + 1) abort();
    if (problem->caret < 0 || (size_t)problem->caret > strlen(problem->excerpt)) abort();
}

// Reads the printed program, prints it again, and stops where that differs.
static void check_print(const ts_programs *programs, size_t k) {
    char *printed = ts_programs_print(programs, k);
    ts_programs *again = ts_programs_new();
    ts_status s;
    if (!printed || !again) abort();
    if (!ts_programs_add_text(again, "printed", printed, strlen(printed), true, NULL, NULL, &s)) abort();
    if (ts_programs_count(again) != 1 ||
        strcmp(ts_programs_name(again, 0), ts_programs_name(programs, k)) != 0)
        abort();
    char *once_more = ts_programs_print(again, 0), *told = ts_programs_tell(again, 0);
    if (!once_more || strcmp(printed, once_more) != 0 || !told || !told[0]) abort();
    free(told);
    free(printed);
    free(once_more);
    ts_programs_free(again);
}

static void check_dialect(const ts_programs *programs, size_t k) {
    ts_programs *again = ts_programs_new();
    ts_status s, problem;
    char *printed = ts_programs_print_dialect(programs, k, &s);
    if (!again || (!printed && (s.code != TS_INPUT || !s.message[0]))) abort();
    if (printed && (!ts_programs_add_text(again, "", printed, strlen(printed), true, NULL, NULL, &problem) ||
                    ts_programs_count(again) != 1))
        abort();
    free(printed);
    ts_programs_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy of just the right size, so that the sanitizer sees a read beyond the end.
    char *text = malloc(size ? size : 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    for (int strict = 0; strict < 2; strict++) {
        ts_programs *programs = ts_programs_new();
        ts_status s;
        if (!programs) abort();
        bool good = ts_programs_add_text(programs, "fuzz", text, size, strict, check_problem, &size, &s);
        if (!good && (s.code == TS_OK || !s.message[0])) abort();
        for (size_t k = 0; k < ts_programs_count(programs); k++) {
            if (ts_programs_find(programs, ts_programs_name(programs, k)) != (ptrdiff_t)k) abort();
            if (!strict) check_print(programs, k);
            if (!strict) check_dialect(programs, k);
        }
        ts_programs_free(programs);
    }
    free(text);
    return 0;
}
