//! Precisions of predicate abstraction: which predicates are tracked, and where.

use cfa::{FuncId, LocId, Term};
use imbl::{OrdMap, OrdSet};

/// Where the predicates that a path needs at a location are tracked from then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Scope {
    /// At this location.
    #[default]
    Location,
    /// In its function.
    Function,
    /// In the whole program.
    Program,
}

impl Scope {
    /// All scopes, by the names used in configurations.
    pub const ALL: [(&'static str, Scope); 3] =
        [("location", Scope::Location), ("function", Scope::Function), ("program", Scope::Program)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Scope::ALL.iter().find(|(_, scope)| *scope == self).map_or("", |(name, _)| name)
    }

    /// The place of this scope that contains the location `loc` of `func`.
    pub fn place(self, loc: LocId, func: FuncId) -> Place {
        match self {
            Scope::Location => Place::Location(loc),
            Scope::Function => Place::Function(func),
            Scope::Program => Place::Program,
        }
    }
}

/// A part of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A location.
    Location(LocId),
    /// A function.
    Function(FuncId),
    /// The whole program.
    Program,
}

/// The tracked predicates: Bool terms over program variables.
///
/// A local variable stands for that of the youngest activation of its function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Predicates {
    at: OrdMap<Place, OrdSet<Term>>,
}

impl Predicates {
    /// Tracks `predicate` in `place`. Returns whether it was not tracked there.
    pub fn add(&mut self, place: Place, predicate: Term) -> bool {
        self.at.entry(place).or_default().insert(predicate).is_none()
    }

    /// The predicates that are tracked at the location `loc` of `func`, ascending.
    pub fn of(&self, loc: LocId, func: FuncId) -> Vec<Term> {
        let places = [Scope::Location, Scope::Function, Scope::Program].map(|scope| scope.place(loc, func));
        let mut all: Vec<Term> = places.iter().filter_map(|p| self.at.get(p)).flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The precision that tracks what either does.
    pub fn join(&self, other: &Predicates) -> Predicates {
        let at = self.at.clone().union_with(other.at.clone(), OrdSet::union);
        Predicates { at }
    }

    /// The number of predicates, counted at each place.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks whether nothing is tracked")]
    pub fn len(&self) -> usize {
        self.at.values().map(OrdSet::len).sum()
    }
}
