//! Reports of alarms: replayed counterexamples, their native runs and unit tests, and undefined behaviour on the way.

use super::{Plan, Program};
use crate::harness::unit_test::About;
use crate::harness::{self, Experiment, Outcome};
use crate::report::counterexample::{self, Execution, Passed};
use crate::report::excerpt::Sources;
use crate::report::{Evidence, NativeRun, Report, Shrinking, Step, Verdict, Violation, path_c};
use crate::worker::{Phase, Reporter};
use anyhow::Result;
use cfa::{Cfa, EdgeId, LocId};
use frontend_llvm::clang::{ClangOptions, WORKING_DIRECTORY};
use frontend_llvm::property::{Property, Targets};
use slicer::automaton::Woven;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use verifier::evidence::fault::Fault;
use verifier::evidence::replay::Counterexample;

/// A prepared program and what violates its property.
pub(super) struct Whole<'a> {
    pub(super) cfa: &'a Cfa,
    /// Functions whose calls violate the property.
    pub(super) targets: &'a [String],
    /// Functions whose failing assertions violate it, too.
    pub(super) assertions: &'a [String],
    /// The automata woven into the program.
    pub(super) woven: &'a Woven,
}

impl Whole<'_> {
    /// Describes the violation at a target.
    pub(super) fn what_happens_at(&self, target: LocId) -> String {
        let of_automaton = self.woven.violations.get(&target).map(|violated| violated.message.clone());
        // The call itself has no effect in the automaton; it leads to the target.
        let call = self.cfa.into(target).first().copied();
        let of_call = || violation(self.cfa, call?, self.targets);
        of_automaton.or_else(of_call).unwrap_or_else(|| format!("the target {target} is reached"))
    }
}

/// The report of a replayed counterexample; with an output directory also its native run.
pub(super) fn alarm(
    program: &Program,
    plan: &Plan,
    whole: &Whole<'_>,
    found: &Counterexample,
    reporter: &Reporter,
) -> Result<Report> {
    let Whole { cfa, targets, woven, .. } = *whole;
    let mut path: Vec<_> = found.steps.iter().map(Passed::of).collect();
    // The call itself has no effect in the automaton and is not among the steps.
    let call = cfa.into(found.target).first().copied();
    path.extend(call.map(|edge| Passed::Edge(edge, &[])));
    let violated = woven.violations.get(&found.target);
    let what = whole.what_happens_at(found.target);
    let execution = Execution { path, inputs: &found.inputs, deliveries: &found.deliveries, states: &woven.states };
    let mut violation = counterexample::violation(cfa, &execution, what);
    violation.signed_overflow = found.overflow.map(|span| cfa.place(span));
    if let Some(span) = found.overflow {
        let overflow = counterexample::place_of(cfa, span);
        let Violation { place, inputs, .. } = &violation;
        violation.excerpt = counterexample::excerpt(&mut Sources::default(), place, inputs, Some(&overflow));
    }
    violation.shrunk =
        found.shrunk.map(|from| Shrinking { inputs: from.inputs, steps: from.steps, to_steps: found.n_steps });
    let (mut evidence, mut warnings) = (Vec::new(), Vec::new());
    let is_compiled = program.cfa_file().is_none();
    if let Some(dir) = plan.output.as_ref().filter(|_| is_compiled) {
        reporter.phase(Phase::Checking, "native run");
        // The replay backs the verdict, even if clang is missing.
        let run = native_run(program, cfa, found, [targets, whole.assertions], dir, reporter.deadline());
        let run = run.unwrap_or_else(|error| NativeRun::NotReproduced(format!("{error:#}")));
        violation.native_run = Some(match violated {
            // Only the call of a target is visible from outside.
            Some(_) => NativeRun::NotReproduced("the automaton is not part of the compiled program".into()),
            None => run,
        });
        write_scripts(cfa, found, &violation.steps, targets, dir, &mut warnings);
        let scripts = [harness::debugger::GDB, harness::debugger::LLDB].map(|file| ("debugger", file));
        for (kind, file) in [("harness", "harness.c"), ("native run", "reproduce.sh")].into_iter().chain(scripts) {
            let path = dir.join(file);
            if path.exists() {
                evidence.push(Evidence { kind: kind.into(), path: path.display().to_string() });
            }
        }
    }
    let mut notes = Vec::new();
    if let Some(dir) = &plan.output {
        reporter.phase(Phase::Writing, path_c::FILE);
        match write_path(cfa, found, &violation, dir, reporter.deadline()) {
            Ok((path, note)) => {
                evidence.push(path);
                notes.extend(note);
            }
            Err(reason) => notes.push(format!("there is no {}, because {reason}", path_c::FILE)),
        }
    }
    if let Some(file) = &plan.unit_test {
        reporter.phase(Phase::Writing, "unit test");
        let made = match violated {
            Some(_) => Ok(Err("the automaton is not part of the compiled program".into())),
            None => unit_test(program, whole, found, &violation, file, reporter.deadline()),
        };
        match made.unwrap_or_else(|error| Err(format!("{error:#}"))) {
            Ok(()) => evidence.push(Evidence { kind: "unit test".into(), path: file.display().to_string() }),
            Err(reason) => notes.push(format!("there is no unit test, because {reason}")),
        }
    }
    let property = violated.map_or(program.specification.property.name(), |v| &v.automaton);
    let mut report = Report::new(Verdict::False { property: property.into() });
    report.notes = notes;
    report.violation = Some(violation);
    (report.evidence, report.warnings) = (evidence, warnings);
    if plan.output.is_some() && !is_compiled {
        report.notes.push("there is no native run, since an automaton cannot be compiled".into());
    }
    Ok(report)
}

