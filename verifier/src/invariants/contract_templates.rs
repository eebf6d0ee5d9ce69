//! Candidate contracts of recursive functions: which functions get one, what it can mention, and candidates for its pre- and
//! postconditions.
//!
//! A function gets a contract if it can be called again while it is active; so each cycle of the call graph has a contract, and all other
//! functions are executed in place. Candidates relate values at the exit to values at the entry: what holds for all activations seen in
//! executions, and what holds in the cases that the program itself distinguishes. Nothing here affects soundness: candidates that
//! executions do not refute are subject to the induction check, and its result to the checker.

use crate::invariants::from_samples;
use crate::invariants::sampling::{State, refute};
use crate::invariants::templates::{Candidates, Vocabulary};
use crate::program::{Program, Scalar};
use cfa::bv::BvCmp;
use cfa::path::Env;
use cfa::term::Leaf;
use cfa::{FuncId, Id, Op, Scope, Sort, SymId, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of variables at an entry, and at an exit, for which templates are made.
const MAX_VARS: usize = 12;
/// Maximum number of values of a variable at the entry that each are a case of their own.
const MAX_VALUES: usize = 32;
/// The greatest such value: larger numbers are more likely inputs than values on which a function decides.
const GREATEST_VALUE: u64 = 64;
/// Maximum number of cases.
const MAX_CASES: usize = 60;
/// Maximum number of candidates at one place.
const MAX_CANDIDATES: usize = 1_000;
/// Maximum number of times that a variable of a condition is replaced by what it was computed from.
const EXPANSIONS: usize = 8;

/// The values that the contract of a function can mention.
pub struct Signature {
    /// Scalars of global scope that are live at the entry, parameters first.
    pub entry: Vec<AtEntry>,
    /// Scalars of global scope that the function may write and that are live at its exit, with their widths; the result comes first.
    pub exit: Vec<Scalar>,
    /// All variables of global scope that a call may write.
    pub written: Arc<FxHashSet<VarId>>,
}

/// The value of a variable at the entry of a function.
#[derive(Clone, Copy)]
pub struct AtEntry {
    /// The variable.
    pub var: VarId,
    /// Its width.
    pub width: u32,
    /// The symbol for its value at the entry.
    pub symbol: SymId,
    /// A variable that does not occur in the program: in candidates and samples it represents the value at the entry, while `var` is the
    /// value at the exit.
    pub twin: VarId,
}

/// The functions that get contracts.
#[derive(Default)]
pub struct Signatures {
    of: BTreeMap<FuncId, Signature>,
}

impl Signatures {
    /// The signatures of the functions in the view of `program`.
    pub fn new(program: &Program, terms: &mut Terms) -> Signatures {
        let of = repeated_functions(program).into_iter().map(|f| (f, Signature::new(program, terms, f))).collect();
        Signatures { of }
    }

    /// The signature of `f`, if it gets a contract.
    pub fn get(&self, f: FuncId) -> Option<&Signature> {
        self.of.get(&f)
    }

    /// Whether no function gets a contract.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}

impl Signature {
    fn new(program: &Program, terms: &mut Terms, f: FuncId) -> Signature {
        let cfa = &program.cfa;
        let func = &cfa.funcs[f];
        let scalar = |var: VarId| match (cfa.vars[var].scope, cfa.vars[var].sort) {
            (Scope::Global, Sort::Bv(width)) if width <= 64 => Some(Scalar { var, width }),
            _ => None,
        };
        let live = |l, first: &dyn Fn(VarId) -> bool| {
            let mut vars: Vec<Scalar> = cfa.vars.ids().filter_map(scalar).collect();
            vars.retain(|x| program.liveness.is_live(l, x.var));
            vars.sort_by_key(|x| !first(x.var));
            vars
        };
        let mut at_entry = |Scalar { var, width }: Scalar| {
            let symbol = terms.fresh_sym(format!("{} at entry", cfa.vars[var].name), Sort::Bv(width));
            AtEntry { var, width, symbol, twin: VarId::from_index(cfa.vars.len() + var.index()) }
        };
        let mut entry = live(program.entry_of(f), &|v| func.params.contains(&v));
        // Results count as live before every call, but the value of an earlier result is never read.
        let results: FxHashSet<VarId> = cfa.funcs.iter().filter_map(|f| f.result).collect();
        let written = program.written_by(f);
        let read = read_by(program, f);
        entry.retain(|x| !results.contains(&x.var) && (read.contains(&x.var) || written.contains(&x.var)));
        let mut exit = live(program.exit_of(f), &|v| func.result == Some(v));
        exit.retain(|x| written.contains(&x.var));
        Signature { entry: entry.into_iter().map(&mut at_entry).collect(), exit, written }
    }

    /// The values at the entry, from the environment before a call.
    pub fn values(&self, program: &Program, terms: &mut Terms, env: &mut Env) -> FxHashMap<SymId, Term> {
        self.entry.iter().map(|x| (x.symbol, env.value(&program.cfa, terms, x.var))).collect()
    }

    /// Turns the environment before a call into the one after it: everything that the call may write becomes arbitrary (havoc).
    pub fn forget(&self, env: &mut Env) {
        for v in self.written.iter() {
            env.globals.remove(v);
        }
    }

    /// `t` with the twins replaced by the symbols of the values at the entry.
    fn named(&self, terms: &mut Terms, t: Term) -> Term {
        terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
            Leaf::Var(v) => self.entry.iter().find(|x| x.twin == v).map(|x| terms.sym(x.symbol)),
            _ => None,
        })
    }

    fn twins(&self) -> impl Iterator<Item = Scalar> + '_ {
        self.entry.iter().map(|x| Scalar { var: x.twin, width: x.width })
    }
}

