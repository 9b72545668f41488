// Workload: 2.6 MB with 7 thousand grids of 86 thousand rows, nearly all without a blank, as [0,3,0]. So a
// row is looked at 32 bytes at a time: digits at even places, commas at odd ones, up to the bracket. A vector
// may reach beyond the row, so the last bytes of a text are read one by one.
#include "task/scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

// ---- Bytes ----

// Whether so many bytes are all ASCII that may stand in JSON; many bytes, whether they are printed, too.
#ifdef __AVX2__
enum { PLAIN_BYTES = 32, MANY_BYTES = 128 };

// Bytes that are no printable ASCII: seen as signed numbers they are below ' '. (There is DEL, which JSON
// lets be.)
static __m256i not_printed(__m256i v) { return _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), v); }

static bool are_plain(const unsigned char *p) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)p);
    __m256i blank = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n'));
    blank = _mm256_or_si256(blank, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\r')));
    blank = _mm256_or_si256(blank, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\t')));
    return _mm256_movemask_epi8(_mm256_andnot_si256(blank, not_printed(v))) == 0;
}

static bool are_printed(const unsigned char *p) {
    const __m256i *v = (const __m256i *)p;
    const __m256i a = _mm256_min_epi8(_mm256_loadu_si256(v), _mm256_loadu_si256(v + 1));
    const __m256i b = _mm256_min_epi8(_mm256_loadu_si256(v + 2), _mm256_loadu_si256(v + 3));
    return _mm256_movemask_epi8(not_printed(_mm256_min_epi8(a, b))) == 0;
}
#else
enum { PLAIN_BYTES = 8, MANY_BYTES = 8 };

static bool are_plain(const unsigned char *p) {
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x80 * ones;
    uint64_t word;
    memcpy(&word, p, 8);
    uint64_t below_space = (word - ones * ' ') & ~word;
    return ((word | below_space) & tops) == 0;
}
static bool are_printed(const unsigned char *p) { return are_plain(p); }
#endif

size_t task_scan_bad_byte(const char *text, size_t length) {
    const unsigned char *p = (const unsigned char *)text;
    size_t k = 0;
    while (k < length) {
        while (length - k >= MANY_BYTES && are_printed(p + k)) k += MANY_BYTES;
        while (length - k >= PLAIN_BYTES && are_plain(p + k)) k += PLAIN_BYTES;
        if (k == length) break;
        size_t n = utf8_length(p + k, length - k);
        if (n == 0 || (p[k] < ' ' && p[k] != '\n' && p[k] != '\r' && p[k] != '\t')) break;
        k += n;
    }
    return k;
}

size_t task_scan_blanks(const char *text, size_t k, size_t length) {
    while (k < length && (text[k] == ' ' || text[k] == '\n' || text[k] == '\r' || text[k] == '\t')) k++;
    return k;
}

// ---- Grids ----

#ifdef __AVX2__
// Writes what would be the cells of 32 bytes. Returns a bit for each byte that is as it should be in a row.
static inline uint32_t take_piece(const char *text, signed char *cells) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)text);
    const __m256i digit = _mm256_sub_epi8(v, _mm256_set1_epi8('0'));
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digit, _mm256_set1_epi8(9)), digit);
    const __m256i is_comma = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(','));
    const __m256i even = _mm256_and_si256(digit, _mm256_set1_epi16(0xFF));
    const __m128i packed = _mm_packus_epi16(_mm256_castsi256_si128(even), _mm256_extracti128_si256(even, 1));
    _mm_storeu_si128((__m128i *)cells, packed);
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_blendv_epi8(is_digit, is_comma, _mm256_set1_epi16((short)0xFF00)));
}

// A row without blanks, behind its bracket.
static inline size_t take_tight_row(const char *text, size_t at, size_t length, signed char *row,
                                    int *count) {
    for (int n = 0; n < GRID_TASK_SIDE && length - at >= TASK_SCAN_WIDE;
         n += TASK_SCAN_WIDE / 2, at += TASK_SCAN_WIDE) {
        const uint32_t good = take_piece(text + at, row + n);
        if (good == UINT32_MAX) continue;
        const int end = __builtin_ctz(~good); // where something else stands than should
        *count = n + (end + 1) / 2;
        return end % 2 == 1 && *count <= GRID_TASK_SIDE && text[at + (size_t)end] == ']'
                   ? at + (size_t)end + 1
                   : 0;
    }
    return 0;
}
#else
static size_t take_tight_row(const char *text, size_t at, size_t length, signed char *row, int *count) {
    (void)text, (void)at, (void)length, (void)row, (void)count;
    return 0;
}
#endif

