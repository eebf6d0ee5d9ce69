// EXPECT: false unreach-call LP64
// INPUTS: 0 1 2
/* The last word is missing if it is not full. */
#define BUG_WORDS
#include "bitset.c"

#include "proof_count.c"
