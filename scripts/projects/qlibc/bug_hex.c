// EXPECT: false
// FILES: src/utilities/qencode.c src/internal/qinternal.c
// OPTIONS: -Iinclude -Iinclude/qlibc -Isrc/internal
/* A text of four characters that is decoded need not be what its bytes are encoded to, even without capitals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "utilities/qencode.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[5] = "", copy[5];
    for (int i = 0; i < 4; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (text[i] < '0' || text[i] > 'g' || (text[i] >= 'A' && text[i] <= 'F'))
            return 0;
    }
    strcpy(copy, text);
    size_t n = qhex_decode(text);
    if (strcmp(qhex_encode(text, n), copy) != 0)
        reach_error();
    return 0;
}
