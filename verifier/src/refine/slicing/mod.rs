//! The slicing CPA [Lemberger 2018, 3.2, 3.3] around any analysis: it begins with the empty slice and adds what infeasible paths require.
//!
//! The slice is a part of the program that the wrapped analysis runs on, not of the precision. So edges outside of it do not occur in the
//! view: the analysis needs no special handling for them, loops outside of the slice cost nothing, and the certificate is one for the
//! final slice. When the slice grows, values that the old slice did not keep become stale, so the exploration starts again; the wrapped
//! analysis keeps its precision.
//!
//! For a path to a target, `full_path` finds a path of the whole program, and its formula decides (the counterexample check on the full
//! path). If it is infeasible, the slicing criterion is all conditions of the path (target-path slicing), or only those that exclude each
//! other. If the slice has these already, the wrapped analysis is too imprecise, and is refined lazily; with [`Options::joint`], it is
//! refined whenever the slice grows, too ([Lemberger 2018, Algorithm 4], line 3).

mod full_path;

use crate::cpa::skeleton::location::Walk;
use crate::cpa::{Action, Cx, Located, Step};
use crate::evidence::outcome::{InputVector, Outcome, UnknownReason};
use crate::program::{Halt, Program};
use crate::reach::arg::{Arg, NodeId};
use crate::reach::cegar::{Ending, Refinement, Refiner};
use crate::reach::driver::{ExploreOptions, refined};
use crate::reach::path_check::{Feasibility, check_steps};
use crate::reach::pictures::Drawing;
use crate::refine::conflict::{self, Conflict, Judgement};
use cfa::{EdgeId, LocId, Op};
use full_path::{FullPaths, NoPath};
use slicer::dependence::control_dep::{ControlDependence, ControlOptions};
use slicer::dependence::relevant::Live;
use slicer::{GrowingSlice, SliceOptions};
use std::time::{Duration, Instant};

/// What is added to the slice for an infeasible path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SlicingCriterion {
    /// Conditions of the path that exclude each other. Paths are checked in the whole program.
    #[default]
    Conflict,
    /// All conditions of the path [Lemberger 2018, 3.3]. Paths are checked in the whole program.
    TargetPath,
    /// Everything that decides whether the target is reached. Paths are checked in the slice, so an alarm may fail to replay.
    TargetLocation,
}

impl SlicingCriterion {
    /// All criteria, by the names used in configurations.
    pub const ALL: [(&'static str, SlicingCriterion); 3] = [
        ("conflict", SlicingCriterion::Conflict),
        ("target-path", SlicingCriterion::TargetPath),
        ("target-location", SlicingCriterion::TargetLocation),
    ];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        SlicingCriterion::ALL.iter().find(|(_, criterion)| *criterion == self).map_or("", |(name, _)| name)
    }
}

/// Options of slicing.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is added to the slice.
    pub criterion: SlicingCriterion,
    /// Maximum number of infeasible prefixes of one path to choose from.
    pub prefixes: usize,
    /// Whether the wrapped analysis is refined for each path for which the slice grows. Otherwise it is refined when the path comes back
    /// in the slice that excludes it.
    pub joint: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { criterion: SlicingCriterion::default(), prefixes: 4, joint: false }
    }
}

/// Explores growing slices of the program of `cx`. For each slice, `analysis` creates an analysis; the refiner is kept from slice to
/// slice, and with it the precision.
///
/// The slice in `cx` is ignored.
///
/// Errors: those that end an exploration or a refinement, such as `OutOfTime`.
pub fn run<C: Located, R: Refiner<C>>(
    cx: &mut Cx<'_>,
    options: Options,
    analysis: &dyn Fn(&Program) -> C,
    refiner: R,
    explore: ExploreOptions,
    graph: &mut Option<Box<Drawing>>,
) -> Result<Outcome, Halt> {
    let start = Instant::now();
    let cfa = cx.program.cfa.clone();
    let live = Live::new(&cfa, &cfa.targets);
    let control = ControlDependence::new(&cfa, &live, &cfa.targets, ControlOptions::default());
    let slice = GrowingSlice::new(&cfa, &live, &control, &SliceOptions::default());
    let full = FullPaths::new(&cfa, &live);
    let limit = explore.paths.limit;
    let mut slicing = SlicingRefiner { options, limit, slice, paths: full, learned_from: None, wrapped: refiner };
    cx.statistics.slicing_time += start.elapsed();
    loop {
        let start = Instant::now();
        let sliced = cx.program.resliced(slicing.slice.slice());
        cx.statistics.slice_sizes.push(sliced.slice.kept.count_ones(..) as u64);
        let mut cpa = analysis(&sliced);
        cx.statistics.slicing_time += start.elapsed();
        let ending = cx.with_program(&sliced, |cx| {
            if let Some(path) = slicing.learned_from.take() {
                let steps = in_view(&sliced, &path);
                slicing.wrapped.learn(&mut cpa, cx, &steps)?;
            }
            refined(cx, &mut cpa, &mut slicing, explore, graph)
        })?;
        match ending {
            Ending::Outcome(outcome) => return Ok(outcome),
            Ending::Restart => cx.statistics.slices += 1,
        }
        cx.budget.check()?;
    }
}

