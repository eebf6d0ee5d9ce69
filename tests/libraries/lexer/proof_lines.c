// EXPECT: true unreach-call LP64 WITH lexer.c
/* The last token knows how many lines were before it, whatever they consist of. */
#include "../check.h"
#include "lexer.h"

int main(void) {
    static const char pieces[4][6] = {"\n", "//x\n", "/*\n*/", "\"\n\""};
    char text[12];
    int length = 0, pieces_used = 0;
    for (int i = 0; i < 2; i++) {
        const char *piece = pieces[any_below(4)];
        while (*piece)
            text[length++] = *piece++;
        pieces_used++;
    }
    text[length] = '\0';
    struct lexer lexer;
    struct token token;
    lexer_init(&lexer, text);
    do {
        token = lexer_next(&lexer);
        check(token.kind == TOKEN_STRING || token.kind == TOKEN_END);
    } while (token.kind != TOKEN_END);
    check(token.line == 1 + pieces_used);
    return 0;
}
