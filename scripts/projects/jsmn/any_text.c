// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Any four characters: the tokens lie in the text. */
#define JSMN_STATIC
#include "jsmn.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

#ifndef LENGTH
#define LENGTH 4
#endif

int main(void) {
    char text[LENGTH];
    jsmn_parser parser;
    jsmntok_t tokens[4];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    jsmn_init(&parser);
    int n = jsmn_parse(&parser, text, LENGTH, tokens, 4);
    if (n > 4 || n < JSMN_ERROR_PART)
        reach_error();
    for (int i = 0; i < n; i++)
        if (tokens[i].start < 0 || tokens[i].end < tokens[i].start || tokens[i].end > LENGTH)
            reach_error();
    return 0;
}
