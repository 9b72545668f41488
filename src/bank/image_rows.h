// Images as rows of ROW cells, 0 after the last: a loop over the rows does all columns at once. Included once
// for each ROW; the names end in it.
//
// Rows are passed as pointers, which means the same with any instructions that the compiler may use.
#ifndef ROW
#error "ROW is the length of a row"
#endif

#define ROWS_JOIN(name, length) name##length
#define ROWS_NAME(name, length) ROWS_JOIN(name, length)
#define N(name) ROWS_NAME(name, ROW)
#define Row N(Row)

typedef int8_t Row __attribute__((vector_size(ROW)));

// The cells of a that are not 0, else those of b.
static inline void N(either)(const Row *a, const Row *b, Row *to) { *to = *a | (*b & (*a == 0)); }

// Each cell from the one `by` before it; 0 comes in. By 1, 2, 4 or 8, …, or as much below 0.
static inline void N(shifted)(const Row *x, int by, Row *to) {
#if defined __AVX2__ && ROW == 32
#define MOVE(n)                                                                         \
    case n: *to = (Row)_mm256_alignr_epi8((__m256i)*x, after, (16 - (n)) & 15); return; \
    case -(n): *to = (Row)_mm256_alignr_epi8(before, (__m256i)*x, (n)&15); return;
    const __m256i after = _mm256_permute2x128_si256((__m256i)*x, (__m256i)*x, 0x08);
    const __m256i before = _mm256_permute2x128_si256((__m256i)*x, (__m256i)*x, 0x81);
    switch (by) {
        MOVE(1)
        MOVE(2)
        MOVE(4)
        MOVE(8)
    case 16: *to = (Row)after; return;
    case -16: *to = (Row)before; return;
    }
#undef MOVE
#endif
    int8_t cells[3 * ROW] = {0};
    memcpy(cells + ROW, x, ROW);
    memcpy(to, cells + ROW - by, ROW);
}

// -1 in the first w cells.
static inline void N(first_cells)(int w, Row *to) {
    int8_t cells[2 * ROW];
    memset(cells, -1, ROW);
    memset(cells + ROW, 0, ROW);
    memcpy(to, cells + ROW - w, ROW);
}

static inline void N(rows_of)(const Image *x, Row *rows) {
    int n = image_cells(x), w = x->w, i = 0;
    int8_t tail[3 * ROW]; // the rows for which there is no whole one to read
    Row within;
    N(first_cells)(w, &within);
    for (; i * w + ROW <= n; i++) {
        memcpy(&rows[i], x->cells + i * w, ROW);
        rows[i] &= within;
    }
    memcpy(tail, x->cells + i * w, (size_t)(n - i * w));
    for (int from = i * w; i < x->h; i++) {
        memcpy(&rows[i], tail + i * w - from, ROW);
        rows[i] &= within;
    }
}

// An image in the place of another. What is written after a row is written over by the next.
static inline bool N(rows_image)(Arena *a, const Row *rows, const Image *in, Image *out) {
    int8_t *to = image_new_for(a, in->i, in->j, in->h, in->w, ROW, out);
    if (!to) return false;
    for (int i = 0; i < in->h; i++) memcpy(to + i * in->w, &rows[i], ROW);
    return true;
}

// ---- Smears ----

// What each cell carries from those before it, its own colour first: from the cell before it, then from 2
// before, 4 before and so on. The step is known where this is called, so that each shift is one instruction.
static inline __attribute__((always_inline)) void N(carry_across)(const Row *from, int h, int w, int j_step,
                                                                  Row *to) {
    for (int i = 0; i < h; i++) {
        Row row = from[i], moved;
#pragma GCC unroll 8
        for (int by = 1; by < ROW; by *= 2) {
            if (by >= w) break;
            N(shifted)(&row, j_step * by, &moved);
            N(either)(&row, &moved, &row);
        }
        to[i] = row;
    }
}

