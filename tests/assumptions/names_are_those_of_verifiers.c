// EXPECT: true unreach-call LP64
// ASSUMES: assume is undefined: by its name it is SeaHorn's, which ends the executions in which its argument is 0 and does nothing else
extern void reach_error(void);
extern void assume(int);
extern int __VERIFIER_nondet_int(void);

/* Another file may define a function of this name that does something else. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    assume(x != 3);
    if (x == 3)
        reach_error();
    return 0;
}
