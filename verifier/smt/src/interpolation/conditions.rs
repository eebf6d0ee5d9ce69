//! Conditions on the bits of one word, as binary decision diagrams, to be read as intervals.
//!
//! The most significant bit comes first. In this order the diagram of `lo <= x <= hi` has at most two nodes for each bit, and a path
//! from left to right passes the values of the word from 0 on (Bryant, IEEE Trans. Computers 35(8), 1986, of the diagrams).

use biodivine_lib_bdd::op_function::{and, and_not, or};
use biodivine_lib_bdd::{Bdd, BddPointer, BddVariable, BddVariableSet};

/// Maximum number of nodes of a condition.
const MAX_NODES: usize = 20_000;

/// An interval, both ends included.
pub(crate) type Interval = (u64, u64);

/// A node of a diagram: its number, its bit, and the numbers of the nodes for the bit being 0 and 1.
pub(crate) struct Node {
    pub(crate) number: usize,
    pub(crate) bit: u32,
    pub(crate) zero: usize,
    pub(crate) one: usize,
}

/// The number of the node `false`.
pub(crate) const FALSE: usize = 0;
/// The number of the node `true`.
pub(crate) const TRUE: usize = 1;

/// The bits of a word.
pub(crate) struct Bits {
    variables: BddVariableSet,
}

impl Bits {
    /// The bits of a word of `width` bits; `None` if it is too wide.
    pub(crate) fn new(width: u32) -> Option<Bits> {
        let width = u16::try_from(width).ok().filter(|width| *width < u16::MAX)?;
        Some(Bits { variables: BddVariableSet::new_anonymous(width) })
    }

    /// The condition that a bit is set.
    pub(crate) fn bit(&self, bit: u32) -> Condition {
        let first = u32::from(self.variables.num_vars()) - 1;
        Condition(self.variables.mk_var(BddVariable::from_index((first - bit) as usize)))
    }
}

/// A condition on the bits of a word. Conditions that hold for the same values are equal.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Condition(Bdd);

impl Condition {
    /// Whether it holds always, or never; `None` if that depends on the bits.
    pub(crate) fn constant(&self) -> Option<bool> {
        (self.0.is_true() || self.0.is_false()).then(|| self.0.is_true())
    }

    /// The negation.
    pub(crate) fn not(&self) -> Condition {
        Condition(self.0.not())
    }

    /// The conjunction; `None` if it has too many nodes, as for the other connectives.
    pub(crate) fn and(&self, other: &Condition) -> Option<Condition> {
        Bdd::binary_op_with_limit(MAX_NODES, &self.0, &other.0, and).map(Condition)
    }

    /// The disjunction.
    pub(crate) fn or(&self, other: &Condition) -> Option<Condition> {
        Bdd::binary_op_with_limit(MAX_NODES, &self.0, &other.0, or).map(Condition)
    }

    /// If this then `t`, else `e`.
    pub(crate) fn choose(&self, t: &Condition, e: &Condition) -> Option<Condition> {
        let other = Bdd::binary_op_with_limit(MAX_NODES, &e.0, &self.0, and_not).map(Condition)?;
        self.and(t)?.or(&other)
    }

    fn bit_of(&self, p: BddPointer) -> u32 {
        u32::from(self.0.num_vars()) - 1 - self.0.var_of(p).to_index() as u32
    }

    /// The number of the root node.
    pub(crate) fn root(&self) -> usize {
        self.0.root_pointer().to_index()
    }

