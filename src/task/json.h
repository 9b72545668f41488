// JSON text as a stream of events, each with the byte where it starts.
//
// Under it lies yajl (docs/PERF.md says why). What yajl lets through and JSON does not is checked here: UTF-8
// to the letter, no control characters, no nesting without end. Keys that appear twice are for the listener,
// who knows which ones matter. A byte order mark at the start is passed over.
#ifndef TESSERA_TASK_JSON_H
#define TESSERA_TASK_JSON_H

#include "task/scan.h"

enum { TASK_JSON_DEPTH = 64 };

typedef enum { TASK_JSON_NULL, TASK_JSON_BOOL, TASK_JSON_NUMBER, TASK_JSON_STRING } TaskJsonScalar;

// The listener. A function that returns false ends the parse; one that is not there says yes to all. Text is
// not closed by a zero and lives for the call; a number comes as it was written.
typedef struct {
    bool (*open)(void *user, char bracket, size_t at); // '{' or '['
    bool (*close)(void *user, size_t at);
    bool (*key)(void *user, const char *text, size_t length, size_t at);
    bool (*scalar)(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at);
    // The fast path: what is seen at a glance comes as one event. Only where the function before it, asked at
    // that very place, says so; without the first two functions it is opens and scalars, without the others
    // objects are.
    bool (*wants_grid)(void *user);
    bool (*grid)(void *user, const TaskScanGrid *grid, size_t at);
    bool (*wants_sample)(void *user);
    bool (*sample)(void *user, const TaskScanGrid grids[2], size_t at); // {"input": grid, "output": grid}
    bool (*passes_over)(void *user); // an object that does not matter: it comes without members
} TaskJsonListener;

typedef enum { TASK_JSON_DONE, TASK_JSON_STOPPED, TASK_JSON_BROKEN } TaskJsonEnd;

typedef struct {
    size_t at;
    char message[160];
} TaskJsonError;

// Parses one JSON text. STOPPED: the listener ended it. BROKEN: it is no JSON, *error says why and where;
// events for what stood before it have been sent.
TaskJsonEnd task_json_parse(const char *text, size_t length, const TaskJsonListener *listener, void *user,
                            TaskJsonError *error);

#endif
