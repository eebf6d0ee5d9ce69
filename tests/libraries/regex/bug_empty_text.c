// EXPECT: false unreach-call LP64
// INPUTS: 97 0
/* The end of the text is not tried, and an empty text is read over its end. */
#define BUG_EMPTY_TEXT
#include "regex.c"

#include "proof_empty_match.c"
