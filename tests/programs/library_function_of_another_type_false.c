// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the type of the declaration is not that of the function)
// Old C declares no parameters and often the wrong result. Compilers that know the function take its own type.
extern void reach_error(void);
int labs();

int main(void) {
    if (labs(-5000000000L) == 5000000000L)
        reach_error();
    return 0;
}
