/* <fenv.h>: the rounding mode is exact. */
#include "kerf.h"

enum { MODES = 0xc00, MODES_OF_AARCH64 = 0xc00000 };

/* The rounding mode, by its name and with x86's numbers: the front-end makes operations read it. */
int __kerf_rounding_mode;

/* Exact, but "no" is any value but 0; the numbers of AArch64 are unsupported. */
int fesetround(int mode) {
    if ((mode & ~MODES) == 0) {
        __kerf_rounding_mode = mode;
        return 0;
    }
    if ((mode & ~MODES_OF_AARCH64) == 0)
        __kerf_unsupported("fesetround with AArch64's numbers");
    return any_but_zero(1);
}

/* Exact. */
int fegetround(void) { return __kerf_rounding_mode; }

/* Which exceptions were raised is not modelled: the result is any subset of those asked for. */
int fetestexcept(int exceptions) {
    __kerf_unsliceable("fetestexcept, for which all operations on floating-point numbers matter");
    return __kerf_approx_int() & exceptions;
}

/* 0, or any other number if there is something to do, in which case ISO C lets it fail. */
static int done_if_possible(int exceptions) { return exceptions != 0 && otherwise() ? any_but_zero(1) : 0; }

/* No effect, because fetestexcept gives any answer. */
int feclearexcept(int exceptions) { return done_if_possible(exceptions); }

/* No effect, because fetestexcept gives any answer; traps are not modelled. */
int feraiseexcept(int exceptions) { return done_if_possible(exceptions); }
