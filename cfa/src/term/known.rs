//! What is known of addresses where a term is made: in which ranges they are, and which blocks of memory lie apart.
//!
//! An object whose address a program computes with lies anywhere, at a place that is a symbol of a formula. All that is known of it are
//! conditions: its bytes are where programs have their memory, and no other object has one of them. Accesses at such addresses are
//! decided by these conditions alone, mostly, as accesses at constant ones are by their numbers. In terms that are made while they are
//! known ([`Terms::know`]), a read passes over a write to another block, and comparisons fold that tell blocks apart:
//!
//! ```text
//! known:  a + 8 <= b or b + 4 <= a   (unsigned, without wrap-around)
//! (read (write m (+ b 1) x) (+ a 3))   becomes   (read m (+ a 3))
//! (= (+ a 3) b)                        becomes   false
//! (bvult (- (+ a 3) b) 4)              becomes   false
//!
//! known, too:  256 < i  and  i < 261
//! (read (write m (+ b 1) x) (+ a (- i 257)))   becomes   (read m (+ a (- i 257)))
//! ```

use super::{Kind, Sort, Term, Terms};
use crate::bv::{BvCmp, BvOp, mask};
use crate::bytes::Bytes;
use imbl::OrdMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Conditions on addresses that hold where terms are made. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub struct Known(Option<Arc<Facts>>);

/// Bounds of `t + plus`, where `t` has at most 64 bits and the sum wraps around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    plus: u64,
    least: u64,
    greatest: u64,
}

/// The length of a block, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Bytes(u64),
    /// The value of a term.
    Of(Term),
}

/// A block that begins `start` bytes after a term, or after 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    start: u64,
    length: Length,
}

/// A term, or 0, from which blocks are counted.
type Base = Option<Term>;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Facts {
    /// Bounds of sums, by their terms.
    bounds: OrdMap<Term, Vec<Bounds>>,
    /// Pairs of blocks that share no byte, neither of which wraps around; the smaller base first.
    apart: OrdMap<(Base, Base), Vec<(Block, Block)>>,
    /// The least and the greatest value of other terms, which may be indices.
    ranges: OrdMap<Term, (u64, u64)>,
}

impl PartialEq for Known {
    fn eq(&self, other: &Known) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (None, None) => true,
            _ => false,
        }
    }
}

impl Known {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What is known if all `conditions`, Bools, hold as well.
    pub fn and(&self, terms: &Terms, conditions: &[Term]) -> Known {
        let mut learner = Learner { terms, known: self.clone() };
        learner.learn(conditions);
        learner.known
    }

    /// What is known if one or the other is: what both say, and indices within the ranges of both.
    pub fn or(&self, other: &Known) -> Known {
        let (Some(a), Some(b)) = (&self.0, &other.0) else { return Known::default() };
        if Arc::ptr_eq(a, b) {
            return self.clone();
        }
        let hull = |(t, (least, greatest)): (&Term, &(u64, u64))| {
            let (other_least, other_greatest) = b.ranges.get(t)?;
            Some((*t, (*least.min(other_least), *greatest.max(other_greatest))))
        };
        let facts = Facts {
            bounds: common(&a.bounds, &b.bounds),
            apart: common(&a.apart, &b.apart),
            ranges: a.ranges.iter().filter_map(hull).collect(),
        };
        Known((facts != Facts::default()).then(|| Arc::new(facts)))
    }

    /// Whether two ranges of bytes lie apart: in blocks that do, or by bounds.
    fn are_apart(&self, terms: &Terms, a: Place, b: Place, width: u32) -> bool {
        let none = Facts::default();
        let facts = self.0.as_deref().unwrap_or(&none);
        if facts.places_apart(terms, a, b, width) {
            return true;
        }
        let (around_a, around_b) = (facts.around(terms, a), facts.around(terms, b));
        let with = |a: Place, around_b: &[Place]| around_b.iter().any(|b| facts.places_apart(terms, a, *b, width));
        with(a, &around_b) || around_a.iter().any(|a| facts.places_apart(terms, *a, b, width) || with(*a, &around_b))
    }

