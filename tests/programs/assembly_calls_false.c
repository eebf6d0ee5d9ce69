// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (a call in assembly does not keep the stack as functions expect it)
extern void reach_error(void);
void called(void) { reach_error(); }

int main(void) {
    __asm__ volatile("1:CALL called" : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
    return 0;
}
