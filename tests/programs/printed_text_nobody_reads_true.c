// EXPECT: true unreach-call LP64
// The text that is printed does not matter to the property; so it does not matter either that a model of printing has much to unroll.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int held;

static int show(char *to, int value, const char *name) { return sprintf(to, "%s: %d (%08x)\n", name, value, (unsigned)value); }

int main(void) {
    char text[200];
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (held)
                continue;
            held = 1;
            show(text, __VERIFIER_nondet_int(), "taken");
        } else {
            if (!held)
                continue;
            held = 0;
            show(text, __VERIFIER_nondet_int(), "given back");
        }
        if (held != 0 && held != 1)
            reach_error();
    }
    return 0;
}
