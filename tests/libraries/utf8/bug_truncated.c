// EXPECT: false unreach-call LP64
// INPUTS: 128
/* A code point is read over the end of the text. */
#define BUG_TRUNCATED
#include "utf8.c"

#include "proof_round_trip.c"
