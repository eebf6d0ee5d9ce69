//! The constraints of a state: which of them are relevant to a query, what they decide, and which symbols they fix.

use crate::cpa::Cx;
use crate::domains::symbolic::{State, SymbolicCpa};
use crate::program::Halt;
use cfa::eval::Value;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use imbl::OrdSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Model;
use std::cell::RefCell;
use std::rc::Rc;

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

/// A cache of the symbols of terms.
#[derive(Default)]
pub(super) struct Symbols {
    of: FxHashMap<Term, Rc<[SymId]>>,
}

impl Symbols {
    /// The symbols of `t`, ascending.
    pub(super) fn of(&mut self, terms: &Terms, t: Term) -> Rc<[SymId]> {
        // Memories grow by writes, so most of them are known up to the last ones.
        let (mut writes, mut at) = (Vec::new(), t);
        while terms.kind(at) == Kind::Write && !self.of.contains_key(&at) {
            writes.push(at);
            at = terms.args(at)[0];
        }
        let mut found = self.of.entry(at).or_insert_with(|| with_symbols(terms, &[], &[at])).clone();
        for w in writes.into_iter().rev() {
            let all = with_symbols(terms, &found, &terms.args(w)[1..]);
            if all.len() > found.len() {
                found = all;
            }
            self.of.insert(w, found.clone());
        }
        found
    }

    /// Whether a symbol of `t` is one of `some`.
    pub(super) fn mentions<T>(&mut self, terms: &Terms, t: Term, some: &FxHashMap<SymId, T>) -> bool {
        !some.is_empty() && self.of(terms, t).iter().any(|s| some.contains_key(s))
    }

    /// The constraints that are connected to `roots` by shared symbols (Cadar, Dunbar, Engler, OSDI 2008: independence).
    pub(super) fn connected(&mut self, terms: &Terms, roots: &[Term], constraints: &OrdSet<Term>) -> Vec<Term> {
        let mut by_symbol: FxHashMap<SymId, Vec<Term>> = FxHashMap::default();
        for &c in constraints {
            for s in self.of(terms, c).iter() {
                by_symbol.entry(*s).or_default().push(c);
            }
        }
        let mut found: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<Term> = roots.to_vec();
        while let Some(t) = work.pop() {
            for s in self.of(terms, t).iter() {
                for c in by_symbol.remove(s).into_iter().flatten() {
                    if found.insert(c) {
                        work.push(c);
                    }
                }
            }
        }
        let mut found: Vec<Term> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// The symbols `known` and those of `more`, ascending.
fn with_symbols(terms: &Terms, known: &[SymId], more: &[Term]) -> Rc<[SymId]> {
    let symbol = |l: Leaf| match l {
        Leaf::Sym(s) => Some(s),
        _ => None,
    };
    let mut all: Vec<SymId> = known.iter().copied().chain(terms.leaves(more).into_iter().filter_map(symbol)).collect();
    all.sort_unstable();
    all.dedup();
    all.into()
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
        if let Some((constraints, c, yes, no)) = &self.last
            && (*c == cond || *c == negated)
            && constraints.ptr_eq(&s.constraints)
        {
            return Ok(if *c == cond { yes.clone() } else { no.clone() });
        }
        let (yes, no) = self.both_sides(cx, s, cond, negated);
        cx.budget.check()?;
        self.last = Some((s.constraints.clone(), cond, yes.clone(), no));
        Ok(yes)
    }

    fn both_sides(&mut self, cx: &mut Cx<'_>, s: &State, cond: Term, negated: Term) -> (Decision, Decision) {
        // The model of the state shows that one side is possible.
        let holds = s.model.as_ref().and_then(|m| m.borrow_mut().holds(&cx.terms, cond));
        let relevant = self.symbols.connected(&cx.terms, &[cond], &s.constraints);
        let yes = match holds {
            Some(true) => Decision::Possible(s.model.clone()),
            _ => self.possible(cx, s, &relevant, cond),
        };
        let no = match (holds, &yes) {
            (Some(false), _) => Decision::Possible(s.model.clone()),
            // One of the sides must be possible, since the state is not empty.
            (_, Decision::Impossible) => Decision::Possible(None),
            _ => self.possible(cx, s, &relevant, negated),
        };
        match (yes, no) {
            (Decision::Impossible, _) => (Decision::Impossible, Decision::Implied),
            (_, Decision::Impossible) => (Decision::Implied, Decision::Impossible),
            both => both,
        }
    }

    /// Whether `cond` can hold in `s`, where the constraints in `relevant` share symbols with it.
    fn possible(&mut self, cx: &mut Cx<'_>, s: &State, relevant: &[Term], cond: Term) -> Decision {
        let mut query = relevant.to_vec();
        query.push(cond);
        match cx.satisfiable(&query, self.limits.branch) {
            Some(false) => Decision::Impossible,
            None => Decision::Possible(None),
            Some(true) => Decision::Possible(self.model(cx, s, &query)),
        }
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
            if let Some((symbol, value)) = fixes(&mut cx.terms, c) {
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

/// Replaces a symbol in `s` by its value. Constraints in which it occurs are removed and pushed to `changed`.
fn replace(terms: &mut Terms, s: &mut State, symbol: SymId, value: Term, changed: &mut Vec<Term>) {
    let mut done = FxHashMap::default();
    let mut replaced =
        |t: Term| terms.substitute(t, &mut done, &mut |_, leaf| (leaf == Leaf::Sym(symbol)).then_some(value));
    s.map_values(&mut replaced);
    for c in s.constraints.clone() {
        let r = replaced(c);
        if r != c {
            s.constraints.remove(&c);
            changed.push(r);
        }
    }
}
