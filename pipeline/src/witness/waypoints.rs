//! From the waypoints of a violation witness to an automaton that follows executions along them.
//!
//! State `i` waits for the waypoint that ends segment `i`; a waypoint to avoid ends the execution. The violations of the property count
//! in the last state only, and only where the target waypoint is:
//!
//! ```text
//! state i:  avoided waypoint, condition  ->  STOP          the target:  in the last state  ->  ERROR
//!           followed waypoint, condition ->  state i + 1                in the others      ->  STOP
//! ```
//!
//! A waypoint whose condition does not hold is not passed, and the execution goes on. The automaton only takes executions away, so that
//! whatever it leads to is a violation; but a witness counts only if all its waypoints were understood.

use cfa::{AssumeKind, Cfa, EdgeId, InputKind, LocId, Op, Span, ValueFormat};
use slicer::automaton::{Automaton, Event, State, Successor, Transition, event_at, event_before};

use super::expression;
use super::format::{Kind, Location, Segment, Waypoint};
use super::source::{Position, Sources};
use crate::report::counterexample::format_of;

/// The automaton of a violation witness, for the raw automaton of a program. The program's own targets are no longer ones. A violation is
/// reported as that of `property`, with the text that `what` gives for the edge that leads to it.
///
/// # Errors
/// A waypoint that is not understood, with the reason.
pub(super) fn automaton(
    cfa: &mut Cfa,
    segments: &[Segment],
    property: &str,
    what: &dyn Fn(&Cfa, EdgeId) -> String,
) -> Result<Automaton, String> {
    let targets = std::mem::take(&mut cfa.targets);
    let mut finder = Finder { cfa, sources: Sources::default(), targets };
    let mut states = Vec::new();
    for (i, segment) in segments.iter().enumerate() {
        let mut transitions = Vec::new();
        for waypoint in &segment.waypoints {
            let wrong = |why: String| format!("waypoint {} at {}: {why}", waypoint.kind, waypoint.location);
            let found = finder.find(waypoint).map_err(wrong)?;
            let transition = |event, condition, to| Transition {
                line: waypoint.location.line,
                event,
                condition,
                assumption: None,
                to,
            };
            if waypoint.kind == Kind::Target {
                let Event::Edges { edges, .. } = found.event else { continue };
                for e in edges {
                    let event = Event::Edges { edges: vec![e], result: None };
                    transitions.push(transition(event, None, Successor::Error(what(finder.cfa, e))));
                }
                continue;
            }
            let to = if waypoint.avoided { Successor::Stop } else { Successor::State(i + 1) };
            transitions.push(transition(found.event, found.condition, to));
        }
        states.push(State { name: format!("segment {}", i + 1), transitions });
    }
    Ok(Automaton { name: property.to_string(), states, initial: 0 })
}

/// A waypoint in terms of the automaton of a program.
struct Found {
    event: Event,
    condition: Option<slicer::automaton::Expr>,
}

struct Finder<'a> {
    cfa: &'a mut Cfa,
    sources: Sources,
    /// Where the property is violated.
    targets: Vec<LocId>,
}

