// EXPECT: false unreach-call LP64
// INPUTS: 0 1710094771
/* A deleted slot counts as empty, so keys behind it are not found. */
#define BUG_EMPTY_WHEN_DELETED
#include "intmap.c"

#include "proof_delete.c"
