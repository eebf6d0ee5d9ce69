// EXPECT: true unreach-call LP64 WITH base64.c
/* What was encoded is decoded again: any bytes, up to a number of them. */
#include "../check.h"
#include "base64.h"

#ifndef SIZE
#define SIZE 3
#endif

int main(void) {
    unsigned char bytes[SIZE], back[BASE64_DECODED(BASE64_ENCODED(SIZE))];
    char text[BASE64_ENCODED(SIZE) + 1];
    unsigned size = any_below(SIZE + 1);
    for (unsigned i = 0; i < SIZE; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    base64_encode(text, bytes, size);
    check(text[BASE64_ENCODED(size)] == '\0');
    check(base64_decode(back, text, BASE64_ENCODED(size)) == (long)size);
    for (unsigned i = 0; i < size; i++)
        check(back[i] == bytes[i]);
    return 0;
}
