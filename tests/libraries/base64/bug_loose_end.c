// EXPECT: false unreach-call LP64
// INPUTS: 65 66 61 61
/* Bits behind the end are ignored, so that several texts have the same bytes. */
#define BUG_LOOSE_END
#include "base64.c"

#include "proof_one_text_each.c"
