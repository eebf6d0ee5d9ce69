//! How refinement finds predicate abstraction in a composition.

use super::{PredicateCpa, Predicates, State};
use crate::cpa::Cpa;
use crate::cpa::skeleton::composite::Composite;

/// An analysis that may be, or contain, predicate abstraction.
pub trait Abstracts: Cpa {
    /// The predicate abstraction.
    fn abstraction(&mut self) -> Option<&mut PredicateCpa> {
        None
    }

    /// Its part of a state.
    fn abstract_state(_s: &Self::State) -> Option<&State> {
        None
    }

    /// Its part of a precision.
    fn predicates(_pi: &mut Self::Precision) -> Option<&mut Predicates> {
        None
    }
}

impl Abstracts for PredicateCpa {
    fn abstraction(&mut self) -> Option<&mut PredicateCpa> {
        Some(self)
    }

    fn abstract_state(s: &State) -> Option<&State> {
        Some(s)
    }

    fn predicates(pi: &mut Predicates) -> Option<&mut Predicates> {
        Some(pi)
    }
}

impl<P: Abstracts> Abstracts for Composite<P> {
    fn abstraction(&mut self) -> Option<&mut PredicateCpa> {
        self.parts.abstraction()
    }

    fn abstract_state(s: &Self::State) -> Option<&State> {
        P::abstract_state(&s.values)
    }

    fn predicates(pi: &mut P::Precision) -> Option<&mut Predicates> {
        P::predicates(pi)
    }
}
