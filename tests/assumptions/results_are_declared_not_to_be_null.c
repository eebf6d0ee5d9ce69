// EXPECT: true unreach-call LP64
// ASSUMES: what the program declares impossible (by __builtin_unreachable, __builtin_assume, nonnull, noreturn or a missing return) does not happen
// ASSUMES: block is undefined: it may return any value
extern void reach_error(void);
extern int *block(void) __attribute__((returns_nonnull));
int main(void) {
    if (!block())
        reach_error();
    return 0;
}
