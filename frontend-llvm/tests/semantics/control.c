/* Loops, switches, goto, recursion, function pointers, variadic functions, short circuits, nested calls. */
#include "observe.h"
#include <stdarg.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

static int through_slots(int n) {
    int here[2] = {n, n * n};
    if (n > 0)
        here[1] += through_slots(n - 1);
    return here[0] + here[1];
}

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int (*const ops[])(int, int) = {add, sub, mul};
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }

static long long sum(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    long long s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    s += va_arg(list, long long);
    s += (long long)(va_arg(list, double) * 4);
    s += *va_arg(list, char *);
    va_end(list);
    s = s * 3 + va_arg(again, int);
    va_end(again);
    return s;
}

struct pair { int a; char c[12]; };
static int tails(int n, ...) {
    va_list list;
    va_start(list, n);
    struct pair p = va_arg(list, struct pair);
    int after = va_arg(list, int);
    va_end(list);
    return p.a + p.c[3] + after;
}

static int classify(int n) {
    switch (n) {
    case -1: return 1;
    case 0: case 1: case 2: n += 5; /* fall through */
    case 10: return n * 2;
    case 100 ... 120: return n / 3;
    default: return -n;
    }
}

static int old_style(a, b) int a; char b; { return a * b; }

unsigned run(void) {
    unsigned h = 1;
    observe(h, fib(10)), observe(h, even(9)), observe(h, odd(7)), observe(h, through_slots(6));
    for (int i = 0; i < 3; i++)
        observe(h, apply(ops[i], 17, i + 2));
    observe(h, sum(3, 10, 20, 30, 123456789012LL, 2.5, "xyz"));
    struct pair p = {5, "abcdefgh"};
    observe(h, tails(1, p, 77));
    for (int i = -3; i < 130; i += 7)
        observe(h, classify(i));
    int i = 0;
again:
    if (i < 5) {
        i++;
        if (i == 3)
            goto again;
        observe(h, i);
        goto again;
    }
    int x = 3, y = 4;
    while (1) {
        int t = x;
        x = y, y = t + 1;
        if (x > 20)
            break;
        if (x & 1)
            continue;
        observe(h, x * 100 + y);
    }
    do observe(h, --i); while (i > 0);
    observe(h, old_style(6, 7));
    int v = (h & 1) ? x++ : y--;
    observe(h, v), observe(h, x), observe(h, y);
    static void *labels[] = {&&one, &&two};
    goto *labels[h & 1];
one:
    observe(h, 111);
two:
    observe(h, 222);
    return h;
}
