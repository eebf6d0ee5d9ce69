// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (it writes beyond its operand)
extern void reach_error(void);

int main(void) {
    char bytes[4] = {0};
    __asm__ volatile("movl $0x01010101, %0" : "=m"(bytes[0]) : : "memory");
    if (bytes[1])
        reach_error();
    return 0;
}
