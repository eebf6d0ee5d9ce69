// EXPECT: true unreach-call LP64 WITH varint.c
/* Any number is read as it was written. */
#include "../check.h"
#include "varint.h"

int main(void) {
    unsigned char bytes[VARINT_MAX];
    uint64_t value = __VERIFIER_nondet_ulonglong(), back;
    size_t size = varint_write(bytes, value);
    check(size >= 1 && size <= VARINT_MAX);
    check(varint_read(&back, bytes, sizeof bytes) == size);
    check(back == value);
    check(varint_read(&back, bytes, size - 1) == 0);
    return 0;
}
