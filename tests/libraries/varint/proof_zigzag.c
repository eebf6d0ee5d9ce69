// EXPECT: true unreach-call LP64 WITH varint.c
/* The zigzag order has small numbers for those close to zero. */
#include "../check.h"
#include "varint.h"

int main(void) {
    int64_t value = (int64_t)__VERIFIER_nondet_ulonglong();
    check(varint_unzigzag(varint_zigzag(value)) == value);
    if (value >= -64 && value < 64)
        check(varint_zigzag(value) < 128);
    return 0;
}
