// EXPECT: false unreach-call LP64
// INPUTS: 2 3 1
/* No element rises to the root. */
#define BUG_ROOT
#include "queue.c"

#include "proof_sorts.c"
