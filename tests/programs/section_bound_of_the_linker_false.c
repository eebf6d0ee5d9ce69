// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no-sanitizers
// Start-up code clears all variables between two names that the linker defines.
extern void reach_error(void);
extern char __bss_start[], _end[];
static int cleared[16];
int main(void) {
    cleared[0] = 1;
    for (char *p = __bss_start; p < _end; p++)
        *p = 0;
    if (cleared[0] != 1)
        reach_error();
    return 0;
}
