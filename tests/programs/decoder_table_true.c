// EXPECT: true unreach-call LP64
/* A decoder whose state and table of codes are in one structure: a code is the index of a table elsewhere. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct decoder {
    const unsigned char *at, *end;
    unsigned bits;
    int count;
    unsigned char *out;
    unsigned short codes[64];
};

static unsigned next_bit(struct decoder *d) {
    if (d->count == 0) {
        d->bits = d->at < d->end ? *d->at++ : 0;
        d->count = 8;
    }
    unsigned bit = d->bits & 1;
    d->bits >>= 1;
    d->count--;
    return bit;
}

static unsigned code(struct decoder *d) {
    unsigned k = 0;
    for (int i = 0; i < 4; i++)
        k = 2 * k + next_bit(d);
    return d->codes[k + 16];
}

int main(void) {
    static const unsigned char lengths[8] = {0, 1, 1, 2, 2, 3, 3, 4};
    struct decoder d = {0};
    unsigned char packed[2], out[4];
    for (int i = 0; i < 64; i++)
        d.codes[i] = 240 + i;
    packed[0] = __VERIFIER_nondet_uchar();
    packed[1] = 1;
    d.at = packed;
    d.end = packed + 2;
    d.out = out;
    for (int i = 0; i < 2; i++) {
        unsigned sym = code(&d);
        if (sym < 256 || d.out == out + 4)
            return 0;
        if (sym < 264) {
            *d.out++ = lengths[sym - 256];
            if (lengths[sym - 256] > 4)
                reach_error();
        }
    }
    return 0;
}
