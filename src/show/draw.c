// Grids as text for a terminal.
//
// A picture is a row of blocks, each a title over a grid; where the terminal is too narrow for the next
// block, a new band begins below. A block is never kept in memory: its lines are written straight from the
// grid.
//
//     demo 1  2x3    1x1          a cell is two columns wide, so that it looks square
//     +------+       +--+
//     |      |  ->   |  |         in colour a grid has a frame: black cells are seen on a black ground
//     |      |       +--+
//     +------+
//
// Of a grid of more than 127 rows or columns the upper left part is drawn, and a line below says its size.
// Without colour: digits, '.' for 0, and no frame. Cells beyond 0 to 9 are a '?' on grey, or the number.
// An arrow stands between an input and what follows it; ts_draw knows an input by its title.
// A cell that is not as it should be has a mark: '*' before it without colour, else '><' on it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "show/show.h"
#include "tessera.h"

typedef struct {
    const ts_grid *grid;   // NULL: an output that is not known
    const char *title;     // NULL: none
    bool arrow;            // before it
    bool apart;            // from the block before it: the input of another sample
    int rows, cells;       // that are drawn, and of a row
    int cell_width;        // columns of the widest cell in plain text
    char part[64];         // that it is a part; "" where it is not
    const ts_grid *wanted; // of the same shape, with other cells; NULL: there is nothing to mark
    char note[40];         // how many these are, behind the title; "" where there are none
} Block;

typedef struct {
    Text text;
    ts_color color;
    int columns; // 0: no limit
    int pending; // spaces owed before the next thing on this line, never written at its end
} Drawing;

// ---- Text ----

static void put(Drawing *d, const char *text, size_t length) {
    for (; d->pending > 0; d->pending--) text_char(&d->text, ' ');
    text_put(&d->text, text, length);
}

static void put_string(Drawing *d, const char *text) { put(d, text, strlen(text)); }

static void end_line(Drawing *d) {
    d->pending = 0;
    text_char(&d->text, '\n');
}

static int text_width(const char *text) { return utf8_columns(text, strlen(text)); }

// A title may come from a file: control characters do not reach the terminal.
static void put_title(Drawing *d, const char *title) {
    for (; *title; title++) put(d, (unsigned char)*title < ' ' || *title == 0x7F ? "?" : title, 1);
}

// ---- Colours ----

static int distance(ShowColor a, ShowColor b) {
    int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return red * red + green * green + blue * blue;
}

// A colour of the 256: a cube of 6 x 6 x 6 from 16 on, then 24 greys. The first 16 are left out, for they
// look different in every terminal.
static ShowColor palette_color(int index) {
    static const uint8_t levels[6] = {0, 95, 135, 175, 215, 255};
    if (index >= 232) {
        uint8_t grey = (uint8_t)(8 + 10 * (index - 232));
        return (ShowColor){grey, grey, grey};
    }
    int k = index - 16;
    return (ShowColor){levels[k / 36], levels[k / 6 % 6], levels[k % 6]};
}

static int nearest_in_palette(ShowColor color) {
    int best = 16;
    for (int k = 16; k < 256; k++)
        if (distance(color, palette_color(k)) < distance(color, palette_color(best))) best = k;
    return best;
}

// Begins a colour, of the ground (48) or of what is written (38).
static void put_color(Drawing *d, int which, ShowColor c) {
    put(d, "", 0);
    if (d->color == TS_COLOR_FULL) text_print(&d->text, "\x1b[%d;2;%d;%d;%dm", which, c.red, c.green, c.blue);
    else text_print(&d->text, "\x1b[%d;5;%dm", which, nearest_in_palette(c));
}

static void put_reset(Drawing *d) { put_string(d, "\x1b[0m"); }

// ---- Blocks ----

static bool is_empty(const ts_grid *g) { return g->height <= 0 || g->width <= 0; }

static int number_width(int n) { return (n < 0) + (abs(n) >= 100 ? 3 : abs(n) >= 10 ? 2 : 1); }

static Block new_block(const ts_grid *grid, const char *title, bool arrow) {
    Block b = {.grid = grid, .title = title, .arrow = arrow, .cell_width = 1};
    if (!grid || is_empty(grid)) return b;
    b.rows = grid->height < SHOW_MOST_SIDE ? grid->height : SHOW_MOST_SIDE;
    b.cells = grid->width < SHOW_MOST_SIDE ? grid->width : SHOW_MOST_SIDE;
    if (b.rows < grid->height || b.cells < grid->width)
        snprintf(b.part, sizeof b.part, "… of %d by %d cells", grid->height, grid->width);
    for (int i = 0; i < b.rows; i++)
        for (int j = 0; j < b.cells; j++) {
            int width = number_width(grid->cells[(size_t)i * (size_t)grid->width + (size_t)j]);
            if (width > b.cell_width) b.cell_width = width;
        }
    return b;
}

