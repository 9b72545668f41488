// Grids as SVG, for notebooks and pages.
//
//     title          a block: a title over a grid. A row has blocks side by side, a task has a column for
//     +--+           each sample, its input over its output, the tests after a dotted line.
//     |  |
//     +--+
//
// A grid is a rectangle in its commonest colour, for each other colour one path whose strokes are runs of
// cells, and two strokes as wide as the grid with a dash for each line between cells: some 500 bytes, where
// one element for each cell would be tens of thousands.
// Words and arrows are of a grey that is read on white and on black, since a notebook may be either. The
// whole is one image to a screen reader, with all titles and sizes as its label.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "show/show.h"
#include "show/svg.h"

enum {
    LARGEST_CELL = 20, // pixels, with the line on its left or top
    SMALLEST_CELL = 4,
    GRID_SIDE = 260,  // cells are made to fit this, if they can
    TASK_WIDTH = 960, // and those of a task this
    TITLE = 18,       // height
    LETTER = 7,       // width of one in a title, about
    GAP = 16,         // between blocks
    ARROW = 36,       // with the space around it
    UNKNOWN = 48,     // side of the box for an output that is not known
    MARGIN = 4,
};

typedef struct {
    Text body, label;
    int cell;
} Picture;

static int larger(int a, int b) { return a > b ? a : b; }
static int clamp(int n, int least, int most) { return n < least ? least : n > most ? most : n; }

// ---- Text ----

void svg_escape(Text *t, const char *text, size_t length) {
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        if (c == '<') text_add(t, "&lt;");
        else if (c == '>') text_add(t, "&gt;");
        else if (c == '&') text_add(t, "&amp;");
        else if (c == '"') text_add(t, "&quot;");
        else if (c == '\'') text_add(t, "&#39;");
        else text_char(t, (c < ' ' && c != '\n') || c == 0x7F ? '?' : (char)c);
    }
}

static int title_width(const char *title) { return LETTER * (int)strlen(title); }

static void put_title(Picture *p, int x, int y, const char *title, const char *note) {
    text_print(&p->body, "<text x=\"%d\" y=\"%d\">", x, y + TITLE - 6);
    svg_escape(&p->body, title, strlen(title));
    text_add(&p->body, note);
    text_add(&p->body, "</text>");
}

// ---- Grids ----

int svg_side(int cells) { return cells < SHOW_MOST_SIDE ? cells : SHOW_MOST_SIDE; }

void svg_size(Text *t, ts_grid g) {
    text_print(t, "%d by %d cells", g.height, g.width);
    if (!grid_fits(g, SHOW_MOST_SIDE)) text_add(t, ", its upper left part");
}

static int color_at(ts_grid g, int i, int j) {
    int cell = g.cells[(size_t)i * (size_t)g.width + (size_t)j];
    return show_has_color(cell) ? cell : SHOW_COLORS;
}

static void put_color(Text *t, const char *attribute, int color) {
    ShowColor c = color < SHOW_COLORS ? show_color(color) : show_dark;
    text_print(t, " %s=\"#%02x%02x%02x\"", attribute, c.red, c.green, c.blue);
}

static void put_runs(Text *t, ts_grid g, int color) {
    text_add(t, "<path");
    put_color(t, "stroke", color);
    text_add(t, " d=\"");
    for (int i = 0; i < svg_side(g.height); i++)
        for (int j = 0, n; j < svg_side(g.width); j += n + (n == 0)) {
            for (n = 0; j + n < svg_side(g.width) && color_at(g, i, j + n) == color;) n++;
            if (n) text_print(t, "M%d %d.5h%d", j, i, n);
        }
    text_add(t, "\"/>");
}

// A stroke over all cells, to the right or down, of which only the lines across it are seen.
static void put_lines(Text *t, int width, int length, bool down) {
    text_print(t,
               "<path stroke=\"#%02x%02x%02x\" stroke-width=\"%d\" stroke-dasharray=\".06 .94\" "
               "stroke-dashoffset=\".03\" shape-rendering=\"auto\" ",
               show_line.red, show_line.green, show_line.blue, width);
    if (down) text_print(t, "d=\"M%g 0v%d\"/>", width / 2.0, length);
    else text_print(t, "d=\"M0 %gh%d\"/>", width / 2.0, length);
}

