//! Replay of a counterexample: runs the whole program on the inputs that a search found.

use crate::evidence::fault::{self, Fault};
use crate::evidence::outcome::InputVector;
use crate::evidence::shrink::Shrunk;
use crate::evidence::trace::{Entry, Recorder};
use crate::evidence::vectors;
use crate::program::places::place_in_words;
use crate::program::{Budget, Program};
use cfa::bv::Bv;
use cfa::delivery::{DeliveryEvent, FileText, MOST_BYTES};
use cfa::eval::Value;
use cfa::interpret::{End, InputEvent, InputSource, Run, RunLimits, run};
use cfa::view::Slice;
use cfa::{Cfa, Delivered, EdgeId, Id, InputKind, LocId, OUTSIDE_MEMORY, Op, Sort, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Maximum number of edges that a replay executes.
const MAX_STEPS: u64 = 500_000_000;

/// Maximum number of draws of a candidate that are mended.
const MOST_MENDED: usize = 1000;

/// An execution that reaches a target, replayed on the whole program.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The target reached.
    pub target: LocId,
    /// All inputs, in the order in which the run read them.
    pub inputs: Vec<InputEvent>,
    /// What the environment handed to the program, in order.
    pub deliveries: Vec<DeliveryEvent>,
    /// The steps of the run, in order.
    pub steps: Vec<Entry>,
    /// The number of edges executed in total.
    pub n_steps: u64,
    /// The first signed operation that overflows. In C, the overflow is undefined behaviour; here, it wraps around.
    pub overflow: Option<Span>,
    /// What it was shrunk from, if it was.
    pub shrunk: Option<Shrunk>,
}

/// Why a candidate counterexample is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The whole program does not reach a target on these inputs. The string says how it ends instead; the cause, why the search may
    /// have raised the alarm.
    Diverged(String, Cause),
    /// The program reaches a target, but only because of values that cannot be known.
    Depends(String),
}

/// Why a search may raise an alarm that the whole program does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The execution ends at undefined behaviour, but searches assume that accesses are valid, and slices may drop what traps.
    Fault,
    /// The execution reads other inputs: the order of addresses, which the search could choose freely.
    AddressOrder,
    /// The execution reads other inputs: an undefined function returns the same for the same arguments, which searches do not know.
    SameArguments,
    /// The execution reaches a construct without a model that is not part of the slice.
    Unsupported,
    /// The execution is too long.
    Limits,
    /// The search ran on a slice, which may have more behaviours than the program.
    Slice,
    /// None of these: the search or the replay has a defect.
    Defect,
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Doubt::Diverged(end, Cause::Defect) => {
                write!(f, "counterexample does not replay, for no known reason: {end}")
            }
            Doubt::Diverged(end, Cause::AddressOrder) => {
                write!(f, "counterexample does not replay: {end}, since objects lie in a different order there")
            }
            Doubt::Diverged(end, Cause::SameArguments) => {
                write!(
                    f,
                    "counterexample does not replay: {end}, since undefined functions return the same for the same arguments there"
                )
            }
            Doubt::Diverged(end, Cause::Slice) => {
                write!(
                    f,
                    "counterexample does not replay: {end}, since the slice has executions that the program does not have"
                )
            }
            Doubt::Diverged(end, Cause::Unsupported | Cause::Limits) => {
                write!(f, "counterexample does not replay: {end}")
            }
            Doubt::Diverged(end, Cause::Fault) => {
                write!(f, "{end}; the property behind it was not decided")
            }
            Doubt::Depends(reason) => write!(f, "counterexample is not confirmed: {reason}"),
        }
    }
}

/// A candidate counterexample that is not confirmed.
#[derive(Debug)]
pub struct Unconfirmed {
    /// Why it is not.
    pub doubt: Doubt,
    /// The undefined behaviour at which the whole program ends on its inputs, if it does.
    pub fault: Option<Box<Fault>>,
}

impl From<Doubt> for Unconfirmed {
    fn from(doubt: Doubt) -> Unconfirmed {
        Unconfirmed { doubt, fault: None }
    }
}

