// What is wrong with a program, for whoever reads it: a person, or the model that wrote it.
#include <stdio.h>

#include "base/utf8.h"
#include "program/blame.h"
#include "program/evaluator.h"

// A text that fits; where it is longer its beginning, up to a whole character.
static void copy_text(char *into, size_t size, Text *t) {
    static const char cut[] = "…";
    const char *from = t->data && !t->failed ? t->data : "";
    const size_t length = strlen(from);
    if (length < size) memcpy(into, from, length + 1);
    else {
        size_t n = utf8_fit(from, length, size - sizeof cut);
        memcpy(into, from, n);
        memcpy(into + n, cut, sizeof cut);
    }
    text_free(t);
}

static void explain_failure(const Blame *b, const Program *p, ts_fault *f) {
    Text message = {0}, remedy = {0}, given = {0};
    *f = (ts_fault){.failure = b->kind,
                    .kind = ts_failure_name(b->kind),
                    .line = (int)p->lines[b->line].source,
                    .number = (int)b->line + 1,
                    .argument = b->argument + 1,
                    .off = -1};
    if (b->op != LINE_CALLS_VALUE) f->primitive = ops_table[b->op].name;
    else if (value_is_op(b->callee)) f->primitive = ops_table[value_op(b->callee)].name;
    blame_print(&message, b, p);
    blame_print_remedy(&remedy, b, p);
    if (b->argument >= 0) literal_describe(&given, b->args[b->argument]);
    copy_text(f->message, sizeof f->message, &message);
    copy_text(f->remedy, sizeof f->remedy, &remedy);
    copy_text(f->given, sizeof f->given, &given);
}

static void explain_no_grid(Value v, ts_fault *f) {
    Text message = {0}, given = {0};
    f->kind = "no grid";
    text_add(&message, "returned ");
    if (value_is_int(v)) literal_print(&message, v);
    else literal_describe(&message, v);
    text_add(&message, ", not a grid");
    literal_describe(&given, v);
    copy_text(f->message, sizeof f->message, &message);
    copy_text(f->given, sizeof f->given, &given);
}

static bool explain_grid(ts_grid got, const ts_grid *wanted, ts_fault *f) {
    if (!wanted || ts_grid_equal(got, *wanted)) return false;
    f->height = got.height;
    f->width = got.width;
    f->wanted_height = wanted->height;
    f->wanted_width = wanted->width;
    f->off = ts_grid_off(got, *wanted);
    f->kind = f->off < 0 ? "shape" : "cells";
    if (f->off < 0)
        snprintf(f->message, sizeof f->message, "gave a grid of %d × %d, the output is %d × %d", got.height,
                 got.width, wanted->height, wanted->width);
    else
        snprintf(f->message, sizeof f->message, "gave a grid of %d × %d with %d of %d cells wrong",
                 got.height, got.width, f->off, got.height * got.width);
    return true;
}

bool program_explain(Ctx *c, const Program *p, const BlameGiven *given, const ts_grid *wanted, int64_t units,
                     ts_fault *fault) {
    Blame b;
    Value result;
    *fault = (ts_fault){.off = -1};
    if (program_blame(c, p, given, units, &b, &result)) {
        explain_failure(&b, p, fault);
        return true;
    }
    if (value_is_failure(result)) return false; // there is no memory
    if (value_is_grid(result)) return explain_grid(value_as_grid(result), wanted, fault);
    explain_no_grid(result, fault);
    return true;
}

bool ts_explain(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                ts_grid input, const ts_grid *wanted, ts_fault *fault) {
    Ctx *c = &engine->ctx;
    const Program *p = &programs->programs[index];
    ctx_begin(c, EVALUATOR_UNMETERED);
    BlameGiven given = {task && p->takes_samples ? program_samples(c, task) : VALUE_NO_TUPLE,
                        value_grid(c, input), VALUE_NONE};
    return program_explain(c, p, &given, wanted, (int64_t)engine->units, fault);
}

bool ts_explain_eval(ts_engine *engine, const char *text, size_t length, ts_fault *fault) {
    Status status;
    Program p;
    evaluator_begin(engine);
    arena_reset(&engine->scratch->ctx.arena);
    if (!program_parse_expression(engine->scratch, "", text, length, &p, &status)) return false;
    const BlameGiven given = {VALUE_NO_TUPLE, VALUE_NONE, VALUE_NONE};
    return program_explain(&engine->ctx, &p, &given, NULL, (int64_t)engine->units, fault) && fault->failure;
}

static void json_text(Text *t, const char *key, const char *value) {
    if (!value || !value[0]) return;
    text_print(t, "%s\"%s\": ", t->length > 1 ? ", " : "", key);
    text_json(t, value);
}

static void json_number(Text *t, const char *key, int value) { text_print(t, ", \"%s\": %d", key, value); }

char *ts_fault_json(const ts_fault *f) {
    Text t = {0};
    text_char(&t, '{');
    json_text(&t, "kind", f->kind);
    if (f->line) json_number(&t, "line", f->line);
    json_text(&t, "primitive", f->primitive);
    if (f->argument) json_number(&t, "argument", f->argument);
    json_text(&t, "given", f->given);
    if (f->height) {
        json_number(&t, "height", f->height);
        json_number(&t, "width", f->width);
        json_number(&t, "wanted_height", f->wanted_height);
        json_number(&t, "wanted_width", f->wanted_width);
        if (f->off >= 0) json_number(&t, "off", f->off);
    }
    json_text(&t, "message", f->message);
    json_text(&t, "remedy", f->remedy);
    text_char(&t, '}');
    return text_take(&t);
}
