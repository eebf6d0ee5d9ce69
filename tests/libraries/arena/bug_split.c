// EXPECT: false unreach-call LP64
// INPUTS: 112 0
/* A block is split although the rest has no room for a header. */
#define BUG_SPLIT
#include "arena.c"

#include "proof_blocks_are_apart.c"
