// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// Numbers and pointers in one structure are not mixed up.
extern void reach_error(void);
static struct item {
    long number;
    int *pointer;
} first, second;
static int one = 1;
int main(void) {
    first.number = 12345;
    first.pointer = &one;
    second = first;
    second.number++;
    if (*second.pointer != 1)
        reach_error();
    return 0;
}
