// EXPECT: true unreach-call LP64
// Library functions that look at a text or a block end the execution if there is none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *volatile none = 0;
    switch (__VERIFIER_nondet_int()) {
    case 0: fwrite(none, 1, 4, stdout); break;
    case 1: setenv("A", none, 1); break;
    case 2: fopen("a", none); break;
    case 3: strtok(none, " "); break;
    default: return 0;
    }
    reach_error();
    return 0;
}
