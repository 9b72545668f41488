// Lists of images: an image split into one, its pieces fallen, and one image made of a list or chosen from
// it.
#include "image/image_cells.h"
#include "grid/geometry.h"

ImageSplits image_do_split, image_do_gravity;
ImageJoins image_do_pick, image_do_pile;
ImageSifts image_do_sift;

typedef struct {
    int count, cells;
    Image at[IMAGES_MOST];
} List;

// False where it would be too many or too large.
static bool list_add(List *list, Image x) {
    if (!image_cells(&x)) return true;
    if (list->count == IMAGES_MOST || (list->cells += image_cells(&x)) > IMAGES_MOST_CELLS) return false;
    list->at[list->count++] = x;
    return true;
}

static bool list_finish(Arena *a, const List *list, Images *out) {
    Image *at = arena_alloc(a, (size_t)(list->count + 1) * sizeof *at);
    if (!at) return false;
    memcpy(at, list->at, (size_t)list->count * sizeof *at);
    *out = (Images){.count = list->count, .is_list = true, .at = at};
    return true;
}

// ---- Pieces ----

// Where an image has a colour, as bits. False where it is too wide.
static bool bits_of_color(const Image *x, int color, Bits *out) {
    int8_t is[IMAGE_MOST_CELLS];
    for (int k = 0; k < image_cells(x); k++) is[k] = x->cells[k] == color;
    Image only = *x;
    only.cells = is;
    return bits_of(&only, out);
}

// The box of the bits; false where none is set.
static bool bits_box(const Bits *bits, int *top, int *left, int *bottom, int *right) {
    uint64_t any = 0;
    *top = *bottom = -1;
    for (int i = 0; i < bits->h; i++) {
        if (!bits->rows[i]) continue;
        any |= bits->rows[i];
        if (*top < 0) *top = i;
        *bottom = i;
    }
    if (!any) return false;
    *left = __builtin_ctzll(any);
    *right = 63 - __builtin_clzll(any);
    return true;
}

// The cells where the bits are set, in their box.
static bool add_piece(Arena *a, const Image *in, const Bits *bits, List *list) {
    Image piece;
    int top, left, bottom, right;
    if (!bits_box(bits, &top, &left, &bottom, &right)) return true;
    int w = right - left + 1;
    int8_t *to = image_new(a, in->i + top, in->j + left, bottom - top + 1, w, &piece);
    if (!to) return false;
    for (int i = top; i <= bottom; i++, to += w) {
        const int8_t *from = in->cells + i * in->w + left;
        uint64_t row = bits->rows[i] >> left;
        for (int j = 0; j < w; j++) to[j] = row >> j & 1 ? from[j] : 0;
    }
    return list_add(list, piece);
}

// Whether a colour parts the rest of the image like a background: it reaches from one side to the opposite
// one, there are at least two pieces, and each of them touches what of it is connected to the border. *least
// is the size of the smallest piece.
static bool parts_image(const Bits *color, int *least) {
    Bits others, edge, near, piece;
    int h = color->h, pieces = 0;
    uint64_t any = 0, sides = 1 | (uint64_t)1 << (color->w - 1), last = (uint64_t)1 << (color->w - 1);
    others = edge = *color;
    for (int i = 0; i < h; i++) {
        any |= color->rows[i];
        others.rows[i] = ~color->rows[i] & color->all;
        edge.rows[i] &= i == 0 || i == h - 1 ? color->all : sides;
    }
    if (!(color->rows[0] && color->rows[h - 1]) && !(any & 1 && any & last)) return false;
    bits_flood(&edge, color, true);
    bits_dilate(&edge, true, &near);
    for (*least = IMAGE_MOST_CELLS + 1; bits_component(&others, true, &piece); pieces++) {
        bool touches = false;
        for (int i = 0; i < h && !touches; i++) touches = piece.rows[i] & near.rows[i];
        if (!touches) return false;
        int size = bits_count(&piece);
        if (size < *least) *least = size;
    }
    return pieces >= 2;
}

