//! Impact: lazy abstraction with interpolants (McMillan, CAV 2006), with adjustable blocks (Beyer, Wendler: Algorithms for software model
//! checking: predicate abstraction vs. Impact, FMCAD 2012).
//!
//! The program is unwound into a tree of cut points, without any abstraction: each new node has the label `true` (or what is known to
//! hold there). When a target is reached from a node whose label does not exclude it, the path to it is examined. If it is infeasible,
//! interpolants strengthen the labels on it. So labels say only what some path needed:
//!
//! ```text
//! label(root) = true      label(n) and block => label(child)      label(n) and block to a target => false
//! n is covered by m       if label(n) => label(m), for an earlier node m at the same cut point
//! ```
//!
//! What comes after a covered node need not be explored, since as much is explored after the one that covers it. When that one's label is
//! strengthened, the node is not covered any more. *Forced covering*: if the path from the common ancestor of `n` and `m` implies
//! label(m) at `n`, interpolants make the label of `n` strong enough. If all leaves are covered, the labels of the other nodes are a
//! proof.
//!
//! An infeasible path is cut short: the blocks next to the target are examined first, from the label where they begin, then twice as
//! many. So interpolants tend to say why the end of the path cannot be taken. This takes the place of a choice among infeasible prefixes
//! (Beyer, Löwe, Wendler, FORTE 2015), which the queries for these did not pay for.
//!
//! Where no interpolants of an infeasible path are found, no labels are a proof. The time that is left goes to bounded model checking on
//! the blocks then, which needs none.
//!
//! Nothing rests on interpolants: the checker decides about the labels, the replay about alarms.

mod tree;

use super::on_blocks::{Search, by_intervals, proposals};
use crate::blocks::{Block, BlockGraph, BlockTrace, Blocks, CutId, CutNode, Exit, ExitKind, Formula, Symbol};
use crate::blocks::{certificate, path};
use crate::cpa::Cx;
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::invariants::abstract_interpretation::Found;
use crate::invariants::diagrams;
use crate::program::unsupported::unsupported_construct;
use crate::program::{Budget, Count, Halt, Program};
use crate::reach::path_check::{Feasibility, check_steps};
use cfa::term::Leaf;
use cfa::{EdgeId, Term};
use imbl::OrdSet;
use rustc_hash::FxHashMap;
use smt::interpolation::{Counters, Interpolation, Interpolator};
use smt::{Model, Solver, SolverError};
use std::rc::Rc;
use std::time::Duration;
use tree::{NodeId, Tree};

/// Maximum time of a query whether a node covers another one, or whether an exit can be taken.
const COVER: Duration = Duration::from_millis(200);

/// Maximum time of a query whether a path is feasible.
const PATH: Duration = Duration::from_secs(10);

/// Maximum time for the interpolants of one path.
const INTERPOLATION: Duration = Duration::from_secs(10);

/// Maximum share of the time that is left for the interpolants of one path.
const INTERPOLATION_SHARE: f64 = 0.2;

/// Maximum share of the time for decision diagrams.
const DIAGRAMS_SHARE: f64 = 0.5;

/// Maximum number of nodes for which it is tried whether they can be made to cover another one.
const FORCED: usize = 3;

/// The number of nodes from which on it is examined whether a path is feasible at all, whenever it has become twice as long.
const LONG: usize = 16;

/// Maximum number of frames of the call stack.
const MAX_DEPTH: u32 = 200;

/// Options of Impact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether labels begin with inductive invariants that abstract interpretation finds.
    pub invariants: bool,
    /// Whether labels are strengthened so that nodes are covered.
    pub forced: bool,
    /// Whether decision diagrams have the variables that suit them: they come first, and labels begin with what they say.
    pub diagrams: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { invariants: true, forced: true, diagrams: false }
    }
}

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// 1 if intervals alone prove the program, without a search of its own.
    pub by_intervals: u64,
    /// 1 if decision diagrams alone prove or refute the program.
    pub by_diagrams: u64,
    /// The number of loop heads of which decision diagrams say something.
    pub in_diagrams: u64,
    /// The number of nodes.
    pub nodes: u64,
    /// The number of times that a node was covered.
    pub covered: u64,
    /// Among them, the number of times that a label was strengthened for it.
    pub forced: u64,
    /// The number of infeasible paths to targets.
    pub refinements: u64,
    /// The number of blocks for which bounded model checking found no violation, if there were no interpolants.
    pub depth: u64,
    /// The number of queries, without those of interpolation.
    pub queries: u64,
    /// What was interpolated, and how.
    pub interpolation: Counters,
}

