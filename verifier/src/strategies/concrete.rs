//! Concrete runs: executes the program on corner values, on constants that it compares its inputs with, and on random values, before any
//! solver is asked.
//!
//! Where every input, or every tenth one, leads to a target, an interpreter finds one in milliseconds. A solver may need hours for the same
//! program, since it has to invert what lies on the way: a checksum, a hash, long arithmetic. A program that reads no inputs is simply run.
//!
//! ```text
//! runs 0 to 4   all inputs are 0, 1, -1, the least, the greatest number
//! later runs    each input is one of these, a constant of its partition, or one more or less, the value before, a small number, any number
//! every other   the inputs of an earlier run that executed new edges, some of them replaced, as fuzzers such as AFL do
//! ```
//!
//! The constants of a partition are those that an input, or what it flows into, is compared with (`domain_types`). Runs are over when the
//! budget of steps is spent, or when many runs in a row have shown nothing new. Seeds are fixed and budgets are steps, so that what is found
//! does not depend on the speed of the machine.
//!
//! A run that reaches a target is an alarm, which is replayed like any other; before, inputs are set to zero one by one where the target is
//! still reached. Runs prove nothing: also a program without inputs that ends is left to the analyses, whose certificates say so. A run that
//! ends at undefined behaviour is reported beside the answer.

use crate::evidence::fault::{self, Fault};
use crate::evidence::outcome::{InputVector, Outcome, UnknownReason};
use crate::evidence::replay;
use crate::program::domain_types::DomainTypes;
use crate::program::{Budget, Count, Halt, Program};
use cfa::bv::{Bv, BvOp};
use cfa::eval::{ArrayValue, Value};
use cfa::interpret::{End, InputEvent, InputSource, Run, RunLimits, run as execute};
use cfa::{Cfa, EdgeId, Id, InputKind, LocId, Op, Sort};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// The effort.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum number of runs.
    pub runs: u64,
    /// Maximum number of edges that all runs execute together, but for the first one.
    pub steps: u64,
    /// Maximum number of edges that one run executes, but for the first one.
    pub run_steps: u64,
    /// Maximum number of edges that the first run executes.
    pub first_steps: u64,
    /// Maximum number of edges that the run of a program without inputs executes.
    pub only_steps: u64,
    /// Number of runs in a row without a new edge after which no more are tried.
    pub stale_runs: u64,
}

impl Default for Options {
    /// For a strategy of its own: several seconds.
    fn default() -> Options {
        Options {
            runs: 100_000,
            steps: 20_000_000,
            run_steps: 1_000_000,
            first_steps: 10_000_000,
            only_steps: 500_000_000,
            stale_runs: 5_000,
        }
    }
}

impl Options {
    /// For a first turn, before other techniques: a fraction of a second.
    pub fn quick() -> Options {
        Options {
            runs: 400,
            steps: 200_000,
            run_steps: 20_000,
            first_steps: 500_000,
            only_steps: 3_000_000,
            stale_runs: 60,
        }
    }
}

/// Counts of one turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// The number of runs.
    pub runs: u64,
    /// The number of edges executed.
    pub steps: u64,
    /// The number of different edges executed.
    pub edges: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// An alarm, or the reason why there is none.
    pub outcome: Result<Outcome, Halt>,
    /// Undefined behaviour at which a run ends.
    pub fault: Option<Box<Fault>>,
}

/// Maximum number of inputs of a run that are set to zero one by one.
const SIMPLIFIED: usize = 64;
/// Maximum number of edges executed to do so.
const SIMPLIFYING_STEPS: u64 = 200_000;
/// Maximum number of faults that are looked at.
const FAULTS: usize = 8;
/// Maximum number of runs to targets, on inputs of which some cannot be known, that are replayed at once.
const DOUBTS: u32 = 3;
/// Number of variables that cost as much at the start of a run as one edge.
const VARIABLES_PER_STEP: u64 = 8;

/// Executes `program`, the whole of it, on inputs of many kinds.
pub fn run(program: &Program, options: Options, budget: Budget<'_>, counts: &mut Counts) -> Found {
    let mut search = Search {
        program,
        cfa: &program.cfa,
        values: Values::new(program),
        options,
        budget,
        covered: FixedBitSet::with_capacity(program.cfa.edges.len()),
        pool: Vec::new(),
        reads_inputs: false,
        faults: Vec::new(),
        doubtful: None,
        doubts: 0,
        counts,
    };
    let outcome = search.run();
    search.counts.edges = search.covered.count_ones(..) as u64;
    Found { outcome, fault: search.fault() }
}