    /// Whether two bit-vectors cannot be equal.
    fn differ(&self, terms: &Terms, a: Term, b: Term) -> bool {
        let Some(facts) = &self.0 else { return false };
        if terms.width(a) > 64 {
            return false;
        }
        if self.are_apart(terms, place(terms, (a, 1)), place(terms, (b, 1)), terms.width(a)) {
            return true;
        }
        let Some(k) = terms.as_u64(b) else { return false };
        let (Some(x), plus) = based(terms, a) else { return false };
        let width = mask(terms.width(a));
        let excludes = |bounds: &Bounds| {
            let value = k.wrapping_sub(plus).wrapping_add(bounds.plus) & width;
            value < bounds.least || value > bounds.greatest
        };
        facts.bounds.get(&x).is_some_and(|all| all.iter().any(excludes))
    }

    /// The truth of a comparison, if it is known.
    fn order(&self, terms: &Terms, cmp: BvCmp, a: Term, b: Term) -> Option<bool> {
        let facts = self.0.as_ref()?;
        let width = terms.width(a);
        if width > 64 {
            return None;
        }
        if cmp == BvCmp::Ult && self.is_elsewhere(terms, a, b) {
            return Some(false);
        }
        let ((a_least, a_greatest), (b_least, b_greatest)) = (facts.range(terms, a), facts.range(terms, b));
        let signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
        if signed && a_greatest.max(b_greatest) > mask(width) >> 1 {
            return None;
        }
        match cmp {
            BvCmp::Ult | BvCmp::Slt if a_greatest < b_least => Some(true),
            BvCmp::Ult | BvCmp::Slt if a_least >= b_greatest => Some(false),
            BvCmp::Ule | BvCmp::Sle if a_greatest <= b_least => Some(true),
            BvCmp::Ule | BvCmp::Sle if a_least > b_greatest => Some(false),
            _ => None,
        }
    }

    /// Whether `distance`, that of an address in one block from the start of another one, is not less than `length`, which is at most
    /// the length of the other one.
    fn is_elsewhere(&self, terms: &Terms, distance: Term, length: Term) -> bool {
        let Some(facts) = &self.0 else { return false };
        let (Some(difference), plus) = based(terms, distance) else { return false };
        if terms.kind(difference) != Kind::Bv(BvOp::Sub) {
            return false;
        }
        let (x, y) = (terms.args(difference)[0], terms.args(difference)[1]);
        let width = mask(terms.width(x));
        let wanted = terms.as_u64(length);
        let place = Place { base: Some(x), at: plus, bytes: 1 };
        // The address is place + start if the other block begins at y + start.
        let is_before = |place: Place, own: &Block, other: &Block| {
            let offset = place.at.wrapping_add(other.start).wrapping_sub(own.start) & width;
            let long_enough = match (other.length, wanted) {
                (Length::Of(t), _) if t == length => true,
                (_, Some(n)) => n <= facts.least_length(terms, other.length),
                _ => false,
            };
            let end = offset.checked_add(place.bytes);
            long_enough && end.is_some_and(|end| end <= facts.least_length(terms, own.length))
        };
        let y = Some(y);
        let is_apart = |place: Place| {
            let x = place.base;
            if x <= y {
                facts
                    .apart
                    .get(&(x, y))
                    .is_some_and(|pairs| pairs.iter().any(|(own, other)| is_before(place, own, other)))
            } else {
                facts
                    .apart
                    .get(&(y, x))
                    .is_some_and(|pairs| pairs.iter().any(|(other, own)| is_before(place, own, other)))
            }
        };
        is_apart(place) || facts.around(terms, place).into_iter().any(is_apart)
    }
}

impl Facts {
    /// Whether two ranges of bytes lie apart, by what is said of their bases.
    fn places_apart(&self, terms: &Terms, a: Place, b: Place, width: u32) -> bool {
        // The greatest end of a range, unless it may wrap around.
        let span = |p: Place| {
            let (least, greatest) = self.range_of_sum(terms, p.base, p.at, width);
            greatest.checked_add(p.bytes).filter(|end| *end <= mask(width)).map(|end| (least, end))
        };
        if let (Some(a), Some(b)) = (span(a), span(b))
            && (a.1 <= b.0 || b.1 <= a.0)
        {
            return true;
        }
        let holds = |block: &Block, p: Place| {
            let offset = p.at.wrapping_sub(block.start) & mask(width);
            offset.checked_add(p.bytes).is_some_and(|end| end <= self.least_length(terms, block.length))
        };
        let (x, y) = (a.base, b.base);
        let (key, first, second) = match x <= y {
            true => ((x, y), a, b),
            false => ((y, x), b, a),
        };
        let mut pairs = self.apart.get(&key).into_iter().flatten();
        pairs.any(|(p, q)| (holds(p, first) && holds(q, second)) || (x == y && holds(q, first) && holds(p, second)))
    }

