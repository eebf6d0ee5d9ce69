// EXPECT: false unreach-call LP64 UNKNOWN-OK
// BLOCKED: the run that shows it takes values of strcmp that are not glibc's.
// INPUTS: 1
/* Whoever follows a removed entry in its chain is lost, too. */
#define BUG_CUT_CHAIN
#include "dict.c"

#include "proof_three_keys.c"
