// The features of cells: lines, places, and the part that a cell belongs to. (Neighbours and rays: around.c.)
//
// Workload: the learner asks for all families on a handful of scenes of some hundred cells, the primitive for
// one to five. A family is filled in as a whole.
#include "tree/features.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define COLOR FEATURE_COLOR
#define NUMBER FEATURE_NUMBER
#define FLAG FEATURE_FLAG
const FamilyInfo feature_families[FAMILIES] = {
#define FAMILY(number, name, kind, count, price, layout) {number, count, price, Layout_##layout, kind},
#include "tree/features.def"
};
#undef COLOR
#undef NUMBER
#undef FLAG

bool cell_scene_init(CellScene *s, Arena *a, ts_grid input, CellLayout layout) {
    *s = (CellScene){.arena = a, .input = input, .layout = layout};
    if (input.height < 1 || input.width < 1 || !grid_fits(input, GRID_TASK_SIDE)) return false;
    if (!colors_everywhere(input)) return false;
    s->background = ground_of(input);
    return layout_apply(s);
}

// A cell, -1 outside of the grid.
static int at(ts_grid g, int i, int j) {
    return i < 0 || j < 0 || i >= g.height || j >= g.width ? -1 : g.cells[i * g.width + j];
}

// ---- Places and lines ----

static void fill_mirror(const CellScene *s, uint8_t *to, size_t stride) {
    EACH_CELL(s)
    for (int motion = 1; motion < 8; motion++) SET(motion - 1, tree_moved_cell(s->base, motion, i, j));
}

static void fill_place(const CellScene *s, uint8_t *to, size_t stride) {
    EACH_CELL(s) {
        int down = h - 1 - i, right = w - 1 - j, ring = i < j ? i : j;
        if (down < ring) ring = down;
        if (right < ring) ring = right;
        int numbers[] = {[PLACE(ROWS_ABOVE)] = i,
                         [PLACE(COLUMNS_LEFT)] = j,
                         [PLACE(ROWS_BELOW)] = down,
                         [PLACE(COLUMNS_RIGHT)] = right,
                         [PLACE(EDGE_DISTANCE)] = ring,
                         [PLACE(SECOND_ROW)] = i % 2,
                         [PLACE(SECOND_COLUMN)] = j % 2,
                         [PLACE(CHESSBOARD)] = (i + j) % 2,
                         [PLACE(SECOND_ROW_UP)] = down % 2,
                         [PLACE(SECOND_COLUMN_BACK)] = right % 2,
                         [PLACE(ROW_IN_THREES)] = i % 3,
                         [PLACE(COLUMN_IN_THREES)] = j % 3,
                         [PLACE(RISING_IN_THREES)] = (i + j) % 3,
                         [PLACE(FALLING_IN_THREES)] = (i + 2 * j) % 3,
                         [PLACE(SECOND_RING)] = ring % 2,
                         [PLACE(ON_FALLING_DIAGONAL)] = i == j,
                         [PLACE(ON_RISING_DIAGONAL)] = i == right,
                         [PLACE(ON_MIDDLE_LINE)] = i == down || j == right};
        for (int k = 0; k < 18; k++) SET(k, numbers[k]);
    }
}

// Cells of each colour in each row, or column.
static void count_lines(const CellScene *s, bool across, int (*counts)[10]) {
    memset(counts, 0, (size_t)(across ? s->base.height : s->base.width) * sizeof *counts);
    for (int i = 0; i < s->base.height; i++)
        for (int j = 0; j < s->base.width; j++) counts[across ? i : j][at(s->base, i, j)]++;
}

static void fill_line_has(const CellScene *s, bool across, uint8_t *to, size_t stride) {
    int counts[GRID_TASK_SIDE][10];
    count_lines(s, across, counts);
    EACH_CELL(s)
    for (int c = 0; c < 10; c++) SET(c, counts[across ? i : j][c] > 0);
}

