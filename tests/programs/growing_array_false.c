// EXPECT: false unreach-call LP64
// An array that grows: differences of null pointers, and of pointers into the latest of many blocks.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct vector {
    int *begin, *end, *limit;
};

static void push(struct vector *v, int x) {
    if (v->end == v->limit) {
        size_t n = v->limit - v->begin, more = n ? 2 * n : 1;
        int *p = realloc(v->begin, more * sizeof(int));
        if (!p)
            exit(1);
        v->end = p + (v->end - v->begin);
        v->begin = p;
        v->limit = p + more;
    }
    *v->end++ = x;
}

int main(void) {
    struct vector v = {0, 0, 0};
    unsigned n = __VERIFIER_nondet_uchar() % 20;
    for (unsigned i = 0; i < n; i++)
        push(&v, i);
    if (v.end - v.begin != n || v.begin > v.end || v.end > v.limit)
        reach_error();
    int sum = 0;
    for (int *p = v.begin; p < v.end; p++)
        sum += *p;
    if (n == 5 && sum == 10)
        reach_error();
    return 0;
}
