//! Decision trees: guards decided once for all executions that agree on what they test.
//!
//! Code of guarded assignments is a chain of tests of few variables:
//!
//! ```text
//! 5: if a = 1 then 6 else 7        6: if in = 2 then .. else 7
//! 7: if a = 5 then 8 else 9        8: if in = 3 then .. else 9        ...
//! ```
//!
//! A tree for the tests from 5 on asks for one variable, first for the one that most of the tests are about, and then only for what still matters:
//! tests whose sides lead to the same place do not. So there are as many questions as there are variables that matter, not as there are tests.
//! Trees grow with the executions: a branch is made for the first one that takes it. It stands for all values of some classes, so
//! that the values need not be the same ones.

use crate::Range;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Maximum number of nodes of all trees; from then on, variables are tested one after the other.
const MOST_NODES: usize = 2_000_000;

/// Maximum number of tests in code for which there are trees: a node looks at the tests that are left, which takes longer than executions do where
/// there are too many.
const MOST_ROOTS: usize = 10_000;

/// Maximum number of tests that are looked at for one node.
const MOST_TESTS: usize = 2_000;

/// Maximum number of tests one after the other that are looked at for one node.
const DEEPEST: u32 = 1_000;

/// Index of a place in code.
pub type Place = u32;

/// Index of a variable.
pub type Variable = u32;

/// The numbers of the first and the last class that a range touches.
pub type Touched = [u32; 2];

/// What is at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing: execution goes on at another place.
    Goto(Place),
    /// A test of one variable, which changes nothing that is read later.
    Test {
        /// The variable.
        variable: Variable,
        /// Where execution goes on if the test holds.
        yes: Place,
        /// Where it goes on if not.
        no: Place,
    },
    /// Something else.
    End,
}

/// Code with tests, and the classes of values of its variables.
pub trait Tests {
    /// What is at a place.
    fn at(&self, place: Place) -> Next;

    /// Whether the test at a place holds for all values of a range, or for none; `None` if neither is known.
    fn holds(&self, place: Place, r: Range) -> Option<bool>;

    /// The classes that a range of values of a variable touches.
    fn touched(&self, variable: Variable, r: Range) -> Touched;

    /// A range with all values of classes of a variable.
    fn all_of(&self, variable: Variable, classes: Touched) -> Range;
}

/// Index of a node.
type NodeId = u32;

/// No node.
const NONE: NodeId = NodeId::MAX;

struct Node {
    /// The next test that is not decided yet, or where the tests end.
    place: Place,
    /// What is asked; `None` where the tests end.
    question: Option<Variable>,
    /// The answers so far.
    branches: Vec<(Touched, NodeId)>,
    /// The node above, and what it found out.
    above: NodeId,
    found: Range,
}

/// The trees of some code; by default, of none.
#[derive(Default)]
pub struct Trees {
    nodes: Vec<Node>,
    /// The tree that begins at each place; [`NONE`] where there is no test.
    roots: Vec<NodeId>,
}

impl Trees {
    /// Trees without branches for code with `places`; none if there are too many tests. Cost: linear in their number.
    pub fn new(tests: &impl Tests, places: usize) -> Trees {
        let mut trees = Trees { nodes: Vec::new(), roots: vec![NONE; places] };
        for place in 0..places as Place {
            if let Next::Test { .. } = tests.at(place) {
                trees.roots[place as usize] = trees.nodes.len() as NodeId;
                let (branches, question) = (Vec::new(), None);
                trees.nodes.push(Node { place, question, branches, above: NONE, found: Range::TRUTH });
            }
        }
        if trees.nodes.len() > MOST_ROOTS {
            trees.roots.fill(NONE);
        }
        trees
    }

    /// Whether there is a test at `place`.
    #[inline]
    pub fn begins_at(&self, place: Place) -> bool {
        self.roots[place as usize] != NONE
    }

    /// Where an execution gets to from the test at `place` by tests that its values decide, and by tests that do not matter.
    #[inline]
    pub fn descend(&mut self, tests: &impl Tests, values: &[Range], place: Place) -> Place {
        let mut at = self.roots[place as usize];
        loop {
            let node = &self.nodes[at as usize];
            let variable = match node.question {
                Some(variable) => variable,
                None if node.above != NONE => return node.place,
                // A tree without a question yet.
                None => {
                    let mut rest = Rest { tests, known: FxHashMap::default(), ends: FxHashMap::default() };
                    let Some(variable) = rest.question(place) else { return place };
                    *self.nodes[at as usize].question.insert(variable)
                }
            };
            let node = &self.nodes[at as usize];
            let touched = tests.touched(variable, values[variable as usize]);
            at = match node.branches.iter().find(|(answer, _)| *answer == touched) {
                Some((_, below)) => *below,
                None if self.nodes.len() >= MOST_NODES => return node.place,
                None => self.grow(tests, at, touched, tests.all_of(variable, touched)),
            };
        }
    }

