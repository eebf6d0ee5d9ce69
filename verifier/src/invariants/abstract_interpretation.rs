//! Loop invariants by abstract interpretation [Dangl 2013, 3, 4]: explores with the invariants CPA to the end, whether targets are
//! reached or not, and then narrows.
//!
//! Exploration widens at loop heads. Narrowing goes the other way: each state is recomputed from its predecessors. The result still
//! represents everything that is reachable there, no matter in which order this is done. It is used for two purposes:
//!
//! * as bounds, to which values grow at once in a second exploration, which decides whether targets are reachable;
//! * as candidates for an induction, which receives them in stages: first what is found quickly, without keeping states apart; last what
//!   a second exploration finds.

use crate::cpa::skeleton::composite::Composite;
use crate::cpa::skeleton::location;
use crate::cpa::{Cpa, Cx, Located, Stop};
use crate::domains::intervals::value::Value;
use crate::domains::intervals::{AtHeads, Bounds, Interesting, InvariantsCpa, State};
use crate::invariants::templates::live_scalars;
use crate::program::{Budget, Halt, Program, Scalar};
use crate::reach::arg::NodeId;
use crate::reach::certificate::certificate;
use crate::reach::explore::{Exploration, Limits, Pause};
use crate::reach::segments::RunId;
use crate::reach::waitlist::Order;
use cfa::{Id, LocId, Sort, Term, Terms, VarId};
use checker::Certificate;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Solver;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

/// Number of passes of narrowing.
const PASSES: usize = 3;
/// Maximum number of states.
const MAX_STATES: usize = 200_000;
/// Maximum number of frames on the call stack.
const MAX_DEPTH: u32 = 200;
/// Time limit for each stage of candidates.
const TIME: Duration = Duration::from_secs(4);
/// Maximum number of values of variables in the disjunction of the states at a loop head, for it to be a candidate.
const MAX_TOLD: usize = 512;
/// Maximum number of implications at a loop head.
const MAX_IMPLICATIONS: usize = 200;

/// The states found at loop heads, as bounds for a second exploration.
///
/// Empty if functions are recursive, or if time runs out.
pub fn bounds(program: &Program, cpa: InvariantsCpa, solver: &mut dyn Solver, budget: Budget) -> Bounds {
    let mut cx = Cx::new(program, solver, budget.at_most(budget.left() / 3));
    let reached = Reached::new(&mut cx, cpa);
    let narrowed = reached.and_then(|mut reached| reached.narrow(&mut cx).map(|()| reached));
    narrowed.map_or_else(|_| Bounds::default(), |reached| Bounds::new(program, &cx.terms, &reached.at_heads(program)))
}

/// Invariants of the loops of a program, or candidates for them.
pub struct Found {
    /// The arena of the terms in `of`, an overlay over the program's.
    terms: Terms,
    /// For each loop head, Bool terms over variables that are live there.
    of: Vec<(LocId, Vec<Term>)>,
}

impl Found {
    /// Candidates or invariants by loop head, as terms of `terms`, an overlay over the program's arena.
    pub fn new(terms: Terms, of: Vec<(LocId, Vec<Term>)>) -> Found {
        Found { terms, of }
    }

    /// The number of loop heads with candidates.
    pub fn heads(&self) -> usize {
        self.of.len()
    }

    /// The candidates or invariants by loop head, as terms of `terms`, which is also an overlay over the program's arena.
    pub fn import(&self, terms: &mut Terms) -> Vec<(LocId, Vec<Term>)> {
        let mut done = FxHashMap::default();
        let mut symbol = |_: &mut Terms, _| unreachable!("an invariant has no symbols");
        let mut all =
            |of: &Vec<Term>| of.iter().map(|t| terms.import(&self.terms, *t, &mut done, &mut symbol)).collect();
        self.of.iter().map(|(head, of)| (*head, all(of))).collect()
    }
}

/// What the generator tells.
pub enum Told {
    /// The candidates of a stage.
    Candidates(Box<Found>),
    /// The certificate of a stage that reaches no target: its states prove the program, whatever of them can be told as candidates.
    Proof(Box<Certificate>),
}

