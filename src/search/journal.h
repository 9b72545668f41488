// The journal of a run: what it has done so far, so that a run that was ended at any moment can go on.
//
// A text file that only grows: a line for what the journal is, a line with what decides the results of the
// run (its key), then records, a line each, their fields with tabs between. Records that belong together are
// added in one piece; a piece that is not whole at the end of the file, because the process or the machine
// went down in the middle of it, is cut off when the journal is opened again. While it is open nobody else
// can open it.
#ifndef TESSERA_SEARCH_JOURNAL_H
#define TESSERA_SEARCH_JOURNAL_H

#include "base/text.h"

enum { JOURNAL_MOST_FIELDS = 96 };

typedef struct {
    const char *path;
    int file;      // below zero where there is none
    Text text;     // what it held when it was opened
    size_t at;     // where in the text the next record begins
    size_t length; // of the file
    bool resumed;  // it was there before
    bool is_new;   // it was not, or had nothing of use
    bool failed;   // something could not be written: nothing is added any more
    bool is_sent;  // it is no file but a text that another process has sent (message.h)
    // The record that was read last; its fields, and where in the text they begin.
    Text record;
    int count;
    char *fields[JOURNAL_MOST_FIELDS];
    size_t starts[JOURNAL_MOST_FIELDS];
} Journal;

// Opens or makes it. With `fresh` what was there is thrown away; else a journal with another key is refused:
// keys are fields "name value" with tabs between, and the message names the first that differs.
bool journal_open(Journal *j, const char *path, const char *key, bool fresh, Status *s);
// Reads records from a text, which is copied; `name` is what problems call it.
bool journal_open_text(Journal *j, const char *name, const char *text, size_t length, Status *s);
// Forgets a piece at the end that is not whole: half a line, and records of this kind, which never end one.
void journal_trim(Journal *j, const char *kind);
// Reads the next record of those that were there: `count` is the number of its fields, 0 after the last.
// False where no such line is ever written.
bool journal_next(Journal *j, Status *s);
// The number that a field is. False, with the place and what was expected, where it is none such.
bool journal_count(const Journal *j, int field, uint64_t most, uint64_t *value, Status *s);
bool journal_seconds(const Journal *j, int field, double *value, Status *s);
// Says that something else was expected in a field. Returns false.
bool journal_damaged(const Journal *j, int field, const char *expected, Status *s);
// What was read is all that counts: what comes after it goes from the file. Frees the text.
bool journal_keep(Journal *j, Status *s);
// A field, so that it has no tab or end of line in it.
void journal_field(Text *t, const char *field);
void journal_add(Journal *j, const Text *records); // whole lines
void journal_sync(const Journal *j);               // what was added is safe from the machine's end, too
void journal_close(Journal *j, bool is_done);      // done: it goes

#endif
