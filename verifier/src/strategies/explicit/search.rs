//! The exploration of all states: breadth-first, and by random *dives* between these steps, which begin again and again at some state that is not
//! explored yet, so that errors are found that are deep among many states.

use super::classes::Classes;
use super::follow::Followed;
use super::machine::{Code, Machine, Place, Slot};
use super::precision::Precision;
use super::run::{End, Event, Run, Stack};
use super::states::{Site, StateId};
use super::{Counts, Whole};
use crate::cpa::Cx;
use crate::cpa::skeleton::location::Walk;
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::program::unsupported::unsupported_construct;
use crate::program::{Count, Halt, Program};
use crate::reach::path_check::{self, Feasibility};
use cfa::{EdgeId, Range, Scope, VarId};
use checker::{Certificate, Explored, Frame, FrameId, StateSet};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Duration;

/// Where there are more runs than this for each state, most inputs make no difference to the state, and enumerating them leads nowhere:
/// in programs of events, conditions and actions there are at most some hundreds.
const MAX_RUNS_PER_STATE: u64 = 2_000;

/// Number of runs from which on they are compared with the states.
const MIN_RUNS: u64 = 4_000_000;

/// Number of states at which precision is adjusted for the first time; then at twice that number, and so on.
const FIRST_LOOK: usize = 20_000;
/// Maximum size of the set of states, in bytes.
const MAX_SIZE: usize = 2 << 30;
/// Maximum number of paths to targets that are neither feasible nor refined.
const MAX_PATHS: u64 = 50;
/// Maximum time of a query whether a path is feasible.
const PATH: Duration = Duration::from_secs(5);

/// Number of states from which on there are dives.
const DIVES_FROM: usize = 2_000;
/// One in this many states is explored in a dive.
const DIVE_SHARE: u64 = 3;
/// Maximum number of states of one dive.
const LONGEST_DIVE: u32 = 500;

/// A state that was reached.
#[derive(Clone, Copy)]
struct State {
    site: u32,
    row: u32,
    /// The state before it.
    before: StateId,
}

pub(super) struct Search<'a, 'p> {
    whole: &'a Whole<'a>,
    program: &'a Program,
    cx: &'a mut Cx<'p>,
    machine: &'a Machine,
    classes: &'a Classes,
    precision: &'a mut Precision,
    /// The group of each slot in the whole program.
    groups: Vec<Option<usize>>,
    /// Whether the values of each slot are classes at cuts.
    is_classed: Vec<bool>,
    run: Run<'a>,
    sites: Vec<Site>,
    numbers: FxHashMap<(Place, Stack), u32>,
    /// All states, in the order in which they were reached.
    states: Vec<State>,
    /// A construct without a model that is reached.
    unsupported: Option<EdgeId>,
    /// Whether a recursive function is called.
    recursion: bool,
    /// The number of paths to targets about which nothing was found out.
    stuck: u64,
    /// Why the solver did not decide one of them.
    undecided: Option<String>,
    counts: &'a mut Counts,
}

