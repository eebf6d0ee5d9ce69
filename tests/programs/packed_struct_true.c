// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct __attribute__((packed)) tight {
    char c;
    int i;
    short s;
};

int main(void) {
    struct tight t[2];
    t[0].i = __VERIFIER_nondet_int();
    t[1].c = 1;
    t[1].i = -2;
    t[0].s = 7;
    int *unused = 0;
    check(t[0].s == 7 && t[1].i == -2 && t[1].c == 1 && unused == 0);
    check((char *)&t[1] - (char *)t == 7);
    return 0;
}
