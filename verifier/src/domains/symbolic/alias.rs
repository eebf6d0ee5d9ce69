//! Less-or-equal with renaming (E 2.1): a state is covered if the other one's symbols can be given terms over its own symbols
//! such that all values agree and all constraints hold.
//!
//! E asks for a bijective renaming of symbols; any terms do, since the covering state stands for all values of its symbols.
//! The terms are guessed: a symbol that is the whole value of a variable has the variable's value in the covered state; others
//! are found by matching values; the rest stand for themselves. What then is not equal as terms is left to the solver.

use super::{State, SymbolicCpa};
use crate::engine::cpa::Cx;
use cfa::bv::BvOp;
use cfa::term::{Kind, Leaf};
use cfa::{SymId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The terms that stand for the covering state's symbols.
pub(super) type Alias = FxHashMap<SymId, Term>;

/// Most pairs of subterms that matching looks at.
const MATCHED_PAIRS: u32 = 10_000;

/// Values of the same variable in the covering and in the covered state.
fn pairs(s: &State, by: &State) -> Option<Vec<(Term, Term)>> {
    let mut found = Vec::new();
    let (mut ours, mut theirs) = (s.maps(), by.maps());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return Some(found),
            (Some((_, values)), Some((_, labelled))) => {
                for (v, t) in labelled {
                    found.push((*t, *values.get(v)?));
                }
            }
            _ => return None,
        }
    }
}

/// The aliases that the values suggest.
fn guess(terms: &Terms, pairs: &[(Term, Term)]) -> Alias {
    let mut alias = Alias::default();
    for &(t, u) in pairs {
        if let Kind::Sym(s) = terms.kind(t) {
            alias.entry(s).or_insert(u);
        }
    }
    let mut matcher = Matcher { terms, alias, left: MATCHED_PAIRS, seen: FxHashSet::default() };
    for &(t, u) in pairs {
        matcher.visit(t, u);
    }
    matcher.alias
}

struct Matcher<'a> {
    terms: &'a Terms,
    alias: Alias,
    left: u32,
    seen: FxHashSet<(Term, Term)>,
}

impl Matcher<'_> {
    /// Gives symbols of `t` without an alias the subterms of `u` at the same places; `false` where the two are of different shape.
    fn visit(&mut self, t: Term, u: Term) -> bool {
        let mut work = vec![(t, u)];
        while let Some((t, u)) = work.pop() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            if let Kind::Sym(s) = self.terms.kind(t) {
                if self.terms.sort(t) == self.terms.sort(u) {
                    self.alias.entry(s).or_insert(u);
                }
                continue;
            }
            if !self.seen.insert((t, u)) {
                continue;
            }
            let (a, b) = (self.terms.node(t), self.terms.node(u));
            if a.kind != b.kind || a.args.len() != b.args.len() {
                return false;
            }
            let crossed = is_commutative(a.kind)
                && self.terms.kind(a.args[0]) != self.terms.kind(b.args[0])
                && self.terms.kind(a.args[0]) == self.terms.kind(b.args[1]);
            if crossed {
                work.extend([(a.args[0], b.args[1]), (a.args[1], b.args[0])]);
            } else {
                work.extend(a.args.iter().copied().zip(b.args.iter().copied()));
            }
        }
        true
    }
}

fn is_commutative(kind: Kind) -> bool {
    matches!(kind, Kind::And | Kind::Or | Kind::Eq)
        || matches!(kind, Kind::Bv(BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor))
}

/// `t` with the aliases in place of symbols.
fn renamed(terms: &mut Terms, alias: &Alias, done: &mut FxHashMap<Term, Term>, t: Term) -> Term {
    terms.substitute(t, done, &mut |_, leaf| match leaf {
        Leaf::Sym(s) => alias.get(&s).copied(),
        Leaf::Var(_) | Leaf::Addr(_) => None,
    })
}

impl SymbolicCpa {
    /// Terms for `by`'s symbols that show that it covers `s`.
    pub(super) fn alias(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Option<Alias> {
        let pairs = pairs(s, by)?;
        let alias = guess(&cx.terms, &pairs);
        let mut done = FxHashMap::default();
        let mut goals: Vec<Term> = Vec::new();
        let mut goal = |terms: &mut Terms, t: Term| match terms.as_bool(t) {
            Some(b) => b,
            None => {
                goals.push(t);
                true
            }
        };
        for (t, u) in pairs {
            let t = renamed(&mut cx.terms, &alias, &mut done, t);
            let same = cx.terms.eq(t, u);
            if !goal(&mut cx.terms, same) {
                return None;
            }
        }
        for &c in &by.constraints {
            let c = renamed(&mut cx.terms, &alias, &mut done, c);
            if !s.constraints.contains(&c) && !goal(&mut cx.terms, c) {
                return None;
            }
        }
        if goals.is_empty() {
            return Some(alias);
        }
        let goal = cx.terms.and_all(goals);
        if cx.terms.as_bool(goal) == Some(false) {
            return None;
        }
        // The state's model may show that it does not hold.
        if let Some(model) = &s.model
            && model.borrow_mut().holds(&cx.terms, goal) == Some(false)
        {
            return None;
        }
        let outside = cx.terms.not(goal);
        let mut query = self.symbols.connected(&cx.terms, &[goal], &s.constraints);
        query.push(outside);
        (cx.satisfiable(&query, self.limits.cover) == Some(false)).then_some(alias)
    }

    /// The aliases of symbols that are not the whole value of some variable and do not stand for themselves.
    pub(super) fn explicit_witness(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Vec<(SymId, Term)> {
        let Some(pairs) = pairs(s, by) else { return Vec::new() };
        let mut named: FxHashSet<SymId> = FxHashSet::default();
        for (t, _) in &pairs {
            if let Kind::Sym(s) = cx.terms.kind(*t) {
                named.insert(s);
            }
        }
        let alias = guess(&cx.terms, &pairs);
        let mut witness: Vec<(SymId, Term)> =
            alias.into_iter().filter(|(s, t)| !named.contains(s) && cx.terms.kind(*t) != Kind::Sym(*s)).collect();
        witness.sort_unstable();
        witness
    }
}
