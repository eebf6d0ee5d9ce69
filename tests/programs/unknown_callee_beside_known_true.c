// EXPECT: true unreach-call LP64
// NATIVE: no (the input is the address of a function)
// A pointer that is a known function or anything is called only where it is the known one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);

static int number;

static void add(void) { number += 2; }
static void spoil(void) { number = 1; }

int main(void) {
    void (*called)(void) = __VERIFIER_nondet_int() ? add : __VERIFIER_nondet_pointer();
    void (*volatile kept)(void) = spoil;
    if (called != add)
        return kept == add;
    called();
    if (number == 1)
        reach_error();
}
