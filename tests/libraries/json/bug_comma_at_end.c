// EXPECT: false unreach-call LP64
// INPUTS: 44
/* A list may end with a comma. */
#define BUG_COMMA_AT_END
#include "json.c"

#include "proof_brackets.c"
