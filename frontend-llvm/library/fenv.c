/* <fenv.h>: rounding is always to nearest, so asking for another mode is unsupported, never ignored. */
#include "kerf.h"

enum { TO_NEAREST = 0, DOWNWARD = 0x400, UPWARD = 0x800, TOWARDS_ZERO = 0xc00 };

/* Exact for "to nearest" and for what is no mode; the other modes are unsupported. */
int fesetround(int mode) {
    if (mode == DOWNWARD || mode == UPWARD || mode == TOWARDS_ZERO)
        __kerf_unsupported("fesetround: a rounding mode other than to nearest");
    return mode != TO_NEAREST;
}

/* Exact, since no other mode can be set. */
int fegetround(void) { return TO_NEAREST; }

/* Which exceptions were raised is not modelled: any of those asked for. */
int fetestexcept(int exceptions) { return __kerf_approx_int() & exceptions; }

/* Without effect, since fetestexcept gives any answer. */
int feclearexcept(int exceptions) { return (void)exceptions, 0; }

/* Without effect, since fetestexcept gives any answer; traps are not modelled. */
int feraiseexcept(int exceptions) { return (void)exceptions, 0; }