static void fill_lines(const CellScene *s, uint8_t *to, size_t stride) {
    int rows[GRID_TASK_SIDE][10], columns[GRID_TASK_SIDE][10], height = s->base.height, width = s->base.width;
    int row_most = 0, column_most = 0;
    count_lines(s, true, rows);
    count_lines(s, false, columns);
    for (int i = 0; i < height; i++)
        if (width - rows[i][s->background] > row_most) row_most = width - rows[i][s->background];
    for (int j = 0; j < width; j++)
        if (height - columns[j][s->background] > column_most)
            column_most = height - columns[j][s->background];
    EACH_CELL(s) {
        int own = at(s->base, i, j), row = w - rows[i][s->background], column = h - columns[j][s->background];
        int numbers[] = {[PLACE(ROW_FOREGROUND)] = row,
                         [PLACE(COLUMN_FOREGROUND)] = column,
                         [PLACE(ROW_ALIKE)] = rows[i][own],
                         [PLACE(COLUMN_ALIKE)] = columns[j][own],
                         [PLACE(ROW_PLAIN)] = rows[i][own] == w,
                         [PLACE(COLUMN_PLAIN)] = columns[j][own] == h,
                         [PLACE(ROW_FULLEST)] = row == row_most,
                         [PLACE(COLUMN_FULLEST)] = column == column_most,
                         [PLACE(LINE_PLAIN)] = rows[i][own] == w || columns[j][own] == h,
                         [PLACE(LINE_EMPTY)] = row == 0 || column == 0};
        for (int k = 0; k < 10; k++) SET(k, numbers[k]);
    }
}

static void fill_line_color(const CellScene *s, uint8_t *to, size_t stride) {
    int rows[GRID_TASK_SIDE][10], columns[GRID_TASK_SIDE][10];
    count_lines(s, true, rows);
    count_lines(s, false, columns);
    EACH_CELL(s) {
        int colors[] = {[PLACE(ROW_START)] = at(s->base, i, 0),
                        [PLACE(ROW_END)] = at(s->base, i, w - 1),
                        [PLACE(COLUMN_TOP)] = at(s->base, 0, j),
                        [PLACE(COLUMN_BOTTOM)] = at(s->base, h - 1, j),
                        [PLACE(ROW_COLOR)] = colors_by_count(rows[i], s->background, false),
                        [PLACE(COLUMN_COLOR)] = colors_by_count(columns[j], s->background, false),
                        [PLACE(ROW_COMMONEST)] = colors_by_count(rows[i], -1, false),
                        [PLACE(COLUMN_COMMONEST)] = colors_by_count(columns[j], -1, false)};
        for (int k = 0; k < 8; k++) SET(k, colors[k]);
    }
}

// ---- The grid as a whole ----

static void fill_grid_color(const CellScene *s, uint8_t *to, size_t stride) {
    int counts[10], kept;
    colors_count(s->base, counts);
    int common = colors_by_count(counts, s->background, false),
        rare = colors_by_count(counts, s->background, true), second = -1;
    if (common >= 0) {
        kept = counts[common], counts[common] = 0;
        second = colors_by_count(counts, s->background, false);
        counts[common] = kept;
    }
    int colors[] = {[PLACE(GROUND_COLOR)] = s->background,
                    [PLACE(COMMONEST_COLOR)] = common,
                    [PLACE(RAREST_COLOR)] = rare,
                    [PLACE(SECOND_COLOR)] = second,
                    [PLACE(COMMONEST_OF_ALL)] = colors_by_count(counts, -1, false),
                    [PLACE(RAREST_OF_ALL)] = colors_by_count(counts, -1, true)};
    EACH_CELL(s)
    for (int k = 0; k < 6; k++) SET(k, colors[k]);
}

static bool scene_parts(CellScene *s, PartsKind kind) {
    if (s->props[kind]) return true;
    if (!parts_of(s->arena, s->base, s->background, kind, &s->parts[kind])) return false;
    s->props[kind] = parts_props(s->arena, &s->parts[kind]);
    return s->props[kind] != NULL;
}

