// EXPECT: false unreach-call LP64
// INPUTS: 258
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void *memset(void *block, int c, __SIZE_TYPE__ n);

int main(void) {
    int a;
    memset(&a, __VERIFIER_nondet_int(), sizeof a);
    if (a == 0x02020202)
        reach_error();
    return 0;
}