/// The refiner of slices, around the refiner of the wrapped analysis.
struct SlicingRefiner<'a, R> {
    options: Options,
    limit: Duration,
    slice: GrowingSlice<'a>,
    paths: FullPaths<'a>,
    /// The path for which the slice has grown, if the wrapped analysis is to learn from it.
    learned_from: Option<Vec<checker::Step>>,
    wrapped: R,
}

impl<R> SlicingRefiner<'_, R> {
    /// Adds these edges to the slice. Returns whether it has grown.
    fn grow(&mut self, cx: &mut Cx<'_>, edges: &[EdgeId]) -> bool {
        let start = Instant::now();
        let new: Vec<EdgeId> = edges.iter().copied().filter(|e| !self.slice.explains(*e)).collect();
        self.slice.add(&new);
        cx.statistics.slicing_time += start.elapsed();
        new.iter().any(|e| self.slice.explains(*e))
    }

    /// The edges to keep for a path with these conflicts; none if the slice already has all edges of one of them.
    ///
    /// If `choose` is set (the wrapped analysis is refined), the result covers all conflicts, so that it can choose among them. Otherwise
    /// it covers only the conflict that adds the fewest edges.
    fn criterion(&self, steps: &[Step<'_>], conflicts: &[Conflict], choose: bool) -> Vec<EdgeId> {
        if self.options.criterion == SlicingCriterion::TargetPath {
            let is_condition = |step: &Step<'_>| matches!(step.action, Action::Op(Op::Assume { .. }));
            let conditions = (0..steps.len()).filter(|i| is_condition(&steps[*i]));
            return criterion(steps, conditions);
        }
        let is_new = |e: &EdgeId| !self.slice.keeps(*e);
        let of = |c: &Conflict| criterion(steps, c.conditions.iter().copied());
        let new = conflicts.iter().map(|c| of(c).into_iter().filter(is_new).collect::<Vec<_>>());
        let mut new: Vec<Vec<EdgeId>> = new.collect();
        new.sort_by_key(Vec::len);
        new.truncate(if choose && new.first().is_some_and(|edges| !edges.is_empty()) { new.len() } else { 1 });
        new.concat()
    }

    fn target_path(&mut self, cx: &mut Cx<'_>, steps: &[Step<'_>], to: LocId, choose: bool) -> Result<Answer, Halt> {
        let program = cx.program;
        let full = match self.paths.of(program, steps, to) {
            Ok(full) => full,
            Err(NoPath::Through(call)) if self.grow(cx, &[call]) => return Ok(Answer::Restart),
            Err(NoPath::Through(_)) => {
                return Ok(Answer::Stuck(UnknownReason::Imprecise("no path leads through a call on the way".into())));
            }
            Err(NoPath::Unexplained) => {
                return Ok(Answer::Stuck(UnknownReason::Imprecise(
                    "no path of the whole program has this one as its slice".into(),
                )));
            }
            Err(NoPath::TooLong) => {
                return Ok(Answer::Stuck(UnknownReason::Limit("a path through the whole program is too long".into())));
            }
        };
        Ok(match conflict::by_constraints(cx, &full, self.options.prefixes, self.limit)? {
            Judgement::Feasible(candidate) => Answer::Feasible(candidate),
            Judgement::Undecided(reason) => Answer::Stuck(UnknownReason::Solver(reason)),
            Judgement::Infeasible(conflicts) => {
                let edges = self.criterion(&full, &conflicts, choose);
                if !self.grow(cx, &edges) {
                    return Ok(Answer::Delegate);
                }
                self.learned_from = self.options.joint.then(|| full.iter().map(|step| step.taken).collect());
                Answer::Restart
            }
        })
    }

    fn target_location(&mut self, cx: &mut Cx<'_>, steps: &[Step<'_>], to: LocId) -> Result<Answer, Halt> {
        // What decides whether the target is reached in its function, and whether its function is called.
        let mut decisive = cx.program.cfa.locs[to].into.to_vec();
        decisive.extend(pending_calls(steps));
        if self.grow(cx, &decisive) {
            return Ok(Answer::Restart);
        }
        Ok(match check_steps(cx, steps, self.limit)? {
            Feasibility::Feasible(candidate) => Answer::Feasible(candidate),
            Feasibility::Infeasible => Answer::Delegate,
            Feasibility::Undecided(reason) => Answer::Stuck(UnknownReason::Solver(reason)),
        })
    }
}

