//! Binary decision diagrams over the bits of one word, most significant bit first, to read a condition of bits as intervals.
//!
//! In this order the diagram of `lo <= x <= hi` has at most two nodes for each bit, and a path from left to right passes the
//! values of the word from 0 on (Bryant, IEEE Trans. Computers 35(8), 1986, of the diagrams).

use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of nodes.
const MAX_NODES: usize = 20_000;

/// A node; 0 is `false`, 1 is `true`.
pub(crate) type Node = u32;

/// The diagram of `false`.
pub(crate) const FALSE: Node = 0;
/// The diagram of `true`.
pub(crate) const TRUE: Node = 1;

/// Diagrams that share their nodes.
pub(crate) struct Bdds {
    /// Bit, and the nodes for the bit being 0 and 1. A node's bit is higher than those of its successors.
    nodes: Vec<(u32, Node, Node)>,
    index: FxHashMap<(u32, Node, Node), Node>,
    choices: FxHashMap<(Node, Node, Node), Node>,
}

/// An interval, both ends included.
pub(crate) type Interval = (u64, u64);

impl Bdds {
    /// The constants.
    pub(crate) fn new() -> Bdds {
        Bdds {
            nodes: vec![(0, FALSE, FALSE), (0, TRUE, TRUE)],
            index: FxHashMap::default(),
            choices: FxHashMap::default(),
        }
    }

    fn node(&mut self, bit: u32, zero: Node, one: Node) -> Option<Node> {
        if zero == one {
            return Some(zero);
        }
        if let Some(&n) = self.index.get(&(bit, zero, one)) {
            return Some(n);
        }
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        let n = self.nodes.len() as Node;
        self.nodes.push((bit, zero, one));
        self.index.insert((bit, zero, one), n);
        Some(n)
    }

    /// The diagram of a bit.
    pub(crate) fn bit(&mut self, bit: u32) -> Option<Node> {
        self.node(bit, FALSE, TRUE)
    }

    /// The bit of a node, plus one; 0 for constants.
    fn height(&self, n: Node) -> u32 {
        if n <= TRUE { 0 } else { self.nodes[n as usize].0 + 1 }
    }

    fn cofactor(&self, n: Node, height: u32, one: bool) -> Node {
        if self.height(n) != height {
            return n;
        }
        let (_, zero_node, one_node) = self.nodes[n as usize];
        if one { one_node } else { zero_node }
    }

    /// If `c` then `t`, else `e`; `None` if there are too many nodes. Its recursion is no deeper than a word has bits.
    pub(crate) fn ite(&mut self, c: Node, t: Node, e: Node) -> Option<Node> {
        match c {
            TRUE => return Some(t),
            FALSE => return Some(e),
            _ if t == e => return Some(t),
            _ if t == TRUE && e == FALSE => return Some(c),
            _ => {}
        }
        if let Some(&known) = self.choices.get(&(c, t, e)) {
            return Some(known);
        }
        let height = [c, t, e].map(|n| self.height(n)).into_iter().max().unwrap_or(0);
        let [zero, one] = [false, true].map(|b| [c, t, e].map(|n| self.cofactor(n, height, b)));
        let zero = self.ite(zero[0], zero[1], zero[2])?;
        let one = self.ite(one[0], one[1], one[2])?;
        let made = self.node(height - 1, zero, one)?;
        self.choices.insert((c, t, e), made);
        Some(made)
    }

    /// The negation.
    pub(crate) fn not(&mut self, n: Node) -> Option<Node> {
        self.ite(n, FALSE, TRUE)
    }

    /// The conjunction.
    pub(crate) fn and(&mut self, a: Node, b: Node) -> Option<Node> {
        self.ite(a, b, FALSE)
    }

    /// The nodes of `n` without the constants, each with its bit and the nodes for the bit being 0 and 1, which come before it.
    pub(crate) fn below(&self, n: Node) -> Vec<(Node, u32, Node, Node)> {
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let mut stack = vec![n];
        let mut found = Vec::new();
        while let Some(n) = stack.pop() {
            if n > TRUE && seen.insert(n) {
                let (bit, zero, one) = self.nodes[n as usize];
                found.push((n, bit, zero, one));
                stack.extend([zero, one]);
            }
        }
        // Nodes are made after those below them.
        found.sort_unstable();
        found
    }

    /// The lowest and the highest bit on which `n` depends.
    pub(crate) fn support(&self, n: Node) -> Option<(u32, u32)> {
        let bits = self.below(n).into_iter().map(|(_, bit, ..)| bit);
        Some((bits.clone().min()?, bits.max()?))
    }

    /// The values of the bits `lo` to `hi` (at most 64, and all on which `n` depends) for which `n` holds, as intervals in ascending
    /// order that do not touch; `None` if there are more than `max`. With `flip`, the highest bit is inverted, which makes the
    /// order that of signed numbers.
    pub(crate) fn intervals(&self, n: Node, (lo, hi): (u32, u32), flip: bool, max: usize) -> Option<Vec<Interval>> {
        let mut found: Vec<Interval> = Vec::new();
        // Nodes still to be visited, each with the next bit plus one and the bits before it.
        let mut stack = vec![(n, hi + 1, 0u64)];
        while let Some((n, height, prefix)) = stack.pop() {
            if n <= TRUE || height == lo {
                if n == FALSE {
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
            let [zero, one] = [false, true].map(|b| self.cofactor(n, height, b));
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
        for table in 0u32..256 {
            let mut bdds = Bdds::new();
            let mut all = FALSE;
            for value in (0..8).filter(|v| (table >> v) & 1 == 1) {
                let mut one = TRUE;
                for bit in 0..3 {
                    let b = bdds.bit(bit).unwrap();
                    let b = if (value >> bit) & 1 == 1 { b } else { bdds.not(b).unwrap() };
                    one = bdds.and(one, b).unwrap();
                }
                all = bdds.ite(one, TRUE, all).unwrap();
            }
            for flip in [false, true] {
                let intervals = bdds.intervals(all, (0, 2), flip, 8).unwrap();
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
        let mut bdds = Bdds::new();
        let top = bdds.bit(63).unwrap();
        assert_eq!(bdds.intervals(TRUE, (0, 63), false, 1), Some(vec![(0, u64::MAX)]));
        assert_eq!(bdds.intervals(top, (0, 63), false, 1), Some(vec![(1 << 63, u64::MAX)]));
        assert_eq!(bdds.intervals(top, (0, 63), true, 1), Some(vec![(0, (1 << 63) - 1)]));
        let low = bdds.bit(0).unwrap();
        assert_eq!(bdds.intervals(low, (0, 63), false, 4), None);
        assert_eq!(bdds.support(low), Some((0, 0)));
    }
}
