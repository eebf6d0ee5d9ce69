// EXPECT: false unreach-call LP64
// INPUTS: 5 9
/* The iteration begins one behind. */
#define BUG_NEXT
#include "bitset.c"

#include "proof_next.c"
