// EXPECT: true unreach-call LP64 WITH lexer.c
/* A part of a keyword is a name, and so is a keyword with a letter more. */
#include "../check.h"
#include "lexer.h"

int main(void) {
    char text[8] = "return";
    struct lexer lexer;
    unsigned length = 1 + any_below(7);
    text[6] = 'x';
    text[length] = '\0';
    lexer_init(&lexer, text);
    struct token token = lexer_next(&lexer);
    check(token.length == (int)length);
    check((token.kind == TOKEN_RETURN) == (length == 6));
    check(token.kind == TOKEN_RETURN || token.kind == TOKEN_NAME);
    return 0;
}
