#include "program/symbols.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "words/words.h"

static const char *const keywords[] = {
    "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
    "del",    "elif", "else",   "except", "finally",  "for",   "from",  "global",   "if",
    "import", "in",   "is",     "lambda", "nonlocal", "not",   "or",    "pass",     "raise",
    "return", "try",  "while",  "with",   "yield",    "True",  "False", "None",     "__debug__"};

enum { MOST_KNOWN = SYMBOLS_MOST_KNOWN, SPELLING = 32 };
static Symbol known[MOST_KNOWN];
static uint64_t known_slots[4 * MOST_KNOWN];
static Index known_index = {.slots = known_slots, .mask = 4 * MOST_KNOWN - 1};

// Whether names of the same length and head are the same: word for word, the last one overlapping.
static inline bool same_rest(const char *a, const char *b, size_t length) {
    uint64_t x, y;
    for (size_t at = sizeof x; at < length; at += sizeof x) {
        size_t k = at < length - sizeof x ? at : length - sizeof x;
        memcpy(&x, a + k, sizeof x);
        memcpy(&y, b + k, sizeof y);
        if (x != y) return false;
    }
    return true;
}

static inline bool has_name(const char *name, size_t length, uint64_t head, const Token *t) {
    return head == t->head && length == t->length && same_rest(name, t->start, length);
}

// ---- What is known from the start ----

// Primitives that users registered, in their order; as many count as ops_count says. They are few, and no
// name of theirs is in the other table.
static Symbol added[OPS_ADDED_MOST];

static const Symbol *added_named(const Token *name) {
    for (const Symbol *y = added; y < added + (ops_count() - OPS); y++)
        if (has_name(y->name, y->length, y->head, name)) return y;
    return NULL;
}

const Symbol *symbols_known(const Token *name) {
    uint32_t at = name->hash, k;
    while ((k = index_next(&known_index, name->hash, &at)))
        if (has_name(known[k - 1].name, known[k - 1].length, known[k - 1].head, name)) return &known[k - 1];
    return added_named(name);
}

static Token token_of(const char *name, size_t length) {
    Lexer l = lexer_begin(name, length);
    Token t;
    lexer_next(&l, &t);
    return t;
}

// The symbol of a name, made if need be.
static Symbol *know(const char *name) {
    Token t = token_of(name, strlen(name));
    const Symbol *y = symbols_known(&t);
    if (y) return &known[y - known];
    if (known_index.count == MOST_KNOWN - OPS_ADDED_MOST) abort();
    uint32_t at = t.hash, k = known_index.count;
    while (index_next(&known_index, t.hash, &at)) {}
    index_put(&known_index, at, t.hash, k);
    known[k] = (Symbol){.name = name, .length = t.length, .head = t.head, .number = k};
    return &known[k];
}

static uint32_t letters_of(const char *name, size_t length) {
    uint32_t letters = 0;
    for (size_t k = 0; k < length; k++) letters |= 1u << (name[k] & 31);
    return letters;
}

static void know_value(const char *name, SymbolKind kind, Value value) {
    Symbol *y = know(name);
    y->kind = kind;
    y->value = value;
    y->letters = letters_of(y->name, y->length);
}

static void know_all(void) {
    for (unsigned k = 0; k < OPS; k++) know_value(ops_table[k].name, SYMBOL_OP, value_of_op(k));
    for (size_t k = 0; k < ops_alias_count; k++)
        know_value(ops_aliases[k].name, SYMBOL_OP, value_of_op(ops_aliases[k].op));
    for (size_t k = 0; k < ops_constant_count; k++)
        know_value(ops_constants[k].name, SYMBOL_CONSTANT, ops_constants[k].value);
    for (size_t k = 0; k < ops_other_constant_count; k++)
        know_value(ops_other_constants[k].name, SYMBOL_CONSTANT, ops_other_constants[k].value);
    for (unsigned k = 0; k < WORDS; k++) {
        if (know(word_names[k])->kind != SYMBOL_NONE) abort(); // a word that is another name already
        know_value(word_names[k], SYMBOL_CONSTANT, value_of_word(k));
    }
    know_value("True", SYMBOL_CONSTANT, value_bool(true));
    know_value("False", SYMBOL_CONSTANT, value_bool(false));
    know_value("None", SYMBOL_CONSTANT, VALUE_NONE);
    know("frozenset")->kind = SYMBOL_FROZENSET;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) know(keywords[k])->is_keyword = true;
}

void symbols_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, know_all);
}

bool symbols_is_free(const char *name) {
    symbols_prepare();
    const Token t = token_of(name, strlen(name));
    const bool is_name = t.kind == TOKEN_NAME && t.length == strlen(name);
    return is_name && !symbols_known(&t);
}

void symbols_add(unsigned op) {
    const char *name = ops_table[op].name;
    const Token t = token_of(name, strlen(name));
    added[op - OPS] = (Symbol){.name = name,
                               .length = t.length,
                               .head = t.head,
                               .kind = SYMBOL_OP,
                               .number = MOST_KNOWN - OPS_ADDED_MOST + (op - OPS),
                               .letters = letters_of(name, t.length),
                               .value = value_of_op(op)};
}

