//! Merging of states (Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012).
//!
//! Two states are merged if the constants of their variables agree, so that what steers loops and addresses stays constant. A merged state
//! has the constraints of one of the two or those of the other; where other values differ, a new symbol, the choice, selects the value and
//! the constraints at the same time. If they differ because a condition has fixed a symbol in one of them, such as a character that turned
//! out to be a blank, the symbol comes back, and that it has this value is a constraint again. Memories are merged cell by cell. Cells as
//! wide as an address keep their states apart, too: they are pointers and lengths. So do values and constraints with floating-point
//! operations, which are hard for solvers in alternatives.
//!
//! Which other cells steer the program is found out on the way: where an address depends on a choice, the state is split again, and the cell
//! that brought the choice there keeps states apart from then on. An address in a table of constants (as in `isspace`) does not matter,
//! unless the choice is between constants (as for the state of an automaton that is given by a table).

use crate::cpa::Cx;
use crate::domains::symbolic::{Caller, State};
use cfa::eval::Value;
use cfa::term::{Differences, Kind, Leaf, Part as Cells, Symbols};
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
    /// The values that had replaced symbols of the merged state in this part.
    pub own: Values,
    /// The same for all older parts.
    pub older: Values,
}

/// Values of symbols.
pub(super) type Values = Vec<(SymId, Term)>;

impl Part {
    /// Whether both are the same part of a state.
    pub(super) fn is_same(&self, other: &Part) -> bool {
        self.choice == other.choice && Rc::ptr_eq(&self.state, &other.state)
    }
}

/// Maximum number of values that a merge makes depend on a choice.
const MOST_CHOSEN: usize = 64;

/// Where a value is: a variable, or cells of a memory.
type Place = (VarId, Option<Cells>);

/// An address in an operation, and the memory if it is read there.
type Address = (Term, Option<Term>);

/// A value that depends on a choice.
struct Chosen {
    /// Where it was when the choice was made.
    place: Place,
    /// Whether the choice is between constants.
    constants: bool,
}

/// What merges have led to so far.
#[derive(Default)]
pub(super) struct Merges {
    choices: FxHashSet<SymId>,
    /// The values that depend on choices.
    chosen: FxHashMap<Term, Chosen>,
    /// The places whose values addresses have depended on.
    steering: FxHashSet<Place>,
    /// A cache: the addresses in the operation of an edge.
    addresses: FxHashMap<EdgeId, Rc<[Address]>>,
    /// A cache: the symbols of terms.
    symbols: Symbols,
    /// A cache: which memories are tables of constants.
    tables: FxHashMap<Term, bool>,
    /// A cache: whether terms have floating-point operations.
    floats: FxHashMap<Term, bool>,
}

impl Merges {
    /// A choice on which an address in the operation of an edge depends in `s`.
    pub(super) fn steering_choice(&mut self, cx: &mut Cx<'_>, s: &State, (e, op): (EdgeId, &Op)) -> Option<SymId> {
        let program = cx.program;
        let addresses = self.addresses.entry(e).or_insert_with(|| addresses(&program.base, op)).clone();
        let mut env = s.env.clone();
        for (address, memory) in addresses.iter() {
            let address = env.eval(&program.cfa, &mut cx.terms, *address);
            if is_constant(&cx.terms, address) {
                continue;
            }
            let Some(mut choice) = self.choice_in(&cx.terms, address) else { continue };
            let mut parts = cx.terms.subterms(&[address], |_| false);
            if let Some(memory) = memory {
                let memory = env.eval(&program.cfa, &mut cx.terms, *memory);
                if self.is_table(&cx.terms, memory) {
                    parts.retain(|t| self.chosen.get(t).is_some_and(|chosen| chosen.constants));
                    let Some(t) = parts.last() else { continue };
                    choice = self.choice_in(&cx.terms, *t)?;
                }
            }
            self.steering.extend(parts.iter().filter_map(|t| Some(self.chosen.get(t)?.place)));
            return Some(choice);
        }
        None
    }

    /// Whether all that was written to `memory` is constant, and where.
    fn is_table(&mut self, terms: &Terms, memory: Term) -> bool {
        let symbols = &mut self.symbols;
        *self.tables.entry(memory).or_insert_with(|| {
            let mut at = memory;
            while let Kind::Write | Kind::Copy = terms.kind(at) {
                let args = terms.args(at);
                if args[1..].iter().any(|t| !symbols.of(terms, *t).is_empty()) {
                    return false;
                }
                at = args[0];
            }
            matches!(terms.kind(at), Kind::Sym(_) | Kind::ConstArray)
        })
    }

    /// The last choice on which `t` depends.
    fn choice_in(&mut self, terms: &Terms, t: Term) -> Option<SymId> {
        self.symbols.of(terms, t).iter().rev().find(|s| self.choices.contains(s)).copied()
    }

