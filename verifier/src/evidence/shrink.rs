//! Shrinks a counterexample: fewer inputs, then smaller values, then fewer steps, as long as the whole program still reaches the same target.
//!
//! A search reports the inputs that it happened to find: values with many digits, loops that run longer than they have to. Which of them
//! matter is found by trying, as delta debugging does (Zeller, Hildebrandt, TSE 2002), through the interpreter alone:
//!
//! ```text
//! remove or clear ranges of inputs, long ones first          7 -3 900 0 12   ->   900 12
//! move each value towards 0, by halves and then by ones      900 12          ->   11 1
//! ```
//!
//! and both again until nothing changes or the effort is spent. An input that is removed leaves its place to the next one of its call, so
//! loops that read inputs become shorter; values that bound a loop become smaller. What is found is replayed like any other candidate, so a
//! mistake here can only lose the shorter execution.

use crate::evidence::outcome::InputVector;
use crate::evidence::replay::{self, Counterexample};
use crate::program::{Budget, Program};
use cfa::bv::Bv;
use cfa::eval::Value;
use cfa::interpret::{End, InputEvent, RunLimits, run};
use cfa::{Cfa, EdgeId, InputKind, Op, ValueFormat};

/// Maximum number of edges that all runs execute together.
const STEPS: u64 = 50_000_000;
/// Maximum number of runs.
const RUNS: u64 = 20_000;
/// Maximum width of numbers that are made smaller step by step, in bits.
const WIDEST: u32 = 64;

/// What shrinking started from, and its effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// The number of inputs before.
    pub inputs: u64,
    /// The number of edges executed before.
    pub steps: u64,
    /// The number of runs.
    pub runs: u64,
}

/// A smaller counterexample to the same target, replayed; or the same one, if no smaller one was found within `budget`.
pub fn shrink(program: &Program, found: Counterexample, budget: Budget<'_>) -> Counterexample {
    let cfa = &*program.cfa;
    let mut search = Search {
        cfa,
        budget,
        target: found.target,
        size: size(cfa, &found.inputs, found.n_steps),
        steps: found.n_steps,
        best: found.inputs.clone(),
        left: STEPS,
        runs: 0,
    };
    loop {
        let before = search.size;
        search.drop_ranges();
        search.lower_values();
        if search.size == before || search.is_spent() {
            break;
        }
    }
    let (inputs, steps, runs) = (found.inputs.len() as u64, found.n_steps, search.runs);
    let shrunk = Some(Shrunk { inputs, steps, runs });
    match replay::replay(program, &vector(&search.best), budget) {
        Ok(smaller) if smaller.target == found.target => Counterexample { shrunk, ..smaller },
        _ => Counterexample { shrunk, ..found },
    }
}

/// Number of inputs, sum of the values' distances from 0, sum of the positions of those that are not 0, number of steps: what is to become
/// smaller, the first first. Without the positions, zeros between other values would stay, and loops would be as long as before.
type Size = (usize, u128, u64, u64);

struct Search<'a> {
    cfa: &'a Cfa,
    budget: Budget<'a>,
    target: cfa::LocId,
    /// The smallest inputs so far, their size, and the number of steps.
    best: Vec<InputEvent>,
    size: Size,
    steps: u64,
    /// The number of steps that are left.
    left: u64,
    runs: u64,
}

