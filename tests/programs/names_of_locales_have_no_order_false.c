// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (glibc has one name for all categories)
#include <locale.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    char *a = setlocale(LC_CTYPE, 0), *b = setlocale(LC_NUMERIC, 0);
    if ((uintptr_t)b < (uintptr_t)a)
        reach_error();
    return 0;
}