/// Generates candidates for the loops of `program` in stages, and passes them, and proofs, to `tell` until it returns `Break`. The first
/// stage joins all states of a location, the second keeps states apart that differ in what is `interesting`, and the third lets values grow
/// directly to what the stage before found. There are no results for programs with recursive functions, whose activations would be as
/// numerous as their call stacks, and none for stages that run out of time.
pub fn generate(
    program: &Program,
    interesting: Interesting,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
    tell: &mut dyn FnMut(Told) -> ControlFlow<()>,
) {
    let mut bounds = Rc::<Bounds>::default();
    for stage in [Stage::Coarse, Stage::Apart, Stage::Within] {
        let mut cx = Cx::new(program, &mut *solver, budget.at_most(TIME.min(budget.left() / 4)));
        let cpa = InvariantsCpa::keeping_apart(program, interesting);
        let cpa = match stage {
            Stage::Coarse => cpa.coarse(),
            Stage::Apart => cpa,
            Stage::Within => cpa.within(bounds.clone()),
        };
        let Ok(mut reached) = Reached::new(&mut cx, cpa) else { continue };
        if reached.excludes_targets {
            let proof = Box::new(certificate(&reached.exploration, &mut reached.cpa, &mut cx));
            if tell(Told::Proof(proof)).is_break() {
                return;
            }
        }
        if reached.narrow(&mut cx).is_err() {
            continue;
        }
        let states = reached.at_heads(program);
        let mut of = Vec::new();
        for (&head, states) in states.iter().filter(|_| reached.is_complete()) {
            let mut about = About { terms: &mut cx.terms, states, found: Vec::new() };
            let written: FxHashSet<VarId> = program.written_in(&program.component_of(head)).into_iter().collect();
            let (changing, fixed) = live_scalars(program, head).into_iter().partition(|x| written.contains(&x.var));
            about.scalars(changing, fixed, &reached.cpa.parts);
            of.push((head, about.found));
        }
        of.sort_unstable_by_key(|(head, _)| *head);
        bounds = Rc::new(Bounds::new(program, &cx.terms, &states));
        if tell(Told::Candidates(Box::new(Found { terms: cx.terms, of }))).is_break() {
            return;
        }
    }
}

/// The stages of the generator.
#[derive(Clone, Copy)]
enum Stage {
    /// All states of a location are joined.
    Coarse,
    /// States that differ in what is interesting are kept apart.
    Apart,
    /// Values grow to the results of the previous stage.
    Within,
}

/// The result of an exploration.
struct Reached {
    cpa: Composite<InvariantsCpa>,
    exploration: Exploration<Composite<InvariantsCpa>>,
    /// For each node, whether it is still reachable after narrowing; nodes whose state was replaced by a weaker one have no incoming
    /// links.
    alive: Vec<bool>,
    /// Whether no target was reached, nor anything that keeps one from being reached.
    excludes_targets: bool,
}

impl Reached {
    /// Explores.
    ///
    /// Errors: `OutOfTime` or `OutOfBudget`; `TooDeep` if a function is recursive.
    fn new(cx: &mut Cx<'_>, cpa: InvariantsCpa) -> Result<Reached, Halt> {
        let program = cx.program;
        let calls_itself = |l: LocId| program.recursive.contains(program.cfa.locs[l].func.index());
        if program.view.reachable(&program.cfa).into_iter().any(calls_itself) {
            return Err(Halt::TooDeep(0));
        }
        let mut cpa = Composite::new(cpa, MAX_DEPTH);
        let limits = Limits { order: Order::REVERSE_POSTORDER, max_states: MAX_STATES, stop: Stop::Sep };
        let precision = cpa.full_precision();
        let mut exploration = Exploration::new(&mut cpa, cx, precision, limits);
        let mut excludes_targets = true;
        while exploration.run(&mut cpa, cx)? != Pause::Done {
            excludes_targets = false;
        }
        excludes_targets &= exploration.cut.is_empty();
        Ok(Reached { cpa, exploration, alive: Vec::new(), excludes_targets })
    }

    /// Whether everything reachable was reached, except for what comes after constructs without a model.
    fn is_complete(&self) -> bool {
        self.exploration.cut.iter().all(|(_, halt)| matches!(halt, Halt::Unsupported(_)))
    }

    /// Recomputes each state from its predecessors.
    ///
    /// Errors: `OutOfTime`.
    fn narrow(&mut self, cx: &mut Cx<'_>) -> Result<(), Halt> {
        let arg = &self.exploration.arg;
        let mut leading: Vec<Vec<(NodeId, RunId)>> = vec![Vec::new(); arg.len()];
        self.alive = vec![false; arg.len()];
        let mut work = vec![NodeId(0)];
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut self.alive[n.0 as usize], true) {
                continue;
            }
            for link in &arg.node(n).links {
                leading[link.to.0 as usize].push((n, link.run));
                work.push(link.to);
            }
        }
        for _ in 0..PASSES {
            for n in self.exploration.arg.ids().skip(1) {
                if self.alive[n.0 as usize] {
                    cx.budget.check()?;
                    self.recompute(cx, n, &leading[n.0 as usize])?;
                }
            }
        }
        Ok(())
    }

    fn recompute(&mut self, cx: &mut Cx<'_>, n: NodeId, leading: &[(NodeId, RunId)]) -> Result<(), Halt> {
        let mut all: Option<State> = None;
        for &(from, run) in leading {
            if !self.alive[from.0 as usize] {
                continue;
            }
            let Some(next) = self.follow(cx, from, run)? else { continue };
            all = Some(match all {
                None => next,
                Some(all) => all.join(&mut cx.terms, &next, &mut |_, a, b| a.union(b)),
            });
        }
        match all {
            None => self.alive[n.0 as usize] = false,
            Some(all) => {
                let state = &mut self.exploration.arg.node_mut(n).state.values;
                if all.is_within(&mut cx.terms, state) {
                    *state = all;
                }
            }
        }
        Ok(())
    }

    /// The state after a run; `None` if the run cannot be taken.
    fn follow(&mut self, cx: &mut Cx<'_>, from: NodeId, run: RunId) -> Result<Option<State>, Halt> {
        let Reached { cpa, exploration, .. } = self;
        let node = exploration.arg.node(from);
        let (mut state, pi) = (node.state.clone(), &node.precision);
        let mut out = Vec::new();
        for &taken in exploration.arg.runs.steps(run) {
            let at = cpa.key(&state);
            let return_to = cpa.frame(at.stack).map(|(return_to, _)| return_to);
            let step = location::step(cx.program, at.loc, return_to, taken);
            cpa.transfer(cx, &state, step, pi, &mut out)?;
            match out.pop() {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state.values))
    }

    fn at_heads(&self, program: &Program) -> AtHeads {
        let heads: FxHashSet<LocId> = program.loop_heads().into_iter().collect();
        let mut found = AtHeads::default();
        for n in self.exploration.arg.ids().filter(|n| self.alive[n.0 as usize]) {
            let state = &self.exploration.arg.node(n).state;
            if heads.contains(&state.at.loc) {
                found.entry(state.at.loc).or_default().push(state.values.clone());
            }
        }
        found
    }
}