    /// Larger ranges of bytes that a range whose base is a sum lies in, each counted from one part of the sum: an element of an array, of
    /// which it is known where the array begins and how large the index may be.
    fn around(&self, terms: &Terms, place: Place) -> SmallVec<[Place; 4]> {
        /// Maximum number of parts of a sum.
        const MOST_PARTS: usize = 4;
        let mut around = SmallVec::new();
        let Some((parts, constant)) = place.base.and_then(|sum| terms.addends(sum)) else { return around };
        let is_sum = (2..=MOST_PARTS).contains(&parts.len()) && parts.iter().all(|(_, negative)| !negative);
        let (true, Some(constant)) = (is_sum, constant.to_u64()) else { return around };
        let at = place.at.wrapping_add(constant);
        for (i, (base, _)) in parts.iter().enumerate() {
            let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, (t, _))| self.range(terms, *t));
            let spread = |(at, bytes): (u64, u64), (least, greatest): (u64, u64)| {
                Some((at.wrapping_add(least), bytes.checked_add(greatest - least)?))
            };
            if let Some((at, bytes)) = others.into_iter().try_fold((at, place.bytes), spread) {
                around.push(Place { base: Some(*base), at: at & mask(terms.width(*base)), bytes });
            }
        }
        around
    }

    /// The least and the greatest value of a bit-vector of at most 64 bits.
    fn range(&self, terms: &Terms, t: Term) -> (u64, u64) {
        let width = mask(terms.width(t));
        if let Some(k) = terms.as_u64(t) {
            return (k, k);
        }
        let args = terms.args(t);
        let (mut least, mut greatest) = match terms.kind(t) {
            Kind::Zext => self.range(terms, args[0]),
            Kind::Sext => {
                let range = self.range(terms, args[0]);
                if is_positive(terms, args[0], range) { range } else { (0, width) }
            }
            Kind::Bv(BvOp::Mul) => match (terms.as_u64(args[1]), self.range(terms, args[0])) {
                (Some(k), (least, greatest)) if greatest.checked_mul(k).is_some_and(|product| product <= width) => {
                    (least * k, greatest * k)
                }
                _ => (0, terms.upper_bound(t) as u64),
            },
            Kind::Concat => {
                let ((h0, h1), (l0, l1)) = (self.range(terms, args[0]), self.range(terms, args[1]));
                let low = terms.width(args[1]);
                (h0 << low | l0, h1 << low | l1)
            }
            Kind::Bv(BvOp::Add) => match based(terms, t) {
                (Some(x), k) if x != t => self.range_of_sum(terms, Some(x), k, terms.width(t)),
                _ => (0, terms.upper_bound(t) as u64),
            },
            _ => (0, terms.upper_bound(t) as u64),
        };
        if let Some(known) = self.ranges.get(&t) {
            (least, greatest) = (least.max(known.0), greatest.min(known.1));
        }
        // Bounds of t - c, ascending by c: where t is at least c, they are bounds of t.
        let mut below: Vec<(u64, &Bounds)> =
            self.bounds.get(&t).into_iter().flatten().map(|b| (b.plus.wrapping_neg() & width, b)).collect();
        below.sort_unstable_by_key(|(c, _)| *c);
        for (c, bounds) in below {
            if c == 0 {
                greatest = greatest.min(bounds.greatest);
            }
            if least >= c {
                least = least.max(bounds.least.saturating_add(c).min(width));
            }
        }
        (least.min(greatest), greatest)
    }

    /// The least and the greatest value of a sum.
    fn range_of_sum(&self, terms: &Terms, base: Base, k: u64, width: u32) -> (u64, u64) {
        let Some(x) = base else { return (k, k) };
        if let Some(known) = self.bounds_at(x, k) {
            return known;
        }
        let (least, greatest) = self.range(terms, x);
        // The sum of each value of the range wraps around, or that of none.
        let wraps = |v: u64| v.checked_add(k).is_none_or(|sum| sum > mask(width));
        match wraps(least) == wraps(greatest) {
            true => (least.wrapping_add(k) & mask(width), greatest.wrapping_add(k) & mask(width)),
            false => (0, mask(width)),
        }
    }

    fn bounds_at(&self, t: Term, plus: u64) -> Option<(u64, u64)> {
        let bounds = self.bounds.get(&t)?.iter().find(|b| b.plus == plus)?;
        Some((bounds.least, bounds.greatest))
    }

    fn least_length(&self, terms: &Terms, length: Length) -> u64 {
        match length {
            Length::Bytes(n) => n,
            Length::Of(t) => self.range(terms, t).0,
        }
    }

    fn greatest_length(&self, terms: &Terms, length: Length) -> u64 {
        match length {
            Length::Bytes(n) => n,
            Length::Of(t) => self.range(terms, t).1,
        }
    }
}

