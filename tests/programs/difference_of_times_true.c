// EXPECT: true unreach-call LP64
#include <time.h>

extern void reach_error(void);

int main(void) {
    if (difftime(9007199254740993, 9007199254740992) != 1 || difftime(3, 8) != -5)
        reach_error();
    return 0;
}
