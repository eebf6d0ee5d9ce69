// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
#define N 100000

char text[N];

int main(void) {
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    char wanted = __VERIFIER_nondet_char();
    int found = 0;
    while (found < N && text[found] != wanted)
        found++;
    for (int i = 0; i < found; i++)
        if (text[i] == wanted)
            reach_error();
    return 0;
}
