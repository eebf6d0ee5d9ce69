// EXPECT: false unreach-call LP64
// INPUTS: 8
// A reported error is the error, after others that do not happen.
extern void klee_report_error(const char *, int, const char *, const char *) __attribute__((noreturn));
extern void klee_assert(int);
extern int klee_int(const char *);
int main(void) {
    int x = klee_int("x");
    klee_assert((x | 1) != 0);
    if (x == 8)
        klee_report_error(__FILE__, __LINE__, "eight", "user.err");
    return 0;
}
