// EXPECT: false unreach-call LP64
// INPUTS: 4
/* Growth leaves each key at its index. */
#define BUG_NO_REHASH
#include "intmap.c"

#include "proof_growth.c"
