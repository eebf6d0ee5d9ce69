// EXPECT: true
// FILES: buffer.c
// OPTIONS: -I.
/* Any slice within a text of any four characters has these characters. */
#include <string.h>
#include "buffer.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[5] = "";
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    buffer_t *buffer = buffer_new_with_copy(text);
    size_t n = strlen(text), from = __VERIFIER_nondet_uchar(), to = __VERIFIER_nondet_uchar();
    if (from > n)
        return 0;
    buffer_t *slice = buffer_slice(buffer, from, to);
    if ((slice != NULL) != (from <= to))
        reach_error();
    if (slice && (buffer_length(slice) != (to > n ? n : to) - from || memcmp(slice->data, text + from, buffer_length(slice)) != 0))
        reach_error();
    return 0;
}
