// EXPECT: false unreach-call LP64
// INPUTS: 4294967296
/* Groups are shifted in 32 bits. */
#define BUG_NARROW_SHIFT
#include "varint.c"

#include "proof_round_trip.c"