impl Finder<'_> {
    fn find(&mut self, waypoint: &Waypoint) -> Result<Found, String> {
        let long_bits = self.cfa.pointer_bits;
        let constraint = waypoint.constraint.as_deref();
        let place = &waypoint.location;
        let (event, conditional) = match waypoint.kind {
            Kind::Target => (edges(self.violations(place), None)?, false),
            Kind::FunctionReturn => {
                let calls = self.calls(place);
                let format = self.format(calls.first().copied());
                if format.is_none() && constraint.is_some() && !calls.is_empty() {
                    return Err("whether the result of a function of the program has a sign is not known".into());
                }
                (edges(calls, format)?, true)
            }
            Kind::FunctionEnter => {
                let calls = self.calls(place);
                let before = calls.into_iter().map(|e| event_before(self.cfa, e)).collect();
                (edges(before, None)?, false)
            }
            Kind::Branching => {
                let taken = match constraint {
                    Some("true") => true,
                    Some("false") => false,
                    _ => return Err("only branches that are true or false are supported".into()),
                };
                (edges(self.branches(place, taken)?, None)?, false)
            }
            Kind::Assumption => {
                let entries = self.entries(place)?;
                let at = entries.into_iter().map(|l| event_at(self.cfa, l)).collect();
                (edges(at, None)?, true)
            }
        };
        let constraint = constraint.filter(|_| conditional);
        let condition = constraint.map(|text| expression::parse(text, long_bits)).transpose()?;
        Ok(Found { event, condition })
    }

    /// The position of a span, if it is in the file and in code of the program.
    fn position(&self, e: EdgeId, place: &Location) -> Option<Position> {
        let edge = &self.cfa.edges[e];
        let Span { file, line, column } = edge.span;
        let is_in = line > 0
            && !self.cfa.funcs[self.cfa.locs[edge.from].func].library
            && is_same_file(&place.file, &self.cfa.files[file as usize], &self.cfa.files);
        is_in.then_some((line, column))
    }

    /// The edges whose positions satisfy `is`.
    fn edges_where(&self, place: &Location, is: impl Fn(EdgeId, Position) -> bool) -> Vec<EdgeId> {
        self.cfa.edges.ids().filter(|e| self.position(*e, place).is_some_and(|at| is(*e, at))).collect()
    }

    fn file(&self, place: &Location) -> String {
        let file = self.cfa.files.iter().find(|file| is_same_file(&place.file, file, &self.cfa.files));
        file.cloned().unwrap_or_default()
    }

    /// The edges that lead to a violation in the statement that begins at `place`, or on its line if it has no column.
    fn violations(&mut self, place: &Location) -> Vec<EdgeId> {
        let all: Vec<EdgeId> = self.targets.iter().flat_map(|l| self.cfa.locs[*l].into.to_vec()).collect();
        let there = |cx: &Self, is: &dyn Fn(Position) -> bool| -> Vec<EdgeId> {
            all.iter().copied().filter(|e| cx.position(*e, place).is_some_and(is)).collect()
        };
        // Debug information may lack columns.
        let fits = |column: u32| column == 0 || place.column.is_none_or(|wanted| column == wanted);
        let exact = there(self, &|(line, column)| line == place.line && fits(column));
        let Some(column) = place.column.filter(|_| exact.is_empty()) else { return exact };
        let begin = (place.line, column);
        let file = self.file(place);
        let text = self.sources.text(&file);
        let end = text.begins_statement(begin).then(|| text.statement_end(begin)).flatten();
        end.map_or_else(Vec::new, |end| there(self, &|at| begin <= at && at <= end))
    }

    /// The calls whose closing bracket is at `place`, or that begin on its line if it has no column.
    fn calls(&mut self, place: &Location) -> Vec<EdgeId> {
        let is_call = |e: EdgeId| match &self.cfa.edges[e].op {
            Op::Call(_) => true,
            Op::Input { kind, .. } => matches!(kind, InputKind::Program(_) | InputKind::External(_)),
            _ => self.cfa.external_calls.contains_key(&e),
        };
        let Some(column) = place.column else {
            return self.edges_where(place, |e, at| is_call(e) && at.0 == place.line);
        };
        let calls = self.edges_where(place, |e, at| is_call(e) && at <= (place.line, column));
        let text = self.sources.text(&self.file(place));
        let ends_here = |e: &EdgeId| {
            let Span { line, column: from, .. } = self.cfa.edges[*e].span;
            text.call_end((line, from)) == Some((place.line, column))
        };
        calls.into_iter().filter(ends_here).collect()
    }

    /// How to interpret the result of a call; `None` where the program says that, whose types are not at hand.
    fn format(&self, call: Option<EdgeId>) -> Option<ValueFormat> {
        match call.map(|e| &self.cfa.edges[e].op) {
            Some(Op::Input { var, kind: InputKind::Program(name) | InputKind::External(name) }) => {
                Some(format_of(name, self.cfa.vars[*var].sort))
            }
            _ => None,
        }
    }

    /// The edges on which the condition of the statement at `place` is true, or false.
    fn branches(&mut self, place: &Location, taken: bool) -> Result<Vec<EdgeId>, String> {
        let text = self.sources.text(&self.file(place));
        let columns = place.column.map_or(1..=MAX_COLUMN, |column| column..=column);
        let keyword = |column: &u32| text.condition_end((place.line, *column)).is_some();
        let begin = columns.into_iter().find(keyword).map(|column| (place.line, column));
        let begin = begin.ok_or("no 'if', 'while' or 'for' is there")?;
        let end = text.condition_end(begin).unwrap_or(begin);
        let is_loop = matches!(text.word(begin), "while" | "for");
        // There, the compiler may exchange branches.
        let may_be_exchanged = !is_loop && text.has_negation(begin, end);
        let body = text.branch(end);
        let is_branch = |e: EdgeId| matches!(self.cfa.edges[e].op, Op::Assume { kind: AssumeKind::Branch, .. });
        let mut all = self.edges_where(place, |e, at| is_branch(e) && begin <= at && at <= end);
        if is_loop {
            all.retain(|e| self.position(*e, place) == Some(begin));
        }
        let within = |e: &EdgeId| self.position(*e, place).is_some_and(|at| begin <= at && at <= end);
        let inside = |l: LocId| self.cfa.out(l).iter().any(within);
        let leaving: Vec<EdgeId> = all.iter().copied().filter(|e| !inside(self.cfa.edges[*e].to)).collect();
        // The last part of the condition, which decides if the others do not: both of its branches lead out.
        let deciding = leaving.iter().find_map(|e| match *self.cfa.out(self.cfa.edges[*e].from) {
            [yes, no] if leaving.contains(&yes) && leaving.contains(&no) => {
                Some((self.cfa.edges[yes].to, self.cfa.edges[no].to))
            }
            _ => None,
        });
        let (yes, no) = deciding.ok_or("no branch is there")?;
        let known = |e: &EdgeId| [yes, no].contains(&self.cfa.edges[*e].to);
        if yes == no || !leaving.iter().all(known) {
            return Err("the branches of this condition are not understood".into());
        }
        // Where the code of a branch is tells which one it is.
        let is_body = |l: LocId| {
            let at = self.cfa.out(l).iter().find_map(|e| self.position(*e, place))?;
            body.map(|(first, last)| first <= at && at <= last)
        };
        let (yes, no) = match (is_body(yes), is_body(no)) {
            (Some(true), Some(false)) => (yes, no),
            (Some(false), Some(true)) => (no, yes),
            _ if may_be_exchanged => {
                return Err("branches of this condition with '!' or a macro are not understood".into());
            }
            _ => (yes, no),
        };
        Ok(leaving.into_iter().filter(|e| self.cfa.edges[*e].to == if taken { yes } else { no }).collect())
    }

    /// The locations at which the statement at `place` begins.
    fn entries(&mut self, place: &Location) -> Result<Vec<LocId>, String> {
        let text = self.sources.text(&self.file(place));
        let (begin, end) = match place.column {
            Some(column) => {
                let begin = (place.line, column);
                (begin, text.statement_end(begin).ok_or("no statement begins there")?)
            }
            None => ((place.line, 0), (place.line, u32::MAX)),
        };
        let within = |e: &EdgeId| self.position(*e, place).is_some_and(|at| begin <= at && at <= end);
        let begins = |l: &LocId| {
            let location = &self.cfa.locs[*l];
            let enters = location.into.is_empty() || !location.into.iter().all(within);
            location.out.iter().any(within) && enters
        };
        Ok(self.cfa.locs.ids().filter(begins).collect())
    }
}

/// The last column at which a keyword is looked for.
const MAX_COLUMN: u32 = 1000;

/// The event of any of these edges.
fn edges(mut edges: Vec<EdgeId>, result: Option<ValueFormat>) -> Result<Event, String> {
    edges.sort_unstable();
    edges.dedup();
    if edges.is_empty() { Err("nothing in the program is there".into()) } else { Ok(Event::Edges { edges, result }) }
}

/// Whether a witness means by `name` the file that debug information calls `file`, one of `files`.
pub(super) fn is_same_file(name: &str, file: &str, files: &[String]) -> bool {
    if name.is_empty() || file.is_empty() {
        return false;
    }
    let (name, path) = (std::path::Path::new(name), std::path::Path::new(file));
    let alike = |other: &&String| std::path::Path::new(other).file_name() == name.file_name();
    name.ends_with(path)
        || path.ends_with(name)
        || (alike(&&file.to_string()) && files.iter().filter(alike).count() == 1)
}
