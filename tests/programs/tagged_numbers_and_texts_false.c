// EXPECT: false unreach-call LP64
// The text is forgotten, so that one of the numbers is missing in the sum.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct value {
    int kind;
    union {
        double number;
        const char *text;
    } is;
};
static struct value *make_number(double number) {
    struct value *v = malloc(sizeof *v);
    v->kind = 1;
    v->is.number = number;
    return v;
}
static struct value *make_text(const char *text) {
    struct value *v = malloc(sizeof *v);
    v->kind = 2;
    v->is.text = text;
    return v;
}
static double half(double number) { return -number / -2; }
int main(void) {
    struct value *all[4];
    int other = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        all[i] = i == other ? make_text("k") : make_number(i);
    double sum = 0;
    for (int i = 0; i < 4; i++)
        if (all[i]->kind == 1)
            sum += half(all[i]->is.number);
        else if (all[i]->is.text[0] != 'k')
            reach_error();
    if (sum != 3)
        reach_error();
    return 0;
}
