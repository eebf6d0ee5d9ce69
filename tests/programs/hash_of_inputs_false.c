// EXPECT: false unreach-call LP64
// INPUTS: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// A hash of 120 inputs (FNV-1a, and rounds of rotations and products) is compared with a constant, which nearly all inputs miss: a run shows it.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

int main(void) {
    unsigned long long h = 0xcbf29ce484222325ull;
    unsigned s[4] = { 1, 2, 3, 4 };
    for (int i = 0; i < 120; i++) {
        h = (h ^ __VERIFIER_nondet_uchar()) * 0x100000001b3ull;
        s[i & 3] += rotate((unsigned)h ^ s[(i + 1) & 3], 7) * 0x9e3779b1u;
        s[(i + 2) & 3] ^= (s[i & 3] * s[(i + 3) & 3]) % 1000003;
    }
    if ((s[0] ^ s[1] ^ s[2] ^ s[3]) != 0x1234abcd)
        reach_error();
    return 0;
}
