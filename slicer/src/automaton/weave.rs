//! Weaving automata into a raw CFA.
//!
//! The CFA must be raw, because only there does every variable of the source still have its place in memory. So a read by a
//! condition is an access like any other for points-to analysis and promotion, and never reads an outdated copy. Edges of the
//! program keep their ids and operations. After an edge at which an event happens comes, for each automaton, a chain of tests of its
//! state and of conditions:
//!
//! ```text
//! --e--> [q = A] --> [condition] --> q := B --+-->
//!           |             +--> next transition |
//!           +--> [q = B] ... ------------------+
//! ```
//!
//! `ERROR` is a target without successors, `STOP` a dead end.

use crate::automaton::lookup::{Context, Typed};
use crate::automaton::{Automaton, AutomatonError, Event, Expr, Successor, Transition};
use crate::cfa_edit;
use crate::criteria::is_end_of_path;
use crate::points_to::memory_var;
use cfa::events::{Events, ObservedCall};
use cfa::{
    AssumeKind, Cfa, EdgeId, FuncId, LocId, ObjectId, ObjectKind, Op, Scope, Sort, Span, Term, ValueFormat, VarId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The result of weaving automata into a CFA.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Woven {
    /// What is violated when a target is reached.
    pub violations: BTreeMap<LocId, Violation>,
    /// Variables that hold the state of an automaton.
    pub states: BTreeMap<VarId, StateNames>,
    /// Transitions that no event of this program matches: the line of the text, and the event as text.
    pub unmatched: Vec<(u32, String)>,
}

/// A violation of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The automaton's name.
    pub automaton: String,
    /// What is wrong, in words.
    pub message: String,
}

/// How to show the state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateNames {
    /// The automaton's name.
    pub automaton: String,
    /// The state's name for each value of the variable.
    pub names: Vec<String>,
}

/// A place in the CFA where an event happens that automata may match.
struct Site {
    /// The edge after which the event happens.
    after: EdgeId,
    /// An edge with the source position of the event.
    like: EdgeId,
    what: Happening,
}

/// The event at a site.
enum Happening {
    Line(Span),
    Call(ObservedCall),
    /// A call through a pointer, by this edge.
    Indirect(EdgeId),
    End,
    /// Something that only the maker of the automaton knows.
    Edge(EdgeId),
}

/// One automaton at one site. `var` holds the automaton's state; it is `None` for an automaton with a single state.
struct Turn<'a> {
    automaton: &'a Automaton,
    var: Option<VarId>,
    site: &'a Site,
}

/// A case in which the event at a site matches a transition.
struct Case {
    /// The condition of the case, if any: the pointer called is the address of that function.
    guard: Option<Term>,
    args: Vec<Option<Typed>>,
}

/// Weaves `automata` into `cfa`, a raw CFA, at the events that its front-end noted.
///
/// Targets that `cfa` already has stay.
///
/// # Errors
/// A condition that cannot be evaluated where its event happens, or a CFA with more than one memory.
pub fn weave(cfa: &mut Cfa, automata: &[Automaton], events: &Events) -> Result<Woven, AutomatonError> {
    let memory = memory_var(cfa).map_err(|e| AutomatonError { line: 1, reason: e.to_string() })?;
    let mut weaver = Weaver { events, memory, addresses: addresses(cfa), vars: Vec::new(), woven: Woven::default() };
    weaver.add_variables(cfa, automata);
    let mut matched: Vec<u32> = Vec::new();
    // Of two events after the same edge, the one woven last happens first. Lines are woven first, so that a call comes
    // before the line after it.
    for site in sites(cfa, automata, events) {
        let end = cfa.edges[site.after].to;
        let mut at = cfa_edit::new_loc(cfa, end);
        cfa_edit::redirect(cfa, site.after, at);
        for (i, automaton) in automata.iter().enumerate() {
            let turn = Turn { automaton, var: weaver.vars[i], site: &site };
            at = weaver.automaton(cfa, &turn, at, &mut matched)?;
        }
        cfa_edit::add_like(cfa, site.like, at, end, Op::Skip);
    }
    weaver.initialise(cfa, automata);
    let all = automata.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions);
    let unmatched = all.filter(|t| t.event != Event::Exit && !matched.contains(&t.line));
    weaver.woven.unmatched = unmatched.map(|t| (t.line, t.event.to_string())).collect();
    Ok(weaver.woven)
}

