//! A replayed execution in terms of the source: steps by line, variables by their C names, inputs for the harness.

use std::collections::BTreeMap;

use cfa::delivery::DeliveryEvent;
use cfa::eval::Value;
use cfa::float::Format;
use cfa::interpret::InputEvent;
use cfa::term::{Kind, Term};
use rustc_hash::FxHashSet;
use slicer::automaton::StateNames;

use cfa::{AssumeKind, Cfa, Delivered, EdgeId, InputKind, LocId, Op, Span, ValueFormat, VarId};

use crate::harness::surroundings::Surroundings;
use crate::harness::{Channel, InputValue};
use crate::report::deliveries;
use crate::report::excerpt::{Excerpt, Remark, Sources};
use crate::report::{Input, Place, PossibleError, Step, Violation};
use frontend_llvm::{ERRNO_IS_SET, WEAK_SYMBOL};
use verifier::evidence::fault::Fault;
use verifier::evidence::replay::Counterexample;
use verifier::evidence::trace::{Entry, Fold, Folded, ReplayedStep};

/// A replayed execution.
#[derive(Debug, Clone)]
pub struct Execution<'a> {
    /// Its path.
    pub path: Vec<Passed<'a>>,
    /// All arbitrary values that it read, in order.
    pub inputs: &'a [InputEvent],
    /// What the environment handed over, in order.
    pub deliveries: &'a [DeliveryEvent],
    /// Variables that hold the state of an automaton.
    pub states: &'a BTreeMap<VarId, StateNames>,
}

