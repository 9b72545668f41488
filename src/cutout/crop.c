// Where pieces come from, their views, their properties, and choosing among them.
//
// Workload: a grid of up to 30 by 30, twenty sources, up to 200 pieces each, seldom more than 30; each is
// seen in up to 35 views, most of them small. Finding the pieces is a few passes over the grid; properties
// compare all pieces with each other by hashes of their views.
#include "cutout/crop.h"

#include <assert.h>
#include <string.h>

#include "grid/lattice.h"

// ---- Sources ----

typedef struct {
    Pieces *p;
    int found; // more than PIECES_MOST: too many
} Finder;

static void add_piece(Finder *f, int top, int left, int height, int width, int part) {
    if (f->found < PIECES_MOST) f->p->at[f->found] = (Piece){top, left, height, width, part};
    f->found++;
}

static int cell(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }

static bool find_parts(Arena *a, Finder *f) {
    Parts *parts = &f->p->parts;
    bool all_colors = f->p->source == Source_ALL_COLORS;
    if (!parts_of(a, f->p->grid, all_colors ? -1 : f->p->ground, all_colors ? PartsKind_COLORS : f->p->source,
                  parts))
        return false;
    if (all_colors) f->p->ground = 0;
    f->found = parts->count > PIECES_MOST ? parts->count : 0;
    for (int k = 0; k < parts->count && parts->count <= PIECES_MOST; k++) {
        Box box = part_box(&parts->parts[k]);
        add_piece(f, box.top, box.left, box_height(box), box_width(box), k);
    }
    return true;
}

// Grows a box from a cell over all that is not background and at most two cells off, wiping it out.
static Piece grow_near(ts_grid g, signed char *left_over, int at, int ground, int16_t *stack) {
    int w = g.width, n = 0, top = g.height, left = w, bottom = 0, right = 0;
    stack[n++] = (int16_t)at;
    left_over[at] = (signed char)ground;
    while (n) {
        int i = stack[--n] / w, j = stack[n] % w;
        top = i < top ? i : top;
        left = j < left ? j : left;
        bottom = i > bottom ? i : bottom;
        right = j > right ? j : right;
        for (int y = i > 2 ? i - 2 : 0; y <= i + 2 && y < g.height; y++)
            for (int x = j > 2 ? j - 2 : 0; x <= j + 2 && x < w; x++) {
                if (left_over[y * w + x] == ground) continue;
                left_over[y * w + x] = (signed char)ground;
                stack[n++] = (int16_t)(y * w + x);
            }
    }
    return (Piece){top, left, bottom - top + 1, right - left + 1, -1};
}

static bool find_near(Arena *a, Finder *f) {
    ts_grid g = f->p->grid;
    size_t n = (size_t)(g.height * g.width);
    signed char *left_over = arena_alloc(a, n);
    int16_t *stack = arena_alloc(a, n * sizeof *stack);
    if (!left_over || !stack) return false;
    memcpy(left_over, g.cells, n);
    for (int k = 0; k < (int)n; k++) {
        if (left_over[k] == f->p->ground) continue;
        Piece t = grow_near(g, left_over, k, f->p->ground, stack);
        add_piece(f, t.top, t.left, t.height, t.width, -1);
    }
    return true;
}

// The background of what is left of a grid without the cells of a colour.
static int ground_without(ts_grid g, int color) {
    int counts[10];
    colors_count(g, counts);
    int best = colors_by_count(counts, color, false);
    return best < 0 ? !color : best;
}

static void find_lattice(Finder *f, bool black) {
    ts_grid g = f->p->grid;
    Lattice l;
    if (!lattice_by_lines(g, black ? 1 : 0x3FE, -1, &l)) return;
    for (int k = 0; k < lattice_rooms(&l); k++) {
        Box room = lattice_room(&l, k);
        add_piece(f, room.top, room.left, box_height(room), box_width(room), -1);
    }
    f->p->rows = l.rows.count;
    f->p->columns = l.columns.count;
    // Lines of a fine lattice may be most of the grid.
    if (!black && l.color == f->p->ground) f->p->ground = ground_without(g, l.color);
}

// The side of n equal tiles, with the lines between them that are left over; 0 where there are no such.
static int tile_side(int side, int n, int *gap) {
    *gap = side % n ? 1 : 0;
    int rest = side - *gap * (n - 1);
    return rest > 0 && rest % n == 0 ? rest / n : 0;
}

