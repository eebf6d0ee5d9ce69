/* <fenv.h>: rounding is always to nearest; a request for another mode is unsupported, never ignored. */
#include "kerf.h"

enum { TO_NEAREST = 0, DOWNWARD = 0x400, UPWARD = 0x800, TOWARDS_ZERO = 0xc00 };

/* Exact for "to nearest", and for arguments that are not modes except that "no" is any value but 0; the other modes are
 * unsupported. */
int fesetround(int mode) {
    if (mode == DOWNWARD || mode == UPWARD || mode == TOWARDS_ZERO)
        __kerf_unsupported("fesetround: a rounding mode other than to nearest");
    return mode == TO_NEAREST ? 0 : any_but_zero(1);
}

/* Exact, since no other mode can be set. */
int fegetround(void) { return TO_NEAREST; }

/* Which exceptions were raised is not modelled: the result is any subset of those asked for. */
int fetestexcept(int exceptions) { return __kerf_approx_int() & exceptions; }

/* 0, or any other number if there is something to do, in which case ISO C lets it fail. */
static int done_if_possible(int exceptions) { return exceptions != 0 && otherwise() ? any_but_zero(1) : 0; }

/* No effect, because fetestexcept gives any answer. */
int feclearexcept(int exceptions) { return done_if_possible(exceptions); }

/* No effect, because fetestexcept gives any answer; traps are not modelled. */
int feraiseexcept(int exceptions) { return done_if_possible(exceptions); }