/// The judgement of the slicing refiner on a path.
enum Answer {
    Feasible(InputVector),
    Restart,
    Stuck(UnknownReason),
    /// The slice suffices: the wrapped analysis is too imprecise.
    Delegate,
}

/// The calls on a path that have not returned at its end.
fn pending_calls(steps: &[Step<'_>]) -> Vec<EdgeId> {
    let mut calls = Vec::new();
    for step in steps {
        match (step.taken, step.action) {
            (checker::Step::Edge(e), Action::Enter(..)) => calls.push(e),
            (checker::Step::Return, _) => {
                calls.pop();
            }
            _ => {}
        }
    }
    calls
}

/// The conditions at these positions of a path, ascending, and the calls that lead to them.
fn criterion(steps: &[Step<'_>], conditions: impl Iterator<Item = usize>) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut calls: Vec<EdgeId> = Vec::new();
    let mut conditions = conditions.peekable();
    for (i, step) in steps.iter().enumerate() {
        let checker::Step::Edge(e) = step.taken else {
            calls.pop();
            continue;
        };
        if conditions.next_if(|c| *c == i).is_some() {
            edges.push(e);
            edges.extend(calls.iter().copied());
        }
        if matches!(step.action, Action::Enter(..)) {
            calls.push(e);
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// A path of the whole program in the view of a slice: without the edges that are not in it, and without calls that it skips.
fn in_view<'p>(sliced: &'p Program, path: &[checker::Step]) -> Vec<Step<'p>> {
    let mut steps = Vec::new();
    let mut walk = Walk::new(sliced);
    // The number of skipped calls that have not returned.
    let mut skipped = 0;
    for &taken in path {
        match taken {
            checker::Step::Edge(e) if skipped > 0 || !sliced.view.out(walk.at).iter().any(|other| other.edge == e) => {
                skipped += u32::from(matches!(sliced.cfa.edges[e].op, Op::Call(_)));
                continue;
            }
            checker::Step::Return if skipped > 0 => {
                skipped -= 1;
                continue;
            }
            checker::Step::Edge(_) | checker::Step::Return => {}
        }
        steps.push(walk.take(taken));
    }
    steps
}

impl<C: Located, R: Refiner<C>> Refiner<C> for SlicingRefiner<'_, R> {
    fn precision(&self, cpa: &C) -> C::Precision {
        self.wrapped.precision(cpa)
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt> {
        let steps = self.wrapped.path(cpa, cx, arg, target)?;
        let to = cpa.key(&arg.node(target).state).loc;
        let answer = match self.options.criterion {
            SlicingCriterion::Conflict | SlicingCriterion::TargetPath => {
                self.target_path(cx, &steps, to, self.wrapped.refines())?
            }
            SlicingCriterion::TargetLocation => self.target_location(cx, &steps, to)?,
        };
        Ok(match answer {
            Answer::Feasible(candidate) => Refinement::Feasible(candidate),
            Answer::Restart => Refinement::Restart,
            Answer::Stuck(reason) => Refinement::Stuck(reason),
            Answer::Delegate => match self.wrapped.refine(cpa, cx, arg, target)? {
                Refinement::Feasible(_) => Refinement::Stuck(UnknownReason::Imprecise(
                    "a path is infeasible, but the slice contains no reason for it".into(),
                )),
                refinement => refinement,
            },
        })
    }
}
