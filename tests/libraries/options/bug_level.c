// EXPECT: false unreach-call LP64 UNKNOWN-OK
// BLOCKED: pointers at an index beside numbers, and differences within one of several texts, make the texts' addresses numbers.
// INPUTS: 49 48
/* Only the first character of a level is checked. */
#define BUG_LEVEL
#include "options.c"

#include "proof_level.c"
