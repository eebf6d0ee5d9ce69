// EXPECT: false unreach-call LP64
// INPUTS: 1 255 255 255 255 255 255 255 255 255 1 0
/* The length of a field overflows. */
#define BUG_LENGTH
#include "varint.c"

#include "proof_field_is_in_message.c"
