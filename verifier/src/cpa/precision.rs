//! Precisions of value analyses: which variables they track, and which conditions become constraints [Lemberger 2018, 2.5].
//!
//! [`Precision`] serves all analyses that track variables. In a composition, each analysis has its own: refinement makes as few of them as
//! possible track more ([`Refinable::precisions`]; Beyer, Löwe, Wendler, SPIN 2015). The transfer relations do not compute values that
//! are not tracked, so no separate precision adjustment has to look at each state again.

use crate::cpa::{Action, Cpa, Step};
use crate::program::Program;
use cfa::{EdgeId, Id, Op, VarId};
use fixedbitset::FixedBitSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What an analysis keeps of the conditions on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conditions {
    /// The values of tracked variables that the condition fixes.
    Values,
    /// A constraint, if the condition itself is tracked.
    Constraints,
}

/// An analysis whose precision refinement extends.
pub trait Refinable: Cpa {
    /// The precisions that track `tracked`, the cheapest first: with each one, fewer parts of a composition track it than with the next
    /// one, and with the last one, all parts do.
    fn precisions(&self, tracked: &Tracked) -> Vec<Self::Precision>;

    /// The precision that tracks what either does.
    fn join(&self, a: &Self::Precision, b: &Self::Precision) -> Self::Precision;

    /// Whether `step` establishes something that `pi` tracks and `before` does not.
    fn asks_more(&self, pi: &Self::Precision, before: &Self::Precision, program: &Program, step: &Step<'_>) -> bool;

    /// The precision that tracks nothing.
    fn empty_precision(&self) -> Self::Precision {
        self.tracking(&Tracked::default())
    }

    /// The precision that tracks `tracked` in all parts.
    fn tracking(&self, tracked: &Tracked) -> Self::Precision {
        self.precisions(tracked).pop().expect("at least one precision")
    }
}

/// An analysis that tracks variables, and perhaps conditions.
pub trait TracksVariables: Cpa<Precision = Precision> {
    /// What it keeps of conditions.
    const CONDITIONS: Conditions;
}

impl<C: TracksVariables> Refinable for C {
    fn precisions(&self, tracked: &Tracked) -> Vec<Precision> {
        vec![match C::CONDITIONS {
            Conditions::Values => Precision::of(Tracked { conditions: FixedBitSet::new(), ..tracked.clone() }),
            Conditions::Constraints => Precision::of(tracked.clone()),
        }]
    }

    fn join(&self, a: &Precision, b: &Precision) -> Precision {
        a.join(b)
    }

    fn asks_more(&self, pi: &Precision, before: &Precision, program: &Program, step: &Step<'_>) -> bool {
        let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken) else { return false };
        let more = |v: VarId| pi.tracks(v) && !before.tracks(v);
        match (op, C::CONDITIONS) {
            (Op::Assume { .. }, Conditions::Constraints) => pi.tracks_condition(e) && !before.tracks_condition(e),
            (Op::Assume { cond, .. }, Conditions::Values) => program.base.vars(*cond).into_iter().any(more),
            _ => op.written().into_iter().any(more),
        }
    }
}

/// What is tracked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Precision {
    /// All variables and all conditions.
    Everything,
    /// Only these variables and conditions.
    Only(Rc<Tracked>),
}

/// Tracked variables and conditions.
///
/// Variables are tracked in all activations of their function.
#[derive(Clone, Default, Debug)]
pub struct Tracked {
    vars: FixedBitSet,
    conditions: FixedBitSet,
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Tracked) -> bool {
        // The bit sets themselves cannot be compared: they are equal only if their capacities are.
        self.vars().eq(other.vars()) && self.conditions().eq(other.conditions())
    }
}

impl Eq for Tracked {}

impl Hash for Tracked {
    fn hash<H: Hasher>(&self, h: &mut H) {
        self.vars().for_each(|v| v.hash(h));
        self.conditions().for_each(|e| e.hash(h));
    }
}

impl Precision {
    /// The precision that tracks this and no more.
    pub fn of(tracked: Tracked) -> Precision {
        Precision::Only(Rc::new(tracked))
    }

    /// Whether the values of `v` are tracked. If not, `transfer` treats `v` as a variable that may have any value.
    #[inline]
    pub fn tracks(&self, v: VarId) -> bool {
        match self {
            Precision::Everything => true,
            Precision::Only(tracked) => tracked.vars.contains(v.index()),
        }
    }

