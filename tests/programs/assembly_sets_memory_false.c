// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the compiler chooses)
// An output that is no input has any value afterwards, although the text is empty.
extern void reach_error(void);

int main(void) {
    int x = 1;
    __asm__ volatile("" : "=m"(x));
    if (x != 1)
        reach_error();
    return 0;
}