// Holds a block against the grid that it should be.
static void mark_block(Block *b, const ts_grid *wanted, ts_color color) {
    const int off = b->rows ? ts_grid_off(*b->grid, *wanted) : 0;
    if (off <= 0) return;
    b->wanted = wanted;
    snprintf(b->note, sizeof b->note, "%s%d cell%s off: %s", b->title ? ", " : "", off, off == 1 ? "" : "s",
             color == TS_COLOR_NONE ? "*" : "><");
}

static bool is_marked(const Block *b, int row, int k) {
    const size_t at = (size_t)row * (size_t)b->grid->width + (size_t)k;
    return b->wanted && b->grid->cells[at] != b->wanted->cells[at];
}

// What stands for a block that has no cells to show.
static const char *block_word(const Block *b) {
    return !b->grid ? "?" : is_empty(b->grid) ? "(empty)" : NULL;
}

static int block_height(const Drawing *d, const Block *b) {
    if (block_word(b)) return 1;
    return b->rows + (d->color == TS_COLOR_NONE ? 0 : 2) + (b->part[0] != 0);
}

static int picture_width(const Drawing *d, const Block *b) {
    if (block_word(b)) return text_width(block_word(b));
    if (d->color == TS_COLOR_NONE) return b->cells * (b->cell_width + 1) - !b->wanted;
    return b->cells * 2 + 2;
}

static int title_width(const Block *b) { return (b->title ? text_width(b->title) : 0) + text_width(b->note); }

static int block_width(const Drawing *d, const Block *b) {
    int width = picture_width(d, b), title = title_width(b), part = text_width(b->part);
    width = title > width ? title : width;
    return part > width ? part : width;
}

// What lies before a block: the arrow and the space around it.
static int gap_width(const Block *b, bool first) {
    return b->arrow ? (first ? 3 : 6) : first ? 0 : b->apart ? 6 : 3;
}

static void draw_plain_row(Drawing *d, const Block *b, int row) {
    const signed char *cells = b->grid->cells + (size_t)row * (size_t)b->grid->width;
    for (int k = 0; k < b->cells; k++) {
        d->pending += b->cell_width - number_width(cells[k]) + (k > 0 || b->wanted);
        if (is_marked(b, row, k)) { // in the column between two cells
            d->pending--;
            put_string(d, "*");
        }
        put(d, ".", cells[k] == 0);
        if (cells[k] != 0) text_int(&d->text, cells[k]);
    }
}

static void draw_color_row(Drawing *d, const Block *b, int row) {
    const signed char *cells = b->grid->cells + (size_t)row * (size_t)b->grid->width;
    put_color(d, 38, show_line);
    put_string(d, "|");
    for (int k = 0; k < b->cells; k++) {
        bool known = show_has_color(cells[k]);
        if (k == 0 || cells[k] != cells[k - 1]) put_color(d, 48, known ? show_color(cells[k]) : show_dark);
        if (is_marked(b, row, k)) {
            put_color(d, 38, known ? show_ink(show_color(cells[k])) : show_white);
            put_string(d, "><");
            continue;
        }
        if (!known) put_color(d, 38, show_color(5));
        put_string(d, known ? "  " : " ?");
    }
    put_reset(d);
    put_color(d, 38, show_line);
    put_string(d, "|");
    put_reset(d);
}

static void draw_frame(Drawing *d, const Block *b) {
    put_color(d, 38, show_line);
    put_string(d, "+");
    for (int k = 0; k < b->cells; k++) put_string(d, "--");
    put_string(d, "+");
    put_reset(d);
}

// Line `line` of a block without its title. Returns the columns that it takes.
static int draw_line(Drawing *d, const Block *b, int line) {
    if (b->part[0] && line == block_height(d, b) - 1) {
        put_string(d, b->part);
        return text_width(b->part);
    }
    if (block_word(b)) put_string(d, block_word(b));
    else if (d->color == TS_COLOR_NONE) draw_plain_row(d, b, line);
    else if (line == 0 || line == b->rows + 1) draw_frame(d, b);
    else draw_color_row(d, b, line - 1);
    return picture_width(d, b);
}

// ---- Bands ----

// How many of the blocks fit side by side; at least one. A sample is not torn where it fits by itself.
static int band_count(const Drawing *d, const Block *blocks, int count) {
    int width = 0, fitting = 0;
    for (; fitting < count; fitting++) {
        width += gap_width(&blocks[fitting], fitting == 0) + block_width(d, &blocks[fitting]);
        if (fitting > 0 && d->columns > 0 && width > d->columns) break;
        if (blocks[0].arrow && blocks[fitting].apart) break; // below its input, an output stands alone
    }
    const bool torn = fitting > 1 && fitting < count && blocks[fitting].arrow && blocks[fitting - 1].apart;
    return fitting - torn;
}

