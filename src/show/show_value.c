// Values as pictures: a grid as it is, an image as its grid, locations and objects on an empty ground.
//
// A ground is black, and locations on it are grey. It is as large as the grid that they come from, and larger
// where they lie beyond it; what is above or left of it, or further than any grid goes, is left out.
#include <stdio.h>
#include <stdlib.h>

#include "grid/grid.h"
#include "show/show.h"
#include "show/svg.h"
#include "value/value.h"

enum { BLACK = 0, GREY = 5 };

bool svg_is_picture(ts_value value) {
    if (!value_is_grid(value)) return false;
    const ts_grid g = ts_value_grid(value);
    for (size_t k = 0; k < (size_t)g.height * (size_t)g.width; k++)
        if (!show_has_color(g.cells[k]) && g.cells[k] != -1) return false;
    return true;
}

static bool is_image(Value v) {
    if (!value_is(v, KIND_TUPLE) || value_obj(v)->n != 2) return false;
    const Value *items = obj_items(value_obj(v));
    return value_is_loc(items[0]) && value_is_grid(items[1]);
}

static bool is_words(Value v) { return value_is(v, KIND_LOCS) || value_is(v, KIND_CELLS); }

// Whether all elements of a tuple or set, of which there is one at least, are of a kind.
static bool is_all(Value v, bool (*is)(Value element)) {
    if (!value_is(v, KIND_TUPLE) && !value_is(v, KIND_SET)) return false;
    const Obj *o = value_obj(v);
    for (uint32_t k = 0; k < o->n; k++)
        if (!is(obj_items(o)[k])) return false;
    return o->n > 0;
}

// ---- On a ground ----

static bool is_seen(uint32_t w) {
    return word_i(w) >= 0 && word_j(w) >= 0 && word_i(w) < GRID_TASK_SIDE && word_j(w) < GRID_TASK_SIDE;
}

// Makes room for what is seen of a set, and another ground for black cells.
static void make_room(SvgGround *g, Value set) {
    const Obj *o = value_obj(set);
    for (uint32_t k = 0; k < o->n; k++) {
        uint32_t w = obj_words(o)[k];
        if (!is_seen(w)) continue;
        if (word_i(w) >= g->height) g->height = word_i(w) + 1;
        if (word_j(w) >= g->width) g->width = word_j(w) + 1;
        if (o->kind == KIND_CELLS && word_v(w) == BLACK) g->empty = GREY;
    }
}

static void lay(SvgGround *g, Value set) {
    const Obj *o = value_obj(set);
    for (uint32_t k = 0; k < o->n; k++) {
        uint32_t w = obj_words(o)[k];
        if (!is_seen(w)) continue;
        int color = o->kind == KIND_CELLS ? word_v(w) : GREY;
        g->cells[word_i(w) * g->width + word_j(w)] = (signed char)color;
    }
}

// ---- Pictures ----

static void show_on_ground(SvgPictures *p, const Value *sets, uint32_t n, ts_grid like) {
    SvgGround *g = &p->ground;
    *g = (SvgGround){.height = like.height < GRID_TASK_SIDE ? like.height : GRID_TASK_SIDE,
                     .width = like.width < GRID_TASK_SIDE ? like.width : GRID_TASK_SIDE,
                     .empty = BLACK};
    for (uint32_t k = 0; k < n; k++) make_room(g, sets[k]);
    memset(g->cells, g->empty, sizeof g->cells);
    for (uint32_t k = 0; k < n; k++) lay(g, sets[k]);
    p->grids[0] = (ts_grid){g->height, g->width, g->cells};
    p->count = 1;
}

static void show_images(SvgPictures *p, const Value *images, uint32_t n) {
    uint32_t shown = n < SVG_MOST_PICTURES ? n : SVG_MOST_PICTURES;
    for (uint32_t k = 0; k < shown; k++) {
        const Value *parts = obj_items(value_obj(images[k]));
        uint32_t place = value_word(parts[0]);
        p->grids[k] = ts_value_grid(parts[1]);
        snprintf(p->places[k], sizeof p->places[k], "at %d,%d%s", word_i(place), word_j(place),
                 k + 1 == shown && shown < n ? " …" : "");
        p->titles[k] = p->places[k];
    }
    p->count = (int)shown;
}

bool svg_pictures(SvgPictures *p, ts_value value, ts_grid like) {
    p->titles[0] = NULL;
    if (svg_is_picture(value)) {
        p->grids[0] = ts_value_grid(value);
        p->count = 1;
        return true;
    }
    const bool is_one = is_image(value) || is_words(value);
    const bool images = is_image(value) || (!is_one && is_all(value, is_image));
    if (!is_one && !images && !is_all(value, is_words)) return false;
    const Value *items = is_one ? &value : obj_items(value_obj(value));
    const uint32_t n = is_one ? 1 : value_obj(value)->n;
    if (images) show_images(p, items, n);
    else show_on_ground(p, items, n, like);
    return true;
}

char *ts_draw_value(ts_value value, ts_grid like, ts_color color, int columns) {
    SvgPictures p;
    return svg_pictures(&p, value, like) ? ts_draw(p.grids, p.titles, p.count, color, columns) : NULL;
}

char *ts_svg_value(ts_value value, ts_grid like) {
    SvgPictures p;
    return svg_pictures(&p, value, like) ? ts_svg(p.grids, p.titles, p.count) : NULL;
}
