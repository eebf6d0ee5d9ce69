//! `kerf verify`: runs the verification in a worker and prints its report, or the reason why there is none.

use std::path::PathBuf;

use anyhow::Result;
use frontend_llvm::clang::ClangOptions;

use crate::cli::{ShowArgs, VerifyArgs, partial};
use crate::commands::{Answer, Session, judge, optimise, print, program, task, work};
use crate::config::{Optimise, Settings};
use crate::driver::{self, Guided, Plan, Program};
use crate::report::html::details::Details;
use crate::report::html::{self, Data};
use crate::report::terminal::{Style, render, result_line};
use crate::report::undecided::{self, Undecided};
use crate::report::{Activity, Evidence, Report, Statistics, Verdict, files, sarif};
use crate::witness::own;
use crate::worker::{Phase, Run, UserError};

/// The name of the effective configuration in the output directory.
const CONFIGURATION: &str = "kerf.toml";

pub(super) fn run(mut args: VerifyArgs, session: Session) -> Result<u8> {
    args.show.quiet = args.quiet.quiet;
    let clang = Some(&args.program.clang);
    let options = partial(&args.input, clang, Some(&args.property), Some(&args.strategy));
    let options = args.results.over(&args.optimise, options);
    let task = task::read(&args.program.files, options.property.is_some())?;
    let (files, task) = task.map_or((args.program.files, None), |task| (task.files, Some(task.settings)));
    let settings = Settings::resolve(args.input.config.as_deref(), task, options)?;
    let program = program(&files, &settings)?;
    let output = &settings.output.value;
    if let Some(dir) = output {
        let failed = |error| UserError(format!("{}: {error}", dir.display()));
        std::fs::create_dir_all(dir).map_err(failed)?;
        std::fs::write(dir.join(CONFIGURATION), configuration(&program.files, &settings)).map_err(failed)?;
    }
    let witness = &settings.witness.value;
    let plan = Plan {
        strategy: settings.strategy.value.strategy.clone(),
        slice: settings.slice.value,
        solver: settings.solver.value.engine(),
        output: output.clone(),
        witness: witness.is_some(),
        hints: settings.hints.value.as_deref().map(own::hints).transpose()?.unwrap_or_default(),
        guide: None,
        deadline: None,
        vacuity: settings.vacuity.value,
        shrink: settings.shrink.value,
        unit_test: settings.unit_test.value.clone(),
    };
    if plan.witness {
        own::check(&program)?;
    }
    if settings.optimise.value != Optimise::No {
        let report = verify_optimised(&program, plan, &settings, &args.show, &session)?;
        return finish(report, None, &program, &settings, &args.show, &session);
    }
    let Guided { mut report, witness: made, details, .. } = answer(&program, &plan, &settings, &args.show, &session)?;
    if let Some((path, witness)) = witness.as_ref().zip(made) {
        let mut prove = |guide, deadline| {
            let (output, unit_test, guide, deadline) = (None, None, Some(guide), Some(deadline));
            let plan = Plan {
                output,
                unit_test,
                witness: false,
                vacuity: false,
                hints: Vec::new(),
                guide,
                deadline,
                ..plan.clone()
            };
            answer(&program, &plan, &settings, &args.show, &session).ok()
        };
        match own::write(&own::proved(witness, session.start.elapsed(), &mut prove), path) {
            Ok(evidence) => report.evidence.push(evidence),
            Err(why) => report.warnings.push(format!("no witness: {why}")),
        }
    }
    finish(report, details, &program, &settings, &args.show, &session)
}

/// Optimises, slices and optimises the program in a worker, and verifies what is left.
fn verify_optimised(
    program: &Program,
    plan: Plan,
    settings: &Settings,
    show: &ShowArgs,
    session: &Session,
) -> Result<Report> {
    if plan.witness || !plan.hints.is_empty() {
        let reason =
            "--optimise: witnesses are about the source, but optimised programs have other loops and variables";
        return Err(UserError(reason.into()).into());
    }
    let dir = tempfile::tempdir()?;
    let (level, is_sliced) = (settings.optimise.value, settings.slice.value);
    let worker = work(settings, show, session, |reporter| {
        optimise::optimised(program, level, is_sliced, dir.path(), reporter).map(|program| program.files)
    })?;
    let mut files = match judge(worker, settings) {
        Answer::Result(files) => files,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(kind, reason) => return Ok(Report::new(Verdict::unknown(kind, reason))),
    };
    let mut kept = None;
    if let (Some(output), [file]) = (&plan.output, &mut files[..]) {
        let path = output.join("program.bc");
        std::fs::copy(&*file, &path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
        kept = Some(Evidence { kind: "optimised program".into(), path: path.display().to_string() });
        *file = path;
    }
    let optimised = Program { files, clang_options: ClangOptions::default(), ..program.clone() };
    let mut report = answer(&optimised, &plan, settings, show, session)?.report;
    report.evidence.extend(kept);
    if !matches!(report.verdict, Verdict::Unknown { .. }) {
        report.assumptions.push(optimise::ASSUMPTION.into());
    }
    let what = if is_sliced { "slice" } else { "program" };
    report.notes.push(format!("what is verified, and called the whole program here, is the optimised {what}"));
    Ok(report)
}

/// Writes and prints a report. Returns the exit status.
fn finish(
    mut report: Report,
    details: Option<Details>,
    program: &Program,
    settings: &Settings,
    to_show: &ShowArgs,
    session: &Session,
) -> Result<u8> {
    write_results(&mut report, details, program, settings);
    show(report, to_show, session)
}

/// The effective settings, with which `--config` repeats the run.
fn configuration(files: &[PathBuf], settings: &Settings) -> String {
    let files: Vec<String> = files.iter().map(|file| file.display().to_string().escape_debug().to_string()).collect();
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "# Effective settings of kerf {version} ({}) for: {}\n{}",
        driver::versions(),
        files.join(" "),
        settings.text()
    )
}

