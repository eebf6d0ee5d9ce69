// EXPECT: false
// FILES:
// OPTIONS: -I.
/* Without JSMN_STRICT, a word that is no JSON is a primitive. */
#define JSMN_STATIC
#include "jsmn.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[3];
    jsmn_parser parser;
    jsmntok_t tokens[3];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    jsmn_init(&parser);
    int n = jsmn_parse(&parser, text, 3, tokens, 3);
    if (n > 0 && tokens[0].type == JSMN_PRIMITIVE) {
        char c = text[tokens[0].start];
        if (c != 't' && c != 'f' && c != 'n' && c != '-' && !(c >= '0' && c <= '9'))
            reach_error();
    }
    return 0;
}
