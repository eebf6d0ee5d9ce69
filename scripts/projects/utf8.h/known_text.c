// EXPECT: true
// FILES:
// OPTIONS: -I.
/* A known text. */
#include "utf8.h"
extern void reach_error(void);

int main(void) {
    const char *text = "gr\xc3\xbc\xc3\x9f \xe2\x82\xac";
    if (utf8len(text) != 6 || utf8size(text) != 11 || utf8valid(text) != 0)
        reach_error();
    if (utf8chr(text, 0x20ac) != text + 7)
        reach_error();
    return 0;
}
