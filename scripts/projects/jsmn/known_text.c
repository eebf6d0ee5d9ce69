// EXPECT: true
// FILES:
// OPTIONS: -I.
/* A known text has the tokens that one expects. */
#define JSMN_STATIC
#include "jsmn.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    const char *text = "{\"name\": [1, true], \"b\": {}}";
    jsmn_parser parser;
    jsmntok_t tokens[8];
    jsmn_init(&parser);
    int n = jsmn_parse(&parser, text, strlen(text), tokens, 8);
    if (n != 7 || tokens[0].type != JSMN_OBJECT || tokens[0].size != 2 || tokens[2].type != JSMN_ARRAY || tokens[2].size != 2)
        reach_error();
    if (tokens[1].end - tokens[1].start != 4 || strncmp(text + tokens[1].start, "name", 4) != 0)
        reach_error();
    return 0;
}
