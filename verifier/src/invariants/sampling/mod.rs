//! Sampled states at loop heads and of calls, from executions on random inputs. Invariants must not exclude them, and candidates can be
//! derived from them.
//!
//! Daikon (Ernst et al., ICSE 1999) derives likely invariants from executions; here, executions also refute candidates, long before a
//! solver does.
//!
//! Purely random inputs do not reach the late states of a state machine. So when an execution gives a variable at a loop head a constant
//! of the program that the variable did not have there before, its inputs are kept, and every other execution begins with some of the
//! kept inputs, as in coverage-guided fuzzers such as AFL.

pub mod calls;

use crate::invariants::contract_templates::{Activations, Signatures};
use crate::invariants::sampling::calls::Watch;
use crate::program::Program;
use cfa::bv::Bv;
use cfa::eval::{Value, eval_bool};
use cfa::interpret::{InputSource, RunLimits, run};
use cfa::term::Leaf;
use cfa::{EdgeId, FuncId, InputKind, LocId, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Number of executions.
const RUNS: u64 = 2_000;
/// Maximum number of steps of an execution from the start.
const STEPS: u64 = 20_000;
/// Number of executions if functions are recursive.
const LONG_RUNS: u64 = 4_000;
/// Maximum number of steps for some of these; the time that calls take varies widely with their depth.
const LONG_STEPS: u64 = 300_000;
/// Maximum number of steps of an execution that begins with the inputs of another one.
const STEPS_AGAIN: u64 = 2_000;
/// Maximum number of visits of a loop head in one execution that are examined for new constants.
const NEW_VALUE_VISITS: u64 = 100;
/// Maximum number of additional states of a loop head that are kept because they show something new.
const NEW_STATES: usize = 200;
/// Time limit for all executions.
const TIME: Duration = Duration::from_millis(150);
/// Time limit for all executions if functions are recursive.
const LONG_TIME: Duration = Duration::from_millis(400);
/// Maximum number of states of a loop head.
const STATES: usize = 300;
/// Number of first visits of a loop head that all count; after them, only visits whose number is a power of two count.
const FIRST_VISITS: u64 = 4;

/// States at loop heads and of calls.
#[derive(Default)]
pub struct Samples {
    of: FxHashMap<LocId, Vec<State>>,
    calls: FxHashMap<FuncId, Activations>,
}

/// The values of the relevant scalars at some place; those without a value are left out.
pub type State = FxHashMap<VarId, Bv>;

/// What to sample.
#[derive(Clone, Copy)]
pub struct Sampling<'a> {
    /// Numbers that are used as inputs, besides random ones.
    pub constants: &'a [u64],
    /// The loop heads whose states are recorded, each with its relevant variables.
    pub heads: &'a FxHashMap<LocId, Vec<VarId>>,
    /// The functions whose calls are recorded.
    pub signatures: &'a Signatures,
    /// When to stop at the latest.
    pub deadline: Instant,
}

impl Samples {
    /// Executes `program` on random inputs, and records what `sampling` asks for. Cost: thousands of executions, limited to a fraction of
    /// a second.
    pub fn new(program: &Program, sampling: &Sampling<'_>) -> Samples {
        let Sampling { constants, heads, signatures, deadline } = *sampling;
        let mut samples = Samples::default();
        let recursive = !signatures.is_empty();
        if heads.is_empty() && !recursive {
            return samples;
        }
        let end = deadline.min(Instant::now() + if recursive { LONG_TIME } else { TIME });
        let mut watch = Watch::new(&program.cfa, signatures);
        let mut seen: FxHashSet<(LocId, Vec<Option<Bv>>)> = FxHashSet::default();
        let mut seen_values =
            SeenValues { constants: constants.iter().copied().collect(), known: FxHashSet::default() };
        let mut pool: Vec<Vec<Value>> = Vec::new();
        for seed in 0..if recursive { LONG_RUNS } else { RUNS } {
            let taken = Rc::new(RefCell::new(Vec::new()));
            let mut inputs = Inputs::new(seed, constants, taken.clone());
            let again = seed % 2 == 1 && !recursive && !pool.is_empty();
            if again {
                inputs.first = pool[inputs.random.usize(..pool.len())].clone();
            }
            // The number of inputs read until something new was last seen.
            let mut new_after = None;
            let mut visits: FxHashMap<LocId, u64> = FxHashMap::default();
            let steps = match () {
                () if again => STEPS_AGAIN,
                () if recursive && Inputs::round(seed) % 4 == 3 => LONG_STEPS,
                () => STEPS,
            };
            let limits = RunLimits { steps, deadline: Some(end) };
            watch.begin();
            run(&program.cfa, &mut inputs, limits, &mut |machine, e| {
                if recursive {
                    watch.observe(machine, e);
                }
                let head = program.view.rep(program.cfa.edges[e].to);
                // After a call edge, control is in the called function.
                let Some(vars) = heads.get(&head).filter(|_| !matches!(program.cfa.edges[e].op, Op::Call(_))) else {
                    return;
                };
                let visit = visits.entry(head).or_default();
                *visit += 1;
                let value = |v: &VarId| machine.value(*v).and_then(|value| value.as_bv().cloned());
                let is_new = *visit <= NEW_VALUE_VISITS && seen_values.tell(head, vars, &value);
                if is_new {
                    new_after = Some(taken.borrow().len());
                }
                let states = samples.of.entry(head).or_default();
                let counts = *visit <= FIRST_VISITS || visit.is_power_of_two();
                if states.len() >= if is_new { STATES + NEW_STATES } else { STATES } || !(counts || is_new) {
                    return;
                }
                let values: Vec<Option<Bv>> = vars.iter().map(value).collect();
                if seen.insert((head, values.clone())) {
                    states.push(vars.iter().copied().zip(values).filter_map(|(v, k)| Some((v, k?))).collect());
                }
            });
            if let Some(n) = new_after {
                let mut first = taken.take();
                first.truncate(n);
                pool.push(first);
            }
            if Instant::now() >= end {
                break;
            }
        }
        samples.calls = watch.finish();
        samples
    }

