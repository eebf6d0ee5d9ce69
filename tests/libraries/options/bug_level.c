// EXPECT: false unreach-call LP64
// INPUTS: 49 48
/* Only the first character of a level is checked. */
#define BUG_LEVEL
#include "options.c"

#include "proof_level.c"
