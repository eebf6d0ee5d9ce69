// EXPECT: true unreach-call LP64 WITH utf8.c
/* A text of any bytes has at most as many code points, and a right one at least a quarter. */
#include "../check.h"
#include "utf8.h"

#ifndef SIZE
#define SIZE 4
#endif

int main(void) {
    unsigned char text[SIZE];
    unsigned size = any_below(SIZE + 1);
    for (int i = 0; i < SIZE; i++)
        text[i] = __VERIFIER_nondet_uchar();
    size_t length = utf8_length(text, size);
    check(length <= size && 4 * length >= size);
    if (utf8_is_valid(text, size) && size > 0 && length == 1)
        check(size == 1 || text[0] >= 0xc2);
    return 0;
}
