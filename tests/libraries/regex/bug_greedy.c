// EXPECT: false unreach-call LP64
// INPUTS: 1
/* A repetition gives nothing back. */
#define BUG_GREEDY
#include "regex.c"

#include "proof_back_off.c"
