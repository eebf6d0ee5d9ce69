// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *malloc(__SIZE_TYPE__ size);
void *realloc(void *block, __SIZE_TYPE__ size);
void free(void *block);

int main(void) {
    int *p = malloc(2 * sizeof(int));
    if (p == 0)
        return 0;
    p[0] = 5;
    p[1] = __VERIFIER_nondet_int();
    int kept = p[1];
    int *q = realloc(p, 6 * sizeof(int));
    if (q == 0)
        return 0;
    q[5] = 1;
    check(q[0] == 5 && q[1] == kept);
    free(q);
    return 0;
}
