/* Base64 with padding (RFC 4648). */
#ifndef BASE64_H
#define BASE64_H

#include <stddef.h>

/* The number of characters for `n` bytes, and the greatest number of bytes of `n` characters. */
#define BASE64_ENCODED(n) (((n) + 2) / 3 * 4)
#define BASE64_DECODED(n) ((n) / 4 * 3)

/* Writes BASE64_ENCODED(size) characters and a null character. */
void base64_encode(char *text, const unsigned char *bytes, size_t size);

/* Writes at most BASE64_DECODED(length) bytes. Returns how many, or -1 if the text is wrong; bits behind the end must be zero. */
long base64_decode(unsigned char *bytes, const char *text, size_t length);

#endif
