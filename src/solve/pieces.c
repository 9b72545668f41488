// Pieces of the output, and stacks of them.
//
// Each entry of one image is a piece: as it lies, or moved to the origin; in its own colours, or all in one
// that every output has; cut or padded to the output's size. To a demo's output a piece is two planes of bits,
// a bit a cell: where it is wrong, and where it is black. Pieces with the same planes are one, the cheapest;
// so neither images nor nodes are made for what is only coloured, moved or padded.
//
// A stack is filled from the top. The next piece lies below those before it, and shows its cells that are not
// black, or only the black ones, or all. Of the pieces that are wrong in no cell still open, the one that
// fills most open cells of one demo, the focus, comes next: each demo is the focus once in each set of demos,
// since some pieces are right on some demos only, and for each limit of cost, since a dear piece can be too
// good to be true.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "solve/bank.h"

enum { SUBSET_DEMOS = 5, MOST_PIECES = 60000, MODES = 3, COLOR_COST = 10, MOVE_COST = 10, PAD_COST = 10 };

typedef struct {
    uint64_t bad, black;
} Plane;

typedef struct {
    Bank *b;
    int words, first[BANK_MOST_DEMOS + 1]; // of each demo's planes
    uint64_t *full;                        // bits that are cells
    uint64_t *target[IMAGE_COLORS];        // where the outputs have this colour
    int8_t *cells;                         // of the outputs, padded as the planes are
    unsigned colors;                       // that pieces are painted in
    Piece *pieces;
    Plane *planes;
    size_t count, piece_room, plane_room;
    uint32_t *table;
    uint32_t *items[BANK_MOST_DEMOS]; // piece * MODES + mode: those that fill most of the demo first
    uint16_t *fills[BANK_MOST_DEMOS]; // how many cells
    size_t item_count[BANK_MOST_DEMOS];
    Stack *stacks;
    size_t stack_count, stack_room;
} Pieces;

enum { TABLE_ROOM = 1 << 18 };

// ---- Pieces ----

// A bit for each of eight cells that is not 0. Cells are 0 to 9, or differences of those.
static uint64_t eight_bits(uint64_t cells) {
    uint64_t ones = (((cells & 0x7F7F7F7F7F7F7F7Full) + 0x7F7F7F7F7F7F7F7Full) | cells) >> 7;
    return ((ones & 0x0101010101010101ull) * 0x0102040810204080ull) >> 56;
}

// What shows of an image in a frame that starts at the origin.
static void frame_image(const Image *x, int top, int left, int height, int width, int8_t *cells) {
    memset(cells, 0, (size_t)(height * width));
    int from = left < 0 ? -left : 0, to = x->w < width - left ? x->w : width - left;
    if (from >= to) return;
    for (int i = top < 0 ? -top : 0; i < x->h && i + top < height; i++)
        memcpy(cells + (i + top) * width + left + from, x->cells + i * x->w + from, (size_t)(to - from));
}

// The planes of an image on a demo.
static void make_planes(const Pieces *p, int d, const Image *x, bool at_origin, Plane *planes) {
    ts_grid out = p->b->outputs[d];
    int8_t cells[IMAGE_MOST_CELLS + 64];
    int words = p->first[d + 1] - p->first[d], n = out.height * out.width;
    memset(cells + n, 0, (size_t)(words * 64 - n));
    frame_image(x, at_origin ? 0 : x->i, at_origin ? 0 : x->j, out.height, out.width, cells);
    const int8_t *target = p->cells + p->first[d] * 64;
    for (int w = 0; w < words; w++) {
        uint64_t bad = 0, set = 0;
        for (int k = 0; k < 8; k++) {
            uint64_t here, there;
            memcpy(&here, cells + w * 64 + k * 8, 8);
            memcpy(&there, target + w * 64 + k * 8, 8);
            set |= eight_bits(here) << 8 * k;
            bad |= eight_bits(here ^ there) << 8 * k;
        }
        planes[p->first[d] + w] = (Plane){bad, ~set & p->full[p->first[d] + w]};
    }
}

// Adds a piece, or lets it take the place of a dearer one that is the same.
static bool add_piece(Pieces *p, const Plane *planes, Piece piece) {
    size_t words = (size_t)p->words;
    uint64_t hash = hash_bytes(0, planes, words * sizeof *planes);
    size_t at = hash & (TABLE_ROOM - 1);
    for (; p->table[at]; at = (at + 1) & (TABLE_ROOM - 1)) {
        size_t known = p->table[at] - 1;
        if (memcmp(p->planes + known * words, planes, words * sizeof *planes)) continue;
        if (piece.cost < p->pieces[known].cost) p->pieces[known] = piece;
        return true;
    }
    if (p->count == MOST_PIECES) return false;
    if (!array_room(p->b->shop.arena, &p->pieces, p->count, &p->piece_room, sizeof piece) ||
        !array_room(p->b->shop.arena, &p->planes, p->count, &p->plane_room, words * sizeof *planes))
        return false;
    memcpy(p->planes + p->count * words, planes, words * sizeof *planes);
    p->pieces[p->count++] = piece;
    p->table[at] = (uint32_t)p->count;
    return true;
}

