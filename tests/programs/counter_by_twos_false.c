// EXPECT: false unreach-call LP64
// A machine that counts by twos, and breaks down at a number that it reaches.
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int state = 1, count = 1, load = 3;
static void step(int event) {
    if (event == 1 && state == 1) {
        state = 2;
        count += (count + 20) > count ? 2 : 0;
    } else if (event == 2 && state == 2) {
        state = load > 200 ? 3 : 1;
        load = load * load % 61 + 200;
    } else if (event == 3 && state == 3 && count == 69) {
        state = 4;
    } else if (event == 4 && state == 3) {
        state = 1;
        load = 3;
    }
}
int main(void) {
    while (1) {
        step(__VERIFIER_nondet_int());
        if (state == 4)
            reach_error();
    }
}
