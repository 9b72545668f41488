// Pieces of the output, and stacks of them.
//
// Each entry of one image is a piece: as it lies, or moved to the origin; in its own colours, or all in one
// that every output has; cut or padded to the output's size. A piece can be laid in three ways: its cells
// that are not black, only the black ones, or all. To a demo's output a piece laid so, an item, is two planes
// of bits, a bit a cell: where it shows, and where it shows something wrong. Items with the same planes are
// one, the cheapest; so neither images nor nodes are made for what is only coloured, moved or padded.
//
// A stack is filled from the top, each item below those before it. Of the items that are wrong in no cell
// still open, the one that fills most open cells of one demo, the focus, comes next: each demo is the focus
// once in each set of demos, since some items are right on some demos only, and for each limit of cost, since
// a dear piece can be too good to be true.
//
// Most items are alike on the focus: for each demo they are grouped, the groups that can fill most of it come
// first, and an item's other demos are looked at only where its group would be the best.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "bank/bank.h"
#include "value/bits.h"

enum {
    SUBSET_DEMOS = 5,
    ITEM_BYTES = 64 << 20, // for planes
    FIRST_ROOM = 1 << 12,  // of the table
    MOST_ITEMS = 1 << 18,
    MODES = 3,
    COLOR_COST = 10,
    MOVE_COST = 10,
    PAD_COST = 10,
};

typedef struct {
    uint64_t show, bad;
} Plane;

typedef struct {
    BankPiece piece;
    uint8_t how;     // an ImageLay
    uint32_t planes; // the number of its planes and hashes
} Item;

// The items that are alike on a demo.
typedef struct {
    uint32_t first, count; // in the demo's list of members
    uint16_t good;         // cells that they can fill
} Likes;

typedef struct Pieces {
    Bank *b;
    int words, first[BANK_MOST_DEMOS + 1];  // of each demo's planes
    uint64_t *full;                         // bits that are cells
    uint64_t *target[IMAGE_COLORS];         // where the outputs have this colour
    int8_t *cells;                          // of the outputs, padded as the planes are
    unsigned colors;                        // that pieces are painted in
    uint64_t *wrong, *black, *shown[MODES]; // of the piece that is made
    uint64_t *keys;                         // of the hash, two for each word
    // What comes deeper is made of more entries, and those that were made are kept.
    size_t entries;                 // of which pieces were made
    int64_t made_units, once_units; // that making them all has cost; of these such as are spent once
    bool is_full, is_changed;       // since they were sorted
    Item *made, *items;             // in the order in which they were made; the cheapest first
    Plane *planes;
    uint64_t *hashes; // of the planes, one for each demo: these decide what is the same
    size_t count, item_room, plane_room, hash_room, most;
    uint64_t *table, *likes_table; // half of a hash, then a number + 1; 0 for none
    size_t table_room, likes_room;
    Likes *likes[BANK_MOST_DEMOS];
    uint64_t *like_show[BANK_MOST_DEMOS], *like_bad[BANK_MOST_DEMOS]; // planes: of a group; of all, by words
    uint32_t like_ends[BANK_MOST_DEMOS][IMAGE_MOST_CELLS + 1];        // groups that can fill so much
    uint32_t *members[BANK_MOST_DEMOS];                               // items, the cheapest of a group first
    size_t like_count[BANK_MOST_DEMOS];
    Stack *stacks;
    size_t stack_count, stack_room;
} Pieces;

// ---- Pieces ----

static uint64_t hash_on(const Pieces *p, uint32_t item, int d) {
    return p->hashes[p->items[item].planes * (size_t)p->b->demos + (size_t)d];
}

static const Plane *planes_of(const Pieces *p, uint32_t item) {
    return p->planes + p->items[item].planes * (size_t)p->words;
}

