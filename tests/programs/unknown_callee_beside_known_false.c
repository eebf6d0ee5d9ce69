// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the input is the address of a function)
// A pointer that is a known function or anything may be another function, also where the known one is of another type.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);

static int number;

static int twice(int n) { return 2 * n; }
static void set(void) { number = 1; }
static void clear(void) { number = 0; }

int main(void) {
    void (*called)(void) = __VERIFIER_nondet_int() ? (void (*)(void))twice : __VERIFIER_nondet_pointer();
    void (*other)(void) = __VERIFIER_nondet_int() ? set : clear;
    if (called == other)
        called();
    if (number)
        reach_error();
}
