/* The tokens of a small language with C's comments and strings. A lexer does not copy: tokens point into the text. */
#ifndef LEXER_H
#define LEXER_H

enum token_kind {
    TOKEN_END,
    TOKEN_ERROR,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_IF,
    TOKEN_ELSE,
    TOKEN_WHILE,
    TOKEN_RETURN,
    TOKEN_ASSIGN,     /* = */
    TOKEN_EQUAL,      /* == */
    TOKEN_NOT,        /* ! */
    TOKEN_NOT_EQUAL,  /* != */
    TOKEN_LESS,       /* < */
    TOKEN_LESS_EQUAL, /* <= */
    TOKEN_SHIFT,      /* << */
    TOKEN_MARK        /* any of ( ) { } , ; + - * / and its text says which */
};

struct token {
    enum token_kind kind;
    const char *start;
    int length;
    int line; /* where it begins, counted from 1 */
};

struct lexer {
    const char *at; /* ends with a null character */
    int line;
};

void lexer_init(struct lexer *lexer, const char *text);

/* The next token. At the end, it is TOKEN_END again and again. */
struct token lexer_next(struct lexer *lexer);

#endif
