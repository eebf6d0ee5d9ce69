// EXPECT: true unreach-call LP64
/* Members beside pointers, in elements of 24 bytes: their offsets are known modulo 8 only, so the texts' addresses may be numbers. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct word {
    char first;
    const char *text;
    int length;
};
static const struct word words[] = {{'o', "one", 3}, {'t', "two", 3}, {'f', "four", 4}};
int main(void) {
    int k = __VERIFIER_nondet_int();
    int letters = 0;
    for (int i = 0; i < 3; i++) {
        int n = 0;
        while (words[i].text[n])
            n++;
        if (n != words[i].length || words[i].text[0] != words[i].first)
            reach_error();
        if (k == words[i].first)
            letters += words[i].length;
    }
    if (letters > 4 || (letters == 4 && k != 'f'))
        reach_error();
    return 0;
}
