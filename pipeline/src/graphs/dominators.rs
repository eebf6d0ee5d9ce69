//! The dominator and post-dominator trees of functions as tables and as graphs.

use std::fmt::Write as _;

use cfa::dot::escape;
use cfa::{Cfa, FuncId, LocId};
use serde::Serialize;
use slicer::dependence::dominator_trees::DominatorTrees;

use super::{place_at, place_of, with_place};

/// A function with its trees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Trees {
    function: String,
    /// Where it is defined, if that is known.
    place: Option<String>,
    locations: Vec<Location>,
}

/// A location in both trees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Location {
    location: String,
    /// Where it is in the source, if that is known.
    place: Option<String>,
    /// The immediate dominator.
    dominator: Option<String>,
    /// The immediate post-dominator.
    post_dominator: Option<String>,
}

/// The trees of `functions`.
pub(super) fn trees(cfa: &Cfa, functions: &[FuncId]) -> Vec<Trees> {
    let name = |l: &Option<LocId>| l.map(|l| l.to_string());
    let of_function = |f: &FuncId| {
        let found = DominatorTrees::new(cfa, *f);
        let above = found.dominators.iter().zip(&found.post_dominators);
        let locations = found.locs.iter().zip(above).map(|(l, (dominator, post_dominator))| Location {
            location: l.to_string(),
            place: place_at(cfa, *l),
            dominator: name(dominator),
            post_dominator: name(post_dominator),
        });
        let func = &cfa.funcs[*f];
        Trees { function: func.name.clone(), place: place_of(cfa, func.span), locations: locations.collect() }
    };
    functions.iter().map(of_function).collect()
}

/// A table for each function, with a row for each location.
pub(super) fn text(all: &[Trees]) -> String {
    let mut out = String::new();
    for trees in all {
        let _ = writeln!(out, "{}", with_place(&trees.function, &trees.place));
        let _ = writeln!(out, "  {:<8}  {:<12}  {:<17}  line", "location", "dominated by", "post-dominated by");
        for l in &trees.locations {
            let [dominator, post_dominator, place] =
                [&l.dominator, &l.post_dominator, &l.place].map(|text| text.as_deref().unwrap_or("-"));
            let _ = writeln!(out, "  {:<8}  {dominator:<12}  {post_dominator:<17}  {place}", l.location);
        }
    }
    out
}

/// Two trees for each function in Graphviz's language.
pub(super) fn dot(all: &[Trees]) -> String {
    let mut out = String::from("digraph dominators {\n  node [shape=circle fontsize=10 margin=0.02 width=0.3];\n");
    for (i, trees) in all.iter().enumerate() {
        tree(&mut out, &format!("d{i}"), &format!("{}: dominators", trees.function), trees, |l| &l.dominator);
        tree(&mut out, &format!("p{i}"), &format!("{}: post-dominators", trees.function), trees, |l| &l.post_dominator);
    }
    out.push_str("}\n");
    out
}

fn tree(out: &mut String, id: &str, title: &str, trees: &Trees, above: fn(&Location) -> &Option<String>) {
    let _ = writeln!(out, "  subgraph cluster_{id} {{\n    label=\"{}\";", escape(title));
    for l in &trees.locations {
        let _ = writeln!(out, "    {id}_{} [label=\"{}\"];", l.location, l.location.trim_start_matches('l'));
    }
    for l in &trees.locations {
        if let Some(above) = above(l) {
            let _ = writeln!(out, "    {id}_{above} -> {id}_{};", l.location);
        }
    }
    out.push_str("  }\n");
}
