// EXPECT: false
// FILES: uri/sc_uri.c
// OPTIONS: -Iuri
/* Of three characters behind a scheme, some are lost: a question mark in the fragment is taken for the query (a bug of the library). */
#include <string.h>
#include "sc_uri.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[6] = "a:";
    for (int i = 2; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    if (text[2] == '/')
        return 0;
    struct sc_uri *uri = sc_uri_create(text);
    if (!uri || strcmp(uri->str, text) != 0)
        reach_error();
    return 0;
}
