//! Functions of verifiers, by name: those of SV-COMP, CBMC, SeaHorn, KLEE and SMACK, and what they mean here.

use crate::builtin::Builtin;
use crate::builtin::ObjectQuestion::{Answer, IsReadable, IsSame, IsWritable};
use cfa::Asks;

/// When an assertion fails, by its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// If its argument is 0.
    Holds,
    /// If its argument is not 0.
    HoldsNot,
    /// If its first argument is not 0, but the second one is.
    HoldsIf,
}

impl Claim {
    /// What the assertion called `name` claims, if it is one of those that a verifier knows.
    pub fn of(name: &str) -> Option<Claim> {
        match of_verifier(name)? {
            Builtin::Assert(claim) => Some(claim),
            Builtin::Check => Some(Claim::Holds),
            _ => None,
        }
    }
}

/// The meaning of an undefined function called `name` to the verifier whose function it is.
pub(crate) fn of_verifier(name: &str) -> Option<Builtin> {
    Some(match name {
        "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" => Builtin::NondetBool,
        "__VERIFIER_assume" | "klee_assume" | "__builtin_assume" | "__CPROVER_assume" | "__SMACK_assume"
        | "__SEA_assume" | "assume" | "verifier.assume" | "__ESBMC_assume" | "__kerf_assume" => Builtin::Assume,
        "verifier.assume.not" | "__VERIFIER_assume_not" => Builtin::AssumeNot,
        "sassert" | "klee_assert" | "__VERIFIER_assert" | "verifier.assert" => Builtin::Assert(Claim::Holds),
        "__VERIFIER_assert_not" | "verifier.assert.not" => Builtin::Assert(Claim::HoldsNot),
        "__VERIFIER_assert_if" | "sea_assert_if" | "sea.assert.if" => Builtin::Assert(Claim::HoldsIf),
        "__CPROVER_assert" | "__CPROVER_precondition" | "__CPROVER_postcondition" | "__ESBMC_assert" => Builtin::Check,
        "klee_report_error" | "klee_abort" | "__SEAHORN_fail" | "__SEAHORN_error" => Builtin::Failure,
        // What SeaHorn makes of __VERIFIER_error, __SEAHORN_error and __SEAHORN_fail.
        "verifier.error" | "seahorn.error" | "seahorn.fail" => Builtin::Failure,
        "klee_make_symbolic" => Builtin::MakeSymbolic,
        "klee_int" => Builtin::KleeInt,
        "klee_range" => Builtin::KleeRange,
        "klee_choose" => Builtin::KleeChoose,
        "__VERIFIER_nondet_memory" | "memhavoc" | "__CPROVER_havoc_slice" => Builtin::Havoc,
        "__CPROVER_havoc_object" => Builtin::HavocObject,
        "__CPROVER_r_ok" | "sea_is_dereferenceable" | "sea.is_dereferenceable" => Builtin::OfObject(IsReadable),
        "__CPROVER_w_ok" | "__CPROVER_rw_ok" => Builtin::OfObject(IsWritable),
        "__CPROVER_same_object" => Builtin::OfObject(IsSame),
        "__CPROVER_OBJECT_SIZE" => Builtin::OfObject(Answer(Asks::Extent)),
        "__CPROVER_POINTER_OBJECT" => Builtin::OfObject(Answer(Asks::Begin)),
        "__CPROVER_POINTER_OFFSET" => Builtin::OfObject(Answer(Asks::Offset)),
        "__CPROVER_DYNAMIC_OBJECT" | "klee_is_symbolic" => Builtin::Approximate,
        // If these are not targets, they end the execution as a failing assertion does.
        "reach_error" | "__VERIFIER_error" | "klee_silent_exit" => Builtin::End,
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "klee_warning"
        | "klee_warning_once"
        | "klee_print_expr"
        | "klee_open_merge"
        | "klee_close_merge"
        | "klee_prefer_cex"
        | "klee_posix_prefer_cex"
        | "klee_stack_trace"
        | "klee_mark_global"
        | "klee_check_memory_access"
        | "__CPROVER_input"
        | "__CPROVER_output"
        | "__CPROVER_printf"
        | "__CPROVER_cover"
        | "__CPROVER_atomic_begin"
        | "__CPROVER_atomic_end"
        | "__ESBMC_atomic_begin"
        | "__ESBMC_atomic_end" => Builtin::Nothing,
        _ => return by_form(name),
    })
}

fn by_form(name: &str) -> Option<Builtin> {
    const INPUTS: [&str; 6] =
        ["__VERIFIER_nondet_", "verifier.nondet", "__CPROVER_nondet_", "__SMACK_nondet_", "sea_nd_", "nondet_"];
    // Other functions of these verifiers have meanings that a function which changes nothing has not.
    const OF_VERIFIERS: [&str; 12] = [
        "__CPROVER_",
        "__ESBMC_",
        "__SMACK_",
        "smack_",
        "klee_",
        "sea_",
        "sea.",
        "__SEA",
        "seahorn.",
        "verifier.",
        "__VERIFIER_assert",
        "__VERIFIER_assume",
    ];
    if is_uninterpreted(name) {
        return None;
    }
    let is_of = |forms: &[&str]| forms.iter().any(|form| name.starts_with(form));
    if is_of(&INPUTS) || is_of_seahorn(name) {
        return Some(Builtin::Nondet);
    }
    is_of(&OF_VERIFIERS).then_some(Builtin::Unsupported)
}

/// Whether an undefined function of this name is one of CBMC's uninterpreted functions: a pure function that nobody knows.
pub(crate) fn is_uninterpreted(name: &str) -> bool {
    name.starts_with("__CPROVER_uninterpreted_")
}

/// Whether `name` is that of one of SeaHorn's inputs, `nd_T`.
fn is_of_seahorn(name: &str) -> bool {
    const TYPES: [&str; 24] = [
        "bool",
        "char",
        "schar",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "unsigned",
        "long",
        "ulong",
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "intptr_t",
        "uintptr_t",
    ];
    name.strip_prefix("nd_").is_some_and(|ty| TYPES.contains(&ty))
}

/// What a function whose name has no verifier's prefix is taken for, in words, if the program does not define it.
pub(crate) fn reading_of(name: &str) -> Option<&'static str> {
    match name {
        "assume" => Some("SeaHorn's, which ends the executions in which its argument is 0 and does nothing else"),
        "sassert" => Some("SeaHorn's, an assertion that fails if its argument is 0"),
        "memhavoc" => Some(
            "SeaHorn's, which makes the bytes that it is given arbitrary, none if their address is null, and does nothing else",
        ),
        _ if name.starts_with("nondet_") => Some("CBMC's, which returns any value and does nothing else"),
        _ if is_of_seahorn(name) => Some("SeaHorn's, which returns any value and does nothing else"),
        _ => None,
    }
}

/// Whether a function of this name that is declared with `parameters` parameters (`None`: without a prototype) can be the one that
/// [`of_verifier`] means. Names without a prefix of their own may be used for anything else.
pub(crate) fn is_declared_like(name: &str, parameters: Option<usize>) -> bool {
    let wanted = match name {
        "assume" | "sassert" => 1,
        "memhavoc" => 2,
        _ if name.starts_with("nondet_") || name.starts_with("nd_") => 0,
        _ => return true,
    };
    parameters.is_none_or(|n| n == wanted)
}
