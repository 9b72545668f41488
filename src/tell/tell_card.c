// The whole public language on one card, for the prompt of a model: at most 8 KB with grammar, types,
// constants and every primitive. All of it is made from the tables; where they grow what is said of each
// primitive is cut as short as the card needs.
#include "tell/tell.h"

enum { CARD_BYTES = 8192, LONGEST_DOC = 200, SHORTEST_DOC = 8 };

// A letter or two for each type of the public language.
static const struct {
    const char *type, *code;
} codes[] = {
    {"Grid", "G"},
    {"Integer", "N"},
    {"Boolean", "B"},
    {"IntegerTuple", "V"},
    {"Numerical", "Q"},
    {"Object", "O"},
    {"Objects", "Os"},
    {"Indices", "L"},
    {"Patch", "P"},
    {"Element", "E"},
    {"Piece", "X"},
    {"Tuple", "T"},
    {"TupleTuple", "TT"},
    {"FrozenSet", "S"},
    {"IntegerSet", "Ns"},
    {"Container", "C"},
    {"ContainerContainer", "CC"},
    {"Callable", "F"},
    {"Any", "A"},
};

static const char form[] = "A program makes the output grid of the input grid I. It is Python of this form:\n"
                           "def solve(I):\n"
                           "    x1 = objects(I, T, F, T)\n"
                           "    x2 = argmax(x1, size)\n"
                           "    O = fill(I, TWO, x2)\n"
                           "    return O\n"
                           "Arguments are names, constants, numbers, calls, (1, 2), frozenset({…}), or "
                           "primitives as functions; what compose, "
                           "rbind, … give is called: f(x). No if, for, while, lambda, operators, indexing: "
                           "use branch, apply, sfilter, power, "
                           "rbind, add, first. Both sides of branch must work; choose(B,A,A):A is branch "
                           "whose other side may fail.\n";

static const char *code_of(const char *type) {
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        if (strcmp(codes[k].type, type) == 0) return codes[k].code;
    return type;
}

static bool says_itself(const char *type) {
    static const char *const plain[] = {"Integer", "Tuple", "TupleTuple", "Any"};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (strcmp(plain[k], type) == 0) return true;
    return false;
}

static void write_types(Text *t) {
    text_add(t, "Types: ");
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        const char *type = codes[k].type, *doc = ops_type_doc(type);
        text_print(t, "%s%s %s", k ? "; " : "", codes[k].code, type);
        // What follows a colon is for the manual.
        if (!says_itself(type)) text_print(t, ", %.*s", (int)strcspn(doc, ":"), doc);
    }
    text_add(t, ".\n");
}

static void write_constants(Text *t) {
    text_add(t, "Constants:");
    for (size_t k = 0; k < ops_constant_count; k++) {
        text_print(t, " %s=", ops_constants[k].name);
        literal_print(t, ops_constants[k].value);
    }
    text_char(t, '\n');
}

// What a primitive gives, without words that say nothing, cut between words where it is longer than that.
static void write_doc(Text *t, const char *doc, size_t most) {
    if (strncmp(doc, "the ", 4) == 0) doc += 4;
    if (strncmp(doc, "whether ", 8) == 0) {
        text_add(t, "if ");
        doc += 8;
    }
    size_t n = strlen(doc);
    if (n > most) {
        n = most;
        while (n > 0 && doc[n] != ' ') n--;
        while (n > 0 && strchr(" ,;:", doc[n - 1])) n--;
    }
    text_put(t, doc, n);
    if (doc[n]) text_add(t, "…");
}

// Its type, and its name where that tells it from another of the same type.
static void write_parameter(Text *t, const OpInfo *info, int k) {
    bool again = false;
    for (int other = 0; other < info->arity; other++)
        again |= other != k && strcmp(info->types[k], info->types[other]) == 0;
    text_print(t, "%s%s", k ? "," : "", code_of(info->types[k]));
    if (again && strlen(info->parameters[k]) > 1) text_print(t, " %s", info->parameters[k]);
}

static void write_primitives(Text *t, size_t most) {
    text_add(t, "Primitives, name(types):result, what it gives:\n");
    for (size_t k = 0; k < OPS; k++) {
        const OpInfo *info = &ops_table[k];
        if (info->origin != ORIGIN_PUBLIC) continue;
        text_print(t, "%s(", info->name);
        for (int arg = 0; arg < info->arity; arg++) write_parameter(t, info, arg);
        text_print(t, "):%s ", code_of(info->result));
        write_doc(t, info->doc, most);
        text_char(t, '\n');
    }
}

char *ts_ops_prompt(void) {
    Text t = {0};
    for (size_t most = LONGEST_DOC; most >= SHORTEST_DOC; most--) {
        text_clear(&t);
        text_add(&t, form);
        write_types(&t);
        write_constants(&t);
        write_primitives(&t, most);
        if (t.failed || t.length <= CARD_BYTES) break;
    }
    return text_take(&t);
}
