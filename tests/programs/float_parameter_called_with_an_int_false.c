// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what a register holds that the caller does not set is the compiler's choice)
// Floats and integers are passed in different registers.
extern void reach_error(void);

static float half(float x) { return x / 2; }

int main(void) {
    float (*volatile half_of_int)(int) = (float (*)(int))half;
    if (half_of_int(2) != 1.0f) {
        reach_error();
    }
}