static void find_tiles(Finder *f, int n, int m) {
    int row_gap, column_gap, h, w;
    if (n < 1 || m < 1 || n * m < 2 || n * m > PIECES_MOST) return;
    if (!(h = tile_side(f->p->grid.height, n, &row_gap))) return;
    if (!(w = tile_side(f->p->grid.width, m, &column_gap))) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) add_piece(f, i * (h + row_gap), j * (w + column_gap), h, w, -1);
    f->p->rows = n;
    f->p->columns = m;
}

static void find_unit(Finder *f) {
    ts_grid g = f->p->grid;
    int fewest = g.height * g.width, best_p = 0;
    for (int p = 1; p <= g.height; p++)
        for (int q = 1; q <= g.width && p * q < fewest; q++) {
            bool repeats = g.height % p == 0 && g.width % q == 0;
            for (int k = 0; k < g.height * g.width && repeats; k++)
                repeats = g.cells[k] == cell(g, k / g.width % p, k % g.width % q);
            if (repeats) fewest = p * q, best_p = p;
        }
    if (best_p) add_piece(f, 0, 0, best_p, fewest / best_p, -1);
}

static void find_squares(Finder *f) {
    int h = f->p->grid.height, w = f->p->grid.width, lesser = h < w ? h : w, longer = h < w ? w : h;
    for (int gap = 0; gap <= 1; gap++) {
        if (lesser < 2 || (longer + gap) % (lesser + gap)) continue;
        int n = (longer + gap) / (lesser + gap);
        if (n > 1) find_tiles(f, h < w ? 1 : n, h < w ? n : 1);
        return;
    }
}

// Frames and plain rectangles are sought from each cell over all sizes: a larger grid would take too long.
enum { SOUGHT_SIDE = 40 }; // bars of usual grids are no longer, either

// How far a colour goes on from each cell, to the right and down.
typedef struct {
    uint8_t right[SOUGHT_SIDE + 1][SOUGHT_SIDE + 1], down[SOUGHT_SIDE + 1][SOUGHT_SIDE + 1];
} Runs;

static void runs_of(ts_grid g, Runs *r) {
    memset(r, 0, sizeof *r);
    for (int i = g.height - 1; i >= 0; i--)
        for (int j = g.width - 1; j >= 0; j--) {
            bool right = j + 1 < g.width && cell(g, i, j) == cell(g, i, j + 1);
            bool down = i + 1 < g.height && cell(g, i, j) == cell(g, i + 1, j);
            r->right[i][j] = (uint8_t)(1 + (right ? r->right[i][j + 1] : 0));
            r->down[i][j] = (uint8_t)(1 + (down ? r->down[i + 1][j] : 0));
        }
}

// The frame's colour does not go on just inside its corner: so a full block has no frames.
static void find_framed(Finder *f, const Runs *r) {
    ts_grid g = f->p->grid;
    for (int i = 0; i + 2 < g.height; i++)
        for (int j = 0; j + 2 < g.width; j++) {
            int c = cell(g, i, j);
            if (c == f->p->ground || cell(g, i + 1, j + 1) == c) continue;
            for (int h = 3; h <= r->down[i][j]; h++)
                for (int w = 3; w <= r->right[i][j]; w++)
                    if (r->right[i + h - 1][j] >= w && r->down[i][j + w - 1] >= h)
                        add_piece(f, i, j, h, w, -1);
        }
}

static void add_plain(Finder *f, const Runs *r, int i, int j, int least) {
    ts_grid g = f->p->grid;
    int c = cell(g, i, j), w = r->right[i][j];
    for (int h = 1; h <= r->down[i][j]; h++) {
        if (r->right[i + h - 1][j] < w) w = r->right[i + h - 1][j];
        if (h < 2 || w < 2 || h * w < least) continue;
        bool goes_down = h < r->down[i][j] && r->right[i + h][j] >= w;
        bool goes_up = i > 0 && cell(g, i - 1, j) == c && r->right[i - 1][j] >= w;
        bool goes_left = j > 0 && cell(g, i, j - 1) == c && r->down[i][j - 1] >= h;
        if (!goes_down && !goes_up && !goes_left) add_piece(f, i, j, h, w, -1);
    }
}

