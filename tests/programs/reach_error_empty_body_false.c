// EXPECT: false unreach-call LP64
// INPUTS: 1
extern _Bool __VERIFIER_nondet_bool(void);

void reach_error(void) {}

int main(void) {
    if (__VERIFIER_nondet_bool())
        reach_error();
    return 0;
}
