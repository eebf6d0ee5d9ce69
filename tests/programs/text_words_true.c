// EXPECT: true unreach-call LP64
/* A line is split into words, which may be quoted: there are not more words than separators allow. Paths that have read equally far meet,
 * whatever the characters were. */
#include <ctype.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

enum { LENGTH = 4 };

static int split(const char *line, char words[4][LENGTH + 1]) {
    int n = 0;
    for (;;) {
        while (isspace((unsigned char)*line))
            line++;
        if (*line == '\0')
            return n;
        char *to = words[n++], quote = 0;
        while (*line != '\0' && (quote || !isspace((unsigned char)*line))) {
            if (quote ? *line == quote : *line == '"' || *line == '\'')
                quote = quote ? 0 : *line;
            else
                *to++ = *line;
            line++;
        }
        *to = '\0';
    }
}

int main(void) {
    char line[LENGTH + 1] = {0}, words[4][LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        line[i] = __VERIFIER_nondet_char();
    if (split(line, words) > LENGTH / 2)
        reach_error();
    return 0;
}