/// Some bytes: where they begin, counted from a base, and their number.
#[derive(Clone, Copy)]
struct Place {
    base: Base,
    at: u64,
    bytes: u64,
}

fn place(terms: &Terms, (address, bytes): (Term, u64)) -> Place {
    let (base, at) = based(terms, address);
    Place { base, at, bytes }
}

/// `t`, of at most 64 bits, as a base plus a constant.
fn based(terms: &Terms, t: Term) -> (Base, u64) {
    let (x, k) = terms.split_constant(t);
    (x, k.to_u64().expect("at most 64 bits"))
}

/// Finds out what conditions say.
struct Learner<'a> {
    terms: &'a Terms,
    known: Known,
}

impl Learner<'_> {
    fn learn(&mut self, conditions: &[Term]) {
        let terms = self.terms;
        let (mut work, mut either) = (conditions.to_vec(), Vec::new());
        while let Some(c) = work.pop() {
            match (terms.kind(c), terms.args(c)) {
                (Kind::And, args) => work.extend(args),
                (Kind::Or, &[a, b]) => either.push((a, b)),
                (Kind::Not, &[a]) if terms.kind(a) == Kind::Eq => {
                    self.learn_unequal(terms.args(a)[0], terms.args(a)[1])
                }
                _ => {
                    if let Some((strict, a, b)) = order(terms, c) {
                        self.learn_order(strict, a, b);
                    }
                }
            }
        }
        // Which blocks do not wrap around follows from bounds.
        for (a, b) in either {
            self.learn_apart(a, b);
        }
    }

    /// `a < b`, or `a <= b` if not `strict`: bounds, if one of them is a constant.
    fn learn_order(&mut self, strict: bool, a: Term, b: Term) {
        let terms = self.terms;
        let greatest = mask(terms.width(a));
        if let Some(k) = terms.as_u64(a) {
            if let Some(least) = k.checked_add(u64::from(strict)) {
                self.bound(b, least, greatest);
            }
        } else if let Some(k) = terms.as_u64(b)
            && let Some(greatest) = k.checked_sub(u64::from(strict))
        {
            self.bound(a, 0, greatest);
        }
    }

    fn learn_unequal(&mut self, a: Term, b: Term) {
        let terms = self.terms;
        if let (Sort::Bv(w @ ..=64), Some(k)) = (terms.sort(a), terms.as_u64(b)) {
            let plus = k.wrapping_neg() & mask(w);
            self.insert(a, Bounds { plus, least: 1, greatest: mask(w) });
        }
    }

    fn bound(&mut self, t: Term, least: u64, greatest: u64) {
        let terms = self.terms;
        if least > greatest {
            return;
        }
        match (terms.kind(t), terms.args(t)) {
            (Kind::Zext, &[x]) => self.bound(x, least, greatest.min(mask(terms.width(x)))),
            (Kind::Sext, &[x]) if is_positive(terms, x, (least, greatest)) => self.bound(x, least, greatest),
            // The high part of t is that of its bounds, rounded inwards.
            (Kind::Concat, &[high, low]) => {
                let (Some(k), w) = (terms.as_u64(low), terms.width(low)) else { return };
                let least = least.saturating_sub(k).div_ceil(1 << w);
                if let Some(greatest) = greatest.checked_sub(k) {
                    self.bound(high, least, greatest >> w);
                }
            }
            _ => {
                if let (Some(x), plus) = based(terms, t) {
                    self.insert(x, Bounds { plus, least, greatest });
                }
            }
        }
    }

    /// Adds bounds of a sum with a term. Of terms that are compared with constants as they are, there are many, hardly any of which is an
    /// address: of these, only their ranges are known.
    fn insert(&mut self, t: Term, bounds: Bounds) {
        let known = self.known.0.as_ref().and_then(|facts| facts.bounds.get(&t));
        let before = known.and_then(|all| all.iter().find(|b| b.plus == bounds.plus));
        let is_new = match before {
            Some(b) => bounds.least > b.least || bounds.greatest < b.greatest,
            None => bounds.plus != 0 || known.is_some() || self.terms.kind(t) == Kind::Zext,
        };
        if !is_new {
            self.insert_range(t, bounds);
            return;
        }
        let all = Arc::make_mut(self.known.0.get_or_insert_default()).bounds.entry(t).or_default();
        match all.iter_mut().find(|b| b.plus == bounds.plus) {
            Some(b) => {
                b.least = b.least.max(bounds.least);
                b.greatest = b.greatest.min(bounds.greatest);
            }
            None => all.push(bounds),
        }
    }

    /// Adds bounds of a term that is no address, unless there are few values that it can have at all.
    fn insert_range(&mut self, t: Term, bounds: Bounds) {
        const NARROW: u32 = 8;
        if bounds.plus != 0 || self.terms.width(t) <= NARROW {
            return;
        }
        let none = Facts::default();
        let (least, greatest) = self.known.0.as_deref().unwrap_or(&none).range(self.terms, t);
        let range = (least.max(bounds.least), greatest.min(bounds.greatest));
        if range != (least, greatest) && range.0 <= range.1 {
            Arc::make_mut(self.known.0.get_or_insert_default()).ranges.insert(t, range);
        }
    }

    /// One of two conditions holds: if one says that a block ends where another one begins, or before, and the other one the converse, then
    /// they lie apart.
    fn learn_apart(&mut self, a: Term, b: Term) {
        let terms = self.terms;
        let (Some((false, end_x, y)), Some((false, end_y, x))) = (order(terms, a), order(terms, b)) else { return };
        let (Some(x), Some(y)) = (widened(terms, x, end_x), widened(terms, y, end_y)) else { return };
        let (Some(own), Some(other)) = (length(terms, x, end_x), length(terms, y, end_y)) else { return };
        if self.wraps(x, own) || self.wraps(y, other) {
            return;
        }
        let ((x, start_x), (y, start_y)) = (based(terms, x), based(terms, y));
        let own = Block { start: start_x, length: own };
        let other = Block { start: start_y, length: other };
        let (key, pair) = if x <= y { ((x, y), (own, other)) } else { ((y, x), (other, own)) };
        let known = self.known.0.as_ref().and_then(|facts| facts.apart.get(&key));
        if !known.is_some_and(|pairs| pairs.contains(&pair)) {
            Arc::make_mut(self.known.0.get_or_insert_default()).apart.entry(key).or_default().push(pair);
        }
    }

    /// Whether the end of the block of this length that begins at `start` may wrap around.
    fn wraps(&self, start: Term, length: Length) -> bool {
        let none = Facts::default();
        let facts = self.known.0.as_deref().unwrap_or(&none);
        let (last, bytes) = (facts.range(self.terms, start).1, facts.greatest_length(self.terms, length));
        last.checked_add(bytes).is_none_or(|end| end > mask(self.terms.width(start)))
    }
}

