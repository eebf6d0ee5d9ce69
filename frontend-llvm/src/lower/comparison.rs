//! Checks the comparison functions that a program passes to `qsort` and `bsearch`.
//!
//! ISO C does not specify how often these functions compare, nor which elements. Their models compare in one particular way, which
//! is unobservable as long as a comparison only computes its result, and returns it for all elements: where one does not return, the
//! execution ends, but an implementation may never compare those two, or not in that order. So pointers in elements, which may be null,
//! must not be followed.

use super::Lowered;
use super::body::Body;
use super::call::CallSite;
use crate::ir::{Block, Opcode, Value, ValueKind};
use crate::resolve::Callee;
use cfa::{InputKind, Unsupported};
use rustc_hash::FxHashMap;

/// Maximum nesting depth of calls inside a comparison that are inspected.
const MAX_DEPTH: u32 = 4;

/// Library functions that only compute their result.
const PURE: [&str; 14] = [
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "memcmp",
    "strlen",
    "abs",
    "labs",
    "tolower",
    "toupper",
    "fabs",
    "strchr",
    "strstr",
];

impl<'m> Body<'_, '_, 'm> {
    /// Makes a call of `qsort` or `bsearch` unsupported if the comparison function may have effects, by which the program could
    /// observe the unspecified order of comparisons. Must run before the call is lowered.
    pub(super) fn check_comparison(&mut self, site: &CallSite<'m>) -> Lowered<()> {
        let argument = match site.name.as_str() {
            "qsort" => 3,
            "bsearch" => 4,
            _ => return Ok(()),
        };
        let compare = site.inst.and_then(|call| call.call_args().get(argument).copied());
        let compare = compare.map(|f| f.stripped());
        let each = Use { depth: MAX_DEPTH, given: true };
        if compare.is_some_and(|f| f.is_function() && self.only_computes(f, each)) {
            return Ok(());
        }
        let reason = format!("{} with a comparison that may have effects or not return", site.name);
        // The graph shows which functions are called, but neither how often nor in which order.
        let reordered = Unsupported { may_call: false, ..Unsupported::opaque(reason) };
        if site.name == "qsort" {
            self.unsupported(reordered);
            return Ok(());
        }
        // All implementations halve the range, but none has to.
        let other = self.input("other", 1, InputKind::Library(site.name.as_str().into()));
        let other = self.terms().nonzero(other);
        self.when(other, |body| {
            body.unsupported(reordered);
            Ok(())
        })
    }

    /// Whether a function that is used so changes nothing but its own variables and always returns.
    fn only_computes(&mut self, f: Value<'m>, at: Use) -> bool {
        let body = match self.cx.resolver.callee(f) {
            Callee::Body(body) if !self.cx.resolver.in_library(body) => body,
            Callee::Body(_) | Callee::Builtin(_) => {
                return PURE.contains(&f.name().as_str()) && at.given;
            }
            _ => return false,
        };
        let blocks = body.blocks();
        at.depth > 0
            && !may_loop(&blocks)
            && blocks.into_iter().flat_map(Block::instructions).all(|inst| self.is_harmless(inst, at))
    }

    /// Whether an instruction of a function that is used so only computes, and does not end the execution.
    fn is_harmless(&mut self, inst: Value<'m>, at: Use) -> bool {
        match inst.opcode() {
            Opcode::Load => points_to_elements(inst.operand(0), at.given, MAX_DEPTH),
            Opcode::Store => is_slot(inst.operand(1)),
            Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem => {
                let divisor = inst.operand(1);
                divisor.kind() == ValueKind::LLVMConstantIntValueKind && !divisor.int_value().is_zero()
            }
            Opcode::Call => {
                let callee = inst.called().stripped();
                let mut pointers = inst.call_args().into_iter().filter(|v| v.ty().is_pointer());
                let given = pointers.all(|v| points_to_elements(v, at.given, MAX_DEPTH));
                inst.is_debug_instruction()
                    || callee.is_function()
                        && (is_harmless_intrinsic(&callee.name())
                            || self.only_computes(callee, Use { depth: at.depth - 1, given }))
            }
            Opcode::Invoke | Opcode::CallBr | Opcode::AtomicRMW | Opcode::AtomicCmpXchg => false,
            Opcode::Unreachable | Opcode::IndirectBr => false,
            _ => true,
        }
    }
}

/// How a comparison uses a function.
#[derive(Clone, Copy)]
struct Use {
    /// The nesting depth of calls in it that are inspected.
    depth: u32,
    /// Whether its parameters point to what is compared, or to objects of the program.
    given: bool,
}

/// Whether a path leads back, if blocks are in the order in which compilers write them.
fn may_loop(blocks: &[Block<'_>]) -> bool {
    let number: FxHashMap<Block<'_>, usize> = blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let leads_back = |i: usize, to: &Block<'_>| number.get(to).is_none_or(|n| *n <= i);
    blocks.iter().enumerate().any(|(i, block)| block.successors().iter().any(|to| leads_back(i, to)))
}

/// Whether `v` points into an object of the program, or, if parameters are `given`, into what they point to. So it is not null.
fn points_to_elements(v: Value<'_>, given: bool, depth: u32) -> bool {
    let mut v = v.without_bitcasts();
    while v.kind() == ValueKind::LLVMInstructionValueKind && v.opcode() == Opcode::GetElementPtr {
        v = v.operand(0).without_bitcasts();
    }
    match v.kind() {
        ValueKind::LLVMArgumentValueKind => given,
        ValueKind::LLVMGlobalVariableValueKind => true,
        ValueKind::LLVMInstructionValueKind => match v.opcode() {
            Opcode::Alloca => true,
            // Without optimisation, parameters are kept in local variables.
            Opcode::Load if depth > 0 => {
                let slot = v.operand(0);
                let is_variable = slot.kind() == ValueKind::LLVMInstructionValueKind && slot.opcode() == Opcode::Alloca;
                is_variable
                    && slot.users().into_iter().all(|user| match user.opcode() {
                        Opcode::Load => true,
                        Opcode::Store => {
                            user.operand(1) == slot && points_to_elements(user.operand(0), given, depth - 1)
                        }
                        Opcode::Call => is_harmless_intrinsic(&user.called().name()),
                        _ => false,
                    })
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an address is that of a local variable, or of a part of one.
fn is_slot(address: Value) -> bool {
    let mut v = address.without_bitcasts();
    while v.kind() == ValueKind::LLVMInstructionValueKind && v.opcode() == Opcode::GetElementPtr {
        v = v.operand(0).without_bitcasts();
    }
    v.kind() == ValueKind::LLVMInstructionValueKind && v.opcode() == Opcode::Alloca
}

/// Whether an intrinsic is only an annotation, or computes with numbers.
fn is_harmless_intrinsic(name: &str) -> bool {
    const HARMLESS: [&str; 14] = [
        "llvm.dbg.",
        "llvm.lifetime.",
        "llvm.expect.",
        "llvm.smin.",
        "llvm.smax.",
        "llvm.umin.",
        "llvm.umax.",
        "llvm.abs.",
        "llvm.fabs.",
        "llvm.scmp.",
        "llvm.ucmp.",
        "llvm.sadd.",
        "llvm.ssub.",
        "llvm.usub.",
    ];
    HARMLESS.iter().any(|h| name.starts_with(h))
}
