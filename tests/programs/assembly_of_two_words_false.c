// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The operand lies in two registers, of which the instruction changes the first one.
extern void reach_error(void);
int main(void) {
    unsigned __int128 x = 1;
    __asm__("neg %0" : "+r"(x) : : "cc");
    if (x == 0xffffffffffffffffull)
        reach_error();
    return 0;
}
