// EXPECT: false unreach-call LP64
// INPUTS: 1 0
/* Sizes are rounded to the nearest multiple, which may be the one below. */
#define BUG_ROUNDING
#include "arena.c"

#include "proof_blocks_are_apart.c"
