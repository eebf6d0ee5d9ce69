// EXPECT: false unreach-call LP64
// The second loop takes j, which begins with 105, down to 7.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int i = 0;
    while (i < 100)
        i += 7;
    int j = i;
    while (__VERIFIER_nondet_bool()) {
        if (j > 10)
            j -= 7;
    }
    if (j < 8)
        reach_error();
    return 0;
}
