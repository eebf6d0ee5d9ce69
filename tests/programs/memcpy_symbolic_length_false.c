// EXPECT: false unreach-call LP64
// INPUTS: 4
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);

int main(void) {
    char from[8] = "abcdefg", to[8] = {0};
    unsigned n = __VERIFIER_nondet_uint() % 9;
    memcpy(to, from, n);
    if (to[3] == 'd' && to[4] == 0)
        reach_error();
    return 0;
}
