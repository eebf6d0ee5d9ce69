//! Decision trees: guards decided once for all runs that agree on what they test.
//!
//! Code of guarded assignments is a chain of tests of few variables:
//!
//! ```text
//! 5: if a = 1 then 6 else 7        6: if in = 2 then .. else 7
//! 7: if a = 5 then 8 else 9        8: if in = 3 then .. else 9        ...
//! ```
//!
//! A tree for the tests from 5 on asks for `a` first. For `a = 5` it leads at once to 8, which asks for `in`, and so on: as many questions as
//! there are variables that matter, not as there are tests. Trees grow with the runs: a branch is made for the first run that takes it.

use super::classes::Classes;
use super::machine::{Code, ExprId, Machine, Place, Slot};
use cfa::Range;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Maximum number of nodes of all trees; from then on, runs test one variable after the other.
const MOST_NODES: usize = 2_000_000;

/// Maximum number of tests that are looked at for one node.
const MOST_TESTS: usize = 2_000;

/// Maximum number of tests one after the other that are looked at for one node.
const DEEPEST: u32 = 1_000;

/// Index of a node.
type NodeId = u32;

/// No node.
const NONE: NodeId = NodeId::MAX;

struct Node {
    /// The next test that is not decided yet, or where the tests end.
    place: Place,
    /// What is asked; `None` where the tests end.
    slot: Option<Slot>,
    /// The answers so far, as the classes in which the range begins and ends.
    branches: Vec<([u32; 2], NodeId)>,
    /// The node above, and what it found out.
    above: NodeId,
    found: Range,
}

/// A test of one variable.
struct Test {
    /// The variable.
    slot: Slot,
    /// What has its value in the condition: the variable, or a copy that is made for the test.
    name: Slot,
    condition: Condition,
    yes: Place,
    no: Place,
}

#[derive(Clone, Copy)]
enum Condition {
    Equals(i64),
    Less(i64),
    Holds(ExprId),
}

impl Test {
    /// The test with which a place begins, if there is one.
    fn at(machine: &Machine, place: Place) -> Option<Test> {
        if let Code::Copy(copy, from, next) = machine.code[place as usize] {
            let test = Test::at(machine, next).filter(|t| t.slot == copy && t.name == copy);
            return test.filter(|_| machine.is_temporary[copy as usize]).map(|t| Test { slot: from, ..t });
        }
        let (slot, condition, yes, no) = match machine.code[place as usize] {
            Code::Equals { slot, k, yes, no } => (slot, Condition::Equals(k), yes, no),
            Code::Less { slot, k, yes, no } => (slot, Condition::Less(k), yes, no),
            Code::Test { condition, yes, no } => {
                let mut read = Vec::new();
                machine.reads(condition, &mut read);
                let [slot, others @ ..] = &read[..] else { return None };
                if others.iter().any(|other| other != slot) {
                    return None;
                }
                (*slot, Condition::Holds(condition), yes, no)
            }
            _ => return None,
        };
        Some(Test { slot, name: slot, condition, yes, no })
    }

    /// Whether it holds for a value; `None` if it holds for some numbers of the range.
    fn holds(&self, machine: &Machine, r: Range) -> Option<bool> {
        match self.condition {
            Condition::Equals(k) => r.equals(Range::point(k)).as_truth(),
            Condition::Less(k) => (r.hi < k || k <= r.lo).then_some(r.hi < k),
            Condition::Holds(e) => machine
                .value(e, &|slot| if slot == self.name { r } else { machine.slots[slot as usize].any })
                .as_truth(),
        }
    }
}

/// The trees of a machine.
pub(super) struct Trees {
    nodes: Vec<Node>,
    /// The tree that begins at each place; [`NONE`] where there is no test of one variable.
    roots: Vec<NodeId>,
}

