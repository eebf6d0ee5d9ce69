// EXPECT: true unreach-call LP64
// Each node of a list has a pointer into its own text, as an iterator or a parser has one.
#include <stdlib.h>
extern void reach_error(void);

struct node {
    struct node *next;
    char text[8];
    char *at;
};

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->next = head;
        n->at = n->text + i;
        head = n;
    }
    int total = 0;
    for (struct node *n = head; n; n = n->next) {
        if (n->at < n->text || n->at >= n->text + 8)
            reach_error();
        total += n->at - n->text;
    }
    if (total != 6)
        reach_error();
    return 0;
}
