// EXPECT: true unreach-call LP64
// ASSUMES: a pointer that is read from memory was stored there as a pointer, not as a number or as bytes
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: value, with whose address the program computes, lies between
// The address is rebuilt from its bits, one by one.
extern void reach_error(void);
static int value = 1;
int main(void) {
    unsigned long address = (unsigned long)&value;
    union {
        int *pointer;
        unsigned char bytes[8];
    } copy = {0};
    for (int i = 0; i < 64; i++)
        if (address >> i & 1)
            copy.bytes[i / 8] |= 1 << i % 8;
    *copy.pointer = 2;
    if (value != 1)
        reach_error();
    return 0;
}
