// EXPECT: true unreach-call LP64 UNKNOWN-OK
// The seed is 1, so that the numbers are fixed.
extern void reach_error(void);

int rand(void);

int main(void) {
    int a = rand(), b = rand();
    if (a == b)
        reach_error();
    return 0;
}
