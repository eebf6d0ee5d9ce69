// EXPECT: false unreach-call LP64
// INPUTS: 0 3 1 3
/* The first child moves up, whichever is smaller. */
#define BUG_SMALLER_CHILD
#include "queue.c"

#include "proof_four_digits.c"