/// Where concrete runs come to, as far as that rests on nothing which cannot be known.
pub struct Visited {
    /// The edges that they execute.
    pub edges: FixedBitSet,
    /// The locations at which they end.
    pub stuck: FxHashSet<LocId>,
}

/// Executes `program`, the whole of it, on inputs of many kinds, and says where it comes to.
pub fn visit(program: &Program, options: Options, budget: Budget<'_>) -> Visited {
    let cfa = &*program.cfa;
    let values = Values::new(program);
    let n = cfa.edges.len();
    let mut visited = Visited { edges: FixedBitSet::with_capacity(n), stuck: FxHashSet::default() };
    let mut pool: Vec<Vec<Value>> = Vec::new();
    let per_run = (cfa.vars.len() as u64 + n as u64 / 64) / VARIABLES_PER_STEP;
    let (mut spent, mut stale) = (0, 0);
    for seed in 0..options.runs {
        if spent >= options.steps || stale >= options.stale_runs || budget.left().is_zero() {
            break;
        }
        let steps = if seed == 0 { options.first_steps } else { options.run_steps.min(options.steps - spent) };
        let limits = RunLimits { steps, deadline: Some(budget.deadline) };
        let mut source = Source::new(&values, cfa, seed, &pool);
        let (mut is_new, mut is_certain) = (pool.is_empty(), true);
        let found = execute(cfa, &mut source, limits, &mut |_, e| {
            is_certain &= !is_doubtful(cfa, e);
            is_new |= is_certain && !visited.edges.put(e.index());
        });
        let Source { taken, reads_inputs, .. } = source;
        if is_certain {
            match found.end {
                End::Finished => is_new |= visited.stuck.insert(cfa.funcs[cfa.entry].exit),
                End::DeadEnd(l) => is_new |= visited.stuck.insert(l),
                _ => {}
            }
        }
        if is_new {
            pool.push(taken);
        }
        stale = if is_new { 0 } else { stale + 1 };
        spent += per_run + if seed == 0 { 0 } else { found.steps };
        if !reads_inputs {
            break;
        }
    }
    visited
}

/// Whether a run that executes `e` may rest on what cannot be known.
fn is_doubtful(cfa: &Cfa, e: EdgeId) -> bool {
    matches!(&cfa.edges[e].op, Op::Input { kind: InputKind::Approximate(_) | InputKind::Undefined, .. })
}

