// EXPECT: true
// FILES: uri/sc_uri.c
// OPTIONS: -Iuri
/* Any three characters behind a scheme, without authority and fragment, are kept. */
#include <string.h>
#include "sc_uri.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[6] = "a:";
    for (int i = 2; i < 5; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (text[i] == '#' || text[i] == '/')
            return 0;
    }
    struct sc_uri *uri = sc_uri_create(text);
    if (!uri || strcmp(uri->str, text) != 0 || strcmp(uri->scheme, "a") != 0)
        reach_error();
    if (strlen(uri->path) + strlen(uri->query) + (strchr(text, '?') != NULL) != strlen(text + 2))
        reach_error();
    sc_uri_destroy(uri);
    return 0;
}
