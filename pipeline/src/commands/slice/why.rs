//! Why a line is in the slice: the shortest chain of dependences from the line to a criterion, in terms of source lines.
//!
//! Slicing has recorded for each kept edge the next edge towards a criterion (`slicer::Reasons`). Here, edges of the same line
//! form one step, and variables that exist only in the automaton (temporaries, transfer variables) are described by what they
//! stand for.

use std::collections::HashMap;

use cfa::{Cfa, EdgeId, Op, VarId};
use serde::{Deserialize, Serialize};
use slicer::dependence::summary::Direction;
use slicer::{Dependence, Reason};

use crate::commands::slice::slicing::SlicedProgram;
use crate::report::Place;
use crate::report::counterexample;
use crate::report::excerpt::Sources;

/// A source line as a user writes it: `12` or `a.c:12`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Restricts the line to this file (its path, or the last components of it).
    pub file: Option<String>,
    /// The line number, from 1.
    pub line: u32,
}

impl std::str::FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Line, String> {
        let (file, line) = text.rsplit_once(':').map_or((None, text), |(file, line)| (Some(file.to_string()), line));
        match line.parse() {
            Ok(line) if line > 0 && file.as_deref() != Some("") => Ok(Line { file, line }),
            _ => Err(format!("'{text}' is not a line (such as 12 or file.c:12)")),
        }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => write!(f, "{}", self.line),
        }
    }
}

/// One line on the chain to the criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    /// The position of the line.
    pub place: Place,
    /// The line's text, if the file can be read.
    pub text: String,
    /// How the line affects the next line or the criterion.
    pub because: String,
}

/// The message for a program without debug information.
pub(crate) const NO_LINES: &str = "there are no line numbers; compile the program with -g";

/// The chain from a line to the criterion, whose line comes last.
pub(crate) type Chain = Vec<Link>;

/// The shortest chain from `line` to a criterion.
///
/// # Errors
/// One line that says that there is no code on this line, or that it is cut.
pub(crate) fn chain(found: &SlicedProgram, line: &Line) -> Result<Chain, String> {
    let cfa = &found.cfa;
    let wanted = |e: &EdgeId| {
        let span = cfa.edges[*e].span;
        let file = &cfa.files[span.file as usize];
        span.line == line.line
            && !cfa.funcs[cfa.locs[cfa.edges[*e].from].func].library
            && line.file.as_ref().is_none_or(|f| slicer::criteria::is_end_of_path(f, file))
    };
    let here: Vec<EdgeId> = cfa.edges.ids().filter(wanted).collect();
    if here.is_empty() && cfa.edges.iter().all(|edge| edge.span.line == 0) {
        return Err(NO_LINES.into());
    }
    if here.is_empty() {
        return Err(format!("line {line} has no code that can be executed"));
    }
    let mut lengths = Lengths { found, known: HashMap::new() };
    let kept = here.into_iter().filter(|e| found.sliced.reasons.of(*e).is_some());
    match kept.min_by_key(|e| lengths.of(*e)) {
        Some(nearest) => Ok(links(found, nearest, &mut Sources::default())),
        None => Err(match found.direction {
            Direction::Backward => format!("line {line} is not in the slice: nothing on it matters to the criterion"),
            Direction::Forward => format!("line {line} is not in the slice: the criterion affects nothing on it"),
        }),
    }
}

/// Numbers of links of the chains to the criterion. Common suffixes of chains are traversed once.
struct Lengths<'a> {
    found: &'a SlicedProgram,
    known: HashMap<EdgeId, usize>,
}

