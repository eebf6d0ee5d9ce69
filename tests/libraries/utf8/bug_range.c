// EXPECT: false unreach-call LP64
// INPUTS: 1114112
/* Numbers that are too large are written. */
#define BUG_RANGE
#include "utf8.c"

#include "proof_round_trip.c"