    /// Adds the node below `above` for executions in which its question has the answer `found`.
    fn grow(&mut self, tests: &impl Tests, above: NodeId, touched: Touched, found: Range) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let place = self.nodes[above as usize].place;
        self.nodes[above as usize].branches.push((touched, id));
        self.nodes.push(Node { place, question: None, branches: Vec::new(), above, found });
        let mut known: FxHashMap<Variable, Range> = FxHashMap::default();
        let mut at = id;
        while self.nodes[at as usize].above != NONE {
            let Node { above, found, .. } = self.nodes[at as usize];
            known.extend(self.nodes[above as usize].question.map(|variable| (variable, found)));
            at = above;
        }
        let mut rest = Rest { tests, known, ends: FxHashMap::default() };
        let place = rest.end(place, 0);
        let question = rest.question(place);
        let node = &mut self.nodes[id as usize];
        (node.place, node.question) = (place, question);
        id
    }
}

/// The tests that are left where some variables are known.
struct Rest<'a, T> {
    tests: &'a T,
    known: FxHashMap<Variable, Range>,
    /// Where executions get to from each place by tests that are decided, or do not matter.
    ends: FxHashMap<Place, Place>,
}

impl<T: Tests> Rest<'_, T> {
    /// Whether the test of `variable` at `place` holds: `None` if the variable is not known, `Some(None)` if its values do not decide.
    fn decides(&self, place: Place, variable: Variable) -> Option<Option<bool>> {
        self.known.get(&variable).map(|r| self.tests.holds(place, *r))
    }

    /// Where executions get to from `place` by tests that are decided, and by those both sides of which get to the same place.
    fn end(&mut self, place: Place, depth: u32) -> Place {
        let (mut at, mut passed) = (place, 0);
        let end = loop {
            if let Some(end) = self.ends.get(&at) {
                break *end;
            }
            // An endless loop of decided tests: execution goes on from any of them.
            passed += 1;
            if passed > MOST_TESTS {
                break at;
            }
            let (variable, yes, no) = match self.tests.at(at) {
                Next::Goto(next) => {
                    at = next;
                    continue;
                }
                Next::Test { variable, yes, no } => (variable, yes, no),
                Next::End => break at,
            };
            match self.decides(at, variable) {
                Some(Some(holds)) => at = if holds { yes } else { no },
                Some(None) => break at,
                None if depth >= DEEPEST || self.ends.len() >= MOST_TESTS => break at,
                None => {
                    let [yes, no] = [yes, no].map(|side| self.end(side, depth + 1));
                    break if yes == no { yes } else { at };
                }
            }
        };
        self.ends.insert(at, end);
        self.ends.insert(place, end);
        end
    }

    /// The variable of the test at `place`, if it is not known.
    fn open(&self, place: Place) -> Option<(Variable, [Place; 2])> {
        match self.tests.at(place) {
            Next::Test { variable, yes, no } if !self.known.contains_key(&variable) => Some((variable, [no, yes])),
            _ => None,
        }
    }

    /// What to ask where the first open test is at `place`: the variable that most open tests are about. `None` if none is open there.
    fn question(&mut self, place: Place) -> Option<Variable> {
        let (first, _) = self.open(place)?;
        let (mut todo, mut seen) = (vec![place], FxHashSet::default());
        let mut open: FxHashMap<Variable, u32> = FxHashMap::default();
        while let Some(place) = todo.pop() {
            let place = self.end(place, 0);
            if seen.len() >= MOST_TESTS || !seen.insert(place) {
                continue;
            }
            if let Some((variable, sides)) = self.open(place) {
                *open.entry(variable).or_default() += 1;
                todo.extend(sides);
            }
        }
        let most = open.into_iter().max_by_key(|(v, count)| (*count, *v == first, Reverse(*v)));
        most.map_or(Some(first), |(variable, _)| Some(variable))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0: if x = 1 then 1 else 2; 1: goto 0; 2: end`.
    struct Endless;

    impl Tests for Endless {
        fn at(&self, place: Place) -> Next {
            match place {
                0 => Next::Test { variable: 0, yes: 1, no: 2 },
                1 => Next::Goto(0),
                _ => Next::End,
            }
        }

        fn holds(&self, _place: Place, r: Range) -> Option<bool> {
            r.equals(Range::point(1)).as_truth()
        }

        fn touched(&self, _variable: Variable, r: Range) -> Touched {
            [r.lo as u32, r.hi as u32]
        }

        fn all_of(&self, _variable: Variable, [first, last]: Touched) -> Range {
            Range { lo: first.into(), hi: last.into() }
        }
    }

    #[test]
    fn endless_tests_are_left() {
        let mut trees = Trees::new(&Endless, 3);
        assert_eq!(trees.descend(&Endless, &[Range::point(3)], 0), 2);
        assert!(trees.descend(&Endless, &[Range::point(1)], 0) < 2);
    }
}
