//! Points-to analysis: which objects a value may point to, with the call graph built on the fly. It is inclusion-based
//! (Andersen 1994), or unification-based (Steensgaard, POPL 1996) where a coarse answer suffices.
//!
//! Both kinds are flow- and context-insensitive and take their constraints from `constraints`. Andersen's kind also tracks a
//! pointer's offset into its object as far as it is known (`offset`), and distinguishes the contents of objects field by
//! field (`content`). Neither kind uses types: pointers are followed through casts, byte-wise copies and arithmetic. They do *not*
//! claim that a value points anywhere at all. Integers, null, inputs and uninitialised values point nowhere (provenance), so
//! an access is either of one of the objects in the points-to set of its address, or invalid.
//!
//! Unsupported edges are ignored. This is sound because a slice keeps every unsupported edge from which a target can be
//! reached, and an analysis that reaches one answers `unknown`: no execution that a verdict is about passes such an edge.

mod andersen;
mod constraints;
mod content;
mod location;
mod sets;
mod solver;
mod sparse_set;
mod steensgaard;

pub use cfa::offset::{MODULUS_BITS, Offset, Pointee};
pub use constraints::{is_block, memory_bases, memory_var, trailing_zeros};

use andersen::Andersen;
use cfa::pointers::PointerClaims;
use cfa::{EdgeId, FuncId, Id, ObjectId, RawCfa, Term, VarId};
use constraints::Constraints;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Solution, Solver};
use steensgaard::Steensgaard;

/// Which points-to analysis to run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PointsToKind {
    /// Inclusion-based, field by field.
    #[default]
    Andersen,
    /// Unification-based: coarser, in almost linear time.
    Steensgaard,
}

/// The solution: points-to sets of terms, variables and contents of objects, and the callees of indirect calls.
pub struct PointsTo {
    /// Index into `sets` for each term; likewise for variables and contents below. The first set is empty.
    terms: Vec<u32>,
    vars: Vec<u32>,
    contents: Vec<u32>,
    sets: Vec<Vec<Pointee>>,
    callees: FxHashMap<EdgeId, Vec<FuncId>>,
    unknown_calls: FxHashSet<EdgeId>,
    called_if_equal: FxHashSet<(EdgeId, FuncId)>,
    reached: Vec<bool>,
    outside: Option<ObjectId>,
    known: Vec<ObjectId>,
    exposed: Vec<ObjectId>,
    claims: PointerClaims,
}

impl PointsTo {
    /// Analyses the functions of a program that its entry reaches. `memory` is [`memory_var`].
    ///
    /// Cost: about linear in the program if sets are small; with Steensgaard's kind, almost linear in any case.
    pub fn analyse(raw: &RawCfa, memory: Option<VarId>, kind: PointsToKind) -> PointsTo {
        match kind {
            PointsToKind::Andersen => PointsTo::solve(raw, memory, Andersen::new(&raw.cfa)),
            PointsToKind::Steensgaard => PointsTo::solve(raw, memory, Steensgaard::new(&raw.cfa)),
        }
    }

    fn solve<S: Solver>(raw: &RawCfa, memory: Option<VarId>, solver: S) -> PointsTo {
        let cfa = &raw.cfa;
        let mut constraints = Constraints::new(raw, memory, solver);
        constraints.solve();
        let nodes_of_terms: Vec<Option<u32>> =
            (0..cfa.terms.len()).map(|i| constraints.node(Term::from_index(i))).collect();
        let nodes_of_vars: Vec<Option<u32>> = cfa.vars.ids().map(|v| constraints.var_node(v)).collect();
        let mut callees = std::mem::take(&mut constraints.callees);
        callees.values_mut().for_each(|c| c.sort_unstable());
        let mut reached = vec![false; cfa.funcs.len()];
        constraints.reached.iter().for_each(|f| reached[f.index()] = true);
        let unknown_calls = callees.keys().copied().filter(|e| constraints.may_call_unknown(*e)).collect();
        let open_calls = std::mem::take(&mut constraints.external_calls);
        let called_if_equal = std::mem::take(&mut constraints.called_if_equal);
        let (known, exposed) = constraints.known_and_exposed();
        let Solution { of_node, of_content: contents, mut sets, apart, claims: in_objects, grid } =
            constraints.solver.solution(cfa.objects.len());
        let numbers = |nodes: Vec<Option<u32>>| -> Vec<u32> {
            nodes.into_iter().map(|n| n.map_or(0, |n| of_node[n as usize])).collect()
        };
        let (terms, vars) = (numbers(nodes_of_terms), numbers(nodes_of_vars));
        let claims = PointerClaims {
            sets: apart,
            vars: vars.clone(),
            contents: in_objects,
            grid,
            known: of_node[known as usize],
            exposed: of_node[exposed as usize],
            callees: callees.clone(),
            open_calls,
            reached: reached.clone(),
        };
        let objects = |n: u32| -> Vec<ObjectId> { sets[of_node[n as usize] as usize].iter().map(|p| p.0).collect() };
        let (known, exposed) = (objects(known), objects(exposed));
        // An address from outside may also be any address that the outside knows.
        if let Some(outside) = cfa.outside() {
            for set in sets.iter_mut().filter(|set| set.binary_search_by_key(&outside, |p| p.0).is_ok()) {
                add_known(set, &known);
            }
        }
        let outside = cfa.outside();
        PointsTo {
            terms,
            vars,
            contents,
            sets,
            callees,
            unknown_calls,
            called_if_equal,
            reached,
            outside,
            known,
            exposed,
            claims,
        }
    }

