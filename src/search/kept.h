// The submission of an earlier run, where another run writes to the same file: what that run will bring may
// be worse, so the earlier one is kept beside it, as FILE.1 or with the first number that is free.
#ifndef TESSERA_SEARCH_KEPT_H
#define TESSERA_SEARCH_KEPT_H

#include "base/text.h"

typedef struct {
    Text path;       // where it is kept
    Text text;       // what it held; no data: there was none
    char words[500]; // what was done, to be said; empty: nothing
} SearchKept;

bool search_keep(SearchKept *k, const char *path, Status *s); // where there is anything
// Where the same came out again, there is nothing to keep: the file goes.
void search_kept_compare(const SearchKept *k, const char *text);
void search_kept_free(SearchKept *k);

#endif
