// A queue in a ring buffer: whatever its history, however long, it never holds more than fits.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 8

static int cells[SIZE];
static unsigned head, tail;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (tail - head < SIZE) {
                cells[tail % SIZE] = (int)tail;
                tail++;
            }
        } else if (tail != head) {
            head++;
        }
        if (tail - head > SIZE) {
            reach_error();
        }
    }
    return 0;
}
