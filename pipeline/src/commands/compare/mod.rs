//! `kerf compare`: runs the comparison and prints its table.

mod runner;
pub(crate) mod slicers;
mod table;

use std::io::IsTerminal;

use anyhow::Result;

use crate::cfa_file;
use crate::cli::{CompareArgs, partial};
use crate::commands::{UNKNOWN, check_clang_options, print, print_json, program_of};
use crate::config::Settings;
use crate::worker::{UserError, interrupted};
use runner::Setup;
use slicers::Row;

pub(super) fn run(args: CompareArgs) -> Result<u8> {
    let options = partial(&args.input, Some(&args.clang), Some(&args.property), None);
    let settings = Settings::resolve(args.input.config.as_deref(), None, options)?;
    let text: Vec<&str> = args.criterion.iter().map(|c| c.text.as_str()).collect();
    let requests = args.criterion.iter().flat_map(|c| c.requests.clone()).collect();
    let setup = Setup {
        slicers: args.slicer.clone(),
        criteria: (!args.criterion.is_empty()).then(|| (text.join(","), requests)),
        strategy: (!args.no_verify).then(|| args.strategy.clone().unwrap_or(settings.strategy.value.clone()).strategy),
        limits: settings.limits(),
    };
    check_clang_options(&args.files, &args.clang.options)?;
    let mut rows: Vec<Row> = Vec::new();
    let steps = args.files.len() * setup.slicers.len();
    for file in &args.files {
        let mut finished = |row| {
            rows.push(row);
            if std::io::stderr().is_terminal() {
                eprint!("\r{} of {steps} ", rows.len());
            }
            Ok(())
        };
        let read = match program_of(std::slice::from_ref(file), &settings) {
            Ok(program) if program.automata.is_some() => {
                let reason = "slices for specification automata cannot be compared, since they are not modules";
                return Err(UserError(reason.into()).into());
            }
            Ok(program) if !program.substitutions.is_empty() => {
                let reason = "--stub and --replace: other slicers get the program as it is";
                return Err(UserError(reason.into()).into());
            }
            Ok(program) if program.cfa_file().is_some() => Err(cfa_file::no_module(file).0),
            Ok(program) => runner::run(&program, &setup, &mut finished)?,
            Err(UserError(reason)) if !file.exists() => Err(reason),
            Err(error) => return Err(error.into()),
        };
        if interrupted() {
            break;
        }
        // One program that cannot be read does not suppress the rows of the others.
        match read {
            Err(reason) if args.files.len() == 1 => return Err(UserError(reason).into()),
            Err(reason) => rows.extend(setup.slicers.iter().map(|slicer| Row {
                file: file.display().to_string(),
                slicer: slicer.name().to_string(),
                error: Some(reason.clone()),
                ..Row::default()
            })),
            Ok(()) => {}
        }
    }
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    if setup.strategy.is_some() && rows.iter().any(|r| r.instructions.is_some() && r.verdict.is_none()) {
        eprintln!("kerf: not verified, since the criterion leaves out calls that the property is about");
    }
    if args.json {
        let all = serde_json::json!({ "rows": rows, "totals": table::totals(&rows), "contradictions": table::contradictions(&rows) });
        print_json(all)?;
    } else if args.csv {
        print(&table::csv(&rows)?)?;
    } else {
        print(&table::render(&rows))?;
    }
    if interrupted() {
        eprintln!("kerf: interrupted after {} of {steps} slices", rows.len());
        return Ok(UNKNOWN);
    }
    Ok(0)
}
