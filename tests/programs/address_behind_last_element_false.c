// EXPECT: false unreach-call LP64
// NATIVE: no (where objects lie is not ours to choose)
// One object may begin where another one ends.
extern void reach_error(void);
static int a[2], b[2];

int main(void) {
    if (a + 2 == b)
        reach_error();
    return 0;
}
