// EXPECT: false unreach-call LP64
// INPUTS: 0 0 3
/* The place behind the newest element is taken for it. */
#define BUG_POP_BACK
#include "ring.c"

#include "proof_any_operations.c"
