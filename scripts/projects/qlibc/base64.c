// EXPECT: true
// FILES: src/utilities/qencode.c src/internal/qinternal.c
// OPTIONS: -Iinclude -Iinclude/qlibc -Isrc/internal
/* Any three bytes are encoded and decoded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "utilities/qencode.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char data[3];
    int n = 1 + __VERIFIER_nondet_uchar() % 3;
    for (int i = 0; i < n; i++)
        data[i] = __VERIFIER_nondet_uchar();
    char *text = qbase64_encode(data, n);
    if (strlen(text) != 4 || (text[3] == '=') != (n < 3))
        reach_error();
    if (qbase64_decode(text) != n || memcmp(text, data, n) != 0)
        reach_error();
    free(text);
    return 0;
}
