// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (depends on rand)
extern void reach_error(void);

int rand(void);

int main(void) {
    int a = rand(), b = rand();
    if (a == b)
        reach_error();
    return 0;
}
