// EXPECT: true unreach-call LP64 WITH lexer.c
/* Of two operators that begin alike, the longer one is taken. */
#include "../check.h"
#include "lexer.h"

int main(void) {
    char text[3];
    struct lexer lexer;
    any_text(text, 2);
    lexer_init(&lexer, text);
    struct token token = lexer_next(&lexer);
    char next = token.length > 0 ? token.start[token.length] : 0;
    if (text[0] == '<' && text[1] == '=')
        check(token.kind == TOKEN_LESS_EQUAL && token.length == 2);
    if (token.kind == TOKEN_LESS)
        check(next != '<' && next != '=');
    if (token.kind == TOKEN_NOT || token.kind == TOKEN_ASSIGN)
        check(next != '=');
    return 0;
}
