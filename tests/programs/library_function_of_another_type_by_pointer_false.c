// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the type of the declaration is not that of the function)
// A declaration with another type than the function of the library, called through a pointer of that type.
extern void reach_error(void);
double labs(double);

int main(void) {
    double (*volatile f)(double) = labs;
    if (f(-2.0) != 2.0) {
        reach_error();
    }
}