// The same in one colour.
static void paint_planes(const Pieces *p, int color, const Plane *planes, Plane *painted) {
    for (int w = 0; w < p->words; w++)
        painted[w] = (Plane){p->full[w] & ~(planes[w].black & p->target[0][w]) &
                                 ~(~planes[w].black & p->target[color][w]),
                             planes[w].black};
}

static bool add_entry_pieces(Pieces *p, int32_t e, Plane *planes, Plane *painted) {
    Bank *b = p->b;
    bool is_away = false, is_fitting[2] = {true, true};
    for (int d = 0; d < b->demos; d++) {
        const Image *x = entry_image(b, e, d);
        bool fits = x->h == b->outputs[d].height && x->w == b->outputs[d].width;
        is_away |= x->i || x->j;
        is_fitting[0] &= fits && !x->i && !x->j;
        is_fitting[1] &= fits;
    }
    for (int moved = 0; moved <= is_away; moved++) {
        for (int d = 0; d < b->demos; d++) make_planes(p, d, entry_image(b, e, d), moved, planes);
        int cost = b->entries[e].cost + moved * MOVE_COST + !is_fitting[moved] * PAD_COST;
        Piece piece = {.entry = e,
                       .cost = (uint8_t)cost,
                       .at_origin = moved,
                       .is_fitting = is_fitting[moved]};
        b->shop.units += p->words * 40;
        if (!add_piece(p, planes, piece)) return false;
        piece.cost += COLOR_COST;
        for (int color = 1; color < IMAGE_COLORS; color++) {
            if (!(p->colors >> color & 1)) continue;
            paint_planes(p, color, planes, painted);
            piece.color = (uint8_t)color;
            b->shop.units += p->words * 2 + 30;
            if (!add_piece(p, painted, piece)) return false;
        }
    }
    return true;
}

