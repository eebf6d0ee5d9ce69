// EXPECT: false unreach-call LP64
// INPUTS: 1
/* Whoever follows a removed entry in its chain is lost, too. */
#define BUG_CUT_CHAIN
#include "dict.c"

#include "proof_three_keys.c"
