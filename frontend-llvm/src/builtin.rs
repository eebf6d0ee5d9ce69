//! Functions to which the front-end itself gives a meaning, by name: verification primitives, memory, program termination and
//! floats. Other functions of the C library have models in C (`frontend-llvm/library`), which `resolve` finds.

use crate::verifier_names::{Claim, of_verifier};
use cfa::Asks;

/// What functions of other verifiers ask about the object in which an address lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectQuestion {
    /// `__CPROVER_r_ok(address, bytes)`: whether so many bytes lie in one object that exists.
    IsReadable,
    /// `__CPROVER_w_ok(address, bytes)`: likewise, in one that is not constant.
    IsWritable,
    /// `__CPROVER_same_object(a, b)`.
    IsSame,
    /// `__CPROVER_OBJECT_SIZE(address)` and the like.
    Answer(Asks),
}

/// A function that is lowered in place if the program does not define it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    /// `__VERIFIER_nondet_T` and the like: an input of the program.
    Nondet,
    /// Like [`Builtin::Nondet`], for truth values.
    NondetBool,
    /// An arbitrary result inside a library model.
    LibraryNondet,
    /// `assume(c)`.
    Assume,
    /// `verifier.assume.not(c)`.
    AssumeNot,
    /// `sassert(c)` and the like: an assertion, after whose failure the execution ends.
    Assert(Claim),
    /// `__CPROVER_assert(c, text)`: an assertion, after whose failure the execution goes on.
    Check,
    /// `klee_report_error(...)`: an assertion that always fails.
    Failure,
    /// A question that has no exact answer here: the answer is arbitrary, and no alarm rests on it.
    Approximate,
    /// A question about the object in which an address lies.
    OfObject(ObjectQuestion),
    /// `klee_make_symbolic(address, bytes, name)`.
    MakeSymbolic,
    /// `klee_int(name)`: an input.
    KleeInt,
    /// `klee_range(begin, end, name)`: an input in `[begin, end)`.
    KleeRange,
    /// `klee_choose(n)`: an input less than `n`.
    KleeChoose,
    /// `(address, bytes)`: arbitrary contents, inside a library model.
    LibraryHavoc,
    /// `(address, bytes)`: arbitrary contents that are an input of the program.
    Havoc,
    /// `__CPROVER_havoc_object(address)`: the same for the whole object around an address.
    HavocObject,
    /// `__kerf_apart(to, from, bytes)`: ranges that were copied must not overlap.
    LibraryApart,
    /// `__kerf_delivery(what, of, address, bytes, detail)`: the environment hands bytes over; see `cfa::Delivery`.
    LibraryDelivery,
    /// `__kerf_unsupported("reason")`.
    LibraryUnsupported,
    /// `__kerf_assumption("what")`: the text is printed.
    LibraryAssumption,
    /// `__kerf_assumption_throughout("what")`: the same, whatever the program does after it.
    LibraryAssumptionThroughout,
    /// `__kerf_errno_is_read()`: 1 if the program may look at `errno`, else 0.
    LibraryErrnoIsRead,
    /// `__kerf_environment_use()`: how the program uses the environment without `getenv`.
    LibraryEnvironmentUse,
    /// `__kerf_signals_arrive()`: 1 if handlers of signals may run at any time, else 0.
    LibrarySignalsArrive,
    /// `__kerf_masks_are_saved()`: 1 if the program may save its mask of signals with a place to jump to, else 0.
    LibraryMasksAreSaved,
    /// `__kerf_unsliceable(what)`: no slice that is written can contain this.
    LibraryUnsliceable,
    /// Ends the execution.
    End,
    /// Ends the execution after running what `atexit` registered.
    Exit,
    /// Has no effect.
    Nothing,
    Malloc,
    /// `operator new(bytes)`: like `malloc`, but never null.
    New,
    Calloc,
    Realloc,
    ReallocArray,
    Free,
    /// `aligned_alloc(alignment, bytes)`.
    AlignedAlloc,
    PosixMemalign,
    /// `operator new(bytes, alignment)`.
    AlignedNew,
    /// `__rust_alloc(bytes, alignment)`.
    RustAlloc,
    /// `__rust_alloc_zeroed(bytes, alignment)`.
    RustZeroed,
    /// `__rust_realloc(block, bytes, alignment, new_bytes)`.
    RustRealloc,
    /// `std::rt::lang_start(main, argc, argv, sigpipe)`.
    RustStart,
    /// `alloca` called as a function.
    StackAlloc,
    /// Copies, given `(to, from, bytes)`; returns `to`.
    Copy,
    /// Copies, given `(to, from, bytes)`; returns the end of the destination.
    CopyToEnd,
    /// `memmove`.
    Move,
    /// Fills, given `(to, byte, bytes)`; returns `to`.
    Fill,
    /// `bzero(to, bytes)`.
    Zero,
    /// A function that is an operator on floats.
    Math(Math),
    /// `setjmp(buffer)` and the like.
    SetJump,
    /// `longjmp(buffer, value)` and the like.
    LongJump,
    /// Something that kerf does not model.
    Unsupported,
}

impl Builtin {
    /// Whether this is a function of `<stdlib.h>` that allocates or frees.
    pub(crate) fn manages_memory(self) -> bool {
        use Builtin::{AlignedAlloc, Calloc, Free, Malloc, Realloc, ReallocArray};
        matches!(self, AlignedAlloc | Calloc | Free | Malloc | Realloc | ReallocArray)
    }
}

