//! Less-or-equal with renaming [Lemberger 2015, 2.1]: a state is covered by another one if the symbols of the other state can be replaced
//! by terms over the state's own symbols such that all values agree and all constraints hold.
//!
//! [Lemberger 2015, 2.1] requires a bijective renaming of symbols ([`Cover::Renaming`]). Any terms will do, since the covering state
//! represents all values of its symbols. The terms are found heuristically:
//!
//! 1. a symbol that is the whole value of a variable becomes the variable's value in the covered state;
//! 2. other symbols are found by matching the structure of values;
//! 3. all remaining symbols are replaced by themselves.
//!
//! A state that several were merged into ([`merge`](super::merge)) covers what one of them covers: the symbols that choose between them
//! get the values that select it.
//!
//! If values are not equal as terms after that, the solver decides whether they are equal. For example, `{a: s, b: s + 5}` covers
//! `{a: 2, b: 7}`, since `s` can be replaced by `2`; the converse does not hold.

use crate::cpa::Cx;
use crate::domains::symbolic::merge::is_made_of;
use crate::domains::symbolic::{Cover, State, SymbolicCpa};
use cfa::bv::BvOp;
use cfa::bytes::{ByteSet, Bytes};
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms, VarId};
use checker::{Witness, name_symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The terms that replace the symbols of the covering state.
pub(super) type Alias = FxHashMap<SymId, Term>;

/// Symbols for values of variables that a state does not know, by the number of callers from the running function to the variable's frame.
pub(super) type Unknown = FxHashMap<(u32, VarId), Term>;

/// Time limit for the queries whether states cover others: this initial amount, plus one part in `COVERS_SHARE` of the time that has
/// passed.
const COVERS_AT_FIRST: Duration = Duration::from_millis(200);
const COVERS_SHARE: u32 = 4;

/// Maximum number of states merged into another one that are compared with a state.
const TRIED_PARTS: usize = 16;

/// Maximum number of pairs of subterms that are matched.
const MATCHED_PAIRS: u32 = 10_000;

/// The values of the same variables in the covering and in the covered state. If the covered state has no value for a variable whose value
/// in the covering state is just a symbol, a symbol of `unknown` represents it, the same one each time, so that aliases found in different
/// comparisons of two states agree; without a value for another variable, the result is `None`.
fn pairs(terms: &mut Terms, unknown: &mut Unknown, s: &State, by: &State) -> Option<Vec<(Term, Term)>> {
    let mut found = Vec::new();
    let (mut ours, mut theirs) = (s.maps(), by.maps());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return Some(found),
            (Some((_, values)), Some((depth, labelled))) => {
                for (v, t) in labelled {
                    let value = match values.get(v) {
                        Some(value) => *value,
                        None if matches!(terms.kind(*t), Kind::Sym(_)) => {
                            *unknown.entry((depth, *v)).or_insert_with(|| terms.fresh("any", terms.sort(*t)))
                        }
                        None => return None,
                    };
                    found.push((*t, value));
                }
            }
            _ => return None,
        }
    }
}

/// The aliases that matching `pairs` suggests; where terms are the same, only if `same` is set.
fn matched(terms: &Terms, pairs: &[(Term, Term)], same: bool) -> Alias {
    let mut alias = Alias::default();
    for &(t, u) in pairs {
        if let Kind::Sym(s) = terms.kind(t) {
            alias.entry(s).or_insert(u);
        }
    }
    let mut matcher = Matcher { terms, alias, same, left: MATCHED_PAIRS, seen: FxHashSet::default() };
    for &(t, u) in pairs {
        matcher.visit(t, u);
    }
    matcher.alias
}

struct Matcher<'a> {
    terms: &'a Terms,
    alias: Alias,
    same: bool,
    left: u32,
    seen: FxHashSet<(Term, Term)>,
}

