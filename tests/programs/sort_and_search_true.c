// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void qsort(void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size,
              int (*compare)(const void *, const void *));

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_uchar();
    int wanted = a[1];
    qsort(a, 3, sizeof(int), ascending);
    check(a[0] <= a[1] && a[1] <= a[2]);
    int *found = bsearch(&wanted, a, 3, sizeof(int), ascending);
    check(found != 0 && *found == wanted);
    return 0;
}
