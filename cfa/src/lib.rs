//! The control-flow automaton (CFA) of a program: terms, operations, the graph, and what a program means when it runs.
//!
//! Reading order: `ids`, `bv` and `float` (values), `term` (expressions), `op` and `graph` (the automaton), `assumption` (what verdicts rest on), `events` (what specifications observe), `footprint` (what an
//! operation reads and writes), `offset` and `pointers` (what is claimed of pointers), `view` (slices), `eval` and `interpret` (concrete semantics). This crate knows neither LLVM nor solvers, files nor options.

pub mod assumption;
pub mod bv;
pub mod bytes;
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
pub mod term;
pub mod text;
pub mod validate;
pub mod view;

pub use assumption::{Assumed, Assumption, Matters, RestsOn};
pub use graph::{
    Allocation, Cfa, Edge, Function, Location, Object, ObjectKind, ObjectPart, Origin, PointerComparison, Scope,
    SourceName, Span, ValueFormat, Var,
};
pub use ids::{EdgeId, FuncId, Id, IndexVec, LocId, ObjectId, SymId, VarId};
pub use op::{AssumeKind, IndirectCall, InputKind, OUTSIDE_MEMORY, Op, Unsupported};
pub use term::{Sort, Term, Terms};
