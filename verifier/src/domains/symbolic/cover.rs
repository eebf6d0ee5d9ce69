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
//! If values are not equal as terms after that, the solver decides whether they are equal. For example, `{a: s, b: s + 5}` covers
//! `{a: 2, b: 7}`, since `s` can be replaced by `2`; the converse does not hold.

use crate::cpa::Cx;
use crate::domains::symbolic::merge::is_made_of;
use crate::domains::symbolic::{Cover, State, SymbolicCpa};
use cfa::bv::BvOp;
use cfa::bytes::{ByteSet, Bytes};
use cfa::term::{Kind, Leaf};
use cfa::{SymId, Term, Terms};
use checker::{Witness, name_symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The terms that replace the symbols of the covering state.
pub(super) type Alias = FxHashMap<SymId, Term>;

/// Time limit for the queries whether states cover others: this initial amount, plus one part in `COVERS_SHARE` of the time that has
/// passed.
const COVERS_AT_FIRST: Duration = Duration::from_millis(200);
const COVERS_SHARE: u32 = 4;

/// Maximum number of pairs of subterms that are matched.
const MATCHED_PAIRS: u32 = 10_000;

/// The values of the same variables in the covering and in the covered state. If the covered state has no value for a variable whose value
/// in the covering state is just a symbol, a fresh symbol represents it; without a value for another variable, the result is `None`.
fn pairs(terms: &mut Terms, s: &State, by: &State) -> Option<Vec<(Term, Term)>> {
    let mut found = Vec::new();
    let (mut ours, mut theirs) = (s.maps(), by.maps());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return Some(found),
            (Some((_, values)), Some((_, labelled))) => {
                for (v, t) in labelled {
                    let value = match values.get(v) {
                        Some(value) => *value,
                        None if matches!(terms.kind(*t), Kind::Sym(_)) => terms.fresh("any", terms.sort(*t)),
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
    fn differ(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
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
    fn of(&mut self, terms: &Terms, memory: Term) -> Rc<[(Bytes, Term)]> {
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
        let pairs = pairs(&mut cx.terms, s, by)?;
        let alias = self.propose(&cx.terms, &pairs);
        let mut done = FxHashMap::default();
        let mut goals: Vec<Term> = Vec::new();
        for (t, u) in pairs {
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
        let mut query = self.symbols.connected(&cx.terms, &[goal], &s.constraints);
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

    /// The aliases that the checker would not find by itself.
    pub(super) fn explicit_witness(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Vec<(SymId, Term)> {
        let Some(pairs) = pairs(&mut cx.terms, s, by) else { return Vec::new() };
        let mut alias = self.propose(&cx.terms, &pairs);
        let differing: Vec<(Term, Term)> = pairs.iter().filter(|(t, u)| t != u).map(|(t, u)| (*u, *t)).collect();
        let mut implicit = Witness::default();
        name_symbols(&mut cx.terms, &differing, &mut implicit);
        for s in implicit.keys() {
            alias.entry(*s).or_insert_with(|| cx.terms.sym(*s));
        }
        let mut by_itself = |s: SymId| implicit.get(&s).copied().unwrap_or_else(|| cx.terms.sym(s));
        let mut witness: Vec<(SymId, Term)> = alias.into_iter().filter(|(s, t)| by_itself(*s) != *t).collect();
        witness.sort_unstable();
        witness
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpa::Cpa;
    use crate::domains::symbolic::merge::disjunction;
    use crate::domains::symbolic::{Limits, State, constants};
    use crate::program::{Budget, Program};
    use cfa::bv::{Bv, BvCmp};
    use cfa::eval::{Value, eval, eval_bool};
    use cfa::path::Env;
    use cfa::view::Slice;
    use cfa::{Cfa, Scope, Sort, Span, VarId};
    use imbl::OrdSet;
    use kerf_testing::Random;
    use std::collections::BTreeSet;
    use std::rc::Rc;
    use std::sync::Arc;

    const VARS: [&str; 3] = ["a", "b", "c"];

    /// A context over a program with three variables.
    fn with_context(width: u32, test: impl FnOnce(&mut SymbolicCpa, &mut Cx<'_>)) {
        let mut cfa = Cfa::new(64);
        cfa.entry = cfa.add_func("main", Span::default());
        for name in VARS {
            cfa.add_var(name, Sort::Bv(width), Scope::Global);
        }
        let slice = Slice::whole(&cfa);
        let program = Program::new(Arc::new(cfa), slice);
        let mut solver = smt::standard(smt::Limits::default());
        let budget = Budget::until(Instant::now() + Duration::from_secs(60));
        let mut cx = Cx::new(&program, &mut solver, budget);
        test(&mut SymbolicCpa::new(Limits::default()), &mut cx);
    }

    fn state(cx: &Cx<'_>, values: &[Option<Term>], constraints: &[Term]) -> State {
        let mut env = Env::default();
        for (i, t) in values.iter().enumerate() {
            if let Some(t) = t {
                env.globals.insert(VarId(i as u32), *t);
            }
        }
        let constraints: OrdSet<Term> = constraints.iter().copied().collect();
        let mut s = State { env, callers: None, constraints, model: None, constants: None, fresh: false };
        s.constants = Some(Rc::new(constants(cx, &s)));
        s
    }

    /// The example of [Lemberger 2015, 2.1]: {a: s1, b: s1 + 5} and {a: s2, b: s2 + 5} cover each other.
    #[test]
    fn states_that_differ_in_names_cover_each_other() {
        with_context(32, |cpa, cx| {
            let mut make = |name: &str| {
                let s = cx.terms.fresh(name, Sort::Bv(32));
                let five = cx.terms.int(32, 5);
                let sum = cx.terms.add(s, five);
                (state(cx, &[Some(s), Some(sum)], &[]), s)
            };
            let ((x, s1), (y, s2)) = (make("s1"), make("s2"));
            assert_eq!(cpa.covered(cx, &x, &y), Ok(true));
            assert_eq!(cpa.covered(cx, &y, &x), Ok(true));
            assert_eq!(cx.statistics.solver_calls, 0);
            // But {a: s1, b: s1 + 6} and {a: s2, b: s2 + 5} do not cover each other.
            let six = cx.terms.int(32, 6);
            let sum = cx.terms.add(s1, six);
            let z = state(cx, &[Some(s1), Some(sum)], &[]);
            assert_eq!(cpa.covered(cx, &z, &y), Ok(false));
            assert_eq!(cpa.covered(cx, &y, &z), Ok(false));
            // Constants are special cases.
            let (two, seven) = (cx.terms.int(32, 2), cx.terms.int(32, 7));
            let c = state(cx, &[Some(two), Some(seven)], &[]);
            assert_eq!(cpa.covered(cx, &c, &y), Ok(true));
            assert_eq!(cpa.covered(cx, &y, &c), Ok(false));
            // So are stronger constraints.
            let (k5, k9) = (cx.terms.int(32, 5), cx.terms.int(32, 9));
            let small = cx.terms.cmp(BvCmp::Ult, s1, k5);
            let smaller = cx.terms.cmp(BvCmp::Ult, s2, k9);
            let (five, nine) = (state(cx, &[Some(s1)], &[small]), state(cx, &[Some(s2)], &[smaller]));
            assert_eq!(cpa.covered(cx, &five, &nine), Ok(true));
            assert_eq!(cpa.covered(cx, &nine, &five), Ok(false));
        });
    }

    /// The values that a state over two symbols of two bits represents; unknown variables may have any value.
    fn concrete(cx: &Cx<'_>, s: &State, symbols: &[SymId]) -> BTreeSet<Vec<u64>> {
        let mut all = BTreeSet::new();
        for k in 0..1u64 << (2 * symbols.len()) {
            let mut leaf = |l: Leaf| match l {
                Leaf::Sym(s) => {
                    let i = symbols.iter().position(|x| *x == s)?;
                    Some(Value::Bv(Bv::new(2, k >> (2 * i))))
                }
                _ => None,
            };
            if !s.constraints.iter().all(|c| eval_bool(&cx.terms, *c, &mut leaf) == Some(true)) {
                continue;
            }
            let mut states = vec![Vec::new()];
            for v in 0..VARS.len() as u32 {
                let known =
                    s.env.globals.get(&VarId(v)).map(|t| eval(&cx.terms, *t, &mut leaf).and_then(|x| x.to_u64()));
                let values = known.map_or((0..4).collect(), |x| vec![x.expect("a value")]);
                states = states.iter().flat_map(|s| values.iter().map(|x| [&s[..], &[*x]].concat())).collect();
            }
            all.extend(states);
        }
        all
    }

    /// Memories are told apart only where no values of their symbols make them equal.
    #[test]
    fn memories_that_differ_do_so_for_all_values() {
        with_context(8, |_, cx| {
            let mut random = Random::new(5);
            let terms = &mut cx.terms;
            let (byte, place) = (terms.fresh("byte", Sort::Bv(8)), terms.fresh("place", Sort::Bv(8)));
            let zero = terms.int(8, 0);
            let empty = terms.const_array(8, zero);
            let mut memory = |terms: &mut Terms| {
                (0..random.below(5)).fold(empty, |memory, _| {
                    let address = if random.one_in(5) { place } else { terms.int(8, random.below(6)) };
                    let value = match random.below(4) {
                        0 => byte,
                        1 => terms.int(16, random.below(3) * 257),
                        _ => terms.int(8, random.below(3)),
                    };
                    terms.write(memory, address, value)
                })
            };
            let (mut cells, mut apart) = (Cells::default(), 0);
            for round in 0..2000 {
                let (a, b) = (memory(terms), memory(terms));
                if !cells.differ(terms, a, b) {
                    continue;
                }
                apart += 1;
                let mut bytes = |m: Term| -> Vec<Term> {
                    let addresses: Vec<Term> = (0..8).map(|i| terms.int(8, i)).collect();
                    addresses.into_iter().map(|address| terms.read(m, address, 8)).collect()
                };
                let (a, b) = (bytes(a), bytes(b));
                for (x, y) in (0..3).flat_map(|x| (0..7).map(move |y| (x, y))) {
                    let mut leaf = |l: Leaf| match l {
                        Leaf::Sym(s) if Kind::Sym(s) == terms.kind(byte) => Some(Value::Bv(Bv::new(8, x))),
                        Leaf::Sym(_) => Some(Value::Bv(Bv::new(8, y))),
                        _ => None,
                    };
                    let mut contents = |bytes: &[Term]| -> Vec<Option<u64>> {
                        bytes.iter().map(|t| eval(terms, *t, &mut leaf).and_then(|v| v.to_u64())).collect()
                    };
                    assert_ne!(contents(&a), contents(&b), "round {round}");
                }
            }
            assert!(apart > 50, "{apart}");
        });
    }

    /// A covered state represents no more than the covering one; each state covers itself; and the index misses no covering state, except
    /// because of values that are constant only by the constraints.
    #[test]
    fn covering_is_sound() {
        with_context(2, |cpa, cx| {
            let symbols: Vec<Term> = (0..2).map(|i| cx.terms.fresh(format!("s{i}"), Sort::Bv(2))).collect();
            let ids: Vec<SymId> = symbols
                .iter()
                .map(|t| match cx.terms.kind(*t) {
                    Kind::Sym(s) => s,
                    _ => unreachable!("fresh"),
                })
                .collect();
            let mut rng = Random::new(1);
            let mut states = Vec::new();
            for _ in 0..60 {
                let mut value = |cx: &mut Cx<'_>| {
                    let (x, y) = (rng.pick(&symbols), rng.pick(&symbols));
                    let k = cx.terms.int(2, rng.below(4));
                    match rng.below(6) {
                        0 => k,
                        1 => cx.terms.add(x, k),
                        2 => cx.terms.bv_op(BvOp::Mul, x, y),
                        3 => cx.terms.bv_op(BvOp::And, x, y),
                        _ => x,
                    }
                };
                let values: Vec<Option<Term>> = (0..3).map(|i| (i < 2).then(|| value(cx))).collect();
                let (x, y) = (value(cx), value(cx));
                let constraint = cx.terms.cmp(BvCmp::Ule, x, y);
                let constraints = if cx.terms.as_bool(constraint).is_some() { vec![] } else { vec![constraint] };
                states.push(state(cx, &values, &constraints));
            }
            let mut covers = 0;
            for s in &states {
                assert_eq!(cpa.covered(cx, s, s), Ok(true));
                for by in &states {
                    if cpa.covered(cx, s, by) == Ok(true) {
                        covers += 1;
                        assert!(concrete(cx, s, &ids).is_subset(&concrete(cx, by, &ids)), "{s:?} by {by:?}");
                        if let Some(fingerprint) = cpa.fingerprint_as(s, by) {
                            assert_eq!(Some(fingerprint), cpa.index(by).map(|i| i.fingerprint));
                        }
                    }
                }
            }
            assert!(covers > 2 * states.len(), "{covers}");
            // A merged state represents what its two states do, and covers both.
            for (a, b) in states.iter().zip(states.iter().skip(1)) {
                let b = State { constraints: b.constraints.clone(), ..a.clone() };
                let merged = disjunction(&mut cx.terms, a, &b).expect("the same values");
                let either: BTreeSet<Vec<u64>> = [a, &b].iter().flat_map(|s| concrete(cx, s, &ids)).collect();
                assert_eq!(concrete(cx, &merged, &ids), either);
                assert!([a, &b].iter().all(|s| cpa.covered(cx, s, &merged) == Ok(true)));
            }
        });
    }
}
