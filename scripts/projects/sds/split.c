// EXPECT: true
// FILES: sds.c
// OPTIONS: -I.
/* A text of four characters has one piece more than separators. */
#include "sds.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4];
    int commas = 0, count;
    for (int i = 0; i < 4; i++) {
        text[i] = __VERIFIER_nondet_char();
        commas += text[i] == ',';
    }
    sds *pieces = sdssplitlen(text, 4, ",", 1, &count);
    if (count != commas + 1)
        reach_error();
    sdsfreesplitres(pieces, count);
    return 0;
}
