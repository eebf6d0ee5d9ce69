// EXPECT: true unreach-call LP64 WITH varint.c
/* A field of bytes is read as it was written, if it fits. */
#include "../check.h"
#include "varint.h"

int main(void) {
    unsigned char bytes[3], message[6];
    unsigned key = any_below(200), length = any_below(4);
    for (int i = 0; i < 3; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    size_t size = field_write_bytes(message, sizeof message, key, bytes, length);
    check(size > 0 && size <= sizeof message);
    struct field field;
    check(field_read(&field, message, size) == size);
    check(field.kind == FIELD_BYTES && field.key == key && field.length == length);
    for (unsigned i = 0; i < length; i++)
        check(field.bytes[i] == bytes[i]);
    return 0;
}