    /// The states at a loop head.
    pub fn at(&self, head: LocId) -> &[State] {
        self.of.get(&head).map_or(&[], |states| states)
    }

    /// The observed activations of a function.
    pub fn of_calls(&self, f: FuncId) -> Option<&Activations> {
        self.calls.get(&f)
    }
}

/// Whether `t`, a term over variables, is false in one of the states.
pub fn refute(terms: &Terms, states: &[State], t: Term) -> bool {
    states.iter().any(|state| {
        let mut value = |leaf| match leaf {
            Leaf::Var(v) => state.get(&v).cloned().map(Value::Bv),
            _ => None,
        };
        eval_bool(terms, t, &mut value) == Some(false)
    })
}

/// Records which variables have had which constants of the program at which loop heads.
struct SeenValues {
    constants: FxHashSet<u64>,
    known: FxHashSet<(LocId, VarId, u64)>,
}

impl SeenValues {
    /// Whether a variable has a constant there that it did not have there before.
    fn tell(&mut self, head: LocId, vars: &[VarId], value: &dyn Fn(&VarId) -> Option<Bv>) -> bool {
        let mut is_new = false;
        for v in vars {
            let constant = value(v).and_then(|k| k.to_u64()).filter(|k| self.constants.contains(k));
            is_new |= constant.is_some_and(|k| self.known.insert((head, *v, k)));
        }
        is_new
    }
}

/// Given inputs, followed by random ones: the previous one again, small numbers, constants of the program and their neighbours, or any
/// number. The proportion of zeros differs from run to run, so that loops that are ended by inputs have few or many iterations.
struct Inputs<'a> {
    random: fastrand::Rng,
    constants: &'a [u64],
    /// The percentage of inputs that are zero.
    zeros: u8,
    /// The largest small number.
    small: u64,
    /// The previous input.
    last: u64,
    /// The given inputs, which come first.
    first: Vec<Value>,
    /// All inputs so far.
    taken: Rc<RefCell<Vec<Value>>>,
}

impl<'a> Inputs<'a> {
    const ZEROS: [u8; 4] = [5, 20, 50, 80];
    const SMALL: [u64; 3] = [2, 10, 60];

    /// The number of times that all combinations of `ZEROS` and `SMALL` were used before `seed`.
    fn round(seed: u64) -> u64 {
        seed / (Self::ZEROS.len() * Self::SMALL.len()) as u64
    }

    fn new(seed: u64, constants: &'a [u64], taken: Rc<RefCell<Vec<Value>>>) -> Inputs<'a> {
        let pick = |i: u64, n: usize| (i % n as u64) as usize;
        Inputs {
            random: fastrand::Rng::with_seed(seed),
            constants,
            zeros: Self::ZEROS[pick(seed, Self::ZEROS.len())],
            small: Self::SMALL[pick(seed / Self::ZEROS.len() as u64, Self::SMALL.len())],
            last: 0,
            first: Vec::new(),
            taken,
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
        let given = self.first.get(self.taken.borrow().len()).filter(|value| value.sort() == sort).cloned();
        let value = given.unwrap_or_else(|| match sort {
            Sort::Bool => Value::Bool(self.random.bool()),
            Sort::Bv(width) => Value::Bv(Bv::from_i64(width, self.number() as i64)),
            Sort::Array { .. } => Value::zero(sort),
        });
        self.taken.borrow_mut().push(value.clone());
        value
    }
}
