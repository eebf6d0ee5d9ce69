// EXPECT: true unreach-call LP64 UNKNOWN-OK WITH utf8.c
// BLOCKED: bytes that are left from the last iteration are dead, but keep states apart.
/* Texts of any length, of which each piece is read as it was written. */
#include "../check.h"
#include "utf8.h"

int main(void) {
    unsigned char bytes[UTF8_MAX];
    while (__VERIFIER_nondet_bool()) {
        uint32_t code = any_below(0x110000), back;
        size_t size = utf8_encode(bytes, code);
        if (size > 0) {
            check(utf8_decode(&back, bytes, sizeof bytes) == size);
            check(back == code);
        }
    }
    return 0;
}