static bool fill_grid_count(CellScene *s, uint8_t *to, size_t stride) {
    int counts[10], colors = 0;
    colors_count(s->base, counts);
    for (int c = 0; c < 10; c++) colors += counts[c] > 0;
    if (!scene_parts(s, PartsKind_PARTS_DIAGONAL) || !scene_parts(s, PartsKind_THINGS_DIAGONAL) ||
        !scene_parts(s, PartsKind_REGIONS))
        return false;
    EACH_CELL(s) {
        int numbers[] = {[PLACE(GRID_COLORS)] = colors,
                         [PLACE(GRID_PARTS)] = s->parts[PartsKind_PARTS_DIAGONAL].count,
                         [PLACE(GRID_THINGS)] = s->parts[PartsKind_THINGS_DIAGONAL].count,
                         [PLACE(GRID_REGIONS)] = s->parts[PartsKind_REGIONS].count,
                         [PLACE(GRID_HEIGHT)] = h,
                         [PLACE(GRID_WIDTH)] = w,
                         [PLACE(GRID_FOREGROUND)] = h * w - counts[s->background],
                         [PLACE(GRID_IS_SQUARE)] = h == w};
        for (int k = 0; k < 8; k++) SET(k, numbers[k]);
    }
    return true;
}

static void fill_color_rank(const CellScene *s, uint8_t *to, size_t stride) {
    int counts[10];
    colors_count(s->base, counts);
    EACH_CELL(s) {
        int own = at(s->base, i, j), more = 0, fewer = 0;
        for (int c = 0; c < 10; c++) {
            if (c == s->background || !counts[c]) continue;
            more += counts[c] > counts[own];
            fewer += counts[c] < counts[own];
        }
        bool ground = own == s->background;
        SET(PLACE(COLORS_COMMONER), ground ? -1 : more);
        SET(PLACE(COLORS_RARER), ground ? -1 : fewer);
        SET(PLACE(FOREGROUND_ALIKE), ground ? -1 : counts[own]);
        SET(PLACE(CELLS_ALIKE), counts[own]);
    }
}

// Where the cells of each row begin among all that are listed row by row, and where the last ends.
static void find_row_starts(const int *rows, int n, int height, int *start) {
    for (int i = 0, k = 0; i <= height; i++) {
        while (k < n && rows[k] < i) k++;
        start[i] = k;
    }
}

// The nearest cell of the foreground, by steps to the sides and by steps of a king; of equals the first. The
// number of the cell lies below its distance, so that the least of both is what is asked for.
static void fill_nearest(const CellScene *s, bool colors, uint8_t *to, size_t stride) {
    enum { NUMBER_BITS = 14, NONE = 127, MANY_FULL = 900, NARROW = 4 };
    _Static_assert(GRID_TASK_SIDE * GRID_TASK_SIDE <= 1 << NUMBER_BITS, "each cell has a number");
    int rows[GRID_TASK_SIDE * GRID_TASK_SIDE], columns[GRID_TASK_SIDE * GRID_TASK_SIDE], n = 0;
    int start[GRID_TASK_SIDE + 1];
    signed char color[GRID_TASK_SIDE * GRID_TASK_SIDE];
    EACH_CELL(s)
    if (s->base.cells[cell] != s->background) {
        color[n] = s->base.cells[cell];
        rows[n] = i, columns[n++] = j;
    }
    const bool many = n > MANY_FULL;
    if (many) find_row_starts(rows, n, s->base.height, start);
    EACH_CELL(s) {
        int steps = INT_MAX, king = INT_MAX, reach = many ? NARROW : h, first = 0, end = n;
        do { // the rows about the cell, until none beyond them can have a nearer one
            if (many)
                first = start[i > reach ? i - reach : 0], end = start[i + reach < h ? i + reach + 1 : h];
            for (int k = first; k < end; k++) {
                int y = abs(rows[k] - i), x = abs(columns[k] - j);
                int by_steps = (y + x) << NUMBER_BITS | k, by_king = (y > x ? y : x) << NUMBER_BITS | k;
                steps = by_steps < steps ? by_steps : steps;
                king = by_king < king ? by_king : king;
            }
            reach *= 2;
        } while (reach / 2 < h && steps >> NUMBER_BITS > reach / 2);
        const int least = (1 << NUMBER_BITS) - 1, distance = n ? steps >> NUMBER_BITS : NONE;
        if (colors) {
            SET(PLACE(NEAREST_COLOR), n ? color[steps & least] : -1);
            SET(PLACE(NEAREST_COLOR_DIAGONAL), n ? color[king & least] : -1);
        } else {
            SET(PLACE(NEAREST_DISTANCE), distance);
            SET(PLACE(NEAREST_DISTANCE_DIAGONAL), n ? king >> NUMBER_BITS : NONE);
            SET(PLACE(NEAREST_IS_ODD), distance % 2);
        }
    }
}

