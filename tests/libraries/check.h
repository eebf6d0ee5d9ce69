/* What the proofs share: checks, and inputs that the verifier chooses. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

#define check(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            reach_error();                                                                                             \
    } while (0)

/* Any number below `limit`, which is not 0. */
static inline unsigned any_below(unsigned limit) { return __VERIFIER_nondet_uint() % limit; }

/* Any text of at most `length` characters; `text` has room for one more. */
static inline void any_text(char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_char();
    text[length] = '\0';
}

#endif