/// Whether values of `t` in a range are not negative as signed numbers.
fn is_positive(terms: &Terms, t: Term, (_, greatest): (u64, u64)) -> bool {
    greatest <= mask(terms.width(t)) >> 1
}

/// `c` as `a < b` (`true`) or `a <= b` (`false`), unsigned, of at most 64 bits.
fn order(terms: &Terms, c: Term) -> Option<(bool, Term, Term)> {
    let (strict, a, b) = match (terms.kind(c), terms.args(c)) {
        (Kind::Cmp(BvCmp::Ult), &[a, b]) => (true, a, b),
        (Kind::Cmp(BvCmp::Ule), &[a, b]) => (false, a, b),
        (Kind::Not, &[d]) => match (terms.kind(d), terms.args(d)) {
            (Kind::Cmp(BvCmp::Ult), &[a, b]) => (false, b, a),
            (Kind::Cmp(BvCmp::Ule), &[a, b]) => (true, b, a),
            _ => return None,
        },
        _ => return None,
    };
    (terms.width(a) <= 64).then_some((strict, a, b))
}

/// What two maps of facts have in common.
fn common<K: Ord + Clone, F: Eq + Clone>(a: &OrdMap<K, Vec<F>>, b: &OrdMap<K, Vec<F>>) -> OrdMap<K, Vec<F>> {
    if a == b {
        return a.clone();
    }
    let of_both = |(key, facts): (&K, &Vec<F>)| {
        let others = b.get(key)?;
        let common: Vec<F> = facts.iter().filter(|fact| others.contains(fact)).cloned().collect();
        (!common.is_empty()).then(|| (key.clone(), common))
    };
    a.iter().filter_map(of_both).collect()
}