void svg_cells(Text *t, ts_grid g) {
    const int height = svg_side(g.height), width = svg_side(g.width);
    int counts[SHOW_COLORS + 1] = {0}, ground = 0;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) counts[color_at(g, i, j)]++;
    for (int color = 1; color <= SHOW_COLORS; color++)
        if (counts[color] > counts[ground]) ground = color;
    text_print(t, "<rect width=\"%d\" height=\"%d\"", width, height);
    put_color(t, "fill", ground);
    text_add(t, "/>");
    for (int color = 0; color <= SHOW_COLORS; color++)
        if (counts[color] && color != ground) put_runs(t, g, color);
    put_lines(t, height, width, false);
    put_lines(t, width, height, true);
}

static void put_dots(Text *t, ts_grid g, ts_grid wanted, const char *color, const char *width) {
    text_print(t,
               "<path class=\"miss\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\" "
               "shape-rendering=\"auto\" d=\"",
               color, width);
    for (int i = 0; i < svg_side(g.height); i++)
        for (int j = 0; j < svg_side(g.width); j++)
            if (g.cells[i * g.width + j] != wanted.cells[i * g.width + j])
                text_print(t, "M%d.5 %d.5h0", j, i);
    text_add(t, "\"/>");
}

void svg_off(Text *t, ts_grid g, ts_grid wanted) {
    if (ts_grid_off(g, wanted) <= 0) return;
    put_dots(t, g, wanted, "#000", ".62");
    put_dots(t, g, wanted, "#fff", ".4");
}

static int pixels(const Picture *p, int side) { return side ? svg_side(side) * p->cell : UNKNOWN; }

// Says in the label what is shown.
static void put_label(Picture *p, const char *title, const char *note, const ts_grid *g) {
    if (p->label.length) text_add(&p->label, "; ");
    svg_escape(&p->label, title, strlen(title));
    text_add(&p->label, note);
    if (*title || *note) text_add(&p->label, ", ");
    if (g->height) svg_size(&p->label, *g);
    else text_add(&p->label, "not known");
}

static void put_unknown(Picture *p) {
    text_print(&p->body,
               "<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#787878\" "
               "stroke-dasharray=\"3\"/><text x=\"%d\" y=\"%d\">?</text>",
               UNKNOWN - 1, UNKNOWN - 1, UNKNOWN / 2 - 3, UNKNOWN / 2 + 4);
}

// `wanted`: what it should be; NULL or of height 0: nothing is known of that.
static void put_grid(Picture *p, const ts_grid *g, const ts_grid *wanted, int x, int y) {
    text_print(&p->body, "<g transform=\"translate(%d %d)", x, y);
    if (g->height) text_print(&p->body, " scale(%d)\" shape-rendering=\"crispEdges\">", p->cell);
    else text_add(&p->body, "\">");
    if (g->height) svg_cells(&p->body, *g);
    else put_unknown(p);
    if (g->height && wanted && wanted->height) svg_off(&p->body, *g, *wanted);
    text_add(&p->body, "</g>");
}

static void put_arrow(Picture *p, int x, int y, int turn) {
    text_print(&p->body,
               "<path transform=\"translate(%d %d) rotate(%d)\" d=\"M-9 0H8M2-5l6 5-6 5\" fill=\"none\" "
               "stroke=\"#787878\" stroke-width=\"2\"/>",
               x, y, turn);
}

// ---- The whole ----

static char *finish(Picture *p, int width, int height) {
    Text t = {0};
    text_print(&t,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
               "role=\"img\" aria-label=\"",
               width, height, width, height);
    text_add(&t, p->label.data ? p->label.data : "nothing");
    text_add(&t, "\" style=\"max-width:100%;height:auto\" font-family=\"sans-serif\" font-size=\"12\" "
                 "fill=\"#787878\">");
    text_add(&t, p->body.data ? p->body.data : "");
    text_add(&t, "</svg>");
    t.failed |= p->body.failed || p->label.failed;
    text_free(&p->body);
    text_free(&p->label);
    return text_take(&t);
}

// How many cells are off, behind the title; "" where none are.
static const char *note_of(char note[32], const ts_grid *g, const ts_grid *wanted, bool titled) {
    const int off = wanted && wanted->height && g->height ? ts_grid_off(*g, *wanted) : 0;
    note[0] = 0;
    if (off > 0) snprintf(note, 32, "%s%d cell%s off", titled ? ", " : "", off, off == 1 ? "" : "s");
    return note;
}

