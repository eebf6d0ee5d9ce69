// EXPECT: false unreach-call LP64
// INPUTS: 0 0 0
/* Equal elements change their order. */
#define BUG_NOT_STABLE
#include "queue.c"

#include "proof_stable.c"
