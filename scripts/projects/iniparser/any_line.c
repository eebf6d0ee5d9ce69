// EXPECT: true
// FILES: src/iniparser.c src/dictionary.c
// OPTIONS: -Isrc
/* A number with any two digits, and any text of yes and no, are read. */
#include "iniparser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char number[3] = "";
    dictionary *d = dictionary_new(0);
    for (int i = 0; i < 2; i++) {
        number[i] = __VERIFIER_nondet_char();
        if (number[i] < '0' || number[i] > '9')
            return 0;
    }
    if (number[0] == '0')
        return 0;
    iniparser_set(d, "s", NULL);
    iniparser_set(d, "s:n", number);
    if (iniparser_getint(d, "S:N", -1) != 10 * (number[0] - '0') + (number[1] - '0'))
        reach_error();
    if (iniparser_getint(d, "s:m", -1) != -1 || iniparser_getnsec(d) != 1)
        reach_error();
    if (iniparser_getboolean(d, "s:n", -1) != (number[0] == '1' ? 1 : -1))
        reach_error();
    return 0;
}