// What shows of an image in a frame that starts at the origin. There is room for 32 cells after the frame.
static void frame_image(const Image *x, int top, int left, int height, int width, int8_t *cells) {
    if (!top && !left && x->h == height && x->w == width) {
        memcpy(cells, x->cells, (size_t)(height * width));
        return;
    }
    // The rows of the frame that it lies in.
    const int first = top < 0 ? 0 : top, last = x->h + top < height ? x->h + top : height;
    const int from = left < 0 ? -left : 0, n = (x->w < width - left ? x->w : width - left) - from;
    if (first >= last || n <= 0) {
        memset(cells, 0, (size_t)(height * width));
        return;
    }
    int8_t *to = cells + first * width + left + from;
    const int8_t *row = x->cells + (first - top) * x->w + from, *end = cells + height * width;
    if (width > BITS_CELLS) {
        memset(cells, 0, (size_t)(height * width));
        for (int i = first; i < last; i++, to += width, row += x->w) memcpy(to, row, (size_t)n);
        return;
    }
    memset(cells, 0, (size_t)(to - cells));
    // What comes after a row is 0 until the next one lies over it.
    for (int i = first; i < last; i++, to += width, row += x->w) bits_copy(to, row, (size_t)n);
    if (to < end) memset(to, 0, (size_t)(end - to));
}

// Where an image is wrong on a demo, and where it is black.
static void compare(const Pieces *p, int d, const Image *x, bool at_origin, uint64_t *wrong,
                    uint64_t *black) {
    ts_grid out = p->b->outputs[d];
    int8_t cells[IMAGE_MOST_CELLS + 64];
    int words = p->first[d + 1] - p->first[d], n = out.height * out.width;
    frame_image(x, at_origin ? 0 : x->i, at_origin ? 0 : x->j, out.height, out.width, cells);
    memset(cells + n, 0, (size_t)(words * 64 - n));
    const int8_t *target = p->cells + p->first[d] * 64;
    for (int w = 0; w < words; w++) {
        const int8_t *here = cells + w * 64, *there = target + w * 64;
        uint64_t none = bits_of_cells(here, 0) | (uint64_t)bits_of_cells(here + 32, 0) << 32;
        wrong[p->first[d] + w] = ~(bits_same(here, there) | (uint64_t)bits_same(here + 32, there + 32) << 32);
        black[p->first[d] + w] = none & p->full[p->first[d] + w];
    }
}

// What shows of a piece in a way of laying it.
static void show(const Pieces *p, int how, const uint64_t *black, uint64_t *shown) {
    for (int w = 0; w < p->words; w++)
        shown[w] = how == ImageLay_ON_TOP    ? p->full[w] & ~black[w]
                   : how == ImageLay_ERASING ? black[w]
                                             : p->full[w];
}

// Whether an item shows something right, and where it lies deep, is right on some demo wherever it shows:
// there is too much of it.
static bool is_of_use(const Pieces *p, const uint64_t *wrong, const uint64_t *shown, int32_t entry) {
    bool is_clean = (size_t)entry < p->b->shallow;
    uint64_t any = 0;
    for (int d = 0; d < p->b->demos && !(any && is_clean); d++) {
        uint64_t bad = 0;
        for (int w = p->first[d]; w < p->first[d + 1]; w++) {
            any |= shown[w] & ~wrong[w];
            bad |= shown[w] & wrong[w];
        }
        is_clean |= !bad;
    }
    return any && is_clean;
}

// What an item is on each demo, as a hash; the sum of these. Words do not wait for one another: each is
// multiplied by what of it is wrong, with keys for its place (as image_hash.c does with cells).
static uint64_t hash_item(const Pieces *p, const uint64_t *wrong, const uint64_t *shown, uint64_t *hashes) {
    uint64_t sum = 0;
    const uint64_t *keys = p->keys;
    for (int d = 0; d < p->b->demos; d++) {
        unsigned __int128 products = 0;
        for (int w = p->first[d]; w < p->first[d + 1]; w++)
            products +=
                (unsigned __int128)(shown[w] + keys[2 * w]) * ((shown[w] & wrong[w]) + keys[2 * w + 1]);
        hashes[d] = hash_mix((uint64_t)products, (uint64_t)(products >> 64));
        sum = hash_mix(sum, hashes[d]);
    }
    return sum;
}

// Twice the room, with all that is there.
static bool grow_table(Pieces *p) {
    size_t room = p->table_room ? p->table_room * 2 : FIRST_ROOM;
    uint64_t *table = arena_alloc(p->b->shop.arena, room * sizeof *table);
    if (!table) return false;
    memset(table, 0, room * sizeof *table);
    for (size_t k = 0; k < p->table_room; k++) {
        if (!p->table[k]) continue;
        size_t at = p->table[k] >> 32 & (room - 1);
        while (table[at]) at = (at + 1) & (room - 1);
        table[at] = p->table[k];
    }
    p->table = table;
    p->table_room = room;
    return true;
}

