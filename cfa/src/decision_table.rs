//! Decision tables: which of many guards may hold, without testing them one by one.
//!
//! Code of guarded assignments is a chain of tests of few variables:
//!
//! ```text
//! 5: if a = 1 then 6 else 7        6: if in = 2 then .. else 7
//! 7: if a = 5 then 8 else 9        8: if in = 3 then .. else 9        ...
//! ```
//!
//! The tests from 5 on are a *rule*: they lead to 7, where the next rule begins, or elsewhere; then the rule *applies*. So are those from 7
//! on. A table has a bit for each rule, each variable, and each class of values of the variable: whether the rule may apply there, whatever
//! the other variables are. The rules that may apply in a state are those whose bits are set for all variables; an execution goes on at the first of
//! them. 64 rules take one `and` for each variable, and the table is built once, in time that is linear in the number of tests.
//!
//! This is exact for guards that are conjunctions of tests of different variables, and otherwise skips fewer rules than it might.

use crate::Range;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Maximum number of tests of a rule.
const MOST_TESTS: usize = 64;

/// Minimum number of rules in a chain: to test a few ones takes no longer than to look them up.
const FEWEST_RULES: usize = 3;

/// Maximum number of classes of a variable that has bits.
const MOST_CLASSES: u32 = 1_024;

/// Maximum number of places one after the other where nothing happens that are looked at.
const MOST_GOTOS: usize = 1_000;

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

    /// A range with all values of classes of a variable; there may be fewer classes than the last number says.
    fn all_of(&self, variable: Variable, classes: Touched) -> Range;
}

/// No rule.
const NONE: u32 = u32::MAX;

/// At most 64 rules of a chain, one after the other.
struct Block {
    /// The index of the first rule.
    first: u32,
    /// A bit for each rule that may apply at all.
    all: u64,
    /// Where execution goes on if no rule from some of them on applies.
    after: Place,
    /// Its columns: from the first one up to the last one, excluded.
    columns: [u32; 2],
}

/// The bits of one variable for the rules of a block.
struct Column {
    variable: Variable,
    /// The least class that the variable may have.
    least: u32,
    /// The bits of the first class; those of the others follow.
    bits: u32,
    classes: u32,
}

/// The tables of some code; by default, of none.
#[derive(Default)]
pub struct Tables {
    /// For each place, the block of the rule that begins there, times 64, plus its place in the block; or [`NONE`].
    rules: Vec<u32>,
    /// Where each rule begins.
    begins: Vec<Place>,
    blocks: Vec<Block>,
    columns: Vec<Column>,
    bits: Vec<u64>,
    /// For each variable, a range and the classes that it touches: hardly any variable changes from one table to the next.
    known: Vec<(Range, Touched)>,
}

impl Tables {
    /// The tables of code with `places`. Cost: linear in their number, and for each test in the number of classes of the variables of
    /// its rule.
    pub fn new(tests: &impl Tests, places: usize) -> Tables {
        let graph = Graph::new(tests, places);
        let mut tables = Tables { rules: vec![NONE; places], ..Tables::default() };
        let mut order: Vec<Place> = (0..places as Place).filter(|p| graph.sides[*p as usize].is_some()).collect();
        order.sort_by_key(|p| std::cmp::Reverse(graph.heights[*p as usize]));
        // Places where a rule begins, or that are inside one.
        let mut seen: FxHashSet<Place> = FxHashSet::default();
        for place in order {
            let mut chain: Vec<Rule> = Vec::new();
            let mut at = Some(place);
            while let Some(place) = at.filter(|p| !seen.contains(p)) {
                seen.insert(place);
                let rule = graph.rule(place);
                at = rule.as_ref().map(|rule| rule.next);
                if let Some(rule) = rule {
                    seen.extend(rule.tests.iter().copied());
                    chain.push(rule);
                }
            }
            if chain.len() >= FEWEST_RULES {
                chain.chunks(64).for_each(|rules| tables.add(tests, &graph, rules));
            }
        }
        let variables = tables.columns.iter().map(|c| c.variable as usize + 1).max().unwrap_or(0);
        let known = |v: usize| (Range::TRUTH, tests.touched(v as Variable, Range::TRUTH));
        tables.known = (0..variables).map(known).collect();
        tables
    }

