// EXPECT: true unreach-call LP64 WITH utf8.c
/* Each number is no code point, or is read as it was written, from the front and from the back. */
#include "../check.h"
#include "utf8.h"

int main(void) {
    unsigned char bytes[UTF8_MAX];
    uint32_t code = __VERIFIER_nondet_uint(), back;
    size_t size = utf8_encode(bytes, code);
    if (size == 0) {
        check(code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff));
        return 0;
    }
    check(utf8_decode(&back, bytes, size) == size && back == code);
    check(utf8_decode(&back, bytes, size - 1) == 0);
    const unsigned char *at = bytes + size;
    check(utf8_previous(&at, bytes) == code && at == bytes);
    return 0;
}