// The colour that parts the image best, its smallest piece being the largest; the commonest where none does.
static bool guess_background(const Image *in, Bits *out) {
    int counts[IMAGE_COLORS], best = 0, best_least = 0, least;
    image_tally(in, counts);
    for (int color = 1; color < IMAGE_COLORS; color++)
        if (counts[color] > counts[best]) best = color;
    for (int color = 0; color < IMAGE_COLORS; color++) {
        if (!counts[color]) continue;
        if (!bits_of_color(in, color, out)) return false;
        if (parts_image(out, &least) && least > best_least) best = color, best_least = least;
    }
    return bits_of_color(in, best, out);
}

// What the background leaves, connected over corners too.
static bool split_by_background(Arena *a, const Image *in, List *list) {
    Bits rest, piece;
    if (!guess_background(in, &rest)) return false;
    for (int i = 0; i < in->h; i++) rest.rows[i] = ~rest.rows[i] & rest.all;
    while (bits_component(&rest, true, &piece))
        if (!add_piece(a, in, &piece, list)) return false;
    return true;
}

// An image of the whole size for each colour.
static bool split_by_color(Arena *a, const Image *in, List *list) {
    unsigned colors = image_palette(in);
    for (int color = 1; color < IMAGE_COLORS; color++) {
        Image one;
        if (!(colors >> color & 1)) continue;
        int8_t *to = image_new(a, in->i, in->j, in->h, in->w, &one);
        if (!to) return false;
        for (int k = 0; k < image_cells(in); k++) to[k] = (int8_t)(in->cells[k] == color ? color : 0);
        if (!list_add(list, one)) return false;
    }
    return true;
}

// Cells of one colour that is not 0, connected over sides, or corners too, by their first cell.
static bool split_by_component(Arena *a, const Image *in, bool corners, List *list) {
    Bits left, of_color[IMAGE_COLORS], piece;
    unsigned known = 0;
    if (!bits_of(in, &left)) return false;
    for (int i = 0; i < in->h; i++) {
        while (left.rows[i]) {
            int color = in->cells[i * in->w + __builtin_ctzll(left.rows[i])];
            if (!(known >> color & 1)) bits_of_color(in, color, &of_color[color]);
            known |= 1U << color;
            bits_component(&of_color[color], corners, &piece);
            for (int r = i; r < in->h; r++) left.rows[r] &= ~piece.rows[r];
            if (!add_piece(a, in, &piece, list)) return false;
        }
    }
    return true;
}

static bool split_lines(Arena *a, const Image *in, bool columns, List *list) {
    for (int k = 0; k < (columns ? in->w : in->h); k++) {
        Image line;
        if (!(columns ? image_part(a, in, 0, k, in->h, 1, &line) : image_part(a, in, k, 0, 1, in->w, &line)))
            return false;
        if (!list_add(list, line)) return false;
    }
    return true;
}

// Whether the four cells from (i, j) on are a corner of a colour: all but the one, 0 to 3, that lies inside.
static bool is_corner(const Image *in, int i, int j, int inner, int8_t color) {
    for (int k = 0; k < 4; k++)
        if ((in->cells[(i + k / 2) * in->w + j + k % 2] == color) == (k == inner)) return false;
    return true;
}

// What lies between four corner marks of one colour.
static bool split_inside_marks(Arena *a, const Image *in, List *list) {
    for (int i = 0; i + 2 < in->h; i++)
        for (int j = 0; j + 2 < in->w; j++) {
            int8_t color = in->cells[i * in->w + j];
            if (!color || !is_corner(in, i, j, 3, color)) continue;
            for (int h = 1; i + h + 1 < in->h; h++) {
                if (!is_corner(in, i + h, j, 1, color)) continue;
                for (int w = 1; j + w + 1 < in->w; w++) {
                    Image inside;
                    if (!is_corner(in, i, j + w, 2, color) || !is_corner(in, i + h, j + w, 0, color))
                        continue;
                    if (!image_part(a, in, i + 1, j + 1, h, w, &inside) || !list_add(list, inside))
                        return false;
                }
            }
        }
    return true;
}