/// Writes the report into the output directory and the SARIF file, if they are wanted. The answer stands even if it cannot be written.
fn write_results(report: &mut Report, details: Option<Details>, program: &Program, settings: &Settings) {
    if let Some(dir) = &settings.output.value {
        let path = dir.join(CONFIGURATION).display().to_string();
        report.evidence.push(Evidence { kind: "configuration".into(), path });
        let page = |report: &Report| Data::verified(&program.files, settings.rows(), report, details);
        for written in [files::write(report, dir), html::write(report, page, dir)] {
            report.warnings.extend(written.err().map(|error| format!("{error:#}")));
        }
    }
    if let Some(file) = &settings.sarif.value {
        let properties: Vec<String> = match &program.automata {
            Some(automata) => automata.list.iter().map(|automaton| automaton.name.clone()).collect(),
            None => vec![program.specification.property.name().into()],
        };
        let log = sarif::log(report, &properties, &program.files);
        if let Err(error) = std::fs::write(file, format!("{log:#}\n")) {
            report.warnings.push(format!("cannot write {}: {error}", file.display()));
        }
    }
}

/// Verifies in a worker; without an answer of that, the report says why.
pub(super) fn answer(
    program: &Program,
    plan: &Plan,
    settings: &Settings,
    show: &ShowArgs,
    session: &Session,
) -> Result<Guided> {
    let worker = work(settings, show, session, |reporter| driver::verify_guided(program, plan, reporter))?;
    let (measured, tried) = (statistics(&worker), worker.tried());
    let mut guided = match judge(worker, settings) {
        Answer::Result(guided) => guided,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(kind, reason) => {
            let mut guided = Guided::only(kind, reason);
            guided.report.statistics.parts = tried;
            guided
        }
    };
    let Statistics { counts, parts, .. } = guided.report.statistics;
    guided.report.statistics = Statistics { counts, parts, ..measured };
    if let Some(open) = undecided::of(&guided.report, settings) {
        let Undecided { blocked, unsupported, .. } = guided.report.undecided.take().unwrap_or_default();
        guided.report.undecided = Some(Undecided { blocked, unsupported, ..open });
    }
    Ok(guided)
}

/// Prints a report. Returns the exit status.
pub(super) fn show(report: Report, show: &ShowArgs, session: &Session) -> Result<u8> {
    report.warnings.iter().for_each(|warning| eprintln!("kerf: {warning}"));
    if show.json {
        print(&format!("{:#}\n", report.json()?))?;
    } else if show.quiet {
        print(&format!("{}\n", result_line(&report)))?;
    } else {
        print(&render(&report, Style { color: session.color, verbose: show.verbose }))?;
    }
    Ok(report.verdict.exit_code())
}

/// The parent's measurements; the worker adds its counts and parts.
fn statistics(run: &Run<Guided>) -> Statistics {
    let mut phases_ms: Vec<(String, f64)> = Vec::new();
    for (phase, _, ms) in &run.phases {
        match phases_ms.iter_mut().find(|(name, _)| name == phase.name()) {
            Some((_, sum)) => *sum += ms,
            None => phases_ms.push((phase.name().to_string(), *ms)),
        }
    }
    let activity = |(phase, detail, ms): &(Phase, String, f64)| Activity {
        phase: phase.name().into(),
        detail: detail.clone(),
        ms: *ms,
    };
    let time_line = run.phases.iter().map(activity).collect();
    Statistics {
        phases_ms,
        time_line,
        wall_s: run.wall_s,
        cpu_s: run.cpu_s,
        rss_mb: run.rss_mb,
        ..Statistics::default()
    }
}