    /// Adds a block of rules.
    fn add(&mut self, tests: &impl Tests, graph: &Graph, rules: &[Rule]) {
        let Some(last) = rules.last() else { return };
        let mut columns: Vec<(Column, Vec<u64>)> = Vec::new();
        let mut number: FxHashMap<Variable, Option<usize>> = FxHashMap::default();
        let (first, mut all) = (self.begins.len() as u32, 0);
        for (i, rule) in rules.iter().enumerate() {
            let begin = rule.tests[0];
            self.rules[begin as usize] = (self.blocks.len() as u32) << 6 | i as u32;
            self.begins.push(begin);
            let local = Local::new(graph, rule);
            if !local.may_apply(|_| None) {
                continue;
            }
            all |= 1 << i;
            let mut variables: SmallVec<[Variable; 16]> = local.tests.iter().map(|(_, v, _)| *v).collect();
            variables.sort_unstable();
            variables.dedup();
            for variable in variables {
                let column = *number.entry(variable).or_insert_with(|| {
                    let [least, most] = tests.touched(variable, tests.all_of(variable, [0, u32::MAX]));
                    let classes = most - least + 1;
                    (classes <= MOST_CLASSES).then(|| {
                        let column = Column { variable, least, bits: 0, classes };
                        columns.push((column, vec![u64::MAX; classes as usize]));
                        columns.len() - 1
                    })
                });
                let Some((column, bits)) = column.map(|c| &mut columns[c]) else { continue };
                for (class, bits) in bits.iter_mut().enumerate() {
                    let class = column.least + class as u32;
                    let r = tests.all_of(variable, [class, class]);
                    let holds = |(place, v, _): &Test| (*v == variable).then(|| tests.holds(*place, r)).flatten();
                    if r.lo <= r.hi && !local.may_apply(holds) {
                        *bits &= !(1 << i);
                    }
                }
            }
        }
        // Those first that leave the fewest rules.
        columns.sort_by_key(|(c, bits)| bits.iter().map(|b| b.count_ones()).sum::<u32>() / c.classes);
        let begin = self.columns.len() as u32;
        for (column, bits) in columns {
            self.columns.push(Column { bits: self.bits.len() as u32, ..column });
            self.bits.extend(bits);
        }
        self.blocks.push(Block { first, all, after: last.next, columns: [begin, self.columns.len() as u32] });
    }

    /// Whether a rule begins at `place`.
    #[inline]
    pub fn begins_at(&self, place: Place) -> bool {
        self.rules.get(place as usize).is_some_and(|rule| *rule != NONE)
    }

    /// Where an execution gets to from the rule at `place` by rules that do not apply.
    pub fn descend(&mut self, tests: &impl Tests, values: &[Range], mut place: Place) -> Place {
        while self.begins_at(place) {
            let rule = self.rules[place as usize];
            let block = &self.blocks[(rule >> 6) as usize];
            let mut may = block.all & u64::MAX << (rule & 63);
            for column in &self.columns[block.columns[0] as usize..block.columns[1] as usize] {
                if may == 0 {
                    break;
                }
                let r = values[column.variable as usize];
                let known = &mut self.known[column.variable as usize];
                if known.0 != r {
                    *known = (r, tests.touched(column.variable, r));
                }
                may &= column.bits_of(&self.bits, known.1);
            }
            if may != 0 {
                return self.begins[(block.first + may.trailing_zeros()) as usize];
            }
            place = block.after;
        }
        place
    }
}

impl Column {
    /// The rules that may apply if the variable is in one of the classes from `first` to `last`.
    #[inline]
    fn bits_of(&self, bits: &[u64], [first, last]: Touched) -> u64 {
        if first < self.least || last >= self.least + self.classes {
            return u64::MAX;
        }
        let [first, last] = [first, last].map(|class| (self.bits + (class - self.least)) as usize);
        bits[first..=last].iter().fold(0, |all, bits| all | bits)
    }
}

/// The tests of some code as a graph without cycles.
struct Graph {
    /// For each place with a test, what is tested, and where its sides lead.
    sides: Vec<Option<(Variable, [Place; 2])>>,
    /// For each test, the maximum number of tests one after the other from it on; 0 elsewhere. An edge that leads to a place that is as
    /// high or higher closes a cycle, and is not followed.
    heights: Vec<u32>,
}

/// A rule: tests in descending height, beginning with the first one, and where the next rule begins.
struct Rule {
    tests: SmallVec<[Place; 16]>,
    next: Place,
}

