// The report that --profile of a command wrote, read again: as a tree, and as a table for people.
#ifndef TESSERA_PROFILE_TABLE_H
#define TESSERA_PROFILE_TABLE_H

#include "base/text.h"
#include "base/tree.h"

typedef struct {
    double outlier; // a task that takes over so many times the median is one
    bool without_outliers;
} ProfileTable;

// To be freed by yajl_tree_free. NULL, with what is wrong and where.
yajl_val profile_tree(const char *name, const char *text, size_t length, Status *s);
bool profile_print(Text *out, const char *name, const char *text, size_t length, const ProfileTable *options,
                   Status *s);

#endif
