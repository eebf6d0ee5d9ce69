//! The operators `&&`, `||` and `!` of conditions that a compiler has turned into branches.
//!
//! A *test* is a location with two edges, one for a condition and one for its negation. A test `b` that only one side of a test `a` leads to, and
//! that shares its target on one side with the other side of `a`, is the second operand of an operator whose first one is `a`:
//!
//! ```text
//! a --yes--> b --yes--> T        a && b: both lead to F where they do not hold
//!  \          \
//!   no         no----> F         (a || b: both lead to T where they hold)
//!    `---------------> F
//! ```
//!
//! Both together are then a test with two targets, which is again an operand: so whole conditions are reduced, from the last test to the
//! first, each operator once (as in the structuring of short-circuit conditions in decompilers).
//! Whether an operator is `&&` or `||` depends on which of the two targets of the whole condition is the one where it holds. That is the one
//! that stands first in the source, as the body of an `if`, a loop or `?:` does, or without positions the one that the last test leads
//! to when it holds. An operand is negated if its condition, as it is written, leads to where it does not hold.
//!
//! A condition whose value is stored (`x = a && b;`) ends in an assignment of 0 or 1 to a temporary, which is one more operator.
//!
//! Nested `if`s without `else` cannot be told from `&&`, and `!(a && b)` not from `!a || !b`.

use super::super::wto::Element;
use super::Program;
use cfa::view::ViewEdge;
use cfa::{EdgeId, LocId, Op, Scope, Sort, Span, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of operators of each kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Operators {
    pub conjunctions: u64,
    pub disjunctions: u64,
    pub negations: u64,
}

/// Maximum number of assignments to temporaries that are looked through before a test.
const MAX_LOADS: usize = 16;

/// Maximum number of edges after a target at which its position is looked for.
const MAX_WALK: usize = 8;

/// A side of a condition.
#[derive(Clone, Copy)]
struct Side {
    to: LocId,
    /// Number of edges of the condition's tests that lead there.
    edges: usize,
    /// The first of them.
    first: EdgeId,
}

/// A condition with its tests, so far as they are reduced.
enum Condition {
    Test {
        /// Where it leads if its condition, as written, holds.
        holds: LocId,
    },
    Operator {
        first: usize,
        second: usize,
        /// Where the second operand begins.
        begin: LocId,
        /// Where both operands lead.
        shared: LocId,
    },
}

struct Reduction<'p> {
    program: &'p Program,
    /// Number of edges that enter each location of the view.
    entering: FxHashMap<LocId, usize>,
    conditions: Vec<Condition>,
    /// By the location of the first test: the condition and its sides. A condition that became an operand is no longer here.
    whole: FxHashMap<LocId, (usize, [Side; 2])>,
}

/// The operators in the branches that the program's slice reaches.
pub(super) fn operators(program: &Program) -> Operators {
    let locs = program.view.reachable(&program.cfa);
    let mut entering = FxHashMap::default();
    for e in locs.iter().flat_map(|l| program.view.out(*l)) {
        *entering.entry(e.to).or_default() += 1;
    }
    let mut found = Operators::default();
    for e in locs.iter().flat_map(|l| program.view.out(*l)) {
        match stored(program, e) {
            Some(false) => found.conjunctions += 1,
            Some(true) => found.disjunctions += 1,
            None => {}
        }
    }
    let mut reduction = Reduction { program, entering, conditions: Vec::new(), whole: FxHashMap::default() };
    let funcs: FxHashSet<_> = locs.iter().map(|l| program.cfa.locs[*l].func).collect();
    for f in funcs {
        let mut order = Vec::new();
        flatten(&program.order(f), &mut order);
        for l in order.into_iter().rev() {
            reduction.reduce(l);
        }
    }
    for (condition, sides) in reduction.whole.values() {
        reduction.count(*condition, sides, &mut found);
    }
    found
}

fn flatten(elements: &[Element], order: &mut Vec<LocId>) {
    for e in elements {
        match e {
            Element::Location(l) => order.push(*l),
            Element::Component(head, body) => {
                order.push(*head);
                flatten(body, order);
            }
        }
    }
}

/// The truth value that an edge assigns to a temporary of one bit.
fn stored(program: &Program, e: &ViewEdge) -> Option<bool> {
    let Op::Assign(list) = program.op(e) else { return None };
    let [(v, t)] = list[..] else { return None };
    let bit = program.cfa.vars[v].sort == Sort::Bv(1) && is_temporary(program, v);
    program.base.as_u64(t).filter(|_| bit).map(|value| value == 1)
}

fn is_temporary(program: &Program, v: VarId) -> bool {
    let var = &program.cfa.vars[v];
    var.source.is_none() && matches!(var.scope, Scope::Local(_)) && !matches!(var.sort, Sort::Array { .. })
}

/// Whether the edges that leave `l` are the sides of a test; constants are no tests.
fn is_test(program: &Program, l: LocId) -> bool {
    program.view.out(l).len() == 2 && program.is_deterministic(l)
}

