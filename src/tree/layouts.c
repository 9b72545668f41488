// Layouts: how an input becomes a base of the size of the output, and the features that come with each.
//
// Cuts take a part of the input that stands out. A base is at most what grid_reach says: this is small work.
#include "tree/features.h"

#include <assert.h>
#include <string.h>

static int cell_at(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }

int tree_moved_cell(ts_grid g, int way, int i, int j) {
    // That it comes to (i, j) from where the inverse takes (i, j).
    static const int8_t inverse[SYMMETRIES] = {
        [CopySymmetry_AS_IS] = Symmetry_AS_IS,
        [1 + CellSymmetry_LEFT_TO_RIGHT] = Symmetry_LEFT_TO_RIGHT,
        [1 + CellSymmetry_UPSIDE_DOWN] = Symmetry_UPSIDE_DOWN,
        [1 + CellSymmetry_TURNED_ROUND] = Symmetry_TURNED_ROUND,
        [1 + CellSymmetry_TRANSPOSED] = Symmetry_TRANSPOSED,
        [1 + CellSymmetry_ANTI_TRANSPOSED] = Symmetry_ANTI_TRANSPOSED,
        [1 + CellSymmetry_TURNED_RIGHT] = Symmetry_TURNED_LEFT,
        [1 + CellSymmetry_TURNED_LEFT] = Symmetry_TURNED_RIGHT,
    };
    int k, l;
    if (symmetry_exchanges(inverse[way]) && g.height != g.width) return -1;
    symmetry_cell(inverse[way], g.height, g.width, i, j, &k, &l);
    return cell_at(g, k, l);
}

void tree_rooms_of(ts_grid g, int background, Lattice *rooms) {
    if (!lattice_by_lines(g, 0x3FF, background, rooms)) rooms->rows.count = rooms->columns.count = 0;
}

// ---- Bases ----

static int8_t *base_new(CellScene *s, int height, int width) {
    const int most = grid_reach(s->input);
    if (height < 1 || width < 1 || height > most || width > most) return NULL;
    int8_t *cells = arena_alloc(s->arena, (size_t)(height * width));
    s->base = (ts_grid){height, width, cells};
    return cells;
}

// What lies in a box of the input, or without its outermost ring.
static bool base_cut(CellScene *s, Box b, bool inner) {
    return grid_cut(s->arena, s->input, inner ? box_grown(b, -1) : b, &s->base);
}

static bool apply_parts(CellScene *s) {
    int n = s->layout.n, m = s->layout.m, gap = s->layout.how;
    if (n < 1 || m < 1 || n > 16 || m > 16 || gap < 0 || gap > 4) return false;
    int h = s->input.height - (n - 1) * gap, w = s->input.width - (m - 1) * gap;
    if (h < n || w < m || h % n || w % m) return false;
    return base_cut(s, (Box){0, 0, h / n - 1, w / m - 1}, false);
}

static int measured(const CellScene *s, int code) {
    if (code >= 0) return code;
    int counts[10], colors = 0;
    colors_count(s->input, counts);
    for (int c = 0; c < 10; c++) colors += counts[c] > 0;
    Parts parts;
    switch (code) {
    case Times_GRID_HEIGHT: return s->input.height;
    case Times_GRID_WIDTH: return s->input.width;
    case Times_GRID_COLORS: return colors;
    case Times_GRID_FOREGROUND_COLORS: return colors - (counts[s->background] > 0);
    case Times_GRID_FOREGROUND: return s->input.height * s->input.width - counts[s->background];
    case Times_GRID_PARTS:
        if (!parts_of(s->arena, s->input, s->background, PartsKind_PARTS_DIAGONAL, &parts)) return 0;
        return parts.count;
    default: return 0;
    }
}