// Adds an item, or lets it take the place of a dearer one that is the same. False where there is no more
// room.
static bool add_item(Pieces *p, const uint64_t *wrong, const uint64_t *shown, Item item) {
    Arena *a = p->b->shop.arena;
    size_t demos = (size_t)p->b->demos, words = (size_t)p->words;
    uint64_t hashes[BANK_MOST_DEMOS];
    if (!is_of_use(p, wrong, shown, item.piece.entry)) return true;
    if (p->count * 2 >= p->table_room && !grow_table(p)) return false;
    uint64_t half = hash_item(p, wrong, shown, hashes) >> 32;
    size_t at = half & (p->table_room - 1);
    for (; p->table[at]; at = (at + 1) & (p->table_room - 1)) {
        item.planes = (uint32_t)p->table[at] - 1;
        if (p->table[at] >> 32 != half ||
            memcmp(p->hashes + item.planes * demos, hashes, demos * sizeof *hashes))
            continue;
        if (item.piece.cost < p->made[item.planes].piece.cost)
            p->made[item.planes] = item, p->is_changed = true;
        return true;
    }
    if (p->count == p->most || !bank_array_room(a, &p->made, p->count, &p->item_room, sizeof item) ||
        !bank_array_room(a, &p->planes, p->count, &p->plane_room, words * sizeof *p->planes) ||
        !bank_array_room(a, &p->hashes, p->count, &p->hash_room, demos * sizeof *hashes))
        return false;
    Plane *planes = p->planes + p->count * words;
    for (size_t w = 0; w < words; w++) planes[w] = (Plane){shown[w], shown[w] & wrong[w]};
    memcpy(p->hashes + p->count * demos, hashes, demos * sizeof *hashes);
    item.planes = (uint32_t)p->count;
    p->made[p->count++] = item;
    p->is_changed = true;
    p->table[at] = half << 32 | p->count;
    return true;
}

// Where a piece is wrong in one colour.
static void paint(const Pieces *p, int color, const uint64_t *black, uint64_t *wrong) {
    for (int w = 0; w < p->words; w++)
        wrong[w] = p->full[w] & ~(black[w] & p->target[0][w]) & ~(~black[w] & p->target[color][w]);
}

static bool add_piece(Pieces *p, int32_t e, bool moved, bool is_fitting, uint64_t *wrong, uint64_t *black) {
    Bank *b = p->b;
    for (int d = 0; d < b->demos; d++) compare(p, d, entry_image(b, e, d), moved, wrong, black);
    int cost = b->entries[e].cost + moved * MOVE_COST + !is_fitting * PAD_COST;
    BankPiece piece = {.entry = e, .cost = (uint8_t)cost, .at_origin = moved};
    b->shop.units += p->words * 50 + 100;
    for (int how = 0; how < MODES; how++) {
        show(p, how, black, p->shown[how]);
        if (!add_item(p, wrong, p->shown[how], (Item){piece, (uint8_t)how, 0})) return false;
    }
    piece.cost += COLOR_COST;
    for (int color = 1; color < IMAGE_COLORS; color++) {
        if (!(p->colors >> color & 1)) continue;
        paint(p, color, black, wrong);
        piece.color = (uint8_t)color;
        b->shop.units += p->words * 6 + 60;
        if (!add_item(p, wrong, p->shown[ImageLay_ON_TOP], (Item){piece, ImageLay_ON_TOP, 0}) ||
            !add_item(p, wrong, p->shown[ImageLay_REPLACING], (Item){piece, ImageLay_REPLACING, 0}))
            return false;
    }
    return true;
}

enum { CLEAN_KNOWN = 1, CLEAN = 2, CLEAN_MOVED = 4 };

