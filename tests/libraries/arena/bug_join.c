// EXPECT: false unreach-call LP64
// INPUTS: 0 0
/* The header between two blocks that become one is lost. */
#define BUG_JOIN
#include "arena.c"

#include "proof_all_comes_back.c"
