#include "program/symbols.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"

enum { FIRST_ROOM = 2048 }; // twice what is known from the start, and the names of a program or two

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

// All names that are known from the start fit the first room, so that none of these can fail.
static void add_constants(Symbols *s, const Constant *constants, size_t n) {
    for (size_t k = 0; k < n; k++) {
        Symbol *y = symbols_get(s, constants[k].name, strlen(constants[k].name));
        y->kind = SYMBOL_CONSTANT;
        y->constant = constants[k].value;
    }
}

bool symbols_init(Symbols *s) {
    *s = (Symbols){.entries = calloc(FIRST_ROOM, sizeof *s->entries), .room = FIRST_ROOM, .generation = 1};
    if (!s->entries) return false;
    for (int k = 0; k < OPS; k++) {
        Symbol *y = symbols_get(s, ops_table[k].name, strlen(ops_table[k].name));
        y->kind = SYMBOL_OP;
        y->op = k;
    }
    for (size_t k = 0; k < ops_alias_count; k++) {
        Symbol *y = symbols_get(s, ops_aliases[k].name, strlen(ops_aliases[k].name));
        y->kind = SYMBOL_OP;
        y->op = (int)ops_aliases[k].op;
    }
    static const Constant words[] = {
        {"True", {1 << 3 | TAG_INT}}, {"False", {TAG_INT}}, {"None", {TAG_NONE}}};
    add_constants(s, ops_constants, ops_constant_count);
    add_constants(s, ops_other_constants, ops_other_constant_count);
    add_constants(s, words, sizeof words / sizeof *words);
    return true;
}

void symbols_free(Symbols *s) { free(s->entries); }

// Of names as near as each other: a variable of the program, else a primitive, the first of ops.def.
static bool is_preferred(const Symbols *s, const Symbol *y, const Symbol *best) {
    bool variable = symbol_is_variable(s, y), best_variable = symbol_is_variable(s, best);
    if (variable != best_variable) return variable;
    if (y->kind != best->kind) return y->kind == SYMBOL_OP;
    if (y->op != best->op) return y->op < best->op;
    size_t shared = y->length < best->length ? y->length : best->length;
    int order = memcmp(y->name, best->name, shared);
    return order ? order < 0 : y->length < best->length;
}

bool symbols_nearest(const Symbols *s, const char *name, size_t length, char *nearest, size_t size) {
    char wanted[32], candidate[32];
    int least = length < 2 ? 1 : length < 4 ? 2 : 3; // a short name is near to everything
    const Symbol *best = NULL;
    if (length >= sizeof wanted) return false;
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    for (size_t k = 0; k < s->room; k++) {
        const Symbol *y = &s->entries[k];
        if (!y->name || y->length >= sizeof candidate) continue;
        if (y->kind == SYMBOL_UNKNOWN && !symbol_is_variable(s, y)) continue;
        snprintf(candidate, sizeof candidate, "%.*s", (int)y->length, y->name);
        int distance = ops_spelling_distance(wanted, candidate);
        if (distance > least || (distance == least && !(best && is_preferred(s, y, best)))) continue;
        least = distance;
        best = y;
    }
    if (best) snprintf(nearest, size, "%.*s", (int)best->length, best->name);
    return best != NULL;
}
