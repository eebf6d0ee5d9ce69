// EXPECT: false redirected.spc LP64
// VIOLATED: scanf is called
#include <stdio.h>

int main(void) {
    int n;
    return scanf("%d", &n);
}
