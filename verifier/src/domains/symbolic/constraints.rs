//! The constraints of a state: which of them are relevant to a query, what they decide, and which symbols they fix.

use crate::cpa::Cx;
use crate::domains::symbolic::{State, SymbolicCpa, bounds};
use crate::program::Halt;
use cfa::eval::Value;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use imbl::OrdSet;
use rustc_hash::FxHashMap;
use smt::Model;
use std::cell::RefCell;
use std::rc::Rc;

/// Of a query with a constraint of which the solver has not said whether it can hold, how many times the limit is halved at first, and at most.
const FIRST_HARD: u32 = 3;
const LAST_HARD: u32 = 6;

/// What the constraints of a state say about a condition.
#[derive(Clone, Debug)]
pub(super) enum Decision {
    /// It holds in no state.
    Impossible,
    /// It holds in all states.
    Implied,
    /// It may hold. If values of the symbols are known for which it does, these are included.
    Possible(Option<Rc<RefCell<Model>>>),
}

/// What the constraints of a state say about a condition and its negation.
pub(super) struct Decided {
    constraints: OrdSet<Term>,
    model: Option<Rc<RefCell<Model>>>,
    condition: Term,
    yes: Decision,
    no: Decision,
}

impl Decided {
    /// Whether it holds of `s`, too. Models are completed by what was known of symbols before: states with the same constraints may have
    /// others.
    fn is_of(&self, s: &State) -> bool {
        let has_same_model = match (&self.model, &s.model) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        has_same_model && self.constraints.ptr_eq(&s.constraints)
    }
}

impl SymbolicCpa {
    /// What the constraints of `s` say about `cond`.
    pub(super) fn decide(&mut self, cx: &mut Cx<'_>, s: &State, cond: Term) -> Result<Decision, Halt> {
        let negated = cx.terms.not(cond);
        match cx.terms.as_bool(cond) {
            Some(true) => return Ok(Decision::Implied),
            Some(false) => return Ok(Decision::Impossible),
            None if s.constraints.contains(&cond) => return Ok(Decision::Implied),
            None if s.constraints.contains(&negated) => return Ok(Decision::Impossible),
            None => {}
        }
        if let Some(last) = &self.last
            && (last.condition == cond || last.condition == negated)
            && last.is_of(s)
        {
            return Ok(if last.condition == cond { last.yes.clone() } else { last.no.clone() });
        }
        let (yes, no) = self.both_sides(cx, s, cond, negated);
        cx.budget.check()?;
        let (constraints, model) = (s.constraints.clone(), s.model.clone());
        self.last = Some(Decided { constraints, model, condition: cond, yes: yes.clone(), no });
        Ok(yes)
    }

    fn both_sides(&mut self, cx: &mut Cx<'_>, s: &State, cond: Term, negated: Term) -> (Decision, Decision) {
        // The model of the state shows that one side is possible.
        let holds = s.model.as_ref().and_then(|m| m.borrow_mut().holds(&cx.terms, cond));
        let yes = match holds {
            Some(true) => Decision::Possible(s.model.clone()),
            _ => self.possible(cx, s, cond),
        };
        let no = match (holds, &yes) {
            (Some(false), _) => Decision::Possible(s.model.clone()),
            // One of the sides must be possible, since the state is not empty.
            (_, Decision::Impossible) => Decision::Possible(None),
            _ => self.possible(cx, s, negated),
        };
        match (yes, no) {
            (Decision::Impossible, _) => (Decision::Impossible, Decision::Implied),
            (_, Decision::Impossible) => (Decision::Implied, Decision::Impossible),
            both => both,
        }
    }

    /// Whether `cond` can hold in `s`.
    fn possible(&mut self, cx: &mut Cx<'_>, s: &State, cond: Term) -> Decision {
        let mut limit = self.limits.branch;
        if s.constraints.iter().any(|c| self.hard.contains_key(c)) {
            let easy = s.constraints.iter().filter(|c| !self.hard.contains_key(c)).copied();
            let mut query = self.symbols.connected(&cx.terms, &[cond], easy);
            query.push(cond);
            if cx.satisfiable(&query, limit) == Some(false) {
                return Decision::Impossible;
            }
        }
        let mut query = self.symbols.connected(&cx.terms, &[cond], s.constraints.iter().copied());
        let hard = query.iter().find(|c| self.hard.contains_key(c)).copied();
        if let Some(failures) = hard.and_then(|c| self.hard.get(&c)) {
            limit /= 1 << (FIRST_HARD + failures - 1).min(LAST_HARD);
        }
        query.push(cond);
        match cx.satisfiable(&query, limit) {
            Some(false) => Decision::Impossible,
            None => {
                *self.hard.entry(hard.unwrap_or(cond)).or_default() += 1;
                Decision::Possible(None)
            }
            Some(true) => Decision::Possible(self.model(cx, s, &query)),
        }
    }