/// Proves or refutes `program`.
///
/// Errors: `OutOfTime`; `OutOfBudget` if formulas become too large, `TooDeep` if calls do.
pub fn run(
    program: &Program,
    options: Options,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
    counts: &mut Counts,
) -> Result<Outcome, Halt> {
    let time = budget.left().mul_f64(DIAGRAMS_SHARE);
    let said = match options.diagrams.then(|| diagrams::explore(program, budget.at_most(time))).flatten() {
        Some(Ok(outcome)) => {
            counts.by_diagrams = 1;
            return Ok(outcome);
        }
        Some(Err(said)) => Some(said),
        None => None,
    };
    let mut proposed = match proposals(options.invariants, program, solver, budget) {
        Ok(proposed) => proposed,
        Err(proof) => return Ok(by_intervals(proof, &mut counts.by_intervals)),
    };
    counts.in_diagrams = said.as_ref().map_or(0, |said| said.heads() as u64);
    if let Some(all) = &mut proposed {
        all.extend(said);
    }
    let mut cx = Cx::new(program, solver, budget);
    let known = match proposed {
        Some(_) => known(&mut cx, proposed),
        None => None,
    };
    cx.budget.check()?;
    let (graph, known) = known.unwrap_or_else(|| (BlockGraph::new(program, Blocks::Loops), Vec::new()));
    let interpolator = Interpolator::new(smt::standard(budget.limits()), budget.limits());
    let mut impact = Impact {
        options,
        graph,
        known,
        cx: &mut cx,
        interpolator,
        tree: Tree::default(),
        open: Vec::new(),
        unsupported: None,
        is_cut: false,
        counts,
    };
    let outcome = impact.run();
    impact.counts.nodes = impact.tree.len() as u64;
    impact.counts.interpolation = impact.interpolator.counters();
    let unsupported = impact.unsupported;
    budget.free(impact);
    let outcome = match outcome {
        Ok(Outcome::Unknown(UnknownReason::Solver(why))) => unrolled(&mut cx, why, counts),
        outcome => outcome,
    };
    counts.queries = cx.statistics.solver_calls;
    budget.free(cx);
    match (outcome, unsupported) {
        (Err(Halt::OutOfTime | Halt::OutOfBudget(_)) | Ok(Outcome::Unknown(_)), Some(e)) => {
            Err(Halt::Unsupported(unsupported_construct(program, e)))
        }
        (outcome, _) => outcome,
    }
}

/// What bounded model checking finds where labels are no proof, since `why`.
fn unrolled(cx: &mut Cx<'_>, why: String, counts: &mut Counts) -> Result<Outcome, Halt> {
    let mut search = match Search::new(cx, None) {
        Err(Halt::OutOfTime) => return Ok(Outcome::Unknown(UnknownReason::Solver(why))),
        search => search?,
    };
    let outcome = search.unroll(why);
    counts.depth = search.depth() as u64;
    outcome
}

/// The graph of the program, and what is known to hold at its cut points; `None` if it is too large to be explored beforehand.
fn known<'p>(cx: &mut Cx<'p>, proposed: Option<Vec<Found>>) -> Option<(BlockGraph<'p>, Vec<Term>)> {
    let mut search = Search::new(cx, proposed).ok()?;
    search.strengthen().ok()?;
    Some((search.system.graph, search.known))
}

/// What is to be done after an examination of a path.
enum Examined {
    /// It is infeasible, and the labels say so.
    Excluded,
    /// The search ends so.
    End(Outcome),
}

/// What a path is to be followed by.
enum Last<'a> {
    /// Nothing: it ends where the last node begins.
    Nothing,
    /// An exit of the block of the last node.
    Exit(&'a Exit),
    /// States at the last node that do not satisfy this condition.
    Not(Term),
}

struct Impact<'a, 'p> {
    options: Options,
    graph: BlockGraph<'p>,
    /// For each cut point, an inductive condition; empty if none are known.
    known: Vec<Term>,
    cx: &'a mut Cx<'p>,
    interpolator: Interpolator,
    tree: Tree,
    /// Nodes to expand, the next one last.
    open: Vec<NodeId>,
    /// A construct without a model that may be reached.
    unsupported: Option<EdgeId>,
    /// Whether a call was too deep to be explored, so that there is no proof.
    is_cut: bool,
    counts: &'a mut Counts,
}

