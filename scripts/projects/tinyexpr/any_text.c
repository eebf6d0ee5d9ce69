// EXPECT: true
// FILES: tinyexpr.c
// OPTIONS: -I.
/* Any two characters: the place of an error lies in the text or at its end. */
#include "tinyexpr.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), '\0'};
    int error;
    te_expr *e = te_compile(text, 0, 0, &error);
    if (error < 0 || error > 3 || (e != 0) != (error == 0))
        reach_error();
    return 0;
}