struct Weaver<'a> {
    events: &'a Events,
    memory: Option<VarId>,
    /// The object whose address is that of the function.
    addresses: FxHashMap<FuncId, ObjectId>,
    /// The variable of each automaton that has more than one state.
    vars: Vec<Option<VarId>>,
    woven: Woven,
}

impl Weaver<'_> {
    fn add_variables(&mut self, cfa: &mut Cfa, automata: &[Automaton]) {
        for automaton in automata {
            if automaton.states.len() == 1 {
                self.vars.push(None);
                continue;
            }
            let bits = if automaton.states.len() <= 1 << 8 { 8 } else { 32 };
            let var = cfa.add_var(format!("automaton {}", automaton.name), Sort::Bv(bits), Scope::Global);
            let names = automaton.states.iter().map(|s| s.name.clone()).collect();
            cfa.automata.push(var);
            self.woven.states.insert(var, StateNames { automaton: automaton.name.clone(), names });
            self.vars.push(Some(var));
        }
    }

    /// Sets every automaton to its initial state at the program's entry.
    fn initialise(&self, cfa: &mut Cfa, automata: &[Automaton]) {
        let mut initial = Vec::new();
        for (automaton, var) in automata.iter().zip(&self.vars) {
            if let Some(var) = *var {
                let width = cfa.vars[var].sort.width();
                initial.push((var, cfa.terms.int(width, automaton.initial as u64)));
            }
        }
        if !initial.is_empty() {
            let begin = cfa.funcs[cfa.entry].entry;
            cfa_edit::insert_at(cfa, begin, Op::Assign(initial.into_boxed_slice()));
        }
    }

    /// Adds the edges of `turn`, starting at `at`, and returns the location where they end. The lines of the transitions that
    /// may be taken are added to `matched`.
    fn automaton(
        &mut self,
        cfa: &mut Cfa,
        turn: &Turn<'_>,
        mut at: LocId,
        matched: &mut Vec<u32>,
    ) -> Result<LocId, AutomatonError> {
        let Turn { automaton, var, site } = *turn;
        let out = cfa_edit::new_loc(cfa, at);
        for (number, state) in automaton.states.iter().enumerate() {
            let mut matching = Vec::new();
            for transition in &state.transitions {
                let cases = self.cases(cfa, site, transition);
                matching.extend(cases.into_iter().map(|case| (transition, case)));
            }
            if matching.is_empty() {
                continue;
            }
            matched.extend(matching.iter().map(|(t, _)| t.line));
            let (inside, next) = match var {
                Some(var) => {
                    let is = state_is(cfa, var, number);
                    let (yes, no) = branch(cfa, site.like, at, is);
                    (yes, Some(no))
                }
                None => (at, None),
            };
            self.state(cfa, turn, number, matching, inside, out)?;
            match next {
                Some(next) => at = next,
                None => return Ok(out),
            }
        }
        cfa_edit::add_like(cfa, site.like, at, out, Op::Skip);
        Ok(out)
    }

    /// Tries the transitions of one state in order, starting at `at`; all paths lead to `out`.
    fn state(
        &mut self,
        cfa: &mut Cfa,
        turn: &Turn<'_>,
        number: usize,
        matching: Vec<(&Transition, Case)>,
        mut at: LocId,
        out: LocId,
    ) -> Result<(), AutomatonError> {
        let like = turn.site.like;
        for (transition, case) in matching {
            let holds = match &transition.condition {
                Some(condition) => self.condition(cfa, turn, (transition, &case), condition, &mut at)?,
                None => cfa.terms.tt(),
            };
            let holds = case.guard.map_or(holds, |guard| cfa.terms.and(guard, holds));
            match cfa.terms.as_bool(holds) {
                Some(false) => {}
                Some(true) => return self.take(cfa, turn, number, (transition, &case), at, out),
                None => {
                    let (yes, no) = branch(cfa, like, at, holds);
                    self.take(cfa, turn, number, (transition, &case), yes, out)?;
                    at = no;
                }
            }
        }
        cfa_edit::add_like(cfa, like, at, out, Op::Skip);
        Ok(())
    }

    /// Takes a transition of state `from` at `at`; if it leads to a state, control continues at `out`.
    fn take(
        &mut self,
        cfa: &mut Cfa,
        turn: &Turn<'_>,
        from: usize,
        (transition, case): (&Transition, &Case),
        mut at: LocId,
        out: LocId,
    ) -> Result<(), AutomatonError> {
        let like = turn.site.like;
        if let Some(assumption) = &transition.assumption {
            let cond = self.condition(cfa, turn, (transition, case), assumption, &mut at)?;
            at = step(cfa, like, at, Op::Assume { cond, kind: AssumeKind::User });
        }
        match (&transition.to, turn.var) {
            (Successor::State(to), Some(var)) if *to != from => {
                let width = cfa.vars[var].sort.width();
                let state = cfa.terms.int(width, *to as u64);
                cfa_edit::add_like(cfa, like, at, out, Op::assign(var, state));
            }
            (Successor::State(_), _) => {
                cfa_edit::add_like(cfa, like, at, out, Op::Skip);
            }
            (Successor::Stop, _) => {
                step(cfa, like, at, Op::Skip);
            }
            (Successor::Error(message), _) => {
                let target = step(cfa, like, at, Op::Skip);
                cfa.targets.push(target);
                let violation = Violation { automaton: turn.automaton.name.clone(), message: message.clone() };
                self.woven.violations.insert(target, violation);
            }
        }
        Ok(())
    }

    /// The term that tells whether a condition of a transition holds at `at`. If the condition reads memory, an edge that does so
    /// is added, and `at` becomes the location after it.
    fn condition(
        &self,
        cfa: &mut Cfa,
        turn: &Turn<'_>,
        (transition, case): (&Transition, &Case),
        condition: &Expr,
        at: &mut LocId,
    ) -> Result<Term, AutomatonError> {
        let func = cfa.locs[*at].func;
        let mut context = Context { cfa, memory: self.memory, func, at: None, args: &case.args, reads: Vec::new() };
        let holds = context.holds(condition).map_err(|reason| AutomatonError {
            line: transition.line,
            reason: format!("{}: {reason}", transition.event),
        })?;
        let reads = context.reads;
        if !reads.is_empty() {
            *at = step(cfa, turn.site.like, *at, Op::Assign(reads.into_boxed_slice()));
        }
        Ok(holds)
    }

    /// The cases in which the event at `site` matches `transition`.
    fn cases(&self, cfa: &mut Cfa, site: &Site, transition: &Transition) -> Vec<Case> {
        let always = || vec![Case { guard: None, args: Vec::new() }];
        match (&transition.event, &site.what) {
            (Event::Exit, Happening::End) => always(),
            (Event::Line { file, line }, Happening::Line(span)) if is_place(cfa, file.as_ref(), *line, *span) => {
                always()
            }
            (Event::Call(names), Happening::Call(call)) if names.contains(&call.function) => {
                vec![Case { guard: None, args: self.typed(&call.function, &call.args) }]
            }
            (Event::Edges { edges, result }, Happening::Edge(e)) if edges.binary_search(e).is_ok() => {
                let set = match cfa.edges[*e].op {
                    Op::Call(f) => cfa.funcs[f].result,
                    ref op => op.written().first().copied(),
                };
                let result = result.zip(set).map(|(format, var)| Typed { term: cfa.var_term(var), format });
                vec![Case { guard: None, args: vec![result] }]
            }
            (Event::Call(names), Happening::Indirect(e)) => {
                let Op::CallIndirect(call) = cfa.edges[*e].op.clone() else { return Vec::new() };
                let given: Vec<Option<Term>> = call.args.iter().copied().map(Some).collect();
                let mut cases = Vec::new();
                for (func, name) in self.events.functions.iter().filter(|(_, name)| names.contains(name)) {
                    if let Some(&object) = self.addresses.get(func) {
                        let address = cfa.terms.addr(object, cfa.pointer_bits);
                        let guard = Some(cfa.terms.eq(call.target, address));
                        cases.push(Case { guard, args: self.typed(name, &given) });
                    }
                }
                cases
            }
            _ => Vec::new(),
        }
    }

    /// The arguments of a call of `function`, with the formats of its declared parameters.
    fn typed(&self, function: &str, args: &[Option<Term>]) -> Vec<Option<Typed>> {
        let formats: &[Option<ValueFormat>] = self.events.formats.get(function).map_or(&[], Vec::as_slice);
        let typed = formats.iter().enumerate().map(|(i, format)| {
            let term = args.get(i).copied().flatten()?;
            Some(Typed { term, format: (*format)? })
        });
        typed.collect()
    }
}

