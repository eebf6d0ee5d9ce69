//! Brings a witness into a program, and says what the answer about that program means for the witness.
//!
//! A violation witness becomes an automaton (`waypoints`) that takes away all executions that do not follow its waypoints. The
//! invariants of a correctness witness become tests at the heads of their loops which violate the property, so that a proof of the
//! program with them proves both. So nothing in here decides: the replay and the certificate checker do.

use std::collections::BTreeSet;

use cfa::source_map::SourceMap;
use cfa::{Cfa, EdgeId, LocId, RawCfa, Term};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use slicer::PrepareOptions;
use slicer::automaton::{self, Expr, LoopCondition, StateNames, Violation, Woven};

use super::expression;
use super::format::{C_EXPRESSION, Content, Invariant, LOOP_INVARIANT, Segment};
use super::source::Sources;
use super::waypoints::{self, is_same_file};
use crate::report::{Cause, Report, Verdict};

/// What is demanded of a program besides its property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guide {
    /// Only executions along these segments count as violations.
    Follow(Vec<Segment>),
    /// These invariants must hold, too.
    Require(Vec<Invariant>),
}

/// A part of a witness that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The index of the invariant, if it is one.
    pub index: Option<usize>,
    /// What is not understood, and why.
    pub text: String,
}

/// The beginning of the name under which the violation of an invariant is reported; its index follows.
const INVARIANT: &str = "invariant ";

impl From<Content> for Guide {
    fn from(content: Content) -> Guide {
        match content {
            Content::Violation(segments) => Guide::Follow(segments),
            Content::Correctness(invariants) => Guide::Require(invariants),
        }
    }
}

impl Guide {
    /// The variables that the invariants name.
    pub fn variables(&self, long_bits: u32) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let texts: Vec<&str> = match self {
            Guide::Follow(segments) => {
                segments.iter().flat_map(|s| &s.waypoints).filter_map(|w| w.constraint.as_deref()).collect()
            }
            Guide::Require(invariants) => invariants.iter().map(|i| i.value.as_str()).collect(),
        };
        for expression in texts.into_iter().filter_map(|text| expression::parse(text, long_bits).ok()) {
            found.append(&mut names(&expression));
        }
        found
    }

    /// Weaves the guide into a raw automaton. `property` and `what` name a violation: the property's name, and the text for the edge that
    /// leads to it. Returns what was not understood.
    pub fn weave(
        &self,
        cfa: &mut Cfa,
        source: &SourceMap,
        woven: &mut Woven,
        property: &str,
        what: &dyn Fn(&Cfa, EdgeId) -> String,
    ) -> Vec<Doubt> {
        match self {
            Guide::Follow(segments) => {
                let followed = waypoints::automaton(cfa, segments, property, what);
                let events = cfa::events::Events::default();
                let result = followed.and_then(|automaton| {
                    automaton::weave(cfa, &[automaton], &events).map_err(|e| format!("waypoint on line {e}"))
                });
                match result {
                    Ok(along) => {
                        woven.violations.extend(along.violations);
                        let states = along.states.into_iter();
                        woven.states.extend(states.map(|(v, s)| (v, StateNames { automaton: "witness".into(), ..s })));
                        Vec::new()
                    }
                    Err(text) => vec![Doubt { index: None, text }],
                }
            }
            Guide::Require(invariants) => require(cfa, source, woven, invariants),
        }
    }

    /// What the answer about the guided program, of whose witness `doubts` were not understood, says about the witness.
    pub fn conclude(&self, report: &mut Report, doubts: &[Doubt]) {
        let verdict = match (self, &report.verdict) {
            (Guide::Follow(_), Verdict::True) => {
                report.proof = None;
                let refuted = "the witness is refuted: no execution along its waypoints violates the property";
                Verdict::unknown(Cause::NotConfirmed, refuted)
            }
            (Guide::Require(_), Verdict::False { property }) if property.starts_with(INVARIANT) => {
                let what = report.violation.as_ref().map_or("an invariant does not hold", |v| &v.what);
                Verdict::unknown(Cause::NotConfirmed, format!("the witness is refuted: {what}"))
            }
            (Guide::Require(_), Verdict::True) if !doubts.is_empty() => {
                let what = format!("the property holds, but the witness is not understood: {}", doubts[0].text);
                Verdict::unknown(Cause::Unsupported, what)
            }
            _ => return,
        };
        report.verdict = verdict;
    }
}

