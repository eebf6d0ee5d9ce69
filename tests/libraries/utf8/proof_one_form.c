// EXPECT: true unreach-call LP64 WITH utf8.c
/* What is read would be written in the same way: no code point has two forms. */
#include "../check.h"
#include "utf8.h"

int main(void) {
    unsigned char bytes[UTF8_MAX], back[UTF8_MAX];
    uint32_t code;
    for (int i = 0; i < UTF8_MAX; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    size_t size = utf8_decode(&code, bytes, any_below(UTF8_MAX + 1));
    if (size > 0) {
        check(utf8_encode(back, code) == size);
        for (size_t i = 0; i < size; i++)
            check(back[i] == bytes[i]);
    }
    return 0;
}