/// Evaluates `t` over variables, whose values are in `env`, and over symbols of values at the entry, which are replaced as given by
/// `at_entry`; symbols that are not in `at_entry` are kept.
pub fn eval(program: &Program, terms: &mut Terms, env: &mut Env, t: Term, at_entry: &FxHashMap<SymId, Term>) -> Term {
    terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
        Leaf::Var(v) => Some(env.value(&program.cfa, terms, v)),
        Leaf::Sym(s) => at_entry.get(&s).copied(),
        Leaf::Addr(_) => None,
    })
}

/// The variables that are read by an edge of `f`, or of a function that is called from there.
fn read_by(program: &Program, f: FuncId) -> FxHashSet<VarId> {
    let (mut read, mut seen, mut work) = (FxHashSet::default(), FxHashSet::default(), vec![program.entry_of(f)]);
    while let Some(l) = work.pop() {
        if !seen.insert(l) {
            continue;
        }
        for e in program.view.out(l) {
            let op = program.op(e);
            read.extend(op.terms().into_iter().flat_map(|t| program.base.vars(t)));
            if let Op::Call(g) = op {
                work.push(program.entry_of(*g));
            }
            work.push(e.to);
        }
    }
    read
}

/// The functions that a depth-first walk of the view's call graph finds to be called again while they are active. Each cycle of the call
/// graph has at least one.
fn repeated_functions(program: &Program) -> BTreeSet<FuncId> {
    let mut repeated = BTreeSet::new();
    if program.recursive.is_clear() {
        return repeated;
    }
    let mut callees: FxHashMap<FuncId, BTreeSet<FuncId>> = FxHashMap::default();
    for l in program.view.reachable(&program.cfa) {
        for e in program.view.out(l) {
            if let Op::Call(f) = program.op(e) {
                callees.entry(program.cfa.locs[l].func).or_default().insert(*f);
            }
        }
    }
    let called = |f: FuncId| callees.get(&f).into_iter().flatten().copied().collect::<Vec<FuncId>>();
    let main = program.cfa.entry;
    let (mut seen, mut active) = (FxHashSet::from_iter([main]), vec![(main, called(main))]);
    while let Some((_, rest)) = active.last_mut() {
        let Some(f) = rest.pop() else {
            active.pop();
            continue;
        };
        if active.iter().any(|(g, _)| *g == f) {
            repeated.insert(f);
        } else if seen.insert(f) {
            active.push((f, called(f)));
        }
    }
    repeated
}

/// The observed states of activations of a function.
#[derive(Default)]
pub struct Activations {
    /// The values of the variables at the entry.
    pub entries: Vec<State>,
    /// The values of the variables at the exit, together with those at the entry, which are stored under their twins.
    pub calls: Vec<State>,
}

impl Activations {
    /// The activations of a function that was never called.
    pub const NONE: Activations = Activations { entries: Vec::new(), calls: Vec::new() };
}

impl Vocabulary {
    /// Candidates for what holds at the entry of each call, as Bool terms over program variables.
    pub fn preconditions(&self, terms: &mut Terms, signature: &Signature, seen: &Activations) -> Vec<Term> {
        let all: Vec<Scalar> =
            signature.entry.iter().map(|x| Scalar { var: x.var, width: x.width }).take(MAX_VARS).collect();
        let vars: FxHashSet<VarId> = all.iter().map(|x| x.var).collect();
        let mut found = Candidates::default();
        self.conditions_at(terms, &vars, &vars, &mut found);
        self.templates(terms, &all, &vars, &mut found);
        for t in from_samples::sums(terms, &seen.entries, &all) {
            found.add(terms, t);
        }
        found.all.retain(|t| !refute(terms, &seen.entries, *t));
        found.all.truncate(MAX_CANDIDATES);
        found.all
    }

