// The outside of an open program, drawn at random while it runs: what its functions return and its variables hold. Pure functions return null,
// memory of the outside, or again what they returned before; they change nothing.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long long state;

static unsigned roll(unsigned n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}

static void *given[16];
static unsigned n_given;

// Keeps a pointer that the program handed out, for functions that may use it.
static void keep(void *p) {
    given[n_given++ % 16] = p;
}

static void *earlier[16];
static unsigned n_earlier;

// New memory: small numbers in its first 8 bytes, then zeros, since a structure may have a pointer there.
static void *fresh(void) {
    int *p = calloc(1, 256);
    if (!p)
        _exit(1);
    p[0] = (int)roll(4);
    p[1] = (int)roll(4);
    return earlier[n_earlier++ % 16] = p;
}

static void *pointer(void) {
    switch (roll(4)) {
    case 0:
        return 0;
    case 1:
        return n_earlier ? earlier[roll(n_earlier < 16 ? n_earlier : 16)] : 0;
    default:
        return fresh();
    }
}

static const char *text(void) {
    static const char *const all[] = {0, "", "a", "abc", "xyz", "abcd"};
    return all[roll(6)];
}

// A device at the address that programs have for it.
static void device(void) {
    int *p = mmap((void *)0x40021000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == (int *)0x40021000)
        *p = (int)roll(4);
}

int *__VERIFIER_nondet_pointer(void) {
    return pointer();
}

unsigned run(void);
int program_main(void);

void reach_error(void) {
    puts("reached");
    fflush(stdout);
    _exit(0);
}
