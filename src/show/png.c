// A task as a PNG: demos one below the other, then tests on a ground of their own.
//
//     | margin | input, centred in its column | arrow | output, centred in its column | margin |
//
// With answers there is a third column for these, after a gap; a cell that is off has a square on it.
// The canvas is one byte per pixel, an index into sixteen colours. Cells are as large as fits a page; each
// has a thin line around it.
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "show/show.h"

enum {
    PAGE_WIDTH = 1000, // what the cells are made to fit, if they can
    PAGE_HEIGHT = 1600,
    SMALLEST_CELL = 6,
    LARGEST_CELL = 32,
    MARGIN = 20,  // around all, and above and below each sample
    ARROW = 80,   // columns for the arrow and the space around it
    UNKNOWN = 80, // side of the box for an output that is not known
    GAP = 40,     // between output and answer
    MOST_PIXELS = 256 * 1024 * 1024,
};

// Indices of the colours that follow ARC's ten.
enum { PAGE = SHOW_COLORS, PANEL, LINE, INK, RULE, DARK, COLORS };

typedef struct {
    int width, height;
    uint8_t *pixels;
} Canvas;

typedef struct {
    const ts_task *task;
    int cell;                      // side in pixels, with the line on its left or top
    const ts_grid *answers;        // NULL: none are drawn
    int input_width, output_width; // of the columns, in pixels
    int answer_width;              // with the gap before it; 0: there is no such column
    int count;                     // samples
} Layout;

// ---- Shapes ----

static void fill(Canvas *c, int x, int y, int width, int height, int color) {
    for (int row = y; row < y + height; row++)
        memset(c->pixels + (size_t)row * (size_t)c->width + x, color, (size_t)width);
}

static int pixels_of(const Layout *l, int cells) { return cells * l->cell + 1; }

static void draw_grid(Canvas *c, const Layout *l, ts_grid g, int x, int y) {
    fill(c, x, y, pixels_of(l, g.width), pixels_of(l, g.height), LINE);
    for (int k = 0; k < g.height * g.width; k++) {
        int left = x + k % g.width * l->cell + 1, top = y + k / g.width * l->cell + 1, side = l->cell - 1;
        bool known = show_has_color(g.cells[k]);
        fill(c, left, top, side, side, known ? g.cells[k] : DARK);
        if (!known) fill(c, left + side / 3, top + side / 3, side - side / 3 * 2, side - side / 3 * 2, PAGE);
    }
}

// A square in the middle of a cell, so many 32nds of it smaller on each side.
static void draw_square(Canvas *c, const Layout *l, int left, int top, int inset, int color) {
    const int side = l->cell - 1, edge = side * inset / 32;
    fill(c, left + 1 + edge, top + 1 + edge, side - 2 * edge, side - 2 * edge, color);
}

// Marks the cells that are not as wanted, white in black: that is seen on every colour.
static void draw_marks(Canvas *c, const Layout *l, ts_grid g, ts_grid wanted, int x, int y) {
    enum { BLACK = 0, OUTER = 4, INNER = 11 };
    const int cells = ts_grid_off(g, wanted) > 0 ? g.height * g.width : 0;
    for (int k = 0; k < cells; k++) {
        const int left = x + k % g.width * l->cell, top = y + k / g.width * l->cell;
        if (g.cells[k] == wanted.cells[k]) continue;
        draw_square(c, l, left, top, OUTER, BLACK);
        draw_square(c, l, left, top, INNER, PAGE);
    }
}

// An arrow to the right whose middle is at (x, y).
static void draw_arrow(Canvas *c, int x, int y) {
    enum { LENGTH = 40, HEAD = 12, SHAFT = 6 };
    fill(c, x - LENGTH / 2, y - SHAFT / 2, LENGTH - HEAD, SHAFT, INK);
    for (int k = 0; k < HEAD; k++) fill(c, x + LENGTH / 2 - HEAD + k, y - (HEAD - k), 1, 2 * (HEAD - k), INK);
}

