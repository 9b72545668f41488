#include "program/arguments.h"

#include "program/symbols.h"

enum { MOST_ALLOWED = 16 };

static bool is_constant(Ref r) { return ref_kind(r) == REF_CONSTANT; }

ArgumentWords argument_in_words(Ctx *c, const Draft *d, const OpInfo *info, int k, Ref before, Ref argument,
                                Value *said, ShapeFault *fault) {
    const Shape shape = info->shapes[k];
    if (shape == SHAPE_NONE || !is_constant(argument)) return ARGUMENT_STAYS;
    Shape yields = SHAPE_Number;
    if (shape_follows(shape)) {
        if (before == REF_NONE || !is_constant(before)) return ARGUMENT_STAYS;
        yields = shape_yields(c, info->shapes[k - 1], d->constants[ref_index(before)]);
    }
    *said = shape_read_after(c, yields, shape, d->constants[ref_index(argument)], fault);
    if (c->failure != TS_FAIL_VALUE) return ARGUMENT_SAID;
    c->failure = TS_FAIL_NONE;
    return ARGUMENT_UNFIT;
}

void argument_print_fault(Text *t, const OpInfo *info, int k, const ShapeFault *fault) {
    const char *parameter = info->parameters[k], *doc = shapes_table[info->shapes[k]].doc;
    Text allowed = {0}, found = {0};
    literal_print_some(&found, fault->found, 40);
    text_char(&allowed, ' ');
    if (fault->wanted != SHAPE_NONE) shape_print_allowed(&allowed, fault->wanted, MOST_ALLOWED);
    if (allowed.failed || found.failed) t->failed = true;
    else if (fault->wanted != SHAPE_NONE)
        text_print(t, "%s: in '%s' expected %s (%s), found %s", info->name, parameter,
                   shapes_table[fault->wanted].doc, allowed.data + 1, found.data);
    else if (value_tag(fault->found) == TAG_NONE)
        text_print(t, "%s: '%s' (%s) has too few elements here", info->name, parameter, doc);
    else text_print(t, "%s: '%s' (%s) has too many elements, %s", info->name, parameter, doc, found.data);
    text_free(&allowed);
    text_free(&found);
}

const char *argument_leaf(const char *start, const char *end, int leaf) {
    Lexer l = lexer_begin(start, (size_t)(end - start));
    Token t;
    for (lexer_next(&l, &t); t.kind != TOKEN_END && t.start < end; lexer_next(&l, &t)) {
        bool is_leaf = t.kind == TOKEN_INT ||
                       (t.kind == TOKEN_NAME && symbols_known(&t) && symbol_is_value(symbols_known(&t)));
        if (is_leaf && leaf-- == 0) return t.start > start && t.start[-1] == '-' ? t.start - 1 : t.start;
    }
    return start;
}

const OpInfo *argument_bound(const Draft *d, const DraftLine *line, int *k) {
    int first = 0, taken = 0;
    bool last = line->op == OP_rbind;
    if (line->op != OP_rbind && line->op != OP_lbind) return NULL;
    Ref f = line->args[0];
    while (ref_kind(f) == REF_LINE) {
        const DraftLine *l = &d->lines[ref_index(f)];
        if (l->op == OP_rbind) taken++;
        else if (l->op == OP_lbind) first++;
        else return NULL;
        f = l->args[0];
    }
    if (!is_constant(f) || !value_is_op(d->constants[ref_index(f)])) return NULL;
    const OpInfo *info = &ops_table[value_op(d->constants[ref_index(f)])];
    *k = last ? info->arity - 1 - taken : first;
    return *k >= first && *k < info->arity - taken ? info : NULL;
}
