// EXPECT: false unreach-call LP64
// INPUTS: 256
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

union word {
    unsigned value;
    unsigned char bytes[4];
};

int main(void) {
    union word w;
    w.value = __VERIFIER_nondet_uint();
    if (w.bytes[1] == 1 && w.bytes[0] == 0)
        reach_error();
    return 0;
}
