//! The control-flow automaton (CFA) of a program: terms, operations, the graph, and the concrete semantics.
//!
//! Reading order:
//! 1. `ids`, `bv` and `float`: values;
//! 2. `term`: expressions;
//! 3. `op`, `graph` and `raw`: the automaton, and what front-ends say about it;
//! 4. `assumption`: what verdicts rest on;
//! 5. `events`: what specifications observe;
//! 6. `footprint`: what an operation reads and writes;
//! 7. `offset` and `pointers`: what is claimed about pointers;
//! 8. `view`: slices;
//! 9. `eval`, `interpret` and `delivery`: concrete semantics;
//! 10. `range` and `decision_table`: intervals of values, and which guards they rule out.
//!
//! This crate knows neither LLVM nor solvers, files nor options.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod assumption;
pub mod bv;
pub mod bytes;
pub mod decision_table;
pub mod delivery;
pub mod dot;
pub mod eval;
pub mod events;
pub mod float;
pub mod footprint;
pub mod graph;
pub mod ids;
pub mod interpret;
pub mod offset;
pub mod op;
pub mod path;
pub mod pixel_tree;
pub mod pointers;
pub mod range;
pub mod raw;
pub mod source_map;
pub mod term;
pub mod text;
pub mod validate;
pub mod view;

pub use assumption::{Assumed, Assumption, Matters, RestsOn};
pub use delivery::{Delivered, Delivery};
pub use graph::{
    Allocation, Cfa, Determined, Edge, Function, Lifetime, Location, Memory, ModuleFacts, Object, ObjectKind,
    ObjectPart, Origin, Scope, SignedOperation, Slot, SlotAccess, SourceName, Span, ValueFormat, Var,
    unknown_length_bytes,
};
pub use ids::{EdgeId, FuncId, Id, IndexVec, LocId, ObjectId, SymId, VarId};
pub use op::{AssumeKind, IndirectCall, InputKind, OUTSIDE_MEMORY, Op, Unsupported};
pub use range::Range;
pub use raw::{AddressVector, Asks, BlockQuestion, PointerComparison, RawCfa, RawFacts};
pub use term::{Sort, Term, Terms};
