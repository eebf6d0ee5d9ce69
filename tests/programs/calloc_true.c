// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size);
void free(void *block);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 5 + 1;
    int *p = calloc(n, sizeof(int));
    if (p == 0)
        return 0;
    unsigned i = __VERIFIER_nondet_uint() % n;
    check(p[i] == 0);
    free(p);
    return 0;
}