/// Runs the whole program on the inputs of the candidate.
///
/// The run counts only if it does not depend on values that cannot be known: results that the language leaves open (the run must reach
/// the target no matter whether these have all bits clear, all bits set, or the values found), and library results that a model
/// approximates.
pub fn replay(program: &Program, candidate: &InputVector, budget: Budget) -> Result<Counterexample, Unconfirmed> {
    let cfa = &*program.cfa;
    let limits = RunLimits { steps: MAX_STEPS, deadline: Some(budget.deadline) };
    let mut candidate = candidate.clone();
    let mut first = execute(cfa, &mut candidate, limits)?;
    let mut is_known: Vec<EdgeId> = Vec::new();
    if !matches!(first.found.end, End::Target(_)) && vectors::are_read(cfa, &first.found.inputs) {
        // What goes wrong with arguments that no execution has need not go wrong with those that it has.
        let was_fault = fault::kind(cfa, &first.found.end).is_some();
        if let Some((other, again)) = execute_with_texts(cfa, &candidate, limits) {
            (candidate, first, is_known) = (other.candidate, again, other.edges);
        }
        if was_fault && fault::kind(cfa, &first.found.end).is_none() && !matches!(first.found.end, End::Target(_)) {
            return Err(
                Doubt::Depends("it depends on further arguments of main, which kerf does not know".into()).into()
            );
        }
    }
    let Execution { mut found, mut steps, mut deliveries, mended } = first;
    let End::Target(mut target) = found.end else {
        let fault = fault::at_end(cfa, &found, (steps, deliveries)).map(Box::new);
        if let (None, Some(edge)) = (&fault, mended) {
            return Err(impossible(cfa, edge).into());
        }
        let end = fault.as_ref().map_or_else(|| describe(cfa, &found.end), |fault| fault.describe(cfa));
        let doubt = Doubt::Diverged(end, cause(program, &candidate, &found));
        return Err(Unconfirmed { doubt, fault });
    };
    // Only inputs in the slice matter. What was explored may be larger than the slice for the targets.
    let matters = OnceCell::new();
    let is = |e: EdgeId, wanted: fn(&InputKind) -> bool| {
        matches!(&cfa.edges[e].op, Op::Input { kind, .. } if wanted(kind))
            && program.slice.kept.contains(e.index())
            && matters.get_or_init(|| slicer::slice_for_targets(cfa)).kept.contains(e.index())
    };
    let approximate = |k: &InputKind| matches!(k, InputKind::Approximate(_));
    if is_known.is_empty()
        && found.inputs.iter().any(|i| is(i.edge, approximate))
        && let Some((other, again)) = execute_with_texts(cfa, &candidate, limits)
        && let End::Target(reached) = again.found.end
    {
        (candidate, target, is_known) = (other.candidate, reached, other.edges);
        Execution { found, steps, deliveries, .. } = again;
    }
    if let Some(edge) = impossible_input(cfa, &deliveries) {
        return Err(impossible(cfa, edge).into());
    }
    let of_vector = |k: &InputKind| matches!(k, InputKind::Program(name) if **name == *"main.envp");
    if let Some(edge) = environment_with_two_sides(cfa, &deliveries)
        && found.inputs.iter().any(|i| is(i.edge, of_vector))
    {
        let place = place_in_words(cfa, edge);
        let what = "what getenv returns, and what main's third parameter does not have";
        return Err(Doubt::Depends(format!("it depends on {what}, {place}")).into());
    }
    if let Some(input) = found.inputs.iter().find(|i| is(i.edge, approximate) && !is_known.contains(&i.edge)) {
        // Arguments of main have no place.
        let has_place = cfa.edges[input.edge].span.line != 0;
        let place = if has_place { format!(", {}", place_in_words(cfa, input.edge)) } else { String::new() };
        let what = match &cfa.edges[input.edge].op {
            Op::Input { kind: InputKind::Approximate(name), .. } if **name == *OUTSIDE_MEMORY => {
                "what lies outside the program's memory".to_string()
            }
            Op::Input { kind: InputKind::Approximate(name), .. } if !name.starts_with("__kerf_") => {
                format!("a value that kerf does not know ({name})")
            }
            _ => "what a library function computes, which kerf approximates".to_string(),
        };
        return Err(Doubt::Depends(format!("it depends on {what}{place}")).into());
    }
    let open = |k: &InputKind| matches!(k, InputKind::Undefined);
    if let Some(input) = found.inputs.iter().find(|i| is(i.edge, open)) {
        for ones in [false, true] {
            let mut source = OpenResults { inputs: candidate.inputs.clone(), ones };
            if !matches!(run(cfa, &mut source, limits, &mut |_, _| ()).end, End::Target(_)) {
                let place = place_in_words(cfa, input.edge);
                let what = "a value that the language leaves undefined, or that lies outside the program's memory";
                return Err(Doubt::Depends(format!("it depends on {what}, such as {place}")).into());
            }
        }
    }
    forget_name(cfa, &candidate, limits, &mut deliveries);
    let Run { inputs, steps: n_steps, overflow, .. } = found;
    Ok(Counterexample { target, inputs, deliveries, steps, n_steps, overflow, shrunk: None })
}

/// A run of a candidate, with the steps and deliveries that were recorded.
struct Execution {
    found: Run,
    steps: Vec<Entry>,
    deliveries: Vec<DeliveryEvent>,
    /// The last edge at which the candidate had to be mended, if any.
    mended: Option<EdgeId>,
}

