// The manual of the words: what each shape takes, form by form, as text and as JSON.
#include "words/rows.h"

static const char *shape_name(int shape) {
    return shape == SHAPE_YIELDED ? "value" : shapes_table[shape].name;
}

// (RAY, directions: DirectionSet, from: RayFrom …); what may be left out is in brackets.
static void print_form(Text *t, const Row *r) {
    int n = row_field_count(r), open = 0;
    bool is_record = r->kind == ROW_FIELDS;
    if (r->kind == ROW_NUMBER) {
        text_print(t, "%d to %d", r->code, r->most);
        return;
    }
    if (r->kind == ROW_ITEMS) {
        text_print(t, "(%s, …), %d to %d of them", shape_name(r->other), r->code, r->most);
        return;
    }
    if (n || is_record) text_char(t, '(');
    if (!is_record) text_add(t, word_names[r->word]);
    for (int k = 0; k < n; k++) {
        const Field *f = &r->fields[k];
        if (f->missing != REQUIRED) text_char(t, '['), open++;
        if (k || !is_record) text_add(t, ", ");
        text_print(t, "%s: %s", f->name, shape_name(f->shape));
    }
    while (open--) text_char(t, ']');
    if (n || is_record) text_char(t, ')');
}

// What it says, with the names of the fields in the gaps.
static void print_phrase(Text *t, const Row *r) {
    for (const char *p = r->phrase ? r->phrase : ""; *p; p++) {
        if (p[0] == '{' && p[1] >= '1' && p[1] <= '9' && p[2] == '}') {
            int k = p[1] - '1';
            text_print(t, "<%s>", k < row_field_count(r) ? r->fields[k].name : "…");
            p += 2;
        } else if (*p == '|') text_add(t, "; or ");
        else if (strncmp(p, "{0}", 3) == 0) text_add(t, "the number"), p += 2;
        else if (*p != '[' && *p != ']') text_char(t, *p);
    }
}

static void print_row(Text *t, const Row *r) {
    Text form = {0};
    if (r->kind == ROW_INCLUDES) {
        text_print(t, "  any %s\n", shape_name(r->other));
        return;
    }
    print_form(&form, r);
    t->failed |= form.failed;
    text_print(t, "  %-34s ", form.data ? form.data : "");
    if (r->kind == ROW_SAME) print_phrase(t, row_of_word(r->word));
    else print_phrase(t, r);
    while (t->length && t->data[t->length - 1] == ' ') t->data[--t->length] = 0;
    text_char(t, '\n');
    text_free(&form);
}

void shape_print_manual(Text *t, Shape shape) {
    text_print(t, "%s: %s\n", shapes_table[shape].name, shapes_table[shape].doc);
    if (shape_kind((int)shape) == SET) text_add(t, "  a set of some of these:\n");
    for (EACH_ROW(r, shape)) print_row(t, r);
}

void word_print_manual(Text *t, Word word) {
    const Row *r = row_of_word((int)word);
    text_print(t, "%s: %s\n", shapes_table[r->shape].name, shapes_table[r->shape].doc);
    print_row(t, r);
}

static void json_row(Text *t, const Row *r) {
    Text part = {0};
    text_add(t, "{\"word\": ");
    if (r->kind == ROW_WORD || r->kind == ROW_SAME) text_json(t, word_names[r->word]);
    else text_add(t, "null");
    text_add(t, ", \"form\": ");
    if (r->kind == ROW_INCLUDES) text_print(&part, "any %s", shape_name(r->other));
    else print_form(&part, r);
    text_json(t, part.data ? part.data : "");
    text_add(t, ", \"says\": ");
    t->failed |= part.failed;
    text_clear(&part);
    print_phrase(&part, r->kind == ROW_SAME ? row_of_word(r->word) : r);
    text_json(t, part.data ? part.data : "");
    text_char(t, '}');
    t->failed |= part.failed;
    text_free(&part);
}

void shapes_print_json(Text *t) {
    for (int shape = SHAPE_NONE + 1; shape < SHAPES; shape++) {
        const char *comma = "";
        text_add(t, shape > SHAPE_NONE + 1 ? ",\n {\"shape\": " : "[{\"shape\": ");
        text_json(t, shapes_table[shape].name);
        text_add(t, ", \"doc\": ");
        text_json(t, shapes_table[shape].doc);
        text_add(t, ", \"forms\": [");
        for (EACH_ROW(r, shape)) {
            text_add(t, comma);
            json_row(t, r);
            comma = ", ";
        }
        text_add(t, "]}");
    }
    text_add(t, "]\n");
}

// ---- The public face ----

char *ts_words_print(const char *name) {
    Text t = {0};
    for (int shape = SHAPE_NONE + 1; shape < SHAPES; shape++) {
        if (name && strcmp(name, shapes_table[shape].name) != 0) continue;
        if (t.length) text_char(&t, '\n');
        shape_print_manual(&t, (Shape)shape);
    }
    for (int word = 0; name && word < WORDS; word++)
        if (strcmp(name, word_names[word]) == 0) word_print_manual(&t, (Word)word);
    text_add(&t, "");
    return text_take(&t);
}

char *ts_words_json(void) {
    Text t = {0};
    shapes_print_json(&t);
    return text_take(&t);
}
