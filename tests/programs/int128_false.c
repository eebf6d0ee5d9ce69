// EXPECT: false unreach-call LP64
// INPUTS: 4294967296
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong();
    unsigned __int128 square = (unsigned __int128)a * a;
    if (a == 1ul << 32 && (square >> 64) == 1)
        reach_error();
    return 0;
}
