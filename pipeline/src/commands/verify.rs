//! `kerf verify`: runs the verification in a worker and prints its report, or the reason why there is none.

use anyhow::Result;

use crate::cli::{ShowArgs, VerifyArgs, partial};
use crate::commands::{Answer, Session, judge, print, program, work};
use crate::config::Settings;
use crate::driver::{self, Guided, Plan, Program};
use crate::report::terminal::{Style, render};
use crate::report::{Report, Statistics, Verdict, files, sarif};
use crate::witness::own;
use crate::worker::{Run, UserError};

pub(super) fn run(args: VerifyArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.property), Some(&args.strategy));
    let settings = Settings::resolve(args.input.config.as_deref(), options)?;
    let program = program(&args.program, &settings)?;
    if let Some(dir) = &args.output {
        std::fs::create_dir_all(dir).map_err(|e| UserError(format!("{}: {e}", dir.display())))?;
    }
    let plan = Plan {
        strategy: settings.strategy.value.strategy.clone(),
        slice: settings.slice.value,
        solver: settings.solver.value.engine(),
        output: args.output.clone(),
        witness: args.witness.is_some(),
        hints: args.hints.as_deref().map(own::hints).transpose()?.unwrap_or_default(),
        guide: None,
        deadline: None,
    };
    if plan.witness {
        own::check(&program)?;
    }
    let Guided { mut report, witness, .. } = answer(&program, &plan, &settings, &args.show, &session)?;
    if let Some((path, witness)) = args.witness.as_ref().zip(witness) {
        let mut prove = |guide, deadline| {
            let (output, guide, deadline) = (None, Some(guide), Some(deadline));
            let plan = Plan { output, witness: false, hints: Vec::new(), guide, deadline, ..plan.clone() };
            answer(&program, &plan, &settings, &args.show, &session).ok()
        };
        match own::write(&own::proved(witness, session.start.elapsed(), &mut prove), path) {
            Ok(evidence) => report.evidence.push(evidence),
            Err(why) => report.warnings.push(format!("no witness: {why}")),
        }
    }
    if let Some(dir) = &args.output {
        // The answer stands even if it cannot be written to disk.
        if let Err(error) = files::write(&mut report, dir) {
            report.warnings.push(format!("{error:#}"));
        }
    }
    if let Some(file) = &args.sarif {
        let properties: Vec<String> = match &program.automata {
            Some(automata) => automata.list.iter().map(|automaton| automaton.name.clone()).collect(),
            None => vec![program.specification.property.name().into()],
        };
        let log = sarif::log(&report, &properties, &program.files);
        if let Err(error) = std::fs::write(file, format!("{log:#}\n")) {
            report.warnings.push(format!("cannot write {}: {error}", file.display()));
        }
    }
    show(report, &args.show, &session)
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
    let measured = statistics(&worker);
    let mut guided = match judge(worker, settings) {
        Answer::Result(guided) => guided,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(kind, reason) => {
            Guided { report: Report::new(Verdict::unknown(kind, reason)), doubts: Vec::new(), witness: None }
        }
    };
    let Statistics { counts, parts, .. } = guided.report.statistics;
    guided.report.statistics = Statistics { counts, parts, ..measured };
    Ok(guided)
}

/// Prints a report. Returns the exit status.
pub(super) fn show(report: Report, show: &ShowArgs, session: &Session) -> Result<u8> {
    report.warnings.iter().for_each(|warning| eprintln!("kerf: {warning}"));
    if show.json {
        let mut json = serde_json::to_value(&report)?;
        json["result"] = report.verdict.to_string().into();
        print(&format!("{json:#}\n"))?;
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
    Statistics { phases_ms, wall_s: run.wall_s, cpu_s: run.cpu_s, rss_mb: run.rss_mb, ..Statistics::default() }
}
