//! Binary relations between variables: which of =, !=, <, <=, > and >= hold [Dangl 2013, 3.2.1.2, 4.7].
//!
//! Two numbers are less, equal or greater, as unsigned numbers and as signed ones; a relation is the set of the orders that are possible
//! in either reading. Conditions between two variables restrict it. Adding 1 to a number that is less than another one makes it at most
//! that: so `while (i < n) i++;` keeps `i <= n`.

use cfa::bv::BvCmp;
use cfa::{Sort, Term, Terms, VarId};
use imbl::OrdMap;

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const ANY: u8 = 7;

/// The orders that are possible between two numbers of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orders {
    unsigned: u8,
    signed: u8,
}

impl Orders {
    /// Nothing is known.
    pub(super) const ANY: Orders = Orders { unsigned: ANY, signed: ANY };
    /// The numbers are equal.
    pub(super) const EQUAL: Orders = Orders { unsigned: EQUAL, signed: EQUAL };
    /// The numbers differ.
    pub(super) const UNEQUAL: Orders = Orders { unsigned: LESS | GREATER, signed: LESS | GREATER };

    /// The orders that are possible if these are in each reading: numbers that are equal in one are equal in the other.
    fn new(unsigned: u8, signed: u8) -> Orders {
        let equal = unsigned & signed & EQUAL;
        let (unsigned, signed) = (unsigned & !EQUAL | equal, signed & !EQUAL | equal);
        match (unsigned, signed) {
            (0, _) | (_, 0) => Orders { unsigned: 0, signed: 0 },
            (EQUAL, _) | (_, EQUAL) => Orders::EQUAL,
            _ => Orders { unsigned, signed },
        }
    }

    /// The orders of numbers that compare so, or do not if not `truth`.
    pub(super) fn of(cmp: BvCmp, truth: bool) -> Orders {
        let (is_signed, holds) = match cmp {
            BvCmp::Ult => (false, LESS),
            BvCmp::Ule => (false, LESS | EQUAL),
            BvCmp::Slt => (true, LESS),
            BvCmp::Sle => (true, LESS | EQUAL),
        };
        let orders = if truth { holds } else { ANY & !holds };
        if is_signed { Orders::new(ANY, orders) } else { Orders::new(orders, ANY) }
    }

    /// Whether no order is possible.
    pub(super) fn is_none(self) -> bool {
        self.unsigned == 0
    }

    /// The orders that are in both.
    pub(super) fn intersect(self, other: Orders) -> Orders {
        Orders::new(self.unsigned & other.unsigned, self.signed & other.signed)
    }

    /// The orders that are in either.
    pub(super) fn union(self, other: Orders) -> Orders {
        Orders::new(self.unsigned | other.unsigned, self.signed | other.signed)
    }

    /// Whether all these orders are in `other`.
    pub(super) fn is_subset(self, other: Orders) -> bool {
        self.intersect(other) == self
    }

    /// The orders of the numbers the other way round.
    fn flipped(self) -> Orders {
        let flip = |orders: u8| orders & EQUAL | (orders & LESS) << 2 | (orders & GREATER) >> 2;
        Orders::new(flip(self.unsigned), flip(self.signed))
    }

    /// The orders after `k` was added to the first number.
    fn after_adding(self, k: i64) -> Orders {
        match k {
            0 => self,
            1 => self.after_increment(),
            -1 => self.after_decrement(),
            _ => Orders::ANY,
        }
    }

    /// The orders after 1 was added to the first number, which may wrap around.
    fn after_increment(self) -> Orders {
        // A number less than another one is not the greatest.
        let grown = |orders: u8| match orders {
            LESS => LESS | EQUAL,
            EQUAL => LESS | GREATER,
            _ => ANY,
        };
        Orders::new(grown(self.unsigned), grown(self.signed))
    }

    /// The orders after 1 was subtracted from the first number: those of an increment, mirrored.
    fn after_decrement(self) -> Orders {
        self.flipped().after_increment().flipped()
    }

    /// What these orders say of the values `a` and `b`, as Bool terms.
    fn conditions(self, terms: &mut Terms, a: Term, b: Term) -> Vec<Term> {
        let mut all = Vec::new();
        for (orders, less, at_most) in [(self.unsigned, BvCmp::Ult, BvCmp::Ule), (self.signed, BvCmp::Slt, BvCmp::Sle)]
        {
            all.extend(match orders {
                LESS => Some(terms.cmp(less, a, b)),
                GREATER => Some(terms.cmp(less, b, a)),
                _ if orders == LESS | EQUAL => Some(terms.cmp(at_most, a, b)),
                _ if orders == GREATER | EQUAL => Some(terms.cmp(at_most, b, a)),
                EQUAL => Some(terms.eq(a, b)),
                _ if orders == LESS | GREATER => {
                    let same = terms.eq(a, b);
                    Some(terms.not(same))
                }
                _ => None,
            });
        }
        all.dedup();
        all
    }
}

/// A relation of two variables of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Relation {
    orders: Orders,
    width: u32,
}

/// The known relations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Relations {
    /// By pairs of variables, the one with the smaller number first.
    all: OrdMap<(VarId, VarId), Relation>,
}

