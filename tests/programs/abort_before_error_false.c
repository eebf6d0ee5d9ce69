// EXPECT: false unreach-call LP64
// INPUTS: -4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void abort(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3)
        abort();
    if (x == -4)
        reach_error();
    return 0;
}