// A box with a question mark.
static void draw_unknown(Canvas *c, int x, int y) {
    static const char *const mark[7] = {" ### ", "#   #", "    #", "  ## ", "  #  ", "     ", "  #  "};
    enum { DOT = 6 };
    fill(c, x, y, UNKNOWN, UNKNOWN, LINE);
    fill(c, x + 1, y + 1, UNKNOWN - 2, UNKNOWN - 2, PAGE);
    int left = x + (UNKNOWN - 5 * DOT) / 2, top = y + (UNKNOWN - 7 * DOT) / 2;
    for (int row = 0; row < 7; row++)
        for (int k = 0; k < 5; k++)
            if (mark[row][k] == '#') fill(c, left + k * DOT, top + row * DOT, DOT, DOT, INK);
}

// ---- Layout ----

static int larger(int a, int b) { return a > b ? a : b; }

// What a program gave for a sample, unless it is too large for a picture: then it has no height.
static ts_grid answer_of(const Layout *l, int k) {
    const ts_grid none = {0}, g = l->answers ? l->answers[k] : none;
    return g.height > 0 && g.height <= SHOW_MOST_SIDE && g.width > 0 && g.width <= SHOW_MOST_SIDE ? g : none;
}

static int size_of(const Layout *l, int cells) { return cells ? pixels_of(l, cells) : UNKNOWN; }

static int sample_height(const Layout *l, int k) {
    const ts_sample *s = &l->task->samples[k];
    int height = larger(pixels_of(l, s->input.height), size_of(l, s->has_output ? s->output.height : 0));
    return l->answers ? larger(height, size_of(l, answer_of(l, k).height)) : height;
}

// The largest cells with which the picture fits the page.
static int fitting_cell(const Layout *l) {
    int input = 0, output = 0, answer = 0;
    long rows = 0;
    for (int k = 0; k < l->count; k++) {
        const ts_sample *s = &l->task->samples[k];
        const ts_grid a = answer_of(l, k);
        input = larger(input, s->input.width);
        if (s->has_output) output = larger(output, s->output.width);
        answer = larger(answer, a.width);
        rows += larger(larger(s->input.height, s->has_output ? s->output.height : 1), a.height);
    }
    long wide = (PAGE_WIDTH - ARROW - 2 * MARGIN) / larger(input + output + answer, 1);
    long high = (PAGE_HEIGHT - (2L * l->count + 2) * MARGIN) / (rows > 0 ? rows : 1);
    long cell = wide < high ? wide : high;
    return (int)(cell < SMALLEST_CELL ? SMALLEST_CELL : cell > LARGEST_CELL ? LARGEST_CELL : cell);
}

static Layout lay_out(const ts_task *task, const ts_grid *answers) {
    Layout l = {.task = task, .answers = answers, .count = task->demos + task->tests};
    l.cell = fitting_cell(&l);
    for (int k = 0; k < l.count; k++) {
        const ts_sample *s = &task->samples[k];
        l.input_width = larger(l.input_width, pixels_of(&l, s->input.width));
        l.output_width = larger(l.output_width, size_of(&l, s->has_output ? s->output.width : 0));
        if (answers) l.answer_width = larger(l.answer_width, GAP + size_of(&l, answer_of(&l, k).width));
    }
    return l;
}

static bool new_canvas(Canvas *c, const Layout *l, Status *status) {
    size_t width = (size_t)(l->input_width + l->output_width + l->answer_width) + ARROW + 2 * MARGIN,
           height = 0;
    for (int k = 0; k < l->count; k++) height += (size_t)sample_height(l, k) + 2 * MARGIN;
    if (height == 0 || height > MOST_PIXELS / width)
        return status_fail(status, TS_INPUT, "task '%.200s': its picture would be %zu x %zu pixels",
                           l->task->id, width, height);
    *c = (Canvas){.width = (int)width, .height = (int)height, .pixels = malloc(width * height)};
    return c->pixels || status_fail(status, TS_SYSTEM, "no memory for a picture of %zu x %zu", width, height);
}

