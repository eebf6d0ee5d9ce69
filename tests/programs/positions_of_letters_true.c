// EXPECT: true unreach-call LP64
// How many letters have been found, merged states leave open; they are split where the next position is written.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

enum { LENGTH = 4 };

struct positions {
    int all[LENGTH];
    int count;
};

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static void add(struct positions *p, int at) { p->all[p->count++] = at; }

int main(void) {
    char text[LENGTH];
    struct positions p;
    p.count = 0;
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < LENGTH; i++)
        if (is_letter(text[i]))
            add(&p, i);
    for (int k = 0; k < p.count; k++)
        if (!is_letter(text[p.all[k]]))
            reach_error();
    return 0;
}
