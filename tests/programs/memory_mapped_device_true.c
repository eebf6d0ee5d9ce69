// EXPECT: true unreach-call LP64
// Writing to a device's register does not change the simulation.
extern void reach_error(void);
extern int simulated(void);
static int simulation = 1;

int main(void) {
    int s = simulated();
    volatile int *reg = s ? &simulation : (volatile int *)0x40021000;
    *reg = 2;
    if (simulation != (s ? 2 : 1))
        reach_error();
    return 0;
}
