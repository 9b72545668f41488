// UTF-8 to the letter.
#ifndef TESSERA_BASE_UTF8_H
#define TESSERA_BASE_UTF8_H

#include <stddef.h>

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

#endif
