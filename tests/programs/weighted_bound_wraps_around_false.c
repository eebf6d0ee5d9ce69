// EXPECT: false unreach-call LP64
// Of integers, y is at least x; of bytes it is not.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char x = 0, y = 0;
    for (int i = 0; i < 100; i++) {
        x += 1;
        y += 3;
    }
    if (y < x) {
        reach_error();
    }
    return 0;
}
