// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: no locale other than "C" is installed, or chosen by the environment
#include <locale.h>
extern void reach_error(void);
int main(void) {
    if (setlocale(LC_ALL, "de_DE"))
        reach_error();
    return 0;
}
