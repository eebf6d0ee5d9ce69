// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (depends on an uninitialised variable)
extern void reach_error(void);

int main(void) {
    int x;
    if (x == 17)
        reach_error();
    return 0;
}
