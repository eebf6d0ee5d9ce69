// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (get is arbitrary)
// What an undefined function is passed may come back from another one: here four times an address.
extern void reach_error(void);
extern void put(unsigned long);
extern unsigned long get(void);
static int x;

int main(void) {
    put((unsigned long)&x * 4);
    unsigned long n = get() / 4;
    x = 1;
    *(int *)n = 2;
    if (x != 1)
        reach_error();
    return 0;
}
