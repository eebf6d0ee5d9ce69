// EXPECT: false unreach-call LP64
// INPUTS: 3
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

void *realloc(void *block, __SIZE_TYPE__ size);
void free(void *block);

int main(void) {
    int *p = 0;
    unsigned n = __VERIFIER_nondet_uint() % 4;
    for (unsigned i = 0; i < n; i++) {
        p = realloc(p, (i + 1) * sizeof(int));
        if (p == 0)
            return 0;
        p[i] = (int)i + 1;
    }
    if (n > 0 && p[0] + p[n - 1] == 4)
        reach_error();
    free(p);
    return 0;
}
