//! States at loop heads, and of calls, in executions on random inputs: what invariants must not exclude, and may be guessed from.
//!
//! Daikon (Ernst et al., ICSE 1999) guesses invariants from executions; here they also refute guesses, long before a solver does.

use crate::activations::Watch;
use crate::contracts::{Activations, Signatures};
use crate::program::Program;
use cfa::bv::Bv;
use cfa::eval::{Value, eval_bool};
use cfa::interpret::{InputSource, RunLimits, run};
use cfa::term::Leaf;
use cfa::{EdgeId, FuncId, InputKind, LocId, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};

/// Executions.
const RUNS: u64 = 400;
/// Steps of one of them.
const STEPS: u64 = 20_000;
/// Executions where functions call themselves.
const LONG_RUNS: u64 = 4_000;
/// Steps of a part of these: calls of different depth take very different times.
const LONG_STEPS: u64 = 300_000;
/// Time for all.
const TIME: Duration = Duration::from_millis(150);
/// Time for all where functions call themselves.
const LONG_TIME: Duration = Duration::from_millis(400);
/// Most states of a loop head.
const STATES: usize = 300;
/// Visits of a loop head from which on only those count that come twice as late as the one before.
const FIRST_VISITS: u64 = 4;

/// States at loop heads and of calls.
#[derive(Default)]
pub struct Samples {
    of: FxHashMap<LocId, Vec<State>>,
    calls: FxHashMap<FuncId, Activations>,
}

/// Values of the scalars that matter at some place; those without a value are left out.
pub type State = FxHashMap<VarId, Bv>;

impl Samples {
    /// Executes `program` on random inputs, some of which are among `constants`, and notes states at `heads`, each with the
    /// variables that matter there, and calls of the functions in `signatures`.
    pub fn new(
        program: &Program,
        constants: &[u64],
        heads: &FxHashMap<LocId, Vec<VarId>>,
        signatures: &Signatures,
        deadline: Instant,
    ) -> Samples {
        let mut samples = Samples::default();
        let recursive = !signatures.is_empty();
        if heads.is_empty() && !recursive {
            return samples;
        }
        let end = deadline.min(Instant::now() + if recursive { LONG_TIME } else { TIME });
        let mut watch = Watch::new(&program.cfa, signatures);
        let mut seen: FxHashSet<(LocId, Vec<Option<Bv>>)> = FxHashSet::default();
        for seed in 0..if recursive { LONG_RUNS } else { RUNS } {
            let mut inputs = Inputs::new(seed, constants);
            let mut visits: FxHashMap<LocId, u64> = FxHashMap::default();
            let steps = if recursive && Inputs::round(seed) % 4 == 3 { LONG_STEPS } else { STEPS };
            let limits = RunLimits { steps, deadline: Some(end) };
            watch.begin();
            run(&program.cfa, &mut inputs, limits, &mut |machine, e| {
                if recursive {
                    watch.observe(machine, e);
                }
                let head = program.view.rep(program.cfa.edges[e].to);
                // Behind a call, control is in the function.
                let Some(vars) = heads.get(&head).filter(|_| !matches!(program.cfa.edges[e].op, Op::Call(_))) else {
                    return;
                };
                let states = samples.of.entry(head).or_default();
                let visit = visits.entry(head).or_default();
                *visit += 1;
                if states.len() >= STATES || (*visit > FIRST_VISITS && !visit.is_power_of_two()) {
                    return;
                }
                let value = |v: &VarId| machine.value(*v).and_then(|value| value.as_bv().cloned());
                let values: Vec<Option<Bv>> = vars.iter().map(value).collect();
                if seen.insert((head, values.clone())) {
                    states.push(vars.iter().copied().zip(values).filter_map(|(v, k)| Some((v, k?))).collect());
                }
            });
            if Instant::now() >= end {
                break;
            }
        }
        samples.calls = watch.finish();
        samples
    }

    /// The states at a loop's head.
    pub fn at(&self, head: LocId) -> &[State] {
        self.of.get(&head).map_or(&[], |states| states)
    }

    /// The calls of a function.
    pub fn of_calls(&self, f: FuncId) -> Option<&Activations> {
        self.calls.get(&f)
    }
}

/// Whether `t`, over variables, is false in one of the states.
pub fn refute(terms: &Terms, states: &[State], t: Term) -> bool {
    states.iter().any(|state| {
        let mut value = |leaf| match leaf {
            Leaf::Var(v) => state.get(&v).cloned().map(Value::Bv),
            _ => None,
        };
        eval_bool(terms, t, &mut value) == Some(false)
    })
}

/// Random inputs: the one before again, small numbers, constants of the program, its neighbours, anything. How often they are zero differs by
/// run, so that loops which inputs end have few or many rounds.
struct Inputs<'a> {
    random: fastrand::Rng,
    constants: &'a [u64],
    /// Of a hundred inputs, how many are zero.
    zeros: u8,
    /// The largest small number.
    small: u64,
    /// The input before.
    last: u64,
}

impl<'a> Inputs<'a> {
    const ZEROS: [u8; 4] = [5, 20, 50, 80];
    const SMALL: [u64; 3] = [2, 10, 60];

    /// How often all kinds of inputs have had their turn before `seed`.
    fn round(seed: u64) -> u64 {
        seed / (Self::ZEROS.len() * Self::SMALL.len()) as u64
    }

    fn new(seed: u64, constants: &'a [u64]) -> Inputs<'a> {
        let pick = |i: u64, n: usize| (i % n as u64) as usize;
        Inputs {
            random: fastrand::Rng::with_seed(seed),
            constants,
            zeros: Self::ZEROS[pick(seed, Self::ZEROS.len())],
            small: Self::SMALL[pick(seed / Self::ZEROS.len() as u64, Self::SMALL.len())],
            last: 0,
        }
    }

    fn number(&mut self) -> u64 {
        if self.random.u8(..100) < self.zeros {
            return 0;
        }
        self.last = match self.random.u8(..10) {
            0 | 1 => self.last,
            2..6 => self.random.u64(1..=self.small),
            6 => self.random.u64(1..=self.small).wrapping_neg(),
            7 | 8 if !self.constants.is_empty() => {
                let k = self.constants[self.random.usize(..self.constants.len())];
                k.wrapping_add(self.random.u64(..3)).wrapping_sub(1)
            }
            _ => self.random.u64(..),
        };
        self.last
    }
}

impl InputSource for Inputs<'_> {
    fn value(&mut self, _: EdgeId, _: u32, _: &InputKind, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.bool()),
            Sort::Bv(width) => Value::Bv(Bv::from_i64(width, self.number() as i64)),
            Sort::Array { .. } => Value::zero(sort),
        }
    }
}
