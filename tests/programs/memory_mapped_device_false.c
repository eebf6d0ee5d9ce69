// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (there is no device)
// A device's register or its simulation.
extern void reach_error(void);
extern int simulated(void);
static int simulation = 1;

int main(void) {
    volatile int *reg = simulated() ? &simulation : (volatile int *)0x40021000;
    if (*reg != 1)
        reach_error();
    return 0;
}
