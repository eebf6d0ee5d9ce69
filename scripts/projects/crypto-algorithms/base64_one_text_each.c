// EXPECT: false
// FILES: base64.c
// OPTIONS: -I.
/* The decoder takes characters that are no digits: encoding what it yields gives another text. */
#include "base64.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    BYTE text[4], bytes[3], again[8];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_uchar();
    size_t size = base64_decode(text, bytes, 4);
    base64_encode(bytes, again, size, 0);
    for (int i = 0; i < 4; i++)
        if (again[i] != text[i])
            reach_error();
    return 0;
}
