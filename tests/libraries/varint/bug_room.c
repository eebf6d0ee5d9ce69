// EXPECT: false unreach-call LP64
// INPUTS: 0 3
/* The room that the head of a field takes is forgotten. */
#define BUG_ROOM
#include "varint.c"

#include "../check.h"

int main(void) {
    unsigned char bytes[4] = {1, 2, 3, 4}, message[8];
    unsigned key = any_below(200), length = any_below(5);
    check(field_write_bytes(message, 4, key, bytes, length) <= 4);
    return 0;
}
