// EXPECT: true unreach-call LP64
// What is known of i after the first loop without its condition is nothing: j is bounded only for those who know better before they look at the
// second loop.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int i = 0;
    while (i < 100)
        i += 7;
    int j = i;
    while (__VERIFIER_nondet_bool()) {
        if (j > 10)
            j -= 7;
    }
    if (j > 106)
        reach_error();
    return 0;
}