// Whether a node shows some of its demo's output, in one way of laying it or another, and nothing wrong.
static bool is_clean_so(const Pieces *p, int d, const Image *x, bool moved, uint64_t *wrong,
                        uint64_t *black) {
    uint64_t on = 0, on_bad = 0, holes = 0, holes_bad = 0;
    compare(p, d, x, moved, wrong, black);
    for (int w = p->first[d]; w < p->first[d + 1]; w++) {
        uint64_t show = p->full[w] & ~black[w];
        on |= show;
        on_bad |= show & wrong[w];
        holes |= black[w];
        holes_bad |= black[w] & wrong[w];
    }
    if ((on && !on_bad) || (holes && !holes_bad)) return true;
    for (unsigned left = on ? p->colors & ~1u : 0; left; left &= left - 1) {
        const uint64_t *target = p->target[__builtin_ctz(left)];
        uint64_t off = 0;
        for (int w = p->first[d]; w < p->first[d + 1] && !off; w++) off = p->full[w] & ~black[w] & ~target[w];
        if (!off) return true;
    }
    return false;
}

static unsigned clean_of(Pieces *p, int d, int32_t node, uint64_t *wrong, uint64_t *black) {
    BankNode *n = &p->b->graphs[d].nodes[node];
    if (n->clean) return n->clean;
    const Image *x = n->value.at;
    n->clean = CLEAN_KNOWN;
    if (is_clean_so(p, d, x, false, wrong, black)) n->clean |= CLEAN;
    if ((x->i || x->j) && is_clean_so(p, d, x, true, wrong, black)) n->clean |= CLEAN_MOVED;
    int64_t units = (p->first[d + 1] - p->first[d]) * 80 + 50;
    p->b->shop.units += units;
    p->once_units += units;
    return n->clean;
}

static bool add_pieces(Pieces *p, int32_t e, uint64_t *wrong, uint64_t *black) {
    Bank *b = p->b;
    bool is_away = false, is_fitting = true, fits_moved = true;
    for (int d = 0; d < b->demos; d++) {
        const Image *x = entry_image(b, e, d);
        bool fits = x->h == b->outputs[d].height && x->w == b->outputs[d].width;
        is_away |= x->i || x->j;
        is_fitting &= fits && !x->i && !x->j;
        fits_moved &= fits;
    }
    // What lies deep must be clean on some demo: there is too much of it.
    unsigned clean = (size_t)e < b->shallow ? CLEAN | CLEAN_MOVED : 0;
    for (int d = 0; d < b->demos && clean < (CLEAN | CLEAN_MOVED); d++)
        clean |= clean_of(p, d, entry_node(b, e, d), wrong, black) & (CLEAN | CLEAN_MOVED);
    b->shop.units += 10 * b->demos;
    return (!(clean & CLEAN) || add_piece(p, e, false, is_fitting, wrong, black)) &&
           (!is_away || !(clean & CLEAN_MOVED) || add_piece(p, e, true, fits_moved, wrong, black));
}

// Orders the items by cost, the earlier first among equals. Their planes stay where they are.
static bool sort_items(Pieces *p) {
    size_t n = p->count, starts[UINT8_MAX + 2] = {0};
    Item *items = arena_alloc(p->b->shop.arena, (n + 1) * sizeof *items);
    if (!items || !quest_slow(p->b->q)) return false;
    for (size_t k = 0; k < n; k++) starts[p->made[k].piece.cost + 1]++;
    for (int cost = 0; cost < UINT8_MAX; cost++) starts[cost + 1] += starts[cost];
    for (size_t k = 0; k < n; k++) items[starts[p->made[k].piece.cost]++] = p->made[k];
    p->items = items;
    return true;
}

