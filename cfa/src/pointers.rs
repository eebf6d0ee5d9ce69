//! What a points-to analysis and the split of memory claim, in a form that a checker can go through.
//!
//! The claims are about the raw graph, before memory is split. A checker of its own (`checker::pointers`) shows that they are closed
//! under what the graph's operations do, so that neither the analysis nor the plan of the split has to be trusted.

use crate::ids::{EdgeId, FuncId, ObjectId, VarId};
use crate::offset::Pointee;
use crate::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of pointees, by its number in [`PointerClaims::sets`].
pub type SetId = u32;

/// Bytes modulo a granule's size: which granules of an object an access is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Granules {
    /// Those from the first to the last.
    Range(u32, u32),
    /// Those whose number is this modulo the period.
    Residue(u32),
    /// Any.
    All,
}

/// What the bytes of an object may hold: pointers that lie, in whole or in part, in a granule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContentClaim {
    /// By the granule's number, ascending.
    pub granules: Vec<(u32, SetId)>,
    /// What lies in every granule with a number of this residue.
    pub residues: [SetId; 4],
    /// What lies in every granule.
    pub all: SetId,
}

/// Bytes of which the granules of all objects have; the last granule that is told apart is followed by the rest of the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// Bytes of a granule.
    pub granule_bytes: u32,
    /// Granules that are told apart; those from this number on are one.
    pub granules: u32,
    /// Granules after which residues repeat.
    pub period: u32,
}

/// The solution of a points-to analysis.
#[derive(Clone, Debug, Default)]
pub struct PointerClaims {
    /// Each set as a list of objects and offsets, ascending by object, each object as often as offsets are told apart. The first one is empty.
    pub sets: Vec<Vec<Pointee>>,
    /// What each variable may point to.
    pub vars: Vec<SetId>,
    /// What each object may hold.
    pub contents: Vec<ContentClaim>,
    /// How objects are divided.
    pub grid: Grid,
    /// Objects whose address the outside knows.
    pub known: SetId,
    /// Objects whose address the program computes with as a number.
    pub exposed: SetId,
    /// Functions that each indirect call may call.
    pub callees: FxHashMap<EdgeId, Vec<FuncId>>,
    /// Indirect calls that may leave the program.
    pub open_calls: FxHashSet<EdgeId>,
    /// Functions that may be called at all.
    pub reached: Vec<bool>,
}

/// Where the accesses at an address are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In none of the program's objects.
    Nowhere,
    /// In a memory that holds these objects, ascending.
    Memory(Vec<ObjectId>),
    /// At this byte of an object that became variables.
    Variables {
        /// The object.
        object: ObjectId,
        /// The first byte accessed.
        offset: u64,
    },
}

/// How memory was split.
#[derive(Clone, Debug, Default)]
pub struct SplitClaims {
    /// Where accesses at an address are, by the address and the number of bytes where that is constant.
    pub places: FxHashMap<(Term, Option<u64>), Place>,
    /// Addresses in front of whose accesses it is tested whether they lie in one of the program's objects.
    pub tested: FxHashSet<Term>,
    /// Objects whose address is arbitrary, ascending.
    pub free: Vec<ObjectId>,
}

impl PointerClaims {
    /// What a variable may point to.
    pub fn of_var(&self, v: VarId) -> SetId {
        self.vars.get(crate::ids::Id::index(v)).copied().unwrap_or(0)
    }
}