    /// The solution as claims for a checker.
    pub fn into_claims(self) -> PointerClaims {
        self.claims
    }

    /// Whether the value of `t` may be the address of something outside the program.
    pub fn may_be_outside(&self, t: Term) -> bool {
        self.outside.is_some_and(|o| self.of(t).binary_search_by_key(&o, |p| p.0).is_ok())
    }

    /// The objects whose address the outside knows, ascending.
    pub fn known(&self) -> &[ObjectId] {
        &self.known
    }

    /// The objects whose numeric address the program computes with or gives away, ascending.
    pub fn exposed(&self) -> &[ObjectId] {
        &self.exposed
    }

    /// What the value of `t` may point to, ascending by object. `t` must be a term of an operation of the analysed
    /// program, or a subterm.
    pub fn of(&self, t: Term) -> &[Pointee] {
        &self.sets[self.set_of(t) as usize]
    }

    /// The number of the set [`PointsTo::of`] `t`. Equal sets have the same number, which is below [`PointsTo::n_sets`];
    /// the empty set has 0.
    pub fn set_of(&self, t: Term) -> u32 {
        self.terms.get(t.index()).copied().unwrap_or(0)
    }

    /// The number of different sets.
    pub fn n_sets(&self) -> usize {
        self.sets.len()
    }

    /// What the variable may point to.
    pub fn of_var(&self, v: VarId) -> &[Pointee] {
        self.set(self.set_of_var(v))
    }

    /// The number of the set [`PointsTo::of_var`] `v`.
    pub fn set_of_var(&self, v: VarId) -> u32 {
        self.vars.get(v.index()).copied().unwrap_or(0)
    }

    /// The set with this number.
    pub fn set(&self, number: u32) -> &[Pointee] {
        &self.sets[number as usize]
    }

    /// What the contents of the object may point to.
    pub fn contents(&self, o: ObjectId) -> &[Pointee] {
        &self.sets[self.contents[o.index()] as usize]
    }

    /// The number of the set that [`contents`](Self::contents) returns.
    pub fn set_of_contents(&self, o: ObjectId) -> u32 {
        self.contents[o.index()]
    }

    /// The functions that the indirect call may call, ascending: those that its target may point to and, if this is not all that it
    /// may call, some that it may be equal to ([`PointsTo::is_called_if_equal`]).
    pub fn callees(&self, e: EdgeId) -> &[FuncId] {
        self.callees.get(&e).map_or(&[], |c| c)
    }

    /// Whether the indirect call may call what is not known: its target may come from outside the program, or no function that
    /// it may point to was found.
    pub fn may_call_unknown(&self, e: EdgeId) -> bool {
        self.unknown_calls.contains(&e)
    }

    /// Whether `f`, to which the target of the indirect call does not point as far as is known, is one of its callees because the program
    /// compares some address with `f`.
    pub fn is_called_if_equal(&self, e: EdgeId, f: FuncId) -> bool {
        self.called_if_equal.contains(&(e, f))
    }

    /// Whether `f` may be called at all.
    pub fn reaches(&self, f: FuncId) -> bool {
        self.reached[f.index()]
    }
}

/// Adds objects at any offset to a set.
fn add_known(set: &mut Vec<Pointee>, known: &[ObjectId]) {
    let at_any = known.iter().map(|o| (*o, Offset::ANY));
    let mut all: Vec<Pointee> = set.drain(..).chain(at_any).collect();
    all.sort_by_key(|p| p.0);
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.join(next.1);
        }
        same
    });
    *set = all;
}
