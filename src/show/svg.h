// What SVG pictures are made of, for notebooks (svg.c) and pages (report).
#ifndef TESSERA_SHOW_SVG_H
#define TESSERA_SHOW_SVG_H

#include "base/text.h"
#include "tessera.h"

// Text from a file in a document: what has a meaning there is written out, control characters are not.
void svg_escape(Text *t, const char *text, size_t length);

int svg_side(int cells); // cells that are drawn of so many rows or columns: of a very large grid a part
// The cells of a grid, each one unit high and wide, the first at (0, 0), with lines between them.
void svg_cells(Text *t, ts_grid grid);
// Marks the cells that are not as wanted, a dot on each, where both grids have one shape.
void svg_off(Text *t, ts_grid grid, ts_grid wanted);
// Whether a value is a grid to look at. Rows of numbers beyond the colours are places or counts that happen
// to have the form of one; -1 is what programs mark cells with.
bool svg_is_picture(ts_value value);
// A value as pictures: a grid, images, or sets on a ground. They point into the value and into this.
enum { SVG_MOST_PICTURES = 12 };
typedef struct {
    int height, width, empty; // what its cells are where nothing lies
    signed char cells[TS_MOST_SIDE * TS_MOST_SIDE];
} SvgGround;
typedef struct {
    ts_grid grids[SVG_MOST_PICTURES];
    char places[SVG_MOST_PICTURES][32];
    const char *titles[SVG_MOST_PICTURES]; // NULL: none
    int count;
    SvgGround ground;
} SvgPictures;
bool svg_pictures(SvgPictures *pictures, ts_value value, ts_grid like); // false: nothing to look at
// "3 by 4 cells", and that it is a part where it is.
void svg_size(Text *t, ts_grid grid);

#endif
