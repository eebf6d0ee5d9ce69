#include "utf8.h"

static int is_surrogate(uint32_t code) { return code >= 0xd800 && code < 0xe000; }

static int is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

size_t utf8_encode(unsigned char *to, uint32_t code) {
    if (code < 0x80) {
        to[0] = code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = 0xc0 | code >> 6;
        to[1] = 0x80 | (code & 0x3f);
        return 2;
    }
    if (code < 0x10000) {
        if (is_surrogate(code))
            return 0;
        to[0] = 0xe0 | code >> 12;
        to[1] = 0x80 | (code >> 6 & 0x3f);
        to[2] = 0x80 | (code & 0x3f);
        return 3;
    }
#ifdef BUG_RANGE
    if (code < 0x200000) {
#else
    if (code < 0x110000) {
#endif
        to[0] = 0xf0 | code >> 18;
        to[1] = 0x80 | (code >> 12 & 0x3f);
        to[2] = 0x80 | (code >> 6 & 0x3f);
        to[3] = 0x80 | (code & 0x3f);
        return 4;
    }
    return 0;
}

size_t utf8_decode(uint32_t *code, const unsigned char *from, size_t size) {
    /* The least code point of each number of bytes. */
    static const uint32_t least[UTF8_MAX + 1] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length;
    uint32_t read;
    if (size == 0)
        return 0;
    unsigned char first = from[0];
    if (first < 0x80) {
        *code = first;
        return 1;
    } else if ((first & 0xe0) == 0xc0) {
        length = 2;
        read = first & 0x1f;
    } else if ((first & 0xf0) == 0xe0) {
        length = 3;
        read = first & 0x0f;
    } else if ((first & 0xf8) == 0xf0) {
        length = 4;
        read = first & 0x07;
    } else {
        return 0;
    }
#ifndef BUG_TRUNCATED
    if (length > size)
        return 0;
#endif
    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(from[i]))
            return 0;
        read = read << 6 | (from[i] & 0x3f);
    }
#ifdef BUG_OVERLONG
    if (is_surrogate(read) || read >= 0x110000)
#else
    if (read < least[length] || is_surrogate(read) || read >= 0x110000)
#endif
        return 0;
    (void)least;
    *code = read;
    return length;
}

size_t utf8_length(const unsigned char *text, size_t size) {
    size_t length = 0;
    while (size > 0) {
        uint32_t code;
        size_t used = utf8_decode(&code, text, size);
        if (used == 0)
            used = 1;
        text += used;
        size -= used;
        length++;
    }
    return length;
}

uint32_t utf8_previous(const unsigned char **at, const unsigned char *start) {
    const unsigned char *end = *at, *first = end - 1;
    while (first > start && end - first < UTF8_MAX && is_continuation(*first))
        first--;
    uint32_t code;
    if (utf8_decode(&code, first, end - first) == (size_t)(end - first)) {
        *at = first;
        return code;
    }
    *at = end - 1;
    return UTF8_REPLACEMENT;
}

int utf8_is_valid(const unsigned char *text, size_t size) {
    while (size > 0) {
        uint32_t code;
        size_t used = utf8_decode(&code, text, size);
        if (used == 0)
            return 0;
        text += used;
        size -= used;
    }
    return 1;
}
