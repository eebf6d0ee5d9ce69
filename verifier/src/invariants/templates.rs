//! Candidate loop invariants from the program text. Nothing here affects soundness.
//!
//! The templates range over the scalars that are live at a loop head: the conditions of the program, bounds by its constants, order and
//! equality of two variables, and low bits; and what executions suggest. Candidates that executions refute are dropped; the induction
//! check drops other wrong ones (Houdini: Flanagan, Leino, FME 2001).

use crate::invariants::array_templates::live_variables;
use crate::invariants::contract_templates::Signatures;
use crate::invariants::from_samples;
use crate::invariants::sampling::{Samples, Sampling, refute};
use crate::program::{Program, Scalar};
use cfa::bv::BvCmp;
use cfa::term::{Kind, Leaf};
use cfa::{LocId, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Algebra;
use std::time::Instant;

/// Maximum number of variables of a loop for which templates are made.
const MAX_VARS: usize = 40;
/// Maximum number of constants with which a variable is compared.
const MAX_CONSTANTS: usize = 24;
/// Maximum number of times that a variable of a condition is replaced by what it was computed from.
const EXPANSIONS: usize = 4;
/// Maximum number of conditions on cells of memories.
const MAX_ON_CELLS: usize = 40;
/// Maximum number of candidates of a loop.
const MAX_CANDIDATES: usize = 1_000;

/// Facts about the program from which candidates are made.
pub struct Vocabulary {
    /// The right-hand sides of variables that are assigned by exactly one edge.
    definitions: FxHashMap<VarId, Term>,
    /// The constants of the program by width, ascending.
    constants: FxHashMap<u32, Vec<u64>>,
    /// The conditions of branches.
    pub(crate) conditions: Vec<Term>,
    /// Whether the program multiplies; if not, equations with products are of no use.
    multiplies: bool,
    /// The sampled states at loop heads and of calls.
    pub(crate) samples: Samples,
}

impl Vocabulary {
    /// Collects the vocabulary of the slice, and executes the program, at most until `deadline`.
    pub fn new(program: &Program, terms: &mut Terms, signatures: &Signatures, deadline: Instant) -> Vocabulary {
        let mut assigned: FxHashMap<VarId, Option<Term>> = FxHashMap::default();
        let mut constants: FxHashMap<u32, FxHashSet<u64>> = FxHashMap::default();
        let mut conditions = Vec::new();
        let (mut multiplies, mut algebra) = (false, Algebra::new());
        for l in program.view.reachable(&program.cfa) {
            for e in program.view.out(l) {
                let op = program.op(e);
                multiplies |= op.terms().iter().any(|t| algebra.is_nonlinear(terms, *t));
                for t in terms.subterms(&op.terms(), |_| false) {
                    if let (Kind::Const(k), Sort::Bv(w)) = (terms.kind(t), terms.sort(t)) {
                        constants.entry(w).or_default().insert(k);
                    }
                }
                match op {
                    Op::Assign(list) => {
                        for (v, t) in list.iter() {
                            assigned.entry(*v).and_modify(|d| *d = None).or_insert(Some(*t));
                        }
                    }
                    Op::Assume { cond, .. } => conditions.push(*cond),
                    other => {
                        for v in other.written() {
                            assigned.insert(v, None);
                        }
                    }
                }
            }
        }
        let definitions = assigned.into_iter().filter_map(|(v, t)| t.map(|t| (v, t))).collect();
        let constants: FxHashMap<u32, Vec<u64>> = constants
            .into_iter()
            .map(|(w, set)| {
                let mut all: Vec<u64> = set.into_iter().collect();
                all.sort_unstable();
                (w, all)
            })
            .collect();
        conditions.sort_unstable();
        conditions.dedup();
        let mut numbers: Vec<u64> = constants.values().flatten().copied().collect();
        numbers.sort_unstable();
        let vars = |head| live_scalars(program, head).into_iter().map(|x| x.var).take(MAX_VARS).collect();
        let heads = program.loop_heads().into_iter().map(|head| (head, vars(head))).collect();
        let sampling = Sampling { constants: &numbers, heads: &heads, signatures, deadline };
        let samples = Samples::new(program, &sampling);
        Vocabulary { definitions, constants, conditions, multiplies, samples }
    }

    /// Candidates for the loop at `head`, which writes the variables in `written`, as Bool terms over program variables. The candidates
    /// in `known` come first.
    pub fn candidates(
        &self,
        program: &Program,
        terms: &mut Terms,
        head: LocId,
        written: &[VarId],
        known: &[Term],
    ) -> Vec<Term> {
        let scalars = live_scalars(program, head);
        let written: FxHashSet<VarId> = written.iter().copied().collect();
        let mut found = Candidates::default();
        let live = scalars.iter().map(|x| x.var).collect();
        for t in known {
            if terms.vars(*t).iter().any(|v| written.contains(v)) {
                found.add(terms, *t);
            }
        }
        self.conditions_at(terms, &live, &written, &mut found);
        self.templates(terms, &scalars, &written, &mut found);
        let (changing, fixed): (Vec<_>, Vec<_>) = scalars.into_iter().partition(|x| written.contains(&x.var));
        let states = self.samples.at(head);
        for t in from_samples::candidates(terms, states, &changing, &fixed, self.multiplies) {
            found.add(terms, t);
        }
        // Conditions on cells at fixed addresses are conditions like any others.
        let others = found.all.len();
        let with_memories = live_variables(program, head).into_iter().collect();
        self.conditions_at(terms, &with_memories, &written, &mut found);
        found.all.truncate(others + MAX_ON_CELLS);
        found.all.retain(|t| !refute(terms, states, *t));
        found.all.truncate(MAX_CANDIDATES);
        found.all
    }

    /// Templates over the variables in `live`; each candidate mentions at least one variable in `written`.
    pub(crate) fn templates(
        &self,
        terms: &mut Terms,
        live: &[Scalar],
        written: &FxHashSet<VarId>,
        found: &mut Candidates,
    ) {
        for &Scalar { var: x, width: w } in live.iter().filter(|x| written.contains(&x.var)).take(MAX_VARS) {
            let tx = terms.var(x, Sort::Bv(w));
            self.bounds(terms, tx, w, found);
            for &Scalar { var: y, width: other } in live.iter().take(2 * MAX_VARS) {
                // Each pair only once if both variables change.
                if x == y || other != w || w == 1 || (written.contains(&y) && y < x) {
                    continue;
                }
                let ty = terms.var(y, Sort::Bv(w));
                let eq = terms.eq(tx, ty);
                found.add(terms, eq);
                for cmp in [BvCmp::Sle, BvCmp::Ule, BvCmp::Slt, BvCmp::Ult] {
                    let (a, b) = (terms.cmp(cmp, tx, ty), terms.cmp(cmp, ty, tx));
                    found.add(terms, a);
                    found.add(terms, b);
                }
                let (sum, difference) = (terms.add(tx, ty), terms.sub(tx, ty));
                for &Scalar { var: z, width: other } in live.iter().take(MAX_VARS / 2) {
                    if other == w && z != x && z != y {
                        let tz = terms.var(z, Sort::Bv(w));
                        let (s, d) = (terms.eq(sum, tz), terms.eq(difference, tz));
                        found.add(terms, s);
                        found.add(terms, d);
                    }
                }
            }
        }
    }

    /// The program's own conditions and their negations, if after expanding definitions they mention only variables that are live at the
    /// head.
    pub(crate) fn conditions_at(
        &self,
        terms: &mut Terms,
        live: &FxHashSet<VarId>,
        written: &FxHashSet<VarId>,
        found: &mut Candidates,
    ) {
        for &cond in &self.conditions {
            let t = self.expanded(terms, cond, live, EXPANSIONS);
            let vars = terms.vars(t);
            if vars.iter().all(|v| live.contains(v)) && vars.iter().any(|v| written.contains(v)) {
                let not = terms.not(t);
                found.add(terms, t);
                found.add(terms, not);
                // Strict bounds are often reached: for x < n, x <= n is a candidate.
                if let Kind::Cmp(cmp) = terms.kind(t) {
                    let [a, b] = *terms.args(t) else { unreachable!("binary") };
                    let weaker = match cmp {
                        BvCmp::Slt | BvCmp::Sle => BvCmp::Sle,
                        BvCmp::Ult | BvCmp::Ule => BvCmp::Ule,
                    };
                    let (up, down) = (terms.cmp(weaker, a, b), terms.cmp(weaker, b, a));
                    found.add(terms, up);
                    found.add(terms, down);
                }
            }
        }
    }

    /// `t` with variables that are not `live` replaced by their definitions, up to `times` times.
    pub(crate) fn expanded(&self, terms: &mut Terms, t: Term, live: &FxHashSet<VarId>, times: usize) -> Term {
        (0..times).fold(t, |t, _| {
            terms.substitute(t, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
                Leaf::Var(v) if !live.contains(&v) => self.definitions.get(&v).copied(),
                _ => None,
            })
        })
    }

    /// Comparisons of one variable with constants, and values of its low bits.
    fn bounds(&self, terms: &mut Terms, x: Term, w: u32, found: &mut Candidates) {
        let mut near: Vec<u64> = vec![0, 1];
        near.extend(self.constants.get(&w).into_iter().flatten().copied().take(MAX_CONSTANTS));
        near.sort_unstable();
        near.dedup();
        for k in near {
            let kt = terms.int(w, k);
            let eq = terms.eq(x, kt);
            let ne = terms.not(eq);
            found.add(terms, eq);
            found.add(terms, ne);
            if w > 1 {
                for cmp in [BvCmp::Sle, BvCmp::Ule] {
                    let (a, b) = (terms.cmp(cmp, x, kt), terms.cmp(cmp, kt, x));
                    found.add(terms, a);
                    found.add(terms, b);
                }
            }
        }
        for bits in 1..=3u32.min(w - 1) {
            let low = terms.extract(bits - 1, 0, x);
            for k in 0..1 << bits {
                let kt = terms.int(bits, k);
                let eq = terms.eq(low, kt);
                found.add(terms, eq);
            }
        }
    }
}

/// Scalars of at most 64 bits that are live at `head`.
pub(crate) fn live_scalars(program: &Program, head: LocId) -> Vec<Scalar> {
    let scalar = |var: VarId| match program.cfa.vars[var].sort {
        Sort::Bv(width) if width <= 64 => Some(Scalar { var, width }),
        _ => None,
    };
    live_variables(program, head).into_iter().filter_map(scalar).collect()
}

/// Candidates without duplicates.
#[derive(Default)]
pub(crate) struct Candidates {
    pub(crate) all: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Candidates {
    /// Adds `t`, unless it is a constant.
    pub(crate) fn add(&mut self, terms: &Terms, t: Term) {
        if terms.as_bool(t).is_none() && self.seen.insert(t) {
            self.all.push(t);
        }
    }
}
