// EXPECT: false unreach-call LP64
// INPUTS: 0
/* The first letters of a keyword are taken for it. */
#define BUG_KEYWORD_PREFIX
#include "lexer.c"

#include "proof_keywords.c"