impl Trees {
    pub(super) fn new(machine: &Machine) -> Trees {
        let mut trees = Trees { nodes: Vec::new(), roots: vec![NONE; machine.code.len()] };
        for place in 0..machine.code.len() as Place {
            if Test::at(machine, place).is_some() {
                let id = trees.nodes.len() as NodeId;
                trees.roots[place as usize] = id;
                trees.nodes.push(Node { place, slot: None, branches: Vec::new(), above: NONE, found: Range::TRUTH });
            }
        }
        trees
    }

    /// Whether a tree begins at `place`.
    #[inline]
    pub(super) fn begins_at(&self, place: Place) -> bool {
        self.roots[place as usize] != NONE
    }

    /// Where a run gets to from the test at `place` by tests that its values decide.
    #[inline]
    pub(super) fn descend(
        &mut self,
        (machine, classes): (&Machine, &Classes),
        values: &[Range],
        place: Place,
    ) -> Place {
        let mut at = self.roots[place as usize];
        loop {
            let node = &self.nodes[at as usize];
            let slot = match node.slot {
                Some(slot) => slot,
                None if node.above != NONE => return node.place,
                // A tree without a question yet.
                None => {
                    let mut rest = Rest { machine, known: FxHashMap::default(), ends: FxHashMap::default() };
                    let Some(slot) = rest.question(place) else { return place };
                    *self.nodes[at as usize].slot.insert(slot)
                }
            };
            let node = &self.nodes[at as usize];
            let r = values[slot as usize];
            let class = classes.touched(slot, r);
            at = match node.branches.iter().find(|(answer, _)| *answer == class) {
                Some((_, below)) => *below,
                None if self.nodes.len() >= MOST_NODES => return node.place,
                None => {
                    // Of all values of these classes.
                    let found = classes.around(slot, r, machine.slots[slot as usize].any);
                    self.grow(machine, at, (class, found))
                }
            };
        }
    }

    /// Adds the node below `above` for runs in which its question has the answer `found`.
    fn grow(&mut self, machine: &Machine, above: NodeId, (class, found): ([u32; 2], Range)) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let place = self.nodes[above as usize].place;
        self.nodes[above as usize].branches.push((class, id));
        self.nodes.push(Node { place, slot: None, branches: Vec::new(), above, found });
        let mut known: FxHashMap<Slot, Range> = FxHashMap::default();
        let mut at = id;
        while self.nodes[at as usize].above != NONE {
            let Node { above, found, .. } = self.nodes[at as usize];
            known.extend(self.nodes[above as usize].slot.map(|slot| (slot, found)));
            at = above;
        }
        let mut rest = Rest { machine, known, ends: FxHashMap::default() };
        let place = rest.end(place, 0);
        let slot = rest.question(place);
        let node = &mut self.nodes[id as usize];
        (node.place, node.slot) = (place, slot);
        id
    }
}

/// The tests that are left where some variables are known.
struct Rest<'a> {
    machine: &'a Machine,
    known: FxHashMap<Slot, Range>,
    /// Where runs get to from each place by tests that are decided, or do not matter.
    ends: FxHashMap<Place, Place>,
}

