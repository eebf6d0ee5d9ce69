// EXPECT: true unreach-call LP64
#include <string.h>
extern void reach_error(void);
struct list {
    int value;
    char text[8];
    struct list *next;
};
static struct list last;

static void copy_next(struct list *from, char *to) { memcpy(to, from->next->text, 8); }

int main(void) {
    char text[8] = "";
    copy_next(&last, text);
    reach_error();
    return 0;
}