static bool apply_tiles(CellScene *s) {
    int n = s->layout.n = measured(s, s->layout.n), m = s->layout.m = measured(s, s->layout.m);
    ts_grid g = s->input;
    if (n < 1 || m < 1 || n > GRID_TASK_SIDE || m > GRID_TASK_SIDE) return false;
    int8_t *cells = base_new(s, n * g.height, m * g.width);
    if (!cells) return false;
    for (int i = 0; i < n * g.height; i++)
        for (int j = 0; j < m * g.width; j++)
            *cells++ = (int8_t)(s->layout.how == LAYOUT_SCALED_UP ? cell_at(g, i / n, j / m)
                                                                  : cell_at(g, i % g.height, j % g.width));
    return true;
}

static void even_spans(int side, int n, Spans *s) {
    s->count = n;
    for (int k = 0; k < n; k++) s->start[k] = (int8_t)(k * side), s->end[k] = (int8_t)(k * side + side);
}

// Equal blocks are rooms without walls.
static bool even_rooms(CellScene *s, int rows, int columns) {
    ts_grid g = s->input;
    if (rows < 1 || columns < 1 || rows > g.height || columns > g.width || g.height % rows ||
        g.width % columns)
        return false;
    even_spans(g.height / rows, rows, &s->input_rooms.rows);
    even_spans(g.width / columns, columns, &s->input_rooms.columns);
    return true;
}

// Cells of each colour in a room.
static void count_room(ts_grid g, const Lattice *r, int room, int counts[10]) {
    Box b = lattice_room(r, room);
    memset(counts, 0, 10 * sizeof *counts);
    for (int i = b.top; i <= b.bottom; i++)
        for (int j = b.left; j <= b.right; j++) counts[cell_at(g, i, j)]++;
}

static bool apply_blocks(CellScene *s) {
    int n = s->layout.n, m = s->layout.m, counts[10];
    if (s->layout.how == LAYOUT_ROOMS) tree_rooms_of(s->input, s->background, &s->input_rooms);
    else if (s->layout.how == LAYOUT_BLOCKS ? !even_rooms(s, n, m)
                                            : n < 1 || m < 1 || s->input.height % n || s->input.width % m ||
                                                  !even_rooms(s, s->input.height / n, s->input.width / m))
        return false;
    const Lattice *r = &s->input_rooms;
    int8_t *cells = base_new(s, r->rows.count, r->columns.count);
    if (!cells) return false;
    for (int k = 0; k < lattice_rooms(r); k++) {
        count_room(s->input, r, k, counts);
        int color = colors_by_count(counts, s->background, false);
        cells[k] = (int8_t)(color < 0 ? s->background : color);
    }
    return true;
}

static bool apply_frame(CellScene *s) {
    int n = s->layout.n, m = s->layout.m, h = s->input.height, w = s->input.width;
    if (n < -GRID_TASK_SIDE || m < -GRID_TASK_SIDE || n > GRID_TASK_SIDE || m > GRID_TASK_SIDE) return false;
    int8_t *cells = base_new(s, h + 2 * n, w + 2 * m);
    if (!cells) return false;
    for (int i = -n; i < h + n; i++)
        for (int j = -m; j < w + m; j++)
            *cells++ = (int8_t)(i < 0 || j < 0 || i >= h || j >= w ? s->background : cell_at(s->input, i, j));
    return true;
}

// ---- Cuts ----

static bool cut_color(CellScene *s, int color, bool inner) {
    Box box;
    return grid_box(s->input, color, true, &box) && base_cut(s, box, inner);
}

static bool cut_part(CellScene *s, PartsKind kind, int cut) {
    Parts p;
    if (!parts_of(s->arena, s->input, s->background, kind, &p) || p.count == 0) return false;
    int best = 0, best_score = 0;
    for (int k = 0; k < p.count; k++) {
        const Part *q = &p.parts[k];
        int score = cut == Cut_MOST_COLORFUL_THING ? __builtin_popcount(q->colors) * 10000 + q->size
                    : cut >= Cut_SMALLEST_PART && cut < Cut_RAREST_BOX ? 10000 - q->size
                                                                       : q->size;
        if (k == 0 || score > best_score) best = k, best_score = score;
    }
    return base_cut(s, part_box(&p.parts[best]), cut == Cut_LARGEST_PART_INSIDE);
}

