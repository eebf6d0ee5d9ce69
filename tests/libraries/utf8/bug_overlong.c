// EXPECT: false unreach-call LP64
// INPUTS: 192 128 0 0 2
/* Forms that are longer than needed are read. */
#define BUG_OVERLONG
#include "utf8.c"

#include "proof_one_form.c"
