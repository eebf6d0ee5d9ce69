// EXPECT: true unreach-call LP64
// OPTIONS: --entry f
// ASSUMES: what the program declares impossible (by __builtin_unreachable, __builtin_assume, nonnull, noreturn or a missing return) does not happen
// ASSUMES: when f is entered, global variables of the program have their initial values, and the C library is in its initial state
// ASSUMES: f is not passed the address of an object of the program or of the C library, unless the program computes with that address, and no pointer that it is passed is a number from
extern void reach_error(void);
void f(int numbers[static 3]) {
    if (numbers == 0)
        reach_error();
}
