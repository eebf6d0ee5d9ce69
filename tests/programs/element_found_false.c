// EXPECT: false unreach-call LP64
// INPUTS: 3 7 7 9 7
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
#define N 100000

char text[N];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N)
        return 0;
    for (int i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_char();
    char wanted = __VERIFIER_nondet_char();
    int found = 1;
    while (found < n && text[found] != wanted)
        found++;
    for (int i = 0; i < found; i++)
        if (text[i] == wanted)
            reach_error();
    return 0;
}