    /// Whether states differ where this steers the program.
    fn are_steered_apart(&self, terms: &mut Terms, new: &State, old: &State) -> bool {
        self.steering.iter().any(|(v, cells)| {
            let mut find = |s: &State| {
                let value = s.maps().find_map(|(_, map)| map.get(v).copied())?;
                let (Some(cells), Sort::Array { index, .. }) = (cells, terms.sort(value)) else { return Some(value) };
                let address = terms.address_of(*cells, index);
                Some(terms.read(value, address, cells.width))
            };
            find(new) != find(old)
        })
    }

    /// Whether a part of `t` is a floating-point operation.
    fn has_floats(&mut self, terms: &Terms, t: Term) -> bool {
        let mut open = vec![t];
        while let Some(&t) = open.last() {
            let known = matches!(terms.kind(t), Kind::Float(..)).then_some(true);
            let args = || terms.args(t).iter().map(|a| self.floats.get(a).copied());
            let known = known.or_else(|| args().try_fold(false, |any, a| Some(any || a?)));
            match known {
                Some(has) => {
                    self.floats.insert(t, has);
                    open.pop();
                }
                None => open.extend(terms.args(t).iter().filter(|a| !self.floats.contains_key(*a))),
            }
        }
        self.floats[&t]
    }
}