/// All places at which automata may match an event, lines first.
fn sites(cfa: &mut Cfa, automata: &[Automaton], events: &Events) -> Vec<Site> {
    let transitions: Vec<&Transition> = automata.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions).collect();
    let mut found = lines(cfa, &transitions);
    if transitions.iter().any(|t| matches!(t.event, Event::Call(_))) {
        for e in cfa.edges.ids() {
            if let Some(call) = events.calls.get(&e) {
                found.push(Site { after: e, like: e, what: Happening::Call(call.clone()) });
            } else if matches!(cfa.edges[e].op, Op::CallIndirect(_)) && !events.functions.is_empty() {
                let after = cfa_edit::insert_before(cfa, e, Op::Skip);
                found.push(Site { after, like: e, what: Happening::Indirect(e) });
            }
        }
    }
    let edges =
        transitions.iter().filter_map(|t| if let Event::Edges { edges, .. } = &t.event { Some(edges) } else { None });
    let edges: BTreeSet<EdgeId> = edges.flatten().copied().collect();
    found.extend(edges.into_iter().map(|e| Site { after: e, like: e, what: Happening::Edge(e) }));
    if transitions.iter().any(|t| t.event == Event::Exit) {
        found.extend(events.ends.iter().map(|&e| Site { after: e, like: e, what: Happening::End }));
    }
    found
}

