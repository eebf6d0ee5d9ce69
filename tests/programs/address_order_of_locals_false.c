// EXPECT: false unreach-call LP64
// NATIVE: no (where objects lie is not ours to choose)
// Nothing says which of two objects lies first.
extern void reach_error(void);
int main(void) {
    int a, b;
    union { int *pointer; unsigned long number; } x = {&a}, y = {&b};
    if (x.number > y.number)
        reach_error();
    return 0;
}
