// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (what locale the environment names)
#include <locale.h>
#include <stddef.h>

extern void reach_error(void);

int main(void) {
    if (setlocale(LC_ALL, "") == NULL)
        reach_error();
    return 0;
}