struct Search<'a> {
    program: &'a Program,
    cfa: &'a Cfa,
    values: Values,
    options: Options,
    budget: Budget<'a>,
    /// The edges that were executed.
    covered: FixedBitSet,
    /// The inputs of runs that executed new edges.
    pool: Vec<Vec<Value>>,
    /// Whether a run read anything but the initial contents of memories.
    reads_inputs: bool,
    /// The first runs that end at undefined behaviour, each at another edge.
    faults: Vec<(EdgeId, Run)>,
    /// A run to a target that rests on inputs which cannot be known.
    doubtful: Option<InputVector>,
    /// The number of runs to targets that may be such.
    doubts: u32,
    counts: &'a mut Counts,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Outcome, Halt> {
        let Options { runs, steps, run_steps, first_steps, only_steps, stale_runs } = self.options;
        if let Some(alarm) = self.attempt(0, first_steps) {
            return Ok(alarm);
        }
        if !self.reads_inputs {
            // There is one run; it goes on where it was stopped.
            let more = (self.counts.steps >= first_steps && first_steps < only_steps).then_some(only_steps);
            let alarm = more.and_then(|limit| self.attempt(0, limit));
            return Ok(alarm.unwrap_or_else(nothing_found));
        }
        let per_run = self.cfa.vars.len() as u64 / VARIABLES_PER_STEP;
        let (mut spent, mut stale) = (0, 0);
        for seed in 1..runs {
            if spent >= steps || stale >= stale_runs || self.budget.left().is_zero() {
                break;
            }
            let (before, known) = (self.counts.steps, self.pool.len());
            if let Some(alarm) = self.attempt(seed, run_steps.min(steps - spent)) {
                return Ok(alarm);
            }
            spent += self.counts.steps - before + per_run;
            stale = if self.pool.len() > known { 0 } else { stale + 1 };
        }
        self.budget.check()?;
        Ok(self.doubtful.take().map_or_else(nothing_found, Outcome::Alarm))
    }

    /// Runs the program on the inputs of `seed`. Returns an alarm that rests on nothing that cannot be known.
    fn attempt(&mut self, seed: u64, limit: u64) -> Option<Outcome> {
        let mut source = Source::new(&self.values, self.cfa, seed, &self.pool);
        let mut is_new = seed == 0 && self.pool.is_empty();
        let covered = &mut self.covered;
        let limits = RunLimits { steps: limit, deadline: Some(self.budget.deadline) };
        let found = execute(self.cfa, &mut source, limits, &mut |_, e| is_new |= !covered.put(e.index()));
        let Source { taken, reads_inputs, .. } = source;
        self.reads_inputs |= reads_inputs;
        self.counts.runs += 1;
        self.budget.count(Count::Runs);
        self.counts.steps += found.steps;
        if is_new {
            self.pool.push(taken);
        }
        if let Some((edge, _)) = fault::kind(self.cfa, &found.end)
            && self.faults.len() < FAULTS
            && self.faults.iter().all(|(known, _)| *known != edge)
        {
            self.faults.push((edge, found));
            return None;
        }
        if !matches!(found.end, End::Target(_)) {
            return None;
        }
        if found.inputs.iter().any(|input| is_doubtful(self.cfa, input.edge)) {
            // Whether it matters what they are, the replay says.
            let candidate = vector(&found.inputs);
            self.doubts += 1;
            if self.doubts > DOUBTS || replay::replay(self.program, &candidate, self.budget).is_err() {
                self.doubtful.get_or_insert(candidate);
                return None;
            }
        }
        Some(Outcome::Alarm(self.simplified(&found)))
    }

    /// The inputs of a run to a target, of which as many are zero as the first that are tried allow.
    fn simplified(&mut self, found: &Run) -> InputVector {
        let mut best = vector(&found.inputs);
        let mut left = SIMPLIFYING_STEPS;
        for input in found.inputs.iter().take(SIMPLIFIED) {
            let zero = Value::zero(input.value.sort());
            let is_scalar = matches!(input.value, Value::Bv(_) | Value::Bool(_));
            if !is_scalar || input.value == zero || left < found.steps {
                continue;
            }
            let mut other = best.clone();
            if let Some(value) = other.inputs.get_mut(&input.edge).and_then(|v| v.get_mut(input.occurrence as usize)) {
                *value = zero;
            }
            let limits = RunLimits { steps: found.steps, deadline: Some(self.budget.deadline) };
            let again = execute(self.cfa, &mut other.inputs, limits, &mut |_, _| ());
            left -= again.steps;
            self.counts.steps += again.steps;
            if again.end == found.end && again.inputs.len() <= found.inputs.len() {
                best = other;
            }
        }
        best
    }

    /// The first undefined behaviour that rests on nothing that is not known.
    fn fault(&mut self) -> Option<Box<Fault>> {
        let found = std::mem::take(&mut self.faults).into_iter();
        let mut faults = found.filter_map(|(_, run)| fault::of_inputs(self.cfa, vector(&run.inputs), self.budget));
        faults.find(|fault| fault.rests_on.is_none()).map(Box::new)
    }
}

/// The number of the last run whose inputs are all the same.
const LAST_CORNER: u64 = 4;

/// Corner value number `i`: 0, 1, -1, the least or the greatest signed number.
fn corner(i: u64, width: u32) -> Bv {
    let least = || match width {
        1 => Bv::new(1, 1),
        _ => Bv::new(1, 1).concat(&Bv::new(width - 1, 0)),
    };
    match i {
        0 => Bv::new(width, 0),
        1 => Bv::new(width, 1),
        2 => Bv::ones(width),
        3 => least(),
        _ => least().not(),
    }
}

fn nothing_found() -> Outcome {
    Outcome::Unknown(UnknownReason::NotReached("no run on concrete inputs reaches the error".into()))
}

/// The inputs of a run, by edge.
fn vector(events: &[InputEvent]) -> InputVector {
    let mut inputs: FxHashMap<EdgeId, Vec<Value>> = FxHashMap::default();
    for event in events {
        inputs.entry(event.edge).or_default().push(event.value.clone());
    }
    InputVector { inputs }
}

/// What inputs are compared with.
struct Values {
    /// The constants for each variable that takes an input.
    of_edge: FxHashMap<EdgeId, Vec<Bv>>,
}

impl Values {
    fn new(program: &Program) -> Values {
        let types = DomainTypes::new(program);
        let mut of_edge = FxHashMap::default();
        for e in program.slice.kept.ones().map(EdgeId::from_index) {
            let Op::Input { var, .. } = program.cfa.edges[e].op else { continue };
            if let Some(partition) = types.partition(var).filter(|p| !p.constants.is_empty()) {
                of_edge.insert(e, partition.constants.clone());
            }
        }
        Values { of_edge }
    }
}

