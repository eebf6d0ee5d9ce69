// EXPECT: true unreach-call LP64
// ASSUMES: a variable of a function that longjmp returns to is volatile or not read, if it changed since the call of setjmp
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf place;
int main(void) {
    int x = 1;
    if (setjmp(place) == 0) {
        x = 2;
        longjmp(place, 1);
    }
    if (x != 2)
        reach_error();
    return 0;
}
