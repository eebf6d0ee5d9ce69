// EXPECT: false unreach-call LP64
// NATIVE: no (nobody chooses random bytes)
// Random bytes may be any: these begin a text.
#include <sys/random.h>

extern void reach_error(void);

int main(void) {
    unsigned char key[4];
    if (getrandom(key, sizeof key, 0) == sizeof key && key[0] == 'k' && key[3] == 0)
        reach_error();
}
