// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *malloc(__SIZE_TYPE__ size);
void free(void *block);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        if (n == 0)
            return 0;
        n->value = i;
        n->next = list;
        list = n;
    }
    int expected = 3;
    while (list != 0) {
        struct node *next = list->next;
        check(list->value == expected--);
        free(list);
        list = next;
    }
    check(expected == -1);
    return 0;
}