    /// Candidates for what holds at the exit, as Bool terms over program variables and the symbols of values at the entry.
    pub fn postconditions(&self, terms: &mut Terms, signature: &Signature, seen: &Activations) -> Vec<Term> {
        let exit: Vec<Scalar> = signature.exit.iter().copied().take(MAX_VARS).collect();
        let changing: FxHashSet<VarId> = exit.iter().map(|x| x.var).collect();
        let twins: Vec<Scalar> = signature.twins().take(MAX_VARS).collect();
        let mut found = Candidates::default();
        for t in from_samples::relations(terms, &seen.calls, &exit, &twins) {
            if speaks_about(terms, t, &exit) {
                found.add(terms, t);
            }
        }
        self.in_cases(terms, signature, seen, &exit, &mut found);
        self.conditions_at(terms, &changing, &changing, &mut found);
        let live: Vec<Scalar> = exit.iter().chain(&twins).copied().collect();
        self.templates(terms, &live, &changing, &mut found);
        parities(terms, &exit, &twins, &mut found);
        found.all.retain(|t| !refute(terms, &seen.calls, *t));
        found.all.truncate(MAX_CANDIDATES);
        found.all.into_iter().map(|t| signature.named(terms, t)).collect()
    }

    /// Candidates for what holds at the exit in each case of values at the entry.
    fn in_cases(
        &self,
        terms: &mut Terms,
        signature: &Signature,
        seen: &Activations,
        exit: &[Scalar],
        found: &mut Candidates,
    ) {
        for case in self.cases(terms, signature, &seen.calls) {
            let within: Vec<State> = seen.calls.iter().filter(|s| holds(terms, case, s)).cloned().collect();
            // Values that do not differ within the case cannot be part of an equation.
            let differs = |v: VarId| within.iter().any(|s| s.get(&v) != within[0].get(&v));
            let twins: Vec<Scalar> = signature.twins().filter(|x| differs(x.var)).take(MAX_VARS).collect();
            let mut then = from_samples::in_case(terms, &within, exit, &twins);
            for x in exit {
                for y in twins.iter().filter(|y| y.width == x.width) {
                    let [x, y] = [x, y].map(|v| v.term(terms));
                    then.extend([terms.cmp(BvCmp::Sle, x, y), terms.cmp(BvCmp::Sle, y, x)]);
                }
            }
            for t in then {
                if !speaks_about(terms, t, exit) || refute(terms, &within, t) {
                    continue;
                }
                // If it holds in all cases, the candidate without the case is stronger.
                let here_only = refute(terms, &seen.calls, t);
                let candidate = if here_only { terms.implies(case, t) } else { t };
                found.add(terms, candidate);
            }
        }
    }

    /// Conditions on values at the entry, over twins, that some calls satisfy and others do not: the conditions that the program tests,
    /// and their negations; and the single values of a variable that takes few values.
    fn cases(&self, terms: &mut Terms, signature: &Signature, calls: &[State]) -> Vec<Term> {
        let vars: FxHashSet<VarId> = signature.entry.iter().map(|x| x.var).collect();
        let mut cases = Candidates::default();
        for &cond in &self.conditions {
            let t = self.expanded(terms, cond, &vars, EXPANSIONS);
            let of = terms.vars(t);
            if !of.is_empty() && of.iter().all(|v| vars.contains(v)) {
                let t = terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
                    Leaf::Var(v) => {
                        let x = signature.entry.iter().find(|x| x.var == v).expect("one of them");
                        Some(terms.var(x.twin, Sort::Bv(x.width)))
                    }
                    _ => None,
                });
                let not = terms.not(t);
                cases.add(terms, t);
                cases.add(terms, not);
            }
        }
        for Scalar { var: x, width } in signature.twins() {
            let values: BTreeSet<u64> = calls.iter().filter_map(|s| s.get(&x)?.to_u64()).collect();
            let few = values.len() > 1 && values.len() <= MAX_VALUES;
            if few && values.last().is_some_and(|k| *k <= GREATEST_VALUE) {
                for k in values {
                    let (x, k) = (terms.var(x, Sort::Bv(width)), terms.int(width, k));
                    let is = terms.eq(x, k);
                    cases.add(terms, is);
                }
            }
        }
        let mut cases = cases.all;
        cases.retain(|t| {
            let among = calls.iter().filter(|s| holds(terms, *t, s)).count();
            among > 0 && among < calls.len()
        });
        cases.truncate(MAX_CASES);
        cases
    }
}

/// Candidates that say that the values at the exit and at the entry have the same parity, or different parities.
fn parities(terms: &mut Terms, exit: &[Scalar], twins: &[Scalar], found: &mut Candidates) {
    for x in exit {
        for y in twins {
            let [x, y] = [x, y].map(|v| {
                let value = v.term(terms);
                terms.extract(0, 0, value)
            });
            let same = terms.eq(x, y);
            let other = terms.not(same);
            found.add(terms, same);
            found.add(terms, other);
        }
    }
}

fn speaks_about(terms: &Terms, t: Term, vars: &[Scalar]) -> bool {
    terms.vars(t).iter().any(|v| vars.iter().any(|x| x.var == *v))
}

fn holds(terms: &Terms, t: Term, state: &State) -> bool {
    !refute(terms, std::slice::from_ref(state), t)
}
