// EXPECT: true
// FILES: buffer.c
// OPTIONS: -I.
/* Any two pieces of up to two characters are appended and prepended. */
#include <string.h>
#include "buffer.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char left[3] = "", right[3] = "", whole[7] = "";
    for (int i = 0; i < 2; i++) {
        left[i] = __VERIFIER_nondet_char();
        right[i] = __VERIFIER_nondet_char();
    }
    buffer_t *buffer = buffer_new_with_copy("-");
    if (buffer_append(buffer, right) != 0 || buffer_prepend(buffer, left) != 0)
        reach_error();
    strcpy(whole, left);
    strcat(whole, "-");
    strcat(whole, right);
    if (strcmp(buffer->data, whole) != 0 || buffer_length(buffer) != strlen(left) + 1 + strlen(right))
        reach_error();
    if (buffer_indexof(buffer, "-") > (ssize_t)strlen(left))
        reach_error();
    buffer_free(buffer);
    return 0;
}