// Where there are too many the small ones are left out.
static void find_plain(Finder *f, const Runs *r) {
    for (int least = 4; least <= 64; least *= 2) {
        f->found = 0;
        for (int i = 0; i < f->p->grid.height; i++)
            for (int j = 0; j < f->p->grid.width; j++) add_plain(f, r, i, j, least);
        if (f->found <= PIECES_MOST) return;
    }
}

static void find_corners(Finder *f) {
    ts_grid g = f->p->grid;
    for (int c = 0; c < 10; c++) {
        int n = 0, at[4];
        for (int k = 0; k < g.height * g.width; k++)
            if (g.cells[k] == c && n++ < 4) at[n - 1] = k;
        if (n != 4) continue;
        int top = at[0] / g.width, left = at[0] % g.width, bottom = at[3] / g.width, right = at[3] % g.width;
        bool corners = at[1] == top * g.width + right && at[2] == bottom * g.width + left;
        if (corners && bottom > top && right > left)
            add_piece(f, top, left, bottom - top + 1, right - left + 1, -1);
    }
}

// Blocks row by row; none where what is not background does not fall into them.
static bool find_blocks(Arena *a, Finder *f, int h, int w) {
    ts_grid g = f->p->grid, rest;
    if (!grid_copy(a, g, &rest)) return false;
    for (int k = 0; k < g.height * g.width; k++) {
        int i = k / g.width, j = k % g.width, n = 0;
        if (rest.cells[k] == f->p->ground) continue;
        if (i + h > g.height || j + w > g.width) n = -1;
        for (int c = 0; n == c && c < h * w; c++) n += cell(rest, i + c / w, j + c % w) != f->p->ground;
        if (n < h * w) {
            f->found = 0;
            return true;
        }
        for (int c = 0; c < h * w; c++)
            grid_edit(rest)[(i + c / w) * g.width + j + c % w] = (signed char)f->p->ground;
        add_piece(f, i, j, h, w, -1);
    }
    return true;
}

static void find_sized_corners(Finder *f, int h, int w) {
    int bottom = f->p->grid.height - h, right = f->p->grid.width - w;
    for (int k = 0; k < 4 && bottom > 0 && right > 0; k++)
        add_piece(f, k / 2 ? bottom : 0, k % 2 ? right : 0, h, w, -1);
}

static bool find(Arena *a, Finder *f) {
    Pieces *p = f->p;
    Runs runs;
    if (p->source == Source_FRAMES || p->source == Source_RECTANGLES) {
        if (!grid_fits(p->grid, SOUGHT_SIDE)) return true;
        runs_of(p->grid, &runs);
    }
    if (p->source < 0) return true;
    if (p->source < PARTS_KINDS || p->source == Source_ALL_COLORS) return find_parts(a, f);
    if (p->source >= Source_TILES_SIZED) {
        int h = (p->source - Source_TILES_SIZED) % 1000 / 30,
            w = (p->source - Source_TILES_SIZED) % 1000 % 30;
        if (!h || !w) return true;
        if (p->source > Source_CORNERS_SIZED) find_sized_corners(f, h, w);
        else if (p->source > Source_BLOCKS_SIZED) return find_blocks(a, f, h, w);
        else if (p->grid.height % h == 0 && p->grid.width % w == 0)
            find_tiles(f, p->grid.height / h, p->grid.width / w);
    } else if (p->source > Source_TILES)
        find_tiles(f, (p->source - Source_TILES) / 30, (p->source - Source_TILES) % 30);
    switch (p->source) {
    case Source_WHOLE: add_piece(f, 0, 0, p->grid.height, p->grid.width, -1); break;
    case Source_CLUSTERS: return find_near(a, f);
    case Source_LATTICE: find_lattice(f, false); break;
    case Source_BLACK_LATTICE: find_lattice(f, true); break;
    case Source_SQUARE_TILES: find_squares(f); break;
    case Source_FRAMES: find_framed(f, &runs); break;
    case Source_RECTANGLES: find_plain(f, &runs); break;
    case Source_CORNER_MARKS: find_corners(f); break;
    case Source_REPEATED_TILE: find_unit(f); break;
    default: break;
    }
    return true;
}

bool pieces_of(Arena *a, ts_grid grid, int source, Pieces *pieces) {
    *pieces = (Pieces){.grid = grid, .source = source};
    if (grid.height < 1 || !grid_fits(grid, PIECE_MOST_SIDE)) return true;
    pieces->ground = ground_of(grid);
    pieces->at = arena_alloc(a, PIECES_MOST * sizeof *pieces->at);
    Finder f = {.p = pieces};
    if (!pieces->at || !find(a, &f)) return false;
    pieces->count = f.found <= PIECES_MOST ? f.found : 0;
    return true;
}

