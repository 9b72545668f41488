// Programs in English: golden sentences, and what holds for those of any program.
//
//     tell [SEED [LAST]]     random programs with this seed (1), or with all from SEED to LAST
//     tell --print           the golden file again, with the sentences of today
//
// Runs in the root of the project, for it reads tests/golden/tell.txt, pool/ and tasks/solvers.py.
//
// A block of the golden file is a program and below it, on lines that begin with "> ", what is said of it.
#include <ctype.h>
#include <stdlib.h>

#include "check.h"
#include "generate.h"
#include "tell/tell.h"

#define MEMORY ((size_t)256 << 20)
enum { MOST_TEXT = 8000, COLUMNS = 100 };

typedef struct {
    Checks checks;
    Ctx c, scratch;
    Gen g;
} Unit;

// ---- Golden sentences ----

// A block: the program's text, and the sentences on one line. The next block, NULL after the last.
static const char *read_block(const char *s, Text *program, Text *words) {
    text_clear(program);
    text_clear(words);
    while (*s == '\n' || *s == '#') s = *s == '\n' ? s + 1 : strchrnul(s, '\n');
    if (!*s) return NULL;
    for (const char *end; *s && *s != '\n'; s = end + (*end != 0)) {
        end = strchrnul(s, '\n');
        if (strncmp(s, "> ", 2) == 0) {
            if (words->length) text_char(words, ' ');
            text_put(words, s + 2, (size_t)(end - s) - 2);
        } else {
            text_put(program, s, (size_t)(end - s));
            text_char(program, '\n');
        }
    }
    return s;
}

static void test_golden(Unit *u, const char *golden) {
    Text program = {0}, words = {0};
    int count = 0;
    while ((golden = read_block(golden, &program, &words))) {
        check_begin(&u->checks, "the sentences of a program");
        char *told = ts_tell(program.data);
        check(&u->checks, told && words.data && strcmp(told, words.data) == 0, "%s\n  told: %s\n  want: %s",
              program.data, told ? told : "(no program)", words.data ? words.data : "");
        check_end(&u->checks);
        free(told);
        count++;
    }
    check_begin(&u->checks, "there are golden sentences");
    check(&u->checks, count >= 60, "%d of them", count);
    check_end(&u->checks);
    text_free(&program);
    text_free(&words);
}

static void print_golden(const char *golden) {
    Text program = {0}, words = {0};
    for (const char *next; (next = read_block(golden, &program, &words)); golden = next) {
        while (*golden == '\n' || *golden == '#') { // what stands before the block
            const char *end = strchrnul(golden, '\n');
            printf("%.*s\n", (int)(end - golden), golden);
            golden = end + (*end != 0);
        }
        fputs(program.data, stdout);
        char *told = ts_tell(program.data);
        for (const char *s = told ? told : ""; *s;) {
            size_t n = strlen(s);
            if (n > COLUMNS - 2)
                for (n = COLUMNS - 2; s[n] != ' '; n--) {}
            printf("> %.*s\n", (int)n, s);
            s += n + (s[n] == ' ');
        }
        free(told);
    }
    text_free(&program);
    text_free(&words);
}

// ---- Any program ----

// What a person would not take for English: names of the language and its variables.
static const char *odd_word(const char *s) {
    for (const char *at = s; *at; at++) {
        const bool starts = at == s || !isalnum((unsigned char)at[-1]);
        if (*at == '_' || *at == '{' || *at == '}' || *at == '<' || *at == '[') return at;
        if (isupper((unsigned char)*at) && isupper((unsigned char)at[1])) return at;
        if (starts && *at == 'x' && isdigit((unsigned char)at[1])) return at;
        if (at[0] == ' ' && at[1] == ' ') return at;
    }
    return NULL;
}

static void check_told(Unit *u, const Program *p) {
    Text first = {0}, second = {0};
    tell_program(&first, p);
    tell_program(&second, p);
    const char *s = first.data ? first.data : "", *odd = odd_word(s);
    check(&u->checks,
          !first.failed && first.length > 8 && isupper((unsigned char)*s) && s[first.length - 1] == '.',
          "%s: %s", p->name, s);
    check(&u->checks, !odd, "%s: '%.20s' in: %s", p->name, odd ? odd : "", s);
    check(&u->checks, first.length < MOST_TEXT, "%s: %zu characters", p->name, first.length);
    check(&u->checks, second.data && strcmp(s, second.data) == 0, "%s: told in two ways", p->name);
    text_free(&first);
    text_free(&second);
}

static void test_file(Unit *u, const char *path) {
    ts_status s;
    ts_programs *set = ts_programs_new();
    check_begin(&u->checks, path);
    check(&u->checks, set && ts_programs_add_file(set, path, true, NULL, NULL, &s), "%s", s.message);
    for (size_t k = 0; k < set->count; k++) check_told(u, &set->programs[k]);
    check_end(&u->checks);
    ts_programs_free(set);
}

static bool tell_text(Unit *u, const char *text) {
    ts_status s;
    ts_programs *set = ts_programs_new();
    bool good = ts_programs_add_text(set, "", text, strlen(text), true, NULL, NULL, &s);
    for (size_t k = 0; k < set->count; k++) check_told(u, &set->programs[k]);
    ts_programs_free(set);
    return good;
}

