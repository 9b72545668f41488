// The words of the language: codes against words, printing against reading, sentences.
//
//     words FILE…     with cases of these files; runs in the root of the project
//
// A case is three lines: a shape and a value in codes or in words, the value in words as it is printed, and
// what it is in English. What is read again from the second line must be the same value.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "program/program.h"
#include "tree/features.h"
#include "words/rows.h"

typedef struct {
    Checks checks;
    ts_programs *set; // for reading
    Ctx *c;
} Words;

static void empty(Words *w) { programs_reset(w->set); }

// A value as it is written, codes as codes.
static bool value_of_text(Words *w, const char *text, Value *v) {
    Program p;
    Status status;
    if (!program_parse_expression(w->set, "words", text, strlen(text), &p, &status)) return false;
    if (p.line_count || p.result < SLOTS_GIVEN) return false;
    *v = p.constants[p.result - SLOTS_GIVEN];
    return true;
}

static const char *shown(Value v) {
    static Text texts[2];
    static int next;
    Text *t = &texts[next++ % 2];
    text_clear(t);
    literal_print_words(t, v);
    return t->data;
}

static Shape shape_named(const char *name, size_t length) {
    for (int k = 1; k < SHAPES; k++)
        if (strlen(shapes_table[k].name) == length && memcmp(shapes_table[k].name, name, length) == 0)
            return (Shape)k;
    return SHAPE_NONE;
}

// The value that a text has in this shape. False, with the context clean, where there is none.
static bool read_text(Words *w, Shape yields, Shape shape, const char *text, Value *v) {
    Value said;
    if (!value_of_text(w, text, &said)) return false;
    *v = shape_read_after(w->c, yields, shape, said, NULL);
    bool good = !w->c->failure;
    w->c->failure = TS_FAIL_NONE;
    return good;
}

// ---- Cases ----

static void test_case(Words *w, const char *where, const char *value, const char *words, const char *told) {
    check_begin(&w->checks, where);
    empty(w);
    const char *space = strchr(value, ' ');
    Shape shape = space ? shape_named(value, (size_t)(space - value)) : SHAPE_NONE;
    Value v, again;
    if (check(&w->checks, shape != SHAPE_NONE, "no such shape: %s", value) &&
        check(&w->checks, read_text(w, SHAPE_Number, shape, space + 1, &v), "not of this shape: %s", value)) {
        check(&w->checks, strcmp(shown(v), words) == 0, "prints as %s", shown(v));
        check(&w->checks, read_text(w, SHAPE_Number, shape, words, &again) && value_equal(v, again),
              "what is printed reads as something else");
        Text t = {0};
        shape_tell(&t, shape, v);
        check(&w->checks, strcmp(t.data, told) == 0, "tells as %s", t.data);
        text_free(&t);
    }
    check_end(&w->checks);
}

static char *next_line(FILE *f, char *line, size_t size) {
    if (!fgets(line, (int)size, f)) return NULL;
    line[strcspn(line, "\n")] = 0;
    while (isspace((unsigned char)*line)) line++;
    return line;
}

static void test_file(Words *w, const char *path) {
    static char lines[3][8192];
    FILE *f = fopen(path, "r");
    int number = 0, n = 0;
    char *at[3], where[300];
    if (!f) {
        printf("FAILED: no file %s\n", path);
        w->checks.failed++;
        return;
    }
    while ((at[n] = next_line(f, lines[n], sizeof lines[n]))) {
        number++;
        if (n == 0 && (!*at[0] || *at[0] == '#')) continue;
        if (++n < 3) continue;
        snprintf(where, sizeof where, "%s:%d", path, number - 2);
        test_case(w, where, at[0], at[1], at[2]);
        n = 0;
    }
    fclose(f);
}

// ---- Codes ----