static bool set_out(Pieces *p, Bank *b) {
    Arena *a = b->shop.arena;
    *p = (Pieces){.b = b, .colors = ~0u};
    for (int d = 0; d < b->demos; d++) {
        int cells = b->outputs[d].height * b->outputs[d].width;
        if (cells > IMAGE_MOST_CELLS) return false;
        p->first[d + 1] = p->first[d] + (cells + 63) / 64;
        p->colors &= colors_in(b->outputs[d]);
    }
    size_t words = (size_t)(p->words = p->first[b->demos]);
    p->most = ITEM_BYTES / (words * sizeof *p->planes);
    if (p->most > MOST_ITEMS) p->most = MOST_ITEMS;
    p->cells = arena_alloc(a, words * 64);
    p->full = arena_alloc(a, words * 8 * (1 + IMAGE_COLORS));
    p->wrong = arena_alloc(a, (4 + MODES) * words * sizeof *p->wrong);
    if (!p->cells || !p->full || !p->wrong || !grow_table(p)) return false;
    p->black = p->wrong + words;
    p->keys = p->black + words;
    for (int how = 0; how < MODES; how++) p->shown[how] = p->keys + (2 + (size_t)how) * words;
    Rng fixed = {0};
    for (size_t k = 0; k < 2 * words; k++) p->keys[k] = rng_next(&fixed);
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

// Those of entries that have come since the last time are made; units are spent as if all were.
static bool make_items(Pieces *p) {
    Bank *b = p->b;
    b->shop.units += p->made_units - p->once_units;
    int64_t before = b->shop.units;
    for (; p->entries < b->count && !p->is_full; p->entries++) {
        if (p->entries % BANK_LOOK_EVERY == 0 && !quest_slow(b->q)) return false;
        p->is_full =
            !b->entries[p->entries].is_list && !add_pieces(p, (int32_t)p->entries, p->wrong, p->black);
    }
    p->made_units += b->shop.units - before;
    return true;
}

// Groups the items by what they are on a demo.
static bool group_items(Pieces *p, int d) {
    Arena *a = p->b->shop.arena;
    size_t words = (size_t)(p->first[d + 1] - p->first[d]), n = 0;
    uint32_t *starts = p->like_ends[d];
    uint32_t *group = arena_alloc(a, (p->count + 1) * sizeof *group);
    Likes *likes = arena_alloc(a, (p->count + 1) * sizeof *likes);
    uint32_t *members = p->members[d] = arena_alloc(a, (p->count + 1) * sizeof *members);
    if (!group || !likes || !members) return false;
    if (p->likes_room != p->table_room) {
        p->likes_table = arena_alloc(a, p->table_room * sizeof *p->likes_table);
        if (!p->likes_table) return false;
        p->likes_room = p->table_room;
    }
    memset(p->likes_table, 0, p->likes_room * sizeof *p->likes_table);
    memset(starts, 0, sizeof p->like_ends[d]);
    // The first item of each group stands for it.
    for (uint32_t k = 0; k < p->count; k++) {
        uint64_t hash = hash_on(p, k, d);
        size_t at = hash >> 32 & (p->likes_room - 1);
        for (; p->likes_table[at]; at = (at + 1) & (p->likes_room - 1))
            if (p->likes_table[at] >> 32 == hash >> 32 &&
                hash_on(p, likes[(uint32_t)p->likes_table[at] - 1].first, d) == hash)
                break;
        if (!p->likes_table[at]) {
            const Plane *planes = planes_of(p, k) + p->first[d];
            int good = 0;
            for (size_t w = 0; w < words; w++) good += __builtin_popcountll(planes[w].show & ~planes[w].bad);
            likes[n] = (Likes){k, 0, (uint16_t)good};
            starts[good]++;
            p->likes_table[at] = hash >> 32 << 32 | ++n;
        }
        likes[group[k] = (uint32_t)p->likes_table[at] - 1].count++;
    }
    // Those that fill most come first; those that fill nothing are left out.
    uint32_t at = 0, *place = arena_alloc(a, (n + 1) * sizeof *place);
    for (int good = IMAGE_MOST_CELLS; good > 0; good--) {
        uint32_t here = starts[good];
        starts[good] = at;
        at += here;
    }
    p->like_count[d] = at;
    p->likes[d] = arena_alloc(a, (at + 1) * sizeof *p->likes[d]);
    p->like_show[d] = arena_alloc(a, (at + 1) * words * sizeof *p->like_show[d]);
    p->like_bad[d] = arena_alloc(a, (at + 1) * words * sizeof *p->like_bad[d]);
    if (!place || !p->likes[d] || !p->like_show[d] || !p->like_bad[d]) return false;
    for (size_t g = 0; g < n; g++) {
        place[g] = likes[g].good ? starts[likes[g].good]++ : UINT32_MAX;
        if (!likes[g].good) continue;
        p->likes[d][place[g]] = likes[g];
        const Plane *planes = planes_of(p, likes[g].first) + p->first[d];
        for (size_t w = 0; w < words; w++) {
            p->like_show[d][place[g] * words + w] = planes[w].show;
            p->like_bad[d][w * at + place[g]] = planes[w].bad;
        }
    }
    starts[0] = at;
    uint32_t next = 0;
    for (size_t g = 0; g < at; g++) {
        p->likes[d][g].first = next;
        next += p->likes[d][g].count;
        p->likes[d][g].count = 0;
    }
    for (size_t k = 0; k < p->count; k++) {
        if (place[group[k]] == UINT32_MAX) continue;
        Likes *l = &p->likes[d][place[group[k]]];
        members[l->first + l->count++] = (uint32_t)k;
    }
    return true;
}

// Sorts and groups the items where they have changed.
static bool order_items(Pieces *p) {
    Bank *b = p->b;
    if (p->is_changed && !sort_items(p)) return false;
    for (int d = 0; d < b->demos; d++)
        if (!quest_slow(b->q) || (p->is_changed && !group_items(p, d))) return false;
    p->is_changed = false;
    b->shop.units += (int64_t)p->count * (8 * p->words + 50 + 30 * b->demos);
    return true;
}

// ---- Stacks ----

typedef struct {
    uint64_t open[BANK_MOST_DEMOS * (IMAGE_MOST_CELLS / 64 + 1)]; // cells not filled yet
    uint16_t word[BANK_MOST_DEMOS * (IMAGE_MOST_CELLS / 64 + 1)]; // that have such cells, the focus left out
    int words;
    int count;
    uint32_t items[STACK_MOST];
    int cost;
} Filling;

static void list_words(const Pieces *p, Filling *f, int focus) {
    f->words = 0;
    for (int w = 0; w < p->words; w++)
        if (f->open[w] && (w < p->first[focus] || w >= p->first[focus + 1]))
            f->word[f->words++] = (uint16_t)w;
}

// The open cells of the focus that a group fills; 0 where it is wrong in one of them.
static int gain_of(const Pieces *p, int focus, size_t group, const uint64_t *open, size_t words) {
    const uint64_t *bad = p->like_bad[focus] + group, *show = p->like_show[focus] + group * words;
    int gain = 0;
    for (size_t w = 0; w < words; w++)
        if (bad[w * p->like_count[focus]] & open[w]) return 0;
    for (size_t w = 0; w < words; w++) gain += __builtin_popcountll(show[w] & open[w]);
    return gain;
}

// The word of the focus that has most open cells: where groups are wrong most often.
static size_t widest(const uint64_t *open, size_t words) {
    size_t best = 0;
    for (size_t w = 1; w < words; w++)
        if (__builtin_popcountll(open[w]) > __builtin_popcountll(open[best])) best = w;
    return best;
}

// Whether an item is wrong in an open cell of another demo.
static bool is_wrong(const Pieces *p, const Filling *f, uint32_t item) {
    const Plane *planes = planes_of(p, item);
    for (int k = 0; k < f->words; k++)
        if (planes[f->word[k]].bad & f->open[f->word[k]]) return true;
    return false;
}

// The first group from g on that is not wrong in an open cell of a word; end where all are: most of them.
static inline size_t skip_wrong(const uint64_t *bad, uint64_t open, size_t g, size_t end) {
#if defined __AVX2__ && defined __BMI2__
    const __m256i cells = _mm256_set1_epi64x((long long)open), none = _mm256_setzero_si256();
    for (; g + 4 <= end; g += 4) {
        const __m256i wrong = _mm256_and_si256(bits_load(bad + g), cells);
        const int good = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(wrong, none)));
        if (good) return g + (size_t)__builtin_ctz((unsigned)good);
    }