/// A part of the path of an execution.
#[derive(Debug, Clone, Copy)]
pub enum Passed<'a> {
    /// An edge, with the values that it wrote.
    Edge(EdgeId, &'a [(VarId, Value)]),
    /// Likewise, where the number of calls that have not returned is known.
    Replayed(&'a ReplayedStep),
    /// Steps that are left out.
    Folded(Folded),
}

impl<'a> Passed<'a> {
    /// The part of a path that an entry of a trace is.
    pub fn of(entry: &'a Entry) -> Passed<'a> {
        match entry {
            Entry::Step(step) => Passed::Replayed(step),
            Entry::Folded(folded) => Passed::Folded(*folded),
        }
    }

    fn edge(&self) -> EdgeId {
        match self {
            Passed::Edge(edge, _) => *edge,
            Passed::Replayed(step) => step.edge,
            Passed::Folded(folded) => folded.edge,
        }
    }
}

/// The violation at the end of `execution`, in terms of the source. `what` describes it: `reach_error() is called`.
pub fn violation(cfa: &Cfa, execution: &Execution, what: String) -> Violation {
    let place = execution.path.iter().rev().map(|passed| place(cfa, passed.edge())).find(|p| p.line.is_some());
    let place = place.unwrap_or_default();
    let mut sources = Sources::default();
    let inputs = inputs(cfa, execution);
    Violation {
        what,
        excerpt: excerpt(&mut sources, &place, &inputs, None),
        place,
        steps: steps(cfa, execution, &mut sources),
        inputs,
        signed_overflow: None,
        shrunk: None,
        native_run: None,
    }
}

/// The undefined behaviour at the end of `execution`, in terms of the source.
pub fn possible_error(cfa: &Cfa, execution: &Execution, fault: &Fault) -> PossibleError {
    let place = place(cfa, fault.edge_of_program(cfa));
    let mut sources = Sources::default();
    let inputs = inputs(cfa, execution);
    PossibleError {
        what: fault.kind.to_string(),
        excerpt: excerpt(&mut sources, &place, &inputs, None),
        place,
        steps: steps(cfa, execution, &mut sources),
        inputs,
        rests_on: fault.rests_on.clone(),
    }
}

/// The source around the place where an execution on `inputs` ends, with the last inputs and the first overflow before it.
pub fn excerpt(sources: &mut Sources, end: &Place, inputs: &[Input], overflow: Option<&Place>) -> Option<Excerpt> {
    let mut remarks: Vec<Remark<'_>> = vec![(end, String::new())];
    for input in inputs.iter().rev() {
        if remarks.len() <= SHOWN_INPUTS && remarks.iter().all(|(place, _)| *place != &input.place) {
            let when = if input.occurrence > 0 { ", the last time" } else { "" };
            remarks.push((&input.place, format!("{} yields {}{when}", input.source, input.value)));
        }
    }
    remarks.extend(overflow.map(|place| (place, "overflows".to_string())));
    Excerpt::of(sources, &remarks)
}

/// Maximum number of inputs that an excerpt shows.
const SHOWN_INPUTS: usize = 3;

/// The source position of an edge.
pub fn place(cfa: &Cfa, edge: EdgeId) -> Place {
    let edge = &cfa.edges[edge];
    let function = &cfa.funcs[cfa.locs[edge.from].func];
    let inlined = cfa.inlined.get(&(edge.span.file, edge.span.line));
    Place { function: inlined.unwrap_or(&function.name).clone(), ..place_of(cfa, edge.span) }
}

/// A source position without its function.
pub fn place_of(cfa: &Cfa, span: Span) -> Place {
    let file = cfa.files.get(span.file as usize).filter(|f| !f.is_empty() && span.line != 0);
    let known = |number: u32| (span.line != 0 && number != 0).then_some(number);
    Place { file: file.cloned(), line: known(span.line), column: known(span.column), function: String::new() }
}

/// An edge at `l` that has a source position, preferably one that leaves `l` rather than one that leads there.
pub fn edge_with_place(cfa: &Cfa, l: LocId) -> Option<EdgeId> {
    cfa.out(l).iter().chain(cfa.into(l)).copied().find(|e| cfa.edges[*e].span.line > 0)
}

/// The variables that only ever hold a value which the language leaves undefined, such as a parameter of `main` that nothing reads.
fn never_defined(cfa: &Cfa) -> FxHashSet<VarId> {
    let undefined = |op: &Op| match op {
        Op::Input { var, kind: InputKind::Undefined } => Some(*var),
        _ => None,
    };
    let mut never: FxHashSet<VarId> = cfa.edges.iter().filter_map(|e| undefined(&e.op)).collect();
    if never.is_empty() {
        return never;
    }
    let copies = |op: &Op| -> Vec<(VarId, Option<VarId>)> {
        match op {
            Op::Assign(list) => {
                let source = |t: Term| match cfa.terms.kind(t) {
                    Kind::Var(v) => Some(v),
                    _ => None,
                };
                list.iter().map(|(v, t)| (*v, source(*t))).collect()
            }
            Op::Input { kind: InputKind::Undefined, .. } => Vec::new(),
            op => op.written().into_iter().map(|v| (v, None)).collect(),
        }
    };
    let copies: Vec<(VarId, Option<VarId>)> = cfa.edges.iter().flat_map(|e| copies(&e.op)).collect();
    loop {
        let before = never.len();
        never.extend(
            copies
                .iter()
                .filter(|(_, from)| from.is_some_and(|from| never.contains(&from)))
                .map(|(to, _)| *to)
                .collect::<Vec<_>>(),
        );
        if never.len() == before {
            break;
        }
    }
    loop {
        let before = never.len();
        for (to, from) in &copies {
            if from.is_none_or(|from| !never.contains(&from)) {
                never.remove(to);
            }
        }
        if never.len() == before {
            return never;
        }
    }
}

/// The executed lines, each with the named variables it changed. Lines of library models are left out.
fn steps(cfa: &Cfa, execution: &Execution<'_>, sources: &mut Sources) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let never_defined = never_defined(cfa);
    // Whether the last step does something worth reporting.
    let mut telling = false;
    let mut depth = 0;
    for passed in &execution.path {
        let (id, written) = match passed {
            Passed::Edge(id, written) => (id, *written),
            Passed::Replayed(step) => {
                depth = step.depth;
                (&step.edge, &step.values[..])
            }
            Passed::Folded(folded) => {
                if !std::mem::replace(&mut telling, true) {
                    steps.pop();
                }
                steps.push(Step { depth, ..folded_step(cfa, folded) });
                continue;
            }
        };
        let edge = &cfa.edges[*id];
        if cfa.funcs[cfa.locs[edge.from].func].library || edge.span.line == 0 {
            continue;
        }
        let place = place(cfa, *id);
        if steps.last().is_none_or(|last| !last.place.is_same_line(&place) || last.folded.is_some()) {
            if !telling {
                steps.pop();
            }
            let text = sources.line(&place).unwrap_or_else(|| format!("in {}()", place.function));
            steps.push(Step { place, text, depth, ..Step::default() });
            telling = false;
        }
        telling |= matches!(edge.op, Op::Call(_) | Op::Assume { kind: AssumeKind::Branch | AssumeKind::User, .. })
            || cfa.external_calls.contains_key(id);
        let Some(step) = steps.last_mut() else { continue };
        for (var, value) in written.iter().filter(|(var, _)| !never_defined.contains(var)) {
            let told = match (execution.states.get(var), &cfa.vars[*var].source) {
                (Some(states), _) => state_text(states, value),
                (None, Some(source)) => value_text(value, source.format).map(|text| (source.name.clone(), text)),
                (None, None) => None,
            };
            let Some(told) = told else { continue };
            step.values.retain(|(name, _)| *name != told.0);
            step.values.push(told);
            telling = true;
        }
    }
    steps
}

/// What stands for steps that are left out.
fn folded_step(cfa: &Cfa, folded: &Folded) -> Step {
    let steps = folded.steps;
    let text = match folded.what {
        Fold::Iterations(n) => format!("(folded: {n} iterations of the loop, {steps} steps)"),
        Fold::Call => format!("(folded: what the call does, {steps} steps)"),
        Fold::Middle => format!("(folded: {steps} steps)"),
    };
    Step { place: place(cfa, folded.edge), text, folded: Some(steps), ..Step::default() }
}

/// The name of an automaton and the name of its current state.
fn state_text(states: &StateNames, value: &Value) -> Option<(String, String)> {
    let Value::Bv(number) = value else { return None };
    let name = states.names.get(number.to_u64()? as usize)?;
    Some((states.automaton.clone(), name.clone()))
}

/// The arbitrary values that came from functions and what the environment handed over, in execution order.
fn inputs(cfa: &Cfa, execution: &Execution<'_>) -> Vec<Input> {
    let delivering: FxHashSet<EdgeId> = execution.deliveries.iter().filter_map(|d| d.call).collect();
    let mut told = Vec::new();
    let mut deliveries = execution.deliveries.iter().peekable();
    for (i, event) in execution.inputs.iter().enumerate() {
        while let Some(delivery) = deliveries.next_if(|d| d.after <= i) {
            told.extend(deliveries::input(cfa, delivery));
        }
        told.extend(input(cfa, event, &delivering));
    }
    told.extend(deliveries.filter_map(|delivery| deliveries::input(cfa, delivery)));
    told
}

/// An arbitrary value that came from a function. What library functions draw is left out if it says nothing to a reader: choices, and what
/// `delivering` calls draw, whose deliveries are told.
fn input(cfa: &Cfa, event: &InputEvent, delivering: &FxHashSet<EdgeId>) -> Option<Input> {
    let Op::Input { var, kind } = &cfa.edges[event.edge].op else { return None };
    let source = match (kind, event.call) {
        (InputKind::Library(f) | InputKind::Approximate(f), _) if CHOICES.contains(&&**f) => return None,
        (InputKind::Library(f) | InputKind::Approximate(f), Some(call)) if f.starts_with(OF_MODELS) => {
            if delivering.contains(&call) {
                return None;
            }
            deliveries::called(cfa, call)
        }
        (InputKind::Program(f) | InputKind::Approximate(f), _) if f.starts_with(OF_MAIN) => {
            let name = f.trim_start_matches(OF_MAIN);
            if name != "argc" {
                return None;
            }
            name.to_string()
        }
        (InputKind::Program(f) | InputKind::External(f), _)
        | (InputKind::Library(f) | InputKind::Approximate(f), _) => f.to_string(),
        (InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout, _) => return None,
    };
    if matches!(event.value, Value::Array(_)) && FILLS_MEMORY.contains(&&*source) {
        return None;
    }
    let format = cfa.vars[*var].source.as_ref().map_or_else(|| format_of(&source, event.value.sort()), |s| s.format);
    Some(Input {
        place: place(cfa, event.call.unwrap_or(event.edge)),
        source,
        occurrence: event.occurrence,
        value: value_text(&event.value, format).unwrap_or_else(|| "(memory)".into()),
    })
}

/// The values to pass to the compiled program, in execution order.
pub fn native_inputs(cfa: &Cfa, inputs: &[InputEvent], deliveries: &[DeliveryEvent]) -> Vec<InputValue> {
    let result = |event: &InputEvent| {
        let function = of_program(cfa, event)?;
        let is_result =
            !function.starts_with(OF_MAIN) && !function.starts_with(WEAK_SYMBOL) && !FILLS_MEMORY.contains(&function);
        let bytes = bytes(&event.value).filter(|_| is_result)?;
        Some(InputValue { function: function.to_string(), channel: Channel::Result, bytes })
    };
    let results = inputs.iter().enumerate().filter_map(|(i, event)| Some((i + 1, result(event)?)));
    let filled = |event: &DeliveryEvent| {
        let Delivered::Contents(function) = &cfa.deliveries[&event.edge].what else { return None };
        let function = function.to_string();
        Some((event.after, InputValue { function, channel: Channel::Memory, bytes: event.bytes.clone()? }))
    };
    let mut all: Vec<_> = results.chain(deliveries.iter().filter_map(filled)).collect();
    all.sort_by_key(|(after, _)| *after);
    all.into_iter().map(|(_, value)| value).collect()
}

/// What the compiled program finds around it.
pub fn surroundings(cfa: &Cfa, found: &Counterexample) -> Surroundings {
    let count = found.inputs.iter().find(|event| of_program(cfa, event) == Some("main.argc"));
    let count = count.and_then(|event| event.value.to_u64()).unwrap_or(1);
    let mut here = Surroundings::of(cfa, &found.deliveries, count.saturating_sub(1).min(MAX_ARGUMENTS) as usize);
    if count > MAX_ARGUMENTS {
        here.lacks.get_or_insert_with(|| format!("more than {MAX_ARGUMENTS} arguments"));
    }
    here
}

/// Prefix of the names under which library models draw values.
const OF_MODELS: &str = "__kerf_";
/// Those that are choices between what a library function may do.
const CHOICES: [&str; 4] = ["__kerf_nondet_uchar", "__kerf_havoc", "__kerf_approx_bytes", ERRNO_IS_SET];
/// Prefix of the names of inputs that are `main`'s arguments.
const OF_MAIN: &str = "main.";
/// Maximum number of arguments that a compiled program is given.
const MAX_ARGUMENTS: u64 = 1000;

/// Functions that yield their input through a pointer.
const FILLS_MEMORY: [&str; 4] = ["klee_make_symbolic", "__VERIFIER_nondet_memory", "memhavoc", "__CPROVER_havoc_slice"];

/// The function outside the program that an input came from.
fn of_program<'a>(cfa: &'a Cfa, event: &InputEvent) -> Option<&'a str> {
    match &cfa.edges[event.edge].op {
        Op::Input { kind: InputKind::Program(function) | InputKind::External(function), .. } => Some(function),
        _ => None,
    }
}