impl Lengths<'_> {
    /// The length of the chain from `e`: one link for each run of edges at the same position, and one for a criterion that is not
    /// an edge.
    fn of(&mut self, e: EdgeId) -> usize {
        let cfa = &self.found.cfa;
        let place = |e: EdgeId| (cfa.edges[e].span.file, cfa.edges[e].span.line, cfa.locs[cfa.edges[e].from].func);
        let reasons = &self.found.sliced.reasons;
        let new: Vec<_> = reasons.chain(e).take_while(|(e, _)| !self.known.contains_key(e)).collect();
        for (e, reason) in new.into_iter().rev() {
            let length = match reason {
                Reason::Edge { next, .. } => {
                    self.known.get(&next).copied().unwrap_or(0) + usize::from(place(e) != place(next))
                }
                Reason::Criterion { how: Some(_), .. } => 2,
                Reason::Criterion { how: None, .. } | Reason::Unsupported | Reason::Handler => 1,
            };
            self.known.insert(e, length);
        }
        self.known.get(&e).copied().unwrap_or(0)
    }
}

/// The chain from `e` to a criterion (in a forward slice, from a criterion to `e`), with one link for each run of edges of one
/// line; empty if the edge is cut.
pub(crate) fn links(found: &SlicedProgram, e: EdgeId, sources: &mut Sources) -> Chain {
    match found.direction {
        Direction::Backward => links_backward(found, e, sources),
        Direction::Forward => links_forward(found, e, sources),
    }
}

/// The line of an edge: chains are about lines.
fn line_of(cfa: &Cfa, edge: EdgeId) -> Place {
    Place { column: None, ..counterexample::place(cfa, edge) }
}

/// A short reason why the line of `e` is in the slice, as one line of text.
pub(crate) fn in_short(found: &SlicedProgram, e: EdgeId, sources: &mut Sources) -> String {
    if found.direction == Direction::Backward {
        return runs(found, e).next().map_or_else(String::new, |(_, because)| because);
    }
    match &links_forward(found, e, sources)[..] {
        [.., from, _] => format!("{}: {}", from.place, from.because),
        [only] => only.because.clone(),
        [] => String::new(),
    }
}

/// The positions on the chain from `e` to a criterion, each with how it affects the next; one for each run of edges at one
/// position.
fn runs(found: &SlicedProgram, e: EdgeId) -> impl Iterator<Item = (Place, String)> {
    let cfa = &found.cfa;
    found.sliced.reasons.chain(e).filter_map(move |(edge, reason)| {
        let place = line_of(cfa, edge);
        let next = match reason {
            Reason::Edge { next, .. } => Some(line_of(cfa, next)),
            _ => None,
        };
        (next.as_ref() != Some(&place)).then(|| (place, because(cfa, edge, reason, next.as_ref())))
    })
}

fn links_forward(found: &SlicedProgram, e: EdgeId, sources: &mut Sources) -> Chain {
    let cfa = &found.cfa;
    let chain: Vec<(EdgeId, Reason)> = found.sliced.reasons.chain(e).collect();
    let mut links: Chain = Vec::new();
    let Some((first, origin)) = chain.last() else { return links };
    if let Reason::Criterion { number, how: Some(_) } = origin {
        let place = line_of(cfa, *first);
        let because = because(cfa, *first, *origin, Some(&place));
        links.extend(criterion(found, *number, sources).map(|link| Link { because, ..link }));
    }
    for (i, (edge, _)) in chain.iter().enumerate().rev() {
        let place = line_of(cfa, *edge);
        let affected = i.checked_sub(1).map(|i| chain[i]);
        let next = affected.map(|(next, _)| line_of(cfa, next));
        if next.as_ref() == Some(&place) {
            continue;
        }
        let because = match affected {
            Some((_, reason)) => because(cfa, *edge, reason, next.as_ref()),
            None => "is affected".into(),
        };
        let text = sources.line(&place).unwrap_or_default();
        links.push(Link { place, text, because });
    }
    if let Some(link) = links.first_mut() {
        link.because = match origin {
            Reason::Unsupported => "it has no model, so anything may affect it".into(),
            Reason::Handler => "a handler or a thread, which may run at any time".into(),
            _ if chain.len() == 1 => "the criterion".into(),
            _ => format!("the criterion: {}", link.because),
        };
    }
    links
}

