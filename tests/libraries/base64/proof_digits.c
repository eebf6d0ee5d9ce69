// EXPECT: true unreach-call LP64 WITH base64.c
/* Any number of bytes: what is encoded consists of digits. */
#include "../check.h"
#include "base64.h"

int main(void) {
    unsigned char bytes[3];
    char text[5];
    while (__VERIFIER_nondet_bool()) {
        for (int i = 0; i < 3; i++)
            bytes[i] = __VERIFIER_nondet_uchar();
        base64_encode(text, bytes, 3);
        for (int i = 0; i < 4; i++)
            check(text[i] >= '+' && text[i] <= 'z' && text[i] != '=');
    }
    return 0;
}