static int by_cost(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// Orders the pieces by cost, the earlier first among equals.
static bool sort_pieces(Pieces *p) {
    Arena *a = p->b->shop.arena;
    size_t n = p->count, words = (size_t)p->words;
    uint64_t *keys = arena_alloc(a, (n + 1) * sizeof *keys);
    Piece *pieces = arena_alloc(a, (n + 1) * sizeof *pieces);
    Plane *planes = arena_alloc(a, (n + 1) * words * sizeof *planes);
    if (!keys || !pieces || !planes) return false;
    for (size_t k = 0; k < n; k++) keys[k] = (uint64_t)p->pieces[k].cost << 32 | k;
    qsort(keys, n, sizeof *keys, by_cost);
    for (size_t k = 0; k < n; k++) {
        size_t from = keys[k] & 0xFFFFFFFF;
        pieces[k] = p->pieces[from];
        memcpy(planes + k * words, p->planes + from * words, words * sizeof *planes);
    }
    p->pieces = pieces;
    p->planes = planes;
    return true;
}

static bool set_out(Pieces *p, Bank *b) {
    Arena *a = b->shop.arena;
    *p = (Pieces){.b = b, .colors = ~0u};
    for (int d = 0; d < b->demos; d++) {
        int cells = b->outputs[d].height * b->outputs[d].width;
        unsigned colors = 0;
        if (cells > IMAGE_MOST_CELLS) return false;
        p->first[d + 1] = p->first[d] + (cells + 63) / 64;
        for (int k = 0; k < cells; k++) colors |= 1u << b->outputs[d].cells[k];
        p->colors &= colors;
    }
    size_t words = (size_t)(p->words = p->first[b->demos]);
    p->table = arena_alloc(a, TABLE_ROOM * sizeof *p->table);
    p->cells = arena_alloc(a, words * 64);
    p->full = arena_alloc(a, words * 8 * (1 + IMAGE_COLORS));
    if (!p->table || !p->cells || !p->full) return false;
    memset(p->table, 0, TABLE_ROOM * sizeof *p->table);
    memset(p->cells, 0, words * 64);
    memset(p->full, 0, words * 8 * (1 + IMAGE_COLORS));
    for (int c = 0; c < IMAGE_COLORS; c++) p->target[c] = p->full + words * (size_t)(1 + c);
    for (int d = 0; d < b->demos; d++)
        for (int k = 0; k < b->outputs[d].height * b->outputs[d].width; k++) {
            int at = p->first[d] * 64 + k, color = b->outputs[d].cells[k];
            p->cells[at] = (int8_t)color;
            p->full[at / 64] |= 1ull << at % 64;
            p->target[color][at / 64] |= 1ull << at % 64;
        }
    return true;
}

static bool make_pieces(Pieces *p) {
    Bank *b = p->b;
    Plane *planes = arena_alloc(b->shop.arena, 2 * (size_t)p->words * sizeof *planes);
    if (!planes) return false;
    for (size_t e = 0; e < b->count; e++)
        if (!b->entries[e].is_list && !add_entry_pieces(p, (int32_t)e, planes, planes + p->words)) break;
    return sort_pieces(p);
}

// ---- Stacks ----

static uint64_t shown(Plane plane, int mode, uint64_t open) {
    return mode == LAY_ON ? open & ~plane.black : mode == LAY_HOLES ? open & plane.black : open;
}

// For each demo, what can fill most of it first, the cheaper first among equals.
static bool list_items(Pieces *p) {
    Arena *a = p->b->shop.arena;
    size_t most = p->count * MODES;
    uint16_t *fills = arena_alloc(a, most * sizeof *fills);
    if (!fills) return false;
    for (int d = 0; d < p->b->demos; d++) {
        uint32_t starts[IMAGE_MOST_CELLS + 2] = {0};
        for (size_t k = 0; k < p->count; k++)
            for (int mode = 0; mode < MODES; mode++) {
                const Plane *planes = p->planes + k * (size_t)p->words;
                int n = 0;
                for (int w = p->first[d]; w < p->first[d + 1]; w++)
                    n += __builtin_popcountll(shown(planes[w], mode, p->full[w] & ~planes[w].bad));
                fills[k * MODES + (size_t)mode] = (uint16_t)n;
                starts[n]++;
            }
        size_t count = most - starts[0];
        uint32_t at = 0;
        for (int n = IMAGE_MOST_CELLS; n > 0; n--) {
            uint32_t here = starts[n];
            starts[n] = at;
            at += here;
        }
        p->items[d] = arena_alloc(a, (count + 1) * sizeof *p->items[d]);
        p->fills[d] = arena_alloc(a, (count + 1) * sizeof *p->fills[d]);
        if (!p->items[d] || !p->fills[d]) return false;
        for (size_t k = 0; k < most; k++) {
            if (!fills[k]) continue;
            p->fills[d][starts[fills[k]]] = fills[k];
            p->items[d][starts[fills[k]]++] = (uint32_t)k;
        }
        p->item_count[d] = count;
    }
    p->b->shop.units += (int64_t)most * (p->words * 2 + 10);
    return true;
}

typedef struct {
    uint64_t open[BANK_MOST_DEMOS * (IMAGE_MOST_CELLS / 64 + 1)]; // cells not filled yet
    uint16_t word[BANK_MOST_DEMOS * (IMAGE_MOST_CELLS / 64 + 1)]; // that have such cells, the focus first
    int words, focus_words;
    int count;
    uint32_t items[STACK_MOST];
    int cost;
} Filling;

static void list_words(const Pieces *p, Filling *f, int focus) {
    f->words = 0;
    for (int w = p->first[focus]; w < p->first[focus + 1]; w++)
        if (f->open[w]) f->word[f->words++] = (uint16_t)w;
    f->focus_words = f->words;
    for (int w = 0; w < p->words; w++)
        if (f->open[w] && (w < p->first[focus] || w >= p->first[focus + 1]))
            f->word[f->words++] = (uint16_t)w;
}

// The open cells of the focus that an item fills; 0 where it is wrong in an open cell of any demo.
static int gain_of(const Pieces *p, const Filling *f, uint32_t item) {
    const Plane *planes = p->planes + item / MODES * (size_t)p->words;
    int mode = (int)(item % MODES), gain = 0;
    for (int k = 0; k < f->focus_words; k++) {
        int w = f->word[k];
        uint64_t fills = shown(planes[w], mode, f->open[w]);
        if (fills & planes[w].bad) return 0;
        gain += __builtin_popcountll(fills);
    }
    for (int k = f->focus_words; k < f->words; k++) {
        int w = f->word[k];
        if (shown(planes[w], mode, f->open[w]) & planes[w].bad) return 0;
    }
    return gain;
}

static bool next_item(Pieces *p, Filling *f, int focus, int limit, uint32_t *item) {
    int best = 0;
    size_t k = 0;
    for (; k < p->item_count[focus] && p->fills[focus][k] >= best; k++) {
        uint32_t this = p->items[focus][k];
        if (p->pieces[this / MODES].cost > limit) continue;
        int gain = gain_of(p, f, this);
        if (gain > best || (gain == best && gain && this < *item)) {
            best = gain;
            *item = this;
        }
    }
    p->b->shop.units += (int64_t)k * 6;
    return best > 0;
}

// Fills the demos of a set, as far as it goes.
static void fill(Pieces *p, Filling *f, unsigned set, int focus, int limit) {
    for (int d = 0; d < p->b->demos; d++)
        for (int w = p->first[d]; w < p->first[d + 1]; w++) f->open[w] = set >> d & 1 ? p->full[w] : 0;
    f->count = f->cost = 0;
    while (f->count < STACK_MOST) {
        uint32_t item = 0;
        list_words(p, f, focus);
        if (!f->words || !next_item(p, f, focus, limit, &item)) return;
        const Plane *planes = p->planes + item / MODES * (size_t)p->words;
        for (int k = 0; k < f->words; k++)
            f->open[f->word[k]] &= ~shown(planes[f->word[k]], (int)(item % MODES), ~0ull);
        f->items[f->count++] = item;
        if (p->pieces[item / MODES].cost > f->cost) f->cost = p->pieces[item / MODES].cost;
    }
}

// The demos that a stack gives the whole output of.
static int count_right(const Pieces *p, const Filling *f) {
    int right = 0;
    for (int d = 0; d < p->b->demos; d++) {
        uint64_t missed = 0;
        for (int w = p->first[d]; w < p->first[d + 1] && !missed; w++) {
            uint64_t open = p->full[w];
            for (int k = 0; k < f->count && open; k++) {
                Plane plane = p->planes[f->items[k] / MODES * (size_t)p->words + (size_t)w];
                uint64_t fills = shown(plane, (int)(f->items[k] % MODES), open);
                missed |= fills & plane.bad;
                open &= ~fills;
            }
            missed |= open;
        }
        right += !missed;
    }
    return right;
}

static bool add_stack(Pieces *p, const Filling *f) {
    Stack s = {.count = f->count, .cost = f->cost, .right = count_right(p, f)};
    if (!s.right) return true;
    for (int k = 0; k < f->count; k++) {
        s.piece[k] = p->pieces[f->items[k] / MODES];
        s.how[k] = (uint8_t)(f->items[k] % MODES);
    }
    for (size_t k = 0; k < p->stack_count; k++)
        if (p->stacks[k].count == s.count &&
            !memcmp(p->stacks[k].piece, s.piece, sizeof s.piece) &&
            !memcmp(p->stacks[k].how, s.how, sizeof s.how))
            return true;
    if (!array_room(p->b->shop.arena, &p->stacks, p->stack_count, &p->stack_room, sizeof s)) return false;
    s.number = (int)p->stack_count;
    p->stacks[p->stack_count++] = s;
    return true;
}

static bool find_stacks(Pieces *p) {
    Bank *b = p->b;
    int demos = b->demos < SUBSET_DEMOS ? b->demos : SUBSET_DEMOS;
    Filling *f = arena_alloc(b->shop.arena, sizeof *f);
    if (!f) return false;
    for (unsigned set = (1u << demos) - 1; set; set--)
        for (int focus = 0; focus < demos; focus++) {
            if (!(set >> focus & 1)) continue;
            int limit = UINT8_MAX;
            do {
                fill(p, f, set, focus, limit);
                if (!add_stack(p, f)) return false;
                limit = f->cost - 1;
                int64_t units = b->shop.units;
                b->shop.units = 0;
                if (!quest_spend(b->q, units)) return true;
            } while (f->count && f->cost);
        }
    return true;
}

static int by_worth(const void *a, const void *b) {
    const Stack *x = a, *y = b;
    if (x->right != y->right) return y->right - x->right;
    if (x->cost != y->cost) return x->cost - y->cost;
    if (x->count != y->count) return x->count - y->count;
    return x->number - y->number;
}

Stack *stacks_find(Bank *b, size_t *count) {
    Pieces *p = arena_alloc(b->shop.arena, sizeof *p);
    if (!p || !set_out(p, b) || !make_pieces(p) || !list_items(p) || !find_stacks(p)) return NULL;
    if (p->stack_count) qsort(p->stacks, p->stack_count, sizeof *p->stacks, by_worth);
    *count = p->stack_count;
    return p->stacks ? p->stacks : arena_alloc(b->shop.arena, sizeof *p->stacks);
}

bool piece_on_test(Bank *b, const Piece *p, int test, int8_t *cells) {
    const Graph *g = &b->graphs[b->demos + test];
    int32_t node = bank_test_node(b, p->entry, test);
    if (node < 0) return false;
    const Image *x = node_image(g, node), *size = &g->size[SIZE_OUTPUT];
    frame_image(x, p->at_origin ? 0 : x->i, p->at_origin ? 0 : x->j, size->h, size->w, cells);
    if (p->color)
        for (int k = 0; k < image_cells(size); k++)
            if (cells[k]) cells[k] = (int8_t)p->color;
    return true;
}