impl<'a, 'p> Search<'a, 'p> {
    /// A search in a slice of the program, with its code and its classes.
    pub(super) fn new(
        whole: &'a Whole<'a>,
        (program, machine, classes): (&'a Program, &'a Machine, &'a Classes),
        precision: &'a mut Precision,
        cx: &'a mut Cx<'p>,
        counts: &'a mut Counts,
    ) -> Search<'a, 'p> {
        let group_of = |v: VarId| whole.machine.slot(v).map(|slot| whole.classes.group(slot));
        let groups: Vec<Option<usize>> = machine.slots.iter().map(|v| group_of(v.var)).collect();
        let is_classed = groups.iter().map(|g| g.is_some_and(|g| precision.classed.contains(&g))).collect();
        Search {
            whole,
            program,
            cx,
            machine,
            classes,
            precision,
            groups,
            is_classed,
            run: Run::new(machine, classes),
            sites: Vec::new(),
            numbers: FxHashMap::default(),
            states: Vec::new(),
            unsupported: None,
            recursion: false,
            stuck: 0,
            undecided: None,
            counts,
        }
    }

    /// Explores all states. `None` if the precision has changed, so that another search has to begin.
    ///
    /// Errors: `OutOfTime`; `OutOfBudget` if there are too many states, or too many runs for them.
    pub(super) fn run(mut self) -> Result<Option<Outcome>, Halt> {
        let end = self.explore();
        self.counts.steps += self.run.steps;
        self.counts.states = self.states.len() as u64;
        self.counts.classed = self.precision.classed.len() as u64;
        self.counts.untracked = self.precision.untracked.len() as u64;
        end
    }

    fn site(&mut self, cut: Place, stack: Stack) -> u32 {
        let next = self.sites.len() as u32;
        let site = *self.numbers.entry((cut, stack)).or_insert(next);
        if site == next {
            let loc = self.machine.locs[&cut];
            // Locals of functions that are not active are not read, whether liveness is known or not.
            let mut active = vec![self.program.cfa.locs[loc].func];
            let mut at = stack;
            while let Some((back, below)) = self.run.stacks.top(at) {
                active.push(self.program.cfa.locs[self.machine.locs[&back]].func);
                at = below;
            }
            let exists = |v: VarId| match self.program.cfa.vars[v].scope {
                Scope::Global => true,
                Scope::Local(f) => active.contains(&f),
            };
            let live = |v: VarId| cut != self.machine.start && exists(v) && self.program.liveness.is_live(loc, v);
            let slots = self.machine.slots.iter().enumerate().filter(|(_, v)| live(v.var));
            let slots: Rc<[Slot]> = slots.map(|(slot, _)| slot as Slot).collect();
            self.sites.push(Site::new(cut, stack, slots));
        }
        site
    }

    fn explore(&mut self) -> Result<Option<Outcome>, Halt> {
        let start = self.site(self.machine.start, 0);
        self.sites[start as usize].add(std::iter::empty(), 0);
        self.states.push(State { site: start, row: 0, before: 0 });
        let mut next_look = FIRST_LOOK;
        let mut agenda = Agenda::default();
        while let Some(next) = agenda.next(self.states.len()) {
            let (known, State { site, row, .. }) = (self.states.len(), self.states[next]);
            self.cx.budget.note(Count::States, known as u64);
            let s = &self.sites[site as usize];
            self.run.begin(s.cut, s.stack, s.ranges(row as usize), false);
            while let Some(end) = self.run.next_end(self.cx.budget)? {
                self.counts.runs += 1;
                if self.counts.runs >= MIN_RUNS && self.counts.runs / MAX_RUNS_PER_STATE > self.states.len() as u64 {
                    let why = format!("{} runs for {} states", self.counts.runs, self.states.len());
                    return Err(Halt::OutOfBudget(why));
                }
                match end {
                    End::Cut(cut) => {
                        if !self.arrive(cut, next as StateId) {
                            return Ok(None);
                        }
                    }
                    End::Target if self.stuck >= MAX_PATHS => {}
                    End::Target => match self.target(next as StateId)? {
                        Found::Alarm(alarm) => return Ok(Some(alarm)),
                        Found::Refined => return Ok(None),
                        Found::Nothing => self.stuck += 1,
                    },
                    End::Unsupported(e) => self.unsupported = Some(e),
                    End::Recursion => self.recursion = true,
                }
            }
            agenda.found(known, self.states.len());
            if self.states.len() >= next_look {
                if self.precision.coarsen(self.whole, &self.sites, &self.groups) {
                    return Ok(None);
                }
                next_look *= 2;
            }
            if agenda.explored.is_multiple_of(FIRST_LOOK) && self.sites.iter().map(Site::size).sum::<usize>() > MAX_SIZE
            {
                return Err(Halt::OutOfBudget(format!("{} states", self.states.len())));
            }
        }
        let unknown = if let Some(e) = self.unsupported {
            UnknownReason::Unsupported(unsupported_construct(self.cx.program, e))
        } else if self.recursion {
            UnknownReason::Limit("recursive calls".into())
        } else if let Some(why) = &self.undecided {
            UnknownReason::Solver(why.clone())
        } else if self.stuck > 0 {
            UnknownReason::Imprecise("classes of values are too imprecise".into())
        } else {
            return Ok(Some(Outcome::Proof(Box::new(self.certificate()))));
        };
        Ok(Some(Outcome::Unknown(unknown)))
    }

    /// The sets of states as a certificate.
    fn certificate(&self) -> Certificate {
        let (mut frames, mut numbers): (Vec<Frame>, FxHashMap<Stack, FrameId>) = (Vec::new(), FxHashMap::default());
        // Stacks are numbered after those below them.
        for stack in 1..=self.run.stacks.len() as Stack {
            if let Some((back, below)) = self.run.stacks.top(stack) {
                numbers.insert(stack, frames.len() as FrameId);
                frames.push(Frame { return_to: self.machine.locs[&back], below: numbers.get(&below).copied() });
            }
        }
        let mut explored = Explored::default();
        for (slot, v) in self.machine.slots.iter().enumerate() {
            let at = self.classes.begins(slot as Slot);
            if !at.is_empty() {
                explored.splits.push((v.var, at.to_vec()));
            }
        }
        for site in self.sites.iter().filter(|s| s.cut != self.machine.start) {
            explored.sets.push(StateSet {
                loc: self.machine.locs[&site.cut],
                stack: numbers.get(&site.stack).copied(),
                vars: site.live.iter().map(|slot| self.machine.slots[*slot as usize].var).collect(),
                ranges: site.values.iter().map(|v| v.all.clone()).collect(),
                rows: site.rows.clone(),
            });
        }
        Certificate {
            slice: self.program.slice.clone(),
            terms: self.program.overlay(),
            frames,
            nodes: Vec::new(),
            contracts: Vec::new(),
            explored: Some(explored),
        }
    }

    /// Adds the state at the end of a run. `false` if a variable has too many values.
    fn arrive(&mut self, cut: Place, before: StateId) -> bool {
        let site = self.site(cut, self.run.stack);
        let s = &mut self.sites[site as usize];
        let live = s.live.clone();
        let (run, classes, machine, is_classed) = (&self.run, self.classes, self.machine, &self.is_classed);
        let ranges = live.iter().map(|slot| adjusted(machine, classes, is_classed, *slot, run.values[*slot as usize]));
        let added = s.add(ranges, self.states.len() as StateId);
        match added {
            Some((true, row)) => {
                self.states.push(State { site, row: row as u32, before });
                true
            }
            Some((false, _)) => true,
            None => {
                let n = s.values.iter().position(|v| v.all.len() > usize::from(u16::MAX));
                if let Some(i) = n {
                    self.precision.classed.extend(self.groups[s.live[i] as usize]);
                }
                false
            }
        }
    }

    /// What is decided on the way from the start to a target that a run from `state` reaches.
    fn path(&self, state: StateId) -> Result<(Vec<Event>, usize), Halt> {
        let mut chain = vec![state];
        while let Some(&s) = chain.last()
            && s != 0
        {
            chain.push(self.states[s as usize].before);
        }
        chain.reverse();
        let mut run = Run::new(self.machine, self.classes);
        run.stacks = self.run.stacks.clone();
        let mut all = Vec::new();
        for (i, s) in chain.iter().enumerate() {
            let goal = chain.get(i + 1).copied();
            let State { site, row, .. } = self.states[*s as usize];
            let s = &self.sites[site as usize];
            run.begin(s.cut, s.stack, s.ranges(row as usize), true);
            while let Some(end) = run.next_end(self.cx.budget)? {
                let found = match (end, goal) {
                    (End::Target, None) => true,
                    (End::Cut(cut), Some(goal)) => self.is_at(&run, cut, goal),
                    _ => false,
                };
                if found {
                    break;
                }
            }
            all.append(&mut run.trace);
        }
        Ok((all, chain.len()))
    }

    fn is_at(&self, run: &Run<'_>, cut: Place, state: StateId) -> bool {
        let State { site, row, .. } = self.states[state as usize];
        let s = &self.sites[site as usize];
        (s.cut, s.stack) == (cut, run.stack)
            && s.ranges(row as usize).all(|(slot, r)| {
                adjusted(self.machine, self.classes, &self.is_classed, slot, run.values[slot as usize]) == r
            })
    }

    /// What a path to a target, which a run from `state` reaches, is in the whole program.
    fn target(&mut self, state: StateId) -> Result<Found, Halt> {
        let (trace, cuts) = self.path(state)?;
        let taken = match Run::new(&self.whole.machine, &self.whole.classes).follow(&trace, cuts) {
            Followed::Target(path) => path,
            Followed::Deviates(log, slots) => {
                self.counts.infeasible += 1;
                return Ok(if self.refine(&log, slots) { Found::Refined } else { Found::Nothing });
            }
            Followed::Lost => return Ok(Found::Nothing),
        };
        let mut walk = Walk::new(self.whole.program);
        let steps: Vec<_> = taken.into_iter().map(|taken| walk.take(taken)).collect();
        match path_check::check_steps(self.cx, &steps, PATH)? {
            Feasibility::Feasible(inputs) => Ok(Found::Alarm(Outcome::Alarm(inputs))),
            Feasibility::Infeasible => {
                self.counts.infeasible += 1;
                Ok(Found::Nothing)
            }
            Feasibility::Undecided(why) => {
                self.undecided = Some(why);
                Ok(Found::Nothing)
            }
        }
    }

    /// Tracks more precisely what decides that `needed` has the values that it has after the instructions of `log` in the whole program.
    /// Returns whether there is anything.
    fn refine(&mut self, log: &[Place], needed: Vec<Slot>) -> bool {
        let Whole { machine, classes, .. } = self.whole;
        let mut needed: FxHashSet<Slot> = needed.into_iter().collect();
        for place in log.iter().rev() {
            let is_cut = matches!(machine.code[*place as usize], Code::Cut(_));
            let groups: FxHashSet<usize> = needed.iter().map(|slot| classes.group(*slot)).collect();
            let coarse: Vec<usize> = groups.into_iter().filter(|g| is_cut || self.precision.is_untracked(*g)).collect();
            let mut any = false;
            for group in coarse {
                any |= self.precision.refine(self.whole, group);
            }
            if any {
                return true;
            }
            let mut sources = Vec::new();
            for (slot, of) in machine.assigned(*place) {
                if needed.remove(&slot) {
                    sources.extend(of);
                }
            }
            needed.extend(sources);
        }
        false
    }
}

/// Which state is explored next. States are numbered in the order in which they were reached.
struct Agenda {
    /// All states before this one are explored.
    first: usize,
    done: FixedBitSet,
    explored: usize,
    /// The next state of the dive, if there is one, and the number of states that it may still have.
    dive: Option<usize>,
    left: u32,
    dives: bool,
    random: fastrand::Rng,
}

impl Default for Agenda {
    fn default() -> Agenda {
        Agenda {
            first: 0,
            done: FixedBitSet::new(),
            explored: 0,
            dive: None,
            left: 0,
            dives: false,
            random: fastrand::Rng::with_seed(1),
        }
    }
}

impl Agenda {
    /// The next of `n` states; `None` if all are explored.
    fn next(&mut self, n: usize) -> Option<usize> {
        self.done.grow(n);
        while self.first < n && self.done.contains(self.first) {
            self.first += 1;
        }
        if self.first == n {
            return None;
        }
        self.dives = n >= DIVES_FROM && self.random.u64(..DIVE_SHARE) == 0;
        let next = match self.dives {
            true => self.dive.unwrap_or_else(|| {
                self.left = LONGEST_DIVE;
                let state = self.random.usize(self.first..n);
                if self.done.contains(state) { self.first } else { state }
            }),
            false => self.first,
        };
        // The state where a dive goes on may have been explored since.
        let next = if self.done.contains(next) { self.first } else { next };
        self.done.insert(next);
        self.explored += 1;
        Some(next)
    }

    /// From the state that was explored last, those from `known` on were reached that were not known, up to `n`.
    fn found(&mut self, known: usize, n: usize) {
        if self.dives {
            self.left = self.left.saturating_sub(1);
            self.dive = (known < n && self.left > 0).then(|| self.random.usize(known..n));
        }
    }
}

/// What a path to a target is.
enum Found {
    /// It is feasible.
    Alarm(Outcome),
    /// It is infeasible, and more is tracked now.
    Refined,
    /// It is infeasible or undecided.
    Nothing,
}

/// What is kept of the value of a slot at a cut.
fn adjusted(machine: &Machine, classes: &Classes, is_classed: &[bool], slot: Slot, r: Range) -> Range {
    match is_classed[slot as usize] {
        true => classes.around(slot, r, machine.slots[slot as usize].any),
        false => r,
    }
}