bool image_do_split(Arena *a, int variant, const Image *x, Images *out) {
    List list;
    list.count = list.cells = 0;
    bool fits = false;
    switch (variant) {
    case ImageSplit_BY_BACKGROUND: fits = split_by_background(a, x, &list); break;
    case ImageSplit_BY_COLOR: fits = split_by_color(a, x, &list); break;
    case ImageSplit_BY_COMPONENT: fits = split_by_component(a, x, false, &list); break;
    case ImageSplit_BY_COLUMN: fits = split_lines(a, x, true, &list); break;
    case ImageSplit_BY_ROW: fits = split_lines(a, x, false, &list); break;
    case ImageSplit_BY_CORNER_MARKS: fits = split_inside_marks(a, x, &list); break;
    case ImageSplit_BY_COMPONENT_DIAGONAL: fits = split_by_component(a, x, true, &list); break;
    }
    return fits && list_finish(a, &list, out);
}

// ---- Gravity ----

// A piece in the rows of the whole image.
typedef struct {
    Bits bits;
    int i, j; // of its upper left cell
    bool rests;
} Faller;

// Whether the border or what rests already is in its way.
static bool is_stopped(const Faller *f, int i, int j, const Bits *resting) {
    if (i < 0 || j < 0 || i + f->bits.h > resting->h || j + f->bits.w > resting->w) return true;
    for (int r = 0; r < f->bits.h; r++)
        if (resting->rows[i + r] & f->bits.rows[r] << j) return true;
    return false;
}

// All fall a cell at a time, together, until each rests: so one within another falls with it.
static void fall(Faller *fallers, int n, int i_step, int j_step, Bits *resting) {
    for (int falling = n; falling;) {
        for (bool more = true; more;) {
            more = false;
            for (int k = 0; k < n; k++) {
                Faller *f = &fallers[k];
                if (f->rests || !is_stopped(f, f->i + i_step, f->j + j_step, resting)) continue;
                for (int r = 0; r < f->bits.h; r++) resting->rows[f->i + r] |= f->bits.rows[r] << f->j;
                f->rests = more = true;
                falling--;
            }
        }
        for (int k = 0; k < n; k++) {
            if (fallers[k].rests) continue;
            fallers[k].i += i_step;
            fallers[k].j += j_step;
        }
    }
}

// Each line of cells moved together, without gaps, to its end or its start; all as one image.
static bool fallen_cells(Arena *a, const Image *x, bool across, bool to_end, Images *out) {
    List list;
    int8_t *to = image_new(a, x->i, x->j, x->h, x->w, &list.at[0]);
    if (!to) return false;
    memset(to, 0, (size_t)image_cells(x));
    list.count = 1;
    int lines = across ? x->h : x->w, line_step = across ? x->w : 1;
    int n = across ? x->w : x->h, step = across ? 1 : x->w;
    for (int line = 0; line < lines; line++) {
        int start = line * line_step + (to_end ? (n - 1) * step : 0), by = to_end ? -step : step;
        for (int k = 0, from = start, next = start; k < n; k++, from += by) {
            to[next] = x->cells[from] ? x->cells[from] : to[next];
            if (x->cells[from]) next += by;
        }
    }
    return list_finish(a, &list, out);
}

// The components, each fallen until something stops it, or the single cells.
bool image_do_gravity(Arena *a, int variant, const Image *x, Images *out) {
    static const int8_t directions[] = {[FallDirection_EAST] = Direction_EAST,
                                        [FallDirection_WEST] = Direction_WEST,
                                        [FallDirection_SOUTH] = Direction_SOUTH,
                                        [FallDirection_NORTH] = Direction_NORTH};
    bool cells = variant >= ImageFall_CELLS_FALL;
    int to = directions[variant - (cells ? ImageFall_CELLS_FALL : ImageFall_COMPONENTS_FALL)];
    List list;
    Bits resting;
    list.count = list.cells = 0;
    bool to_end = to == Direction_EAST || to == Direction_SOUTH;
    if (cells) return fallen_cells(a, x, direction_columns[to] != 0, to_end, out);
    if (!split_by_component(a, x, false, &list) || !bits_of(x, &resting)) return false;
    memset(resting.rows, 0, (size_t)x->h * sizeof *resting.rows);
    Faller *fallers = arena_alloc(a, (size_t)(list.count + 1) * sizeof *fallers);
    if (!fallers) return false;
    for (int k = 0; k < list.count; k++) {
        bits_of(&list.at[k], &fallers[k].bits);
        fallers[k].i = list.at[k].i - x->i;
        fallers[k].j = list.at[k].j - x->j;
        fallers[k].rests = false;
    }
    fall(fallers, list.count, direction_rows[to], direction_columns[to], &resting);
    for (int k = 0; k < list.count; k++) {
        list.at[k].i = (int16_t)(x->i + fallers[k].i);
        list.at[k].j = (int16_t)(x->j + fallers[k].j);
    }
    return list_finish(a, &list, out);
}