/// What the execution depends on that cannot be passed to a compiled program: the first few kinds, in words.
pub fn beyond_native(cfa: &Cfa, events: &[InputEvent]) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    // What is the cause most seldom.
    let mut memory: Option<String> = None;
    for event in events {
        let Op::Input { kind, .. } = &cfa.edges[event.edge].op else { continue };
        let within = &cfa.funcs[cfa.locs[cfa.edges[event.edge].from].func];
        let what = match kind {
            InputKind::Program(f) if f.starts_with(WEAK_SYMBOL) => format!("the definition of the {f}"),
            InputKind::Program(_) | InputKind::External(_) => continue,
            // All memory is arbitrary before the program initialises it.
            InputKind::Uninitialised if within.library => {
                memory.get_or_insert("uninitialised memory".to_string());
                continue;
            }
            InputKind::Library(_) | InputKind::Approximate(_) if within.library => match event.call {
                Some(call) => format!(
                    "what {}() yields at {}",
                    deliveries::called(cfa, call),
                    place_of(cfa, cfa.edges[call].span)
                ),
                None => format!("what {}() yields", within.name),
            },
            InputKind::Library(f) | InputKind::Approximate(f) if **f == *ERRNO_IS_SET => {
                format!("{f} at {}", place(cfa, event.edge))
            }
            InputKind::Library(f) | InputKind::Approximate(f) => {
                format!("what {f}() yields at {}", place(cfa, event.edge))
            }
            InputKind::Uninitialised => {
                memory = Some(format!("what is uninitialised at {}", place(cfa, event.edge)));
                continue;
            }
            InputKind::Undefined => format!("a value that the language leaves undefined at {}", place(cfa, event.edge)),
            InputKind::Layout => "the order of addresses".into(),
        };
        if !all.contains(&what) && all.len() < NAMED_CAUSES {
            all.push(what);
        }
    }
    if all.is_empty() { memory } else { Some(all.join(" and ")) }
}