// The same from row to row.
static inline __attribute__((always_inline)) void N(carry_down)(const Row *from, int h, int i_step,
                                                                int j_step, Row *to) {
    int i = i_step < 0 ? h - 1 : 0;
    Row last = to[i] = from[i], moved;
    for (int n = 1; n < h; n++) {
        i += i_step;
        if (j_step) N(shifted)(&last, j_step, &moved);
        else moved = last;
        N(either)(&from[i], &moved, &last);
        to[i] = last;
    }
}

static void N(carry)(const Row *from, int h, int w, int i_step, int j_step, Row *to) {
    if (!i_step && j_step > 0) N(carry_across)(from, h, w, 1, to);
    else if (!i_step) N(carry_across)(from, h, w, -1, to);
    else if (!j_step) N(carry_down)(from, h, i_step, 0, to);
    else if (j_step > 0) N(carry_down)(from, h, i_step, 1, to);
    else N(carry_down)(from, h, i_step, -1, to);
}

static bool N(smear)(Arena *a, unsigned directions, const Image *in, Image *out) {
    Row source[IMAGE_MOST_SIDE], carried[IMAGE_MOST_SIDE], drawn[IMAGE_MOST_SIDE];
    bool first = true;
    N(rows_of)(in, source);
    for (; directions; directions &= directions - 1, first = false) {
        int direction = smear_directions[__builtin_ctz(directions)];
        N(carry)
        (source, in->h, in->w, direction_rows[direction], direction_columns[direction],
         first ? drawn : carried);
        for (int i = 0; i < in->h && !first; i++) N(either)(&carried[i], &drawn[i], &drawn[i]);
    }
    return N(rows_image)(a, drawn, in, out);
}

// ---- Connections ----

static bool N(connect)(Arena *a, int first, int last, const Image *in, Image *out) {
    Row source[IMAGE_MOST_SIDE], one[IMAGE_MOST_SIDE], other[IMAGE_MOST_SIDE], drawn[IMAGE_MOST_SIDE];
    N(rows_of)(in, source);
    memset(drawn, 0, (size_t)in->h * sizeof *drawn);
    for (int line = first; line <= last; line++) {
        int i_step = connect_lines[line][0], j_step = connect_lines[line][1];
        N(carry)(source, in->h, in->w, i_step, j_step, one);
        N(carry)(source, in->h, in->w, -i_step, -j_step, other);
        for (int i = 0; i < in->h; i++) {
            Row met = one[i] & (one[i] == other[i]) & (source[i] == 0);
            N(either)(&met, &drawn[i], &drawn[i]);
        }
    }
    return N(rows_image)(a, drawn, in, out);
}

// ---- Spreading ----

// A step for all rows, each from what they were. Whether it changes something.
static inline bool N(grow)(const Row *now, const Row *room, int h, Row *next) {
    Row none = {0}, any = {0};
    for (int i = 0; i < h; i++) {
        Row left, right, from = i ? now[i - 1] : none, below = i + 1 < h ? now[i + 1] : none;
        N(shifted)(&now[i], 1, &left);
        N(shifted)(&now[i], -1, &right);
        N(either)(&from, &left, &from);
        N(either)(&from, &right, &from);
        N(either)(&from, &below, &from);
        from &= room[i];
        N(either)(&now[i], &from, &next[i]);
        any |= next[i] ^ now[i];
    }
    return memcmp(&any, &none, sizeof any) != 0;
}

static bool N(spread)(Arena *a, int8_t stays, const Image *in, Image *out) {
    Row source[IMAGE_MOST_SIDE], room[IMAGE_MOST_SIDE], grown[2][IMAGE_MOST_SIDE], within;
    int side = 0;
    N(rows_of)(in, source);
    N(first_cells)(in->w, &within);
    for (int i = 0; i < in->h; i++) {
        grown[0][i] = source[i] & (source[i] != stays);
        room[i] = (source[i] == 0) & within;
    }
    while (N(grow)(grown[side], room, in->h, grown[!side])) side = !side;
    for (int i = 0; i < in->h; i++) N(either)(&source[i], &grown[side][i], &source[i]);
    return N(rows_image)(a, source, in, out);
}

#undef Row
#undef N
#undef ROWS_NAME
#undef ROWS_JOIN
#undef ROW
