// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A weak exchange may fail for no reason [C11 7.17.7.4].
#include <stdatomic.h>
extern void reach_error(void);
static atomic_int x = 1;
int main(void) {
    int expected = 1;
    if (!atomic_compare_exchange_weak(&x, &expected, 2))
        reach_error();
    return 0;
}
