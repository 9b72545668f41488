// What pictures share: the colours of ARC.
#ifndef TESSERA_SHOW_SHOW_H
#define TESSERA_SHOW_SHOW_H

#include <stdint.h>

#include "tessera.h"

typedef struct {
    uint8_t red, green, blue;
} ShowColor;

enum {
    SHOW_COLORS = 10,
    SHOW_MOST_SIDE = TS_MOST_SIDE, // of a larger grid the upper left part is drawn
};

// The colour of a cell from 0 to 9, as on ARC's own pages.
static inline ShowColor show_color(int cell) {
    static const ShowColor colors[SHOW_COLORS] = {
        {0x00, 0x00, 0x00}, {0x00, 0x74, 0xD9}, {0xFF, 0x41, 0x36}, {0x2E, 0xCC, 0x40}, {0xFF, 0xDC, 0x00},
        {0xAA, 0xAA, 0xAA}, {0xF0, 0x12, 0xBE}, {0xFF, 0x85, 0x1B}, {0x7F, 0xDB, 0xFF}, {0x87, 0x0C, 0x25},
    };
    return colors[cell];
}

// The values of a program may hold cells beyond these ten.
static inline int show_has_color(int cell) { return cell >= 0 && cell < SHOW_COLORS; }

// Frames and lines, and the ground of cells that have no colour.
static const ShowColor show_line = {0x55, 0x55, 0x55}, show_dark = {0x33, 0x33, 0x33};
static const ShowColor show_black = {0, 0, 0}, show_white = {0xFF, 0xFF, 0xFF};

// What is read on a ground of this colour: black or white.
static inline ShowColor show_ink(ShowColor ground) {
    return ground.red * 299 + ground.green * 587 + ground.blue * 114 > 128000 ? show_black : show_white;
}

#endif
