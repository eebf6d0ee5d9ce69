// EXPECT: true unreach-call LP64 WITH lexer.c
/* Tokens lie in the text, one behind the other; at the end, or where a comment does not end, nothing follows. */
#include "../check.h"
#include "lexer.h"

#ifndef LENGTH
#define LENGTH 3
#endif

int main(void) {
    char text[LENGTH + 1];
    any_text(text, LENGTH);
    const char *last = text;
    struct lexer lexer;
    lexer_init(&lexer, text);
    for (int i = 0; i <= LENGTH; i++) {
        struct token token = lexer_next(&lexer);
        check(token.start >= last && token.start + token.length <= text + LENGTH);
        check(token.length > 0 || *token.start == '\0');
        last = token.start + token.length;
    }
    check(lexer_next(&lexer).length == 0);
    return 0;
}
