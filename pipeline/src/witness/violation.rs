//! The violation witness of a replayed execution: the results of its inputs in order, and the target.
//!
//! Validators reject a witness as a whole for one waypoint that they do not understand. So a waypoint is left out where there is any
//! doubt: an input whose value has no literal, a call in a macro, in a library model or in an expression (its result must be assigned
//! at once), a position that the text of the source does not confirm. A witness with the target alone is valid, too.

use cfa::interpret::InputEvent;
use cfa::{Cfa, EdgeId, InputKind, Op, ValueFormat};

use super::format::{Kind, Location, Segment, Waypoint};
use super::source::Sources;
use crate::report::counterexample::{format_of, value_text};

/// Maximum number of inputs in a witness: the first ones of an execution.
const MAX_INPUTS: usize = 1000;

/// The functions whose results can be waypoints.
const INPUTS: &str = "__VERIFIER_nondet_";

/// The segments of an execution with these inputs, which violates the property at the end of the edge `last`; `None` if there is no
/// position for that. `name` gives a file the name that witnesses use.
pub(super) fn segments(
    cfa: &Cfa,
    inputs: &[InputEvent],
    last: EdgeId,
    name: &dyn Fn(&str) -> String,
) -> Option<Vec<Segment>> {
    let mut sources = Sources::default();
    let known = inputs.iter().filter_map(|event| input(cfa, event, &mut sources, name)).take(MAX_INPUTS);
    let mut waypoints: Vec<Waypoint> = known.collect();
    waypoints.push(target(cfa, last, &mut sources, name)?);
    Some(waypoints.into_iter().map(|waypoint| Segment { waypoints: vec![waypoint] }).collect())
}

fn input(cfa: &Cfa, event: &InputEvent, sources: &mut Sources, name: &dyn Fn(&str) -> String) -> Option<Waypoint> {
    let edge = &cfa.edges[event.edge];
    let Op::Input { kind: InputKind::Program(function), .. } = &edge.op else { return None };
    if cfa.funcs[cfa.locs[edge.from].func].library || !function.starts_with(INPUTS) {
        return None;
    }
    let format = format_of(function, event.value.sort());
    if !matches!(format, ValueFormat::Signed | ValueFormat::Unsigned) {
        return None;
    }
    let value = value_text(&event.value, format)?;
    // Larger numbers have no plain literal.
    value.parse::<i64>().ok().filter(|n| *n != i64::MIN)?;
    let file = &cfa.files[edge.span.file as usize];
    let at = (edge.span.line, edge.span.column);
    let text = sources.text(file);
    let (line, column) = text.call_end(at).filter(|_| text.is_assigned(at, function))?;
    let location = Location { file: name(file), line, column: Some(column) };
    Some(Waypoint {
        kind: Kind::FunctionReturn,
        avoided: false,
        location,
        constraint: Some(format!("\\result == {value}")),
    })
}

fn target(cfa: &Cfa, last: EdgeId, sources: &mut Sources, name: &dyn Fn(&str) -> String) -> Option<Waypoint> {
    let edge = &cfa.edges[last];
    if edge.span.line == 0 || cfa.funcs[cfa.locs[edge.from].func].library {
        return None;
    }
    let file = &cfa.files[edge.span.file as usize];
    let at = (edge.span.line, edge.span.column);
    let text = sources.text(file);
    let is_call = cfa.external_calls.get(&last).is_some_and(|called| text.word(at) == called);
    let column = (is_call && text.begins_statement(at)).then_some(at.1);
    let location = Location { file: name(file), line: at.0, column };
    Some(Waypoint { kind: Kind::Target, avoided: false, location, constraint: None })
}
