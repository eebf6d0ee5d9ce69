// EXPECT: false unreach-call ILP32
// INPUTS: 5 9 2 0
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void *malloc(__SIZE_TYPE__ size);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    int x, sum = 0;
    for (int i = 0; i < 3 && (x = __VERIFIER_nondet_int()) != 0; i++) {
        struct node *n = malloc(sizeof *n);
        if (n == 0)
            return 0;
        n->value = x;
        n->next = list;
        list = n;
    }
    for (int weight = 1; list != 0; list = list->next, weight *= 10)
        sum += (list->value & 15) * weight;
    if (sum == 592)
        reach_error();
    return 0;
}