char *ts_svg_against(const ts_grid *grids, const ts_grid *wanted, const char *const *titles, int count) {
    int side = 1, height = 0, x = MARGIN;
    bool titled = wanted != NULL;
    char note[32];
    for (int k = 0; k < count; k++) {
        side = larger(side, larger(svg_side(grids[k].height), svg_side(grids[k].width)));
        titled |= titles && titles[k] && *titles[k];
    }
    Picture p = {.cell = clamp(GRID_SIDE / side, SMALLEST_CELL, LARGEST_CELL)};
    for (int k = 0; k < count; k++) height = larger(height, pixels(&p, grids[k].height));
    const int top = MARGIN + (titled ? TITLE : 0);
    for (int k = 0; k < count; k++) {
        const char *title = titles && titles[k] ? titles[k] : "";
        const ts_grid *right = wanted ? &wanted[k] : NULL;
        const bool after_input = k > 0 && titles && titles[k - 1] && !strncmp(titles[k - 1], "input", 5);
        if (after_input) put_arrow(&p, x + ARROW / 2, top + height / 2, 0);
        if (k > 0) x += after_input ? ARROW : GAP;
        note_of(note, &grids[k], right, *title);
        if (*title || *note) put_title(&p, x, MARGIN, title, note);
        put_label(&p, title, note, &grids[k]);
        put_grid(&p, &grids[k], right, x, top);
        x += larger(pixels(&p, grids[k].width), title_width(title) + title_width(note));
    }
    return finish(&p, x + MARGIN, top + height + MARGIN);
}

char *ts_svg(const ts_grid *grids, const char *const *titles, int count) {
    return ts_svg_against(grids, NULL, titles, count);
}

// ---- Tasks ----

// Cells of a width to which all samples fit, and of a height that stays on a screen.
static int task_cell(const ts_task *task) {
    int columns = 0, side = 1, count = task->demos + task->tests;
    for (int k = 0; k < count; k++) {
        const ts_sample *s = &task->samples[k];
        columns += larger(s->input.width, s->has_output ? s->output.width : 1);
        side = larger(side, larger(s->input.height, s->has_output ? s->output.height : 1));
    }
    int by_width = columns ? (TASK_WIDTH - GAP * count) / columns : LARGEST_CELL;
    return clamp(by_width < GRID_SIDE / side ? by_width : GRID_SIDE / side, SMALLEST_CELL, LARGEST_CELL);
}

typedef struct {
    int inputs, outputs; // heights
    int below;           // where outputs begin
} Rows;

static ts_grid output_of(const ts_sample *s) { return s->has_output ? s->output : (ts_grid){0}; }

// Draws a sample, its left edge at x, and returns how wide it is.
static int put_sample(Picture *p, const Rows *rows, const ts_sample *s, int number, int x) {
    const ts_grid output = output_of(s);
    char title[32], label[48];
    snprintf(title, sizeof title, "%s %d", s->is_test ? "test" : "demo", number);
    const int in = pixels(p, s->input.width), out = pixels(p, output.width);
    const int width = larger(larger(in, out), title_width(title));
    put_title(p, x, MARGIN, title, "");
    snprintf(label, sizeof label, "%s input", title);
    put_label(p, label, "", &s->input);
    put_grid(p, &s->input, NULL, x + (width - in) / 2, rows->below - ARROW - pixels(p, s->input.height));
    put_arrow(p, x + width / 2, rows->below - ARROW / 2, 90);
    snprintf(label, sizeof label, "%s output", title);
    put_label(p, label, "", &output);
    put_grid(p, &output, NULL, x + (width - out) / 2, rows->below);
    return width;
}

char *ts_svg_task(const ts_task *task) {
    Picture p = {.cell = task_cell(task)};
    Rows rows = {0};
    svg_escape(&p.label, task->id, strlen(task->id));
    for (int k = 0; k < task->demos + task->tests; k++) {
        rows.inputs = larger(rows.inputs, pixels(&p, task->samples[k].input.height));
        rows.outputs = larger(rows.outputs, pixels(&p, output_of(&task->samples[k]).height));
    }
    rows.below = MARGIN + TITLE + rows.inputs + ARROW;
    const int height = rows.below + rows.outputs + MARGIN;
    int x = MARGIN;
    for (int k = 0; k < task->demos + task->tests; k++) {
        if (k == task->demos && k > 0)
            text_print(&p.body, "<path d=\"M%d 0V%d\" stroke=\"#787878\" stroke-dasharray=\"1 4\"/>",
                       x - GAP / 2, height);
        x += GAP + put_sample(&p, &rows, &task->samples[k], k < task->demos ? k + 1 : k - task->demos + 1, x);
    }
    return finish(&p, x - GAP + MARGIN, height);
}