/// Writes the scripts for debuggers, if the counterexample was compiled.
fn write_scripts(
    cfa: &Cfa,
    found: &Counterexample,
    steps: &[Step],
    targets: &[String],
    dir: &Path,
    warnings: &mut Vec<String>,
) {
    use harness::debugger::{GDB, LLDB, gdb, lldb};
    if !dir.join("native").exists() {
        return;
    }
    let around = counterexample::surroundings(cfa, found);
    for (file, script) in [(GDB, gdb(steps, targets, &around)), (LLDB, lldb(steps, targets, &around))] {
        let path = dir.join(file);
        let written = std::fs::write(&path, script);
        warnings.extend(written.err().map(|error| format!("cannot write {}: {error}", path.display())));
    }
}

/// Writes the path as a C program, and says what of it C cannot express. The error is the reason why there is none, in words.
fn write_path(
    cfa: &Cfa,
    found: &Counterexample,
    violation: &Violation,
    dir: &Path,
    deadline: Option<Instant>,
) -> Result<(Evidence, Option<String>), String> {
    let path = dir.join(path_c::FILE);
    let program = path_c::program(cfa, found, &violation.what, &violation.place, deadline)?;
    std::fs::write(&path, program.text).map_err(|error| format!("it cannot be written: {error}"))?;
    let note = match program.constants {
        0 => None,
        n => {
            Some(format!("C cannot express {n} statements of {}; they are what they were in the replay", path_c::FILE))
        }
    };
    Ok((Evidence { kind: "path in C".into(), path: path.display().to_string() }, note))
}

/// Adds undefined behaviour that was found on the way.
pub(super) fn report_fault(cfa: &Cfa, woven: &Woven, fault: &Fault, report: &mut Report) {
    let mut path: Vec<_> = fault.steps.iter().map(Passed::of).collect();
    path.push(Passed::Edge(fault.edge, &[]));
    let execution = Execution { path, inputs: &fault.inputs, deliveries: &fault.deliveries, states: &woven.states };
    report.possible_error = Some(counterexample::possible_error(cfa, &execution, fault));
}

/// Describes the violation at a target, given the name that the front-end recorded for it.
fn what_happens(target: &str) -> String {
    let label = target.strip_prefix("label ").map(|label| format!("the label {label} is reached"));
    let assertion = target.strip_prefix(frontend_llvm::ASSERTION).map(|name| format!("{name}() fails"));
    label.or(assertion).unwrap_or_else(|| format!("{target}() is called"))
}