impl Relations {
    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The pairs of variables about which something is known, with their width and the possible orders.
    pub(super) fn iter(&self) -> impl Iterator<Item = ((VarId, VarId), u32, Orders)> + '_ {
        self.all.iter().map(|(pair, r)| (*pair, r.width, r.orders))
    }

    /// The possible orders of `a` and `b`.
    pub(super) fn orders(&self, a: VarId, b: VarId) -> Orders {
        match a.cmp(&b) {
            std::cmp::Ordering::Equal => Orders::EQUAL,
            std::cmp::Ordering::Less => self.all.get(&(a, b)).map_or(Orders::ANY, |r| r.orders),
            std::cmp::Ordering::Greater => self.all.get(&(b, a)).map_or(Orders::ANY, |r| r.orders.flipped()),
        }
    }

    /// Sets the possible orders of two different variables of `width` bits.
    pub(super) fn set(&mut self, a: VarId, b: VarId, width: u32, orders: Orders) {
        let (pair, orders) = if a < b { ((a, b), orders) } else { ((b, a), orders.flipped()) };
        if orders == Orders::ANY {
            self.all.remove(&pair);
        } else {
            self.all.insert(pair, Relation { orders, width });
        }
    }

    /// Forgets `v`. What is known of `heir`, whose value is that of `v` and a constant, follows from its relations.
    pub(super) fn forget(&mut self, v: VarId, heir: Option<(VarId, i64)>) {
        for (other, width, orders) in self.of(v) {
            self.set(v, other, width, Orders::ANY);
            if let Some((heir, k)) = heir.filter(|(heir, _)| *heir != other) {
                let both = self.orders(heir, other).intersect(orders.after_adding(k));
                self.set(heir, other, width, both);
            }
        }
    }

    /// Adds `k` to `v`.
    pub(super) fn shift(&mut self, v: VarId, k: i64) {
        for (other, width, orders) in self.of(v) {
            self.set(v, other, width, orders.after_adding(k));
        }
    }

    /// The relations of `v`: the other variables, their widths, and the orders of `v` and them.
    fn of(&self, v: VarId) -> Vec<(VarId, u32, Orders)> {
        let about = self.all.iter().filter(|((a, b), _)| *a == v || *b == v);
        about
            .map(|((a, b), r)| if *a == v { (*b, r.width, r.orders) } else { (*a, r.width, r.orders.flipped()) })
            .collect()
    }

    /// What is known, as Bool terms over variables.
    pub(super) fn conditions(&self, terms: &mut Terms) -> Vec<Term> {
        let mut all = Vec::new();
        for ((a, b), width, orders) in self.iter() {
            let [a, b] = [a, b].map(|v| terms.var(v, Sort::Bv(width)));
            all.extend(orders.conditions(terms, a, b));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::bv::Bv;

    const WIDTH: u32 = 3;

    /// The orders of two numbers.
    fn orders(a: u64, b: u64) -> Orders {
        let [a, b] = [a, b].map(|k| Bv::new(WIDTH, k));
        let all = [BvCmp::Ult, BvCmp::Ule, BvCmp::Slt, BvCmp::Sle];
        all.into_iter().map(|cmp| Orders::of(cmp, Bv::compare(cmp, &a, &b))).fold(Orders::ANY, Orders::intersect)
    }

    fn pairs() -> impl Iterator<Item = (u64, u64)> {
        (0..1 << WIDTH).flat_map(|a| (0..1 << WIDTH).map(move |b| (a, b)))
    }

    /// All sets of orders that comparisons can tell.
    fn sets() -> Vec<Orders> {
        (0..64).map(|bits| Orders::new(bits & 7, bits >> 3)).collect()
    }

    #[test]
    fn changes_keep_all_possible_orders() {
        let next = |k: u64, step: u64| (k + step) % (1 << WIDTH);
        for set in sets() {
            for (a, b) in pairs().filter(|(a, b)| orders(*a, *b).is_subset(set)) {
                assert!(orders(b, a).is_subset(set.flipped()), "{a} {b} {set:?}");
                assert!(orders(next(a, 1), b).is_subset(set.after_increment()), "{a} {b} {set:?}");
                assert!(orders(next(a, (1 << WIDTH) - 1), b).is_subset(set.after_decrement()), "{a} {b} {set:?}");
            }
        }
    }

    #[test]
    fn sets_of_orders_form_a_lattice() {
        for a in sets() {
            for b in sets() {
                let (both, either) = (a.intersect(b), a.union(b));
                assert!(both.is_subset(a) && both.is_subset(b), "{a:?} {b:?}");
                assert!(a.is_subset(either) && b.is_subset(either), "{a:?} {b:?}");
                let held = |s: Orders| pairs().filter(move |(x, y)| !s.is_none() && orders(*x, *y).is_subset(s));
                assert!(held(a).filter(|(x, y)| orders(*x, *y).is_subset(b)).eq(held(both)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn conditions_say_what_is_known() {
        for set in sets().into_iter().filter(|s| !s.is_none()) {
            for (a, b) in pairs() {
                let mut terms = Terms::default();
                let [x, y] = [a, b].map(|k| terms.int(WIDTH, k));
                let told = set.conditions(&mut terms, x, y);
                let holds = told.iter().all(|t| terms.as_bool(*t) == Some(true));
                assert_eq!(holds, orders(a, b).is_subset(set), "{a} {b} {set:?}");
            }
        }
    }

    #[test]
    fn a_counter_stays_at_most_its_bound() {
        let (i, n) = (VarId(7), VarId(3));
        let mut known = Relations::default();
        known.set(i, n, 32, Orders::of(BvCmp::Slt, true));
        known.shift(i, 1);
        assert_eq!(known.orders(i, n), Orders::of(BvCmp::Sle, true));
        known.forget(n, Some((VarId(9), 0)));
        assert_eq!(known.orders(VarId(9), i), Orders::of(BvCmp::Slt, false));
        assert_eq!(known.orders(i, n), Orders::ANY);
        // What was less by one is not greater.
        known.set(i, n, 32, Orders::of(BvCmp::Ult, true));
        known.forget(i, Some((VarId(1), 1)));
        assert_eq!(known.orders(VarId(1), n), Orders::of(BvCmp::Ule, true));
        known.forget(VarId(1), None);
        known.forget(n, None);
        assert!(known.is_empty());
    }
}
