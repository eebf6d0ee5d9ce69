// EXPECT: false unreach-call LP64
// A cipher of rounds with a table that is computed: a block with six unknown bits leads to one that is known. The table is read at unknown
// places, and what is between the byte and the end is made to be hard to invert.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned char box[64];

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
}

static void encrypt(unsigned char *block) {
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 4; i++)
            block[i] = box[block[i] ^ ((7 * round + i) & 63)];
        for (int i = 0; i < 4; i++)
            block[(i + 1) % 4] = (block[(i + 1) % 4] + (block[i] << 1 | block[i] >> 5)) & 63;
    }
}

int main(void) {
    unsigned char any = __VERIFIER_nondet_uchar() & 63;
    unsigned char block[4] = {1, any, 3, 4};
    make_tables();
    encrypt(block);
    if (block[0] == 16 && block[1] == 42 && block[2] == 13 && block[3] == 41)
        reach_error();
    return 0;
}
