//! The tests of a machine for [decision tables](cfa::decision_table): those of one variable, or of a copy that is made for the test.

use super::classes::Classes;
use super::machine::{Code, Machine, Place, Slot};
use cfa::Range;
use cfa::decision_table::{Next, Tests, Touched};

/// A machine, and the classes of its slots.
pub(super) struct Guards<'a> {
    pub(super) machine: &'a Machine,
    pub(super) classes: &'a Classes,
}

impl Guards<'_> {
    /// The slot that the test at `place` is about, and where runs go from there.
    fn test(&self, place: Place) -> Option<(Slot, [Place; 2])> {
        match self.machine.code[place as usize] {
            Code::Equals { slot, yes, no, .. } | Code::Less { slot, yes, no, .. } => Some((slot, [yes, no])),
            Code::Test { condition, yes, no } => {
                let mut read = Vec::new();
                self.machine.reads(condition, &mut read);
                let [slot, others @ ..] = &read[..] else { return None };
                others.iter().all(|other| other == slot).then_some((*slot, [yes, no]))
            }
            _ => None,
        }
    }
}

impl Tests for Guards<'_> {
    fn at(&self, place: Place) -> Next {
        let found = match self.machine.code[place as usize] {
            Code::Goto(next) => return Next::Goto(next),
            Code::Copy(copy, from, next) if self.machine.is_temporary[copy as usize] => {
                self.test(next).filter(|(slot, _)| *slot == copy).map(|(_, sides)| (from, sides))
            }
            _ => self.test(place),
        };
        found.map_or(Next::End, |(variable, [yes, no])| Next::Test { variable, yes, no })
    }

    fn holds(&self, place: Place, r: Range) -> Option<bool> {
        match self.machine.code[place as usize] {
            Code::Copy(_, _, next) => self.holds(next, r),
            Code::Equals { k, .. } => r.equals(Range::point(k)).as_truth(),
            Code::Less { k, .. } => (r.hi < k || k <= r.lo).then_some(r.hi < k),
            Code::Test { condition, .. } => self.machine.value(condition, &|_| r).as_truth(),
            _ => None,
        }
    }

    fn touched(&self, slot: Slot, r: Range) -> Touched {
        self.classes.touched(slot, r)
    }

    fn all_of(&self, slot: Slot, classes: Touched) -> Range {
        self.classes.all_of(slot, classes, self.machine.slots[slot as usize].any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::decision_table::Tables;
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

    /// Where a table leads, tests lead one by one.
    #[test]
    fn tables_lead_where_tests_do() {
        let mut skipped = 0;
        for seed in 0..20 {
            let mut rng = Random::new(seed);
            let program = guards(&mut rng);
            let machine = Machine::new(&program);
            let classes = Classes::new(&program, &machine);
            let guards = Guards { machine: &machine, classes: &classes };
            let mut tables = Tables::new(&guards, machine.code.len());
            for _ in 0..200 {
                let place = rng.below(machine.code.len() as u64) as Place;
                if !tables.begins_at(place) {
                    continue;
                }
                let values: Vec<Range> = machine.slots.iter().map(|_| Range::point(rng.below(6) as i64)).collect();
                let end = tables.descend(&guards, &values, place);
                let mut at = place;
                while at != end {
                    at = match guards.at(at) {
                        Next::Goto(next) => next,
                        Next::Test { variable, yes, no } => {
                            skipped += 1;
                            let holds = guards.holds(at, values[variable as usize]).expect("points decide");
                            if holds { yes } else { no }
                        }
                        Next::End => panic!("seed {seed}: from {place} past {at}, but not to {end}"),
                    };
                }
            }
        }
        assert!(skipped > 1_000, "{skipped}");
    }
}
