// EXPECT: true unreach-call LP64
// ASSUMES: a pointer that is read from memory was stored there as a pointer
// A number that was stored where a pointer is read may be the address of another function.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static void nothing(void) {}
static void fail(void) { reach_error(); }

int main(void) {
    union {
        void (*function)(void);
        unsigned long number;
    } called;
    called.function = nothing;
    if (__VERIFIER_nondet_int())
        called.number = __VERIFIER_nondet_ulong();
    if (called.function == fail)
        called.function();
}
