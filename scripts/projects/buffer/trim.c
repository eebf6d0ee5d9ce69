// EXPECT: true
// FILES: buffer.c
// OPTIONS: -I.
/* Any text of up to four characters that begins with a letter: trimmed, it has no space at its end, and is a prefix. */
#include <string.h>
#include "buffer.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[5] = "a";
    for (int i = 1; i < 4; i++)
        text[i] = __VERIFIER_nondet_uchar() % 128;
    buffer_t *buffer = buffer_new_with_copy(text);
    buffer_trim(buffer);
    size_t n = buffer_length(buffer);
    if (n < 1 || n > strlen(text) || memcmp(buffer->data, text, n) != 0)
        reach_error();
    char last = buffer->data[n - 1];
    if (last == ' ' || (last >= '\t' && last <= '\r'))
        reach_error();
    buffer_free(buffer);
    return 0;
}
