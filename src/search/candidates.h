// The file of candidates that `tessera solve --candidates` writes, a JSON object a line, for whoever sorts
// its lines by task.
#ifndef TESSERA_SEARCH_CANDIDATES_H
#define TESSERA_SEARCH_CANDIDATES_H

#include "base/text.h"
#include "task/json.h"

// The task that such a line is for, "" where it says none. False where it is no JSON.
bool candidates_task(const char *line, size_t length, Text *id, TaskJsonError *error);

#endif
