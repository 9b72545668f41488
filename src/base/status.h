// What bad input gives back; the type itself is public.
#ifndef TESSERA_STATUS_H
#define TESSERA_STATUS_H

#include "tessera.h"

typedef ts_status Status;

// Fill in a status and return false, so that a reader can write `return status_fail(…)`.
bool status_fail(Status *s, ts_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Add where: the file and the position of byte `at` of its text, with that line as excerpt. Returns false.
bool status_locate(Status *s, const char *file, const char *text, size_t length, size_t at);

#endif
