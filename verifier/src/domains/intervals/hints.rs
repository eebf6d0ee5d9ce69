//! Heuristics from the text of the program [Dangl 2013, 3.2.1.3, 3.2.2]: constants, interesting variables, and flags.
//!
//! Nothing here affects soundness: hints only decide which states are kept apart, and in which steps values grow. The widening itself is the
//! join, in `intervals/mod.rs`.

use crate::program::Program;
use cfa::term::{Kind, Leaf};
use cfa::{Id, LocId, Op, Sort, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

use crate::domains::intervals::ranges::greatest;
use crate::domains::intervals::value::width_of;

/// Maximum number of variables that are looked at for each one that is to be found.
const RANKED: usize = 8;
/// Maximum number of constants from which the cells of a width, or of an interesting variable, are made.
const MAX_CONSTANTS: usize = 40;
/// Maximum number of times that definitions are substituted into a condition.
const MAX_EXPANSIONS: usize = 4;

/// The numbers at which the cells of a width, or of a variable, begin; ascending, beginning with 0.
type Starts = Vec<u64>;

/// How much of what is interesting keeps states apart [Dangl 2013, 4.2.1, the options `interestingVariableLimit` and
/// `interestingPredicatesLimit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interesting {
    /// Maximum number of variables; with 0, flags do not count either.
    pub variables: usize,
    /// Maximum number of conditions that these variables do not cover.
    pub predicates: usize,
}

impl Default for Interesting {
    fn default() -> Self {
        Interesting { variables: 2, predicates: 0 }
    }
}

/// The hints that the program gives.
#[derive(Default)]
pub(super) struct Hints {
    heads: FixedBitSet,
    starts: FxHashMap<u32, Starts>,
    /// Flags, ascending: variables that are 0 or 1, usually because conditions are stored in them.
    flags: Vec<VarId>,
    /// Variables that occur in conditions close to a target and that some condition compares with a constant, with their cells.
    interesting: Vec<(VarId, Starts)>,
    /// Conditions close to a target, the closest first; terms of the program.
    predicates: Vec<Term>,
}

impl Hints {
    /// Collects the hints from the slice of `program`.
    pub(super) fn new(program: &Program, limits: Interesting) -> Hints {
        let text = Text::new(program);
        let mut constants: FxHashMap<u32, FxHashSet<u64>> = FxHashMap::default();
        for t in program.base.subterms(&text.terms, |_| false) {
            if let (Kind::Const(k), Sort::Bv(width)) = (program.base.kind(t), program.base.sort(t)) {
                constants.entry(width).or_default().insert(k);
            }
        }
        let starts = (1..=64).map(|width| (width, starts(width, of_width(&constants, width)))).collect();
        let mut heads = FixedBitSet::with_capacity(program.cfa.locs.len());
        heads.extend(program.loop_heads().into_iter().map(Id::index));
        let flags = if limits.variables > 0 { text.flags(program) } else { Vec::new() };
        let interesting = text.interesting(program, limits.variables);
        let covered: FxHashSet<VarId> = interesting.iter().map(|(v, _)| *v).chain(flags.iter().copied()).collect();
        let predicates = text.predicates(program, limits.predicates, &covered);
        Hints { heads, starts, flags, interesting, predicates }
    }

    /// Whether `l` is a loop head.
    pub(super) fn is_head(&self, l: LocId) -> bool {
        self.heads.contains(l.index())
    }

    /// The numbers at which the cells of a width begin.
    pub(super) fn starts(&self, width: u32) -> &[u64] {
        &self.starts[&width]
    }

    /// The variables that are always 0 or 1.
    pub(super) fn flags(&self) -> &[VarId] {
        &self.flags
    }

    /// The interesting variables with their cells, the one closest to a target first.
    pub(super) fn interesting(&self) -> &[(VarId, Vec<u64>)] {
        &self.interesting
    }

    /// The interesting conditions, the one closest to a target first.
    pub(super) fn predicates(&self) -> &[Term] {
        &self.predicates
    }
}