/// The inputs of one run.
struct Source<'a> {
    values: &'a Values,
    random: fastrand::Rng,
    seed: u64,
    pointer_bits: u32,
    /// The percentage of inputs that are zero: so loops that inputs end have few or many iterations.
    zeros: u8,
    /// Inputs of an earlier run.
    again: &'a [Value],
    /// The percentage of these that are replaced.
    replaced: u8,
    last: Bv,
    /// All inputs so far.
    taken: Vec<Value>,
    /// Whether one of them is not the initial contents of a memory.
    reads_inputs: bool,
}

impl<'a> Source<'a> {
    fn new(values: &'a Values, cfa: &Cfa, seed: u64, pool: &'a [Vec<Value>]) -> Source<'a> {
        const ZEROS: [u8; 4] = [5, 20, 50, 80];
        const REPLACED: [u8; 3] = [2, 10, 40];
        let mut random = fastrand::Rng::with_seed(seed);
        let zeros = ZEROS[random.usize(..ZEROS.len())];
        let replaced = REPLACED[random.usize(..REPLACED.len())];
        // Later runs know more, so the last ones of the pool come more often.
        let is_again = seed > LAST_CORNER && seed % 2 == 1 && !pool.is_empty();
        let again = match is_again {
            true => &pool[random.usize(..pool.len()).max(random.usize(..pool.len()))][..],
            false => &[],
        };
        let (pointer_bits, last, taken) = (cfa.pointer_bits, Bv::new(1, 0), Vec::new());
        Source { values, random, seed, pointer_bits, zeros, again, replaced, last, taken, reads_inputs: false }
    }

    fn number(&mut self, edge: EdgeId, width: u32) -> Bv {
        let random = &mut self.random;
        if random.u8(..100) < self.zeros {
            return Bv::new(width, 0);
        }
        let constants = self.values.of_edge.get(&edge).map_or(&[][..], |constants| constants);
        let most = 1 << random.u32(1..7);
        let small = random.u64(..most);
        let value = match random.u8(..12) {
            0 => self.last.zext(width.max(self.last.width())).extract(width - 1, 0),
            1 | 2 => Bv::new(width, small),
            3 => Bv::from_i64(width, -(small as i64)),
            4 => corner(random.u64(1..=LAST_CORNER), width),
            5..=8 if !constants.is_empty() => {
                let constant = &constants[random.usize(..constants.len())];
                let same_width = constant.zext(width.max(constant.width())).extract(width - 1, 0);
                let distance = Bv::from_i64(width, [0, 0, 1, -1][random.usize(..4)]);
                Bv::apply(BvOp::Add, &same_width, &distance)
            }
            _ => Bv::from_words(width, &[random.u64(..), random.u64(..), random.u64(..)]),
        };
        self.last = value.clone();
        value
    }

    fn draw(&mut self, edge: EdgeId, kind: &InputKind, sort: Sort) -> Value {
        if self.seed == 0 || matches!(kind, InputKind::Undefined) {
            return Value::zero(sort);
        }
        match sort {
            Sort::Bool => Value::Bool(self.seed == 1 || self.random.bool()),
            Sort::Bv(width) if self.seed <= LAST_CORNER => Value::Bv(corner(self.seed, width)),
            // A pointer from outside.
            Sort::Bv(width)
                if width == self.pointer_bits && matches!(kind, InputKind::External(_)) && self.random.bool() =>
            {
                Value::zero(sort)
            }
            Sort::Bv(width) => Value::Bv(self.number(edge, width)),
            Sort::Array { index, elem } => match self.random.u8(..3) {
                0 => Value::Array(ArrayValue::constant(index, Bv::new(elem, self.random.u64(..)))),
                _ => Value::zero(sort),
            },
        }
    }
}

impl InputSource for Source<'_> {
    fn value(&mut self, edge: EdgeId, _: u32, kind: &InputKind, sort: Sort) -> Value {
        let known = self.again.get(self.taken.len()).filter(|value| value.sort() == sort);
        let is_kept = known.is_some() && self.random.u8(..100) >= self.replaced;
        let value = match known {
            Some(value) if is_kept => value.clone(),
            _ => self.draw(edge, kind, sort),
        };
        self.taken.push(value.clone());
        self.reads_inputs |= !matches!((kind, sort), (InputKind::Uninitialised, Sort::Array { .. }));
        value
    }
}
