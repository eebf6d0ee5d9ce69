// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the answer depends on the optimiser)
extern void reach_error(void);
static unsigned long size(char *p) { return __builtin_object_size(p, 0); }

int main(void) {
    char buffer[10];
    if (size(buffer) == 10)
        reach_error();
    return 0;
}