// ---- Views ----

static bool trim(Arena *a, ts_grid g, int ground, ts_grid *out) {
    Box box;
    return grid_box(g, ground, false, &box) && grid_cut(a, g, box, out);
}

// The commonest colour but the background, -1 for none; what there is of each colour.
static int common_color(ts_grid g, int ground, int counts[10]) {
    colors_count(g, counts);
    return colors_by_count(counts, ground, false);
}

static bool view_cut(Arena *a, const Pieces *p, int piece, int cut, ts_grid *out) {
    const Piece *t = &p->at[piece];
    int grown = cut == PieceView_WITHOUT_FRAME ? -1 : cut == PieceView_WITH_RING ? 1 : 0;
    Box box = box_grown((Box){t->top, t->left, t->top + t->height - 1, t->left + t->width - 1}, grown);
    bool top = cut == PieceView_QUARTER || cut == PieceView_TOP_HALF,
         side = cut == PieceView_QUARTER || cut == PieceView_SIDE_HALF;
    if (top) box.bottom = t->top + (t->height - 1) / 2;
    if (side) box.right = t->left + (t->width - 1) / 2;
    if (!grid_cut(a, p->grid, box, out)) return false;
    if (cut == PieceView_WHOLE_BOX || grown || top || side) return true;
    if (cut == PieceView_BY_ITSELF && t->part < 0) return false;
    signed char *cells = grid_edit(*out);
    int frame = cells[0];
    for (int i = 0; i < t->height; i++)
        for (int j = 0; j < t->width; j++) {
            int at = i * t->width + j;
            bool own = t->part < 0 ? cells[at] == frame
                                   : p->parts.label[(t->top + i) * p->grid.width + t->left + j] == t->part;
            if (own == (cut == PieceView_CONTENT)) cells[at] = (signed char)p->ground;
        }
    return cut == PieceView_BY_ITSELF || trim(a, *out, p->ground, out);
}

bool piece_view(Arena *a, const Pieces *p, int piece, int view, ts_grid *out) {
    assert(piece >= 0 && piece < p->count);
    ts_grid g;
    int counts[10], color = 0;
    int cut = view % PIECE_CUTS, reduction = view - cut;
    if (!view_cut(a, p, piece, cut, &g)) return false;
    const Part *part = p->at[piece].part < 0 ? NULL : &p->parts.parts[p->at[piece].part];
    if (reduction >= Reduction_AS_DOT)
        color = part && cut == PieceView_WHOLE_BOX ? part->color : common_color(g, p->ground, counts);
    if (color < 0) color = p->ground;
    switch (reduction) {
    case Reduction_TRIMMED: return trim(a, g, p->ground, out);
    case Reduction_MERGED: return grid_without(a, g, grid_repeated_lines(g), out);
    case Reduction_SHRUNK: return grid_unscaled(a, g, grid_block_side(g), out);
    case Reduction_SIFTED: return grid_without(a, g, grid_lines(g, p->ground), out);
    case Reduction_AS_DOT: g = grid_blank(a, 1, 1, color); break;
    case Reduction_AS_BAR:
        if (!part || part->size > (grid_fits(p->grid, GRID_USUAL_SIDE) ? SOUGHT_SIDE : GRID_TASK_SIDE))
            return false;
        g = grid_blank(a, 1, part->size, color);
        break;
    case Reduction_ONE_COLOR:
        for (int k = 0; k < g.height * g.width; k++)
            if (g.cells[k] != p->ground) grid_edit(g)[k] = (signed char)color;
        break;
    default: break;
    }
    *out = g;
    return g.cells != NULL;
}

// ---- Properties ----

bool pieces_prop_fits(int source, int prop) {
    bool parts = source < PARTS_KINDS || source == Source_ALL_COLORS;
    if (prop < PROPS) return parts && prop >= 0;
    if (prop == PieceProperty_LOOKS || prop == PieceProperty_LOOKS_UNCOLORED ||
        prop == PieceProperty_SIZE_AND_COLOR)
        return false;
    return prop < PIECE_PROPERTIES &&
           (!parts || prop <= PieceProperty_TURNED_PIECES || prop >= PieceProperty_CELLS_OF);
}

