// EXPECT: false unreach-call LP64
// INPUTS: 1
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    int r = 0;
    switch (__VERIFIER_nondet_uint() & 3) {
    case 0:
        return 0;
    case 1:
        r += 10;
    default:
        r += 1;
        break;
    case 2:
        r = 5;
    }
    if (r == 11)
        reach_error();
    return 0;
}