/// A place where all paths of tests from a rule may meet: itself, and those others that its tests would have to lead to.
struct Meeting {
    place: Place,
    others: SmallVec<[Place; 4]>,
    missed: bool,
}

impl Graph {
    fn new(tests: &impl Tests, places: usize) -> Graph {
        let follow = |mut place: Place| {
            for _ in 0..MOST_GOTOS {
                match tests.at(place) {
                    Next::Goto(next) => place = next,
                    Next::Test { .. } | Next::End => break,
                }
            }
            place
        };
        let sides = |place: Place| match tests.at(place) {
            Next::Test { variable, yes, no } => Some((variable, [follow(yes), follow(no)])),
            Next::Goto(_) | Next::End => None,
        };
        let mut graph = Graph { sides: (0..places as Place).map(sides).collect(), heights: vec![0; places] };
        graph.measure();
        graph
    }

    /// Computes heights, depth-first.
    fn measure(&mut self) {
        /// On the path that is being searched.
        const OPEN: u32 = u32::MAX;
        let Graph { sides, heights } = self;
        for root in 0..sides.len() {
            if sides[root].is_none() || heights[root] != 0 {
                continue;
            }
            let mut path: Vec<(usize, usize)> = vec![(root, 0)];
            heights[root] = OPEN;
            while let Some((place, side)) = path.last_mut() {
                let Some((_, both)) = sides[*place] else { unreachable!("a test") };
                if let Some(next) = both.get(*side) {
                    *side += 1;
                    let next = *next as usize;
                    if sides[next].is_some() && heights[next] == 0 {
                        heights[next] = OPEN;
                        path.push((next, 0));
                    }
                } else {
                    let below = both.map(|next| Some(heights[next as usize]).filter(|h| *h != OPEN).unwrap_or(0));
                    heights[*place] = 1 + below[0].max(below[1]);
                    path.pop();
                }
            }
        }
    }

    /// The tests to which the sides of the test at `place` lead, with their heights.
    fn below(&self, place: Place) -> impl Iterator<Item = (u32, Place)> + '_ {
        let height = self.heights[place as usize];
        let sides = self.sides[place as usize].into_iter().flat_map(|(_, sides)| sides);
        sides.map(|p| (self.heights[p as usize], p)).filter(move |(h, _)| (1..height).contains(h))
    }

    /// The rule that begins at `place`: the next one begins at the first test that all tests before it lead to, except those that lead away
    /// from the chain, as far as that can be seen. `None` if there is no such test nearby.
    fn rule(&self, place: Place) -> Option<Rule> {
        let mut open: BTreeSet<(u32, Place)> = self.below(place).collect();
        let mut meetings: Vec<Meeting> = Vec::new();
        while meetings.len() < MOST_TESTS
            && let Some((_, at)) = open.pop_last()
        {
            // Tests that are as high as this one or lower do not lead to it, so the others have to be reached from here.
            meetings.push(Meeting { place: at, others: open.iter().map(|(_, p)| *p).collect(), missed: false });
            if open.is_empty() {
                break;
            }
            for (height, next) in self.below(at) {
                meetings.iter_mut().for_each(|m| m.missed |= m.others.contains(&next));
                open.insert((height, next));
            }
        }
        let met = meetings.iter().position(|m| !m.missed)?;
        let tests = std::iter::once(place).chain(meetings[..met].iter().map(|m| m.place)).collect();
        Some(Rule { tests, next: meetings[met].place })
    }
}

/// Where a side of a test leads.
#[derive(Clone, Copy)]
enum Side {
    /// To another test of the rule.
    Test(usize),
    /// To the next rule.
    Next,
    /// Elsewhere: the rule applies.
    Away,
}

/// A test of a rule.
type Test = (Place, Variable, [Side; 2]);

/// The tests of a rule, each before those to which it leads.
struct Local {
    tests: SmallVec<[Test; 16]>,
}

impl Local {
    fn new(graph: &Graph, rule: &Rule) -> Local {
        let test = |(i, place): (usize, &Place)| {
            let (variable, sides) = graph.sides[*place as usize]?;
            let side = |to: Place| match rule.tests[i + 1..].iter().position(|p| *p == to) {
                _ if to == rule.next => Side::Next,
                Some(at) => Side::Test(i + 1 + at),
                None => Side::Away,
            };
            Some((*place, variable, sides.map(side)))
        };
        Local { tests: rule.tests.iter().enumerate().filter_map(test).collect() }
    }

