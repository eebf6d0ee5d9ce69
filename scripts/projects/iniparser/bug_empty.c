// EXPECT: false
// FILES: src/iniparser.c src/dictionary.c
// OPTIONS: -Isrc
/* A value that is no boolean has the answer for the unknown, such as 7. */
#include "iniparser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char value[3] = "";
    dictionary *d = dictionary_new(0);
    value[0] = __VERIFIER_nondet_char();
    value[1] = __VERIFIER_nondet_char();
    iniparser_set(d, "a", NULL);
    iniparser_set(d, "a:b", value);
    int answer = iniparser_getboolean(d, "a:b", 7);
    if (answer != 0 && answer != 1)
        reach_error();
    return 0;
}
