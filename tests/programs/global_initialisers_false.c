// EXPECT: false unreach-call LP64
// INPUTS: 1
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct entry {
    const char *name;
    int value;
};

static struct entry table[] = {{"one", 1}, {"two", 2}, {"five", 5}};

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3;
    if (table[i].name[1] == 'w' && table[i].value == 2)
        reach_error();
    return 0;
}
