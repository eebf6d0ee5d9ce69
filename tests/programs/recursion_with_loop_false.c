// EXPECT: false unreach-call LP64
// INPUTS: 50 1 1 1 1 0
// As recursion_with_loop_true, but more than three is an error.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int visit(int depth) {
    int below = 0;
    if (depth < 50)
        below = visit(depth + 1);
    while (below > 2 && __VERIFIER_nondet_int())
        below--;
    while (below < 9 && __VERIFIER_nondet_int())
        below++;
    return below;
}

int main(void) {
    int start = __VERIFIER_nondet_int();
    int last = visit(start);
    if (last < 0 || last > 3)
        reach_error();
    return 0;
}
