// EXPECT: false unreach-call LP64
// INPUTS:
// What -D_FORTIFY_SOURCE makes of memcpy copies where the object is large enough.
#include <string.h>
extern void reach_error(void);
static struct {
    char a[4], b[4];
} s;
int main(void) {
    __builtin___memcpy_chk(s.a, "xyz", 4, __builtin_object_size(s.a, 1));
    if (s.a[2] == 'z')
        reach_error();
    return 0;
}