// ---- Parts ----

// The properties by which parts are compared.
#define RANKED(word) [RankedProperty_##word] = Property_##word
static const uint8_t ranked[PART_RANKED] = {
    RANKED(SIZE),          RANKED(HEIGHT),         RANKED(WIDTH),
    RANKED(AREA),          RANKED(GAPS),           RANKED(HOLE_CELLS),
    RANKED(HOLES),         RANKED(COLOR_COUNT),    RANKED(SAME_SHAPE),
    RANKED(FOREIGN_CELLS), RANKED(NEIGHBOR_PARTS), RANKED(ODD_CELLS),
    RANKED(TOP),           RANKED(LEFTMOST),       RANKED(SAME_SHAPE_TURNED),
    RANKED(SAME_COLOR),
};

// The smallest box of a part around each cell, of a part that is not the cell's own and has other cells on
// the four sides of it; -1 for none.
static bool box_labels(CellScene *s, int16_t *label) {
    if (!scene_parts(s, PartsKind_PARTS_DIAGONAL)) return false;
    const Parts *p = &s->parts[PartsKind_PARTS_DIAGONAL];
    EACH_CELL(s) {
        int best = -1, smallest = 1 << 20;
        for (int k = 0; k < p->count; k++) {
            const Part *q = &p->parts[k];
            if (i < q->top || i > q->bottom || j < q->left || j > q->right || p->label[cell] == k) continue;
            int area = (q->bottom - q->top + 1) * (q->right - q->left + 1);
            if (area < smallest) best = k, smallest = area;
        }
        label[cell] = (int16_t)best;
    }
    return true;
}

// The largest part that touches each cell, over corners too, and is not its own; -1 for none.
static bool beside_labels(CellScene *s, int16_t *label) {
    if (!scene_parts(s, PartsKind_PARTS_DIAGONAL)) return false;
    const Parts *p = &s->parts[PartsKind_PARTS_DIAGONAL];
    EACH_CELL(s) {
        int best = -1;
        for (int d = 0; d < 8; d++) {
            int y = i + cell_step_i(d), x = j + cell_step_j(d);
            if (at(s->base, y, x) < 0) continue;
            int other = p->label[y * w + x];
            if (other < 0 || other == p->label[cell]) continue;
            if (best < 0 || p->parts[other].size > p->parts[best].size) best = other;
        }
        label[cell] = (int16_t)best;
    }
    return true;
}

enum { LABELS_BOX = PARTS_KINDS, LABELS_BESIDE };

// Of which kind a family is, and the labels of its cells; NULL where memory is short.
static const int16_t *part_labels(CellScene *s, FeatureFamily family, int first_number, PartsKind *kind) {
    int number = feature_families[family].number - first_number;
    *kind = number >= LABELS_BOX ? PartsKind_PARTS_DIAGONAL : number;
    if (!scene_parts(s, *kind)) return NULL;
    if (number < LABELS_BOX) return s->parts[*kind].label;
    int16_t *label = arena_alloc(s->arena, (size_t)(s->base.height * s->base.width) * sizeof *label);
    if (!label) return NULL;
    return (number == LABELS_BOX ? box_labels(s, label) : beside_labels(s, label)) ? label : NULL;
}

