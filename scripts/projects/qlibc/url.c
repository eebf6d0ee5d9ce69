// EXPECT: true
// FILES: src/utilities/qencode.c src/internal/qinternal.c
// OPTIONS: -Iinclude -Iinclude/qlibc -Isrc/internal
/* Any two bytes are encoded and decoded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "utilities/qencode.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char data[2];
    for (int i = 0; i < 2; i++)
        data[i] = __VERIFIER_nondet_uchar();
    char *text = qurl_encode(data, 2);
    for (char *c = text; *c; c++)
        if (*c <= ' ' || *c == '&' || *c == '=')
            reach_error();
    if (qurl_decode(text) != 2 || memcmp(text, data, 2) != 0)
        reach_error();
    free(text);
    return 0;
}