/// The constants of all widths as signed numbers of this width, if they fit.
fn of_width(constants: &FxHashMap<u32, FxHashSet<u64>>, width: u32) -> Vec<i64> {
    let all =
        constants.iter().flat_map(|(own, all)| all.iter().map(|k| crate::domains::intervals::ranges::signed(*k, *own)));
    let mut all: Vec<i64> =
        all.filter(|k| crate::domains::intervals::ranges::signed(*k as u64 & greatest(width), width) == *k).collect();
    all.sort_unstable_by_key(|k| (k.unsigned_abs(), *k));
    all.dedup();
    all.truncate(MAX_CONSTANTS);
    all
}

/// The starts of the cells: each constant is a cell of its own, and so is each gap between two constants; cells are also split where the
/// sign changes.
fn starts(width: u32, constants: Vec<i64>) -> Starts {
    let most = greatest(width);
    let mut starts: Starts = vec![0, (most >> 1) + 1];
    for k in constants.into_iter().chain([0]) {
        let k = k as u64 & most;
        starts.push(k);
        starts.extend(k.checked_add(1).filter(|next| *next <= most));
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|start| *start <= most);
    starts
}

/// The operations of the slice.
struct Text {
    terms: Vec<Term>,
    /// The right-hand sides assigned to each variable; `None` for other kinds of writes.
    written: FxHashMap<VarId, Vec<Option<Term>>>,
    /// The conditions, each with the distance from it to the nearest target.
    conditions: Vec<(u32, Term)>,
}

impl Text {
    fn new(program: &Program) -> Text {
        let mut text = Text { terms: Vec::new(), written: FxHashMap::default(), conditions: Vec::new() };
        let distances = distances(program);
        for l in program.view.reachable(&program.cfa) {
            for e in program.view.out(l) {
                let op = program.op(e);
                text.terms.extend(op.terms());
                match op {
                    Op::Assign(list) => {
                        for (v, t) in list.iter() {
                            text.written.entry(*v).or_default().push(Some(*t));
                        }
                    }
                    Op::Assume { cond, .. } => {
                        let far = distances.get(&e.to).copied().unwrap_or(u32::MAX);
                        text.conditions.push((far, *cond));
                    }
                    other => {
                        for v in other.written() {
                            text.written.entry(v).or_default().push(None);
                        }
                    }
                }
            }
        }
        text.conditions.sort_unstable();
        text
    }

    /// The variables to which only truth values are assigned.
    fn flags(&self, program: &Program) -> Vec<VarId> {
        let is_integer = |v: &VarId| width_of(program.cfa.vars[*v].sort).is_some();
        let mut flags: FxHashSet<VarId> = self.written.keys().copied().filter(is_integer).collect();
        loop {
            let is_flag =
                |v: &VarId| self.written[v].iter().all(|t| t.is_some_and(|t| is_truth(&program.base, t, &flags)));
            let fewer: FxHashSet<VarId> = flags.iter().copied().filter(is_flag).collect();
            if fewer.len() == flags.len() {
                break;
            }
            flags = fewer;
        }
        let mut flags: Vec<VarId> = flags.into_iter().collect();
        flags.sort_unstable();
        flags
    }

