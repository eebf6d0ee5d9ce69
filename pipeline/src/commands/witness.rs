//! `kerf witness check`: verifies a program under the guidance of a witness, and says whether that is right.

use std::path::Path;

use anyhow::Result;
use frontend_llvm::property::{Property, Specification, Targets, parse_prp};

use crate::cli::{WitnessArgs, WitnessCheckArgs, WitnessCommand, partial};
use crate::commands::verify::answer;
use crate::commands::{Session, check_readable, program};
use crate::config::{DataModel, Settings, Source};
use crate::driver::{Guided, Plan, Program};
use crate::report::{Cause, Report, Verdict};
use crate::witness::format::{self, Witness};
use crate::witness::guide::Guide;
use crate::worker::UserError;

pub(super) fn run(args: WitnessArgs, session: Session) -> Result<u8> {
    let WitnessCommand::Check(args) = args.command;
    check(args, session)
}

fn check(mut args: WitnessCheckArgs, session: Session) -> Result<u8> {
    args.show.quiet = args.quiet.quiet;
    check_readable(&args.witness)?;
    let witness = format::read(&args.witness)?;
    let options = partial(&args.input, Some(&args.program.clang), Some(&args.property), Some(&args.strategy));
    let mut settings = Settings::resolve(args.input.config.as_deref(), None, options)?;
    // What the user does not say, the witness does.
    if settings.data_model.source == Source::Default {
        settings.data_model.value = match witness.task.data_model.as_str() {
            "ILP32" => DataModel::Ilp32,
            _ => settings.data_model.value,
        };
    }
    let mut program = program(&args.program.files, &settings)?;
    if settings.property.source == Source::Default {
        program.specification = stated(&args.witness, &witness)?;
        if let (Some(entry), Source::Default) = (&program.specification.entry, &settings.entry.source) {
            program.entry.clone_from(entry);
        }
    }
    if let Some(why) = other_task(&args.witness, &witness, &program)? {
        let unknown = Verdict::unknown(Cause::NotConfirmed, format!("the witness is about something else: {why}"));
        return crate::commands::verify::show(Report::new(unknown), &args.show, &session);
    }
    let guide = Guide::from(witness.content);
    let plan = Plan {
        slice: settings.slice.value,
        solver: settings.solver.value.engine(),
        guide: Some(guide.clone()),
        ..Plan::new(settings.strategy.value.strategy.clone())
    };
    let Guided { mut report, doubts, .. } = answer(&program, &plan, &settings, &args.show, &session)?;
    guide.conclude(&mut report, &doubts);
    crate::commands::verify::show(report, &args.show, &session)
}

/// The property that a witness states.
fn stated(path: &Path, witness: &Witness) -> Result<Specification, UserError> {
    parse_prp(&witness.task.specification).map_err(|e| UserError(format!("{}: {e}", path.display())))
}

/// In what the witness is about another task, if it is.
fn other_task(path: &Path, witness: &Witness, program: &Program) -> Result<Option<String>, UserError> {
    let model = program.data_model.to_string();
    if !witness.task.data_model.is_empty() && witness.task.data_model != model {
        return Ok(Some(format!("the data model {}, not {model}", witness.task.data_model)));
    }
    for (name, hash) in witness.task.files.iter().filter(|(_, hash)| !hash.is_empty()) {
        let file_name = Path::new(name).file_name();
        let same = |file: &&std::path::PathBuf| file.file_name() == file_name || program.files.len() == 1;
        let Some(file) = program.files.iter().find(same) else {
            return Ok(Some(format!("the file {name}")));
        };
        let bytes = std::fs::read(file).map_err(|e| UserError(format!("{}: {e}", file.display())))?;
        if !format::sha256(&bytes).eq_ignore_ascii_case(hash) {
            return Ok(Some(format!("a file {name} with another content")));
        }
    }
    let stated = stated(path, witness)?;
    let entry = stated.entry.as_ref().is_none_or(|entry| *entry == program.entry);
    let same = match (&stated.property, &program.specification.property) {
        // A name stands for the customary functions.
        (Property::UnreachCall(Targets::Function(f)), Property::UnreachCall(Targets::Customary)) => {
            matches!(f.as_str(), "reach_error" | "__VERIFIER_error" | "__assert_fail")
        }
        (a, b) => a == b && program.automata.is_none(),
    };
    Ok((!entry || !same).then(|| format!("the property {}", witness.task.specification)))
}
