// EXPECT: true unreach-call LP64
// Whether memory can be read may be assumed; either answer is possible.
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
_Bool __CPROVER_r_ok(const void *, __SIZE_TYPE__);
_Bool __CPROVER_w_ok(const void *, __SIZE_TYPE__);
int nondet_int(void);
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(__CPROVER_r_ok(&x, sizeof x) && __CPROVER_w_ok(&x, sizeof x));
    if (x > 5)
        x = 5;
    __CPROVER_assert(x <= 5, "the bound");
    return 0;
}
