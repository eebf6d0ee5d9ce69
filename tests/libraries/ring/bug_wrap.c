// EXPECT: false unreach-call LP64
// INPUTS: 3 1
/* The ring wraps around one element too late. */
#define BUG_WRAP
#include "ring.c"

#include "proof_iterator.c"