// ---- Choosing ----

enum { CRITERIA = ImageTrait_FURTHEST_RIGHT + 1 };

// What an image has most of; below zero for what it has least of. False where it is too wide for this.
static bool score_of(const Image *x, int criterion, int *score) {
    Bits bits, other;
    int top, left, bottom, right;
    switch (criterion) {
    case ImageTrait_MOST_CELLS: *score = image_count(x); return true;
    case ImageTrait_FEWEST_CELLS: *score = -image_count(x); return true;
    case ImageTrait_LARGEST_BOX: *score = image_cells(x); return true;
    case ImageTrait_SMALLEST_BOX: *score = -image_cells(x); return true;
    case ImageTrait_MOST_COLORS: *score = __builtin_popcount(image_palette(x) & ~1U); return true;
    case ImageTrait_TOPMOST: *score = -x->i; return true;
    case ImageTrait_BOTTOMMOST: *score = x->i; return true;
    case ImageTrait_FURTHEST_LEFT: *score = -x->j; return true;
    case ImageTrait_FURTHEST_RIGHT: *score = x->j; return true;
    default: break;
    }
    if (!bits_of(x, &bits)) return false;
    *score = 0;
    if (criterion == ImageTrait_MOST_COMPONENTS) {
        while (bits_component(&bits, true, &other)) ++*score;
    } else if (criterion == ImageTrait_MOST_GAPS || criterion == ImageTrait_FEWEST_GAPS) {
        if (bits_box(&bits, &top, &left, &bottom, &right))
            *score = (bottom - top + 1) * (right - left + 1) - bits_count(&bits);
    } else { // MOST_ENCLOSED, LEAST_ENCLOSED
        bits_outside(&bits, false, &other);
        *score = image_cells(x) - bits_count(&bits) - bits_count(&other);
    }
    if (criterion == ImageTrait_FEWEST_GAPS || criterion == ImageTrait_LEAST_ENCLOSED) *score = -*score;
    return true;
}

static bool scores_of(const Images *in, int criterion, int *scores, int *most) {
    for (int k = 0; k < in->count; k++) {
        if (!score_of(&in->at[k], criterion, &scores[k])) return false;
        if (k == 0 || scores[k] > *most) *most = scores[k];
    }
    return true;
}

// The only one that has a colour which the others have not; -1 where there is none or another such.
static int odd_one(const Images *in) {
    unsigned once = 0, more = 0, palettes[IMAGES_MOST];
    int found = -1;
    for (int k = 0; k < in->count; k++) {
        palettes[k] = image_palette(&in->at[k]);
        more |= once & palettes[k];
        once |= palettes[k];
    }
    once &= ~more;
    for (int k = 0; k < in->count; k++) {
        if (!(palettes[k] & once)) continue;
        if (found >= 0 || (palettes[k] & once & ((palettes[k] & once) - 1))) return -1;
        found = k;
    }
    return found;
}

// The first with the highest score, or the odd one.
bool image_do_pick(Arena *a, int variant, const Images *in, Image *out) {
    (void)a;
    int scores[IMAGES_MOST], most = 0, found = 0;
    if (variant == ImagePick_LONE_COLOR) found = odd_one(in);
    else {
        if (!scores_of(in, variant, scores, &most)) return false;
        while (scores[found] != most) found++;
    }
    if (found >= 0) *out = in->at[found];
    return true;
}

// All with the highest score, or all others.
bool image_do_sift(Arena *a, int variant, const Images *in, Images *out) {
    int scores[IMAGES_MOST], most = 0;
    List list;
    list.count = list.cells = 0;
    if (!scores_of(in, variant % CRITERIA, scores, &most)) return false;
    for (int k = 0; k < in->count; k++)
        if ((scores[k] == most) == (variant < ImageSift_ALL_BUT)) list_add(&list, in->at[k]);
    return list_finish(a, &list, out);
}

