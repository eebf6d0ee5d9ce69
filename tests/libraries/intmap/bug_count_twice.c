// EXPECT: false unreach-call LP64
// INPUTS: 1 1 1
/* A key that is set again is counted again. */
#define BUG_COUNT_TWICE
#include "intmap.c"

#include "proof_set_get.c"
