//! The claims of points-to analysis and of the splitting of memory, in a form that can be checked.
//!
//! The claims are about the raw graph, before memory is split. An independent checker (`checker::pointers`) shows that they
//! are closed under the graph's operations, so that neither the analysis nor the plan for splitting memory has to be trusted.

use crate::graph::Cfa;
use crate::ids::{EdgeId, FuncId, ObjectId, VarId};
use crate::offset::Pointee;
use crate::op::Op;
use crate::term::{Kind, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A set of pointees, as an index into [`PointerClaims::sets`].
pub type SetId = u32;

/// The granules of an object that an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Granules {
    /// The granules from the first to the last, inclusive.
    Range(u32, u32),
    /// The granules whose number has this remainder modulo [`Grid::period`].
    Residue(u32),
    /// All granules.
    All,
}

/// What the bytes of an object may hold: for granules, the pointers that lie in them, in whole or in part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContentClaim {
    /// Pointers in single granules, by the granule's number, ascending.
    pub granules: Vec<(u32, SetId)>,
    /// Pointers in every granule whose number has the remainder `i` modulo [`Grid::period`], for each `i`.
    pub residues: [SetId; 4],
    /// Pointers in every granule.
    pub all: SetId,
}

/// The division of all objects into granules; the last granule comprises the rest of the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// Length of a granule in bytes.
    pub granule_bytes: u32,
    /// Number of granules that are distinguished; all bytes after them form one more granule.
    pub granules: u32,
    /// Number of granules after which remainders repeat.
    pub period: u32,
}

/// The solution of a points-to analysis.
#[derive(Clone, Debug, Default)]
pub struct PointerClaims {
    /// Each set as a list of objects and offsets, ascending by object; an object occurs once for each of its
    /// distinguished offsets. The first set is empty.
    pub sets: Vec<Vec<Pointee>>,
    /// The points-to set of each variable.
    pub vars: Vec<SetId>,
    /// What the content of each object may hold.
    pub contents: Vec<ContentClaim>,
    /// How objects are divided into granules.
    pub grid: Grid,
    /// The objects whose address the outside knows.
    pub known: SetId,
    /// The objects whose address the program computes with as a number.
    pub exposed: SetId,
    /// The functions that each indirect call may call.
    pub callees: FxHashMap<EdgeId, Vec<FuncId>>,
    /// Indirect calls that may leave the program.
    pub open_calls: FxHashSet<EdgeId>,
    /// For each function, whether it may be called at all.
    pub reached: Vec<bool>,
}

/// Where the accesses at an address lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In none of the program's objects.
    Nowhere,
    /// In a memory that holds these objects, ascending.
    Memory(Arc<[ObjectId]>),
    /// In an object that became variables.
    Variables {
        /// The object.
        object: ObjectId,
        /// The first byte accessed, relative to the object.
        offset: u64,
    },
}

/// How memory was split.
#[derive(Clone, Debug, Default)]
pub struct SplitClaims {
    /// Where accesses lie, by their address and their number of bytes (`None` if it is not constant).
    pub places: FxHashMap<(Term, Option<u64>), Place>,
    /// Addresses whose accesses are preceded by a test of whether they lie in one of the program's objects.
    pub tested: FxHashSet<Term>,
    /// Objects whose address is arbitrary, ascending.
    pub free: Vec<ObjectId>,
}

impl PointerClaims {
    /// The points-to set of a variable; the empty set if the analysis did not see it.
    pub fn of_var(&self, v: VarId) -> SetId {
        self.vars.get(crate::ids::Id::index(v)).copied().unwrap_or(0)
    }
}

/// The objects of which an indirect call does not have the address, since conditions directly before it say so:
///
/// ```text
/// --[not (= target &f)]--> o --[not (= target &g)]--> o --call_indirect target-->     refutes f and g
/// ```
pub fn refuted_targets(cfa: &Cfa, call: EdgeId) -> Vec<ObjectId> {
    let Op::CallIndirect(indirect) = &cfa.edges[call].op else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = cfa.edges[call].from;
    // What is before an edge that is passed twice has been seen.
    for _ in 0..cfa.edges.len() {
        // A call comes to the entry without an edge.
        if cfa.funcs[cfa.locs[at].func].entry == at {
            break;
        }
        let [before] = *cfa.into(at) else { break };
        match cfa.edges[before].op {
            Op::Assume { cond, .. } => found.extend(refuted(cfa, indirect.target, cond)),
            Op::Skip => {}
            _ => break,
        }
        at = cfa.edges[before].from;
    }
    found
}

/// The object of which `target` is not the address if `cond` holds, as far as the form of `cond` says so.
fn refuted(cfa: &Cfa, target: Term, cond: Term) -> Option<ObjectId> {
    let (Kind::Not, [equal]) = (cfa.terms.kind(cond), cfa.terms.args(cond)) else { return None };
    let (Kind::Eq, [a, b]) = (cfa.terms.kind(*equal), cfa.terms.args(*equal)) else { return None };
    let other = if *a == target { b } else { a };
    match cfa.terms.kind(*other) {
        Kind::Addr(o) if *a == target || *b == target => Some(o),
        _ => None,
    }
}
