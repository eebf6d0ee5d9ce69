// EXPECT: false unreach-call LP64 UNKNOWN-OK
// BLOCKED: a counterexample by symbolic execution alone takes a second, but its turn comes late.
// INPUTS: 49 48
/* Only the first character of a level is checked. */
#define BUG_LEVEL
#include "options.c"

#include "proof_level.c"