/// Compiles the program with the inputs of a replayed execution and runs it; the harness stays in `dir`. What violates the property
/// are calls of the first functions, and failing calls of the second.
///
/// # Errors
/// Files cannot be written, or clang is missing.
pub fn native_run(
    program: &Program,
    cfa: &Cfa,
    found: &Counterexample,
    [targets, assertions]: [&[String]; 2],
    dir: &Path,
    deadline: Option<Instant>,
) -> Result<NativeRun> {
    if let Some(reason) = not_compiled(program) {
        return Ok(NativeRun::NotReproduced(reason));
    }
    let inputs = counterexample::native_inputs(cfa, &found.inputs, &found.deliveries);
    let files = &program.files;
    let surroundings = &counterexample::surroundings(cfa, found);
    let pointer_bits = cfa.pointer_bits;
    let ClangOptions { for_all: clang_options, of_files: options_of } = &program.clang_options;
    let inputs = &inputs;
    let experiment = Experiment {
        files,
        clang_options,
        options_of,
        pointer_bits,
        targets,
        assertions,
        stubs: &program.substitutions.stubs,
        inputs,
        surroundings,
        dir,
        deadline,
    };
    let how = match harness::run(&experiment)? {
        Outcome::Reached => return Ok(NativeRun::Reproduced),
        Outcome::NotRun(reason) => return Ok(NativeRun::NotReproduced(reason)),
        Outcome::Ended(how) => how,
    };
    let lacks = surroundings.lacks.clone().or_else(|| counterexample::beyond_native(cfa, &found.inputs));
    let known = lacks
        .map(|value| format!("the execution depends on {value}, which a native run cannot reproduce"))
        .or_else(|| found.overflow.map(|span| format!("the execution has a signed overflow at {}", cfa.place(span))));
    Ok(match known {
        Some(reason) => NativeRun::NotReproduced(format!("{how}; {reason}")),
        None => NativeRun::Unexplained(how),
    })
}

/// Why the compiled program cannot show the violation, if it cannot, in words.
fn not_compiled(program: &Program) -> Option<String> {
    if program.cfa_file().is_some() {
        return Some("an automaton cannot be compiled".into());
    }
    if let Property::UnreachCall(Targets::Label(_)) = program.specification.property {
        return Some("a label cannot be seen from outside".into());
    }
    if let Some((from, to)) = program.substitutions.replacements.first() {
        return Some(format!("the compiled program calls {from}(), not {to}()"));
    }
    (program.entry != "main").then(|| format!("a compiled program begins at main(), not at {}()", program.entry))
}

/// Writes a unit test of the counterexample. The inner error is the reason why there is none, in words.
fn unit_test(
    program: &Program,
    whole: &Whole<'_>,
    found: &Counterexample,
    violation: &Violation,
    file: &Path,
    deadline: Option<Instant>,
) -> Result<Result<(), String>> {
    if let Some(reason) = not_compiled(program) {
        return Ok(Err(reason));
    }
    if let Some(stub) = program.substitutions.stubs.first() {
        return Ok(Err(format!("a test calls the program's {stub}(), not a stub")));
    }
    // A test is compiled by one command, in the directory where it is.
    let mut options: Vec<_> = program.files.iter().map(|file| program.clang_options.of(file)).collect();
    options.iter_mut().for_each(|all| all.retain(|option| !option.starts_with(WORKING_DIRECTORY)));
    options.dedup();
    let [clang_options] = &options[..] else {
        return Ok(Err("its files are compiled with different options, but a test with one command".into()));
    };
    let experiment = Experiment {
        files: &program.files,
        clang_options,
        options_of: &BTreeMap::new(),
        pointer_bits: whole.cfa.pointer_bits,
        targets: whole.targets,
        assertions: whole.assertions,
        stubs: &[],
        inputs: &counterexample::native_inputs(whole.cfa, &found.inputs, &found.deliveries),
        surroundings: &counterexample::surroundings(whole.cfa, found),
        dir: Path::new("."),
        deadline,
    };
    let about = About { what: &violation.what, place: &violation.place.to_string() };
    harness::unit_test::write(&experiment, about, file)
}

/// Describes the violation at the end of the edge `call`, if the front-end recorded a name for it.
pub(crate) fn violation(cfa: &Cfa, call: EdgeId, targets: &[String]) -> Option<String> {
    let called = cfa.external_calls.get(&call).cloned();
    let called = called.or_else(|| (!targets.is_empty()).then(|| targets.join("() or ")));
    called.map(|called| what_happens(&called))
}
