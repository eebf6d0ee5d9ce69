// EXPECT: true unreach-call LP64
// What is registered does not run if the program aborts.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern int atexit(void (*)(void));
static int done;
static void at_end(void) {
    if (!done)
        reach_error();
}
static int (*const at)(void (*)(void)) = atexit;

int main(void) {
    if (at(at_end) != 0 || __VERIFIER_nondet_int())
        abort();
    done = 1;
    return 0;
}
