// EXPECT: false unreach-call LP64
// INPUTS: 2 0 1
/* The last bits before the padding stand at the wrong end of their digit. */
#define BUG_PADDING
#include "base64.c"

#include "proof_round_trip.c"
