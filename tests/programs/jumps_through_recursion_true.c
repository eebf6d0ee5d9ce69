// EXPECT: true unreach-call LP64
// Handlers are nested; each activation has its own.
#include <setjmp.h>
extern void reach_error(void);
struct handler {
    struct handler *outer;
    jmp_buf place;
};
static struct handler *innermost;
static int caught[4];
static void raise_error(int code) {
    if (innermost)
        longjmp(innermost->place, code);
    reach_error();
}
static void protect(int level) {
    struct handler own;
    own.outer = innermost;
    innermost = &own;
    if (setjmp(own.place) == 0) {
        if (level < 3)
            protect(level + 1);
        raise_error(level + 1);
    } else {
        caught[level]++;
    }
    innermost = own.outer;
}
int main(void) {
    protect(0);
    for (int i = 0; i < 4; i++)
        if (caught[i] != 1)
            reach_error();
    if (innermost)
        reach_error();
    return 0;
}
