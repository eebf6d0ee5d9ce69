// EXPECT: true unreach-call LP64
/* The hash value of a text (Bob Jenkins' one-at-a-time) has its value before twice in each round; the bucket is chosen by some of its bits. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned h = 0;
    int counts[16] = {0};
    for (int i = 0; i < 40; i++) {
        h += __VERIFIER_nondet_uchar();
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    counts[(h >> 3) & 15]++;
    int all = 0;
    for (int i = 0; i < 16; i++)
        all += counts[i];
    if (all != 1 || counts[(h >> 3) % 16] != 1)
        reach_error();
    return 0;
}
