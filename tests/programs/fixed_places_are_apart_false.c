// EXPECT: false unreach-call LP64
// INPUTS: 0
// Only 24 objects have free addresses; the others are written, too.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define ROWS(R) R(0) R(1) R(2) R(3) R(4) R(5) R(6) R(7) R(8) R(9) R(10) R(11) R(12) R(13) R(14) R(15) R(16) R(17) R(18) R(19) R(20) R(21) R(22) R(23) R(24) R(25)
#define ROW(i) static int row##i[4] = {1, 2, 3, 4};
#define HASH(i) hash = hash * 31 ^ (unsigned long)row##i;
ROWS(ROW)
unsigned long hash;
int main(void) {
    ROWS(HASH)
    int first = __VERIFIER_nondet_int();
    int *p = first ? row0 : row25;
    *p = 9;
    if (row25[0] == 9)
        reach_error();
    return 0;
}
