// EXPECT: true unreach-call LP64
// The number of pieces that halving gives; nobody asks for less than one, and a cut in two never makes less than two pieces.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int pieces(int length) {
    if (length < 1)
        reach_error();
    if (length == 1)
        return 1;
    int left = length / 2;
    int of_left = pieces(left);
    int of_right = pieces(length - left);
    if (of_left < 1 || of_right < 1)
        reach_error();
    return of_left + of_right > 1000 ? 1000 : of_left + of_right;
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length > 0 && pieces(length) > 1000)
        reach_error();
    return 0;
}