#endif
    while (g < end && bad[g] & open) g++;
    return g;
}

static bool next_item(Pieces *p, const Filling *f, int focus, int limit, uint32_t *item) {
    const Likes *likes = p->likes[focus];
    const uint64_t *open = f->open + p->first[focus];
    int best = 0;
    size_t g = 0, looked = 0, words = (size_t)(p->first[focus + 1] - p->first[focus]);
    size_t first = widest(open, words);
    const uint64_t *bad = p->like_bad[focus] + first * p->like_count[focus];
    while ((g = skip_wrong(bad, open[first], g, p->like_ends[focus][best])) < p->like_ends[focus][best]) {
        int gain = gain_of(p, focus, g, open, words);
        const Likes *group = &likes[g++];
        if (gain == 0 || gain < best) continue;
        const uint32_t *member = p->members[focus] + group->first;
        for (uint32_t k = 0; k < group->count; k++, looked++) {
            if (p->items[member[k]].piece.cost > limit || (gain == best && member[k] > *item)) break;
            if (is_wrong(p, f, member[k])) continue;
            best = gain;
            *item = member[k];
            break;
        }
    }
    p->b->shop.units += (int64_t)(g * 4 + looked * 6) + 100;
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
        if (!next_item(p, f, focus, limit, &item)) return;
        const Plane *planes = planes_of(p, item);
        for (int w = 0; w < p->words; w++) f->open[w] &= ~planes[w].show;
        f->items[f->count++] = item;
        if (p->items[item].piece.cost > f->cost) f->cost = p->items[item].piece.cost;
    }
}

