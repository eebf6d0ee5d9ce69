// EXPECT: true unreach-call LP64
// ASSUMES: floating-point operations are carried out as written, although the program allows them to be replaced by others
extern void reach_error(void);
#pragma float_control(precise, off)
static float difference(float a, float b) { return (a + b) - a; }
int main(void) {
    volatile float a = 1e20f, b = 1.0f;
    if (difference(a, b) == 1.0f)
        reach_error();
    return 0;
}
