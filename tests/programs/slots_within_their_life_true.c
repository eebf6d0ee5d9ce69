// EXPECT: true unreach-call LP64
// Slots are used through pointers while they live: by callees, in each turn of a loop, and in recursive calls.
#include <alloca.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int *kept;
static void add(int *to, int n) { *to += n; }
static int through(int **p) { return **p; }
static int down(int n, int *above) {
    int here = *above + n;
    if (n == 0)
        return here;
    return down(n - 1, &here);
}
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int turn = i;
        add(&turn, 1);
        int *p = &turn;
        sum += through(&p);
        int n = i + 1;
        int array[n];
        kept = array;
        array[i] = turn;
        sum += kept[i];
        int *block = alloca(8);
        kept = block;
        block[1] = 1;
        sum += kept[1];
    }
    int start = __VERIFIER_nondet_int();
    if (start > 100 || start < 0)
        return 0;
    sum += down(3, &start);
    {
        int last = 0;
        kept = &last;
        add(kept, 2);
        sum += last;
    }
    // 6 + 6 + 3 + start + 6 + 2
    if (sum == 22)
        reach_error();
    return 0;
}
