// EXPECT: false unreach-call LP64
// NATIVE: no (nobody defines pick)
// The pointer comes in a register for numbers, and may be that of a variable that others know.
extern void reach_error(void);
extern int shared;
union number_or_pointer {
    long number;
    int *pointer;
};
extern union number_or_pointer pick(void);
int main(void) {
    union number_or_pointer it = pick();
    shared = 1;
    *it.pointer = 2;
    if (shared != 1)
        reach_error();
    return 0;
}
