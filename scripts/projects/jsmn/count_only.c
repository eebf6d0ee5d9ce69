// EXPECT: true
// FILES:
// OPTIONS: -I. -DLENGTH=3
/* Without tokens, the parser counts as many as it would have made. */
#define JSMN_STATIC
#include "jsmn.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[LENGTH];
    jsmn_parser parser;
    jsmntok_t tokens[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    jsmn_init(&parser);
    int made = jsmn_parse(&parser, text, LENGTH, tokens, LENGTH);
    jsmn_init(&parser);
    int counted = jsmn_parse(&parser, text, LENGTH, 0, 0);
    if (made >= 0 && counted != made)
        reach_error();
    return 0;
}
