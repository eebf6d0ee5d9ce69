// EXPECT: false unreach-call LP64
// INPUTS: 1
/* The null character does not move with what stands before it. */
#define BUG_INSERT
#include "strbuf.c"

#include "proof_insert.c"