// Which demos a stack gives the whole output of, and how much of the others it gets wrong.
static void judge(const Pieces *p, const Filling *f, Stack *s) {
    int wrong = 0, cells = 0;
    for (int d = 0; d < p->b->demos; d++) {
        int missed = 0, all = 0;
        for (int w = p->first[d]; w < p->first[d + 1]; w++) {
            uint64_t open = p->full[w], bad = 0;
            for (int k = 0; k < f->count && open; k++) {
                Plane plane = planes_of(p, f->items[k])[w];
                bad |= open & plane.bad;
                open &= ~plane.show;
            }
            missed += __builtin_popcountll(bad | open);
            all += __builtin_popcountll(p->full[w]);
        }
        s->right += !missed;
        s->unseen += !missed && !(s->set >> d & 1);
        wrong += missed;
        cells += missed ? all : 0;
    }
    s->wrong = cells ? wrong * 1000 / cells : 0;
}

// Whether an entry comes from the output of another demo.
static bool borrows(const Bank *b, int32_t entry) {
    while (b->entries[entry].parent >= 0) entry = b->entries[entry].parent;
    return b->entries[entry].step >= SEED_DEMO;
}

static bool add_stack(Pieces *p, const Filling *f, unsigned set) {
    Stack s = {.count = f->count, .set = set};
    judge(p, f, &s);
    if (!s.right) return true;
    for (int k = 0; k < f->count; k++) {
        s.piece[k] = p->items[f->items[k]].piece;
        s.how[k] = p->items[f->items[k]].how;
        s.cost += s.piece[k].cost;
        s.borrows |= borrows(p->b, s.piece[k].entry);
    }
    for (size_t k = 0; k < p->stack_count; k++) {
        Stack *known = &p->stacks[k];
        if (known->count != s.count || memcmp(known->piece, s.piece, sizeof s.piece) ||
            memcmp(known->how, s.how, sizeof s.how))
            continue;
        if (s.unseen > known->unseen) known->unseen = s.unseen, known->set = set;
        return true;
    }
    if (!bank_array_room(p->b->shop.arena, &p->stacks, p->stack_count, &p->stack_room, sizeof s))
        return false;
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
                if (!add_stack(p, f, set)) return false;
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
    if (x->unseen != y->unseen) return y->unseen - x->unseen;
    if (x->borrows != y->borrows) return x->borrows - y->borrows;
    if (x->cost != y->cost) return x->cost - y->cost;
    return x->number - y->number;
}

Stack *bank_stacks_find(Bank *b, size_t *count) {
    if (!b->pieces) {
        Pieces *new = arena_alloc(b->shop.arena, sizeof *new);
        if (!new || !set_out(new, b)) return NULL;
        b->pieces = new;
    }
    Pieces *p = b->pieces;
    p->stacks = NULL;
    p->stack_count = p->stack_room = 0;
    if (!make_items(p) || !order_items(p) || !find_stacks(p)) return NULL;
    if (p->stack_count) qsort(p->stacks, p->stack_count, sizeof *p->stacks, by_worth);
    *count = p->stack_count;
    return p->stacks ? p->stacks : arena_alloc(b->shop.arena, sizeof *p->stacks);
}

bool bank_piece_on_test(Bank *b, const BankPiece *p, int test, int8_t *cells) {
    const BankGraph *g = &b->graphs[b->demos + test];
    int32_t node = bank_test_node(b, p->entry, test);
    if (node < 0) return false;
    const Image *x = node_image(g, node), *size = &g->size[SIZE_OUTPUT];
    frame_image(x, p->at_origin ? 0 : x->i, p->at_origin ? 0 : x->j, size->h, size->w, cells);
    if (p->color)
        for (int k = 0; k < image_cells(size); k++)
            if (cells[k]) cells[k] = (int8_t)p->color;
    return true;
}
