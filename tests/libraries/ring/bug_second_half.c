// EXPECT: false unreach-call LP64
// INPUTS: 1 2 3
/* Growth forgets the elements that lie before the first one. */
#define BUG_SECOND_HALF
#include "ring.c"

#include "proof_order.c"
