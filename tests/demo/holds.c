// A ring buffer: what goes in comes out in order, whatever the values are.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 4

static int cells[SIZE];
static unsigned head, tail;

static void put(int value) { cells[tail++ % SIZE] = value; }
static int get(void) { return cells[head++ % SIZE]; }

int main(void) {
    int sent[SIZE];
    for (int i = 0; i < SIZE; i++) {
        sent[i] = __VERIFIER_nondet_int();
        put(sent[i]);
    }
    for (int i = 0; i < SIZE; i++) {
        if (get() != sent[i]) {
            reach_error();
        }
    }
    return 0;
}