impl Rest<'_> {
    /// Whether a test holds: `None` if its variable is not known, `Some(None)` if it holds for some of the values.
    fn decides(&self, test: &Test) -> Option<Option<bool>> {
        self.known.get(&test.slot).map(|r| test.holds(self.machine, *r))
    }

    /// Where runs get to from `place` by tests that are decided, and by those both sides of which get to the same place.
    fn end(&mut self, place: Place, depth: u32) -> Place {
        let mut at = place;
        let end = loop {
            if let Some(end) = self.ends.get(&at) {
                break *end;
            }
            if let Code::Goto(next) = self.machine.code[at as usize] {
                at = next;
                continue;
            }
            let Some(test) = Test::at(self.machine, at) else { break at };
            match self.decides(&test) {
                Some(Some(holds)) => at = if holds { test.yes } else { test.no },
                Some(None) => break at,
                None if depth >= DEEPEST || self.ends.len() >= MOST_TESTS => break at,
                None => {
                    let [yes, no] = [test.yes, test.no].map(|side| self.end(side, depth + 1));
                    break if yes == no { yes } else { at };
                }
            }
        };
        self.ends.insert(at, end);
        self.ends.insert(place, end);
        end
    }

    /// What to ask where the first open test is at `place`: the variable that most open tests are about. `None` if none is open there.
    fn question(&mut self, place: Place) -> Option<Slot> {
        let first = Test::at(self.machine, place).filter(|test| self.decides(test).is_none())?;
        let (mut todo, mut seen) = (vec![place], FxHashSet::default());
        let mut open: FxHashMap<Slot, u32> = FxHashMap::default();
        while let Some(place) = todo.pop() {
            let place = self.end(place, 0);
            if seen.len() >= MOST_TESTS || !seen.insert(place) {
                continue;
            }
            if let Some(test) = Test::at(self.machine, place)
                && self.decides(&test).is_none()
            {
                *open.entry(test.slot).or_default() += 1;
                todo.extend([test.no, test.yes]);
            }
        }
        open.into_iter().max_by_key(|(slot, count)| (*count, *slot == first.slot, Reverse(*slot))).map(|(slot, _)| slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::view::Slice;
    use kerf_testing::Random;
    use kerf_testing::language::program;
    use std::fmt::Write;
    use std::sync::Arc;

    /// A loop of guards over few variables, with tests of one variable in several forms.
    fn guards(rng: &mut Random) -> crate::program::Program {
        const NAMES: [&str; 4] = ["a", "b", "c", "in"];
        let mut text = String::from("int a = 1; int b = 2; u8 c = 3; int in = 0; while (in != 9) { in = input(); ");
        for i in 0..12 {
            let mut guard = String::new();
            for _ in 0..1 + rng.below(3) {
                let (name, k) = (rng.pick(&NAMES), rng.below(5));
                let test = match rng.below(4) {
                    0 => format!("{name} == {k}"),
                    1 => format!("{name} < {k}"),
                    2 => format!("{k} < {name} + 1"),
                    _ => format!("({name} & 6) == {k}"),
                };
                write!(guard, "if ({test}) ").unwrap();
            }
            let (name, k) = (rng.pick(&NAMES[..3]), rng.below(5));
            write!(text, "{guard} {{ {name} = {k}; if (a == 4) b = {i}; }} ").unwrap();
        }
        text.push_str("if (b == 77) error(); }");
        let cfa = program(&text);
        let slice = Slice::whole(&cfa);
        crate::program::Program::new(Arc::new(cfa), slice)
    }

    /// Where a tree leads, tests lead one by one.
    #[test]
    fn trees_lead_where_tests_do() {
        let mut skipped = 0;
        for seed in 0..20 {
            let mut rng = Random::new(seed);
            let program = guards(&mut rng);
            let machine = Machine::new(&program);
            let classes = Classes::new(&program, &machine);
            let mut trees = Trees::new(&machine);
            for _ in 0..200 {
                let place = rng.below(machine.code.len() as u64) as Place;
                if !trees.begins_at(place) {
                    continue;
                }
                let values: Vec<Range> = machine.slots.iter().map(|_| Range::point(rng.below(6) as i64)).collect();
                let end = trees.descend((&machine, &classes), &values, place);
                let mut at = place;
                while at != end {
                    at = match (machine.code[at as usize], Test::at(&machine, at)) {
                        (Code::Goto(next), _) => next,
                        (_, Some(test)) => {
                            skipped += 1;
                            let holds = test.holds(&machine, values[test.slot as usize]).expect("points decide");
                            if holds { test.yes } else { test.no }
                        }
                        (code, None) => panic!("seed {seed}: from {place} past {at} ({code:?}), but not to {end}"),
                    };
                }
            }
        }
        assert!(skipped > 1_000, "{skipped}");
    }
}