    /// The nodes without the constants; those that a node leads to come before it.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        let inner = self.0.pointers().filter(|p| !p.is_terminal());
        let node = |p: BddPointer| Node {
            number: p.to_index(),
            bit: self.bit_of(p),
            zero: self.0.low_link_of(p).to_index(),
            one: self.0.high_link_of(p).to_index(),
        };
        inner.map(node).collect()
    }

    /// The lowest and the highest bit on which it depends.
    pub(crate) fn support(&self) -> Option<(u32, u32)> {
        let bits = self.0.pointers().filter(|p| !p.is_terminal()).map(|p| self.bit_of(p));
        Some((bits.clone().min()?, bits.max()?))
    }

    /// The values of the bits `lo` to `hi` (at most 64, and all on which it depends) for which it holds, as intervals in ascending
    /// order that do not touch; `None` if there are more than `max`. With `flip`, the highest bit is inverted, which makes the
    /// order that of signed numbers.
    pub(crate) fn intervals(&self, (lo, hi): (u32, u32), flip: bool, max: usize) -> Option<Vec<Interval>> {
        let mut found: Vec<Interval> = Vec::new();
        // Nodes still to be visited, each with the next bit plus one and the bits before it.
        let mut stack = vec![(self.0.root_pointer(), hi + 1, 0u64)];
        while let Some((n, height, prefix)) = stack.pop() {
            if n.is_terminal() || height == lo {
                if n.is_zero() {
                    continue;
                }
                let free = height - lo;
                let size = 1u64.checked_shl(free).map_or(u64::MAX, |s| s - 1);
                let begin = prefix.checked_shl(free).unwrap_or(0);
                match found.last_mut() {
                    Some((_, end)) if end.checked_add(1) == Some(begin) => *end = begin + size,
                    _ => found.push((begin, begin + size)),
                }
                if found.len() > max {
                    return None;
                }
                continue;
            }
            let (zero, one) = match self.bit_of(n) + 1 == height {
                true => (self.0.low_link_of(n), self.0.high_link_of(n)),
                false => (n, n),
            };
            let (first, second) = if flip && height == hi + 1 { (one, zero) } else { (zero, one) };
            // The first half of the values is visited first.
            stack.push((second, height - 1, prefix << 1 | 1));
            stack.push((first, height - 1, prefix << 1));
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All conditions on words of three bits: intervals have the values for which the condition holds.
    #[test]
    fn intervals_are_the_values() {
        let bits = Bits::new(3).unwrap();
        let (yes, no) = (bits.bit(0).or(&bits.bit(0).not()).unwrap(), bits.bit(0).and(&bits.bit(0).not()).unwrap());
        for table in 0u32..256 {
            let mut all = no.clone();
            for value in (0..8).filter(|v| (table >> v) & 1 == 1) {
                let mut one = yes.clone();
                for bit in 0..3 {
                    let b = bits.bit(bit);
                    one = one.and(&if (value >> bit) & 1 == 1 { b } else { b.not() }).unwrap();
                }
                all = one.choose(&yes, &all).unwrap();
            }
            for flip in [false, true] {
                let intervals = all.intervals((0, 2), flip, 8).unwrap();
                for value in 0..8u64 {
                    let place = if flip { value ^ 4 } else { value };
                    let inside = intervals.iter().any(|(a, b)| (*a..=*b).contains(&place));
                    assert_eq!(inside, (table >> value) & 1 == 1, "{table} {value} {intervals:?}");
                }
                assert!(intervals.windows(2).all(|w| w[0].1 + 1 < w[1].0), "{intervals:?}");
            }
        }
    }

    #[test]
    fn words_may_have_64_bits() {
        let bits = Bits::new(64).unwrap();
        let (top, low) = (bits.bit(63), bits.bit(0));
        let always = top.or(&top.not()).unwrap();
        assert_eq!(always.constant(), Some(true));
        assert_eq!(always.intervals((0, 63), false, 1), Some(vec![(0, u64::MAX)]));
        assert_eq!(top.intervals((0, 63), false, 1), Some(vec![(1 << 63, u64::MAX)]));
        assert_eq!(top.intervals((0, 63), true, 1), Some(vec![(0, (1 << 63) - 1)]));
        assert_eq!(low.intervals((0, 63), false, 4), None);
        assert_eq!(low.support(), Some((0, 0)));
    }
}
