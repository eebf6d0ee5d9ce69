// EXPECT: false unreach-call LP64
// INPUTS: 1
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    void *labels[] = {&&end, &&error};
    void *next = labels[__VERIFIER_nondet_bool()];
    if (next)
        goto *next;
error:
    reach_error();
end:
    return 0;
}
