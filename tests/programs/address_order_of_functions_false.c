// EXPECT: false unreach-call LP64
// NATIVE: no (where functions lie is not ours to choose)
// Functions lie in any order.
extern void reach_error(void);
static int first(void) { return 1; }
static int second(void) { return 2; }
int main(void) {
    if ((unsigned long)(void *)second < (unsigned long)(void *)first)
        reach_error();
    return 0;
}
