// EXPECT: false unreach-call LP64
// INPUTS: 47 42 0 42 47
/* A comment that does not end is read on behind the end of the text. */
#define BUG_OPEN_COMMENT
#include "lexer.c"

#include "../check.h"

/* Two characters, and what happens to lie behind their end. */
int main(void) {
    char memory[6];
    any_text(memory, 5);
    if (memory[2] != '\0')
        return 0;
    memory[4] = '/';
    memory[3] = '*';
    struct lexer lexer;
    lexer_init(&lexer, memory);
    struct token token = lexer_next(&lexer);
    check(token.start <= memory + 2);
    return 0;
}
