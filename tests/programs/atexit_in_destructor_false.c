// EXPECT: false unreach-call LP64 UNKNOWN-OK
// When it runs, if at all, depends on the C library and on how the program was linked.
// NATIVE: no (other C libraries never call it)
#include <stdlib.h>
extern void reach_error(void);
static void last(void) { reach_error(); }
__attribute__((destructor)) static void destroy(void) { atexit(last); }
int main(void) { return 0; }
