// EXPECT: false unreach-call LP64
// NATIVE: no-sanitizers (the access stays in its structure)
// INPUTS: 5
/* There is no room for the last file that is accepted. */
#define BUG_TOO_MANY
#include "options.c"

#include "proof_files.c"
