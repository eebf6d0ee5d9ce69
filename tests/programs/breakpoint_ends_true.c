// EXPECT: true unreach-call LP64
// Nothing catches the signal of a breakpoint.
extern void reach_error(void);

int main(void) {
    __builtin_debugtrap();
    reach_error();
    return 0;
}