/// The start of a block, of which comparisons with constants have left out high bits that are zero, as wide as its end.
fn widened(terms: &Terms, start: Term, end: Term) -> Option<Term> {
    if terms.as_u64(start).is_some() || terms.width(start) == terms.width(end) {
        return Some(start);
    }
    based(terms, end).0.filter(|base| terms.kind(*base) == Kind::Zext && terms.args(*base)[0] == start)
}

/// What is added to `start` to get `end`: a constant, or one term.
fn length(terms: &Terms, start: Term, end: Term) -> Option<Length> {
    let ((x, at), (y, until)) = (based(terms, start), based(terms, end));
    if x == y {
        return Some(Length::Bytes(until.wrapping_sub(at) & mask(terms.width(start))));
    }
    let y = y?;
    let is_sum = at == until && terms.kind(y) == Kind::Bv(BvOp::Add);
    let &[a, b] = terms.args(y) else { return None };
    match is_sum {
        true if Some(a) == x => Some(Length::Of(b)),
        true if Some(b) == x => Some(Length::Of(a)),
        _ => None,
    }
}

impl Terms {
    /// Makes terms under these conditions from now on. The terms made are equal to those made without them where they hold.
    pub fn know(&mut self, known: &Known) {
        if self.known == *known {
            return;
        }
        if !known.is_empty() && self.reads_known.0 != *known {
            self.reads_known = (known.clone(), FxHashMap::default());
        }
        self.known = known.clone();
    }

    /// Whether it is known that ranges, numbers of bytes that begin at addresses, share no byte.
    pub(super) fn known_apart(&self, a: (Term, u64), b: (Term, u64)) -> bool {
        let width = self.width(a.0);
        width <= 64 && self.known.are_apart(self, place(self, a), place(self, b), width)
    }

    /// Whether it is known that ranges of bytes, counted from these bases, share no byte.
    pub(super) fn known_hulls_apart(&self, a: (Base, Bytes), b: (Base, Bytes)) -> bool {
        let place = |(base, r): (Base, Bytes)| Place { base, at: r.first, bytes: (r.last - r.first).saturating_add(1) };
        let Some(width) = a.0.or(b.0).map(|t| self.width(t)) else { return false };
        width <= 64 && self.known.are_apart(self, place(a), place(b), width)
    }

    /// Whether something is known of the base of an address.
    pub fn is_known_address(&self, t: Term) -> bool {
        let (Some(facts), Sort::Bv(..=64)) = (&self.known.0, self.sort(t)) else { return false };
        let mut at = based(self, t).0;
        while let Some(base) = at {
            if facts.bounds.contains_key(&base) {
                return true;
            }
            at = match self.kind(base) {
                Kind::Zext | Kind::Concat => based(self, self.args(base)[0]).0,
                _ => None,
            };
        }
        false
    }

    pub(super) fn known_different(&self, a: Term, b: Term) -> bool {
        !self.known.is_empty() && self.known.differ(self, a, b)
    }

    pub(super) fn known_order(&self, cmp: BvCmp, a: Term, b: Term) -> Option<bool> {
        if self.known.is_empty() { None } else { self.known.order(self, cmp, a, b) }
    }
}
