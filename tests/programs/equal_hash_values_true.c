// EXPECT: true unreach-call LP64
/* Whether two keys have the same hash value (Bob Jenkins' one-at-a-time, with more rounds) is hard to say. If they have, they still differ in
   one of their bytes. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned hash(unsigned key) {
    unsigned h = 0x9e3779b9u;
    for (int i = 0; i < 4; i++) {
        h += (key >> (8 * i)) & 0xff;
        h += h << 10;
        h ^= h >> 6;
        h *= 0x85ebca6bu;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == b)
        return 0;
    int different = 0;
    if (hash(a) == hash(b))
        for (int i = 0; i < 4; i++) {
            if (((a >> (8 * i)) & 0xff) != ((b >> (8 * i)) & 0xff))
                different++;
        }
    else
        different = 1;
    if (!different)
        reach_error();
    return 0;
}
