#include "search/message.h"

#include <stdio.h>
#include <string.h>

#include "base/build.h"
#include "base/hash.h"

enum { FIELD_KIND = 1, FIELD_BUILD, FIELD_PRIMITIVES, FIELD_STOCK, FIELDS };

// Of the names and types of all primitives: those that programs have registered are among them.
static uint64_t hash_primitives(void) {
    uint64_t hash = 0;
    for (size_t k = 0; k < ts_ops_count(); k++) {
        const ts_op op = ts_ops_at(k);
        hash = hash_bytes(hash, op.name, strlen(op.name));
        hash = hash_bytes(hash, op.result, strlen(op.result));
        for (int n = 0; n < op.arity; n++) hash = hash_bytes(hash, op.types[n], strlen(op.types[n]));
    }
    return hash;
}

void message_begin(Text *t, const char *kind, const char *stock) {
    text_print(t, "tessera\t%s\t%s\t%016llx\t%s\n", kind, build_sum(), (unsigned long long)hash_primitives(),
               stock);
}

void message_name(const char *text, size_t length, char stock[MESSAGE_STOCK]) {
    snprintf(stock, MESSAGE_STOCK, "%016llx", (unsigned long long)hash_bytes(0, text, length));
}

bool message_open(Journal *j, const char *name, const char *kind, const char *text, size_t length,
                  Status *s) {
    char primitives[MESSAGE_STOCK];
    if (!journal_open_text(j, name, text, length, s) || !journal_next(j, s)) return false;
    if (j->count != FIELDS || strcmp(j->fields[0], "tessera") != 0 ||
        strcmp(j->fields[FIELD_KIND], kind) != 0)
        return status_fail(s, TS_INPUT, "this is no %s", name);
    if (strcmp(j->fields[FIELD_BUILD], build_sum()) != 0)
        return status_fail(
            s, TS_INPUT,
            "this %s is of another build of Tessera (%.40s there, %s, version %s, here): all who "
            "work together must have the same",
            name, j->fields[FIELD_BUILD], build_sum(), ts_version());
    snprintf(primitives, sizeof primitives, "%016llx", (unsigned long long)hash_primitives());
    return strcmp(j->fields[FIELD_PRIMITIVES], primitives) == 0 ||
           status_fail(s, TS_INPUT,
                       "this %s is of a process with other primitives of its own: all who work together must "
                       "register the same",
                       name);
}

enum { END_LENGTH = 21 }; // "end", a tab, 16 digits, a newline

static void print_end(char end[END_LENGTH + 1], const char *text, size_t length) {
    snprintf(end, END_LENGTH + 1, "end\t%016llx\n", (unsigned long long)hash_bytes(0, text, length));
}

void message_end(Text *t) {
    char end[END_LENGTH + 1];
    if (t->failed) return;
    print_end(end, t->data, t->length);
    text_add(t, end);
}

bool message_whole(Journal *j, Status *s) {
    char end[END_LENGTH + 1];
    Text *t = &j->text;
    const size_t body = t->length > END_LENGTH ? t->length - END_LENGTH : 0;
    print_end(end, t->data, body);
    if (body < j->at || memcmp(t->data + body, end, END_LENGTH) != 0)
        return status_fail(s, TS_INPUT, "damaged: this %s is not whole", j->path);
    t->length = body;
    return true;
}

// A field up to the next tab or end of the line. False where it is longer than there is room.
static bool take_field(const char **at, const char *end, char field[MESSAGE_STOCK]) {
    size_t n = 0;
    while (*at < end && **at != '\t' && **at != '\n') {
        if (n == MESSAGE_STOCK - 1) return false;
        field[n++] = *(*at)++;
    }
    field[n] = 0;
    *at += *at < end;
    return n;
}

bool message_peek(const char *text, size_t length, char kind[MESSAGE_STOCK], char stock[MESSAGE_STOCK]) {
    const char *at = text, *end = text + length;
    char other[MESSAGE_STOCK];
    return take_field(&at, end, other) && strcmp(other, "tessera") == 0 && take_field(&at, end, kind) &&
           take_field(&at, end, other) && take_field(&at, end, other) && take_field(&at, end, stock);
}
