// EXPECT: true unreach-call LP64 WITH lexer.c
/* The tokens of a text that is known. */
#include "../check.h"
#include "lexer.h"

int main(void) {
    static const enum token_kind kinds[] = {TOKEN_WHILE, TOKEN_MARK, TOKEN_NAME,   TOKEN_SHIFT, TOKEN_NUMBER,
                                            TOKEN_MARK,  TOKEN_NAME, TOKEN_ASSIGN, TOKEN_STRING};
    struct lexer lexer;
    lexer_init(&lexer, "while (a<<10) // shift\n  if2 = /* a\n string */ \"\\\"\"");
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check(lexer_next(&lexer).kind == kinds[i]);
    struct token last = lexer_next(&lexer);
    check(last.kind == TOKEN_END && last.line == 3);
    return 0;
}
