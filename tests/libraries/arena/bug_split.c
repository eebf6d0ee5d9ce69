// EXPECT: false unreach-call LP64 UNKNOWN-OK
// BLOCKED: sizes in headers at variable places count as addresses, so the memory has a free place and reads may lie outside.
// INPUTS: 112 0
/* A block is split although the rest has no room for a header. */
#define BUG_SPLIT
#include "arena.c"

#include "proof_blocks_are_apart.c"