/// Maximum number of kinds of inputs that [`beyond_native`] names.
const NAMED_CAUSES: usize = 2;

/// The sizes of an automaton, and its unsupported edges by reason.
pub fn sizes(cfa: &Cfa) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
    let mut counts = BTreeMap::from([
        ("functions".to_string(), cfa.funcs.len() as u64),
        ("locations".to_string(), cfa.locs.len() as u64),
        ("edges".to_string(), cfa.edges.len() as u64),
        ("variables".to_string(), cfa.vars.len() as u64),
        ("memory objects".to_string(), cfa.objects.len() as u64),
        ("target locations".to_string(), cfa.targets.len() as u64),
    ]);
    let mut unsupported: BTreeMap<String, u64> = BTreeMap::new();
    for edge in cfa.edges.iter() {
        match &edge.op {
            Op::Unsupported(u) => *unsupported.entry(u.reason.clone()).or_default() += 1,
            Op::Input { .. } => *counts.entry("inputs".to_string()).or_default() += 1,
            Op::CallIndirect(_) => *counts.entry("unresolved calls".to_string()).or_default() += 1,
            _ => {}
        }
    }
    (counts, unsupported)
}

/// A value as C would write it; `None` for memories.
pub fn value_text(value: &Value, format: ValueFormat) -> Option<String> {
    let bits = match value {
        Value::Bool(b) => return Some(u8::from(*b).to_string()),
        Value::Bv(bits) => bits,
        Value::Array(_) => return None,
    };
    Some(match format {
        ValueFormat::Signed if bits.width() > 1 && bits.width() <= 128 => {
            let unused = 128 - bits.width();
            (((bits.to_u128() << unused) as i128) >> unused).to_string()
        }
        ValueFormat::Float(Format::Single) => format!("{:?}", f32::from_bits(bits.to_u128() as u32)),
        ValueFormat::Float(Format::Double) => format!("{:?}", f64::from_bits(bits.to_u128() as u64)),
        ValueFormat::Float(_) | ValueFormat::Pointer => format!("0x{:x}", bits.to_big()),
        ValueFormat::Signed | ValueFormat::Unsigned => bits.to_big().to_string(),
    })
}

