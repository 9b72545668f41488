// The codes of old programs and the words that they became: each code that a shape takes is read as words,
// and the words give the code back. With -v all of them are printed, with what they say.
//
// Closes with `N passed, N failed`.
#include <string.h>

#include "check.h"
#include "dsl/ops.h"
#include "move/journey.h"
#include "move/motion.h"
#include "view/view.h"

typedef struct {
    Checks checks;
    Ctx c;
    bool shows;
} Codes;

static const char *shown(Value v) {
    static Text texts[4];
    static int next;
    Text *t = &texts[next++ % 4];
    text_clear(t);
    literal_print(t, v);
    return t->data;
}

static void show(const Codes *k, Shape yields, Shape shape, Value old, Value words) {
    if (!k->shows) return;
    Text told = {0};
    shape_tell_after(&told, yields, shape, words);
    printf("%s %s => %s: %s\n", shapes_table[shape].name, shown(old), shown(words),
           told.data ? told.data : "");
    text_free(&told);
}

// A value in codes and what it is in words have the same codes, and words stay as they are.
static bool try_value(Codes *k, Shape yields, Shape shape, Value old) {
    static int codes[4096], again[4096];
    Value words = shape_read_after(&k->c, yields, shape, old, NULL);
    bool taken = !k->c.failure;
    if (taken) {
        bool both = shape_codes_after(&k->c, yields, shape, old, codes) &&
                    shape_codes_after(&k->c, yields, shape, words, again);
        check(&k->checks, both, "%s: %s has no codes", shapes_table[shape].name, shown(words));
        size_t bytes = sizeof *codes * (size_t)shape_width(shape);
        check(&k->checks, !memcmp(codes, again, bytes), "%s: %s is another code than %s",
              shapes_table[shape].name, shown(words), shown(old));
        Value twice = shape_read_after(&k->c, yields, shape, words, NULL);
        check(&k->checks, value_equal(twice, words), "%s: %s becomes %s", shapes_table[shape].name,
              shown(words), shown(twice));
        show(k, yields, shape, old, words);
    }
    k->c.failure = TS_FAIL_NONE;
    return taken;
}

// How many of the codes from least to most a shape takes.
static void try_codes(Codes *k, Shape shape, int least, int most, int wanted) {
    int taken = 0;
    check_begin(&k->checks, shapes_table[shape].name);
    for (int code = least; code <= most; code++) {
        ctx_begin(&k->c, 1 << 20);
        int packed = 0;
        bool fits = try_value(k, SHAPE_Number, shape, value_of_small(code));
        taken += fits;
        if (fits && shape_code(&k->c, shape, value_of_small(code), &packed))
            check(&k->checks, packed == code, "%d became %d", code, packed);
    }
    check(&k->checks, taken == wanted, "%d codes are taken, not %d", taken, wanted);
    check_end(&k->checks);
}

// A tuple of small numbers.
static Value numbers(Codes *k, const int *n, int count) {
    Gather g = gather(&k->c);
    for (int i = 0; i < count; i++) gather_add(&g, value_of_small(n[i]));
    return gather_tuple(&g);
}

// An old record of four numbers, and the codes that the C code sees.
static void try_record(Codes *k, Shape shape, const int *old, const int *wanted, int width) {
    int codes[16] = {0};
    ctx_begin(&k->c, 1 << 20);
    Value v = numbers(k, old, 4);
    bool fits = try_value(k, SHAPE_Number, shape, v) && shape_codes(&k->c, shape, v, codes);
    check(&k->checks, fits && !memcmp(codes, wanted, sizeof *codes * (size_t)width), "%s: %s",
          shapes_table[shape].name, shown(v));
    k->c.failure = TS_FAIL_NONE;
}

// (where, equals, property, kind): where + 100 for all but those, below 0 for all.
static void try_choices(Codes *k, Shape shape, int kinds) {
    enum { PROPERTIES = PieceProperty_CELLS_OF + 10 };
    check_begin(&k->checks, shapes_table[shape].name);
    for (int where = -1; where < PROPERTIES; where++)
        for (int not = 0; not < (where < 0 ? 1 : 2); not ++)
            for (int prop = 0; prop < PROPERTIES; prop++) {
                int equals = where < 0 ? 0 : prop % 2, kind = prop % kinds;
                const int among = where < 0 ? Among_ALL_PIECES : not ? Among_WITHOUT : Among_WITH;
                try_record(k, shape, (int[]){where + 100 * not, equals, prop, kind},
                           (int[]){prop, kind, among, where < 0 ? 0 : where, equals}, 5);
            }
    check_end(&k->checks);
}

