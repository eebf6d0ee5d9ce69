// EXPECT: false unreach-call LP64
#include <err.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int is_open;
static void look(void) {
    if (is_open)
        reach_error();
}
int main(void) {
    atexit(look);
    is_open = 1;
    if (__VERIFIER_nondet_int() == 77)
        err(1, "still open");
    is_open = 0;
    return 0;
}
