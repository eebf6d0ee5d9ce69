// EXPECT: true unreach-call LP64
#include <stdatomic.h>
extern void reach_error(void);
static atomic_int x = 1;
int main(void) {
    int expected = 1;
    if (!atomic_compare_exchange_strong(&x, &expected, 2) || x != 2)
        reach_error();
    return 0;
}