/// The addresses in an operation.
fn addresses(terms: &Terms, op: &Op) -> Rc<[Address]> {
    let mut found = Vec::new();
    for t in terms.subterms(&op.terms(), |_| false) {
        match (terms.kind(t), terms.args(t)) {
            (Kind::Read, args) => found.push((args[1], Some(args[0]))),
            (Kind::Write, args) => found.push((args[1], None)),
            (Kind::Copy, args) => found.extend([args[1], args[3], args[4]].map(|t| (t, None))),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// A state that represents what `new` and `old` do; `None` if they are to be kept apart.
pub(super) fn disjunction(merges: &mut Merges, terms: &mut Terms, new: &State, old: &State) -> Option<State> {
    if merges.are_steered_apart(terms, new, old) {
        return None;
    }
    let sides = [new, old].map(|s| Side { fixed: s.fixed.clone(), released: Values::new() });
    let mut merging = Merging { merges, terms, sides, choice: None, chosen: 0 };
    let mut merged = State {
        env: old.env.clone(),
        callers: merging.callers(&new.callers, &old.callers)?,
        constraints: OrdSet::new(),
        known: new.known.or(&old.known),
        case: Vec::new(),
        reads: old.reads.clone().filter(|reads| new.reads.as_ref() == Some(reads)),
        inputs: new.inputs.max(old.inputs),
        met: new.met.max(old.met),
        ..old.clone()
    };
    merged.env.globals = merging.map(&new.env.globals, &old.env.globals)?;
    merged.env.locals = merging.map(&new.env.locals, &old.env.locals)?;
    let Merging { choice, sides: [ours, theirs], .. } = merging;
    merges.choices.extend(choice);
    merged.is_merged |= choice.is_some();
    let is_released = |s| [&ours, &theirs].iter().any(|side| side.released.iter().any(|(other, _)| s == *other));
    let stays = |(s, value): &(&SymId, &Term)| new.fixed.get(*s) == Some(*value) && !is_released(**s);
    merged.fixed = old.fixed.iter().filter(stays).map(|(s, value)| (*s, *value)).collect();
    let common: OrdSet<Term> = old.constraints.iter().filter(|c| new.constraints.contains(*c)).copied().collect();
    let mut own = |s: &State, released: &Values| -> Option<Term> {
        let mut own: Vec<Term> = s.constraints.iter().filter(|c| !common.contains(*c)).copied().collect();
        for (symbol, value) in released {
            let symbol = terms.sym(*symbol);
            own.push(terms.eq(symbol, *value));
        }
        let has_floats = own.iter().any(|c| merges.has_floats(terms, *c));
        (!has_floats).then(|| terms.and_all(own))
    };
    let (if_new, if_old) = (own(new, &ours.released)?, own(old, &theirs.released)?);
    let mut constraints = common;
    match choice {
        None => {
            let either = terms.or(if_new, if_old);
            constraints.insert(either);
        }
        Some(choice) => {
            let chosen = terms.sym(choice);
            constraints.insert(terms.implies(chosen, if_new));
            constraints.insert(terms.or(chosen, if_old));
        }
    }
    merged.constraints = constraints.into_iter().filter(|c| terms.as_bool(*c) != Some(true)).collect();
    let no = terms.ff();
    let in_old: Values = choice.map(|choice| (choice, no)).into_iter().chain(theirs.released.iter().copied()).collect();
    if let Some(model) = old.model.as_ref().filter(|_| !in_old.is_empty()) {
        let mut values: FxHashMap<Leaf, Value> = model.borrow().values().map(|(leaf, v)| (leaf, v.clone())).collect();
        for (symbol, value) in &in_old {
            values.insert(Leaf::Sym(*symbol), cfa::eval::eval(terms, *value, &mut |_| None)?);
        }
        merged.model = Some(Rc::new(RefCell::new(Model::new(values))));
    }
    merged.in_old = in_old.into();
    let part = |choice, state: State, own, older| Part { choice, state: Rc::new(state), own, older };
    let mut parts = old.parts.clone();
    if choice.is_none() && !(parts.is_empty() && ours.released.is_empty()) {
        // The whole is better than the parts of which it consists.
        let whole = State { parts: Vector::new(), ..merged.clone() };
        parts = Vector::unit(part(None, whole, Values::new(), Values::new()));
    } else if choice.is_some() && parts.is_empty() {
        parts.push_back(part(None, old.clone(), Values::new(), Values::new()));
    }
    if choice.is_some() || !ours.released.is_empty() {
        let older = if choice.is_some() { theirs.released } else { Values::new() };
        parts.push_back(part(choice, new.clone(), ours.released, older));
    }
    merged.parts = parts;
    Some(merged)
}

/// A merge of two states, the new and the old one.
struct Merging<'a> {
    merges: &'a mut Merges,
    terms: &'a mut Terms,
    /// The new state and the old one.
    sides: [Side; 2],
    /// The symbol that is true for the new state, once some value needs it.
    choice: Option<SymId>,
    /// The number of values that depend on it.
    chosen: usize,
}

/// What is needed of a state that is merged.
struct Side {
    /// The values by which symbols were replaced.
    fixed: OrdMap<SymId, Term>,
    /// Those of them that come back.
    released: Values,
}

impl Side {
    fn release(&mut self, symbols: &[SymId]) {
        for s in symbols {
            if let Some(value) = self.fixed.get(s)
                && !self.released.contains(&(*s, *value))
            {
                self.released.push((*s, *value));
            }
        }
    }
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
        if self.merges.steering.contains(&place) {
            return None;
        }
        if let Some(before) = self.before_it_was_fixed(ours, theirs) {
            return Some(before);
        }
        self.chosen += 1;
        if self.chosen > MOST_CHOSEN {
            return None;
        }
        if [ours, theirs].iter().any(|t| self.merges.has_floats(self.terms, *t)) {
            return None;
        }
        let choice = *self.choice.get_or_insert_with(|| self.terms.fresh_sym("choice", Sort::Bool));
        let choice = self.terms.sym(choice);
        let either = self.terms.ite(choice, ours, theirs);
        let constants = is_constant(self.terms, ours) && is_constant(self.terms, theirs);
        self.merges.chosen.insert(either, Chosen { place, constants });
        Some(either)
    }

    /// What the values were before symbols were fixed, if that explains the difference.
    fn before_it_was_fixed(&mut self, ours: Term, theirs: Term) -> Option<Term> {
        let values = [ours, theirs];
        for (fixed, free) in [(0, 1), (1, 0)] {
            let side = &mut self.sides[fixed];
            let symbols = self.merges.symbols.of(self.terms, values[free]);
            if !symbols.iter().any(|s| side.fixed.contains_key(s)) {
                continue;
            }
            let mut value = |_: &mut Terms, leaf| match leaf {
                Leaf::Sym(s) => side.fixed.get(&s).copied(),
                _ => None,
            };
            if self.terms.substitute(values[free], &mut FxHashMap::default(), &mut value) == values[fixed] {
                side.release(&symbols);
                return Some(values[free]);
            }
        }
        let [new, old] = &mut self.sides;
        let mut both =
            new.fixed.iter().filter(|(s, v)| **v == ours && old.fixed.get(*s) == Some(&theirs)).map(|(s, _)| *s);
        // Each of them will do; the same ones in the same order as the values are the likeliest.
        let first = both.next()?;
        let symbol = std::iter::once(first)
            .chain(both)
            .find(|s| new.released.iter().all(|(used, _)| s != used))
            .unwrap_or(first);
        new.release(&[symbol]);
        old.release(&[symbol]);
        Some(self.terms.sym(symbol))
    }

    /// A memory with the cells of one or the other, if they differ only by writes at known addresses.
    fn memory(&mut self, v: VarId, ours: Term, theirs: Term) -> Option<Term> {
        let Sort::Array { index, .. } = self.terms.sort(ours) else { return None };
        let Differences { parts, below, changes } = self.terms.written_parts(ours, theirs)?;
        // Few writes: chains that grow with each merge could not be compared any more.
        let from_below = parts.len() <= changes;
        let mut merged = if from_below { below } else { theirs };
        for part in parts {
            let address = self.terms.address_of(part, index);
            let (a, b) = (self.terms.read(ours, address, part.width), self.terms.read(theirs, address, part.width));
            if a != b && part.width >= index {
                return None;
            }
            let value = if a == b { a } else { self.either((v, Some(part)), a, b)? };
            if from_below || value != b {
                merged = self.terms.write(merged, address, value);
            }
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
