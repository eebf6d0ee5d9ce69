// EXPECT: false unreach-call LP64
// INPUTS:
extern void reach_error(void);
extern int hook(void) __attribute__((weak));

/* Nobody needs to define a weak function: then its address is null. */
int main(void) {
    int n = hook ? 1 : 3;
    if (n == 3)
        reach_error();
    return 0;
}
