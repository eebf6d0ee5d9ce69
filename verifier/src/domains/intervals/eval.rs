//! Evaluation of terms: what is known of the value of a term, from what is known of its variables.
//!
//! Terms on edges are small, so evaluation is plain recursion; after a maximum number of visits, the result is any value.

use crate::domains::intervals::relations::Orders;
use crate::domains::intervals::slots::{Address, Overlap, Slot};
use crate::domains::intervals::state::State;
use crate::domains::intervals::value::{Value, width_of};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms, VarId};

/// Maximum number of subterms visited.
const MAX_VISITS: u32 = 2_000;
/// Maximum nesting depth of definitions.
const MAX_DEFINITIONS: u32 = 3;

/// Evaluates terms in one state.
pub(super) struct Evaluator<'a> {
    terms: &'a Terms,
    state: &'a State,
    visits: u32,
    definitions: u32,
}

impl<'a> Evaluator<'a> {
    /// An evaluation in `state`.
    pub(super) fn new(terms: &'a Terms, state: &'a State) -> Evaluator<'a> {
        Evaluator { terms, state, visits: MAX_VISITS, definitions: MAX_DEFINITIONS }
    }

    /// The value of `v`: the intersection of its own value and that of its definition.
    pub(super) fn variable(&mut self, v: VarId, width: u32) -> Value {
        let own = self.state.values.get(&v);
        let Some(definition) = self.state.definitions.get(&v).filter(|_| self.definitions > 0) else {
            return own.cloned().unwrap_or_else(|| Value::any(width));
        };
        self.definitions -= 1;
        let defined = self.integer(*definition, width);
        self.definitions += 1;
        own.map_or(defined.clone(), |own| own.intersect(&defined))
    }

    /// The value of `t`; `None` for memories and wide numbers, which are not tracked.
    pub(super) fn eval(&mut self, t: Term) -> Option<Value> {
        width_of(self.terms.sort(t)).map(|width| self.integer(t, width))
    }

    /// The possible orders of the two numbers that are compared.
    fn orders(&self, args: &[Term]) -> Orders {
        self.state.orders(self.terms, args[0], args[1])
    }

    fn integer(&mut self, t: Term, width: u32) -> Value {
        if self.visits == 0 {
            return Value::any(width);
        }
        self.visits -= 1;
        self.known(t, width).unwrap_or_else(|| Value::any(width))
    }

    fn known(&mut self, t: Term, width: u32) -> Option<Value> {
        let terms = self.terms;
        let args = terms.args(t);
        Some(match terms.kind(t) {
            Kind::Const(k) => Value::single(width, k),
            Kind::Bool(b) => Value::of_bool(b),
            Kind::Var(v) => self.variable(v, width),
            Kind::Not | Kind::BvNot => self.eval(args[0])?.not(),
            Kind::BvNeg => self.eval(args[0])?.negate(),
            Kind::And | Kind::Or => {
                let decisive = terms.kind(t) == Kind::Or;
                let decides = |v: &Value| v.as_bool() == Some(decisive);
                let a = self.eval(args[0])?;
                if decides(&a) {
                    return Some(a);
                }
                let b = self.eval(args[1])?;
                match (a.as_bool(), b.as_bool()) {
                    _ if decides(&b) => b,
                    (Some(_), Some(_)) => a,
                    _ => Value::any(1),
                }
            }
            Kind::Ite => match self.eval(args[0])?.as_bool() {
                Some(true) => self.eval(args[1])?,
                Some(false) => self.eval(args[2])?,
                None => self.eval(args[1])?.union(&self.eval(args[2])?),
            },
            Kind::Eq if args[0] == args[1] => Value::of_bool(true),
            Kind::Eq if self.orders(args) == Orders::EQUAL => Value::of_bool(true),
            Kind::Eq if self.orders(args).is_subset(Orders::UNEQUAL) => Value::of_bool(false),
            Kind::Eq => Value::equal(&self.eval(args[0])?, &self.eval(args[1])?),
            Kind::Bv(op) => Value::apply(op, &self.eval(args[0])?, &self.eval(args[1])?),
            Kind::Cmp(cmp) if self.orders(args).is_subset(Orders::of(cmp, true)) => Value::of_bool(true),
            Kind::Cmp(cmp) if self.orders(args).is_subset(Orders::of(cmp, false)) => Value::of_bool(false),
            Kind::Cmp(cmp) => Value::compare(cmp, &self.eval(args[0])?, &self.eval(args[1])?),
            Kind::Extract { hi, lo } => self.eval(args[0])?.extract(hi, lo),
            Kind::Concat => self.eval(args[0])?.concat(&self.eval(args[1])?),
            Kind::Zext => self.eval(args[0])?.zext(width),
            Kind::Sext => self.eval(args[0])?.sext(width),
            Kind::Read => {
                let address = self.address(args[1])?;
                self.cell(args[0], address, width)?
            }
            Kind::BigConst(_)
            | Kind::Sym(_)
            | Kind::Addr(_)
            | Kind::Float(..)
            | Kind::Write
            | Kind::ConstArray
            | Kind::Copy => return None,
        })
    }

    /// The address that `t` describes: a number if its value is known.
    pub(super) fn address(&mut self, t: Term) -> Option<Address> {
        match self.eval(t)?.as_single() {
            Some(k) => Some(Address::known(self.terms.width(t), k)),
            None => Address::of(self.terms, t),
        }
    }

    /// What is known of `slot`.
    pub(super) fn slot(&mut self, slot: &Slot) -> Option<Value> {
        let state = self.state;
        state.slots.value(slot, self).cloned()
    }

    /// The value of `width` bits at `address` of the memory `m`; `None` if nothing is known of it.
    pub(super) fn cell(&mut self, m: Term, address: Address, width: u32) -> Option<Value> {
        if self.visits == 0 {
            return None;
        }
        self.visits -= 1;
        let terms = self.terms;
        let args = terms.args(m);
        match terms.kind(m) {
            Kind::Var(memory) => self.slot(&Slot { memory, address, width }),
            Kind::Write => {
                let written = terms.width(args[2]);
                let at = self.address(args[1])?;
                let distance = address.distance(&at, self)?;
                match Overlap::at(&distance, u64::from(width / 8), u64::from(written / 8)) {
                    Overlap::Same => self.eval(args[2]),
                    Overlap::Disjoint => self.cell(args[0], address, width),
                    // Accesses of one cell of the memory are of the same cell or of different ones.
                    Overlap::Open if width == written && cell_width(terms, m) == width => {
                        Some(self.eval(args[2])?.union(&self.cell(args[0], address, width)?))
                    }
                    Overlap::Open => None,
                }
            }
            Kind::ConstArray if terms.width(args[0]) == width => self.eval(args[0]),
            Kind::Ite => match self.eval(args[0])?.as_bool() {
                Some(true) => self.cell(args[1], address, width),
                Some(false) => self.cell(args[2], address, width),
                None => Some(self.cell(args[1], address, width)?.union(&self.cell(args[2], address, width)?)),
            },
            _ => None,
        }
    }
}

/// The width of the cells of the memory `m`.
fn cell_width(terms: &Terms, m: Term) -> u32 {
    match terms.sort(m) {
        Sort::Array { elem, .. } => elem,
        Sort::Bool | Sort::Bv(_) => 0,
    }
}