static void draw_titles(Drawing *d, const Block *blocks, int count) {
    bool any = false;
    for (int k = 0; k < count; k++) any = any || blocks[k].title || blocks[k].note[0];
    if (!any) return;
    for (int k = 0; k < count; k++) {
        const char *title = blocks[k].title ? blocks[k].title : "";
        d->pending += gap_width(&blocks[k], k == 0);
        put_title(d, title);
        put_title(d, blocks[k].note);
        d->pending += block_width(d, &blocks[k]) - title_width(&blocks[k]);
    }
    end_line(d);
}

// The line at which the arrow before block k stands: half way down the lower of its two neighbours.
static int arrow_line(const Drawing *d, const Block *blocks, int k) {
    int height = block_height(d, &blocks[k]);
    if (k > 0 && block_height(d, &blocks[k - 1]) < height) height = block_height(d, &blocks[k - 1]);
    return (height - 1) / 2;
}

static void draw_gap(Drawing *d, const Block *blocks, int k, int line) {
    int width = gap_width(&blocks[k], k == 0);
    if (!blocks[k].arrow || line != arrow_line(d, blocks, k)) {
        d->pending += width;
        return;
    }
    d->pending += k == 0 ? 0 : 2;
    put_string(d, "->");
    d->pending += width - 2 - (k == 0 ? 0 : 2);
}

static void draw_band(Drawing *d, const Block *blocks, int count) {
    int height = 0;
    for (int k = 0; k < count; k++)
        if (block_height(d, &blocks[k]) > height) height = block_height(d, &blocks[k]);
    draw_titles(d, blocks, count);
    for (int line = 0; line < height; line++) {
        for (int k = 0; k < count; k++) {
            int width = block_width(d, &blocks[k]);
            draw_gap(d, blocks, k, line);
            if (line < block_height(d, &blocks[k])) width -= draw_line(d, &blocks[k], line);
            d->pending += width;
        }
        end_line(d);
    }
}

static void draw_blocks(Drawing *d, const Block *blocks, int count) {
    while (count > 0) {
        int fitting = band_count(d, blocks, count);
        draw_band(d, blocks, fitting);
        blocks += fitting;
        count -= fitting;
        if (count > 0 && !blocks->arrow) end_line(d);
    }
}

// ---- The public side ----

static char *finish(Drawing *d) {
    text_put(&d->text, "", 0);
    if (!d->text.failed) return d->text.data;
    text_free(&d->text);
    return NULL;
}

char *ts_draw_against(const ts_grid *grids, const ts_grid *wanted, const char *const *titles, int count,
                      ts_color color, int columns) {
    Drawing d = {.color = color, .columns = columns};
    Block *blocks = calloc((size_t)(count > 0 ? count : 1), sizeof *blocks);
    if (!blocks) return NULL;
    for (int k = 0; k < count; k++) {
        const char *before = k > 0 && titles ? titles[k - 1] : NULL;
        bool after_input = before && strncmp(before, "input", 5) == 0;
        blocks[k] = new_block(&grids[k], titles ? titles[k] : NULL, after_input);
        if (wanted && wanted[k].height) mark_block(&blocks[k], &wanted[k], color);
    }
    draw_blocks(&d, blocks, count);
    free(blocks);
    return finish(&d);
}

char *ts_draw(const ts_grid *grids, const char *const *titles, int count, ts_color color, int columns) {
    return ts_draw_against(grids, NULL, titles, count, color, columns);
}

// The blocks of a task: for each sample its input and its output. Their titles lie in one text.
static Block *task_blocks(const ts_task *task, Text *titles) {
    const int count = task->demos + task->tests;
    Block *blocks = calloc(2 * (size_t)count + 1, sizeof *blocks);
    for (int k = 0; blocks && k < count; k++) {
        const ts_sample *sample = &task->samples[k];
        const int number = k < task->demos ? k + 1 : k - task->demos + 1;
        blocks[2 * k] = new_block(&sample->input, NULL, false);
        blocks[2 * k + 1] = new_block(sample->has_output ? &sample->output : NULL, NULL, true);
        blocks[2 * k].apart = k > 0;
        text_print(titles, "%s %d  %dx%d%c", sample->is_test ? "test" : "demo", number, sample->input.height,
                   sample->input.width, 0);
        if (sample->has_output) text_print(titles, "%dx%d", sample->output.height, sample->output.width);
        text_put(titles, "", 1);
    }
    const char *title = titles->data; // which moves no more
    for (int k = 0; blocks && !titles->failed && k < 2 * count; k++, title += strlen(title) + 1)
        blocks[k].title = title;
    return blocks;
}

// The samples of a task, as many side by side as there is room for.
char *ts_draw_task(const ts_task *task, ts_color color, int columns) {
    Drawing d = {.color = color, .columns = columns};
    Text titles = {0};
    Block *blocks = task_blocks(task, &titles);
    put_string(&d, "task ");
    put_title(&d, task->id);
    end_line(&d);
    end_line(&d);
    if (blocks) draw_blocks(&d, blocks, 2 * (task->demos + task->tests));
    d.text.failed |= titles.failed || !blocks;
    text_free(&titles);
    free(blocks);
    return finish(&d);
}
