//! Checks the comparison functions that a program passes to `qsort` and `bsearch`.
//!
//! ISO C does not specify how often these functions compare, nor which elements. Their models compare in one particular way, which
//! is unobservable as long as a comparison only computes its result, returns it for all elements, and orders them. Whether it only
//! computes is checked here. The rest is assumed, and printed: a comparison that does not return ends the execution of the model,
//! but an implementation may never compare those two elements, or not in that order.

use super::Lowered;
use super::body::Body;
use super::call::CallSite;
use crate::ir::{Block, Opcode, Value, ValueKind};
use crate::resolve::Callee;
use cfa::{Assumed, InputKind, Unsupported};

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
    /// observe the unspecified order of comparisons, and assumes otherwise that it orders what it is given. Must run before the call
    /// is lowered.
    pub(super) fn check_comparison(&mut self, site: &CallSite<'m>) -> Lowered<()> {
        let argument = match site.name.as_str() {
            "qsort" => 3,
            "bsearch" => 4,
            _ => return Ok(()),
        };
        let compare = site.inst.and_then(|call| call.call_args().get(argument).copied());
        let compare = compare.map(Value::stripped).filter(|f| f.is_function());
        if let Some(f) = compare
            && self.only_computes(f, MAX_DEPTH)
        {
            let e = self.skip();
            self.cx.assume_where(e, Assumed::Orders { function: f.name(), user: site.name.clone() });
            return Ok(());
        }
        let reason = format!("{} with a comparison that may have effects", site.name);
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

    /// Whether a function changes nothing but its own variables; calls are followed to a nesting depth of `depth`.
    fn only_computes(&mut self, f: Value<'m>, depth: u32) -> bool {
        let body = match self.cx.resolver.callee(f) {
            Callee::Body(body) if !self.cx.resolver.in_library(body) => body,
            Callee::Body(_) | Callee::Builtin(_) => return PURE.contains(&f.name().as_str()),
            _ => return false,
        };
        let mut instructions = body.blocks().into_iter().flat_map(Block::instructions);
        depth > 0 && instructions.all(|inst| self.is_harmless(inst, depth))
    }

    /// Whether an instruction only computes, and control stays in its function.
    fn is_harmless(&mut self, inst: Value<'m>, depth: u32) -> bool {
        match inst.opcode() {
            Opcode::Store => is_slot(inst.operand(1)),
            Opcode::Call => {
                let callee = inst.called().stripped();
                inst.is_debug_instruction()
                    || callee.is_function()
                        && (is_harmless_intrinsic(&callee.name())
                            || is_copy_to_slot(inst, &callee.name())
                            || self.only_computes(callee, depth - 1))
            }
            Opcode::Invoke | Opcode::CallBr | Opcode::AtomicRMW | Opcode::AtomicCmpXchg => false,
            _ => true,
        }
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

/// Whether a call copies into a local variable, or fills one.
fn is_copy_to_slot(call: Value, name: &str) -> bool {
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|n| name.starts_with(n)) && is_slot(call.operand(0))
}
