// EXPECT: true unreach-call LP64
// A line with a name, a number and a unit is read by sscanf: sets of characters, floating-point numbers, what does not match.
#include <stdio.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
    char name[8], unit[4], line[] = "rate=1.5e2 km, next";
    double value = 0;
    int end = 0;
    line[0] = __VERIFIER_nondet_char();
    if (line[0] == 0 || line[0] == '=')
        return 0;
    if (sscanf(line, "%7[^=]=%lf %2[a-z]%n", name, &value, unit, &end) != 3)
        reach_error();
    if (name[0] != line[0] || strcmp(name + 1, "ate") != 0 || value != 150.0 || strcmp(unit, "km") != 0 || line[end] != ',')
        reach_error();
    float half = 0;
    if (sscanf("-.5x", "%f%[^x]", &half, name) != 1 || half != -0.5f)
        reach_error();
    if (sscanf("-x", "%f", &half) != 0 || sscanf("abc", "%[^a-c]", name) != 0)
        reach_error();
    return 0;
}
