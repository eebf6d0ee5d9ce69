// EXPECT: false
// FILES:
// OPTIONS: -I.
/* What has an error does not always begin with a byte above 0x7f. */
#include "utf8.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char bytes[7] = {0};
    uint32_t point;
    int error;
    for (int i = 0; i < 4; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    unsigned char *next = utf8_decode(bytes, &point, &error);
    if (!error) {
        utf8_decode(next, &point, &error);
        if (error && next[0] == 0xed)
            reach_error();
    }
    return 0;
}