impl Reduction<'_> {
    /// Makes a condition of the test at `l`, if there is one, and takes in the operands after it.
    fn reduce(&mut self, l: LocId) {
        if !is_test(self.program, l) {
            return;
        }
        let out = self.program.view.out(l);
        let [a, b] = [&out[0], &out[1]].map(|e| Side { to: e.to, edges: 1, first: e.edge });
        if a.to == b.to {
            return;
        }
        self.conditions.push(Condition::Test { holds: a.to });
        let (mut at, mut sides) = (self.conditions.len() - 1, [a, b]);
        while let Some((operand, merged, condition)) = self.operand(l, &sides, at) {
            self.whole.remove(&operand);
            self.conditions.push(condition);
            (at, sides) = (self.conditions.len() - 1, merged);
        }
        self.whole.insert(l, (at, sides));
    }

    /// A condition that is the second operand of `first`, which begins at `l`: its location, the sides of both, and their operator.
    fn operand(&self, l: LocId, sides: &[Side; 2], first: usize) -> Option<(LocId, [Side; 2], Condition)> {
        for (next, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if self.entering[&next.to] != next.edges {
                continue;
            }
            let Some(test) = self.test_after(next.to).filter(|test| *test != l) else { continue };
            let Some(&(second, theirs)) = self.whole.get(&test) else { continue };
            let Some(i) = theirs.iter().position(|side| side.to == other.to) else { continue };
            let shared = Side { edges: other.edges + theirs[i].edges, ..other };
            let operator = Condition::Operator { first, second, begin: next.to, shared: other.to };
            return Some((test, [shared, theirs[1 - i]], operator));
        }
        None
    }

    /// The test that is reached from `l` by reading variables.
    fn test_after(&self, mut l: LocId) -> Option<LocId> {
        for _ in 0..MAX_LOADS {
            if is_test(self.program, l) {
                return Some(l);
            }
            let [e] = self.program.view.out(l) else { return None };
            let Op::Assign(list) = self.program.op(e) else { return None };
            let loads = list.iter().all(|(v, _)| is_temporary(self.program, *v)) && self.entering[&e.to] == 1;
            if !loads || stored(self.program, e).is_some() {
                return None;
            }
            l = e.to;
        }
        None
    }

    /// Counts the operators of a whole condition.
    fn count(&self, condition: usize, sides: &[Side; 2], found: &mut Operators) {
        let holds = self.holds(condition, sides);
        let other = if sides[0].to == holds { sides[1].to } else { sides[0].to };
        let mut open = vec![(condition, holds, other)];
        while let Some((c, yes, no)) = open.pop() {
            match self.conditions[c] {
                Condition::Test { holds } => found.negations += u64::from(holds == no),
                Condition::Operator { first, second, begin, shared } => {
                    if shared == no {
                        found.conjunctions += 1;
                        open.push((first, begin, no));
                    } else {
                        found.disjunctions += 1;
                        open.push((first, yes, begin));
                    }
                    open.push((second, yes, no));
                }
            }
        }
    }

    /// Where a whole condition holds.
    fn holds(&self, condition: usize, sides: &[Side; 2]) -> LocId {
        let [a, b] = sides;
        let value = |side: &Side| match self.program.view.out(side.to) {
            [e] => stored(self.program, e),
            _ => None,
        };
        match (value(a), value(b)) {
            (Some(true), _) | (_, Some(false)) => return a.to,
            (Some(false), _) | (_, Some(true)) => return b.to,
            (None, None) => {}
        }
        match (self.place(a.first), self.place(b.first)) {
            (Some(p), Some(q)) if p < q => a.to,
            (Some(p), Some(q)) if q < p => b.to,
            (Some(_), None) => a.to,
            (None, Some(_)) => b.to,
            _ => self.last_test(condition),
        }
    }

    /// Where the last test of a condition leads if it holds.
    fn last_test(&self, mut condition: usize) -> LocId {
        loop {
            match self.conditions[condition] {
                Condition::Test { holds } => return holds,
                Condition::Operator { second, .. } => condition = second,
            }
        }
    }

    /// The position of what comes after the side `e` of a test, in the program and not in the view: there, empty branches are gone. There is
    /// none for a jump back to the beginning of a loop, which has the position of the loop.
    fn place(&self, e: EdgeId) -> Option<Span> {
        let cfa = &self.program.cfa;
        let known = |e: EdgeId| Some(&cfa.edges[e]).filter(|edge| edge.span.line > 0);
        let mut l = cfa.edges[e].to;
        for _ in 0..MAX_WALK {
            let edges = cfa.out(l);
            if let Some(edge) = edges.iter().find_map(|e| known(*e)) {
                let back = edge.op == Op::Skip && edge.span < cfa.edges[e].span;
                return Some(edge.span).filter(|_| !back);
            }
            let [e] = edges else { return None };
            l = cfa.edges[*e].to;
        }
        None
    }
}
