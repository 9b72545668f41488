// The second reader: for texts that are more than lines of calls (parser.c reads those). It says the same in
// lines of the language, or what is wrong, all of it, and what to write instead.
#ifndef TESSERA_PROGRAM_PYTHON_READER_H
#define TESSERA_PROGRAM_PYTHON_READER_H

#include "program/draft.h"

typedef struct PythonReader PythonReader;

void python_reader_free(PythonReader *r);

enum { PYTHON_LONGEST = 1 << 20 }; // bytes of a text; longer ones are left to the first reader

// Adds the programs of a text to the set. As ts_programs_add_text; *r is made if need be. The draft is the
// reader's for the time.
bool python_read(PythonReader **r, ts_programs *set, Draft *draft, const char *file, const char *text,
                 size_t length, bool strict, ts_report *report, void *user, Status *status);
bool python_read_expression(PythonReader **r, ts_programs *set, Draft *draft, const char *file,
                            const char *text, size_t length, Program *program, Status *status);

#endif
