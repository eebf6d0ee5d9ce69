// EXPECT: false unreach-call LP64
// NATIVE: no (where functions lie is not ours to choose)
// Functions need not begin at even addresses.
extern void reach_error(void);
static void f(void) {}
int main(void) {
    void (*volatile p)(void) = f;
    if ((unsigned long)p & 1)
        reach_error();
    return 0;
}