/// Runs the candidate, and mends it where it reads what cannot be read.
fn execute(cfa: &Cfa, candidate: &mut InputVector, limits: RunLimits) -> Result<Execution, Unconfirmed> {
    let (mut mended, mut times) = (None, 0);
    loop {
        let mut recorder = Recorder::new(cfa);
        let mut source = candidate.inputs.clone();
        let found = run(cfa, &mut source, limits, &mut |machine, edge| recorder.record(machine, edge));
        let (steps, deliveries) = recorder.finish();
        match mend(cfa, &found.inputs, &deliveries, candidate) {
            Read::Possible => return Ok(Execution { found, steps, deliveries, mended }),
            Read::Mended(edge) if times < MOST_MENDED => (mended, times) = (Some(edge), times + 1),
            Read::Mended(edge) | Read::Impossible(edge) => return Err(impossible(cfa, edge).into()),
        }
    }
}

/// Runs the candidate with texts of their own for all elements of `argv` and `envp`, and with as few arguments as reach a target, among some
/// numbers of them; with the most of these if none does. `None` if there are no such texts.
fn execute_with_texts(cfa: &Cfa, candidate: &InputVector, limits: RunLimits) -> Option<(vectors::Changed, Execution)> {
    let mut last = None;
    for most in vectors::LENGTHS {
        let mut changed = vectors::with_texts(cfa, candidate, limits, most)?;
        let Ok(again) = execute(cfa, &mut changed.candidate, limits) else { continue };
        let is_last = !changed.is_shorter || matches!(again.found.end, End::Target(_));
        last = Some((changed, again));
        if is_last {
            break;
        }
    }
    last
}

/// Drops an empty text of `argv[0]` from what was delivered, if the candidate reaches a target with another one as well.
fn forget_name(cfa: &Cfa, candidate: &InputVector, limits: RunLimits, deliveries: &mut [DeliveryEvent]) {
    let is_name = |d: &DeliveryEvent| d.of == 0 && cfa.deliveries[&d.edge].what == Delivered::Argument;
    let Some(name) = deliveries.iter_mut().find(|d| is_name(d)) else { return };
    if name.bytes.as_ref().is_none_or(|text| !text.is_empty()) {
        return;
    }
    let again = vectors::with_name(cfa, candidate, limits).and_then(|mut other| execute(cfa, &mut other, limits).ok());
    let Some(again) = again.filter(|again| matches!(again.found.end, End::Target(_))) else { return };
    if again.deliveries.iter().any(|d| is_name(d) && d.bytes.as_ref().is_some_and(|text| !text.is_empty())) {
        name.bytes = None;
    }
}

/// Whether what a run reads can be read.
enum Read {
    /// It can.
    Possible,
    /// It could not, and the candidate is changed so that it can: the edge that read it.
    Mended(EdgeId),
    /// What this edge read cannot be read.
    Impossible(EdgeId),
}

/// Mends the first thing that the run of `candidate`, with these inputs and deliveries, reads and that cannot be read, although searches do not know it: a line that
/// goes on after the byte that ends lines, or an entry of a folder whose size is not that of its name. Searches draw these numbers, and may
/// as well have drawn the right ones.
fn mend(cfa: &Cfa, inputs: &[InputEvent], deliveries: &[DeliveryEvent], candidate: &mut InputVector) -> Read {
    for event in deliveries {
        let what = &cfa.deliveries[&event.edge].what;
        let number = event.number.to_u64().unwrap_or(u64::MAX);
        let right = match (what, &event.bytes) {
            (Delivered::Line, Some(line)) => {
                line.iter().position(|byte| u64::from(*byte) == event.detail).map(|end| end as u64 + 1)
            }
            (Delivered::Line, None) => (number != 0).then_some(MOST_BYTES),
            // Linux aligns entries to 8 bytes.
            (Delivered::Name, Some(name)) => Some((event.detail + name.len() as u64 + 1).next_multiple_of(8)),
            _ => None,
        };
        let Some(right) = right.filter(|right| *right != number) else { continue };
        let is_number = |input: &&InputEvent| {
            let is_drawn = matches!(&cfa.edges[input.edge].op, Op::Input { kind: InputKind::Library(_), .. });
            is_drawn && input.value.as_bv().is_some_and(|n| n.width() > 8) && input.value.to_u64() == Some(number)
        };
        let drawn = inputs[..event.after].iter().rev().find(is_number);
        let edge = event.call.unwrap_or(event.edge);
        let value = drawn.and_then(|drawn| candidate.inputs.get_mut(&drawn.edge)?.get_mut(drawn.occurrence as usize));
        let Some(value) = value else { return Read::Impossible(edge) };
        *value = Value::Bv(Bv::new(value.as_bv().map_or(64, Bv::width), right));
        return Read::Mended(edge);
    }
    Read::Possible
}