/// The variables that an expression names.
fn names(expression: &Expr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    expression.visit(&mut |e| {
        if let Expr::Variable(path) = e {
            found.extend(path.split(['.', '[']).next().map(str::to_string));
        }
    });
    found
}

/// The index of the invariant whose violation has this name.
pub(super) fn refuted(property: &str) -> Option<usize> {
    property.strip_prefix(INVARIANT)?.parse().ok()
}

/// Weaves in tests of invariants, and returns which of them are not understood.
fn require(cfa: &mut Cfa, source: &SourceMap, woven: &mut Woven, invariants: &[Invariant]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut all = Vec::new();
    let mut texts = Sources::default();
    for (i, invariant) in invariants.iter().enumerate() {
        match at_loops(cfa, source, &mut texts, invariant) {
            Ok((condition, loops)) => {
                let message = format!("the invariant {} of {} does not hold", invariant.value, invariant.location);
                let violation = Some(Violation { automaton: format!("{INVARIANT}{i}"), message });
                let at = loops.into_iter().map(|at| LoopCondition {
                    at,
                    condition: condition.clone(),
                    violation: violation.clone(),
                });
                all.extend(at.map(|condition| (i, condition)));
            }
            Err(why) => doubts.push(Doubt { index: Some(i), text: doubt(invariant, &why) }),
        }
    }
    let (indices, conditions): (Vec<usize>, Vec<LoopCondition>) = all.into_iter().unzip();
    match automaton::weave_at_loops(cfa, source, &conditions, woven) {
        Ok(tests) => {
            let wrong = indices.into_iter().zip(tests).filter_map(|(i, test)| Some((i, test.err()?)));
            doubts.extend(wrong.map(|(i, why)| Doubt { index: Some(i), text: doubt(&invariants[i], &why) }));
        }
        Err(error) => doubts.push(Doubt { index: None, text: error.reason }),
    }
    doubts
}

fn doubt(invariant: &Invariant, why: &str) -> String {
    format!("the invariant {} of {}: {why}", invariant.value, invariant.location)
}

/// The condition of an invariant, and the loops at which it has to hold, by their indices.
fn at_loops(
    cfa: &Cfa,
    source: &SourceMap,
    texts: &mut Sources,
    invariant: &Invariant,
) -> Result<(Expr, Vec<usize>), String> {
    let place = &invariant.location;
    if !matches!(invariant.kind.as_str(), LOOP_INVARIANT | "location_invariant") {
        return Err(format!("invariants of type {} are not supported", invariant.kind));
    }
    if !matches!(invariant.format.as_str(), "" | C_EXPRESSION | "ext_c_expression") {
        return Err(format!("expressions of format {} are not supported", invariant.format));
    }
    let condition = expression::parse(&invariant.value, cfa.pointer_bits)?;
    if condition.has_arguments() {
        return Err("\\result has no meaning there".into());
    }
    if matches!(condition, Expr::Number(n, _) if n != 0) {
        return Ok((condition, Vec::new()));
    }
    let is_there =
        |at: &cfa::Span| at.line == place.line && is_same_file(&place.file, &cfa.files[at.file as usize], &cfa.files);
    let there = || source.loops.iter().enumerate().filter(|(_, l)| is_there(&l.place));
    let leftmost = there().map(|(_, l)| l.place.column).min();
    let column = place.column.or(leftmost);
    let found: Vec<usize> = there().filter(|(_, l)| Some(l.place.column) == column).map(|(i, _)| i).collect();
    if found.is_empty() {
        return Err("no loop of code that the program executes is there".into());
    }
    if found.iter().any(|i| source.loops[*i].tests_last) {
        return Err("loops that begin with 'do' are not supported".into());
    }
    let text = texts.text(&cfa.files[source.loops[found[0]].place.file as usize]);
    match names(&condition).into_iter().find(|name| text.may_hide(name)) {
        Some(name) => Err(format!("it is not certain what {name} is")),
        None => Ok((condition, found)),
    }
}

