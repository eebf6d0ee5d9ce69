// EXPECT: false unreach-call LP64
// INPUTS: 3 9
// KLEE's functions, declared only: a failing assertion is the error.
extern void klee_assume(__UINTPTR_TYPE__);
extern void klee_assert(int);
extern int klee_int(const char *);
extern int klee_range(int, int, const char *);
int main(void) {
    int x = klee_range(0, 4, "x");
    int y = klee_int("y");
    klee_assume(y >= 0 && y < 10);
    klee_assert(x + y < 12);
    return 0;
}
