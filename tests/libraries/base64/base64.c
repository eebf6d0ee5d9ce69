#include "base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(char *text, const unsigned char *bytes, size_t size) {
    for (; size >= 3; size -= 3, bytes += 3) {
        *text++ = digits[bytes[0] >> 2];
        *text++ = digits[(bytes[0] & 3) << 4 | bytes[1] >> 4];
        *text++ = digits[(bytes[1] & 15) << 2 | bytes[2] >> 6];
        *text++ = digits[bytes[2] & 63];
    }
    if (size > 0) {
        unsigned second = size > 1 ? bytes[1] : 0;
        *text++ = digits[bytes[0] >> 2];
        *text++ = digits[(bytes[0] & 3) << 4 | second >> 4];
#ifdef BUG_PADDING
        *text++ = size > 1 ? digits[second & 15] : '=';
#else
        *text++ = size > 1 ? digits[(second & 15) << 2] : '=';
#endif
        *text++ = '=';
    }
    *text = '\0';
}

/* The value of a digit, or -1. */
static int value(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
#ifdef BUG_DIGIT
        return c - '0' + 51;
#else
        return c - '0' + 52;
#endif
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

long base64_decode(unsigned char *bytes, const char *text, size_t length) {
    unsigned char *start = bytes;
    if (length % 4 != 0)
        return -1;
    for (; length > 0; length -= 4, text += 4) {
        int padding = length > 4 || text[3] != '=' ? 0 : text[2] != '=' ? 1 : 2;
        unsigned long bits = 0;
        for (int i = 0; i < 4; i++) {
            int v = i < 4 - padding ? value(text[i]) : 0;
            if (v < 0)
                return -1;
            bits = bits << 6 | (unsigned)v;
        }
#ifndef BUG_LOOSE_END
        if (padding > 0 && (bits & (padding == 1 ? 0xffu : 0xffffu)) != 0)
            return -1;
#endif
        *bytes++ = bits >> 16;
        if (padding < 2)
            *bytes++ = bits >> 8 & 0xff;
        if (padding < 1)
            *bytes++ = bits & 0xff;
    }
    return bytes - start;
}