fn links_backward(found: &SlicedProgram, e: EdgeId, sources: &mut Sources) -> Chain {
    let link = |(place, because): (Place, String)| {
        let text = sources.line(&place).unwrap_or_default();
        Link { place, text, because }
    };
    let mut links: Chain = runs(found, e).map(link).collect();
    if let Some((_, Reason::Criterion { number, how: Some(_) })) = found.sliced.reasons.chain(e).last() {
        // If the last dependence is on the same line, it already says so.
        let last = links.last().map(|l| l.place.clone());
        links.extend(criterion(found, number, sources).filter(|c| Some(&c.place) != last.as_ref()));
    }
    links
}

/// The line of a criterion that is not itself an edge.
fn criterion(found: &SlicedProgram, number: usize, sources: &mut Sources) -> Option<Link> {
    let at = found.criteria.get(number)?.at;
    let place = line_of(&found.cfa, counterexample::edge_with_place(&found.cfa, at)?);
    let text = sources.line(&place).unwrap_or_default();
    Some(Link { place, text, because: "the criterion".into() })
}

/// How `edge` affects the next link.
fn because(cfa: &Cfa, edge: EdgeId, reason: Reason, next: Option<&Place>) -> String {
    let towards = next.map_or_else(|| "the criterion".into(), ToString::to_string);
    let how = match reason {
        Reason::Unsupported => return "it has no model, so it may matter to anything".into(),
        Reason::Handler => return "in a handler or a thread, or read by one, which may run at any time".into(),
        Reason::Criterion { how: None, .. } => return "the criterion".into(),
        Reason::Criterion { how: Some(how), .. } | Reason::Edge { how, .. } => how,
    };
    match how {
        Dependence::Flow(var) | Dependence::ParamIn(var) | Dependence::ParamOut(var) => flow(cfa, var, &towards),
        Dependence::Control => match cfa.edges[edge].op {
            Op::Call(_) => format!("may not return, which decides whether {towards} is reached"),
            _ => format!("decides whether {towards} is reached"),
        },
        Dependence::Call => format!("the call that leads to {towards}"),
        Dependence::Companion => format!("computes an operand that {towards} needs"),
        Dependence::Disclosure => format!("tells undefined functions an address that {towards} may use"),
        Dependence::Guard => format!("ends the execution where {towards} would trap"),
    }
}

/// Describes that the value of `var` flows to `towards`.
fn flow(cfa: &Cfa, var: VarId, towards: &str) -> String {
    if let Some(source) = &cfa.vars[var].source {
        return format!("the value of {} flows to {towards}", source.name);
    }
    for f in cfa.funcs.iter() {
        if f.params.contains(&var) || f.varargs == Some(var) {
            return format!("is passed to {}, at {towards}", f.name);
        }
        if f.result == Some(var) {
            return format!("is what {} returns to {towards}", f.name);
        }
    }
    match cfa.memory.objects.get(&var).map(Vec::as_slice) {
        Some([object]) => format!("what is stored in {} flows to {towards}", plain(&cfa.objects[*object].name)),
        Some([first, rest @ ..]) => {
            let first = plain(&cfa.objects[*first].name);
            format!("what is stored in {first} or {} other objects flows to {towards}", rest.len())
        }
        _ => format!("its value flows to {towards}"),
    }
}

/// The variable name without its function: `x` for `main::x`.
fn plain(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// The chain as text for a terminal.
pub(crate) fn render(chain: &[Link]) -> String {
    let width = |column: &dyn Fn(&Link) -> usize| chain.iter().map(column).max().unwrap_or(0).min(60);
    let (first, second) = (width(&|l| l.place.to_string().len()), width(&|l| l.text.chars().count()));
    let line = |l: &Link| format!("{:first$}  {:second$}  {}\n", l.place.to_string(), l.text, l.because);
    chain.iter().map(line).collect()
}