/// What all `states` of one location have in common, as terms.
struct About<'a> {
    terms: &'a mut Terms,
    states: &'a [State],
    found: Vec<Term>,
}

impl About<'_> {
    /// Finds facts about live variables, above all about those that the loop changes (`changing`).
    fn scalars(&mut self, changing: Vec<Scalar>, fixed: Vec<Scalar>, cpa: &InvariantsCpa) {
        let n_changing = changing.len();
        let scalars = &[changing, fixed].concat()[..];
        let cases: Vec<Vec<Value>> =
            self.states.iter().map(|s| scalars.iter().map(|x| s.value(self.terms, x.var, x.width)).collect()).collect();
        let whole: Vec<Value> = scalars
            .iter()
            .enumerate()
            .map(|(i, x)| cases.iter().fold(Value::none(x.width), |all, case| all.union(&case[i])))
            .collect();
        for (x, value) in scalars.iter().zip(&whole).take(n_changing) {
            let conditions = self.conditions(x.var, value);
            self.found.extend(conditions);
        }
        self.equalities(scalars);
        for q in cpa.interesting() {
            if let Some(q) = scalars.iter().position(|x| x.var == q) {
                self.by(q, &scalars[..n_changing], scalars[q].var, &cases, &whole);
            }
        }
        if cases.len() >= 2 && cases.len() * n_changing <= MAX_TOLD {
            let mut any = self.terms.ff();
            for case in &cases {
                let told = scalars.iter().zip(case).take(n_changing);
                let conditions = told.flat_map(|(x, value)| self.conditions(x.var, value));
                let conditions: Vec<Term> = conditions.collect();
                let all = self.terms.and_all(conditions);
                any = self.terms.or(any, all);
            }
            self.found.push(any);
        }
        self.found.retain(|t| self.terms.as_bool(*t) != Some(true));
    }

    fn conditions(&mut self, v: VarId, value: &Value) -> Vec<Term> {
        let x = self.terms.var(v, Sort::Bv(value.width()));
        value.conditions(self.terms, x)
    }

    /// Equalities between variables and terms over other live variables.
    fn equalities(&mut self, scalars: &[Scalar]) {
        let Some((first, others)) = self.states.split_first() else { return };
        let is_live = |v: &VarId| scalars.iter().any(|live| live.var == *v);
        for (x, t) in first.definitions() {
            let is_told = is_live(&x) && self.terms.vars(t).iter().all(is_live);
            if is_told && others.iter().all(|s| s.entails(self.terms, x, t)) {
                let own = self.terms.var(x, self.terms.sort(t));
                let same = self.terms.eq(own, t);
                self.found.push(same);
            }
        }
    }

    /// What each value of variable number `q`, called `control`, implies for `scalars`, which are the first variables of each case.
    fn by(&mut self, q: usize, scalars: &[Scalar], control: VarId, cases: &[Vec<Value>], whole: &[Value]) {
        let max_found = self.found.len() + MAX_IMPLICATIONS;
        let mut values: Vec<&Value> = Vec::new();
        for case in cases {
            if !values.contains(&&case[q]) {
                values.push(&case[q]);
            }
        }
        for value in values {
            let conditions = self.conditions(control, value);
            let given = self.terms.and_all(conditions);
            let with: Vec<&Vec<Value>> = cases.iter().filter(|case| !case[q].intersect(value).is_none()).collect();
            for (i, x) in scalars.iter().enumerate().filter(|(i, _)| *i != q) {
                let here = with.iter().fold(Value::none(x.width), |all, case| all.union(&case[i]));
                if here == whole[i] || self.found.len() >= max_found {
                    continue;
                }
                let conditions = self.conditions(x.var, &here);
                let then = self.terms.and_all(conditions);
                let implied = self.terms.implies(given, then);
                self.found.push(implied);
            }
        }
    }
}
