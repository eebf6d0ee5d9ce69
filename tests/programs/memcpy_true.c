// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);

struct record {
    int id;
    char name[6];
};

int main(void) {
    struct record a = {__VERIFIER_nondet_int(), "abcde"}, b;
    memcpy(&b, &a, sizeof a);
    a.id = 0;
    a.name[2] = 'x';
    check(b.name[2] == 'c' && b.name[5] == 0);
    if (b.id != 5)
        return 0;
    check(a.id != b.id);
    return 0;
}
