// EXPECT: false unreach-call LP64
// INPUTS: 1000000000 1 0 1 1 1 0
extern void reach_error(void);
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* What bounds y is nowhere in the text: 3 * 1000000000 + 11. The error needs the largest one. */
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = 20, z = 0;
    if (x > 1000000000)
        abort();
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            z = y / 2 + 7;
        if (__VERIFIER_nondet_bool())
            y = 3 * x + 11;
        if (x < 1000000000)
            x++;
        if (z > 1500000011)
            reach_error();
    }
    return 0;
}