static void try_patterns(Codes *k) {
    check_begin(&k->checks, "templates, places and rooms");
    for (int n = 0; n < 5 * 3 * 4 * 16; n++) {
        int kind = n % 5, pick = n / 5 % 3, anchor = n / 15 % 4, flags = n / 60;
        try_record(k, SHAPE_TemplateRule, (int[]){kind, pick, anchor, flags},
                   (int[]){kind, anchor, pick, flags}, 4);
        try_record(k, SHAPE_TemplateRule, (int[]){kind, 3 + pick % 2, anchor, 16 * (flags % 2)},
                   (int[]){kind, anchor, 3 + pick % 2, 16 * (flags % 2)}, 4);
        try_record(k, SHAPE_TemplateRule, (int[]){kind, pick, Completion_REPEAT_TO_MARKS, flags % 4},
                   (int[]){kind, Completion_REPEAT_TO_MARKS, pick, flags % 4}, 4);
        if (flags >= 8) continue;
        try_record(k, SHAPE_TemplateRule, (int[]){kind, pick, Completion_MIRROR_ABOUT, flags},
                   (int[]){kind, Completion_MIRROR_ABOUT, pick, flags}, 4);
    }
    for (int n = 0; n < 7 * 9 * 6; n++) {
        const int place[] = {n % 7, 1 + n / 7 % 3, 1 + n / 21 % 3, n / 63 - 1};
        try_record(k, SHAPE_Place, place, place, 4);
    }
    for (int n = 0; n < 40; n++) {
        const int place[] = {Place_SHAPE_OF, n % 10, n / 10, 0};
        try_record(k, SHAPE_Place, place, place, 4);
    }
    for (int n = 0; n < 14 * 2 * 16; n++) {
        int use = n / 28 < CellUse_GOES_TO ? n / 28 : CellUse_GOES_TO;
        const int rule[] = {n % 14, n / 14 % 2, use, n / 28 - use};
        try_record(k, SHAPE_CellRule, rule, rule, 4);
    }
    check_end(&k->checks);
}

// What follows another parameter is about what that yields.
static void try_followers(Codes *k) {
    static const struct {
        Shape yields, shape;
        int old, wanted;
    } followers[] = {
        {SHAPE_SizeAndColor, SHAPE_Measure, 51, 51},    {SHAPE_Color, SHAPE_Measure, 15, 15},
        {SHAPE_PieceNumbers, SHAPE_PieceNumbers, 5, 5}, {SHAPE_PieceColors, SHAPE_PieceColors, 205, 205},
        {SHAPE_PieceColors, SHAPE_PieceColors, 0, 0},
    };
    check_begin(&k->checks, "what follows another parameter");
    for (size_t n = 0; n < sizeof followers / sizeof *followers; n++) {
        int code = -1;
        ctx_begin(&k->c, 1 << 20);
        Value old = value_of_small(followers[n].old);
        bool fits = try_value(k, followers[n].yields, followers[n].shape, old) &&
                    shape_codes_after(&k->c, followers[n].yields, followers[n].shape, old, &code);
        check(&k->checks, fits && code == followers[n].wanted, "%d became %d", followers[n].old, code);
    }
    ctx_begin(&k->c, 1 << 20);
    int code, codes[SHAPE_MOST_CODES];
    Value below = value_pair(&k->c, value_of_word(WORD_HOW_MANY_WITH), value_of_small(-2));
    check(&k->checks, !shape_code(&k->c, SHAPE_Measure, below, &code), "a number below zero has a code");
    k->c.failure = TS_FAIL_NONE;
    check(&k->checks, !shape_codes(&k->c, SHAPE_Choice, VALUE_NO_TUPLE, codes), "nothing is a choice");
    k->c.failure = TS_FAIL_NONE;
    check_end(&k->checks);
}

