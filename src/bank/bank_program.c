// Stacks as programs: the lines from the input to each piece, then the stack from the bottom.
#include "bank/bank.h"

enum { MOST_VARIABLES = 200, TRIM_TO_ORIGIN = 0 };

typedef struct {
    Bank *b;
    Text *t;
    int count; // of variables so far: x1, x2, …
    int known; // entries that have one
    struct {
        int32_t entry;
        int variable;
    } of[MOST_VARIABLES];
    int input, size[SIZES], output_blank; // variables, 0 for none yet
} Trace;

// Starts the line of a new variable.
static int begin(Trace *t) {
    text_print(t->t, "x%d = ", ++t->count);
    return t->count;
}

static void print_form(Text *t, const NormalForm *form) {
    text_add(t, "((");
    for (int color = 0; color < 10; color++)
        if (form->kept >> color & 1) text_print(t, "%d, ", color);
    text_add(t, "), (");
    for (int k = 0; k < form->count; k++) text_print(t, "%d, ", form->features[k]);
    text_add(t, "))");
}

static int trace_entry(Trace *t, int32_t entry);

// A side of the output that follows from those of entries.
static int trace_side(Trace *t, const SizeRule *rule, const char *side) {
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        int32_t entry = k ? rule->other : rule->entry;
        if (entry < 0) continue;
        int image = trace_entry(t, entry), grid = begin(t);
        text_print(t->t, "image_grid(x%d)\n", image);
        int x = begin(t);
        text_print(t->t, "%s(x%d)\n", side, grid);
        if (k == 0 && rule->factor != 1) {
            int times = begin(t);
            if (rule->factor > 0) text_print(t->t, "multiply(x%d, %d)\n", x, rule->factor);
            else text_print(t->t, "divide(x%d, %d)\n", x, -rule->factor);
            x = times;
        }
        if (k == 1 || (rule->offset && rule->other < 0)) {
            int plus = begin(t);
            if (k) text_print(t->t, "add(x%d, x%d)\n", sum, x);
            else text_print(t->t, "add(x%d, %d)\n", x, rule->offset);
            x = plus;
        }
        sum = x;
    }
    return sum;
}

// The height and width of a size.
static int trace_size(Trace *t, int size) {
    const SizeRule *h = &t->b->height, *w = &t->b->width;
    if (t->size[size]) return t->size[size];
    if (size == SIZE_INPUT || bank_sizes_are_inputs(t->b)) {
        if (!t->size[SIZE_INPUT]) {
            t->size[SIZE_INPUT] = begin(t);
            text_add(t->t, "shape(I)\n");
        }
        return t->size[SIZE_INPUT];
    }
    int height = h->entry < 0 ? 0 : trace_side(t, h, "height");
    int width = w->entry < 0 ? 0 : trace_side(t, w, "width");
    int x = t->size[size] = begin(t);
    text_print(t->t, height || width ? "astuple(%s%d, %s%d)\n" : "identity((%s%d, %s%d))\n",
               height ? "x" : "", height ? height : h->offset, width ? "x" : "", width ? width : w->offset);
    return x;
}

static int trace_blank(Trace *t, int size) {
    int shape = trace_size(t, size), x = begin(t);
    text_print(t->t, "image_blank(x%d)\n", shape);
    return x;
}

static int trace_output_blank(Trace *t) {
    if (!t->output_blank) t->output_blank = trace_blank(t, SIZE_OUTPUT);
    return t->output_blank;
}

static int trace_seed(Trace *t, int seed) {
    if (seed == SEED_INPUT) return t->input;
    if (seed == SEED_INPUT_BLANK) return trace_blank(t, SIZE_INPUT);
    if (seed == SEED_OUTPUT_BLANK) return trace_output_blank(t);
    int x = begin(t);
    text_add(t->t, "image(");
    grid_print(t->t, t->b->outputs[seed - SEED_DEMO]);
    text_add(t->t, ")\n");
    return x;
}

static int trace_step(Trace *t, const BankStep *s, int from) {
    const char *name = image_fns[s->fn].name;
    int size = s->size < 0 ? 0 : trace_size(t, s->size), x = begin(t);
    if (size) text_print(t->t, "%s(x%d, x%d, %d)\n", name, from, size, s->variant);
    else text_print(t->t, "%s(x%d, %d)\n", name, from, s->variant);
    return x;
}

static int trace_entry(Trace *t, int32_t entry) {
    for (int k = 0; k < t->known; k++)
        if (t->of[k].entry == entry) return t->of[k].variable;
    const BankEntry *e = &t->b->entries[entry];
    int x = e->parent < 0 ? trace_seed(t, e->step)
                          : trace_step(t, &t->b->shop.steps[e->step], trace_entry(t, e->parent));
    if (t->known < MOST_VARIABLES) {
        t->of[t->known].entry = entry;
        t->of[t->known++].variable = x;
    }
    return x;
}

static int trace_piece(Trace *t, const BankPiece *p) {
    int x = trace_entry(t, p->entry);
    if (p->at_origin) {
        int moved = begin(t);
        text_print(t->t, "%s(x%d, %d)\n", image_fns[IMAGE_FN_trim].name, x, TRIM_TO_ORIGIN);
        x = moved;
    }
    if (p->color) {
        int painted = begin(t);
        text_print(t->t, "%s(x%d, %d)\n", image_fns[IMAGE_FN_recolor].name, x, p->color);
        x = painted;
    }
    return x;
}

static int trace_lay(Trace *t, int under, int over, int how) {
    int x = begin(t);
    text_print(t->t, "image_lay(x%d, x%d, %d)\n", under, over, how);
    return x;
}

void bank_print_stack(Bank *b, const Stack *s, Text *text) {
    Trace t = {.b = b, .t = text};
    int grid = begin(&t);
    text_add(text, "normal_colors(I, I, ");
    print_form(text, &b->form);
    text_add(text, ", F)\n");
    t.input = begin(&t);
    text_print(text, "image(x%d)\n", grid);
    int size = trace_output_blank(&t), under = size;
    for (int k = s->count - 1; k >= 0; k--) {
        int over = trace_piece(&t, &s->piece[k]);
        // To the output's size.
        if (s->how[k] != ImageLay_ON_TOP) over = trace_lay(&t, size, over, ImageLay_ON_TOP);
        under = s->how[k] == ImageLay_REPLACING ? over : trace_lay(&t, under, over, s->how[k]);
    }
    grid = begin(&t);
    text_print(text, "image_grid(x%d)\n", under);
    text_print(text, "O = normal_colors(x%d, I, ", grid);
    print_form(text, &b->form);
    text_add(text, ", T)\n");
}