    /// Whether all constraints of `s`, of which no model is known, may hold. If a model is found, `s` has it.
    pub(super) fn may_exist(&mut self, cx: &mut Cx<'_>, s: &mut State) -> bool {
        let query: Vec<Term> = s.constraints.iter().copied().collect();
        let answer = cx.satisfiable(&query, self.limits.target);
        if answer == Some(true) {
            s.model = Some(Rc::default());
            s.model = self.model(cx, s, &query);
        }
        answer != Some(false)
    }

    /// The model of the last query, which contained only some of the symbols, completed by the values of the other symbols in the model
    /// of `s`.
    fn model(&mut self, cx: &mut Cx<'_>, s: &State, query: &[Term]) -> Option<Rc<RefCell<Model>>> {
        let mut values: FxHashMap<Leaf, Value> =
            s.model.as_ref()?.borrow().values().map(|(l, v)| (l, v.clone())).collect();
        for t in query {
            for &symbol in self.symbols.of(&cx.terms, *t).iter() {
                let t = cx.terms.sym(symbol);
                values.insert(Leaf::Sym(symbol), cx.solver.model_value(&cx.terms, t).ok()?);
            }
        }
        Some(Rc::new(RefCell::new(Model::new(values))))
    }

    /// Replaces the symbols that are fixed by `cond`, a condition that holds in all states.
    pub(super) fn fix(&mut self, cx: &mut Cx<'_>, s: &mut State, cond: Term) {
        let mut work = vec![cond];
        while let Some(c) = work.pop() {
            if cx.terms.kind(c) == Kind::And {
                work.extend(cx.terms.args(c).to_vec());
            } else if fixes(&mut cx.terms, c).is_some() {
                self.add_constraint(cx, s, c);
            }
        }
    }

    /// Adds a constraint. If it fixes a symbol, the symbol is replaced by its value everywhere.
    pub(super) fn add_constraint(&mut self, cx: &mut Cx<'_>, s: &mut State, constraint: Term) {
        let mut work = vec![constraint];
        while let Some(c) = work.pop() {
            if cx.terms.as_bool(c) == Some(true) {
                continue;
            }
            if cx.terms.kind(c) == Kind::And {
                work.extend(cx.terms.args(c).to_vec());
                continue;
            }
            s.constraints.insert(c);
            s.known = s.known.and(&cx.terms, &[c]);
            let mut fixed = fixes(&mut cx.terms, c);
            if fixed.is_none() {
                fixed = bounds::fixed(&mut cx.terms, &s.constraints, c);
                // Who checks the label computes with the value, too, and need not prove it for all that is computed from it.
                s.fresh |= fixed.is_some();
            }
            if let Some((symbol, value)) = fixed {
                s.fixed.insert(symbol, value);
                replace(&mut cx.terms, s, symbol, value, &mut work);
            }
        }
    }
}

/// If `c` says that a symbol has only one value: the symbol and the value.
fn fixes(terms: &mut Terms, c: Term) -> Option<(SymId, Term)> {
    match terms.kind(c) {
        Kind::Sym(s) => Some((s, terms.tt())),
        Kind::Not => {
            let a = terms.args(c)[0];
            match terms.kind(a) {
                Kind::Sym(s) => Some((s, terms.ff())),
                // A bit that does not equal one value equals the other.
                Kind::Eq => {
                    let [x, k] = [terms.args(a)[0], terms.args(a)[1]];
                    match (terms.kind(x), terms.kind(k), terms.sort(x)) {
                        (Kind::Sym(s), Kind::Const(k), Sort::Bv(1)) => Some((s, terms.int(1, 1 - k))),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        Kind::Eq => {
            let [x, k] = [terms.args(c)[0], terms.args(c)[1]];
            match (terms.kind(x), terms.kind(k)) {
                (Kind::Sym(s), Kind::Const(_) | Kind::BigConst(_)) => Some((s, k)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Replaces a symbol in `s` by its value, and in `open`, constraints that are not in `s` yet. Constraints in which it occurs are removed,
/// and pushed to `open`.
fn replace(terms: &mut Terms, s: &mut State, symbol: SymId, value: Term, open: &mut Vec<Term>) {
    let mut done = FxHashMap::default();
    let mut replaced =
        |t: Term| terms.substitute(t, &mut done, &mut |_, leaf| (leaf == Leaf::Sym(symbol)).then_some(value));
    s.map_values(&mut replaced);
    open.iter_mut().for_each(|c| *c = replaced(*c));
    for c in s.constraints.clone() {
        let r = replaced(c);
        if r != c {
            s.constraints.remove(&c);
            open.push(r);
        }
    }
}
