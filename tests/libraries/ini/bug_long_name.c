// EXPECT: false unreach-call LP64
// INPUTS: 8
/* A name of just the length of its array gets its end behind it, where the value overwrites it. */
#define BUG_LONG_NAME
#include "ini.c"

#include "proof_long_name.c"
