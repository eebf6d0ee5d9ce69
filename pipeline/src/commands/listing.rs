//! `kerf cfa`: prints the automaton of a program, and its dependences, calls, dominators, pointers and domain types.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;

use crate::cli::{CfaArgs, FormArgs, partial};
use crate::commands::{Session, print, print_json, program, result_of, work};
use crate::config::Settings;
use crate::driver::Form;
use crate::graphs::{self, GraphKind, GraphPlan, svg};
use crate::worker::UserError;

pub(super) fn cfa(args: CfaArgs, session: Session) -> Result<u8> {
    let options = partial(&args.input, Some(&args.program.clang), Some(&args.property), None);
    let settings = Settings::resolve(args.input.config.as_deref(), None, options)?;
    let program = program(&args.program.files, &settings)?;
    let kind = match args.prepared {
        _ if args.dependence_graph => GraphKind::Dependences,
        _ if args.call_graph => GraphKind::Calls,
        _ if args.points_to => GraphKind::Pointers,
        _ if args.domain_types => GraphKind::DomainTypes,
        prepared if args.dominators => GraphKind::Dominators { prepared },
        true => GraphKind::Prepared,
        false => GraphKind::Raw,
    };
    let plan = GraphPlan {
        kind,
        form: form(&args.form),
        function: args.function.clone(),
        unnamed: args.show.verbose,
        pixel_tree: args.pixel_tree.clone(),
    };
    use GraphKind::{Calls, DomainTypes, Dominators, Pointers};
    let listed = matches!(kind, Calls | Pointers | DomainTypes | Dominators { .. });
    if plan.function.is_some() && plan.form != Form::Dot && !listed {
        let reason = "--function: only a graph (--dot, --svg) or a list (--call-graph, --dominators, --domain-types, --points-to) can be limited to one function";
        return Err(UserError(reason.into()).into());
    }
    let worker = work(&settings, &args.show, &session, |reporter| graphs::graph(&program, &plan, reporter))?;
    let mut listing = result_of(worker, &settings)?;
    if args.form.svg {
        listing.text = svg::draw(&listing.text, &settings.limits())?;
    }
    if args.show.json {
        print_json(&listing)?;
    } else if !listing.text.is_empty() {
        print(&listing.text)?;
    } else {
        let mut out = sizes(&listing.counts, &listing.unsupported);
        for problem in &listing.problems {
            let _ = writeln!(out, "broken invariant: {problem}");
        }
        print(&out)?;
    }
    Ok(0)
}

pub(super) fn form(args: &FormArgs) -> Form {
    match (args.text, args.dot || args.svg) {
        (true, _) => Form::Text,
        (_, true) => Form::Dot,
        _ => Form::Counts,
    }
}

/// The sizes and the unsupported constructs, as text.
pub(super) fn sizes(counts: &BTreeMap<String, u64>, unsupported: &BTreeMap<String, u64>) -> String {
    let mut out = String::new();
    rows(&mut out, "", counts);
    if unsupported.is_empty() {
        out.push_str("unsupported: nothing\n");
    } else {
        out.push_str("unsupported edges by reason:\n");
        rows(&mut out, "  ", unsupported);
    }
    out
}

fn rows(out: &mut String, indent: &str, counts: &BTreeMap<String, u64>) {
    for (name, count) in counts {
        let _ = writeln!(out, "{indent}{count:>8}  {name}");
    }
}
