// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what where returns is not ours to choose)
// A variable that somebody else defines may be what a pointer from outside points to.
extern void reach_error(void);
extern int counter;
extern int *where(void);

int main(void) {
    counter = 1;
    int *p = where();
    if (p)
        *p = 2;
    if (counter != 1)
        reach_error();
    return 0;
}