// Draws a grid, or that there is none, into the column from x on; returns where its left edge came to lie.
static int draw_in_column(Canvas *c, const Layout *l, ts_grid g, int x, int column, int middle) {
    x += (column - size_of(l, g.width)) / 2;
    const int y = middle - size_of(l, g.height) / 2;
    if (g.height) draw_grid(c, l, g, x, y);
    else draw_unknown(c, x, y);
    return x;
}

// Draws a sample into the strip of the picture that begins at y; returns where the next one begins.
static int draw_sample(Canvas *c, const Layout *l, int k, int y) {
    const ts_sample *s = &l->task->samples[k];
    const ts_grid output = s->has_output ? s->output : (ts_grid){0};
    int strip = sample_height(l, k) + 2 * MARGIN, middle = y + strip / 2;
    int output_x = MARGIN + l->input_width + ARROW;
    fill(c, 0, y, c->width, strip, s->is_test ? PANEL : PAGE);
    if (y > 0) fill(c, 0, y, c->width, 1, RULE);
    draw_in_column(c, l, s->input, MARGIN, l->input_width, middle);
    draw_arrow(c, output_x - ARROW / 2, middle);
    draw_in_column(c, l, output, output_x, l->output_width, middle);
    if (l->answers) {
        const ts_grid answer = answer_of(l, k);
        int x = draw_in_column(c, l, answer, output_x + l->output_width + GAP, l->answer_width - GAP, middle);
        if (output.height) draw_marks(c, l, answer, output, x, middle - size_of(l, answer.height) / 2);
    }
    return y + strip;
}

// ---- The file ----

static void fill_palette(uint8_t palette[COLORS * 3]) {
    static const ShowColor own[COLORS - SHOW_COLORS] = {
        [PAGE - SHOW_COLORS] = {0xFF, 0xFF, 0xFF},
        [PANEL - SHOW_COLORS] = {0xDC, 0xE6, 0xF2},
        [INK - SHOW_COLORS] = {0x70, 0x70, 0x70},
        [RULE - SHOW_COLORS] = {0xC0, 0xC0, 0xC0},
    };
    for (int k = 0; k < COLORS; k++) {
        ShowColor color = k < SHOW_COLORS ? show_color(k)
                          : k == LINE     ? show_line
                          : k == DARK     ? show_dark
                                          : own[k - SHOW_COLORS];
        palette[k * 3] = color.red;
        palette[k * 3 + 1] = color.green;
        palette[k * 3 + 2] = color.blue;
    }
}

static bool write_png(const Canvas *c, FILE *file, const char *path, Status *status) {
    uint8_t palette[COLORS * 3];
    fill_palette(palette);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)c->width,
                       .height = (png_uint_32)c->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = COLORS};
    bool good = png_image_write_to_stdio(&image, file, 0, c->pixels, c->width, palette) != 0;
    if (!good) status_fail(status, TS_SYSTEM, "cannot write '%.300s': %s", path, image.message);
    png_image_free(&image);
    return good;
}

static bool save(const Canvas *c, const char *path, Status *status) {
    Replace replace;
    if (!replace_open(&replace, path, status)) return false;
    return replace_close(&replace, write_png(c, replace.file, path, status), status);
}

bool ts_png_answers(const ts_task *task, const ts_grid *answers, const char *path, ts_status *status) {
    *status = (ts_status){0};
    Layout l = lay_out(task, answers);
    Canvas canvas = {0};
    if (!new_canvas(&canvas, &l, status)) return false;
    for (int k = 0, y = 0; k < l.count; k++) y = draw_sample(&canvas, &l, k, y);
    bool good = save(&canvas, path, status);
    free(canvas.pixels);
    return good;
}

bool ts_png_task(const ts_task *task, const char *path, ts_status *status) {
    return ts_png_answers(task, NULL, path, status);
}
