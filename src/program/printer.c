// A program back to text: canonical, and Python by its form. arc-dsl can run it where all its primitives are
// of the public language; it has neither those of the dialect nor those of the search.
#include "program/program.h"

// 0 and 1 are F and T where a truth value is asked for.
const char *program_constant_name(Value v, const char *type) {
    bool truth_value = type && strcmp(type, "Boolean") == 0;
    for (size_t k = truth_value ? 0 : 2; k < ops_constant_count; k++)
        if (value_same(ops_constants[k].value, v)) return ops_constants[k].name;
    return NULL;
}

void program_print_constant(Text *t, Value v, const char *type) {
    const char *name = program_constant_name(v, type);
    if (name) text_add(t, name);
    else literal_print_python(t, v);
}

static void print_slot(Text *t, const Program *p, uint32_t slot, const char *type, Shape shape) {
    static const char *const given[] = {"S", "I", "C"};
    if (slot < SLOTS_GIVEN) text_add(t, given[slot]);
    else if (slot < SLOTS_GIVEN + p->constant_count && shape != SHAPE_NONE)
        literal_print_words(t, p->constants[slot - SLOTS_GIVEN]);
    else if (slot < SLOTS_GIVEN + p->constant_count)
        program_print_constant(t, p->constants[slot - SLOTS_GIVEN], type);
    else if (slot == p->result) text_char(t, 'O');
    else text_print(t, "x%u", slot - SLOTS_GIVEN - p->constant_count + 1);
}

void program_print_line(Text *t, const Program *p, uint32_t number) {
    const Line *l = &p->lines[number];
    const OpInfo *info = l->op == LINE_CALLS_VALUE ? NULL : &ops_table[l->op];
    print_slot(t, p, program_slot_of_line(p, number), NULL, SHAPE_NONE);
    text_add(t, " = ");
    if (info) text_add(t, info->name);
    else print_slot(t, p, l->callee, NULL, SHAPE_NONE);
    text_char(t, '(');
    for (int k = 0; k < l->n; k++) {
        if (k) text_add(t, ", ");
        print_slot(t, p, l->args[k], info ? info->types[k] : NULL, info ? info->shapes[k] : SHAPE_NONE);
    }
    text_char(t, ')');
}

void program_print(Text *t, const Program *p) {
    text_print(t, "def %s(%s):\n", p->name, p->takes_samples ? "S, I, C" : "I");
    for (uint32_t k = 0; k < p->line_count; k++) {
        text_add(t, "    ");
        program_print_line(t, p, k);
        text_char(t, '\n');
    }
    text_add(t, "    return ");
    print_slot(t, p, p->result, NULL, SHAPE_NONE);
    text_char(t, '\n');
}
