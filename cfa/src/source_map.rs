//! Where the loops of the source are in a raw CFA, and which local variables are visible there.
//!
//! Witnesses speak about loops by their positions and about variables by their names; a front-end with debug information records here
//! what both mean. Scopes are the blocks of the source: a name means the variable in the innermost scope around the loop.

use crate::graph::Span;
use crate::ids::{FuncId, LocId, ObjectId};
use std::collections::BTreeMap;

/// The loops and local variables of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceMap {
    /// For each scope, the scope around it.
    pub scopes: Vec<Option<ScopeId>>,
    /// The loops, in the order in which they were found. A loop of the source may occur more than once, if its function does.
    pub loops: Vec<SourceLoop>,
    /// Where the variable that an object holds is declared.
    pub declared: BTreeMap<ObjectId, Declaration>,
}

/// Index of a scope in [`SourceMap::scopes`].
pub type ScopeId = u32;

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLoop {
    /// The position of the keyword `while`, `for` or `do`.
    pub place: Span,
    /// Where control is each time before the controlling expression is evaluated; `None` if control never gets there. After a
    /// loop with `do` it is where the body begins.
    pub head: Option<LocId>,
    /// Whether the condition is evaluated after the body, and `head` is therefore where the body begins.
    pub tests_last: bool,
    /// The function whose locals are visible.
    pub func: FuncId,
    /// The scope around it.
    pub scope: ScopeId,
}

/// The declaration of a local variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The scope that it belongs to.
    pub scope: ScopeId,
    /// The line of the declaration.
    pub line: u32,
}

impl SourceMap {
    /// How many scopes around the loop one has to leave to find the variable of `object`; `None` if it is not visible at the loop, or if
    /// it is not known whether it is: it is declared on the same line, by another statement.
    pub fn distance(&self, to: &SourceLoop, object: ObjectId) -> Option<u32> {
        let declaration = self.declared.get(&object)?;
        let mut scope = to.scope;
        let mut distance = 0;
        while scope != declaration.scope {
            scope = self.scopes[scope as usize]?;
            distance += 1;
        }
        // A loop has a scope of its own if it declares variables.
        let is_before = declaration.line < to.place.line || (declaration.line == to.place.line && distance == 0);
        is_before.then_some(distance)
    }
}
