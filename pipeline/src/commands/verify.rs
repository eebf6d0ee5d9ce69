//! `kerf verify`: runs the verification in a worker and prints its report, or the reason why there is none.

use anyhow::Result;

use crate::cli::{VerifyArgs, partial};
use crate::commands::{Answer, Session, judge, print, program, work};
use crate::config::Settings;
use crate::driver::{self, Plan};
use crate::report::terminal::{Style, render};
use crate::report::{Report, Statistics, Verdict, files};
use crate::worker::{Run, UserError};

pub(super) fn run(args: VerifyArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.property), Some(&args.strategy));
    let settings = Settings::resolve(args.input.config.as_deref(), options)?;
    let program = program(&args.program.files, &settings)?;
    if let Some(dir) = &args.output {
        std::fs::create_dir_all(dir).map_err(|e| UserError(format!("{}: {e}", dir.display())))?;
    }
    let plan = Plan {
        strategy: settings.strategy.value.strategy.clone(),
        slice: settings.slice.value,
        solver: settings.solver.value.engine(),
        output: args.output.clone(),
    };
    let worker = work(&settings, &args.show, &session, |reporter| driver::verify(&program, &plan, reporter))?;
    let measured = statistics(&worker);
    let mut report = match judge(worker, &settings) {
        Answer::Result(report) => report,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(kind, reason) => Report::new(Verdict::unknown(kind, reason)),
    };
    let Statistics { counts, parts, .. } = report.statistics;
    report.statistics = Statistics { counts, parts, ..measured };
    if let Some(dir) = &args.output {
        // The answer stands even if it cannot be written to disk.
        if let Err(error) = files::write(&mut report, dir) {
            report.warnings.push(format!("{error:#}"));
        }
    }
    report.warnings.iter().for_each(|warning| eprintln!("kerf: {warning}"));
    if args.show.json {
        let mut json = serde_json::to_value(&report)?;
        json["result"] = report.verdict.to_string().into();
        print(&format!("{json:#}\n"))?;
    } else {
        print(&render(&report, Style { color: session.color, verbose: args.show.verbose }))?;
    }
    Ok(report.verdict.exit_code())
}

/// The parent's measurements; the worker adds its counts and parts.
fn statistics(run: &Run<Report>) -> Statistics {
    let mut phases_ms: Vec<(String, f64)> = Vec::new();
    for (phase, _, ms) in &run.phases {
        match phases_ms.iter_mut().find(|(name, _)| name == phase.name()) {
            Some((_, sum)) => *sum += ms,
            None => phases_ms.push((phase.name().to_string(), *ms)),
        }
    }
    Statistics { phases_ms, wall_s: run.wall_s, cpu_s: run.cpu_s, rss_mb: run.rss_mb, ..Statistics::default() }
}
