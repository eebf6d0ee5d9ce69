#include "lexer.h"

#include <string.h>

void lexer_init(struct lexer *lexer, const char *text) {
    lexer->at = text;
    lexer->line = 1;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Skips blanks and comments. Returns 0 if a comment does not end. */
static int skip(struct lexer *lexer) {
    for (;;) {
        switch (*lexer->at) {
        case '\n':
            lexer->line++;
            /* fall through */
        case ' ':
        case '\t':
        case '\r':
            lexer->at++;
            break;
        case '/':
            if (lexer->at[1] == '/') {
                while (*lexer->at != '\n' && *lexer->at != '\0')
                    lexer->at++;
                break;
            }
            if (lexer->at[1] != '*')
                return 1;
            lexer->at += 2;
            while (lexer->at[0] != '*' || lexer->at[1] != '/') {
#ifndef BUG_OPEN_COMMENT
                if (*lexer->at == '\0')
                    return 0;
#endif
                if (*lexer->at == '\n')
                    lexer->line++;
                lexer->at++;
            }
            lexer->at += 2;
            break;
        default:
            return 1;
        }
    }
}

static enum token_kind name_kind(const char *start, int length) {
    static const struct {
        const char *name;
        enum token_kind kind;
    } keywords[] = {
        {"if", TOKEN_IF},
        {"else", TOKEN_ELSE},
        {"while", TOKEN_WHILE},
        {"return", TOKEN_RETURN},
    };
    for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++) {
#ifdef BUG_KEYWORD_PREFIX
        if (strncmp(keywords[i].name, start, length) == 0)
#else
        if (strncmp(keywords[i].name, start, length) == 0 && keywords[i].name[length] == '\0')
#endif
            return keywords[i].kind;
    }
    return TOKEN_NAME;
}

static enum token_kind read_string(struct lexer *lexer) {
    for (lexer->at++; *lexer->at != '"'; lexer->at++) {
        if (*lexer->at == '\0')
            return TOKEN_ERROR;
#ifndef BUG_LINE_IN_STRING
        if (*lexer->at == '\n')
            lexer->line++;
#endif
        if (*lexer->at == '\\' && lexer->at[1] != '\0')
            lexer->at++;
    }
    lexer->at++;
    return TOKEN_STRING;
}

/* The longer of two operators if the next character is `second`. */
static enum token_kind either(struct lexer *lexer, char second, enum token_kind longer, enum token_kind shorter) {
    if (*lexer->at != second)
        return shorter;
    lexer->at++;
    return longer;
}

static enum token_kind read_operator(struct lexer *lexer) {
    switch (*lexer->at++) {
    case '=':
        return either(lexer, '=', TOKEN_EQUAL, TOKEN_ASSIGN);
    case '!':
        return either(lexer, '=', TOKEN_NOT_EQUAL, TOKEN_NOT);
    case '<':
        if (*lexer->at == '<') {
            lexer->at++;
            return TOKEN_SHIFT;
        }
        return either(lexer, '=', TOKEN_LESS_EQUAL, TOKEN_LESS);
    case '(':
    case ')':
    case '{':
    case '}':
    case ',':
    case ';':
    case '+':
    case '-':
    case '*':
    case '/':
        return TOKEN_MARK;
    default:
        return TOKEN_ERROR;
    }
}

struct token lexer_next(struct lexer *lexer) {
    int ends = skip(lexer);
    struct token token = {TOKEN_ERROR, lexer->at, 0, lexer->line};
    char c = *lexer->at;
    if (c == '\0') {
        token.kind = ends ? TOKEN_END : TOKEN_ERROR;
    } else if (is_letter(c)) {
        while (is_letter(*lexer->at) || is_digit(*lexer->at))
            lexer->at++;
        token.kind = name_kind(token.start, lexer->at - token.start);
    } else if (is_digit(c)) {
        while (is_digit(*lexer->at))
            lexer->at++;
        token.kind = TOKEN_NUMBER;
    } else if (c == '"') {
        token.kind = read_string(lexer);
    } else {
        token.kind = read_operator(lexer);
    }
    token.length = lexer->at - token.start;
    return token;
}
