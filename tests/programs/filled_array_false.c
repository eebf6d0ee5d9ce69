// EXPECT: false unreach-call LP64
// klee_make_symbolic fills arrays, too.
extern void klee_make_symbolic(void *where, unsigned long bytes, const char *name);
extern void reach_error(void);
int main(void) {
    unsigned char key[6];
    int numbers[3];
    klee_make_symbolic(key, sizeof key, "key");
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    unsigned i = (unsigned)numbers[0];
    if (i < 6 && key[i] == 7 && key[5 - i] == 9 && numbers[1] + numbers[2] == 12)
        reach_error();
    return 0;
}
