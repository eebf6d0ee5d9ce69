// EXPECT: false entered.prp LP64
// INPUTS: 7 -1.5 2.5 3
// NATIVE: no (a compiled program begins at main)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

struct small {
    int number;
    double real;
};

struct large {
    int numbers[10];
};

struct large entered(struct small s, float x, struct large l) {
    if (s.number == 7 && s.real < 0 && x == 2.5f && l.numbers[4] == 3)
        reach_error();
    return l;
}

int main(void) {
    struct small s = {__VERIFIER_nondet_int(), __VERIFIER_nondet_double()};
    float x = __VERIFIER_nondet_float();
    struct large l = {{0, 0, 0, 0, __VERIFIER_nondet_int()}};
    l = entered(s, x, l);
    return 0;
}