// The C code counts up to the last word that it knows: that is the last there is.
static void try_counts(Codes *k) {
    static const struct {
        Shape shape;
        int count;
    } known[] = {{SHAPE_PartsKind, PARTS_KINDS}, {SHAPE_Property, PROPS},   {SHAPE_Test, TESTS},
                 {SHAPE_Drawn, PATCHES},         {SHAPE_Paint, PAINTS},     {SHAPE_Layer, LAYERS},
                 {SHAPE_Motion, MOVES},          {SHAPE_Way, JOURNEY_WAYS}, {SHAPE_Symmetry, SYMMETRIES},
                 {SHAPE_Direction, DIRECTIONS},  {SHAPE_View, VIEWS}};
    check_begin(&k->checks, "counts");
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        int words = 0;
        for (int w = 0; w < WORDS; w++) words += word_shape((Word)w) == known[n].shape;
        check(&k->checks, words == known[n].count, "%s has %d words, not %d",
              shapes_table[known[n].shape].name, words, known[n].count);
    }
    check_end(&k->checks);
}

int main(int argc, char **argv) {
    Codes k = {.shows = argc > 1 && !strcmp(argv[1], "-v")};
    arena_init(&k.c.arena, (size_t)64 << 20);
    static const struct {
        Shape shape;
        int least, most, wanted; // codes that are tried, how many of them mean something
    } shapes[] = {
        {SHAPE_Source, -9, 4100, 17 + 4 * 30 * 29},
        {SHAPE_PieceView, -9, 99, 64},
        {SHAPE_PieceProperty, -9, 99, 68},
        {SHAPE_Superlative, -9, 99, 5},
        {SHAPE_Ordering, -9, 99, 2},
        {SHAPE_PieceLayout, -9, 3000, 32 + 2 * 30 * 29},
        {SHAPE_Overlay, -9, 99, 3},
        {SHAPE_OverlayColor, -30, 99, 19},
        {SHAPE_Measure, -9, 99, 6 + 90},
        {SHAPE_CopyCells, -9, 299, 2 * 14},
        {SHAPE_View, -9, 99, 11},
        {SHAPE_EachKind, -9, 99, 8},
        {SHAPE_Mask, -9, 99, 11},
        {SHAPE_Repair, -9, 199, 12 * 8},
        {SHAPE_Replacing, -9, 99, 4},
        {SHAPE_PlaceGround, -9, 99, 11},
        {SHAPE_ImageLay, -9, 99, 9},
        {SHAPE_KeptColor, -9, 99, 10},
        {SHAPE_ErasedColor, -9, 99, 10},
        {SHAPE_Color, -9, 99, 10},
        {SHAPE_ImageBox, -9, 99, 7},
        {SHAPE_ImageTrim, -9, 99, 5},
        {SHAPE_ImageMotion, -9, 99, 11},
        {SHAPE_ImageHalf, -9, 99, 4},
        {SHAPE_ImageInside, -9, 99, 4},
        {SHAPE_ImageRing, -9, 99, 4},
        {SHAPE_ImageSmear, -9, 99, 15},
        {SHAPE_ImageConnect, -9, 99, 4},
        {SHAPE_ImageSpread, -9, 99, 2},
        {SHAPE_ImageCount, -9, 99, 9},
        {SHAPE_ImageFit, -9, 99, 7},
        {SHAPE_ImageSplit, -9, 99, 7},
        {SHAPE_ImageFall, -9, 99, 8},
        {SHAPE_ImagePick, -9, 99, 15},
        {SHAPE_ImageSift, -9, 99, 28},
        {SHAPE_ImagePile, -9, 99, 6},
        {SHAPE_ColorTrait, -9, 99, 24},
        {SHAPE_NormalWay, -9, 99, 2},
    };
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        try_codes(&k, shapes[n].shape, shapes[n].least, shapes[n].most, shapes[n].wanted);
    try_choices(&k, SHAPE_Choice, 5);
    try_choices(&k, SHAPE_PieceOrder, 2);
    try_patterns(&k);
    try_followers(&k);
    try_counts(&k);
    arena_free(&k.c.arena);
    return check_summary(&k.checks);
}
