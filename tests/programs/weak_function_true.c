// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int hook(void) __attribute__((weak));

static int (*table[2])(void) = {hook, 0};

int main(void) {
    int there = hook != 0;
    if ((table[0] != 0) != there)
        reach_error();
    /* Nobody comes back from a call of null. */
    hook();
    if (!there)
        reach_error();
    return 0;
}