// Where the cell is in the box of its part.
static void part_places(const Part *q, int i, int j, int places[PART_PLACES]) {
    int up = i - q->top, left = j - q->left, down = q->bottom - i, right = q->right - j;
    int ring = up < left ? up : left;
    if (down < ring) ring = down;
    if (right < ring) ring = right;
#define IN_BOX(word) (PartFeature_##word - PROPS)
    int numbers[PART_PLACES] = {
        [IN_BOX(ROWS_ABOVE_IN_BOX)] = up,
        [IN_BOX(COLUMNS_LEFT_IN_BOX)] = left,
        [IN_BOX(ROWS_BELOW_IN_BOX)] = down,
        [IN_BOX(COLUMNS_RIGHT_IN_BOX)] = right,
        [IN_BOX(DEPTH_IN_BOX)] = ring,
        [IN_BOX(SECOND_ROW_IN_BOX)] = up % 2,
        [IN_BOX(SECOND_COLUMN_IN_BOX)] = left % 2,
        [IN_BOX(CHESSBOARD_IN_BOX)] = (up + left) % 2,
        [IN_BOX(SECOND_RING_IN_BOX)] = ring % 2,
        [IN_BOX(CORNER_OF_BOX)] = (up == 0 || down == 0) && (left == 0 || right == 0),
        [IN_BOX(MIDDLE_OF_BOX)] = up == down || left == right,
    };
#undef IN_BOX
    memcpy(places, numbers, sizeof numbers);
}

// A column of features that cells have from their part: a byte for each part, that of cells without one
// first. Sixteen parts at a time are looked up for 32 cells at once.
static void spread_bytes(const uint8_t *bytes, int count, const int16_t *label, int cells, uint8_t *to) {
    int cell = 0;
    (void)count;
#ifdef __AVX2__
    for (; count < 128 && cell + 32 <= cells; cell += 32) {
        const __m256i *from = (const __m256i *)(label + cell);
        __m256i one = _mm256_set1_epi8(1), sum = _mm256_setzero_si256();
        __m256i packed = _mm256_packs_epi16(_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1));
        __m256i index = _mm256_add_epi8(_mm256_permute4x64_epi64(packed, 0xD8), one);
        for (int k = 0; k <= count;
             k += 16) { // an index below 0 or above 15 has its upper bit set, and gives 0
            __m256i of_these = _mm256_sub_epi8(index, _mm256_set1_epi8((char)k));
            __m256i within = _mm256_adds_epu8(of_these, _mm256_set1_epi8(0x70));
            __m128i table = _mm_loadu_si128((const __m128i *)(bytes + k));
            sum = _mm256_or_si256(sum, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), within));
        }
        _mm256_storeu_si256((__m256i *)(to + cell), sum);
    }
#endif
    for (; cell < cells; cell++) to[cell] = bytes[label[cell] + 1];
}

// Room for a byte for each of so many parts, and for none: where spread_bytes takes sixteen at a time.
static size_t bytes_room(int count) { return ((size_t)count + 16) & ~(size_t)15; }

// The features of parts, for each a byte for no part and one for each.
static void part_bytes(const Parts *p, const int *props, size_t room, uint8_t *bytes) {
    for (int f = 0; f < PROPS; f++)
        for (int k = 0; k < p->count; k++)
            bytes[(size_t)f * room + (size_t)k + 1] = feature_byte(props[k * PROPS + f]);
    for (int f = 0; f < PART_RANKED; f++) {
        uint8_t *with_most = bytes + (size_t)(PartFeature_WITH_MOST + 2 * f) * room + 1;
        uint8_t *with_least = bytes + (size_t)(PartFeature_WITH_LEAST + 2 * f) * room + 1;
        int most = 0, least = 0;
        for (int k = 0; k < p->count; k++) {
            int v = props[k * PROPS + ranked[f]];
            if (k == 0 || v > most) most = v;
            if (k == 0 || v < least) least = v;
        }
        for (int k = 0; k < p->count; k++) {
            int v = props[k * PROPS + ranked[f]];
            with_most[k] = feature_byte(v == most);
            with_least[k] = feature_byte(v == least);
        }
    }
    for (int k = 0; k < p->count; k++) {
        PartOutline o = part_outline(p, k);
        bytes[PartFeature_ENDS * room + (size_t)k + 1] = feature_byte(o.ends);
        bytes[PartFeature_BENDS * room + (size_t)k + 1] = feature_byte(o.bends);
        bytes[PartFeature_BRANCHES * room + (size_t)k + 1] = feature_byte(o.branches);
    }
}