impl<'p> Impact<'_, 'p> {
    fn run(&mut self) -> Result<Outcome, Halt> {
        let tt = self.cx.terms.tt();
        let root = self.tree.add(CutId::START, None, tt);
        self.open.push(root);
        while let Some(n) = self.open.pop() {
            self.cx.budget.check()?;
            if self.tree.node(n).children.is_some() || self.tree.is_closed(&self.cx.terms, n) {
                continue;
            }
            if self.close(n)? {
                continue;
            }
            if let Some(outcome) = self.expand(n)? {
                return Ok(outcome);
            }
        }
        match self.unsupported {
            None if self.is_cut => Err(Halt::TooDeep(MAX_DEPTH)),
            Some(e) => Ok(Outcome::Unknown(UnknownReason::Unsupported(unsupported_construct(self.cx.program, e)))),
            None => Ok(Outcome::Proof(Box::new(self.certificate()?))),
        }
    }

    /// Excludes the targets of a node's block, and adds its children. Returns how the search ends, if it does.
    fn expand(&mut self, n: NodeId) -> Result<Option<Outcome>, Halt> {
        let cut = self.tree.node(n).cut;
        let is_too_deep = self.graph.maker.depth(self.graph.at(cut).1) > MAX_DEPTH as usize;
        let nodes = self.tree.path(n);
        let is_long = nodes.len() >= LONG && nodes.len().is_power_of_two();
        if (is_too_deep || is_long) && self.is_unreachable(&nodes)? {
            return Ok(None);
        }
        if is_too_deep {
            self.is_cut = true;
            return Ok(None);
        }
        let block = self.graph.block(&mut self.cx.terms, cut, self.cx.budget)?;
        for exit in &block.exits {
            match exit.kind {
                ExitKind::End(_) => continue,
                // Once there is no proof, only alarms are of interest.
                ExitKind::Unsupported(_) if self.unsupported.is_some() => continue,
                ExitKind::Target | ExitKind::Unsupported(_) => {}
            }
            if let Examined::End(outcome) = self.exclude(n, exit)? {
                return Ok(Some(outcome));
            }
            if self.tree.is_closed(&self.cx.terms, n) {
                return Ok(None);
            }
        }
        let mut children = Vec::with_capacity(block.exits.len());
        for (i, exit) in block.exits.iter().enumerate() {
            let ExitKind::End(to) = exit.kind else {
                children.push(None);
                continue;
            };
            if self.is_excluded(n, exit, COVER)? == Some(true) {
                children.push(None);
                continue;
            }
            let label = self.known.get(to.index()).copied().unwrap_or_else(|| self.cx.terms.tt());
            children.push(Some(self.tree.add(to, Some((n, i)), label)));
        }
        self.open.extend(children.iter().flatten().rev());
        self.tree.expand(n, children);
        Ok(None)
    }

    /// Whether the path through all of `nodes` is infeasible; labels say so then. Where nothing is close to a target, as in recursion
    /// before it returns, nothing else tells.
    fn is_unreachable(&mut self, nodes: &[NodeId]) -> Result<bool, Halt> {
        let (_, trace) = self.trace(nodes, &Last::Nothing);
        let possible = self.cx.satisfiable(&trace.parts, PATH);
        self.cx.budget.check()?;
        Ok(possible == Some(false) && matches!(self.strengthen(nodes, &trace)?, Examined::Excluded))
    }

    /// Whether the label of a node excludes an exit of its block; `None` if it is not decided.
    fn is_excluded(&mut self, n: NodeId, exit: &Exit, limit: Duration) -> Result<Option<bool>, Halt> {
        let mut all = vec![self.tree.node(n).label];
        all.extend(exit.formula.conditions());
        let possible = self.cx.satisfiable(&all, limit);
        self.cx.budget.check()?;
        Ok(possible.map(|possible| !possible))
    }

    /// Makes labels exclude an exit of a node, or finds a violation.
    fn exclude(&mut self, n: NodeId, exit: &Exit) -> Result<Examined, Halt> {
        if self.is_excluded(n, exit, PATH)? == Some(true) {
            return Ok(Examined::Excluded);
        }
        let nodes = self.tree.path(n);
        let mut blocks = 1;
        loop {
            let first = nodes.len().saturating_sub(1 + blocks);
            let (all, trace) = self.trace(&nodes[first..], &Last::Exit(exit));
            let possible = self.cx.satisfiable(&trace.parts, PATH);
            self.cx.budget.check()?;
            match possible {
                Some(false) => match self.strengthen(&nodes[first..], &trace)? {
                    // A longer path may have interpolants where this one has none.
                    Examined::End(_) if first > 0 => blocks *= 2,
                    examined => return Ok(examined),
                },
                _ if first > 0 => blocks *= 2,
                None => return Ok(undecided("a path to a target")),
                Some(true) => {
                    let model = self.cx.solver.model(&self.cx.terms).map(|m| m.clone());
                    return match exit.kind {
                        ExitKind::Unsupported(e) => {
                            self.unsupported = Some(e);
                            Ok(Examined::Excluded)
                        }
                        _ => Ok(Examined::End(self.violation((&all, &trace), model, exit)?)),
                    };
                }
            }
        }
    }

    /// The outcome for a path that `model` takes.
    fn violation(
        &mut self,
        (blocks, trace): (&[Block], &BlockTrace),
        model: Result<Model, SolverError>,
        exit: &Exit,
    ) -> Result<Outcome, Halt> {
        let unknown = |why: String| Ok(Outcome::Unknown(UnknownReason::Solver(why)));
        let model = match model {
            Ok(model) => model,
            Err(e) => return unknown(e.to_string()),
        };
        // The first part of the trace is the label of the root.
        let trace = BlockTrace { parts: Vec::new(), cuts: Vec::new(), renamings: trace.renamings[1..].to_vec() };
        let Some(steps) = path(self.graph.maker_and_ends(), self.cx, (&blocks[1..], &trace), model, exit.loc) else {
            return unknown("a model of the blocks takes none of their paths".into());
        };
        match check_steps(self.cx, &steps, PATH)? {
            Feasibility::Feasible(inputs) => Ok(Outcome::Alarm(inputs)),
            Feasibility::Infeasible => unknown("the path that a model of the blocks takes is infeasible".into()),
            Feasibility::Undecided(why) => unknown(why),
        }
    }

    /// The trace that begins with the label of the first of `nodes` and follows the path through all of them.
    fn trace(&mut self, nodes: &[NodeId], last: &Last<'_>) -> (Vec<Block>, BlockTrace) {
        let mut blocks = Vec::with_capacity(nodes.len() + 1);
        let at = |n: NodeId, tree: &Tree, graph: &BlockGraph<'_>| graph.at(tree.node(n).cut);
        let first = at(nodes[0], &self.tree, &self.graph);
        let label = self.tree.node(nodes[0]).label;
        blocks.push(Block { begin: first, known: Rc::default(), formula: self.condition(label), stack: first.1 });
        for pair in nodes.windows(2) {
            let begin = at(pair[0], &self.tree, &self.graph);
            let exit = self.tree.node(pair[1]).parent.map_or(0, |(_, exit)| exit);
            let block = self.graph.explored(self.tree.node(pair[0]).cut).expect("it has children");
            let Exit { formula, stack, .. } = &block.exits[exit];
            blocks.push(Block { begin, known: Rc::default(), formula: formula.clone(), stack: *stack });
        }
        let begin = at(nodes[nodes.len() - 1], &self.tree, &self.graph);
        match last {
            Last::Nothing => {}
            Last::Exit(exit) => {
                blocks.push(Block { begin, known: Rc::default(), formula: exit.formula.clone(), stack: exit.stack })
            }
            Last::Not(t) => {
                let not = self.cx.terms.not(*t);
                blocks.push(Block { begin, known: Rc::default(), formula: self.condition(not), stack: begin.1 });
            }
        }
        let trace = BlockTrace::new(&self.graph.maker, &self.cx.program.cfa, &mut self.cx.terms, &blocks);
        (blocks, trace)
    }

    /// A path formula that says only this.
    fn condition(&self, t: Term) -> Rc<Formula> {
        let condition = if self.cx.terms.as_bool(t) == Some(true) { OrdSet::new() } else { OrdSet::unit(t) };
        Rc::new(Formula { condition, ..Formula::default() })
    }

    /// Strengthens the labels of `nodes`, but the first one, by interpolants of the infeasible `trace` through them. Where the trace ends
    /// with a node, that one is not reached.
    fn strengthen(&mut self, nodes: &[NodeId], trace: &BlockTrace) -> Result<Examined, Halt> {
        self.counts.refinements += 1;
        self.cx.budget.count(Count::Refinements);
        let Some(interpolants) = self.interpolants(trace)? else { return Ok(undecided("why a path is infeasible")) };
        let mut changed = Vec::new();
        for (i, &n) in nodes.iter().enumerate().skip(1) {
            let t = match interpolants.get(i) {
                Some(t) => self.over_starts(trace, i, *t),
                None => self.cx.terms.ff(),
            };
            if self.conjoin(n, t)? {
                changed.push(n);
            }
        }
        for n in changed {
            if !self.tree.is_closed(&self.cx.terms, n) {
                self.cover(n, false)?;
            }
        }
        Ok(Examined::Excluded)
    }

    /// Interpolants of a trace; `None` if there are none.
    fn interpolants(&mut self, trace: &BlockTrace) -> Result<Option<Vec<Term>>, Halt> {
        let time = self.cx.budget.left().mul_f64(INTERPOLATION_SHARE).min(INTERPOLATION);
        self.interpolator.set_limits(self.cx.budget.at_most(time).limits());
        let trace = trace.interpolated(&mut self.cx.terms);
        let found = self.interpolator.interpolate(&mut self.cx.terms, &trace);
        self.cx.budget.check()?;
        match found {
            Ok(Interpolation::Found(sequence)) => Ok(Some(sequence.interpolants)),
            Ok(Interpolation::Satisfiable | Interpolation::NotFound) => Ok(None),
            Err(SolverError::Unknown(_) | SolverError::Unsupported(_)) => Ok(None),
            Err(SolverError::Failed(why)) => Err(Halt::Solver(why)),
        }
    }

    /// A condition at a cut of the trace as one over the values where a block begins.
    fn over_starts(&mut self, trace: &BlockTrace, cut: usize, t: Term) -> Term {
        let cfa = self.cx.program.cfa.clone();
        let (places, maker) = (&trace.cuts[cut].places, &mut self.graph.maker);
        self.cx.terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| {
            let Leaf::Sym(symbol) = leaf else { return None };
            let &(v, at) = places.get(&symbol)?;
            Some(maker.symbol(&cfa, terms, Symbol::Start(v, at), v))
        })
    }

    /// Adds a condition to the label of a node. Returns whether the label did not imply it before.
    fn conjoin(&mut self, n: NodeId, t: Term) -> Result<bool, Halt> {
        let label = self.tree.node(n).label;
        if self.implies(label, t)? {
            return Ok(false);
        }
        let mut both = self.cx.terms.and(label, t);
        if self.cx.satisfiable(&[both], COVER) == Some(false) {
            both = self.cx.terms.ff();
        }
        let uncovered = self.tree.strengthen(&self.cx.terms, n, both);
        self.reopen(uncovered);
        Ok(true)
    }

    /// Nodes are not covered any more.
    fn reopen(&mut self, uncovered: Vec<NodeId>) {
        for n in uncovered {
            self.open.extend(self.tree.leaves(n));
        }
    }

    /// Whether `a` implies `b`; `false` also if it is not decided.
    fn implies(&mut self, a: Term, b: Term) -> Result<bool, Halt> {
        let not = self.cx.terms.not(b);
        let possible = self.cx.satisfiable(&[a, not], COVER);
        self.cx.budget.check()?;
        Ok(possible == Some(false))
    }

    /// Tries to cover the nodes on the path to `n`, those first that come first. Returns whether `n` is closed then.
    fn close(&mut self, n: NodeId) -> Result<bool, Halt> {
        for m in self.tree.path(n) {
            if self.cover(m, self.options.forced && m == n)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries to cover a node; with `force`, also by strengthening labels.
    fn cover(&mut self, n: NodeId, force: bool) -> Result<bool, Halt> {
        let candidates = self.tree.candidates(&self.cx.terms, n);
        for &m in &candidates {
            if self.implies(self.tree.node(n).label, self.tree.node(m).label)? {
                self.covers(n, m);
                return Ok(true);
            }
        }
        for &m in candidates.iter().take(if force { FORCED } else { 0 }) {
            if self.force(n, m)? {
                self.counts.forced += 1;
                self.covers(n, m);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn covers(&mut self, n: NodeId, by: NodeId) {
        self.counts.covered += 1;
        let uncovered = self.tree.cover(n, by);
        self.reopen(uncovered);
    }

    /// Makes the label of `n` imply that of `m`, if the paths from their common ancestor do.
    fn force(&mut self, n: NodeId, m: NodeId) -> Result<bool, Halt> {
        let ancestor = self.tree.common(n, m);
        let mut nodes = self.tree.path(n);
        nodes.drain(..nodes.iter().position(|x| *x == ancestor).unwrap_or(0));
        let goal = self.tree.node(m).label;
        let (_, trace) = self.trace(&nodes, &Last::Not(goal));
        let possible = self.cx.satisfiable(&trace.parts, COVER);
        self.cx.budget.check()?;
        if possible != Some(false) {
            return Ok(false);
        }
        let Some(interpolants) = self.interpolants(&trace)? else { return Ok(false) };
        for (i, &x) in nodes.iter().enumerate().skip(1) {
            let t = self.over_starts(&trace, i, interpolants[i]);
            self.conjoin(x, t)?;
        }
        // The strengthened labels may have uncovered or closed what was to be covered by.
        let is_open = |n| !self.tree.is_closed(&self.cx.terms, n);
        let both = is_open(n) && is_open(m);
        Ok(both && self.implies(self.tree.node(n).label, self.tree.node(m).label)?)
    }

    /// The certificate: the labels of all nodes that are not covered.
    fn certificate(&mut self) -> Result<checker::Certificate, Halt> {
        let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
        let (mut order, mut next) = (vec![0], 0);
        numbers.insert(0, 0);
        let mut nodes = Vec::new();
        while let Some(&n) = order.get(next) {
            next += 1;
            let children = self.tree.node(n).children.clone().unwrap_or_default();
            let mut exits = Vec::with_capacity(children.len());
            for child in children {
                let Some(child) = child else {
                    exits.push(None);
                    continue;
                };
                let child = self.tree.node(child).covered_by.unwrap_or(child);
                if self.cx.terms.as_bool(self.tree.node(child).label) == Some(false) {
                    exits.push(None);
                    continue;
                }
                let number = *numbers.entry(child).or_insert_with(|| {
                    order.push(child);
                    order.len() - 1
                });
                exits.push(Some(number));
            }
            let label = self.tree.node(n).label;
            nodes.push(CutNode { cut: self.tree.node(n).cut, label: Some(label), exits });
        }
        certificate(&mut self.graph, &mut self.cx.terms, &nodes, self.cx.budget)
    }
}

fn undecided(what: &str) -> Examined {
    Examined::End(Outcome::Unknown(UnknownReason::Solver(format!("{what} is not decided"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::view::Slice;
    use std::sync::Arc;
    use std::time::Instant;

    /// What is found in the program `text` without interpolants, within `time`.
    fn found(text: &str, time: Duration) -> Outcome {
        let cfa = kerf_testing::language::program(text);
        let slice = Slice::whole(&cfa);
        let program = Program::new(Arc::new(cfa), slice);
        let mut solver = smt::standard(smt::Limits::default());
        let mut cx = Cx::new(&program, &mut *solver, Budget::until(Instant::now() + time));
        unrolled(&mut cx, "no interpolants".into(), &mut Counts::default()).expect("an outcome")
    }

    #[test]
    fn without_interpolants_loops_are_unrolled() {
        const PATIENT: Duration = Duration::from_secs(600);
        let counts = "int x = input(); int n = 0; while (n < 3) n = n + 1; ";
        let fails = found(&format!("{counts} if (x == n) error();"), PATIENT);
        assert!(matches!(fails, Outcome::Alarm(_)), "{fails:?}");
        let holds = found(&format!("{counts} if (n != 3) error();"), PATIENT);
        assert!(matches!(holds, Outcome::Proof(_)), "{holds:?}");
        let is_unknown = found(&format!("{counts} if (n != 3) error();"), Duration::ZERO);
        assert!(matches!(is_unknown, Outcome::Unknown(UnknownReason::Solver(why)) if why == "no interpolants"));
    }
}
