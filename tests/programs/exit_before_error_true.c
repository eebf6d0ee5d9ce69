// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void exit(int status);

static void stop(int x) {
    if (x > 3)
        exit(1);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    stop(x);
    if (x == 4)
        reach_error();
    return 0;
}
