// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int printf(const char *format, ...);
int puts(const char *text);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int before = x;
    printf("%d\n", x);
    puts("done");
    check(x == before);
    return 0;
}
