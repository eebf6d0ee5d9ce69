// EXPECT: false unreach-call LP64
// INPUTS: 3
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int found = 0;
    for (int i = 1; i < 5; i++)
        for (int j = 1; j < 5; j++)
            if (i * j == 12 && i == n)
                found = 1;
    if (found)
        reach_error();
    return 0;
}
