// UTF-8 to the letter.
#ifndef TESSERA_BASE_UTF8_H
#define TESSERA_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// The length of the character at p, of which so many bytes are left; 0 where it is none: cut off, too long a
// form, half a surrogate, beyond U+10FFFF.
static inline size_t utf8_length(const unsigned char *p, size_t left) {
    if (p[0] < 0x80) return 1;
    size_t n = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (p[0] < 0xC2 || p[0] > 0xF4 || n > left) return 0;
    for (size_t k = 1; k < n; k++)
        if ((p[k] & 0xC0) != 0x80) return 0;
    if (p[0] == 0xE0 && p[1] < 0xA0) return 0;
    if (p[0] == 0xED && p[1] > 0x9F) return 0;
    if (p[0] == 0xF0 && p[1] < 0x90) return 0;
    if (p[0] == 0xF4 && p[1] > 0x8F) return 0;
    return n;
}

// The same; 0 also for a control character, which would do something to a terminal: those of ASCII, and those
// from U+0080 to U+009F.
static inline size_t utf8_printable(const unsigned char *p, size_t left) {
    if (p[0] < ' ' || p[0] == 0x7F || (p[0] == 0xC2 && left > 1 && p[1] < 0xA0)) return 0;
    return utf8_length(p, left);
}

// How many bytes of a text to show where no more than so many may be: never a part of a character.
static inline size_t utf8_fit(const char *text, size_t length, size_t most) {
    if (length <= most) return length;
    while (most > 0 && (text[most] & 0xC0) == 0x80) most--;
    return most;
}

// Columns of a terminal that a character takes: none for what is put on the one before it, two for the wide
// ones of East Asia and pictures. Where terminals differ, the larger number.
static inline int utf8_width(uint32_t c) {
    static const struct {
        uint32_t first, last;
        int width;
    } ranges[] = {{0x0300, 0x036F, 0}, {0x1100, 0x115F, 2},   {0x1AB0, 0x1AFF, 0},   {0x1DC0, 0x1DFF, 0},
                  {0x200B, 0x200F, 0}, {0x20D0, 0x20FF, 0},   {0x231A, 0x231B, 2},   {0x23E9, 0x23F3, 2},
                  {0x25FD, 0x25FE, 2}, {0x2600, 0x27BF, 2},   {0x2B1B, 0x2B1C, 2},   {0x2B50, 0x2B55, 2},
                  {0x2E80, 0xA4CF, 2}, {0xA960, 0xA97F, 2},   {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},
                  {0xFE00, 0xFE0F, 0}, {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},
                  {0xFFE0, 0xFFE6, 2}, {0x1F000, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}, {0xE0100, 0xE01EF, 0}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges && c >= ranges[k].first; k++)
        if (c <= ranges[k].last) return ranges[k].width;
    return 1;
}

// How many bytes of a text fit into so many columns; *taken, where asked for, is what they take. What is no
// UTF-8 takes a column a byte.
static inline size_t utf8_fit_columns(const char *text, size_t length, int columns, int *taken) {
    size_t at = 0;
    int width = 0;
    while (at < length) {
        const unsigned char *p = (const unsigned char *)text + at;
        size_t n = utf8_length(p, length - at);
        uint32_t c = n > 1 ? p[0] & (0xFFU >> (n + 1)) : p[0];
        for (size_t k = 1; k < n; k++) c = c << 6 | (p[k] & 0x3F);
        int more = n ? utf8_width(c) : 1;
        if (width + more > columns) break;
        width += more;
        at += n ? n : 1;
    }
    if (taken) *taken = width;
    return at;
}

static inline int utf8_columns(const char *text, size_t length) {
    int taken;
    utf8_fit_columns(text, length, INT32_MAX, &taken);
    return taken;
}

#endif