// ---- Piles ----

// Indices by ascending keys, equal ones in their order.
static void sort_by(const int *keys, int n, int *order) {
    for (int k = 0; k < n; k++) {
        int at = k;
        for (; at > 0 && keys[order[at - 1]] > keys[k]; at--) order[at] = order[at - 1];
        order[at] = k;
    }
}

// One on the other in this order, each in its place.
static bool pile(Arena *a, const Images *in, const int *order, Image *out) {
    int i = in->at[0].i, j = in->at[0].j, bottom = i, right = j;
    for (int k = 0; k < in->count; k++) {
        const Image *x = &in->at[k];
        if (x->i < i) i = x->i;
        if (x->j < j) j = x->j;
        if (x->i + x->h > bottom) bottom = x->i + x->h;
        if (x->j + x->w > right) right = x->j + x->w;
    }
    int8_t *to = image_new(a, i, j, bottom - i, right - j, out);
    if (!to) return false;
    memset(to, 0, (size_t)image_cells(out));
    for (int k = 0; k < in->count; k++) {
        const Image *x = &in->at[order[k]];
        for (int r = 0; r < x->h; r++) {
            int8_t *restrict row = to + (x->i - i + r) * out->w + x->j - j;
            const int8_t *restrict from = x->cells + r * x->w;
            for (int c = 0; c < x->w; c++) row[c] = from[c] ? from[c] : row[c];
        }
    }
    return true;
}

// Side by side in this order, or one below the other, from the place of the first on.
static bool queue_up(Arena *a, const Images *in, const int *order, bool down, Image *out) {
    Image at[IMAGES_MOST];
    int own[IMAGES_MOST], i = in->at[order[0]].i, j = in->at[order[0]].j, length = 0;
    for (int k = 0; k < in->count; k++) {
        at[k] = in->at[order[k]];
        at[k].i = (int16_t)(i + (down ? length : 0));
        at[k].j = (int16_t)(j + (down ? 0 : length));
        length += down ? at[k].h : at[k].w;
        if (length > IMAGE_MOST_SIDE) return false;
        own[k] = k;
    }
    return pile(a, &(Images){.count = in->count, .is_list = true, .at = at}, own, out);
}

// The smallest step between the places of two images, from above or from the left.
static int closest(const Images *in, bool down) {
    int least = INT16_MAX;
    for (int k = 0; k < in->count; k++)
        for (int m = 0; m < k; m++) {
            int step = down ? in->at[k].i - in->at[m].i : in->at[k].j - in->at[m].j;
            if (step < 0) step = -step;
            if (step < least) least = step;
        }
    return least;
}

// Side by side or one below the other there are no gaps. By size is by the size of the boxes.
bool image_do_pile(Arena *a, int variant, const Images *in, Image *out) {
    int keys[IMAGES_MOST], order[IMAGES_MOST], n = in->count;
    if (n == 1) return *out = in->at[0], true;
    bool down = variant == ImagePile_COLUMN_BY_SIZE ||
                (variant == ImagePile_SIDE_BY_SIDE && closest(in, false) < closest(in, true));
    for (int k = 0; k < n; k++) {
        const Image *x = &in->at[k];
        switch (variant) {
        case ImagePile_SMALLEST_ON_TOP: keys[k] = -(image_count(x) * IMAGES_MOST + k); break;
        case ImagePile_SIDE_BY_SIDE: keys[k] = down ? x->i : x->j; break;
        case ImagePile_LAST_ON_TOP: keys[k] = k; break;
        case ImagePile_FIRST_ON_TOP: keys[k] = -k; break;
        default: keys[k] = image_cells(x);
        }
    }
    sort_by(keys, n, order);
    bool queued = variant == ImagePile_SIDE_BY_SIDE || variant == ImagePile_ROW_BY_SIZE ||
                  variant == ImagePile_COLUMN_BY_SIZE;
    return queued ? queue_up(a, in, order, down, out) : pile(a, in, order, out);
}
