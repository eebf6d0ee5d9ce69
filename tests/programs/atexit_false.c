// EXPECT: false unreach-call ILP32
// INPUTS:
extern void reach_error(void);

int atexit(void (*function)(void));

static int state;

static void last(void) {
    if (state == 2)
        reach_error();
}

static void first(void) { state++; }

int main(void) {
    atexit(last);
    atexit(first);
    state = 1;
    return 0;
}