/// Where a run reads what no file or folder has: a name that has a slash or that an earlier entry of the same folder has, or what does not
/// follow what was read before.
fn impossible_input(cfa: &Cfa, deliveries: &[DeliveryEvent]) -> Option<EdgeId> {
    let mut known: FxHashSet<(u64, &[u8])> = FxHashSet::default();
    let mut files: FxHashMap<u64, FileText> = FxHashMap::default();
    for event in deliveries {
        let what = &cfa.deliveries[&event.edge].what;
        let is_possible = match what {
            Delivered::Folder => {
                known.retain(|(folder, _)| *folder != event.of);
                true
            }
            Delivered::Name => {
                let name = event.bytes.as_deref().unwrap_or_default();
                !name.contains(&b'/') && known.insert((event.of, name))
            }
            Delivered::Opened => {
                files.remove(&event.of);
                true
            }
            Delivered::Unreadable | Delivered::Written => {
                files.remove(&event.of);
                files.entry(event.of).or_default().add(what, event).is_ok()
            }
            what if what.is_of_file() => files.entry(event.of).or_default().add(what, event).is_ok(),
            _ => true,
        };
        if !is_possible {
            return Some(event.call.unwrap_or(event.edge));
        }
    }
    None
}

/// Where a run gets from `getenv` what is not in the vector of variables that `main` was given.
fn environment_with_two_sides(cfa: &Cfa, deliveries: &[DeliveryEvent]) -> Option<EdgeId> {
    let of = |event: &&DeliveryEvent, what: Delivered| cfa.deliveries[&event.edge].what == what;
    let is_entry = |e: &&DeliveryEvent| of(e, Delivered::Entry) || of(e, Delivered::FurtherEntries);
    let entries: Vec<&DeliveryEvent> = deliveries.iter().filter(|e| is_entry(e) && e.of < e.detail).collect();
    let in_vector = |name: &[u8]| {
        let mut values = entries.iter().filter_map(|e| e.bytes.as_deref()?.strip_prefix(name)?.strip_prefix(b"="));
        values.next()
    };
    let asked = |event: &&DeliveryEvent| of(event, Delivered::Variable) && !event.name.is_empty();
    let differs = |event: &&DeliveryEvent| in_vector(&event.name) != event.bytes.as_deref();
    deliveries.iter().filter(asked).find(differs).map(|event| event.call.unwrap_or(event.edge))
}

/// The doubt about an alarm that depends on what cannot be read.
fn impossible(cfa: &Cfa, edge: EdgeId) -> Doubt {
    let place = place_in_words(cfa, edge);
    Doubt::Depends(format!("it depends on input that no file or folder has, {place}"))
}

/// Why the run `found` for `candidate` does not end at a target.
fn cause(program: &Program, candidate: &InputVector, found: &Run) -> Cause {
    let is_other = |input: &&InputEvent| {
        let of_search = candidate.inputs.get(&input.edge).and_then(|values| values.get(input.occurrence as usize));
        of_search.is_some_and(|value| *value != input.value)
    };
    let others = || found.inputs.iter().filter(is_other);
    match found.end {
        _ if fault::kind(&program.cfa, &found.end).is_some() => Cause::Fault,
        // Slices made during exploration drop the guards of what they drop.
        End::GuardFailed(_) => Cause::Slice,
        End::Unsupported(_) => Cause::Unsupported,
        End::StepLimit | End::OutOfTime => Cause::Limits,
        _ if others().any(|input| program.cfa.determined.contains_key(&input.edge)) => Cause::SameArguments,
        _ if found.reordered || others().next().is_some() => Cause::AddressOrder,
        _ if program.slice != Slice::whole(&program.cfa) => Cause::Slice,
        _ => Cause::Defect,
    }
}

/// The inputs of the candidate, except for results that the language leaves open, which are replaced.
struct OpenResults {
    inputs: FxHashMap<EdgeId, Vec<Value>>,
    ones: bool,
}

impl InputSource for OpenResults {
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value {
        match (kind, sort) {
            (InputKind::Undefined, Sort::Bv(w)) if self.ones => Value::Bv(Bv::ones(w)),
            (InputKind::Undefined, _) => Value::zero(sort),
            _ => self.inputs.value(edge, occurrence, kind, sort),
        }
    }
}

fn describe(cfa: &Cfa, end: &End) -> String {
    let place = |e: &EdgeId| place_in_words(cfa, *e);
    match end {
        End::Target(_) => "the target is reached".into(),
        End::Finished => "the program ends".into(),
        End::DeadEnd(_) => "the execution ends early".into(),
        End::GuardFailed(e) => format!("a trap {}", place(e)),
        End::InvalidAccess { edge, .. } => format!("an invalid access to memory {}", place(edge)),
        End::Unsupported(e) => format!("an unsupported construct {}", place(e)),
        End::StepLimit => "too many steps".into(),
        End::OutOfTime => "timeout".into(),
    }
}
