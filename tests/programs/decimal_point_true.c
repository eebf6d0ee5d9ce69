// EXPECT: true unreach-call LP64
// The locale "C" has a point, and nothing else.
#include <limits.h>
#include <locale.h>

extern void reach_error(void);

int main(void) {
    struct lconv *all = localeconv();
    if (all->decimal_point[0] != '.' || all->decimal_point[1] != 0 || all->thousands_sep[0] != 0)
        reach_error();
    if (all->currency_symbol[0] != 0 || all->frac_digits != CHAR_MAX || all->int_n_sign_posn != CHAR_MAX)
        reach_error();
    return 0;
}
