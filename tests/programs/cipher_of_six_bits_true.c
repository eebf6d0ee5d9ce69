// EXPECT: true unreach-call LP64
// A cipher of rounds with a table that is computed: what it does to a block with six unknown bits is undone. The table is read at unknown
// places, and what is between the byte and the end is made to be hard to invert.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned char box[64], back[64];

static void make_tables(void) {
    for (int i = 0; i < 64; i++)
        box[i] = (unsigned char)(i ^ 0x1a);
    unsigned char j = 7;
    for (int i = 0; i < 64; i++) {
        j = (unsigned char)(j * 5 + 17) % 64;
        unsigned char kept = box[i];
        box[i] = box[j];
        box[j] = kept;
    }
    for (int i = 0; i < 64; i++)
        back[box[i]] = (unsigned char)i;
}

static void encrypt(unsigned char *block) {
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 4; i++)
            block[i] = box[block[i] ^ ((7 * round + i) & 63)];
        for (int i = 0; i < 4; i++)
            block[(i + 1) % 4] = (block[(i + 1) % 4] + (block[i] << 1 | block[i] >> 5)) & 63;
    }
}

static void decrypt(unsigned char *block) {
    for (int round = 3; round >= 0; round--) {
        for (int i = 3; i >= 0; i--)
            block[(i + 1) % 4] = (block[(i + 1) % 4] - (block[i] << 1 | block[i] >> 5)) & 63;
        for (int i = 0; i < 4; i++)
            block[i] = (unsigned char)(back[block[i]] ^ ((7 * round + i) & 63));
    }
}

int main(void) {
    unsigned char any = __VERIFIER_nondet_uchar() & 63;
    unsigned char block[4] = {1, any, 3, 4};
    make_tables();
    encrypt(block);
    decrypt(block);
    if (block[0] != 1 || block[1] != any || block[2] != 3 || block[3] != 4)
        reach_error();
    return 0;
}
