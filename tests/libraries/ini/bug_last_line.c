// EXPECT: false unreach-call LP64
// INPUTS: 0
/* A last line without an end is lost. */
#define BUG_LAST_LINE
#include "ini.c"

#include "proof_refused.c"
