// EXPECT: false unreach-call LP64
#include <stdlib.h>
extern void reach_error(void);
static void last(void) { reach_error(); }
__attribute__((destructor)) static void destroy(void) { atexit(last); }
int main(void) { return 0; }