static bool apply_cut(CellScene *s) {
    static const PartsKind kinds[] = {[CutKind_PARTS_DIAGONAL] = PartsKind_PARTS_DIAGONAL,
                                      [CutKind_THINGS_DIAGONAL] = PartsKind_THINGS_DIAGONAL,
                                      [CutKind_PARTS] = PartsKind_PARTS,
                                      [CutKind_THINGS] = PartsKind_THINGS};
    int cut = s->layout.n, counts[10];
    ts_grid g = s->input;
    Box box;
    colors_count(g, counts);
    bool rarest = cut == Cut_RAREST_BOX || cut == Cut_RAREST_BOX_INSIDE;
    int color = colors_by_count(counts, s->background, rarest);
    if (cut < 0 || cut >= CUTS || color < 0) return false;
    switch (cut) {
    case Cut_ALL_CONTENT: return grid_box(s->input, s->background, false, &box) && base_cut(s, box, false);
    case Cut_RAREST_BOX:
    case Cut_COMMONEST_BOX: return cut_color(s, color, false);
    case Cut_RAREST_BOX_INSIDE:
    case Cut_COMMONEST_BOX_INSIDE: return cut_color(s, color, true);
    case Cut_LARGEST_PART_INSIDE: return cut_part(s, PartsKind_PARTS_DIAGONAL, cut);
    case Cut_WITHOUT_EMPTY_LINES: return grid_without(s->arena, g, grid_lines(g, s->background), &s->base);
    case Cut_WITHOUT_REPEATED_LINES: return grid_without(s->arena, g, grid_repeated_lines(g), &s->base);
    case Cut_MOST_COLORFUL_THING: return cut_part(s, PartsKind_THINGS_DIAGONAL, cut);
    }
    if (cut < Cut_RAREST_BOX)
        return cut_part(s, kinds[cut - (cut < Cut_SMALLEST_PART ? Cut_LARGEST_PART : Cut_SMALLEST_PART)],
                        cut);
    return cut_color(s, (cut - Cut_COLOR_BOX) % 10, cut >= Cut_COLOR_BOX_INSIDE);
}

bool layout_apply(CellScene *s) {
    s->base = s->input;
    switch (s->layout.kind) {
    case Layout_SAME_GRID: return true;
    case Layout_PANELS: return apply_parts(s);
    case Layout_REPEATED: return apply_tiles(s);
    case Layout_BLOCKS: return apply_blocks(s);
    case Layout_MARGIN: return apply_frame(s);
    case Layout_CUT_OUT: return apply_cut(s);
    default: return false;
    }
}

// ---- Features ----

static ts_grid part_of(const CellScene *s, int k, int8_t *room) {
    int gap = s->layout.how, h = s->base.height, w = s->base.width;
    int top = k / s->layout.m * (h + gap), left = k % s->layout.m * (w + gap);
    for (int i = 0; i < h; i++)
        memcpy(room + i * w, s->input.cells + (top + i) * s->input.width + left, (size_t)w);
    return (ts_grid){h, w, room};
}

static void fill_part_cells(const CellScene *s, bool turned, uint8_t *to, size_t stride) {
    int parts = s->layout.n * s->layout.m, most = turned ? 4 : 9;
    int8_t room[GRID_TASK_SIDE * GRID_TASK_SIDE];
    for (int k = 0; k < most; k++) {
        ts_grid part = k < parts ? part_of(s, k, room) : s->base;
        for (int motion = turned; motion < (turned ? 8 : 1); motion++) EACH_CELL(s)
        SET(turned ? k * 7 + motion - 1 : k, k < parts ? tree_moved_cell(part, motion, i, j) : -1);
    }
}