static bool fill_parts(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    PartsKind kind;
    const int16_t *label = part_labels(s, family, 20, &kind);
    if (!label) return false;
    const Parts *p = &s->parts[kind];
    const int *props = s->props[kind];
    size_t room = bytes_room(p->count);
    uint8_t *bytes = arena_alloc(s->arena, room * PART_FEATURES);
    if (!bytes) return false;
    memset(bytes, 0, room * PART_FEATURES);
    part_bytes(p, props, room, bytes);
    for (int f = 0; f < PART_FEATURES; f++)
        if (f < PROPS || f >= PROPS + PART_PLACES)
            spread_bytes(bytes + (size_t)f * room, p->count, label, s->base.height * s->base.width,
                         to + (size_t)f * stride);
    EACH_CELL(s) {
        int places[PART_PLACES];
        if (label[cell] >= 0) part_places(&p->parts[label[cell]], i, j, places);
        for (int f = 0; f < PART_PLACES; f++) SET(PROPS + f, label[cell] < 0 ? -1 : places[f]);
    }
    return true;
}

static bool fill_ray_part(CellScene *s, uint8_t *to, size_t stride) {
    static const uint8_t asked[] = {[SeenProperty_SIZE] = Property_SIZE,
                                    [SeenProperty_HEIGHT] = Property_HEIGHT,
                                    [SeenProperty_WIDTH] = Property_WIDTH,
                                    [SeenProperty_SAME_SHAPE] = Property_SAME_SHAPE,
                                    [SeenProperty_SIZE_RANK] = Property_SIZE_RANK};
    if (!scene_parts(s, PartsKind_PARTS_DIAGONAL)) return false;
    const int16_t *labels = s->parts[PartsKind_PARTS_DIAGONAL].label;
    const int *props = s->props[PartsKind_PARTS_DIAGONAL];
    for (int k = 0; k < 4; k++) {
        uint8_t distance[GRID_TASK_SIDE * GRID_TASK_SIDE];
        int d = k < 2 ? k : k + 2, step = cell_step_i(d) * s->base.width + cell_step_j(d);
        cell_ray_distances(s, d, distance);
        EACH_CELL(s) {
            int label = distance[cell] ? labels[(int)cell + (distance[cell] - 1) * step] : -1;
            for (int f = 0; f < 5; f++) SET(k * 5 + f, label < 0 ? -1 : props[label * PROPS + asked[f]]);
        }
    }
    return true;
}

// The lowest of a set of colours; -1 for none.
static int lowest_color(unsigned colors) { return colors ? __builtin_ctz(colors) : -1; }

// The only other colour among parts of the shape of a part; -1 where there is none, or several.
static int twin_color(const Parts *p, const uint64_t *shapes, int part) {
    unsigned colors = 0;
    for (int k = 0; k < p->count; k++)
        if (shapes[k] == shapes[part]) colors |= 1u << p->parts[k].color;
    return colors_only(colors & ~(1u << p->parts[part].color));
}

static bool fill_part_color(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    PartsKind kind;
    const int16_t *label = part_labels(s, family, 30, &kind);
    if (!label) return false;
    const Parts *p = &s->parts[kind];
    size_t room = bytes_room(p->count);
    uint8_t *bytes = arena_alloc(s->arena, room * PART_COLORS);
    const uint64_t *shapes = parts_shapes(s->arena, p);
    if (!bytes || !shapes) return false;
    memset(bytes, 0, room * PART_COLORS);
    for (int k = 0; k < p->count; k++) {
        const Part *q = &p->parts[k];
        uint8_t *of = bytes + k + 1;
        of[PartColor_MAIN_COLOR * room] = feature_byte(q->color);
        of[PartColor_OTHER_COLOR * room] = feature_byte(lowest_color(q->colors & ~(1u << q->color)));
        of[PartColor_TWIN_COLOR * room] = feature_byte(twin_color(p, shapes, k));
        of[PartColor_TOUCHED_COLOR * room] =
            feature_byte(lowest_color((unsigned)s->props[kind][k * PROPS + Property_TOUCHES]));
    }
    for (size_t f = 0; f < PART_COLORS; f++)
        spread_bytes(bytes + f * room, p->count, label, s->base.height * s->base.width, to + f * stride);
    return true;
}

