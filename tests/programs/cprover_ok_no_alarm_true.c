// EXPECT: true unreach-call LP64 UNKNOWN-OK
// The variable can be read. kerf does not know, but no alarm rests on that.
void __CPROVER_assert(_Bool, const char *);
_Bool __CPROVER_r_ok(const void *, __SIZE_TYPE__);
int main(void) {
    int x = 0;
    __CPROVER_assert(__CPROVER_r_ok(&x, sizeof x), "readable");
    return 0;
}
