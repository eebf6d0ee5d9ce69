// EXPECT: false unreach-call LP64
// INPUTS: 6
// NATIVE: gnu89

extern void reach_error();
extern int __VERIFIER_nondet_int();

add(a, b)
int a, b;
{
    return a + b;
}

main() {
    int x = __VERIFIER_nondet_int();
    if (add(x, 1) == 7)
        reach_error();
    return 0;
}
