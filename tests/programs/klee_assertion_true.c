// EXPECT: true unreach-call LP64
// KLEE's functions, declared only; a silent exit is no error.
extern void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
extern void klee_assume(__UINTPTR_TYPE__);
extern void klee_assert(int);
extern void klee_silent_exit(int) __attribute__((noreturn));
extern int klee_range(int, int, const char *);
extern __UINTPTR_TYPE__ klee_choose(__UINTPTR_TYPE__);
int main(void) {
    int x = klee_range(0, 4, "x"), y;
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(y >= 0 && y < 10);
    if (y == 9)
        klee_silent_exit(1);
    klee_assert(x + y + (int)klee_choose(2) < 13);
    return 0;
}