impl Search<'_> {
    fn is_spent(&self) -> bool {
        self.left == 0 || self.runs >= RUNS || self.budget.left().is_zero()
    }

    /// Runs the program on `inputs`, and keeps what it reads if that is smaller. Returns whether it is.
    fn attempt(&mut self, inputs: &[InputEvent]) -> bool {
        if self.is_spent() {
            return false;
        }
        let mut source = vector(inputs).inputs;
        // Smaller inputs may need more steps, but not many more.
        let steps = (2 * self.steps + 1000).min(self.left);
        let again =
            run(self.cfa, &mut source, RunLimits { steps, deadline: Some(self.budget.deadline) }, &mut |_, _| ());
        self.left -= again.steps.min(self.left);
        self.runs += 1;
        let size = size(self.cfa, &again.inputs, again.steps);
        let doubts = |inputs: &[InputEvent]| inputs.iter().filter(|i| is_doubtful(self.cfa, i.edge)).count();
        let is_smaller =
            again.end == End::Target(self.target) && size < self.size && doubts(&again.inputs) <= doubts(&self.best);
        if is_smaller {
            (self.best, self.size, self.steps) = (again.inputs, size, again.steps);
        }
        is_smaller
    }

    /// Removes ranges of inputs, or sets them to zero.
    fn drop_ranges(&mut self) {
        let mut length = self.best.len();
        while length > 0 && !self.is_spent() {
            let mut begin = 0;
            while begin < self.best.len() && !self.is_spent() {
                let end = (begin + length).min(self.best.len());
                let removed = [&self.best[..begin], &self.best[end..]].concat();
                let mut cleared = self.best.clone();
                cleared[begin..end].iter_mut().for_each(|input| input.value = Value::zero(input.value.sort()));
                if !self.attempt(&removed) && (cleared == self.best || !self.attempt(&cleared)) {
                    begin += length;
                } else if self.best.get(begin..end).is_some_and(|kept| *kept == cleared[begin..end]) {
                    begin = end;
                }
            }
            length /= 2;
        }
    }

    /// Moves each number towards zero.
    fn lower_values(&mut self) {
        let mut at = 0;
        while at < self.best.len() && !self.is_spent() {
            self.lower(at);
            at += 1;
        }
    }

    fn lower(&mut self, at: usize) {
        let edge = self.best[at].edge;
        let Some(mut value) = number(self.cfa, &self.best[at]) else { return };
        let sign = value.signum();
        let near = [0, 1, -1].into_iter().filter(|n: &i128| n.abs() < value.abs()).find(|n| self.set(at, edge, *n));
        value = near.unwrap_or(value);
        let mut distance = value.abs() / 2;
        while distance > 0 && !self.is_spent() {
            let next = value - sign * distance;
            if self.set(at, edge, next) {
                value = next;
                distance = distance.min(value.abs() / 2);
            } else {
                distance /= 2;
            }
        }
    }

    /// Tries `value` for input number `at`, which `edge` reads.
    fn set(&mut self, at: usize, edge: EdgeId, value: i128) -> bool {
        let mut inputs = self.best.clone();
        let Some(input) = inputs.get_mut(at).filter(|input| input.edge == edge) else { return false };
        let Value::Bv(bits) = &input.value else { return false };
        input.value = Value::Bv(Bv::from_i64(bits.width(), value as i64));
        self.attempt(&inputs)
    }
}

fn size(cfa: &Cfa, inputs: &[InputEvent], steps: u64) -> Size {
    let distance = |input: &InputEvent| match number(cfa, input) {
        Some(number) => number.unsigned_abs(),
        None => u128::from(input.value != Value::zero(input.value.sort())) << WIDEST,
    };
    let distances: Vec<u128> = inputs.iter().map(distance).collect();
    let positions = (0..).zip(&distances).filter(|(_, distance)| **distance > 0).map(|(i, _)| i).sum();
    (inputs.len(), distances.into_iter().fold(0, u128::saturating_add), positions, steps)
}

/// The number that an input is, as its type in the source reads it; `None` for memories and wide numbers.
fn number(cfa: &Cfa, input: &InputEvent) -> Option<i128> {
    let Value::Bv(bits) = &input.value else { return None };
    let unsigned = bits.to_u64().filter(|_| bits.width() <= WIDEST)?;
    let unused = WIDEST - bits.width();
    Some(match is_unsigned(cfa, input.edge) {
        true => i128::from(unsigned),
        false => i128::from(((unsigned << unused) as i64) >> unused),
    })
}

/// Whether the value that `edge` reads has no sign, by the function that yields it or the variable that takes it.
fn is_unsigned(cfa: &Cfa, edge: EdgeId) -> bool {
    let Op::Input { var, kind } = &cfa.edges[edge].op else { return false };
    let of_function = match kind {
        InputKind::Program(f) | InputKind::External(f) => f.rsplit_once("nondet_").map(|(_, kind)| kind),
        _ => None,
    };
    match (of_function, &cfa.vars[*var].source) {
        (Some(kind), _) => ["u", "size", "bool", "_Bool", "pointer"].iter().any(|prefix| kind.starts_with(prefix)),
        (None, Some(source)) => matches!(source.format, ValueFormat::Unsigned | ValueFormat::Pointer),
        (None, None) => false,
    }
}

/// Whether a run that reads this input may rest on what cannot be known.
fn is_doubtful(cfa: &Cfa, edge: EdgeId) -> bool {
    matches!(&cfa.edges[edge].op, Op::Input { kind: InputKind::Approximate(_) | InputKind::Undefined, .. })
}

fn vector(inputs: &[InputEvent]) -> InputVector {
    let mut vector = InputVector::default();
    for input in inputs {
        vector.inputs.entry(input.edge).or_default().push(input.value.clone());
    }
    vector
}
