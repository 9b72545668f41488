// Tiles that stand for colours, and a map of these colours; see key.h.
#include <assert.h>

#include "key/key.h"

// The pieces of a grid as a key: one is the map, and the others tiles, or labels and tiles.
typedef struct {
    const Pieces *pieces;
    int map;
    int tiles, labels;
    unsigned colors[PIECES_MOST]; // of each piece
    bool inside[PIECES_MOST];     // lies in the box of another, of which it is then a part
    int16_t tile[PIECES_MOST], label[PIECES_MOST];
} Legend;

static int piece_cell(const Pieces *p, int piece, int i, int j) {
    const Piece *t = &p->at[piece];
    return p->grid.cells[(t->top + i) * p->grid.width + t->left + j];
}

static unsigned piece_colors(const Pieces *p, int piece) {
    unsigned colors = 0;
    for (int i = 0; i < p->at[piece].height; i++)
        for (int j = 0; j < p->at[piece].width; j++) {
            int c = piece_cell(p, piece, i, j);
            if (c >= 0 && c <= 9) colors |= 1U << c;
        }
    return colors;
}

static bool same_size(const Piece *a, const Piece *b) {
    return a->height == b->height && a->width == b->width;
}

static bool is_inside(const Pieces *p, int piece) {
    const Piece *t = &p->at[piece];
    for (int k = 0; k < p->count; k++) {
        const Piece *b = &p->at[k];
        if (k != piece && t->top >= b->top && t->left >= b->left &&
            t->top + t->height <= b->top + b->height && t->left + t->width <= b->left + b->width)
            return true;
    }
    return false;
}

// Sorts all pieces but one into tiles and labels, which are plain and of another size. False where they are
// not of one size each, or not as many labels as tiles.
static bool sort_pieces(Legend *l, int map, bool labelled) {
    const Pieces *p = l->pieces;
    l->map = map;
    l->tiles = l->labels = 0;
    for (int k = 0; k < p->count; k++) {
        if (k == map || l->inside[k]) continue;
        bool plain = labelled && colors_only(l->colors[k]) >= 0;
        int16_t *group = plain ? l->label : l->tile;
        int *count = plain ? &l->labels : &l->tiles;
        if (*count && !same_size(&p->at[k], &p->at[group[0]])) return false;
        group[(*count)++] = (int16_t)k;
    }
    return l->tiles > 1 && (!labelled || l->labels == l->tiles);
}

// The number of the tile for each colour, -1 for none. False where there are two for a colour.
static bool name_tiles(const Legend *l, bool labelled, int tile_for[10]) {
    const Pieces *p = l->pieces;
    unsigned once = 0, more = 0, own[PIECES_MOST];
    for (int c = 0; c < 10; c++) tile_for[c] = -1;
    for (int k = 0; k < l->tiles; k++) {
        own[k] = l->colors[labelled ? l->label[k] : l->tile[k]] & ~(1U << p->ground);
        more |= once & own[k];
        once |= own[k];
    }
    for (int k = 0; k < l->tiles; k++) {
        int c = colors_only(own[k] & ~more);
        if (c >= 0) tile_for[c] = l->tile[k];
    }
    return !labelled || !more;
}

static bool draw_map(Arena *a, const Legend *l, bool labelled, const int tile_for[10], ts_grid *out) {
    const Pieces *p = l->pieces;
    const Piece *map = &p->at[l->map], *tile = &p->at[l->tile[0]];
    int h = map->height * tile->height, w = map->width * tile->width;
    if (h > GRID_MOST_SIDE || w > GRID_MOST_SIDE) return false;
    *out = grid_blank(a, h, w, p->ground);
    for (int k = 0; out->cells && k < h * w; k++) {
        int i = k / w, j = k % w, c = piece_cell(p, l->map, i / tile->height, j / tile->width);
        if (c == p->ground) continue;
        if (c < 0 || c > 9 || tile_for[c] < 0) return false;
        int there = piece_cell(p, tile_for[c], i % tile->height, j % tile->width);
        if (there != p->ground) grid_edit(*out)[k] = (signed char)(labelled ? c : there);
    }
    return out->cells;
}

bool key_tiles(Arena *a, const Pieces *pieces, int names, ts_grid *out) {
    bool labelled = names == TileNames_BY_LABELS;
    int tile_for[10];
    Legend l = {.pieces = pieces};
    assert((unsigned)names <= TileNames_BY_OWN_COLOR && pieces->count <= PIECES_MOST);
    for (int k = 0; k < pieces->count; k++) {
        l.colors[k] = piece_colors(pieces, k);
        l.inside[k] = is_inside(pieces, k);
    }
    for (int map = 0; map < pieces->count; map++)
        if (!l.inside[map] && sort_pieces(&l, map, labelled) &&
            !same_size(&pieces->at[map], &pieces->at[l.tile[0]]))
            return name_tiles(&l, labelled, tile_for) && draw_map(a, &l, labelled, tile_for, out);
    return false;
}