static void fill_part_count(const CellScene *s, bool colors, uint8_t *to, size_t stride) {
    int parts = s->layout.n * s->layout.m, gap = s->layout.how;
    EACH_CELL(s) {
        int counts[10] = {0}, first = -1, last = -1, first_part = -1, full = 0, distinct = 0;
        for (int k = 0; k < parts; k++) {
            int color = cell_at(s->input, k / s->layout.m * (h + gap) + i, k % s->layout.m * (w + gap) + j);
            counts[color]++;
            if (color == s->background) continue;
            if (first < 0) first = color, first_part = k;
            last = color;
            full++;
        }
        for (int c = 0; c < 10; c++) distinct += counts[c] > 0;
        if (colors) {
            SET(PLACE(PANELS_FIRST), first < 0 ? s->background : first);
            SET(PLACE(PANELS_LAST), last < 0 ? s->background : last);
            SET(PLACE(PANELS_COMMONEST), colors_by_count(counts, -1, false));
        } else {
            SET(PLACE(PANELS_FULL), full);
            SET(PLACE(PANELS_COLORS), distinct);
            SET(PLACE(PANELS_BEFORE), first_part);
            SET(PLACE(PANELS_ALL_FULL), full == parts);
        }
    }
}

static void fill_tile(const CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    ts_grid g = s->input;
    int n = s->layout.n, m = s->layout.m, gh = g.height, gw = g.width;
    EACH_CELL(s) {
        int row = i / gh, column = j / gw, in_row = i % n, in_column = j % m;
        if (family == FAMILY_tile_cell) {
            for (int motion = 0; motion < 8; motion++)
                SET(motion, tree_moved_cell(g, motion, i % gh, j % gw));
        } else if (family == FAMILY_tile_large) {
            SET(PLACE(ENLARGED_CELL), cell_at(g, i / n, j / m));
            SET(PLACE(CELL_AT_COPY), cell_at(g, row % gh, column % gw));
        } else {
            int numbers[] = {[PLACE(COPIES_ABOVE)] = row,
                             [PLACE(COPIES_LEFT)] = column,
                             [PLACE(COPY_IN_SECOND_ROW)] = row % 2,
                             [PLACE(COPY_IN_SECOND_COLUMN)] = column % 2,
                             [PLACE(COPY_CHESSBOARD)] = (row + column) % 2,
                             [PLACE(COPY_ON_FALLING_DIAGONAL)] = row == column,
                             [PLACE(COPY_ON_RISING_DIAGONAL)] = row + column == n - 1,
                             [PLACE(ROWS_ABOVE_IN_CELL)] = in_row,
                             [PLACE(COLUMNS_LEFT_IN_CELL)] = in_column,
                             [PLACE(ON_FALLING_IN_CELL)] = in_row == in_column,
                             [PLACE(ON_RISING_IN_CELL)] = in_row + in_column == m - 1,
                             [PLACE(LAST_ROW_IN_CELL)] = in_row == n - 1,
                             [PLACE(COPY_IN_LAST_ROW)] = row == n - 1,
                             [PLACE(COPY_IN_LAST_COLUMN)] = column == m - 1};
            for (int k = 0; k < 14; k++) SET(k, numbers[k]);
        }
    }
}

static bool same_room(ts_grid g, const Lattice *r, int one, int other) {
    Box a = lattice_room(r, one), b = lattice_room(r, other);
    int h = box_height(a), w = box_width(a);
    if (h != box_height(b) || w != box_width(b)) return false;
    for (int i = 0; i < h; i++)
        if (memcmp(g.cells + (a.top + i) * g.width + a.left, g.cells + (b.top + i) * g.width + b.left,
                   (size_t)w) != 0)
            return false;
    return true;
}