static bool fill_part_touches(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    PartsKind kind;
    const int16_t *label = part_labels(s, family, 40, &kind);
    if (!label) return false;
    const Parts *p = &s->parts[kind];
    uint8_t *bytes = arena_alloc(s->arena, bytes_room(p->count));
    if (!bytes) return false;
    memset(bytes, 0, bytes_room(p->count));
    for (int c = 0; c < 10; c++) {
        for (int k = 0; k < p->count; k++)
            bytes[k + 1] = feature_byte(s->props[kind][k * PROPS + Property_TOUCHES] >> c & 1);
        spread_bytes(bytes, p->count, label, s->base.height * s->base.width, to + (size_t)c * stride);
    }
    return true;
}

// ---- Rooms ----

static void fill_rooms(const CellScene *s, bool colors, uint8_t *to, size_t stride) {
    Lattice r;
    tree_rooms_of(s->base, s->background, &r);
    int row_of[GRID_TASK_SIDE], column_of[GRID_TASK_SIDE], rooms = lattice_rooms(&r);
    for (int k = 0; k < GRID_TASK_SIDE; k++) row_of[k] = column_of[k] = -1;
    for (int k = 0; k < r.rows.count; k++)
        for (int i = r.rows.start[k]; i < r.rows.end[k]; i++) row_of[i] = k;
    for (int k = 0; k < r.columns.count; k++)
        for (int j = r.columns.start[k]; j < r.columns.end[k]; j++) column_of[j] = k;
    int counts[GRID_TASK_SIDE * GRID_TASK_SIDE / 4 + GRID_TASK_SIDE][10], most = 0, least = 1 << 20;
    int full[GRID_TASK_SIDE * GRID_TASK_SIDE / 4 + GRID_TASK_SIDE];
    if ((size_t)rooms > sizeof full / sizeof *full) rooms = 0;
    memset(counts, 0, (size_t)rooms * sizeof *counts);
    memset(full, 0, (size_t)rooms * sizeof *full);
    EACH_CELL(s) {
        if (!rooms || row_of[i] < 0 || column_of[j] < 0) continue;
        int room = row_of[i] * r.columns.count + column_of[j], color = s->base.cells[cell];
        counts[room][color]++;
        full[room] += color != s->background;
    }
    for (int k = 0; k < rooms; k++) {
        if (full[k] > most) most = full[k];
        if (full[k] < least) least = full[k];
    }
    EACH_CELL(s) {
        bool inside = rooms && row_of[i] >= 0 && column_of[j] >= 0;
        int row = inside ? row_of[i] : 0, column = inside ? column_of[j] : 0,
            room = row * r.columns.count + column;
        int in_row = inside ? i - r.rows.start[row] : -1,
            in_column = inside ? j - r.columns.start[column] : -1;
        if (colors) {
            // Where the rooms are as many as the cells of each: the room at the place of the cell.
            bool twin = inside && in_row < r.rows.count && in_column < r.columns.count;
            int other = twin ? in_row * r.columns.count + in_column : room;
            int fulls = -1;
            for (int k = 0; k < rooms; k++)
                if (full[k] == most) fulls = fulls == -1 ? k : -2;
            SET(PLACE(ROOM_COLOR), inside ? colors_by_count(counts[room], s->background, false) : -1);
            SET(PLACE(ROOM_AT_ITS_PLACE), twin ? colors_by_count(counts[other], s->background, false) : -1);
            // This place in the room that has most, if there is one such.
            bool there = inside && fulls >= 0;
            Box fullest = there ? lattice_room(&r, fulls) : (Box){0};
            there = there && fullest.top + in_row < h && fullest.left + in_column < w;
            SET(PLACE(FULLEST_ROOM_CELL),
                there ? at(s->base, fullest.top + in_row, fullest.left + in_column) : -1);
            there = there && row < box_height(fullest) && column < box_width(fullest);
            SET(PLACE(FULLEST_ROOM_MAP), there ? at(s->base, fullest.top + row, fullest.left + column) : -1);
            continue;
        }
        int larger = 0, equal = 0;
        for (int k = 0; inside && k < rooms; k++)
            larger += full[k] > full[room], equal += full[k] == full[room];
        int numbers[] = {[PLACE(ROOMS_ABOVE)] = row,
                         [PLACE(ROOMS_LEFT)] = column,
                         [PLACE(ROWS_ABOVE_IN_ROOM)] = in_row,
                         [PLACE(COLUMNS_LEFT_IN_ROOM)] = in_column,
                         [PLACE(ROOM_FOREGROUND)] = inside ? full[room] : 0,
                         [PLACE(ROOMS_FULLER)] = larger,
                         [PLACE(ROOM_FULLEST)] = inside && full[room] == most,
                         [PLACE(ROOM_EMPTIEST)] = inside && full[room] == least,
                         [PLACE(ROOMS_AS_FULL)] = equal,
                         [PLACE(ROOM_IN_LAST_ROW)] = row == r.rows.count - 1,
                         [PLACE(ROOM_IN_LAST_COLUMN)] = column == r.columns.count - 1,
                         [PLACE(ROOM_CHESSBOARD)] = (row + column) % 2,
                         [PLACE(ROOM_IN_MIDDLE)] = row == r.rows.count / 2 && column == r.columns.count / 2,
                         [PLACE(ROOM_ON_DIAGONAL)] = row == column};
        for (int k = 0; k < 14; k++) SET(k, inside ? numbers[k] : -1);
    }
}

