// EXPECT: false
// FILES: buffer.c
// OPTIONS: -I.
/* Some byte is appended as a number of three digits that begins with 20. */
#include <string.h>
#include "buffer.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    buffer_t *buffer = buffer_new_with_copy("n=");
    buffer_appendf(buffer, "%d", __VERIFIER_nondet_uchar());
    if (buffer_length(buffer) == 5 && strncmp(buffer->data, "n=20", 4) == 0)
        reach_error();
    return 0;
}
