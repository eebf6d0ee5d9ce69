// EXPECT: true
// FILES: base64.c
// OPTIONS: -I.
/* Any five bytes come back. */
#include "base64.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#ifndef SIZE
#define SIZE 5
#endif

int main(void) {
    BYTE bytes[SIZE], text[2 * SIZE + 4], back[SIZE + 3];
    for (int i = 0; i < SIZE; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    size_t length = base64_encode(bytes, text, SIZE, 0);
    if (length != base64_encode(bytes, 0, SIZE, 0))
        reach_error();
    if (base64_decode(text, back, length) != SIZE)
        reach_error();
    for (int i = 0; i < SIZE; i++)
        if (back[i] != bytes[i])
            reach_error();
    return 0;
}