// A list of single digits that begins at `at`: fills the row, with its count, and returns where it ends; 0
// where it is none.
static size_t take_row(const char *text, size_t at, size_t length, signed char *row, int *count) {
    if (at >= length || text[at] != '[') return 0;
    size_t k = at + 1;
    const size_t end = take_tight_row(text, k, length, row, count);
    if (end) return end;
    for (int n = 0; n < GRID_TASK_SIDE;) {
        k = task_scan_blanks(text, k, length);
        if (k >= length || text[k] < '0' || text[k] > '9') return 0;
        row[n++] = (signed char)(text[k++] - '0');
        k = task_scan_blanks(text, k, length);
        if (k >= length) return 0;
        if (text[k] == ']') {
            *count = n;
            return k + 1;
        }
        if (text[k++] != ',') return 0;
    }
    return 0;
}

size_t task_scan_grid(const char *text, size_t at, size_t length, TaskScanGrid *grid) {
    size_t k = at + 1;
    int width = 0, filled = 0;
    for (int rows = 1; rows <= GRID_TASK_SIDE; rows++) {
        int count = 0;
        k = take_row(text, task_scan_blanks(text, k, length), length, grid->cells + filled, &count);
        if (rows == 1) width = count;
        if (!k || count != width) return 0;
        filled += count;
        k = task_scan_blanks(text, k, length);
        if (k >= length) return 0;
        if (text[k] == ']') {
            grid->height = rows;
            grid->width = width;
            return k + 1;
        }
        if (text[k++] != ',') return 0;
    }
    return 0;
}

// A member of an object with this key and a grid, and the blanks around them.
static size_t take_member(const char *text, size_t k, size_t length, const char *key, TaskScanGrid *grid) {
    const size_t n = strlen(key);
    k = task_scan_blanks(text, k, length);
    if (length - k < n || memcmp(text + k, key, n) != 0) return 0;
    k = task_scan_blanks(text, k + n, length);
    if (k >= length || text[k] != ':') return 0;
    k = task_scan_blanks(text, k + 1, length);
    if (k >= length || text[k] != '[' || !(k = task_scan_grid(text, k, length, grid))) return 0;
    return task_scan_blanks(text, k, length);
}

size_t task_scan_sample(const char *text, size_t at, size_t length, TaskScanGrid grids[2]) {
    size_t k = take_member(text, at + 1, length, "\"input\"", &grids[0]);
    if (!k || k >= length || text[k] != ',') return 0;
    k = take_member(text, k + 1, length, "\"output\"", &grids[1]);
    return k && k < length && text[k] == '}' ? k + 1 : 0;
}

// ---- Values ----

static size_t skip_string(const char *text, size_t k, size_t length) {
    for (k++; k < length && text[k] != '"'; k++)
        if (text[k] == '\\' || (unsigned char)text[k] < ' ') return 0;
    return k < length ? k + 1 : 0;
}

// The key of an object with its colon, and the blanks behind it.
static size_t skip_key(const char *text, size_t k, size_t length) {
    if (k >= length || text[k] != '"' || !(k = skip_string(text, k, length))) return 0;
    k = task_scan_blanks(text, k, length);
    return k < length && text[k] == ':' ? task_scan_blanks(text, k + 1, length) : 0;
}

static size_t skip_value(const char *text, size_t k, size_t length, int depth, TaskScanGrid *grid) {
    if (k >= length) return 0;
    const char open = text[k], close = open == '{' ? '}' : ']';
    if (open == '"') return skip_string(text, k, length);
    if (open >= '0' && open <= '9') return k + 1; // what may follow is for whoever holds it to see
    if ((open != '{' && open != '[') || depth == 0) return 0;
    const size_t end = open == '[' && depth >= 2 ? task_scan_grid(text, k, length, grid) : 0;
    if (end) return end;
    k = task_scan_blanks(text, k + 1, length);
    if (k < length && text[k] == close) return k + 1;
    for (;; k++) {
        k = task_scan_blanks(text, k, length);
        if (open == '{' && !(k = skip_key(text, k, length))) return 0;
        if (!(k = skip_value(text, k, length, depth - 1, grid))) return 0;
        k = task_scan_blanks(text, k, length);
        if (k >= length || (text[k] != ',' && text[k] != close)) return 0;
        if (text[k] == close) return k + 1;
    }
}

size_t task_scan_value(const char *text, size_t at, size_t length, int depth) {
    TaskScanGrid grid;
    return skip_value(text, at, length, depth, &grid);
}
