#include "program/symbols.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"

enum { FIRST_ROOM = 1024 };

static Symbol *probe(Symbol *entries, size_t room, const char *name, size_t length) {
    size_t k = hash_bytes(0, name, length) & (room - 1);
    while (entries[k].name && (entries[k].length != length || memcmp(entries[k].name, name, length) != 0))
        k = (k + 1) & (room - 1);
    return &entries[k];
}

static bool grow(Symbols *s) {
    size_t room = s->room * 2;
    Symbol *entries = calloc(room, sizeof *entries);
    if (!entries) return false;
    for (size_t k = 0; k < s->room; k++)
        if (s->entries[k].name)
            *probe(entries, room, s->entries[k].name, s->entries[k].length) = s->entries[k];
    free(s->entries);
    s->entries = entries;
    s->room = room;
    return true;
}

Symbol *symbols_get(Symbols *s, const char *name, size_t length) {
    if (s->count * 2 >= s->room && !grow(s)) return NULL;
    Symbol *y = probe(s->entries, s->room, name, length);
    if (!y->name) {
        *y = (Symbol){.name = name, .length = length};
        s->count++;
    }
    return y;
}

bool symbols_init(Symbols *s) {
    *s = (Symbols){.entries = calloc(FIRST_ROOM, sizeof *s->entries), .room = FIRST_ROOM, .generation = 1};
    if (!s->entries) return false;
    for (int k = 0; k < OPS; k++) {
        Symbol *y = symbols_get(s, ops_table[k].name, strlen(ops_table[k].name));
        y->kind = SYMBOL_OP;
        y->op = k;
    }
    for (size_t k = 0; k < ops_constant_count; k++) {
        Symbol *y = symbols_get(s, ops_constants[k].name, strlen(ops_constants[k].name));
        y->kind = SYMBOL_CONSTANT;
        y->constant = ops_constants[k].value;
    }
    static const struct {
        const char *name;
        Value value;
    } words[] = {{"True", {1 << 3 | TAG_INT}}, {"False", {TAG_INT}}, {"None", {TAG_NONE}}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        Symbol *y = symbols_get(s, words[k].name, strlen(words[k].name));
        y->kind = SYMBOL_CONSTANT;
        y->constant = words[k].value;
    }
    return true;
}

void symbols_free(Symbols *s) { free(s->entries); }

bool symbols_nearest(const Symbols *s, const char *name, size_t length, char *nearest, size_t size) {
    char wanted[32], candidate[32];
    int least = length < 2 ? 1 : length < 4 ? 2 : 3; // a short name is near to everything
    bool found = false;
    if (length >= sizeof wanted) return false;
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    for (size_t k = 0; k < s->room; k++) {
        const Symbol *y = &s->entries[k];
        if (!y->name || y->length >= sizeof candidate) continue;
        if (y->kind == SYMBOL_UNKNOWN && !symbol_is_variable(s, y)) continue;
        snprintf(candidate, sizeof candidate, "%.*s", (int)y->length, y->name);
        int distance = ops_spelling_distance(wanted, candidate);
        if (distance >= least) continue;
        least = distance;
        found = true;
        snprintf(nearest, size, "%s", candidate);
    }
    return found;
}
