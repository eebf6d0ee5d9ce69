// EXPECT: false unreach-call LP64
// INPUTS: 48 65 65 65
/* The decimal digits have values that are one too small. */
#define BUG_DIGIT
#include "base64.c"

#include "proof_one_text_each.c"
