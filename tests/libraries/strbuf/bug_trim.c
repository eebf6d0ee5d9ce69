// EXPECT: false unreach-call LP64
// INPUTS: 10 10 0
/* Blanks at the start are not subtracted from the length. */
#define BUG_TRIM
#include "strbuf.c"

#include "proof_trim.c"
