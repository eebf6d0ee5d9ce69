// EXPECT: false unreach-call LP64 UNKNOWN-OK
// BLOCKED: the write behind the block comes before the check, and the property is not memory safety.
// NATIVE: no-sanitizers (the write behind the block comes first)
// INPUTS: 1 0
/* The null character is forgotten when room is made. */
#define BUG_NO_NULL
#include "strbuf.c"

#include "proof_any_pieces.c"