    /// Whether the condition on the edge `e` becomes a constraint.
    #[inline]
    pub fn tracks_condition(&self, e: EdgeId) -> bool {
        match self {
            Precision::Everything => true,
            Precision::Only(tracked) => tracked.conditions.contains(e.index()),
        }
    }

    /// The precision that tracks what this one or `other` tracks.
    pub fn join(&self, other: &Precision) -> Precision {
        match (self, other) {
            (Precision::Everything, _) | (_, Precision::Everything) => Precision::Everything,
            (Precision::Only(own), Precision::Only(other)) => {
                let mut joined = (**own).clone();
                joined.join(other);
                Precision::of(joined)
            }
        }
    }
}

impl Tracked {
    /// Tracks these variables, and the conditions on these edges.
    pub fn of(vars: impl IntoIterator<Item = VarId>, conditions: impl IntoIterator<Item = EdgeId>) -> Tracked {
        let mut tracked = Tracked::default();
        for v in vars {
            tracked.vars.grow_and_insert(v.index());
        }
        for e in conditions {
            tracked.conditions.grow_and_insert(e.index());
        }
        tracked
    }

    /// Tracks what `other` does, too.
    pub fn join(&mut self, other: &Tracked) {
        self.vars.union_with(&other.vars);
        self.conditions.union_with(&other.conditions);
    }

    /// The number of variables and conditions.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks whether nothing is tracked")]
    pub fn len(&self) -> usize {
        self.vars.count_ones(..) + self.conditions.count_ones(..)
    }

    /// The variables, ascending.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.ones().map(VarId::from_index)
    }

    /// The edges of the conditions, ascending.
    pub fn conditions(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.conditions.ones().map(EdgeId::from_index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_hash::FxHasher;

    const VARS: u32 = 200;
    const EDGES: u32 = 300;

    fn tracked() -> impl Strategy<Value = Tracked> {
        let vars = prop::collection::vec(0..VARS, 0..6);
        (vars, prop::collection::vec(0..EDGES, 0..6))
            .prop_map(|(vars, conditions)| Tracked::of(vars.into_iter().map(VarId), conditions.into_iter().map(EdgeId)))
    }

    fn precision() -> impl Strategy<Value = Precision> {
        prop_oneof![
            1 => Just(Precision::Everything),
            8 => tracked().prop_map(Precision::of),
        ]
    }

    fn hash(p: &Precision) -> u64 {
        let mut h = FxHasher::default();
        p.hash(&mut h);
        h.finish()
    }

    /// Whether `b` tracks everything that `a` tracks.
    fn within(a: &Precision, b: &Precision) -> bool {
        (0..VARS).map(VarId).all(|v| !a.tracks(v) || b.tracks(v))
            && (0..EDGES).map(EdgeId).all(|e| !a.tracks_condition(e) || b.tracks_condition(e))
    }

    proptest! {
        /// A join tracks what either tracks, and nothing else.
        #[test]
        fn join_is_union(p in precision(), t in tracked()) {
            let only = Precision::of(t);
            let joined = p.join(&only);
            prop_assert!(within(&p, &joined) && within(&only, &joined));
            for v in (0..VARS).map(VarId) {
                prop_assert_eq!(joined.tracks(v), p.tracks(v) || only.tracks(v));
            }
            for e in (0..EDGES).map(EdgeId) {
                prop_assert_eq!(joined.tracks_condition(e), p.tracks_condition(e) || only.tracks_condition(e));
            }
        }

        /// Two precisions are equal if they track the same, no matter how they were built, and equal precisions have equal hashes.
        #[test]
        fn joins_in_any_order_are_equal(p in precision(), a in precision(), b in precision()) {
            let (ab, ba) = (p.join(&a).join(&b), p.join(&b).join(&a));
            prop_assert_eq!(&ab, &ba);
            prop_assert_eq!(hash(&ab), hash(&ba));
            let again = ab.join(&a);
            prop_assert_eq!(&again, &ab);
            prop_assert_eq!(hash(&again), hash(&ab));
        }

        #[test]
        fn equality_is_that_of_what_is_tracked(a in precision(), b in precision()) {
            // `Everything` tracks more than any program has.
            let is_everything = |p: &Precision| matches!(p, Precision::Everything);
            prop_assert_eq!(a == b, within(&a, &b) && within(&b, &a) && is_everything(&a) == is_everything(&b));
        }
    }
}
