// EXPECT: false unreach-call LP64
// INPUTS: 2 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int m[3][4] = {{1, 2, 3, 4}, {5, 6}, {9, 10, 11, 12}};
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3 && j >= 0 && j < 4 && m[i][j] == 10)
        reach_error();
    return 0;
}
