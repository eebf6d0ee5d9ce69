// EXPECT: false unreach-call LP64
// NATIVE: no (older versions of glibc have no such functions)
extern void reach_error(void);
extern long __isoc23_strtol(const char *, char **, int);
extern int __isoc23_sscanf(const char *, const char *, ...);

int main(void) {
    int n = 0;
    if (__isoc23_strtol("-0b101", 0, 0) == -5 && __isoc23_strtol("0B11", 0, 2) == 3 &&
        __isoc23_sscanf("0b110", "%i", &n) == 1 && n == 6)
        reach_error();
    return 0;
}
