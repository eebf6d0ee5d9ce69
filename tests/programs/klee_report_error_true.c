// EXPECT: true unreach-call LP64
// What cannot be chosen is not reported.
extern void klee_report_error(const char *, int, const char *, const char *) __attribute__((noreturn));
extern __UINTPTR_TYPE__ klee_choose(__UINTPTR_TYPE__);
int main(void) {
    if (klee_choose(8) == 8)
        klee_report_error(__FILE__, __LINE__, "eight", "user.err");
    return 0;
}
