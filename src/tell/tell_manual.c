// The manual of the language, docs/LANGUAGE.md: made from the tables, with the value of every example.
#include <stdlib.h>

#include "tell/tell.h"

enum { MOST_SHOWN = 200 }; // bytes of a value

static const char programs[] =
    "# The language\n"
    "\n"
    "Made by `tessera ops --markdown`, which `make docs` writes here. `tessera ops --prompt` has the public "
    "part on one\n"
    "card of 8 KB for a model's prompt.\n"
    "\n"
    "## Programs\n"
    "\n"
    "```\n"
    "program    = \"def\" NAME \"(\" parameters \")\" [\"->\" TYPE] \":\" lines\n"
    "parameters = \"I\" | \"S\" \",\" \"I\" \",\" \"C\"          each perhaps with a type: I: Grid\n"
    "lines      = { NAME \"=\" expression NEWLINE } \"return\" expression NEWLINE\n"
    "expression = NAME | INTEGER | \"None\" | call | tuple | set\n"
    "call       = expression \"(\" [argument { \",\" argument }] \")\"\n"
    "argument   = [NAME \"=\"] expression                  by the name of the parameter, or by its place\n"
    "tuple      = \"(\" \")\" | \"(\" expression \",\" [expression { \",\" expression } [\",\"]] \")\"\n"
    "set        = \"frozenset\" \"(\" [\"{\" expression { \",\" expression } \"}\"] \")\" | \"{\" expression "
    "{ \",\" "
    "expression } \"}\"\n"
    "```\n"
    "\n"
    "`I` is the input grid. In `def solve(S, I, C)`, the dialect with samples, `S` holds the demos as pairs "
    "(input, output)\n"
    "and `C` the grid that a differ compares with. A name stands for a value that a line above has given it, "
    "else for a\n"
    "primitive, a constant or a word; a primitive without brackets is a function, and what `compose`, "
    "`rbind`, … give may be\n"
    "called. Comments, doc strings and imports are passed over. Every line that the result needs is run, in "
    "order; one that\n"
    "fails fails the program. Of `choose(condition, a, b)` the side that is not taken may fail.\n"
    "\n"
    "Much more of Python is read and said in these terms: see\n"
    "[Programs as models write them](GUIDE.md#programs-as-models-write-them).\n"
    "\n";

static void write_types(Text *t) {
    static const char *const names[] = {
#define TYPE(name, doc) #name,
#include "words/types.def"
    };
    text_add(t, "## Types\n\n| type | what it is |\n|---|---|\n");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        text_print(t, "| `%s` | %s |\n", names[k], ops_type_doc(names[k]));
    text_add(t, "\nOther types are shapes of [words](#words).\n\n");
}

static void write_constants(Text *t, const Constant *constants, size_t count) {
    for (size_t k = 0; k < count; k++) {
        text_print(t, "%s`%s` ", k ? ", " : "", constants[k].name);
        literal_print(t, constants[k].value);
    }
    text_add(t, ".\n\n");
}

// The example with its value. False where memory is short.
static bool write_example(Text *t, ts_engine *engine, const OpInfo *info) {
    ts_result r;
    Status s;
    if (!ts_eval(engine, info->example, strlen(info->example), &r, &s) || r.failure) return false;
    text_print(t, "  `%s` → `", info->example);
    literal_print_some(t, r.value, MOST_SHOWN);
    text_add(t, "`\n");
    return true;
}

static bool write_primitive(Text *t, ts_engine *engine, size_t op) {
    const OpInfo *info = &ops_table[op];
    text_print(t, "- **%s**`(", info->name);
    for (int k = 0; k < info->arity; k++)
        text_print(t, "%s%s: %s", k ? ", " : "", info->parameters[k], info->types[k]);
    text_print(t, ") -> %s`: %s", info->result, info->doc);
    const char *name;
    for (size_t k = 0; (name = ts_ops_alias(op, k)); k++) text_print(t, "%s`%s`", k ? ", " : "; also ", name);
    text_add(t, "\\\n");
    return write_example(t, engine, info);
}

static bool write_primitives(Text *t, ts_engine *engine, OpOrigin origin) {
    const char *family = "";
    for (size_t k = 0; k < OPS; k++) {
        const OpInfo *info = &ops_table[k];
        if (info->origin != origin) continue;
        if (strcmp(family, info->family) != 0)
            text_print(t, "%s### %s\n\n", family[0] ? "\n" : "", info->family);
        family = info->family;
        if (!write_primitive(t, engine, k)) return false;
    }
    text_char(t, '\n');
    return true;
}

char *ts_ops_markdown(void) {
    Text t = {0};
    ts_engine *engine = ts_engine_new();
    char *words = ts_words_print(NULL);
    text_add(&t, programs);
    write_types(&t);
    text_add(&t, "## Constants\n\n");
    write_constants(&t, ops_constants, ops_constant_count);
    text_add(&t, "Understood, but not printed:\n");
    write_constants(&t, ops_other_constants, ops_other_constant_count);
    text_add(&t, "## Primitives of arc-dsl\n\n");
    bool good = engine && words && write_primitives(&t, engine, ORIGIN_PUBLIC);
    text_add(&t, "## Primitives of the dialect with samples\n\n");
    good = good && write_primitives(&t, engine, ORIGIN_DIALECT);
    text_add(&t, "## Primitives of ours\n\nThe coarse steps that the search works with.\n\n");
    good = good && write_primitives(&t, engine, ORIGIN_OURS);
    text_add(&t, "## Words\n\nWhat the parameters of our primitives take, by shape.\n\n```\n");
    text_add(&t, words ? words : "");
    text_add(&t, "```\n");
    t.failed |= !good;
    free(words);
    ts_engine_free(engine);
    return text_take(&t);
}
