//! `kerf cfa` and `kerf slice`: the automaton of a program, and what a slice leaves of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::{Answer, Session, UNKNOWN, judge, print, program, work};
use crate::cli::{CfaArgs, FormArgs, ShowArgs, SliceArgs, partial};
use crate::config::{Partial, Settings};
use crate::run::{self, Form, Listing, Program};
use crate::worker::{Reporter, UserError};

pub(super) fn cfa(args: CfaArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, None, None);
    let form = form(&args.form);
    let prepared = args.prepared;
    list(&args.program.files, args.input.config, options, &args.show, session, |p, r| run::cfa(p, prepared, form, r))
}

pub(super) fn slice(args: SliceArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.property), None);
    let form = form(&args.form);
    list(&args.program.files, args.input.config, options, &args.show, session, |p, r| run::slice(p, form, r))
}

fn form(args: &FormArgs) -> Form {
    match (args.text, args.dot) {
        (true, _) => Form::Text,
        (_, true) => Form::Dot,
        _ => Form::Counts,
    }
}

fn list(
    files: &[PathBuf],
    config: Option<PathBuf>,
    options: Partial,
    show: &ShowArgs,
    session: Session,
    job: impl FnOnce(&Program, &Reporter) -> Result<Listing> + Send,
) -> Result<u8> {
    let settings = Settings::resolve(config.as_deref(), options)?;
    let program = program(files, &settings)?;
    let worker = work(&settings, show, &session, |reporter| job(&program, reporter))?;
    let listing = match judge(worker, &settings) {
        Answer::Result(listing) => listing,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(reason) if reason.starts_with("internal error") => bail!("{reason}"),
        Answer::Nothing(reason) => {
            eprintln!("kerf: {reason}");
            return Ok(UNKNOWN);
        }
    };
    if show.json {
        print(&format!("{:#}\n", serde_json::to_value(&listing)?))?;
    } else if !listing.text.is_empty() {
        print(&listing.text)?;
    } else {
        print(&counts(&listing))?;
    }
    Ok(0)
}

fn counts(listing: &Listing) -> String {
    let mut out = String::new();
    rows(&mut out, "", &listing.counts);
    if listing.unsupported.is_empty() {
        out.push_str("unsupported: nothing\n");
    } else {
        out.push_str("unsupported edges by reason:\n");
        rows(&mut out, "  ", &listing.unsupported);
    }
    for problem in &listing.problems {
        let _ = writeln!(out, "broken invariant: {problem}");
    }
    out
}

fn rows(out: &mut String, indent: &str, counts: &BTreeMap<String, u64>) {
    for (name, count) in counts {
        let _ = writeln!(out, "{indent}{count:>8}  {name}");
    }
}