/// The format of a value of which only the function's name is known.
pub(crate) fn format_of(function: &str, sort: cfa::Sort) -> ValueFormat {
    let suffix = function.rsplit("nondet_").next().unwrap_or("");
    let suffix = suffix.strip_prefix("nd_").unwrap_or(suffix);
    match (suffix, sort) {
        ("float", cfa::Sort::Bv(32)) => ValueFormat::Float(Format::Single),
        ("double", cfa::Sort::Bv(64)) => ValueFormat::Float(Format::Double),
        ("pointer" | "ptr", _) => ValueFormat::Pointer,
        (s, _) if s.starts_with('u') || s.starts_with("size") || s == "bool" => ValueFormat::Unsigned,
        _ => ValueFormat::Signed,
    }
}

/// The bytes of a value, least significant first; `None` for memories.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Bool(b) => Some(vec![u8::from(*b)]),
        Value::Bv(bits) => {
            let mut bytes = bits.to_big().to_bytes_le();
            bytes.resize(bits.width().div_ceil(8) as usize, 0);
            Some(bytes)
        }
        Value::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::bv::Bv;
    use cfa::{Scope, Sort, SourceName};

    fn int(value: i64) -> Value {
        Value::Bv(Bv::from_i64(32, value))
    }

    /// `x = nondet(); if (x < 0) reach_error()` on three lines of a file that cannot be read; and the edges of one execution.
    fn program() -> (Cfa, VarId, [EdgeId; 3]) {
        let mut cfa = Cfa::new(64);
        cfa.files.push("gone.c".into());
        let span = |line| Span { file: 1, line, column: 1 };
        let main = cfa.add_func("main", span(1));
        let x = cfa.add_var("x", Sort::Bv(32), Scope::Global);
        cfa.vars[x].source = Some(SourceName { name: "x".into(), format: ValueFormat::Signed });
        let (entry, exit) = (cfa.funcs[main].entry, cfa.funcs[main].exit);
        let (a, b) = (cfa.add_loc(main), cfa.add_loc(main));
        let kind = InputKind::Program("__VERIFIER_nondet_int".into());
        let first = cfa.add_edge(entry, a, Op::Input { var: x, kind }, span(2));
        let cond = cfa.terms.bool(true);
        let second = cfa.add_edge(a, b, Op::branch(cond), span(3));
        let third = cfa.add_edge(b, exit, Op::Skip, span(4));
        (cfa, x, [first, second, third])
    }

    #[test]
    fn an_execution_becomes_lines_with_values() {
        let (cfa, x, [first, second, third]) = program();
        let written = [(x, int(-5))];
        let inputs = [InputEvent { edge: first, occurrence: 0, value: int(-5), call: None }];
        let path = vec![Passed::Edge(first, &written), Passed::Edge(second, &[]), Passed::Edge(third, &[])];
        let execution = Execution { path, inputs: &inputs, deliveries: &[], states: &BTreeMap::new() };
        let told = violation(&cfa, &execution, "reach_error() is called".into());
        assert_eq!(told.place.to_string(), "gone.c:4");
        let steps: Vec<String> = told.steps.iter().map(|s| format!("{} {} {:?}", s.place, s.text, s.values)).collect();
        assert_eq!(steps[0], "gone.c:2 in main() [(\"x\", \"-5\")]");
        assert_eq!(steps[1], "gone.c:3 in main() []");
        assert_eq!((told.inputs[0].value.as_str(), told.inputs[0].occurrence), ("-5", 0));
        assert_eq!(native_inputs(&cfa, &inputs, &[])[0].bytes, (-5i32).to_le_bytes());
        assert_eq!(beyond_native(&cfa, &inputs), None);
    }

    #[test]
    fn values_are_written_as_in_c() {
        let text =
            |width, value: u64, format| value_text(&Value::Bv(Bv::new(width, value)), format).unwrap_or_default();
        assert_eq!(text(8, 255, ValueFormat::Signed), "-1");
        assert_eq!(text(8, 255, ValueFormat::Unsigned), "255");
        assert_eq!(text(1, 1, ValueFormat::Signed), "1");
        assert_eq!(text(32, u64::from(1.5f32.to_bits()), ValueFormat::Float(Format::Single)), "1.5");
        assert_eq!(text(64, (-0.0f64).to_bits(), ValueFormat::Float(Format::Double)), "-0.0");
        assert_eq!(text(64, 4096, ValueFormat::Pointer), "0x1000");
    }
}