// Every feature that the primitive knows has one form, and no other code has.
static void test_features(Words *w) {
    check_begin(&w->checks, "the codes of features are those of words");
    for (int code = -10; code < 7400; code++) {
        empty(w);
        int back = -1;
        Value v = shape_read(w->c, SHAPE_Feature, value_of_small(code), NULL);
        bool known = !w->c->failure;
        w->c->failure = TS_FAIL_NONE;
        check(&w->checks, known == (feature_family_of(code) != FAMILIES), "feature %d", code);
        if (!known) continue;
        check(&w->checks, shape_code(w->c, SHAPE_Feature, v, &back) && back == code, "feature %d: %s is %d",
              code, shown(v), back);
    }
    check_end(&w->checks);
}

// Layouts in codes, to words and back.
static void test_layouts(Words *w) {
    static const int numbers[] = {-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 7, 34, 35, 64, 65};
    enum { N = sizeof numbers / sizeof *numbers };
    int found = 0;
    check_begin(&w->checks, "layouts in codes are layouts in words");
    for (int k = 0; k < 7 * N * N * 5; k++) {
        int layout[4] = {k % 7, numbers[k / 7 % N], numbers[k / 7 / N % N], k / 7 / N / N}, back[4] = {0};
        empty(w);
        Gather g = gather(w->c);
        for (int i = 0; i < 4; i++) gather_add(&g, value_of_small(layout[i]));
        Value v = shape_read(w->c, SHAPE_Layout, gather_tuple(&g), NULL);
        bool known = !w->c->failure;
        w->c->failure = TS_FAIL_NONE;
        if (!known) continue;
        found++;
        check(&w->checks, shape_codes(w->c, SHAPE_Layout, v, back) && memcmp(layout, back, sizeof back) == 0,
              "%d, %d, %d, %d: %s", layout[0], layout[1], layout[2], layout[3], shown(v));
    }
    check(&w->checks, found > 500, "only %d of them are any", found);
    check_end(&w->checks);
}

// What is made up prints, reads back and is told; so is what differs from it at one place.
static void test_made_up(Words *w, Shape yields, Shape shape) {
    Rng r = {(uint64_t)shape};
    Text text = {0}, told = {0};
    check_begin(&w->checks, shapes_table[shape].name);
    for (int k = 0; k < 500; k++) {
        empty(w);
        Value v = shape_random(w->c, &r, yields, shape), again;
        if (k % 2) v = shape_mutate(w->c, &r, yields, shape, v, NULL);
        bool good = !w->c->failure;
        w->c->failure = TS_FAIL_NONE;
        if (!check(&w->checks, good, "nothing made up")) break;
        text_clear(&text);
        text_clear(&told);
        literal_print_words(&text, v);
        shape_tell_after(&told, yields, shape, v);
        check(&w->checks, told.length > 0 && !strpbrk(told.data, "{}|~[]") && !strstr(told.data, "//"),
              "%s tells as %s", text.data, told.data);
        check(&w->checks, read_text(w, yields, shape, text.data, &again) && value_equal(v, again), "%s",
              text.data);
    }
    check_end(&w->checks);
    text_free(&text);
    text_free(&told);
}

static bool is_yielded(int shape) {
    for (int k = 0; k < WORDS; k++)
        if (row_of_word(k)->yields == (Shape)shape) return true;
    return false;
}

int main(int argc, char **argv) {
    Words w = {.set = ts_programs_new()};
    if (!w.set) return 2;
    w.c = &w.set->ctx;
    for (int k = 1; k < argc; k++) test_file(&w, argv[k]);
    test_features(&w);
    test_layouts(&w);
    for (int k = SHAPE_NONE + 1; k < SHAPES; k++)
        for (int yields = SHAPE_NONE + 1; yields < SHAPES; yields++)
            if (yields == SHAPE_Number || (shape_follows((Shape)k) && is_yielded(yields)))
                test_made_up(&w, (Shape)yields, (Shape)k);
    ts_programs_free(w.set);
    return check_summary(&w.checks);
}
