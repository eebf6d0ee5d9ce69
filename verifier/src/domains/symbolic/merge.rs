//! Merging of states with the same values: the constraints of one, or those of the other (Kuznetsov, Kinder, Bucur, Candea, "Efficient
//! state merging in symbolic execution", PLDI 2012; other values than constraints are never merged here, so that what is constant stays
//! so).

use crate::domains::symbolic::State;
use cfa::term::Kind;
use cfa::{Term, Terms};
use imbl::OrdSet;

/// A state that represents what `new` and `old` do; `None` if their values differ.
pub(super) fn disjunction(terms: &mut Terms, new: &State, old: &State) -> Option<State> {
    if new.env != old.env || new.callers != old.callers {
        return None;
    }
    let common: OrdSet<Term> = old.constraints.iter().filter(|c| new.constraints.contains(*c)).copied().collect();
    let own = |terms: &mut Terms, s: &State| {
        let own: Vec<Term> = s.constraints.iter().filter(|c| !common.contains(*c)).copied().collect();
        terms.and_all(own)
    };
    let (ours, theirs) = (own(terms, new), own(terms, old));
    let either = terms.or(ours, theirs);
    let mut constraints = common;
    match terms.as_bool(either) {
        Some(true) => {}
        _ => _ = constraints.insert(either),
    }
    Some(State { constraints, ..old.clone() })
}

/// Whether `t` follows from `constraints` because it is made of them: a conjunction or disjunction of what follows.
pub(super) fn is_made_of(terms: &Terms, constraints: &OrdSet<Term>, t: Term) -> bool {
    // Disjunctions of merged states nest as deep as many of them were merged.
    const STEPS: usize = 200;
    let mut left = STEPS;
    fn follows(terms: &Terms, constraints: &OrdSet<Term>, t: Term, left: &mut usize) -> bool {
        if constraints.contains(&t) {
            return true;
        }
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match terms.kind(t) {
            Kind::And => terms.args(t).iter().all(|a| follows(terms, constraints, *a, left)),
            Kind::Or => terms.args(t).iter().any(|a| follows(terms, constraints, *a, left)),
            _ => false,
        }
    }
    follows(terms, constraints, t, &mut left)
}
