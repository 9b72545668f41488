#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static void print_signature(Text *t, const ts_op *op) {
    text_print(t, "%s(", op->name);
    for (int k = 0; k < op->arity; k++)
        text_print(t, "%s%s: %s", k ? ", " : "", op->parameters[k], op->types[k]);
    text_print(t, ") -> %s", op->result);
}

// What it gives, and its other names.
static void print_doc(Text *t, size_t index) {
    text_add(t, ts_ops_at(index).doc);
    const char *name;
    for (size_t k = 0; (name = ts_ops_alias(index, k)); k++)
        text_print(t, "%s%s", k ? ", " : " (also ", name);
    if (ts_ops_alias(index, 0)) text_char(t, ')');
}

static void print_json(size_t index, Text *t) {
    ts_op of_index = ts_ops_at(index), *op = &of_index;
    text_add(t, "{\"name\": ");
    text_json(t, op->name);
    text_add(t, ", \"aliases\": [");
    const char *name;
    for (size_t k = 0; (name = ts_ops_alias(index, k)); k++) {
        if (k) text_add(t, ", ");
        text_json(t, name);
    }
    text_add(t, "], \"family\": ");
    text_json(t, op->family);
    text_print(t, ", \"dialect\": %s, \"ours\": %s", op->dialect ? "true" : "false",
               op->ours ? "true" : "false");
    text_add(t, ", \"parameters\": [");
    for (int k = 0; k < op->arity; k++) {
        text_print(t, "%s{\"name\": ", k ? ", " : "");
        text_json(t, op->parameters[k]);
        text_add(t, ", \"type\": ");
        text_json(t, op->types[k]);
        text_add(t, "}");
    }
    text_add(t, "], \"result\": ");
    text_json(t, op->result);
    text_add(t, ", \"doc\": ");
    text_json(t, op->doc);
    text_add(t, ", \"example\": ");
    text_json(t, op->example);
    text_add(t, "}");
}

enum { WIDE = 110 }; // columns that have room for a primitive and what it does side by side

static void add_entry(Text *t, size_t index, const ts_op *op) {
    Text signature = {0};
    print_signature(&signature, op);
    const bool is_narrow = isatty(STDOUT_FILENO) && cli_columns(stdout) < WIDE;
    text_print(t, is_narrow ? "  %s\n      " : "  %-62s ", signature.data ? signature.data : "");
    print_doc(t, index);
    text_char(t, '\n');
    t->failed |= signature.failed;
    text_free(&signature);
}

static ExitCode list(bool json) {
    const char *family = "";
    Text t = {0};
    for (size_t k = 0; k < ts_ops_count(); k++) {
        ts_op op = ts_ops_at(k);
        if (json) {
            text_add(&t, k ? ",\n " : "[");
            print_json(k, &t);
            continue;
        }
        if (strcmp(family, op.family) != 0)
            text_print(&t, "%s%s%s\n", k ? "\n" : "", op.family, op.ours ? " (ours)" : "");
        family = op.family;
        add_entry(&t, k, &op);
    }
    if (json) text_add(&t, "]\n");
    return json ? cli_print(&t) : cli_print_lines(&t);
}

static ExitCode show(size_t index) {
    ts_op of_index = ts_ops_at(index), *op = &of_index;
    Text t = {0};
    print_signature(&t, op);
    text_add(&t, op->ours ? "\n  ours: " : op->dialect ? "\n  of the dialect: " : "\n  ");
    print_doc(&t, index);
    text_char(&t, '\n');
    ExitCode code = cli_print_lines(&t);
    if (code) return code;
    ts_engine *engine = ts_engine_new();
    ts_result r;
    ts_status s;
    if (!engine) return cli_no_memory();
    if (ts_eval(engine, op->example, strlen(op->example), &r, &s)) {
        char *value = ts_value_print_some(r.value, 1000, NULL);
        if (value) printf("  %s => %s\n", op->example, value);
        else code = cli_no_memory();
        free(value);
    } else code = cli_fail(&s);
    ts_engine_free(engine);
    return code;
}

static ExitCode print_words(const char *name, bool json) {
    char *text = json ? ts_words_json() : ts_words_print(name);
    ExitCode code = EXIT_GOOD;
    if (!text) return cli_no_memory();
    Text t = {.data = text};
    if (text[0]) return json ? cli_print(&t) : cli_print_lines(&t);
    else {
        cli_say("unknown word or shape '%s'; tessera ops --words lists all", name);
        code = EXIT_INPUT;
    }
    free(text);
    return code;
}

static ExitCode print_text(char *text) {
    if (!text) return cli_no_memory();
    fputs(text, stdout);
    free(text);
    return EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    if (cli_has(cli, "prompt") || cli_has(cli, "markdown")) {
        if (cli->word_count || cli_has(cli, "json") || cli_has(cli, "words"))
            return cli_usage(cli, "--prompt and --markdown give the whole language, and take nothing else");
        return print_text(cli_has(cli, "prompt") ? ts_ops_prompt() : ts_ops_markdown());
    }
    if (cli_has(cli, "words")) {
        if (cli->word_count > 1) return cli_usage(cli, "expected one word or shape");
        if (cli->word_count && cli_has(cli, "json"))
            return cli_usage(cli, "--words --json gives all of them");
        return print_words(cli->word_count ? cli->words[0] : NULL, cli_has(cli, "json"));
    }
    if (cli->word_count == 0) return list(cli_has(cli, "json"));
    if (cli->word_count > 1) return cli_usage(cli, "expected one primitive");
    const char *name = cli->words[0];
    const ptrdiff_t index = ts_ops_find(name);
    if (index >= 0 && !cli_has(cli, "json")) return show((size_t)index);
    if (index >= 0) {
        Text t = {0};
        print_json((size_t)index, &t);
        text_char(&t, '\n');
        return cli_print(&t);
    }
    const char *nearest = ts_ops_nearest(name);
    if (nearest) cli_say("unknown primitive '%s'; did you mean '%s'?", name, nearest);
    else cli_say("unknown primitive '%s'", name);
    return EXIT_INPUT;
}

const CliCommand cmd_ops = {
    .name = "ops",
    .arguments = "[PRIMITIVE | --words [WORD | SHAPE] | --prompt | --markdown]",
    .summary = "list the primitives, or show one",
    .help =
        "Lists the primitives by family with their types, or shows one with an example. With --words it\n"
        "lists the words that parameters of our own primitives take, by the shapes that their types name,\n"
        "or shows one.\n"
        "Example: tessera ops objects",
    .options = {{"words", NULL, "the words and shapes instead"},
                {"prompt", NULL, "the public language on one card of 8 KB, for the prompt of a model"},
                {"markdown", NULL, "the manual of the whole language, docs/LANGUAGE.md"},
                {"json", NULL, "as JSON"}},
    .run = run,
};
