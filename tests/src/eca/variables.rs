//! What the values of a variable are in C.

use super::Plan;
use kerf_testing::Random;

/// A variable of the program.
pub(super) struct Variable {
    pub name: String,
    values: Values,
}

enum Values {
    /// Consecutive numbers from this one on.
    From(i32),
    /// Ranges, by their last numbers, ascending. The first range has no least number and the last one no greatest, but what is assigned
    /// lies between the first of these and the last one.
    Ranges(Vec<i32>),
}

/// The widths of ranges.
const WIDTH: (usize, usize) = (20, 200);

impl Variable {
    /// The variable number `index`.
    pub(super) fn new(index: usize, plan: &Plan, random: &mut Random) -> Variable {
        let small = |n: usize| i32::try_from(n).expect("a small number");
        let values = if plan.arithmetic && index % 2 == 1 {
            let mut last = small(random.below(200usize)) - 150;
            let mut width = || small(random.between(WIDTH.0, WIDTH.1));
            let mut next = || {
                last += width();
                last
            };
            Values::Ranges((0..=plan.values).map(|_| next()).collect())
        } else {
            Values::From(small(random.below(30usize)))
        };
        Variable { name: format!("a{index}"), values }
    }

    /// The least and the greatest number that stand for a value.
    fn range(&self, value: usize) -> (i32, i32) {
        match &self.values {
            Values::From(first) => {
                let number = first + i32::try_from(value).expect("a small number");
                (number, number)
            }
            Values::Ranges(ends) => (ends[value] + 1, ends[value + 1]),
        }
    }

    /// A number that stands for a value.
    pub(super) fn number(&self, value: usize, random: &mut Random) -> i32 {
        let (least, greatest) = self.range(value);
        least + random.below(greatest.abs_diff(least) + 1).cast_signed()
    }

    /// Whether the variable has a value.
    pub(super) fn test(&self, value: usize) -> String {
        let (name, (least, greatest)) = (&self.name, self.range(value));
        match &self.values {
            Values::From(_) => format!("({name} == {least})"),
            Values::Ranges(_) if value == 0 => format!("({name} <= {greatest})"),
            Values::Ranges(ends) if value + 2 == ends.len() => format!("({} < {name})", least - 1),
            Values::Ranges(_) => format!("(({} < {name}) && ({greatest} >= {name}))", least - 1),
        }
    }

    /// An expression with that value, whatever the variable's value is. Nothing
    /// overflows: numbers are below 200 times the number of values.
    pub(super) fn assigned(&self, value: usize, random: &mut Random) -> String {
        let (name, (least, greatest)) = (&self.name, self.range(value));
        if least == greatest {
            return least.to_string();
        }
        // `x % half` lies between -half and half, both excluded.
        let (half, middle) = ((greatest - least) / 2, (greatest - least) / 2 + least);
        let offset = random.between(1, 400);
        match random.below(4) {
            0 => format!("(({name} % {half}) + {middle})"),
            1 => format!("((({name} - {offset}) % {half}) + {middle})"),
            2 => format!("((({name} * {}) % {half}) - {})", random.between(2, 9), -middle),
            _ => format!("((({name} / {}) % {half}) + {middle})", random.between(2, 9)),
        }
    }
}
