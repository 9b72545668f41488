// A task as a PNG: demos one below the other, then tests on a ground of their own.
//
//     | margin | input, centred in its column | arrow | output, centred in its column | margin |
//
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
    int input_width, output_width; // of the columns, in pixels
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

static int sample_height(const Layout *l, const ts_sample *s) {
    return larger(pixels_of(l, s->input.height), s->has_output ? pixels_of(l, s->output.height) : UNKNOWN);
}

// The largest cells with which the picture fits the page.
static int fitting_cell(const ts_task *task, int count) {
    int input = 0, output = 0;
    long rows = 0;
    for (int k = 0; k < count; k++) {
        const ts_sample *s = &task->samples[k];
        input = larger(input, s->input.width);
        if (s->has_output) output = larger(output, s->output.width);
        rows += larger(s->input.height, s->has_output ? s->output.height : 1);
    }
    long wide = (PAGE_WIDTH - ARROW - 2 * MARGIN) / larger(input + output, 1);
    long high = (PAGE_HEIGHT - (2L * count + 2) * MARGIN) / (rows > 0 ? rows : 1);
    long cell = wide < high ? wide : high;
    return (int)(cell < SMALLEST_CELL ? SMALLEST_CELL : cell > LARGEST_CELL ? LARGEST_CELL : cell);
}

static Layout lay_out(const ts_task *task) {
    Layout l = {.task = task, .count = task->demos + task->tests};
    l.cell = fitting_cell(task, l.count);
    for (int k = 0; k < l.count; k++) {
        const ts_sample *s = &task->samples[k];
        l.input_width = larger(l.input_width, pixels_of(&l, s->input.width));
        l.output_width = larger(l.output_width, s->has_output ? pixels_of(&l, s->output.width) : UNKNOWN);
    }
    return l;
}

static bool new_canvas(Canvas *c, const Layout *l, Status *status) {
    size_t width = (size_t)l->input_width + ARROW + (size_t)l->output_width + 2 * MARGIN, height = 0;
    for (int k = 0; k < l->count; k++) height += (size_t)sample_height(l, &l->task->samples[k]) + 2 * MARGIN;
    if (height == 0 || height > MOST_PIXELS / width)
        return status_fail(status, TS_INPUT, "task '%.200s': its picture would be %zu x %zu pixels",
                           l->task->id, width, height);
    *c = (Canvas){.width = (int)width, .height = (int)height, .pixels = malloc(width * height)};
    return c->pixels || status_fail(status, TS_SYSTEM, "no memory for a picture of %zu x %zu", width, height);
}

// Draws a sample into the strip of the picture that begins at y; returns where the next one begins.
static int draw_sample(Canvas *c, const Layout *l, const ts_sample *s, int y) {
    int inner = sample_height(l, s), strip = inner + 2 * MARGIN, middle = y + strip / 2;
    int output_x = MARGIN + l->input_width + ARROW;
    fill(c, 0, y, c->width, strip, s->is_test ? PANEL : PAGE);
    if (y > 0) fill(c, 0, y, c->width, 1, RULE);
    int width = pixels_of(l, s->input.width), height = pixels_of(l, s->input.height);
    draw_grid(c, l, s->input, MARGIN + (l->input_width - width) / 2, middle - height / 2);
    draw_arrow(c, output_x - ARROW / 2, middle);
    width = s->has_output ? pixels_of(l, s->output.width) : UNKNOWN;
    height = s->has_output ? pixels_of(l, s->output.height) : UNKNOWN;
    output_x += (l->output_width - width) / 2;
    if (s->has_output) draw_grid(c, l, s->output, output_x, middle - height / 2);
    else draw_unknown(c, output_x, middle - height / 2);
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

bool ts_png_task(const ts_task *task, const char *path, ts_status *status) {
    *status = (ts_status){0};
    Layout l = lay_out(task);
    Canvas canvas = {0};
    if (!new_canvas(&canvas, &l, status)) return false;
    for (int k = 0, y = 0; k < l.count; k++) y = draw_sample(&canvas, &l, &task->samples[k], y);
    bool good = save(&canvas, path, status);
    free(canvas.pixels);
    return good;
}