/// The edges along which control reaches a line that a transition names.
fn lines(cfa: &mut Cfa, transitions: &[&Transition]) -> Vec<Site> {
    let wanted = |cfa: &Cfa, span: Span| {
        transitions.iter().any(|t| match &t.event {
            Event::Line { file, line } => is_place(cfa, file.as_ref(), *line, span),
            _ => false,
        })
    };
    let same_line = |a: Span, b: Span| (a.file, a.line) == (b.file, b.line);
    let mut found = Vec::new();
    for l in cfa.locs.ids() {
        let Some(&like) = cfa.out(l).first() else { continue };
        let span = cfa.edges[like].span;
        let func = &cfa.funcs[cfa.locs[l].func];
        if func.library || !wanted(cfa, span) {
            continue;
        }
        let is_entry = func.entry == l;
        for after in cfa.locs[l].into.clone() {
            if !same_line(cfa.edges[after].span, span) {
                found.push(Site { after, like, what: Happening::Line(span) });
            }
        }
        if is_entry {
            cfa_edit::insert_at(cfa, l, Op::Skip);
            found.push(Site { after: cfa.out(l)[0], like, what: Happening::Line(span) });
        }
    }
    found
}

/// Whether `span` is line `line` of `file`.
fn is_place(cfa: &Cfa, file: Option<&String>, line: u32, span: Span) -> bool {
    span.line == line && file.is_none_or(|file| is_end_of_path(file, &cfa.files[span.file as usize]))
}

fn addresses(cfa: &Cfa) -> FxHashMap<FuncId, ObjectId> {
    let functions = cfa.objects.iter_enumerated().filter_map(|(o, object)| match object.kind {
        ObjectKind::Function(f) => Some((f, o)),
        _ => None,
    });
    functions.collect()
}

/// Adds an edge from `at` to a new location, and returns that location.
pub(super) fn step(cfa: &mut Cfa, like: EdgeId, at: LocId, op: Op) -> LocId {
    let to = cfa_edit::new_loc(cfa, at);
    cfa_edit::add_like(cfa, like, at, to, op);
    to
}

/// Branches on `cond` at `at`. Returns the location where it holds and the one where it does not.
pub(super) fn branch(cfa: &mut Cfa, like: EdgeId, at: LocId, cond: Term) -> (LocId, LocId) {
    let not = cfa.terms.not(cond);
    (step(cfa, like, at, Op::branch(cond)), step(cfa, like, at, Op::branch(not)))
}

/// Whether `var` holds the number of the state.
fn state_is(cfa: &mut Cfa, var: VarId, number: usize) -> Term {
    let width = cfa.vars[var].sort.width();
    let (held, number) = (cfa.var_term(var), cfa.terms.int(width, number as u64));
    cfa.terms.eq(held, number)
}
