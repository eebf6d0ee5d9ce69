// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what is in the byte is not ours to choose)
// The operand is the second byte of the register, not the first one.
extern void reach_error(void);
int main(void) {
    unsigned char x = 7, y;
    __asm__("movb %h1, %b0" : "=Q"(y) : "Q"(x));
    if (y != 7)
        reach_error();
    return 0;
}
