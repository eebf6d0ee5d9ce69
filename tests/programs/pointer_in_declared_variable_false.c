// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what the variable holds is not ours to choose)
// What a variable holds that somebody else defines points outside.
extern void reach_error(void);
extern int *shared;
static int own = 1;

int main(void) {
    int *p = shared ? shared : &own;
    if (*p != 1)
        reach_error();
    return 0;
}
