#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static void print_signature(Text *t, const ts_op *op) {
    text_print(t, "%s(", op->name);
    for (int k = 0; k < op->arity; k++)
        text_print(t, "%s%s: %s", k ? ", " : "", op->parameters[k], op->types[k]);
    text_print(t, ") -> %s", op->result);
}

static void print_json(const ts_op *op, Text *t) {
    text_add(t, "{\"name\": ");
    text_json(t, op->name);
    text_add(t, ", \"family\": ");
    text_json(t, op->family);
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

static ExitCode list(bool json) {
    const char *family = "";
    Text t = {0};
    for (size_t k = 0; k < ts_ops_count(); k++) {
        ts_op op = ts_ops_at(k);
        if (json) {
            text_add(&t, k ? ",\n " : "[");
            print_json(&op, &t);
            continue;
        }
        if (strcmp(family, op.family) != 0) text_print(&t, "%s%s\n", k ? "\n" : "", op.family);
        family = op.family;
        Text signature = {0};
        print_signature(&signature, &op);
        text_print(&t, "  %-62s %s\n", signature.data, op.doc);
        text_free(&signature);
    }
    if (json) text_add(&t, "]\n");
    fputs(t.data ? t.data : "", stdout);
    text_free(&t);
    return EXIT_GOOD;
}

static ExitCode show(const ts_op *op) {
    Text t = {0};
    print_signature(&t, op);
    printf("%s\n  %s\n", t.data, op->doc);
    text_free(&t);
    ts_engine *engine = ts_engine_new();
    ts_result r;
    ts_status s;
    if (!engine) return EXIT_SYSTEM;
    ExitCode code = EXIT_GOOD;
    if (ts_eval(engine, op->example, strlen(op->example), &r, &s)) {
        char *value = ts_value_print(r.value);
        printf("  %s => %s\n", op->example, value ? value : "");
        free(value);
    } else code = cli_fail(&s);
    ts_engine_free(engine);
    return code;
}

static ExitCode run(Cli *cli) {
    if (cli->word_count == 0) return list(cli_has(cli, "json"));
    if (cli->word_count > 1) return cli_usage(cli, "expected one primitive");
    const char *name = cli->words[0];
    for (size_t k = 0; k < ts_ops_count(); k++) {
        ts_op op = ts_ops_at(k);
        if (strcmp(op.name, name) != 0) continue;
        if (!cli_has(cli, "json")) return show(&op);
        Text t = {0};
        print_json(&op, &t);
        puts(t.data ? t.data : "");
        text_free(&t);
        return EXIT_GOOD;
    }
    const char *nearest = ts_ops_nearest(name);
    fprintf(stderr, "tessera: unknown primitive '%s'", name);
    if (nearest) fprintf(stderr, "; did you mean '%s'?", nearest);
    fputc('\n', stderr);
    return EXIT_INPUT;
}

const CliCommand cmd_ops = {
    .name = "ops",
    .arguments = "[PRIMITIVE]",
    .summary = "list the primitives, or show one",
    .help = "Lists the primitives by family with their types, or shows one with an example.\n"
            "Example: tessera ops objects",
    .options = {{"json", NULL, "as JSON"}},
    .run = run,
};
