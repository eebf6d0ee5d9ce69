// EXPECT: true unreach-call LP64
// A loop in a recursive function: its invariant and the function's contract need each other.
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
    if (last < 0 || last > 9)
        reach_error();
    return 0;
}
