// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The code that chooses a function runs when the program is loaded, whether the function is called or not.
extern void reach_error(void);
static int three(void) { return 3; }
static int (*choose(void))(void) {
    reach_error();
    return three;
}
int chosen(void) __attribute__((ifunc("choose")));
int (*volatile unread)(void) = chosen;
int main(void) { return 0; }
