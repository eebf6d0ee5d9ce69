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
    /// For each function and name, the number of its local variables of that name, whether or not they are in `declared`.
    pub locals: BTreeMap<(FuncId, String), usize>,
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

/// Whether a variable is visible at a loop, if nothing hides it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Visible {
    /// It is, this number of scopes further out.
    At(u32),
    /// It may be: it is declared on the same line.
    Unsure,
    /// It is not.
    No,
}

impl SourceMap {
    /// Whether the variable of `object` is visible at a loop.
    pub fn visible(&self, at: &SourceLoop, object: ObjectId) -> Visible {
        let Some(declaration) = self.declared.get(&object) else { return Visible::Unsure };
        let (mut scope, mut distance) = (at.scope, 0);
        while scope != declaration.scope {
            match self.scopes[scope as usize] {
                Some(around) => scope = around,
                None => return Visible::No,
            }
            distance += 1;
        }
        match declaration.line.cmp(&at.place.line) {
            std::cmp::Ordering::Less => Visible::At(distance),
            // A loop that declares variables has a scope of its own.
            std::cmp::Ordering::Equal if distance == 0 => Visible::At(0),
            std::cmp::Ordering::Equal => Visible::Unsure,
            std::cmp::Ordering::Greater => Visible::No,
        }
    }
}
