/* UTF-8 (RFC 3629): neither overlong forms nor surrogates nor code points above U+10FFFF. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4
#define UTF8_REPLACEMENT 0xfffd

/* Writes a code point to at most UTF8_MAX bytes. Returns how many; 0 if it is no code point. */
size_t utf8_encode(unsigned char *to, uint32_t code);

/* Reads a code point from at most `size` bytes. Returns how many it has; 0 if they are wrong or end too early. */
size_t utf8_decode(uint32_t *code, const unsigned char *from, size_t size);

/* The number of code points; each byte that is wrong counts as one. */
size_t utf8_length(const unsigned char *text, size_t size);

/* The code point before `at`, which is behind `start`; moves `at` to it. UTF8_REPLACEMENT for a byte that is wrong. */
uint32_t utf8_previous(const unsigned char **at, const unsigned char *start);

/* Whether all of it is right. */
int utf8_is_valid(const unsigned char *text, size_t size);

#endif
