// EXPECT: false unreach-call LP64
// INPUTS: 9
extern int __VERIFIER_nondet_int(void);

void abort(void);
void reach_error(void) { abort(); }

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x * x == 81 && x > 0 && x < 100)
        reach_error();
    return 0;
}
