// EXPECT: true
// FILES: src/dictionary.c
// OPTIONS: -Isrc
/* Any two keys of one character have their values, and others do not. */
#include <string.h>
#include "dictionary.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char one[2] = "", two[2] = "", other[2] = "";
    one[0] = __VERIFIER_nondet_char();
    two[0] = __VERIFIER_nondet_char();
    other[0] = __VERIFIER_nondet_char();
    if (one[0] == two[0] || other[0] == one[0] || other[0] == two[0])
        return 0;
    dictionary *d = dictionary_new(0);
    if (dictionary_set(d, one, "x") != 0 || dictionary_set(d, two, "yy") != 0)
        reach_error();
    if (strcmp(dictionary_get(d, one, "-"), "x") != 0 || strcmp(dictionary_get(d, two, "-"), "yy") != 0 || dictionary_get(d, other, NULL))
        reach_error();
    dictionary_unset(d, one);
    if (dictionary_get(d, one, NULL) || !dictionary_get(d, two, NULL) || d->n != 1)
        reach_error();
    dictionary_del(d);
    return 0;
}