// Each primitive on its example, and with arguments that are not known.
static void test_primitives(Unit *u) {
    Text text = {0};
    for (int op = 0; op < OPS; op++) {
        const OpInfo *info = &ops_table[op];
        check_begin(&u->checks, info->name);
        text_clear(&text);
        text_print(&text, "def example(I):\n    return %s\n", info->example);
        check(&u->checks, tell_text(u, text.data), "its example is no program: %s", info->example);
        text_clear(&text);
        text_add(&text, "def open(S, I, C):\n");
        for (int k = 0; k < info->arity; k++) text_print(&text, "    y%d = first(last(S))\n", k);
        text_print(&text, "    return %s(", info->name);
        for (int k = 0; k < info->arity; k++) text_print(&text, k ? ", y%d" : "y%d", k);
        text_add(&text, ")\n");
        check(&u->checks, tell_text(u, text.data), "%s", text.data);
        check_end(&u->checks);
    }
    text_free(&text);
}

static void test_random(Unit *u) {
    Text text = {0};
    check_begin(&u->checks, "random programs");
    for (int k = 0; k < 2000; k++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        Value grid = gen_typed(&u->g, "Grid"), result;
        text_clear(&text);
        if (gen_program(&u->g, "random", grid, &text, &result)) tell_text(u, text.data);
    }
    check_end(&u->checks);
    text_free(&text);
}

static void test_mutants(Unit *u, uint64_t seed) {
    static const char *const files[] = {"tests/golden/programs.py", "tasks/solvers.py", "pool/arc1.py"};
    check_begin(&u->checks, "mutants of mutants");
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        ts_status s;
        ts_programs *set = ts_programs_new();
        check(&u->checks, ts_programs_add_file(set, files[k], true, NULL, NULL, &s), "%s", s.message);
        const ts_programs *source = set;
        ts_card *before = NULL;
        for (int round = 0; round < 5; round++) {
            const ts_card_options o = {.count = 200, .seed = seed + (uint64_t)round, .rate = 1};
            ts_card *card = ts_card_new(source, NULL, &o, &s);
            if (!check(&u->checks, card != NULL, "%s", s.message)) break;
            source = ts_card_programs(card);
            for (size_t n = 0; n < source->count; n++) check_told(u, &source->programs[n]);
            ts_card_free(before);
            before = card;
        }
        ts_card_free(before);
        ts_programs_free(set);
    }
    check_end(&u->checks);
}

// Programs that would be told without end.
static void test_nasty(Unit *u) {
    static const struct {
        const char *name, *start, *line, *end;
    } kinds[] = {
        {"each line twice the one before", "x0 = I", "x%d = hconcat(x%d, x%d)", "vmirror(x%d)"},
        {"the same of values", "x0 = size(I)", "x%d = add(x%d, x%d)", "canvas(x%d, (1, 1))"},
        {"functions of functions", "x0 = size", "x%d = fork(add, x%d, x%d)", "canvas(x%d(I), (1, 1))"},
        {"functions composed", "x0 = vmirror", "x%d = compose(x%d, x%d)", "x%d(I)"},
        {"what says nothing", "x0 = I", "x%d = totuple(initset(x%d))", "first(x%d)"},
        {"conditions", "x0 = square(I)", "x%d = both(flip(x%d), x%d)", "branch(x%d, I, vmirror(I))"},
        {"filters", "x0 = objects(I, T, F, T)", "x%d = sfilter(x%d, square)", "subgrid(first(x%d), I)"},
        {"for each", "x0 = objects(I, T, F, T)", "x%d = apply(fork(combine, box, corners), x%d)",
         "paint(I, merge(x%d))"},
        {"numbers", "x0 = ONE", "x%d = increment(x%d)", "canvas(x%d, (1, 1))"},
    };
    Text text = {0};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        check_begin(&u->checks, kinds[k].name);
        text_clear(&text);
        text_print(&text, "def nasty(I):\n    %s\n", kinds[k].start);
        for (int n = 1; n <= 400; n++) {
            text_add(&text, "    ");
            char line[128];
            snprintf(line, sizeof line, kinds[k].line, n, n - 1, n - 1);
            text_print(&text, "%s\n", line);
        }
        char end[128];
        snprintf(end, sizeof end, kinds[k].end, 400);
        text_print(&text, "    return %s\n", end);
        check(&u->checks, tell_text(u, text.data), "no program");
        check_end(&u->checks);
    }
    text_free(&text);
}

int main(int argc, char **argv) {
    static Unit u;
    static const char *const files[] = {"pool/arc1.py", "pool/arc2.py", "tasks/solvers.py",
                                        "tests/golden/programs.py"};
    Status s;
    Text golden = {0};
    if (!text_read_file(&golden, "tests/golden/tell.txt", &s)) {
        printf("%s\n", s.message);
        return 1;
    }
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        print_golden(golden.data);
        text_free(&golden);
        return 0;
    }
    gen_context(&u.c, MEMORY);
    gen_context(&u.scratch, MEMORY);
    test_golden(&u, golden.data);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) test_file(&u, files[k]);
    test_primitives(&u);
    test_nasty(&u);
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    for (uint64_t seed = first; seed <= last; seed++) {
        u.g = (Gen){.rng = {seed}, .c = &u.c, .scratch = &u.scratch};
        test_random(&u);
        test_mutants(&u, seed);
    }
    text_free(&golden);
    arena_free(&u.c.arena);
    arena_free(&u.scratch.arena);
    return check_summary(&u.checks);
}
