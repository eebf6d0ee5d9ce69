// EXPECT: false entered.prp LP64 UNKNOWN-OK
// INPUTS: 
// NATIVE: no (a compiled program begins at main)
extern void reach_error(void);

/* Pointers from outside may be null, and may be one. */
void entered(int *a, int *b) {
    if (!a || !b)
        return;
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}

int main(void) {
    int x;
    entered(&x, &x);
    return 0;
}
