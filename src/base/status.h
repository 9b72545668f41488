// What bad input gives back; the type itself is public.
//
// Whatever a file, a text or a command line says may stand in a message: so control characters and bytes that
// are no UTF-8 are written as \x1b here, once for all messages, and none of them reaches a terminal.
#ifndef TESSERA_BASE_STATUS_H
#define TESSERA_BASE_STATUS_H

#include "tessera.h"

typedef ts_status Status;

// Fill in a status and return false, so that a reader can write `return status_fail(…)`.
bool status_fail(Status *s, ts_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Add what to write instead, after "; ", and what kind of problem it is. Returns false.
bool status_advise(Status *s, ts_problem kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void status_in_file(Status *s, const char *file); // of which it speaks; NULL: none

// How far a text is known, so that problem after problem takes one pass over it. Zeros know nothing.
typedef struct {
    size_t line_start, seen; // there is no newline from the one to the other
    int lines;               // before that line
} StatusPlace;

// Add where: the file and the position of byte `at` of its text, with that line as excerpt. `known` may be
// NULL. Returns false.
bool status_locate(Status *s, StatusPlace *known, const char *file, const char *text, size_t length,
                   size_t at);

// A text as a message shows it, in so many bytes with the closing zero; cut off where it is longer.
void status_escape(char *into, size_t size, const char *text, size_t length);

#endif
