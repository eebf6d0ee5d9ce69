// EXPECT: true unreach-call LP64
/* Behind a loop up to an unknown length, the length has one value on each path: what is computed from it is known. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned sum(const unsigned char *data) {
    unsigned s = 7;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 16; i++)
            s = (s << 5 | s >> 27) + (data[i] ^ s >> 3);
    return s;
}

int main(void) {
    unsigned char data[16] = {0}, text[4];
    unsigned char n = __VERIFIER_nondet_uchar();
    if (n > 4)
        return 0;
    for (int i = 0; i < n; i++)
        data[i] = text[i] = __VERIFIER_nondet_uchar();
    for (int i = n; i < 16; i++)
        data[i] = i - n;
    unsigned first = sum(data);
    for (int i = 0; i < n; i++)
        data[i] = text[i];
    for (int i = 0; i + n < 16; i++)
        data[n + i] = i;
    if (sum(data) != first)
        reach_error();
    return 0;
}
