// EXPECT: false unreach-call LP64
// INPUTS: 0 0 98 0
/* A key that begins with another one is taken for it. */
#define BUG_PREFIX
#include "dict.c"

#include "proof_one_key.c"
