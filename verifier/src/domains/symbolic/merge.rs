//! Merging of states (Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012).
//!
//! Two states are merged if the constants of their variables agree, so that what steers loops and addresses stays constant. A merged state
//! has the constraints of one of the two or those of the other; where other values differ, a new symbol, the choice, selects the value and
//! the constraints at the same time. Memories are merged cell by cell. Cells as wide as an address keep their states apart, too: they are
//! pointers and lengths. So do values and constraints with floating-point operations, which are hard for solvers in alternatives.
//!
//! Which other cells steer the program is found out on the way: where an address depends on a choice, the state is split again, and the cell
//! that brought the choice there keeps states apart from then on.

use crate::cpa::Cx;
use crate::domains::symbolic::{Caller, State};
use cfa::eval::Value;
use cfa::term::{Kind, Leaf, Symbols};
use cfa::{EdgeId, Op, Sort, SymId, Term, Terms, VarId};
use imbl::{OrdMap, OrdSet, Vector};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Model;
use std::cell::RefCell;
use std::rc::Rc;

/// A state that was merged into another one.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The symbol that is true for this part and false for all older ones; none for the oldest.
    pub choice: Option<SymId>,
    /// The state before it was merged.
    pub state: Rc<State>,
}

impl Part {
    /// Whether both are the same part of a state.
    pub(super) fn is_same(&self, other: &Part) -> bool {
        self.choice == other.choice && Rc::ptr_eq(&self.state, &other.state)
    }
}

/// Maximum number of values that a merge makes depend on a choice.
const MOST_CHOSEN: usize = 64;

/// Where a value is: a variable, or the byte of a memory at which a cell begins, counted from a term if there is one.
type Place = (VarId, Option<(Option<Term>, u64)>);

/// What merges have led to so far.
#[derive(Default)]
pub(super) struct Merges {
    choices: FxHashSet<SymId>,
    /// The places of the values that depend on choices, when these were made.
    places: FxHashMap<Term, Place>,
    /// The places whose values addresses have depended on.
    steering: FxHashSet<Place>,
    /// A cache: the addresses in the operation of an edge.
    addresses: FxHashMap<EdgeId, Rc<[Term]>>,
    /// A cache: whether terms have floating-point operations.
    floats: FxHashMap<Term, bool>,
}

impl Merges {
    /// A choice on which an address in the operation of an edge depends in `s`.
    pub(super) fn steering_choice(
        &mut self,
        symbols: &mut Symbols,
        cx: &mut Cx<'_>,
        s: &State,
        (e, op): (EdgeId, &Op),
    ) -> Option<SymId> {
        let program = cx.program;
        let addresses = self.addresses.entry(e).or_insert_with(|| addresses(&program.base, op)).clone();
        let mut env = s.env.clone();
        for t in addresses.iter() {
            let address = env.eval(&program.cfa, &mut cx.terms, *t);
            if is_constant(&cx.terms, address) {
                continue;
            }
            let found = symbols.of(&cx.terms, address).iter().rev().find(|s| self.choices.contains(s)).copied();
            if found.is_some() {
                let parts = cx.terms.subterms(&[address], |_| false);
                self.steering.extend(parts.iter().filter_map(|t| self.places.get(t)));
                return found;
            }
        }
        None
    }

    fn has_floats(&mut self, terms: &Terms, t: Term) -> bool {
        let is_float = |t: &Term| matches!(terms.kind(*t), Kind::Float(..));
        *self.floats.entry(t).or_insert_with(|| terms.subterms(&[t], |_| false).iter().any(is_float))
    }
}