impl Matcher<'_> {
    /// Maps symbols of `t` without an alias to the subterms at the same positions of `u`. Stops, with `false`, at the first difference in
    /// structure and at the limit.
    fn visit(&mut self, t: Term, u: Term) -> bool {
        let mut work = vec![(t, u)];
        while let Some((t, u)) = work.pop() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            if t == u && !self.same {
                continue;
            }
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

/// Whether an alias replaces symbols by symbols, each by another one.
fn renames(terms: &Terms, alias: &Alias) -> bool {
    let mut images = FxHashSet::default();
    alias.values().all(|t| matches!(terms.kind(*t), Kind::Sym(_)) && images.insert(*t))
}

/// What memories hold at constant addresses, if it is constant.
#[derive(Default)]
pub(super) struct Cells(FxHashMap<Term, Rc<[(Bytes, Term)]>>);

impl Cells {
    /// Maximum number of writes of one memory that are looked at, and of memories that are remembered.
    const WRITES: usize = 256;
    const MEMORIES: usize = 10_000;

    /// Whether memories differ whatever their symbols stand for.
    pub(super) fn differ(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        if ![a, b].iter().all(|m| terms.kind(*m) == Kind::Write) {
            return false;
        }
        let (a, b) = (self.of(terms, a), self.of(terms, b));
        let (mut ours, mut theirs) = (a.iter().peekable(), b.iter().peekable());
        while let (Some((at, value)), Some((other, there))) = (ours.peek(), theirs.peek()) {
            match at.first.cmp(&other.first) {
                Ordering::Less => _ = ours.next(),
                Ordering::Greater => _ = theirs.next(),
                Ordering::Equal if at == other && value != there => return true,
                Ordering::Equal => _ = (ours.next(), theirs.next()),
            }
        }
        false
    }

    /// The constants in `memory` at constant addresses, ascending.
    pub(super) fn of(&mut self, terms: &Terms, memory: Term) -> Rc<[(Bytes, Term)]> {
        if self.0.len() > Self::MEMORIES {
            self.0.clear();
        }
        self.0.entry(memory).or_insert_with(|| constant_cells(terms, memory, Self::WRITES).into()).clone()
    }
}

fn constant_cells(terms: &Terms, memory: Term, limit: usize) -> Vec<(Bytes, Term)> {
    let (mut found, mut written) = (Vec::new(), ByteSet::default());
    let mut at = memory;
    for _ in 0..limit {
        let &[below, address, value] = terms.args(at) else { break };
        // A write at an unknown address may hide what is below it.
        let range = terms.as_u64(address).and_then(|first| Bytes::from(first, u64::from(terms.width(value) / 8)));
        let Some(range) = range.filter(|_| terms.kind(at) == Kind::Write) else { break };
        if !written.overlaps(range) && matches!(terms.kind(value), Kind::Const(_) | Kind::BigConst(_)) {
            found.push((range, value));
        }
        written.insert(range);
        at = below;
    }
    found.sort_unstable_by_key(|(range, _)| range.first);
    found
}

/// The number of parts of `by` that make up `s`, if `s` became `by` when others were merged into it.
fn merged_before(s: &State, by: &State) -> Option<usize> {
    match s.parts.len() {
        0 => by.parts.front().filter(|part| *part.state == *s).map(|_| 1),
        n => (n < by.parts.len() && s.parts.iter().zip(&by.parts).all(|(a, b)| a.is_same(b))).then_some(n),
    }
}

/// The values of symbols by which none of the parts from the `n`-th is chosen.
fn not_chosen(terms: &mut Terms, s: &State, n: usize) -> Alias {
    let no = terms.ff();
    let later = s.parts.iter().skip(n);
    later.flat_map(|part| part.older.iter().copied().chain(part.choice.map(|choice| (choice, no)))).collect()
}

/// How the values of a state compare with those of one that may cover it, before symbols are replaced.
enum Values {
    /// All that the other state has are the same terms.
    Same,
    /// They differ whatever the symbols stand for.
    Apart,
    Open,
}

/// Whether the model of `s` shows that `t` need not hold.
fn is_refuted(cx: &Cx<'_>, s: &State, t: Term) -> bool {
    s.model.as_ref().is_some_and(|model| model.borrow_mut().holds(&cx.terms, t) == Some(false))
}

impl SymbolicCpa {
    fn compare(&mut self, terms: &Terms, s: &State, by: &State) -> Values {
        let (mut ours, mut theirs) = (s.maps(), by.maps());
        let mut found = Values::Same;
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return found,
                (Some((_, values)), Some((_, labelled))) if values.ptr_eq(labelled) => {}
                (Some((_, values)), Some((_, labelled))) => {
                    for (v, t) in labelled {
                        match values.get(v) {
                            Some(u) if t == u => {}
                            Some(u) if self.cells.differ(terms, *t, *u) => return Values::Apart,
                            _ => found = Values::Open,
                        }
                    }
                }
                _ => return Values::Apart,
            }
        }
    }

    /// The aliases that matching the values suggests. Values that are the same terms suggest that their symbols stand for themselves,
    /// which needs no matching unless other values suggest something else.
    fn propose(&mut self, terms: &Terms, pairs: &[(Term, Term)]) -> Alias {
        let differing: Vec<(Term, Term)> = pairs.iter().copied().filter(|(t, u)| t != u).collect();
        let alias = matched(terms, &differing, false);
        let is_open = |(t, u): &(Term, Term)| t == u && self.symbols.mentions(terms, *t, &alias);
        // Whether a renaming keeps symbols apart is asked of all of them.
        let is_whole = self.cover == Cover::Renaming || pairs.iter().any(is_open);
        if is_whole { matched(terms, pairs, true) } else { alias }
    }

    /// `t` with symbols replaced by their aliases.
    fn renamed(&mut self, terms: &mut Terms, alias: &Alias, done: &mut FxHashMap<Term, Term>, t: Term) -> Term {
        if !self.symbols.mentions(terms, t, alias) {
            return t;
        }
        terms.substitute(t, done, &mut |_, leaf| match leaf {
            Leaf::Sym(s) => alias.get(&s).copied(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        })
    }

    /// Terms for the symbols of `by` that show that it covers `s`; without those that stand for themselves if all values are equal.
    pub(super) fn alias(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Option<Alias> {
        if by.parts.is_empty() {
            return self.alias_of(cx, s, by);
        }
        // What `by` was before the last merge: all symbols but those of later choices stand for themselves.
        if let Some(n) = merged_before(s, by) {
            return Some(not_chosen(&mut cx.terms, by, n));
        }
        for (i, part) in by.parts.iter().enumerate().rev().take(TRIED_PARTS) {
            if let Some(mut alias) = self.alias_of(cx, s, &part.state) {
                alias.extend(not_chosen(&mut cx.terms, by, i + 1));
                alias.extend(part.own.iter().copied());
                alias.extend(part.choice.map(|choice| (choice, cx.terms.tt())));
                return Some(alias);
            }
        }
        None
    }

    fn alias_of(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Option<Alias> {
        let values = self.compare(&cx.terms, s, by);
        if matches!(values, Values::Apart) {
            return None;
        }
        if matches!(values, Values::Same) {
            let mut goals = Vec::new();
            // States differ most in what was added last.
            for &c in by.constraints.iter().rev().filter(|c| !s.constraints.contains(*c)) {
                if is_made_of(&cx.terms, &s.constraints, c) {
                    continue;
                }
                if is_refuted(cx, s, c) {
                    return None;
                }
                goals.push(c);
            }
            return self.follow(cx, s, goals).then(Alias::default);
        }
        let pairs = pairs(&mut cx.terms, &mut self.unknown, s, by)?;
        let alias = self.propose(&cx.terms, &pairs);
        let mut done = FxHashMap::default();
        let mut goals: Vec<Term> = Vec::new();
        // Memories last: they take the longest to compare.
        let (memories, others): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(t, _)| matches!(cx.terms.sort(*t), Sort::Array { .. }));
        for (t, u) in others.into_iter().chain(memories) {
            let t = self.renamed(&mut cx.terms, &alias, &mut done, t);
            let same = cx.terms.eq(t, u);
            match cx.terms.as_bool(same) {
                Some(true) => {}
                Some(false) => return None,
                None if is_refuted(cx, s, same) => return None,
                None => goals.push(same),
            }
        }
        for &c in &by.constraints {
            let c = self.renamed(&mut cx.terms, &alias, &mut done, c);
            match cx.terms.as_bool(c) {
                Some(true) => {}
                Some(false) => return None,
                None if s.constraints.contains(&c) => {}
                None if is_refuted(cx, s, c) => return None,
                None => goals.push(c),
            }
        }
        if self.cover == Cover::Renaming && !renames(&cx.terms, &alias) {
            return None;
        }
        self.follow(cx, s, goals).then_some(alias)
    }

    /// Whether all `goals` hold wherever the constraints of `s` do.
    fn follow(&mut self, cx: &mut Cx<'_>, s: &State, goals: Vec<Term>) -> bool {
        if goals.is_empty() || self.cover == Cover::Renaming {
            return goals.is_empty();
        }
        let goal = cx.terms.and_all(goals);
        if cx.terms.as_bool(goal) == Some(false) || is_refuted(cx, s, goal) {
            return false;
        }
        let outside = cx.terms.not(goal);
        let mut query = self.symbols.connected(&cx.terms, &[goal], s.constraints.iter().copied());
        query.push(outside);
        self.never(cx, &query)
    }

    /// Whether the solver can show that `query` has no model, within the time limit for such queries. Covering saves states but is never
    /// necessary, so these queries may only take a share of the total time.
    fn never(&mut self, cx: &mut Cx<'_>, query: &[Term]) -> bool {
        let since = *self.since.get_or_insert_with(Instant::now);
        if self.covers > COVERS_AT_FIRST + since.elapsed() / COVERS_SHARE {
            return false;
        }
        let start = Instant::now();
        let answer = cx.satisfiable(query, self.limits.cover);
        self.covers += start.elapsed();
        answer == Some(false)
    }

    /// The aliases that show that `by` covers `s`, which was found out last.
    pub(super) fn aliases(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Vec<(SymId, Term)> {
        let alias = match by.parts.is_empty() {
            // Which part covers it may have taken a solver to find out, which need not answer again.
            false => self.last_alias.clone(),
            true => pairs(&mut cx.terms, &mut self.unknown, s, by).map(|pairs| self.propose(&cx.terms, &pairs)),
        };
        alias.unwrap_or_default().into_iter().collect()
    }

    /// Those of the aliases that the checker would not find by itself.
    pub(super) fn explicit(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        by: &State,
        aliases: Vec<(SymId, Term)>,
    ) -> Vec<(SymId, Term)> {
        let Some(pairs) = pairs(&mut cx.terms, &mut self.unknown, s, by) else { return aliases };
        let mut alias: Alias = aliases.into_iter().collect();
        let differing: Vec<(Term, Term)> = pairs.iter().filter(|(t, u)| t != u).map(|(t, u)| (*u, *t)).collect();
        let mut implicit = Witness::default();
        name_symbols(&mut cx.terms, &differing, &mut implicit);
        // The checker may see other writes that make the same memory, and would match other symbols in them.
        let mut in_memories = FxHashSet::default();
        if !s.fresh {
            for (t, _) in pairs.iter().filter(|(t, _)| matches!(cx.terms.sort(*t), Sort::Array { .. })) {
                in_memories.extend(self.symbols.of(&cx.terms, *t).iter().copied());
            }
        }
        for s in implicit.keys().chain(&in_memories) {
            alias.entry(*s).or_insert_with(|| cx.terms.sym(*s));
        }
        let mut by_itself = |s: SymId| implicit.get(&s).copied().unwrap_or_else(|| cx.terms.sym(s));
        let mut witness: Vec<(SymId, Term)> =
            alias.into_iter().filter(|(s, t)| in_memories.contains(s) || by_itself(*s) != *t).collect();
        witness.sort_unstable();
        witness
    }
}
