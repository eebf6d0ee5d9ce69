//! The functions that run before and after `main`: what the module's lists of constructors and destructors name.

use crate::ir::{Module, Value, ValueKind};

/// The list of constructors.
pub(crate) const CONSTRUCTORS: &str = "llvm.global_ctors";
/// The list of destructors.
pub(crate) const DESTRUCTORS: &str = "llvm.global_dtors";
/// Both lists.
pub(crate) const LISTS: [&str; 2] = [CONSTRUCTORS, DESTRUCTORS];

/// An element of a list.
pub(crate) struct Structor<'m> {
    /// Constructors run in ascending, destructors in descending order.
    pub priority: u64,
    /// What is called, usually a function; the list may name it by an alias.
    pub function: Value<'m>,
    /// The element itself.
    pub element: Value<'m>,
}

/// The elements of a list that call something, in the order of the list.
pub(crate) fn structors<'m>(program: &Module<'m>, list: &str) -> Vec<Structor<'m>> {
    let Some(init) = program.global(list).and_then(Value::initializer) else { return Vec::new() };
    if init.kind() != ValueKind::LLVMConstantArrayValueKind {
        return Vec::new();
    }
    let priority = |v: Value| match v.kind() {
        ValueKind::LLVMConstantIntValueKind => v.int_value().to_u64().unwrap_or(0),
        _ => 0,
    };
    (0..init.n_operands())
        .map(|i| init.operand(i))
        .filter(|e| e.kind() == ValueKind::LLVMConstantStructValueKind && !e.operand(1).is_null())
        .map(|e| Structor { priority: priority(e.operand(0)), function: e.operand(1).stripped(), element: e })
        .collect()
}
