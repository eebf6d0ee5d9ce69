// EXPECT: true unreach-call LP64
// Where the program declares reach_error, a failing assertion only ends it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) __attribute__((noreturn));

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1)
        __assert_fail("x != 1", "here", 7, "main");
    if (x == 1)
        reach_error();
    return 0;
}