static void fill_block_count(const CellScene *s, uint8_t *to, size_t stride) {
    const Lattice *r = &s->input_rooms;
    int counts[10], rooms = lattice_rooms(r);
    int full[GRID_TASK_SIDE * GRID_TASK_SIDE], most = 0, least = 1 << 20;
    for (int k = 0; k < rooms; k++) {
        count_room(s->input, r, k, counts);
        full[k] = -counts[s->background];
        for (int c = 0; c < 10; c++) full[k] += counts[c];
        if (full[k] > most) most = full[k];
        if (full[k] < least) least = full[k];
    }
    EACH_CELL(s) {
        count_room(s->input, r, (int)cell, counts);
        int distinct = 0, own = full[cell], larger = 0, equal = 0, alike = -1;
        for (int c = 0; c < 10; c++) distinct += counts[c] > 0;
        for (int k = 0; k < rooms; k++) {
            larger += full[k] > own;
            equal += full[k] == own;
            if (rooms <= 100) alike += same_room(s->input, r, (int)cell, k);
        }
        int numbers[] = {[PLACE(BLOCK_FOREGROUND)] = own,
                         [PLACE(BLOCK_COLORS)] = distinct,
                         [PLACE(BLOCK_PLAIN)] = distinct == 1,
                         [PLACE(BLOCKS_FULLER)] = larger,
                         [PLACE(BLOCK_FULLEST)] = own == most,
                         [PLACE(BLOCK_EMPTIEST)] = own == least,
                         [PLACE(BLOCK_ALONE_FULLEST)] = own == most && equal == 1,
                         [PLACE(BLOCK_ALONE_EMPTIEST)] = own == least && equal == 1,
                         [PLACE(BLOCKS_ALIKE)] = alike,
                         [PLACE(BLOCK_UNIQUE)] = alike == 0,
                         [PLACE(BLOCK_NOT_EMPTY)] = own > 0,
                         [PLACE(BLOCKS_ABOVE)] = i,
                         [PLACE(BLOCKS_LEFT)] = j,
                         [PLACE(BLOCK_ODD)] = own % 2};
        for (int k = 0; k < 14; k++) SET(k, numbers[k]);
    }
}

static void fill_block(const CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    const Lattice *r = &s->input_rooms;
    EACH_CELL(s) {
        Box room = lattice_room(r, (int)cell);
        int counts[10], size = box_height(room) * box_width(room);
        count_room(s->input, r, (int)cell, counts);
        if (family == FAMILY_block_cell) {
            for (int k = 0; k < 9; k++)
                SET(k, size <= 9 && k < size ? cell_at(s->input, room.top + k / box_width(room),
                                                       room.left + k % box_width(room))
                                             : -1);
        } else if (family == FAMILY_block_has) {
            for (int c = 0; c < 10; c++) SET(c, counts[c] > 0);
        } else {
            int common = colors_by_count(counts, s->background, false);
            int rare = colors_by_count(counts, s->background, true);
            SET(PLACE(BLOCK_COLOR), common < 0 ? s->background : common);
            SET(PLACE(BLOCK_COMMONEST), colors_by_count(counts, -1, false));
            SET(PLACE(BLOCK_RAREST), rare < 0 ? s->background : rare);
        }
    }
}

static void fill_frame(const CellScene *s, uint8_t *to, size_t stride) {
    ts_grid g = s->input;
    EACH_CELL(s) {
        int y = i - s->layout.n, x = j - s->layout.m;
        int in_y = y < 0           ? 0
                   : y >= g.height ? g.height - 1
                                   : y,
            in_x = x < 0          ? 0
                   : x >= g.width ? g.width - 1
                                  : x;
        SET(PLACE(NEAREST_INPUT_CELL), cell_at(g, in_y, in_x));
        int round_y = ((y % g.height) + g.height) % g.height, round_x = ((x % g.width) + g.width) % g.width;
        SET(PLACE(INPUT_WRAPPED), cell_at(g, round_y, round_x));
    }
}

bool layout_fill(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    switch (family) {
    case FAMILY_part_cell: fill_part_cells(s, false, to, stride); break;
    case FAMILY_part_turned: fill_part_cells(s, true, to, stride); break;
    case FAMILY_part_count: fill_part_count(s, false, to, stride); break;
    case FAMILY_part_first: fill_part_count(s, true, to, stride); break;
    case FAMILY_tile_cell:
    case FAMILY_tile_large:
    case FAMILY_tile_place: fill_tile(s, family, to, stride); break;
    case FAMILY_block_cell:
    case FAMILY_block_color:
    case FAMILY_block_has: fill_block(s, family, to, stride); break;
    case FAMILY_block_count: fill_block_count(s, to, stride); break;
    case FAMILY_frame_cell: fill_frame(s, to, stride); break;
    default: assert(false); return false; // of features.def, and nobody fills it in
    }
    return true;
}
