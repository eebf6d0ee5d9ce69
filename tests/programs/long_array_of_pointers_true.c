// EXPECT: true unreach-call LP64
// An array of more pointers than points-to analysis tells apart.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define EIGHT &x, &y, &x, &y, &x, &y, &x, &y
int main(void) {
    int x = 1, y = 2;
    int *table[72] = {EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 72)
        return 0;
    table[71] = &x;
    if (i < 71 && *table[i] != 1 + i % 2)
        reach_error();
    if (*table[71] != 1)
        reach_error();
    return 0;
}
