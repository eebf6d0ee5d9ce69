// EXPECT: false label:ERROR LP64 UNKNOWN-OK
// NATIVE: no (a label has no event)
// Two blocks have a label of this name. LLVM renames the second one.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    {
        __label__ ERROR;
        if (n > 5 && n < 5)
            goto ERROR;
        goto next;
    ERROR:
        return 1;
    }
next : {
    __label__ ERROR;
    if (n == 5)
        goto ERROR;
    return 0;
ERROR:
    return 2;
}
}
