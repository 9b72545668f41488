// A text that grows: what printers write into. Memory comes from malloc; text_free gives it back. When memory
// runs out the text stays as it is and `failed` is set, to be checked once at the end.
#ifndef TESSERA_BASE_TEXT_H
#define TESSERA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct {
    char *data; // closed by a zero; NULL while nothing was written
    size_t length, capacity;
    bool failed;
} Text;

void text_free(Text *t);
void text_clear(Text *t);
char *text_take(Text *t); // the text, to be freed by whoever takes it; NULL where memory ran out
void text_put(Text *t, const char *bytes, size_t n);
void text_add(Text *t, const char *string);
void text_char(Text *t, char c);
void text_int(Text *t, long long n);
void text_print(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_json(Text *t, const char *string); // as a JSON string with quotes: UTF-8, whatever it holds

// The whole file into t ("-" is standard input). At most 1 GiB.
bool text_read_file(Text *t, const char *path, Status *s);
// The same for a path that nobody named, such as one from the list of a folder: an ordinary file only. A pipe
// would block for ever, a device may do anything.
bool text_read_found(Text *t, const char *path, Status *s);

// How far apart two spellings are: letters put in, left out, changed or exchanged.
int text_distance(const char *a, const char *b);
// Of the names that `name_at` gives for 0, 1, … up to NULL the one that was perhaps meant: spelt nearly so,
// or with this beginning. NULL where there is none.
const char *text_nearest(const char *word, const char *(*name_at)(size_t index, const void *of),
                         const void *of);

#endif
