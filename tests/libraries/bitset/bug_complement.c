// EXPECT: false unreach-call LP64
// INPUTS: 0 0 0
/* The complement has elements above the limit. */
#define BUG_COMPLEMENT
#include "bitset.c"

#include "proof_count.c"
