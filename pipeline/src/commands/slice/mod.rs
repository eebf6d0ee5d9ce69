//! `kerf slice`: slices in a worker, and prints what is left, why it is left, and where it is in the source.

pub(crate) mod annotate;
pub(crate) mod slicing;
pub(crate) mod why;

use std::fmt::Write as _;

use anyhow::Result;
use slicer::dependence::summary::Direction;

use crate::cli::{SliceArgs, Switch, partial};
use crate::commands::{Session, listing, print, print_json, program, result_of, work};
use crate::config::Settings;
use crate::graphs::svg;
use crate::report::html::Data;
use crate::worker::UserError;
use slicing::{Emitted, SlicePlan};

pub(super) fn run(args: SliceArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.program.clang), Some(&args.property), None);
    let settings = Settings::resolve(args.input.config.as_deref(), None, options)?;
    let program = program(&args.program.files, &settings)?;
    let requests = args.criterion.iter().flat_map(|c| c.requests.clone());
    let plan = SlicePlan {
        criteria: (!args.criterion.is_empty()).then(|| requests.collect()),
        direction: if args.forward { Direction::Forward } else { Direction::Backward },
        options: slicer::SliceOptions {
            control: args.control_dep.into(),
            keep_traps: args.keep_traps.map_or(args.output.is_some(), |s| s == Switch::On),
            cutoff_diverging: args.cutoff_diverging == Switch::On,
            context_sensitive: args.context_sensitive == Switch::On,
        },
        points_to: args.points_to.into(),
        form: listing::form(&args.form),
        why: args.why.clone(),
        annotate: args.annotate || args.html.is_some(),
        page: args.html.is_some(),
        output: args.output.clone(),
        keep_ends: args.keep_ends,
    };
    let worker = work(&settings, &args.show, &session, |reporter| slicing::slice(&program, &plan, reporter))?;
    let mut report = result_of(worker, &settings)?;
    if args.form.svg {
        report.text = svg::draw(&report.text, &settings.limits())?;
    }
    if report.criteria == 0 {
        let names: Vec<&str> = args.criterion.iter().map(|c| c.text.as_str()).collect();
        if names.is_empty() {
            eprintln!(
                "kerf: no call that violates the property can be executed, so the slice is empty; choose another criterion with --criterion"
            );
        } else {
            eprintln!("kerf: no call of {} can be executed, so the slice is empty", names.join(","));
        }
    }
    if let Some(path) = &args.html {
        let criteria: Vec<&str> = args.criterion.iter().map(|c| c.text.as_str()).collect();
        let criteria = if criteria.is_empty() { settings.property.value.clone() } else { criteria.join(",") };
        let details = report.details.take().unwrap_or_default();
        let page = Data::sliced(&program.files, settings.rows(), criteria, details).page()?;
        std::fs::write(path, page).map_err(|e| UserError(format!("{}: cannot be written: {e}", path.display())))?;
    }
    if args.show.json {
        print_json(&report)?;
    } else if !report.text.is_empty() {
        print(&report.text)?;
    } else if let Some(chain) = &report.why {
        print(&why::render(chain))?;
    } else if args.annotate {
        print(&annotate::render(&report.sources, session.color))?;
    } else {
        let sizes = listing::sizes(&report.counts, &report.unsupported);
        print(&format!("{}{sizes}", report.emitted.map_or(String::new(), |e| modules(&e))))?;
    }
    Ok(0)
}

/// The sizes of the module before and after slicing.
fn modules(emitted: &Emitted) -> String {
    let (before, after) = (emitted.before, emitted.after);
    let mut out = format!("{:12}  {:>8}  {:>8}\n", "", "before", "after");
    for (name, before, after) in [
        ("globals", before.globals, after.globals),
        ("functions", before.functions, after.functions),
        ("blocks", before.blocks, after.blocks),
        ("instructions", before.instructions, after.instructions),
    ] {
        let part = 100.0 * after as f64 / before.max(1) as f64;
        let _ = writeln!(out, "{name:12}  {before:>8}  {after:>8}  {part:>5.1} %");
    }
    out
}
