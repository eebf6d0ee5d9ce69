// EXPECT: true unreach-call LP64
// A compressed text that is known up to two bits: what is computed from these is known in each of their four cases.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct reader {
    const unsigned char *from, *end;
    unsigned bits, count;
};

static unsigned bit(struct reader *r) {
    if (!r->count) {
        r->bits = r->from != r->end ? *r->from++ : 0;
        r->count = 8;
    }
    unsigned low = r->bits & 1;
    r->bits >>= 1;
    r->count--;
    return low;
}

// Elias's gamma code of a number.
static unsigned number(struct reader *r) {
    unsigned zeros = 0, n = 1;
    while (zeros < 6 && !bit(r))
        zeros++;
    for (unsigned i = 0; i < zeros; i++)
        n = n << 1 | bit(r);
    return n;
}

// Pairs of a distance, which is 0 for a character, and a length or that character.
static unsigned unpacked(struct reader *r, unsigned char *to, unsigned room) {
    unsigned n = 0;
    while (n < room && r->from != r->end) {
        unsigned back = (number(r) - 1) % (n + 1), value = number(r);
        if (back == 0) {
            to[n++] = (unsigned char)(value * 7 + n);
        } else {
            for (unsigned i = 0; i < value && n < room; i++, n++)
                to[n] = to[n - back];
        }
    }
    return n;
}

int main(void) {
    unsigned char packed[14] = {0x2b, 0x5d, 0x93, 0xa5, 0x6e, 0x31, 0xd7, 0x4a, 0xb9, 0x55, 0x2d, 0xe3, 0x96, 0x5b};
    unsigned char text[24] = {0};
    packed[1] ^= (unsigned char)((__VERIFIER_nondet_uchar() & 3) << 2);
    struct reader r = {packed, packed + 14, 0, 0};
    unsigned n = unpacked(&r, text, 24), sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 31 + text[i];
    if (n > 24 || (n == 0 && sum != 0) || r.from > r.end)
        reach_error();
    return 0;
}