/// The addresses of memory in an operation.
fn addresses(terms: &Terms, op: &Op) -> Rc<[Term]> {
    let mut found = Vec::new();
    for t in terms.subterms(&op.terms(), |_| false) {
        match (terms.kind(t), terms.args(t)) {
            (Kind::Read | Kind::Write, args) => found.push(args[1]),
            (Kind::Copy, args) => found.extend([args[1], args[3], args[4]]),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// A state that represents what `new` and `old` do; `None` if they are to be kept apart.
pub(super) fn disjunction(merges: &mut Merges, terms: &mut Terms, new: &State, old: &State) -> Option<State> {
    let mut merging = Merging { merges, terms, choice: None, chosen: 0 };
    let mut merged = State {
        env: old.env.clone(),
        callers: merging.callers(&new.callers, &old.callers)?,
        constraints: OrdSet::new(),
        known: new.known.or(&old.known),
        case: Vec::new(),
        reads: None,
        inputs: new.inputs.max(old.inputs),
        met: new.met.max(old.met),
        ..old.clone()
    };
    merged.env.globals = merging.map(&new.env.globals, &old.env.globals)?;
    merged.env.locals = merging.map(&new.env.locals, &old.env.locals)?;
    let choice = merging.choice;
    merges.choices.extend(choice);
    merged.is_merged |= choice.is_some();
    let common: OrdSet<Term> = old.constraints.iter().filter(|c| new.constraints.contains(*c)).copied().collect();
    let mut own = |s: &State| -> Option<Term> {
        let own: Vec<Term> = s.constraints.iter().filter(|c| !common.contains(*c)).copied().collect();
        let has_floats = own.iter().any(|c| merges.has_floats(terms, *c));
        (!has_floats).then(|| terms.and_all(own))
    };
    let (ours, theirs) = (own(new)?, own(old)?);
    let mut constraints = common;
    match choice {
        None => {
            let either = terms.or(ours, theirs);
            constraints.insert(either);
        }
        Some(choice) => {
            let chosen = terms.sym(choice);
            constraints.insert(terms.implies(chosen, ours));
            constraints.insert(terms.or(chosen, theirs));
            merged.model = old.model.as_ref().map(|model| {
                let known = model.borrow();
                let known = known.values().map(|(leaf, value)| (leaf, value.clone()));
                let values = known.chain([(Leaf::Sym(choice), Value::Bool(false))]).collect();
                Rc::new(RefCell::new(Model::new(values)))
            });
        }
    }
    merged.constraints = constraints.into_iter().filter(|c| terms.as_bool(*c) != Some(true)).collect();
    merged.parts = match choice {
        Some(_) => {
            let part = |choice, state: &State| Part { choice, state: Rc::new(state.clone()) };
            let mut parts = old.parts.clone();
            if parts.is_empty() {
                parts.push_back(part(None, old));
            }
            parts.push_back(part(choice, new));
            parts
        }
        // The whole is better than the parts of which it consists.
        None if old.parts.is_empty() => Vector::new(),
        None => Vector::unit(Part { choice: None, state: Rc::new(State { parts: Vector::new(), ..merged.clone() }) }),
    };
    Some(merged)
}

/// A merge of two states, the new and the old one.
struct Merging<'a> {
    merges: &'a mut Merges,
    terms: &'a mut Terms,
    /// The symbol that is true for the new state, once some value needs it.
    choice: Option<SymId>,
    /// The number of values that depend on it.
    chosen: usize,
}

impl Merging<'_> {
    fn map(&mut self, new: &OrdMap<VarId, Term>, old: &OrdMap<VarId, Term>) -> Option<OrdMap<VarId, Term>> {
        if new.ptr_eq(old) {
            return Some(old.clone());
        }
        if new.len() != old.len() {
            return None;
        }
        let mut merged = old.clone();
        for ((v, ours), (w, theirs)) in new.iter().zip(old.iter()) {
            if v != w {
                return None;
            }
            if ours != theirs {
                merged.insert(*v, self.value(*v, *ours, *theirs)?);
            }
        }
        Some(merged)
    }

    fn callers(&mut self, new: &Option<Rc<Caller>>, old: &Option<Rc<Caller>>) -> Option<Option<Rc<Caller>>> {
        match (new, old) {
            (None, None) => Some(None),
            (Some(ours), Some(theirs)) if Rc::ptr_eq(ours, theirs) => Some(Some(theirs.clone())),
            (Some(ours), Some(theirs)) => {
                let below = self.callers(&ours.below, &theirs.below)?;
                let locals = self.map(&ours.locals, &theirs.locals)?;
                Some(Some(Rc::new(Caller { locals, below })))
            }
            _ => None,
        }
    }

    fn value(&mut self, v: VarId, ours: Term, theirs: Term) -> Option<Term> {
        match self.terms.sort(ours) {
            Sort::Array { .. } => self.memory(v, ours, theirs),
            _ if [ours, theirs].iter().all(|t| is_constant(self.terms, *t) || self.terms.is_known_address(*t)) => None,
            _ => self.either((v, None), ours, theirs),
        }
    }

    /// The value that the choice selects, unless it is at a place that steers.
    fn either(&mut self, place: Place, ours: Term, theirs: Term) -> Option<Term> {
        self.chosen += 1;
        if self.chosen > MOST_CHOSEN || self.merges.steering.contains(&place) {
            return None;
        }
        if [ours, theirs].iter().any(|t| self.merges.has_floats(self.terms, *t)) {
            return None;
        }
        let choice = *self.choice.get_or_insert_with(|| self.terms.fresh_sym("choice", Sort::Bool));
        let choice = self.terms.sym(choice);
        let either = self.terms.ite(choice, ours, theirs);
        self.merges.places.insert(either, place);
        Some(either)
    }

    /// A memory with the cells of one or the other, if they differ only by writes at known addresses.
    fn memory(&mut self, v: VarId, ours: Term, theirs: Term) -> Option<Term> {
        let Sort::Array { index, .. } = self.terms.sort(ours) else { return None };
        let mut merged = theirs;
        for part in self.terms.written_parts(ours, theirs)? {
            let address = self.terms.address_of(part, index);
            let (a, b) = (self.terms.read(ours, address, part.width), self.terms.read(theirs, address, part.width));
            if a == b {
                continue;
            }
            if part.width >= index {
                return None;
            }
            let value = self.either((v, Some((part.base, part.at))), a, b)?;
            merged = self.terms.write(merged, address, value);
        }
        Some(merged)
    }
}

fn is_constant(terms: &Terms, t: Term) -> bool {
    matches!(terms.kind(t), Kind::Const(_) | Kind::BigConst(_) | Kind::Bool(_))
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
