//! Calls of the library's functions that are told apart: one `strchr` for all callers would let the text of each call flow to where any other
//! one returns (k-call-site sensitivity for these functions; Sharir and Pnueli, "Two approaches to interprocedural data flow analysis", 1981).

use super::Lowering;
use crate::ir::{TypeKind, Value};
use cfa::FuncId;

/// Maximum number of instructions of a function of the library whose calls are told apart.
const MAX_COPIED: usize = 120;
/// Maximum number of copies of such a function.
const MAX_COPIES_OF_ONE: u32 = 15;
/// Maximum number of copies of all such functions.
const MAX_COPIES: u32 = 100;

impl<'m> Lowering<'_, 'm> {
    /// The CFA function for a call of a function with a body. Small functions of the library with pointers have a copy for each of the first
    /// calls: otherwise what one call is given could flow to where another one returns.
    pub(crate) fn called_function(&mut self, f: Value<'m>) -> FuncId {
        let is_met = self.provenance.functions.contains_key(&f);
        if !is_met || self.copies >= MAX_COPIES || !self.is_told_apart(f) {
            return self.function(f);
        }
        let copies = self.copies_of.entry(f).or_insert(0);
        if *copies >= MAX_COPIES_OF_ONE {
            return self.function(f);
        }
        *copies += 1;
        self.copies += 1;
        let id = self.declare(f, f.name(), true);
        self.bodies.push_back((f, id));
        id
    }

    /// Whether calls of a function are told apart.
    fn is_told_apart(&self, f: Value<'m>) -> bool {
        let has_pointer = || f.value_type().params().into_iter().any(|ty| ty.kind() == TypeKind::LLVMPointerTypeKind);
        // Copies have other names than those that criteria and automata may name.
        let is_named = || {
            let watched = self.watched.as_ref().is_some_and(|watched| watched.functions.contains(&f.name()));
            watched || self.observed.contains(&f.name())
        };
        let size = || f.blocks().into_iter().map(|b| b.instructions().len()).sum::<usize>();
        self.resolver.in_library(f)
            && !f.value_type().is_variadic()
            && has_pointer()
            && !is_named()
            && !self.reachable.recursive.contains(&f)
            && size() <= MAX_COPIED
    }
}