typedef struct {
    uint64_t plain, like, turned; // hashes: as it is, of what is not background, of the least of its motions
} Looks;

static bool looks_of(Arena *a, ts_grid g, int ground, Looks *l) {
    ts_grid moved, mask = grid_blank(a, g.height, g.width, 0);
    if (!mask.cells) return false;
    for (int k = 0; k < g.height * g.width; k++) grid_edit(mask)[k] = g.cells[k] != ground;
    *l = (Looks){grid_hash(g), grid_hash(mask), ~UINT64_C(0)};
    for (int m = 0; m < SYMMETRIES; m++) {
        if (!grid_moved(a, g, m, &moved)) return false;
        uint64_t hash = grid_hash(moved);
        if (hash < l->turned) l->turned = hash;
    }
    return true;
}

static int is_symmetric(ts_grid g, int symmetry) {
    if (symmetry_exchanges(symmetry) && g.height != g.width) return 0;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            int k, l;
            symmetry_cell(symmetry, g.height, g.width, i, j, &k, &l);
            if (cell(g, i, j) != cell(g, k, l)) return 0;
        }
    return 1;
}

static bool crop_props(Arena *a, const Pieces *p, int k, int *v, Looks *looks) {
    ts_grid g;
    Parts inside;
    int counts[10];
    const Piece *t = &p->at[k];
    if (!piece_view(a, p, k, PieceView_WHOLE_BOX, &g) || !looks_of(a, g, p->ground, looks)) return false;
    if (!parts_of(a, g, p->ground, PartsKind_PARTS_DIAGONAL, &inside)) return false;
    v[PieceProperty_INDEX] = k;
    v[PieceProperty_COMMON_COLOR] = common_color(g, p->ground, counts);
    if (v[PieceProperty_COMMON_COLOR] < 0) v[PieceProperty_COMMON_COLOR] = p->ground;
    v[PieceProperty_RARE_COLOR] = colors_by_count(counts, p->ground, true);
    if (v[PieceProperty_RARE_COLOR] < 0) v[PieceProperty_RARE_COLOR] = p->ground;
    v[PieceProperty_FILLED_CELLS] = v[PieceProperty_COLORS_INSIDE] = 0;
    for (int c = 0; c < 10; c++) {
        v[PieceProperty_CELLS_OF + c] = counts[c];
        if (c == p->ground || !counts[c]) continue;
        v[PieceProperty_FILLED_CELLS] += counts[c];
        v[PieceProperty_COLORS_INSIDE]++;
    }
    v[PieceProperty_RARE_CELLS] = v[PieceProperty_COLORS_INSIDE] ? counts[v[PieceProperty_RARE_COLOR]] : 0;
    v[PieceProperty_PARTS_INSIDE] = inside.count;
    v[PieceProperty_LOOKS] = (int)(looks->plain & 0xFFFF);
    v[PieceProperty_LOOKS_UNCOLORED] = (int)(looks->like & 0xFFFF);
    v[PieceProperty_SIZE_AND_COLOR] = t->part < 0
                                          ? 10 * v[PieceProperty_FILLED_CELLS] + v[PieceProperty_COMMON_COLOR]
                                          : 10 * p->parts.parts[t->part].size + p->parts.parts[t->part].color;
    v[PieceProperty_BOX_IS_MIRRORED_UPDOWN] = is_symmetric(g, Symmetry_UPSIDE_DOWN);
    v[PieceProperty_BOX_IS_MIRRORED_LEFTRIGHT] = is_symmetric(g, Symmetry_LEFT_TO_RIGHT);
    v[PieceProperty_BOX_IS_MIRRORED_DIAGONAL] = is_symmetric(g, Symmetry_TRANSPOSED);
    v[PieceProperty_BOX_SYMMETRIES] = v[PieceProperty_BOX_IS_MIRRORED_UPDOWN] +
                                      v[PieceProperty_BOX_IS_MIRRORED_LEFTRIGHT] +
                                      v[PieceProperty_BOX_IS_MIRRORED_DIAGONAL];
    v[PieceProperty_BOX_HEIGHT] = t->height;
    v[PieceProperty_BOX_WIDTH] = t->width;
    v[PieceProperty_BOX_AREA] = t->height * t->width;
    v[PieceProperty_BOX_TOP] = t->top;
    v[PieceProperty_BOX_LEFT] = t->left;
    return true;
}

