// EXPECT: false unreach-call LP64
// INPUTS: 3
// As recursion_needs_precondition_true, but three is cut into three and nothing.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int pieces(int length) {
    if (length < 1)
        reach_error();
    if (length == 1)
        return 1;
    int left = length == 3 ? 3 : length / 2;
    int of_right = pieces(length - left);
    int of_left = pieces(left);
    return of_left + of_right > 1000 ? 1000 : of_left + of_right;
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length > 0 && pieces(length) > 1000)
        reach_error();
    return 0;
}
