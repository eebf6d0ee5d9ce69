/* The inputs of a proof when it is run: the numbers in the variable INPUTS of the environment, and zeros behind them; or else numbers that
 * are random, from the variable SEED. Small ones, characters that mean something and numbers of any size are equally likely. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not the exit code of a sanitizer. */
void reach_error(void) { exit(10); }

/* The generator of Steele, Lea and Flood (SplitMix64, OOPSLA 2014). */
static unsigned long long random_bits(void) {
    static unsigned long long state;
    static int is_seeded;
    if (!is_seeded) {
        const char *seed = getenv("SEED");
        state = seed ? strtoull(seed, 0, 10) : 0;
        is_seeded = 1;
    }
    unsigned long long z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned long long next(void) {
    static const char characters[] = " \t\n\"\\[]{}:,;#=-+*/<>!?.^$09azx_vol";
    static const char *inputs;
    static int is_known;
    if (!inputs && (inputs = getenv("INPUTS")))
        is_known = 1;
    if (is_known) {
        char *end;
        unsigned long long value = strtoull(inputs, &end, 10);
        inputs = end;
        return value;
    }
    unsigned long long bits = random_bits(), rest = bits >> 2;
    switch (bits & 3) {
    case 0:
        return rest % 8;
    case 1:
        return rest % 256;
    case 2:
        return characters[rest % (sizeof characters - 1)];
    default:
        return rest << 2 ^ bits >> 40;
    }
}

_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
char __VERIFIER_nondet_char(void) { return next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
int __VERIFIER_nondet_int(void) { return next(); }
unsigned __VERIFIER_nondet_uint(void) { return next(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return next(); }
