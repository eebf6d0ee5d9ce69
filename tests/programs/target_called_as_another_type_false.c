// EXPECT: false unreach-call LP64
// A call of the target is a violation, whatever the caller takes its type to be.
extern void reach_error(void);

int main(void) {
    int (*volatile f)(double) = (int (*)(double))reach_error;
    return f(1.5);
}