    /// Whether the rule may apply, where `holds` says which tests hold, as far as that is known.
    fn may_apply(&self, holds: impl Fn(&Test) -> Option<bool>) -> bool {
        let mut reached = 1u128;
        for (i, test) in self.tests.iter().enumerate().take(MOST_TESTS + 1) {
            if reached >> i & 1 == 0 {
                continue;
            }
            let [yes, no] = test.2;
            let taken = match holds(test) {
                Some(true) => [yes, yes],
                Some(false) => [no, no],
                None => [yes, no],
            };
            for side in taken {
                match side {
                    Side::Test(next) => reached |= 1 << next,
                    Side::Next => {}
                    Side::Away => return true,
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code, and the constant of each test. The classes of each variable, from number 7 on, are its values from 0 to 3.
    struct Code(Vec<Next>, Vec<i64>);

    impl Code {
        fn test(&mut self, variable: Variable, k: i64, yes: Place, no: Place) {
            self.0.push(Next::Test { variable, yes, no });
            self.1.push(k);
        }

        fn end(&mut self, next: Next) {
            self.0.push(next);
            self.1.push(0);
        }
    }

    impl Tests for Code {
        fn at(&self, place: Place) -> Next {
            self.0[place as usize]
        }

        fn holds(&self, place: Place, r: Range) -> Option<bool> {
            r.equals(Range::point(self.1[place as usize])).as_truth()
        }

        fn touched(&self, _variable: Variable, r: Range) -> Touched {
            [r.lo, r.hi].map(|k| k.clamp(0, 3) as u32 + 7)
        }

        fn all_of(&self, _variable: Variable, [first, last]: Touched) -> Range {
            let [lo, hi] = [first, last].map(|class| i64::from(class.clamp(7, 10)) - 7);
            Range { lo, hi }
        }
    }

    #[test]
    fn endless_tests_are_left() {
        let mut code = Code(Vec::new(), Vec::new());
        code.test(0, 1, 1, 2);
        code.end(Next::Goto(0));
        code.end(Next::End);
        let mut tables = Tables::new(&code, 3);
        assert_eq!(tables.descend(&code, &[Range::point(1)], 0), 0);
    }

    /// 100 rules, each `if (x = i % 4 && y = i / 4 % 4 && (z = i / 16 || u = 3)) ..`: all that do not apply are skipped.
    #[test]
    fn rules_that_do_not_apply_are_skipped() {
        let mut code = Code(Vec::new(), Vec::new());
        for i in 0..100 {
            let (at, next) = (6 * i, 6 * (i + 1));
            code.test(0, (i % 4).into(), at + 1, next);
            code.test(1, (i / 4 % 4).into(), at + 2, next);
            code.test(2, (i / 16).into(), at + 4, at + 3);
            code.test(3, 3, at + 4, next);
            // What the rule does, with a test of its own.
            code.test(2, 1, at + 5, at + 5);
            code.end(Next::End);
        }
        code.end(Next::End);
        let mut tables = Tables::new(&code, code.0.len());
        for state in 0..256 {
            let values = [0, 2, 4, 6].map(|shift| Range::point(state >> shift & 3));
            let applies = |i: &i64| {
                let [x, y, z, u] = values.map(|r| r.lo);
                x == i % 4 && y == i / 4 % 4 && (z == i / 16 || u == 3)
            };
            let mut at = 0;
            for _ in 0..2 {
                at = tables.descend(&code, &values, at);
            }
            let first = (0..99).find(applies).unwrap_or(99);
            // A disjunction of different variables is known as far as one of them decides it.
            assert!(i64::from(at) <= 6 * first && i64::from(at) % 6 == 0, "{state}: {at}");
            if values[3].lo == 3 {
                assert_eq!(i64::from(at), 6 * first, "{state}");
            }
        }
    }

    /// Ranges of several classes skip only what no value of theirs leads away from.
    #[test]
    fn ranges_skip_what_no_value_decides() {
        let mut code = Code(Vec::new(), Vec::new());
        for i in 0..4 {
            code.test(0, i.into(), 4, i + 1);
        }
        code.end(Next::End);
        let mut tables = Tables::new(&code, code.0.len());
        assert_eq!(tables.descend(&code, &[Range { lo: 2, hi: 3 }], 0), 2);
    }
}