// ---- All of them ----

bool cell_scene_fill(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    assert((unsigned)family < FAMILIES && stride >= (size_t)(s->base.height * s->base.width));
    int number = feature_families[family].number;
    if (number >= 60) return layout_fill(s, family, to, stride);
    if (family == FAMILY_ray_part) return fill_ray_part(s, to, stride);
    if (cell_fill_around(s, family, to, stride)) return true;
    if (number >= 50) return fill_rooms(s, family == FAMILY_room_color, to, stride), true;
    if (number >= 40) return fill_part_touches(s, family, to, stride);
    if (number >= 30) return fill_part_color(s, family, to, stride);
    if (number >= 20) return fill_parts(s, family, to, stride);
    switch (family) {
    case FAMILY_cell: EACH_CELL(s) SET(0, at(s->base, i, j)); break;
    case FAMILY_mirror: fill_mirror(s, to, stride); break;
    case FAMILY_place: fill_place(s, to, stride); break;
    case FAMILY_row_has: fill_line_has(s, true, to, stride); break;
    case FAMILY_column_has: fill_line_has(s, false, to, stride); break;
    case FAMILY_lines: fill_lines(s, to, stride); break;
    case FAMILY_line_color: fill_line_color(s, to, stride); break;
    case FAMILY_grid_color: fill_grid_color(s, to, stride); break;
    case FAMILY_grid_count: return fill_grid_count(s, to, stride);
    case FAMILY_color_rank: fill_color_rank(s, to, stride); break;
    case FAMILY_nearest: fill_nearest(s, true, to, stride); break;
    case FAMILY_nearest_distance: fill_nearest(s, false, to, stride); break;
    default: assert(false); return false; // of features.def, and nobody fills it in
    }
    return true;
}

FeatureFamily feature_family_of(int feature) {
    for (int k = 0; k < FAMILIES; k++)
        if (feature >= 0 && feature_families[k].number == feature / 100)
            return feature % 100 < feature_families[k].count ? (FeatureFamily)k : FAMILIES;
    return FAMILIES;
}

// Where parts are compared with each other, and cells with cells, it is more than a visit to each.
int64_t cell_scene_cost(const CellScene *s, FeatureFamily family) {
    int64_t cells = s->base.height * s->base.width;
    int number = feature_families[family].number;
    int64_t each = number >= 20 && number < 50 ? 60 : number == 17 || number == 18 ? cells : 20;
    return cells * (each + feature_families[family].count) + 200;
}

const uint8_t *cell_scene_column(CellScene *s, int feature) {
    FeatureFamily family = feature_family_of(feature);
    if (family == FAMILIES) return NULL;
    int layout = feature_families[family].layout;
    if (layout != Layout_ANY && layout != s->layout.kind) return NULL;
    size_t cells = (size_t)(s->base.height * s->base.width);
    if (!s->columns[family]) {
        uint8_t *to = arena_alloc(s->arena, cells * (size_t)feature_families[family].count);
        if (!to || !cell_scene_fill(s, family, to, cells)) return NULL;
        s->columns[family] = to;
    }
    return s->columns[family] + (size_t)(feature % 100) * cells;
}
