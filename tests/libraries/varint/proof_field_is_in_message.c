// EXPECT: true unreach-call LP64 WITH varint.c
/* The bytes of a field lie in its message, whatever the message is. */
#include "../check.h"
#include "varint.h"

#ifndef SIZE
#define SIZE 12
#endif

int main(void) {
    unsigned char message[SIZE];
    struct field field;
    for (int i = 0; i < SIZE; i++)
        message[i] = __VERIFIER_nondet_uchar();
    size_t used = field_read(&field, message, SIZE);
    check(used <= SIZE);
    if (used > 0 && field.kind == FIELD_BYTES) {
        check(field.length <= SIZE);
        check(field.bytes >= message + 2 && field.bytes + field.length == message + used);
    }
    return 0;
}