const int *pieces_props(Arena *a, Pieces *p) {
    if (p->props) return p->props;
    size_t n = (size_t)p->count;
    int *all = arena_alloc(a, (n * PIECE_PROPERTIES + 1) * sizeof *all);
    Looks *looks = arena_alloc(a, (n + 1) * sizeof *looks);
    bool has_parts = p->count && (p->source < PARTS_KINDS || p->source == Source_ALL_COLORS);
    const int *parts = has_parts ? parts_props(a, &p->parts) : NULL;
    if (!all || !looks || (has_parts && !parts)) return NULL;
    for (int k = 0; k < p->count; k++) {
        int *v = all + k * PIECE_PROPERTIES;
        if (parts) memcpy(v, parts + k * PROPS, PROPS * sizeof *v);
        else memset(v, 0, PROPS * sizeof *v);
        if (!crop_props(a, p, k, v, &looks[k])) return NULL;
    }
    for (int k = 0; k < p->count; k++) {
        int *v = all + k * PIECE_PROPERTIES;
        v[PieceProperty_EQUAL_PIECES] = v[PieceProperty_LIKE_PIECES] = v[PieceProperty_TURNED_PIECES] = 0;
        for (int l = 0; l < p->count; l++) {
            v[PieceProperty_EQUAL_PIECES] += looks[l].plain == looks[k].plain;
            v[PieceProperty_LIKE_PIECES] += looks[l].like == looks[k].like;
            v[PieceProperty_TURNED_PIECES] += looks[l].turned == looks[k].turned;
        }
    }
    return p->props = all;
}

// ---- Choosing ----

bool piece_meets(const Pieces *p, const Choice *c, int k) {
    assert(p->props && k >= 0 && k < p->count && c->where < CHOICE_NOT + PIECE_PROPERTIES);
    if (c->where >= CHOICE_NOT) return p->props[k * PIECE_PROPERTIES + c->where - CHOICE_NOT] != c->equals;
    return c->where < 0 || p->props[k * PIECE_PROPERTIES + c->where] == c->equals;
}

// How many pieces have this value.
static int holders(const Pieces *p, const Choice *c, int value) {
    int n = 0;
    for (int k = 0; k < p->count; k++)
        n += piece_meets(p, c, k) && p->props[k * PIECE_PROPERTIES + c->prop] == value;
    return n;
}

// How well the piece with this value fits; the greatest is chosen. INT_MIN: not at all.
static int fitness(const Pieces *p, const Choice *c, int value, int most) {
    switch (c->kind) {
    case Superlative_MOST: return value;
    case Superlative_LEAST: return -value;
    case Superlative_UNIQUE: return holders(p, c, value) == 1 ? 0 : INT32_MIN;
    case Superlative_SECOND_MOST: return value < most ? value : INT32_MIN;
    case Superlative_COMMONEST: return holders(p, c, value);
    default: return INT32_MIN;
    }
}

int piece_chosen(const Pieces *p, const Choice *c, int *ties) {
    assert(c->prop >= 0 && c->prop < PIECE_PROPERTIES);
    int best = -1, best_fitness = INT32_MIN, most = INT32_MIN;
    *ties = 0;
    for (int k = 0; k < p->count; k++)
        if (piece_meets(p, c, k) && p->props[k * PIECE_PROPERTIES + c->prop] > most)
            most = p->props[k * PIECE_PROPERTIES + c->prop];
    for (int k = 0; k < p->count; k++) {
        if (!piece_meets(p, c, k)) continue;
        int f = fitness(p, c, p->props[k * PIECE_PROPERTIES + c->prop], most);
        if (f == INT32_MIN) continue;
        if (f > best_fitness) best = k, best_fitness = f, *ties = 0;
        else if (f == best_fitness) ++*ties;
    }
    return best;
}

int pieces_ordered(const Pieces *p, const Choice *c, int *order) {
    assert(c->prop >= 0 && c->prop < PIECE_PROPERTIES);
    int n = 0, sign = c->kind == Superlative_MOST ? -1 : 1;
    for (int k = 0; k < p->count; k++) {
        if (!piece_meets(p, c, k)) continue;
        int at = n++, key = sign * p->props[k * PIECE_PROPERTIES + c->prop];
        for (; at > 0 && sign * p->props[order[at - 1] * PIECE_PROPERTIES + c->prop] > key; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    return n;
}
