// EXPECT: true
// FILES: re.c
// OPTIONS: -I.
/* A match of \d+ in any four characters lies in the text and consists of digits. */
#include "re.h"
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[5];
    int length;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char() & 0x7f;
    text[4] = '\0';
    int at = re_match("\\d+", text, &length);
    if (at >= 0) {
        if (length < 1 || at + length > (int)strlen(text))
            reach_error();
        for (int i = at; i < at + length; i++)
            if (text[i] < '0' || text[i] > '9')
                reach_error();
    }
    return 0;
}
