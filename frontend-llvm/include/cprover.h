/* What CBMC declares before it reads a program. kerf includes it where a file that names these functions does not compile without. */

void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_precondition(_Bool, const char *);
void __CPROVER_postcondition(_Bool, const char *);

void __CPROVER_havoc_object(void *);
void __CPROVER_havoc_slice(void *, __SIZE_TYPE__);

_Bool __CPROVER_r_ok(const void *, ...);
_Bool __CPROVER_w_ok(const void *, ...);
_Bool __CPROVER_rw_ok(const void *, ...);
_Bool __CPROVER_same_object(const void *, const void *);
_Bool __CPROVER_DYNAMIC_OBJECT(const void *);
__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void *);
__SIZE_TYPE__ __CPROVER_POINTER_OBJECT(const void *);
__PTRDIFF_TYPE__ __CPROVER_POINTER_OFFSET(const void *);

void __CPROVER_input(const char *, ...);
void __CPROVER_output(const char *, ...);
void __CPROVER_printf(const char *, ...);
void __CPROVER_cover(_Bool, ...);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

typedef _Bool __CPROVER_bool;
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

/* Whether an operation overflows in the type that the usual arithmetic conversions give it. */
#define __CPROVER_overflow_plus(a, b) \
    (__extension__({ __typeof__((a) + (b)) __kerf_result; (_Bool)__builtin_add_overflow(a, b, &__kerf_result); }))
#define __CPROVER_overflow_minus(a, b) \
    (__extension__({ __typeof__((a) - (b)) __kerf_result; (_Bool)__builtin_sub_overflow(a, b, &__kerf_result); }))
#define __CPROVER_overflow_mult(a, b) \
    (__extension__({ __typeof__((a) * (b)) __kerf_result; (_Bool)__builtin_mul_overflow(a, b, &__kerf_result); }))
#define __CPROVER_overflow_unary_minus(a) \
    (__extension__({ __typeof__(-(a)) __kerf_result; (_Bool)__builtin_sub_overflow(0, a, &__kerf_result); }))
