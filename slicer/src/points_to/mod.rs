//! Points-to analysis: which objects a value may point to, inclusion-based (Andersen 1994), with the call graph built on the fly.
//!
//! Flow- and context-insensitive; the contents of an object are one set (fields are not told apart), but what points carries its
//! offset into the object as far as it is known (see [`set`]). It does not look at types and sees through casts, byte-wise copies
//! and arithmetic. What it does *not* claim: that a value points anywhere. Integers, null, inputs and uninitialised values point
//! nowhere (provenance), so an access is of one of the objects in the set of its address, or invalid.
//!
//! Unsupported edges are ignored. That is sound because a slice keeps every one of them from which a target can be reached, and
//! an analysis that reaches one answers `unknown`: every execution that a verdict speaks about passes none.

mod constraints;
pub mod set;
mod solve;

pub use constraints::{memory_bases, memory_var, trailing_zeros};
pub use set::{EXTERNAL, MODULUS_BITS, Offset, Pointee};

use cfa::{Cfa, EdgeId, FuncId, Id, ObjectId, Term, VarId};
use constraints::Constraints;
use rustc_hash::{FxHashMap, FxHashSet};
use solve::Node;

/// The solution: sets for terms, variables and contents of objects, and the callees of indirect calls.
pub struct PointsTo {
    terms: FxHashMap<Term, Node>,
    vars: Vec<Option<Node>>,
    contents: Vec<Node>,
    sets: Vec<Vec<Pointee>>,
    callees: FxHashMap<EdgeId, Vec<FuncId>>,
    external_calls: FxHashSet<EdgeId>,
    reached: Vec<bool>,
}

impl PointsTo {
    /// Analyses the functions of `cfa` that its entry reaches. `memory` is [`memory_var`].
    ///
    /// Cost: about linear in the program where pointers are few; cubic at worst.
    pub fn analyse(cfa: &Cfa, memory: Option<VarId>) -> PointsTo {
        let mut constraints = Constraints::new(cfa, memory);
        constraints.solve();
        let solver = &constraints.solver;
        let mut number: FxHashMap<Node, Node> = FxHashMap::default();
        let mut sets: Vec<Vec<Pointee>> = vec![Vec::new()];
        let mut final_set = |n: Node| -> Node {
            let rep = solver.find(n);
            *number.entry(rep).or_insert_with(|| {
                let set = solver.set(rep).as_slice();
                if set.is_empty() {
                    return 0;
                }
                sets.push(set.to_vec());
                sets.len() as Node - 1
            })
        };
        let mut terms = FxHashMap::default();
        for t in (0..cfa.terms.len()).map(|i| Term(i as u32)) {
            if let Some(n) = constraints.node(t)
                && let n @ 1.. = final_set(n)
            {
                terms.insert(t, n);
            }
        }
        let vars = cfa.vars.ids().map(|v| constraints.var_node(v).map(&mut final_set)).collect();
        let contents = cfa.objects.ids().map(|o| final_set(o.0)).collect();
        let mut callees = std::mem::take(&mut constraints.callees);
        callees.values_mut().for_each(|c| c.sort_unstable());
        let mut reached = vec![false; cfa.funcs.len()];
        constraints.reached.iter().for_each(|f| reached[f.index()] = true);
        PointsTo { terms, vars, contents, sets, callees, external_calls: constraints.external_calls, reached }
    }

    /// What the value of `t` may point to, ascending by object. `t` is a term of an operation of the analysed program, or a part.
    pub fn of(&self, t: Term) -> &[Pointee] {
        self.terms.get(&t).map_or(&[], |&n| &self.sets[n as usize])
    }

    /// What the variable may point to.
    pub fn of_var(&self, v: VarId) -> &[Pointee] {
        self.vars[v.index()].map_or(&[], |n| &self.sets[n as usize])
    }

    /// What the contents of the object may point to.
    pub fn contents(&self, o: ObjectId) -> &[Pointee] {
        &self.sets[self.contents[o.index()] as usize]
    }

    /// Functions that the indirect call may call, ascending.
    pub fn callees(&self, e: EdgeId) -> &[FuncId] {
        self.callees.get(&e).map_or(&[], |c| c)
    }

    /// Whether the target of the indirect call may come from an undefined function.
    pub fn may_call_outside(&self, e: EdgeId) -> bool {
        self.external_calls.contains(&e)
    }

    /// Whether `f` may be called at all.
    pub fn reaches(&self, f: FuncId) -> bool {
        self.reached[f.index()]
    }
}