// ---- Variables ----

void symbols_free(Symbols *s) {
    free(s->variables);
    index_free(&s->index);
}

void symbols_begin(Symbols *s) {
    s->first = s->program + 1;
    s->hides = false;
}

bool symbols_is_hidden(const Symbols *s, const Symbol *y) { return s->hidden[y->number] == s->first; }

bool symbols_hide(Symbols *s, const Symbol *y) {
    if (s->used[y->number] >= s->first) return false;
    s->hidden[y->number] = s->first;
    s->hides = true;
    return true;
}

void symbols_clear(Symbols *s) {
    s->program++;
    s->count = 0;
    index_clear(&s->index);
}

// The number of a variable, plus one; 0 where there is none, `at` then being its slot.
static inline uint32_t find(const Symbols *s, const Token *name, uint32_t *at) {
    uint32_t k;
    *at = name->hash;
    while ((k = index_next(&s->index, name->hash, at))) {
        const Variable *v = &s->variables[k - 1];
        if (has_name(v->name, v->length, v->head, name)) break;
    }
    return k;
}

Ref symbols_value(const Symbols *s, const Token *name) {
    uint32_t at, k = s->count ? find(s, name, &at) : 0;
    return k ? s->variables[k - 1].ref : REF_NONE;
}

uint32_t symbols_variable(Symbols *s, const Token *name) {
    if (!index_reserve(&s->index)) return UINT32_MAX;
    uint32_t at, k = find(s, name, &at);
    if (k) return k - 1;
    if (s->count == s->room) {
        uint32_t room = s->room ? s->room * 2 : 32;
        Variable *grown = realloc(s->variables, room * sizeof *grown);
        if (!grown) return UINT32_MAX;
        s->variables = grown;
        s->room = room;
    }
    s->variables[s->count] =
        (Variable){.name = name->start, .length = name->length, .head = name->head, .ref = REF_NONE};
    index_put(&s->index, at, name->hash, s->count);
    return s->count++;
}

// ---- Spelling ----

typedef struct {
    const char *name;
    size_t length;
    uint32_t letters;
    const Symbol *known; // what it means where no variable has it; NULL: nothing
    bool variable;
} Candidate;

static int order_of_meaning(const Symbol *y) {
    if (!y || !symbol_is_value(y)) return OPS_MOST + 1;
    return y->kind == SYMBOL_OP ? (int)value_op(y->value) : OPS_MOST;
}

// Of names as near as each other: a variable of the program, else a primitive, the first of ops.def.
static bool is_preferred(const Candidate *a, const Candidate *b) {
    if (a->variable != b->variable) return a->variable;
    int difference = order_of_meaning(a->known) - order_of_meaning(b->known);
    if (difference) return difference < 0;
    int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    return order ? order < 0 : a->length < b->length;
}

// A bound that is quick to have: one change puts in or leaves out one letter at most.
static bool is_further(const Candidate *a, const Candidate *b, int distance) {
    int longer = (int)a->length - (int)b->length;
    return longer > distance || -longer > distance ||
           __builtin_popcount(a->letters & ~b->letters) > distance ||
           __builtin_popcount(b->letters & ~a->letters) > distance;
}

// Takes a candidate for the best one so far if it is nearer than `least`, or as near as the best and
// preferred.
static void consider(const Candidate *wanted, const Candidate *c, int *least, Candidate *best) {
    char a[SPELLING] = {0}, b[SPELLING] = {0};
    if (c->length >= SPELLING || is_further(wanted, c, best->name ? *least : *least - 1)) return;
    memcpy(a, wanted->name, wanted->length);
    memcpy(b, c->name, c->length);
    int distance = text_distance(a, b);
    if (distance > *least || (distance == *least && !(best->name && is_preferred(c, best)))) return;
    *least = distance;
    *best = *c;
}

bool symbols_nearest(const Symbols *s, const char *name, size_t length, char *nearest, size_t size) {
    int least = length < 2 ? 1 : length < 4 ? 2 : 3; // a short name is near to everything
    Candidate wanted = {.name = name, .length = length, .letters = letters_of(name, length)}, best = {0};
    if (length >= SPELLING) return false;
    for (uint32_t k = 0; k < s->count; k++) {
        const Variable *v = &s->variables[k];
        Token t = token_of(v->name, v->length);
        Candidate c = {v->name, v->length, letters_of(v->name, v->length), symbols_known(&t), true};
        if (v->ref != REF_NONE) consider(&wanted, &c, &least, &best);
    }
    for (const Symbol *y = known; y < known + known_index.count; y++) {
        Candidate c = {y->name, y->length, y->letters, y, false};
        if (symbol_is_value(y)) consider(&wanted, &c, &least, &best);
    }
    for (const Symbol *y = added; y < added + (ops_count() - OPS); y++) {
        Candidate c = {y->name, y->length, y->letters, y, false};
        consider(&wanted, &c, &least, &best);
    }
    if (best.name) snprintf(nearest, size, "%.*s", (int)best.length, best.name);
    return best.name != NULL;
}
