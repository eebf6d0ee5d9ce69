//! `kerf slice`: slices in a worker, and prints what is left, why, and where in the source.

use anyhow::{Context, Result};

use super::{Session, UNKNOWN, listing, print, program, result_of, work};
use crate::cli::{SliceArgs, Switch, partial};
use crate::config::Settings;
use crate::slicing::{self, SlicePlan, annotate, why};

pub(super) fn run(args: SliceArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.property), None);
    let settings = Settings::resolve(args.input.config.as_deref(), options)?;
    let program = program(&args.program.files, &settings)?;
    let requests = args.criterion.iter().flat_map(|c| c.requests.clone());
    let plan = SlicePlan {
        criteria: (!args.criterion.is_empty()).then(|| requests.collect()),
        options: slicer::SliceOptions {
            cutoff_diverging: args.cutoff_diverging == Switch::On,
            ..slicer::SliceOptions::default()
        },
        form: listing::form(&args.form),
        why: args.why.clone(),
        annotate: args.annotate || args.html.is_some(),
    };
    let worker = work(&settings, &args.show, &session, |reporter| slicing::slice(&program, &plan, reporter))?;
    let Some(report) = result_of(worker, &settings)? else { return Ok(UNKNOWN) };
    if args.criterion.is_empty() && report.criteria == 0 {
        eprintln!(
            "kerf: no call that violates the property can be executed, so the slice is empty; --criterion names another"
        );
    }
    if let Some(path) = &args.html {
        let criteria: Vec<&str> = args.criterion.iter().map(|c| c.text.as_str()).collect();
        let criteria = if criteria.is_empty() { settings.property.value.clone() } else { criteria.join(",") };
        let page = annotate::html(&report.sources, &criteria)?;
        std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.show.json {
        print(&format!("{:#}\n", serde_json::to_value(&report)?))?;
    } else if !report.text.is_empty() {
        print(&report.text)?;
    } else if let Some(chain) = &report.why {
        print(&why::render(chain))?;
    } else if args.annotate {
        print(&annotate::render(&report.sources, session.color))?;
    } else {
        print(&listing::sizes(&report.counts, &report.unsupported))?;
    }
    Ok(0)
}
