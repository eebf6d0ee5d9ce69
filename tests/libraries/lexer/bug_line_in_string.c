// EXPECT: false unreach-call LP64
// INPUTS: 3 0
/* Lines within strings are not counted. */
#define BUG_LINE_IN_STRING
#include "lexer.c"

#include "proof_lines.c"
