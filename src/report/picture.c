// The picture of a tile: the first demo of a task, its input, an arrow, its output.
//
// A cell is as many pixels as make small grids about as large as large ones, so that the arrow looks much the
// same in all; the browser scales it up without smoothing. As a PNG with a palette it takes some 300 bytes.
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "show/show.h"

enum {
    USUAL_SIDE = 100,        // of the picture without the arrow, in pixels, or somewhat less
    CLEAR = SHOW_COLORS + 1, // colours that follow those of cells
    ARROW,
    COLORS,
};

typedef struct {
    int width, height;
    uint8_t *pixels;
} Canvas;

static void lay(Canvas *c, ts_grid g, int left, int scale) {
    int top = (c->height - g.height * scale) / 2;
    for (int i = 0; i < g.height * scale; i++)
        for (int j = 0; j < g.width * scale; j++) {
            int cell = g.cells[i / scale * g.width + j / scale];
            c->pixels[(top + i) * c->width + left + j] = (uint8_t)(show_has_color(cell) ? cell : SHOW_COLORS);
        }
}

// A triangle, `size` columns wide, that points to the right.
static void lay_arrow(Canvas *c, int left, int size) {
    for (int j = 0; j < size; j++)
        for (int i = j - size + 1; i < size - j; i++)
            c->pixels[(c->height / 2 + i) * c->width + left + j] = ARROW;
}

static int larger(int a, int b) { return a > b ? a : b; }

static bool draw(Canvas *c, const ts_sample *s) {
    int cells = s->input.width + s->output.width, tallest = larger(s->input.height, s->output.height);
    int scale = larger(1, USUAL_SIDE / larger(cells, tallest));
    int size = 1 + cells * scale / 14, gap = 3 * size, middle = s->input.width * scale;
    c->width = cells * scale + gap;
    c->height = larger(scale * tallest, 2 * size);
    c->pixels = malloc((size_t)(c->width * c->height));
    if (!c->pixels) return false;
    memset(c->pixels, CLEAR, (size_t)(c->width * c->height));
    lay(c, s->input, 0, scale);
    lay_arrow(c, middle + size, size);
    lay(c, s->output, middle + gap, scale);
    return true;
}

static void put_base64(Text *t, const uint8_t *bytes, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < n; k += 3) {
        uint32_t three = (uint32_t)bytes[k] << 16;
        if (k + 1 < n) three |= (uint32_t)bytes[k + 1] << 8;
        if (k + 2 < n) three |= bytes[k + 2];
        text_put(t,
                 (const char[]){digits[three >> 18], digits[three >> 12 & 63],
                                k + 1 < n ? digits[three >> 6 & 63] : '=',
                                k + 2 < n ? digits[three & 63] : '='},
                 4);
    }
}

static void fill_palette(uint8_t palette[COLORS][4]) {
    for (int k = 0; k < SHOW_COLORS; k++) {
        ShowColor c = show_color(k);
        memcpy(palette[k], (uint8_t[4]){c.red, c.green, c.blue, 255}, 4);
    }
    memcpy(palette[SHOW_COLORS], (uint8_t[4]){show_dark.red, show_dark.green, show_dark.blue, 255}, 4);
    memcpy(palette[CLEAR], (uint8_t[4]){0}, 4);
    memcpy(palette[ARROW], (uint8_t[4]){0x80, 0x80, 0x80, 255}, 4);
}

bool report_thumbnail(Text *t, const ts_task *task) {
    Canvas c = {0};
    uint8_t palette[COLORS][4];
    if (!draw(&c, &task->samples[0])) return false;
    fill_palette(palette);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)c.width,
                       .height = (png_uint_32)c.height,
                       .format = PNG_FORMAT_RGBA_COLORMAP,
                       .colormap_entries = COLORS};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(size);
    bool good = bytes && png_image_write_to_memory(&image, bytes, &size, 0, c.pixels, c.width, palette);
    text_add(t, "data:image/png;base64,");
    if (good) put_base64(t, bytes, size);
    png_image_free(&image);
    free(bytes);
    free(c.pixels);
    return good;
}