    /// The variables that some condition compares with a constant, ranked by the distance of the conditions in which they occur to a
    /// target [Dangl 2013, 3.2.1.3].
    fn interesting(&self, program: &Program, max_count: usize) -> Vec<(VarId, Starts)> {
        let mut terms = program.overlay();
        let mut ranked: Vec<VarId> = Vec::new();
        let mut compared: FxHashMap<VarId, FxHashSet<i64>> = FxHashMap::default();
        for (_, cond) in &self.conditions {
            let cond = self.expand(&mut terms, *cond);
            for v in terms.vars(cond) {
                if !ranked.contains(&v) && ranked.len() < RANKED * max_count {
                    ranked.push(v);
                }
            }
            for t in terms.subterms(&[cond], |_| false) {
                let (Kind::Eq | Kind::Cmp(_), &[a, b]) = (terms.kind(t), terms.args(t)) else { continue };
                for (x, k) in [(a, b), (b, a)] {
                    if let (Kind::Var(v), Kind::Const(k), Sort::Bv(width)) =
                        (terms.kind(x), terms.kind(k), terms.sort(x))
                    {
                        compared.entry(v).or_default().insert(crate::domains::intervals::ranges::signed(k, width));
                    }
                }
            }
        }
        // A variable to which only inputs are written says nothing about the program.
        let is_set = |v: &VarId| self.written.get(v).is_some_and(|all| all.iter().any(Option::is_some));
        let chosen = ranked.into_iter().filter(|v| is_set(v) && compared.contains_key(v)).take(max_count);
        let cells = |v: VarId| {
            let mut constants: Vec<i64> = compared[&v].iter().copied().collect();
            constants.sort_unstable_by_key(|k| (k.unsigned_abs(), *k));
            constants.truncate(MAX_CONSTANTS);
            (v, starts(program.cfa.vars[v].sort.width(), constants))
        };
        chosen.map(cells).collect()
    }

    /// The conditions closest to a target in which there are variables that are not `covered`.
    fn predicates(&self, program: &Program, max_count: usize, covered: &FxHashSet<VarId>) -> Vec<Term> {
        let mut chosen: Vec<Term> = Vec::new();
        for (_, cond) in &self.conditions {
            let is_new = program.base.vars(*cond).iter().any(|v| !covered.contains(v)) && !chosen.contains(cond);
            if chosen.len() < max_count && is_new {
                chosen.push(*cond);
            }
        }
        chosen
    }

    /// Replaces the variables in `cond` that are assigned by exactly one edge.
    fn expand(&self, terms: &mut Terms, cond: Term) -> Term {
        let mut t = cond;
        for _ in 0..MAX_EXPANSIONS {
            let mut done = FxHashMap::default();
            t = terms.substitute(t, &mut done, &mut |terms, leaf| match leaf {
                Leaf::Var(v) => match self.written.get(&v).map(Vec::as_slice) {
                    Some([Some(t)]) if !terms.vars(*t).is_empty() => Some(*t),
                    _ => None,
                },
                Leaf::Sym(_) | Leaf::Addr(_) => None,
            });
        }
        t
    }
}

/// Whether `t` is always 0 or 1, provided that the variables in `flags` are.
fn is_truth(terms: &Terms, t: Term, flags: &FxHashSet<VarId>) -> bool {
    let args = terms.args(t);
    match terms.kind(t) {
        Kind::Const(k) => k <= 1,
        Kind::Var(v) => flags.contains(&v),
        Kind::Zext => is_truth(terms, args[0], flags),
        Kind::Ite => is_truth(terms, args[1], flags) && is_truth(terms, args[2], flags),
        _ => matches!(terms.sort(t), Sort::Bool | Sort::Bv(1)),
    }
}

/// The number of edges to the nearest target, for locations from which one is reachable. Calls lead into functions, and their exits lead
/// back out.
fn distances(program: &Program) -> FxHashMap<LocId, u32> {
    let locs = program.view.reachable(&program.cfa);
    let mut before: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for &l in &locs {
        for e in program.view.out(l) {
            before.entry(e.to).or_default().push(l);
            if let Op::Call(f) = program.op(e) {
                before.entry(program.entry_of(*f)).or_default().push(l);
                before.entry(e.to).or_default().push(program.exit_of(*f));
            }
        }
    }
    let mut queue: VecDeque<LocId> = locs.iter().copied().filter(|l| program.is_target(*l)).collect();
    let mut distances: FxHashMap<LocId, u32> = queue.iter().map(|l| (*l, 0)).collect();
    while let Some(l) = queue.pop_front() {
        let far = distances[&l] + 1;
        for &p in before.get(&l).into_iter().flatten() {
            distances.entry(p).or_insert_with(|| {
                queue.push_back(p);
                far
            });
        }
    }
    distances
}
