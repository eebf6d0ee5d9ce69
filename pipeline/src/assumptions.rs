//! The assumptions that a verdict rests on: those of the program that matter to it ([`Matters`]), each once.

use cfa::assumption::SaidOfEach;
use cfa::view::Slice;
use cfa::{AssumeKind, Assumption, Cfa, EdgeId, Id, Matters, Op, RestsOn, Span};
use slicer::dependence::relevant::Live;

/// Number of objects of which the same is said from which on they have one line.
const MANY: usize = 4;

/// The assumptions that a proof or an alarm rests on, in words; `slice` is the slice for the targets.
pub(crate) fn in_words(cfa: &Cfa, slice: &Slice, proof: bool) -> Vec<String> {
    let reached = Live::reachable(cfa).edges;
    let rests = |a: &&Assumption| proof || a.of == RestsOn::Verdicts;
    let said = cfa.assumptions.iter().filter(rests).filter_map(|a| match &a.matters {
        Matters::Always => Some((&a.what, String::new())),
        Matters::IfKept(edges) => edges.iter().any(|e| keeps(cfa, slice, *e)).then(|| (&a.what, String::new())),
        Matters::IfReached(edges) => {
            edges.iter().any(|e| reached.contains(e.index())).then(|| (&a.what, String::new()))
        }
        Matters::IfExecuted(edges) => {
            let mut places = edges.iter().filter(|e| slice.live.contains(e.index())).map(|e| cfa.edges[*e].span);
            let first = places.next()?;
            let known: Vec<Span> =
                std::iter::once(first).chain(places).filter(|span| *span != Span::default()).collect();
            // Library models have accesses of their own, which the user does not know.
            let of_program = known.iter().find(|span| !cfa.place(**span).to_string().starts_with("library/"));
            let known = of_program.or(known.first()).copied();
            let place = known.map(|span| format!(" (such as at {})", cfa.place(span)));
            Some((&a.what, place.unwrap_or_default()))
        }
    });
    let mut once: Vec<String> = Vec::new();
    // What is said in the same words of several objects, and where: if of many, in one line.
    let mut of_each: Vec<(SaidOfEach, Vec<(String, usize)>)> = Vec::new();
    for (what, place) in said {
        let text = what.to_string();
        if once.iter().any(|other| other.starts_with(&text)) {
            continue;
        }
        once.push(text + &place);
        if let Some(said) = what.said_of_each() {
            let same = of_each.iter_mut().find(|(s, _)| s.before == said.before && s.after == said.after);
            let one = (said.object.clone(), once.len() - 1);
            match same {
                Some((_, objects)) => objects.push(one),
                None => of_each.push((said, vec![one])),
            }
        }
    }
    let mut dropped: Vec<usize> = Vec::new();
    for (said, objects) in of_each.into_iter().filter(|(_, objects)| objects.len() >= MANY) {
        let names: Vec<String> = objects.iter().map(|(name, _)| name.clone()).collect();
        once[objects[0].1] = format!("{}{}{}", said.before, names.join(", "), said.after);
        dropped.extend(objects[1..].iter().map(|(_, line)| *line));
    }
    (0..).zip(once).filter(|(line, _)| !dropped.contains(line)).map(|(_, text)| text).collect()
}

/// The slice that decides about a violation if the whole program is explored: it also keeps what ends executions before it.
pub(crate) fn slice_with_guards(cfa: &Cfa) -> Slice {
    let criteria: Vec<slicer::Criterion> = cfa.targets.iter().map(|t| slicer::Criterion::reach(*t)).collect();
    slicer::slice(cfa, &criteria, &slicer::SliceOptions { keep_traps: true, ..Default::default() }).slice
}

/// Whether the slice keeps what an edge does, or a guard right before it.
fn keeps(cfa: &Cfa, slice: &Slice, edge: EdgeId) -> bool {
    let is_guard = |e: &EdgeId| matches!(cfa.edges[*e].op, Op::Assume { kind: AssumeKind::Guard, .. });
    let (mut open, mut seen) = (vec![edge], Vec::new());
    while let Some(e) = open.pop() {
        if slice.kept.contains(e.index()) {
            return true;
        }
        seen.push(e);
        let before = cfa.locs[cfa.edges[e].from].into.iter().copied().filter(is_guard);
        open.extend(before.filter(|e| !seen.contains(e)));
    }
    false
}