/// Candidates for the invariants of `cfa`, a prepared program, from those of a witness: terms at locations. `raw` is the program before its
/// preparation. Also returns which invariants are not understood.
pub fn hints(
    raw: &RawCfa,
    source: &SourceMap,
    invariants: &[Invariant],
    cfa: &mut Cfa,
) -> (Vec<(LocId, Term)>, Vec<String>) {
    let mut raw = raw.clone();
    let (mut doubts, mut conditions) = (Vec::new(), Vec::new());
    let mut texts = Sources::default();
    for invariant in invariants {
        match at_loops(&raw.cfa, source, &mut texts, invariant) {
            Ok((condition, loops)) => {
                let at =
                    loops.into_iter().map(|at| LoopCondition { at, condition: condition.clone(), violation: None });
                conditions.extend(at.map(|condition| (invariant, condition)));
            }
            Err(why) => doubts.push(doubt(invariant, &why)),
        }
    }
    let (of, conditions): (Vec<&Invariant>, Vec<LoopCondition>) = conditions.into_iter().unzip();
    let Ok(tests) = automaton::weave_at_loops(&mut raw.cfa, source, &conditions, &mut Woven::default()) else {
        return (Vec::new(), doubts);
    };
    let Ok((mut with_tests, _)) = slicer::prepare(raw, &PrepareOptions::default()) else { return (Vec::new(), doubts) };
    // The variables of the program with the tests, as those of the program without.
    let by_name: FxHashMap<&str, cfa::VarId> =
        cfa.vars.iter_enumerated().map(|(v, var)| (var.name.as_str(), v)).collect();
    let renamed: FxHashMap<cfa::VarId, cfa::VarId> = with_tests
        .vars
        .iter_enumerated()
        .filter_map(|(v, var)| {
            Some((v, *by_name.get(var.name.as_str())?)).filter(|(_, to)| cfa.vars[*to].sort == var.sort)
        })
        .collect();
    let mut candidates = Vec::new();
    for (invariant, test) in of.into_iter().zip(tests) {
        let found = match test {
            Ok(None) => continue,
            Ok(Some(test)) => test.candidate(&mut with_tests).map(|term| (test.head, term)),
            Err(why) => {
                doubts.push(doubt(invariant, &why));
                continue;
            }
        };
        let known = found.filter(|(_, term)| with_tests.terms.vars(*term).iter().all(|v| renamed.contains_key(v)));
        match known {
            Some((head, term)) => candidates.push((head, import(cfa, &with_tests, term, &renamed))),
            None => doubts.push(doubt(invariant, "it reads memory in a way that hints cannot")),
        }
    }
    (candidates, doubts)
}

/// `term` of the program `from` as a term of `cfa`.
fn import(cfa: &mut Cfa, from: &Cfa, term: Term, renamed: &FxHashMap<cfa::VarId, cfa::VarId>) -> Term {
    let mut symbol = |_: &mut cfa::Terms, _| unreachable!("a condition has no symbols");
    let term = cfa.terms.import(&from.terms, term, &mut FxHashMap::default(), &mut symbol);
    let sorts: FxHashMap<cfa::VarId, cfa::Sort> = renamed.iter().map(|(v, to)| (*v, cfa.vars[*to].sort)).collect();
    cfa.terms.substitute(term, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
        cfa::term::Leaf::Var(v) => renamed.get(&v).map(|to| terms.var(*to, sorts[&v])),
        cfa::term::Leaf::Sym(_) | cfa::term::Leaf::Addr(_) => None,
    })
}
