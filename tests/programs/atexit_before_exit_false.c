// EXPECT: false unreach-call LP64
// INPUTS: 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int atexit(void (*function)(void));
void exit(int status);

static void fail(void) { reach_error(); }

int main(void) {
    if (__VERIFIER_nondet_int() == 1)
        atexit(fail);
    exit(0);
}
