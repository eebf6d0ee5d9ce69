// EXPECT: true unreach-call LP64
// A jump back begins the rest of the loop again.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf again;
static int tries;
static void attempt(void) {
    if (++tries < 5)
        siglongjmp(again, 1);
}
int main(void) {
    if (sigsetjmp(again, 1) != 0 && tries >= 5)
        reach_error();
    attempt();
    if (tries != 5)
        reach_error();
    return 0;
}
