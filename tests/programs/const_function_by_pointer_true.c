// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int parity(int n) __attribute__((const));
static int (*const all[2])(int) = {parity, parity};

int main(void) {
    int (*by)(int) = parity;
    if (by(1) != parity(1) || all[0](2) != all[1](2))
        reach_error();
    return 0;
}
