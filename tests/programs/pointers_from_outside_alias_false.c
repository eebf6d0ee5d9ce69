// EXPECT: false unreach-call LP64
// NATIVE: no (what the undefined functions return is not ours to choose)
// Two pointers from outside with one default of the program: only one of them may be null.
extern void reach_error(void);
extern int *first(void), *second(void);
static int own;

int main(void) {
    int *a = first(), *b = second();
    if (!a)
        a = &own;
    if (!b)
        b = &own;
    *a = 1;
    *b = 2;
    if (*a == 1)
        reach_error();
    return 0;
}