/// Functions of `<math.h>` that correspond exactly to an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Math {
    Sqrt,
    Abs,
    Floor,
    Ceil,
    Trunc,
    /// Rounds in the current rounding mode, which is to nearest.
    Rint,
    Round,
    RoundEven,
    CopySign,
    Min,
    Max,
    /// Minimum that propagates NaN.
    Minimum,
    Maximum,
    Mod,
    Fma,
}

impl Math {
    /// The function with this name in C, for `double`.
    fn named(name: &str) -> Option<Math> {
        Some(match name {
            "sqrt" => Math::Sqrt,
            "fabs" => Math::Abs,
            "floor" => Math::Floor,
            "ceil" => Math::Ceil,
            "trunc" => Math::Trunc,
            "rint" | "nearbyint" => Math::Rint,
            "round" => Math::Round,
            "roundeven" => Math::RoundEven,
            "copysign" => Math::CopySign,
            "fmin" => Math::Min,
            "fmax" => Math::Max,
            "fmod" => Math::Mod,
            "fma" => Math::Fma,
            _ => return None,
        })
    }
}

/// The meaning of an undefined function called `name`.
pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "__kerf_havoc" | "__kerf_approx_bytes" => Builtin::LibraryHavoc,
        "__kerf_apart" => Builtin::LibraryApart,
        "__kerf_unsupported" => Builtin::LibraryUnsupported,
        "__kerf_assumption" => Builtin::LibraryAssumption,
        "__kerf_assumption_throughout" => Builtin::LibraryAssumptionThroughout,
        "__kerf_errno_is_read" => Builtin::LibraryErrnoIsRead,
        "__kerf_delivery" => Builtin::LibraryDelivery,
        "__kerf_environment_use" => Builtin::LibraryEnvironmentUse,
        "__kerf_signals_arrive" => Builtin::LibrarySignalsArrive,
        "__kerf_masks_are_saved" => Builtin::LibraryMasksAreSaved,
        "__kerf_unsliceable" => Builtin::LibraryUnsliceable,
        // If these are not targets, they end the execution as a failing assertion does.
        "abort"
        | "_Exit"
        | "_exit"
        | "__builtin_trap"
        | "quick_exit"
        | "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "_assert"
        | "__stack_chk_fail"
        | "__chk_fail"
        | "__fortify_fail"
        | "_ZSt9terminatev" => Builtin::End,
        "exit" => Builtin::Exit,
        "malloc" | "__builtin_malloc" | "__kerf_block" => Builtin::Malloc,
        // operator new and new[]: first the forms that throw on failure, then those that do not.
        "_Znwm" | "_Znam" | "_Znwj" | "_Znaj" => Builtin::New,
        "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" | "_ZnwjRKSt9nothrow_t" | "_ZnajRKSt9nothrow_t" => {
            Builtin::Malloc
        }
        "_ZnwmSt11align_val_t" | "_ZnamSt11align_val_t" | "_ZnwjSt11align_val_t" | "_ZnajSt11align_val_t" => {
            Builtin::AlignedNew
        }
        "__rust_alloc" => Builtin::RustAlloc,
        "__rust_alloc_zeroed" => Builtin::RustZeroed,
        "__rust_realloc" => Builtin::RustRealloc,
        "__rust_no_alloc_shim_is_unstable" | "__rust_no_alloc_shim_is_unstable_v2" => Builtin::Nothing,
        "calloc" => Builtin::Calloc,
        "realloc" => Builtin::Realloc,
        "reallocarray" => Builtin::ReallocArray,
        "free" | "cfree" | "__rust_dealloc" => Builtin::Free,
        // operator delete and delete[], with the size, the alignment or std::nothrow as further parameters.
        _ if name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") => Builtin::Free,
        "aligned_alloc" | "memalign" => Builtin::AlignedAlloc,
        "posix_memalign" => Builtin::PosixMemalign,
        "alloca" | "__builtin_alloca" => Builtin::StackAlloc,
        "memcpy" | "__builtin_memcpy" => Builtin::Copy,
        "memmove" => Builtin::Move,
        "mempcpy" => Builtin::CopyToEnd,
        "memset" | "__builtin_memset" => Builtin::Fill,
        "bzero" | "explicit_bzero" => Builtin::Zero,
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => Builtin::SetJump,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Builtin::LongJump,
        "thrd_create"
        | "fork"
        | "vfork"
        | "clone"
        | "execve"
        | "execv"
        | "execvp"
        | "execl"
        | "execlp"
        | "swapcontext"
        | "setcontext"
        | "makecontext"
        | "__cxa_throw"
        | "__cxa_rethrow"
        | "_Unwind_RaiseException"
        | "_Unwind_Resume" => Builtin::Unsupported,
        _ => return of_verifier(name).or_else(|| by_form(name)),
    })
}

fn by_form(name: &str) -> Option<Builtin> {
    if name.starts_with("__kerf_nondet_") || name.starts_with("__kerf_approx_") {
        return Some(Builtin::LibraryNondet);
    }
    let plain = name.strip_suffix(['f', 'l']).and_then(Math::named);
    Math::named(name).or(plain).map(Builtin::Math)
}
