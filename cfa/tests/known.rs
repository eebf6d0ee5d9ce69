//! Tests of terms that are made under conditions on addresses: they have the same values as without where the conditions hold.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::{Value, eval};
use cfa::term::{Kind, Known, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use kerf_testing::Random;
use rustc_hash::FxHashMap;

/// Number of random sets of conditions.
const SEEDS: u64 = 3000;

/// Addresses that are symbols with values, and what is made of them.
struct Addresses {
    rng: Random,
    terms: Terms,
    width: u32,
    model: FxHashMap<SymId, Value>,
    bases: Vec<Term>,
    lengths: Vec<Term>,
    indices: Vec<Term>,
}

impl Addresses {
    /// Small ones, so that sums often wrap around; in several forms: symbols, sums, and aligned or extended ones.
    fn random(seed: u64) -> Addresses {
        let mut rng = Random::new(seed);
        let width = [6, 7, 8, 11, 12][rng.below(5) as usize];
        let (terms, model) = (Terms::new(), FxHashMap::default());
        let (bases, lengths, indices) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Addresses { rng, terms, width, model, bases, lengths, indices };
        for _ in 0..3 {
            let base = all.base();
            all.bases.push(base);
        }
        for _ in 0..2 {
            let symbol = all.symbol(3);
            let k = all.rng.below(8);
            let sum = all.terms.add_int(symbol, k);
            let length = all.terms.zext(width, sum);
            all.lengths.push(length);
            let index = all.index();
            all.indices.push(index);
        }
        all
    }

    fn symbol(&mut self, width: u32) -> Term {
        let s = self.terms.fresh_sym("place", Sort::Bv(width));
        let value = self.rng.below(1 << width);
        self.model.insert(s, Value::Bv(Bv::new(width, value)));
        self.terms.sym(s)
    }

    /// An index of an array, or one of which only conditions may say that it is small.
    fn index(&mut self) -> Term {
        match self.rng.below(3) {
            0 => {
                let symbol = self.symbol(self.width - 1);
                let k = self.rng.below(4u64).wrapping_neg();
                let shifted = self.terms.add_int(symbol, k);
                self.terms.sext(self.width, shifted)
            }
            1 => self.symbol(self.width),
            _ => {
                let symbol = self.symbol(2);
                self.terms.zext(self.width, symbol)
            }
        }
    }

    fn base(&mut self) -> Term {
        let narrow = self.rng.below(2) as u32;
        let zeros = self.rng.below(3) as u32;
        let symbol = self.symbol(self.width - narrow - zeros);
        let k = self.rng.below(1 << self.width);
        let mut t = self.terms.add_int(symbol, k);
        if zeros > 0 {
            let low = self.terms.int(zeros, 0);
            t = self.terms.concat(t, low);
        }
        self.terms.zext(self.width, t)
    }

    /// An element of an array that begins at `base`.
    fn element(&mut self, base: Term) -> Term {
        let index = self.indices[self.rng.below(2) as usize];
        let size = 1 << self.rng.below(3);
        let size = self.terms.int(self.width, size);
        let offset = self.terms.bv_op(BvOp::Mul, index, size);
        self.terms.add(base, offset)
    }

    /// An address near one of the bases, or a constant.
    fn address(&mut self) -> Term {
        let k = self.rng.below(12u64).wrapping_sub(3);
        match self.rng.below(8) {
            0 => {
                let k = self.rng.below(1 << self.width);
                self.terms.int(self.width, k)
            }
            i => {
                let base = self.bases[i as usize % self.bases.len()];
                let base = match self.rng.below(5) {
                    0 | 1 => self.element(base),
                    2 => {
                        let (x, y) = (self.lengths[0], self.lengths[1]);
                        let (c, other) = (self.terms.cmp(BvCmp::Ult, x, y), self.bases[0]);
                        self.terms.ite(c, base, other)
                    }
                    _ => base,
                };
                self.terms.add_int(base, k)
            }
        }
    }

    fn length(&mut self) -> Term {
        match self.rng.below(3) {
            0 => self.lengths[self.rng.below(2) as usize],
            _ => {
                let n = self.rng.below(10);
                self.terms.int(self.width, n)
            }
        }
    }

    fn compare(&mut self, a: Term, b: Term) -> Term {
        match self.rng.below(5) {
            0 => self.terms.eq(a, b),
            1 => self.terms.cmp(BvCmp::Ult, a, b),
            2 => self.terms.cmp(BvCmp::Slt, a, b),
            3 => self.terms.cmp(BvCmp::Sle, a, b),
            _ => self.terms.cmp(BvCmp::Ule, a, b),
        }
    }

    /// A condition as it may be known of addresses.
    fn condition(&mut self) -> Term {
        let (a, b) = (self.address(), self.address());
        match self.rng.below(5) {
            4 => {
                let index = self.indices[self.rng.below(2) as usize];
                let k = self.rng.below(1 << self.width) >> self.rng.below(u64::from(self.width));
                let k = self.terms.int(self.width, k);
                let holds = self.compare(index, k);
                if self.rng.below(2) == 0 { self.terms.not(holds) } else { holds }
            }
            0 => {
                let (n, m) = (self.length(), self.length());
                let (end_a, end_b) = (self.terms.add(a, n), self.terms.add(b, m));
                let before = self.terms.cmp(BvCmp::Ule, end_a, b);
                let after = self.terms.cmp(BvCmp::Ule, end_b, a);
                self.terms.or(before, after)
            }
            1 => {
                let n = self.length();
                let k = self.length();
                let t = self.terms.sub(n, k);
                let least = self.rng.below(10);
                let least = self.terms.int(self.width, least);
                self.terms.cmp(BvCmp::Ult, least, t)
            }
            _ => {
                let k = self.rng.below(1 << self.width);
                let k = self.terms.int(self.width, k);
                let (a, b) = if self.rng.below(2) == 0 { (a, k) } else { (k, a) };
                let holds = self.compare(a, b);
                if self.rng.below(4) == 0 { self.terms.not(holds) } else { holds }
            }
        }
    }

    /// What an operation makes of addresses: a comparison, or what is read after writes and copies.
    fn result(&mut self, seed: u64) -> Term {
        let rng = std::mem::replace(&mut self.rng, Random::new(seed));
        let (a, b) = (self.address(), self.address());
        let result = match self.rng.below(3) {
            0 => self.compare(a, b),
            1 => {
                let (distance, n) = (self.terms.sub(a, b), self.length());
                self.compare(distance, n)
            }
            _ => {
                let zero = self.terms.int(8, 0);
                let mut m = self.terms.const_array(self.width, zero);
                for k in 1..5 {
                    let at = self.address();
                    let width = [8, 16, 32][self.rng.below(3) as usize];
                    let value = self.terms.int(width, 0x0102_0304 * k);
                    m = self.terms.write(m, at, value);
                    if self.rng.below(4) == 0 {
                        let (to, from) = (self.address(), self.address());
                        let n = self.terms.int(self.width, 17 + k);
                        m = self.terms.copy(m, to, m, from, n);
                    }
                }
                let width = [8, 16][self.rng.below(2) as usize];
                self.terms.read(m, a, width)
            }
        };
        self.rng = rng;
        result
    }

    fn value(&self, t: Term) -> Option<Value> {
        let leaf = |l: Leaf| match l {
            Leaf::Sym(s) => self.model.get(&s).cloned(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        };
        eval(&self.terms, t, &mut { leaf })
    }
}

/// Terms under conditions that hold have the values that they have without; and a good part of them are simpler.
#[test]
fn values_are_the_same_where_conditions_hold() {
    let mut simpler = 0;
    for seed in 0..SEEDS {
        let mut all = Addresses::random(seed);
        let mut conditions: Vec<Term> = (0..40).map(|_| all.condition()).collect();
        let known_elsewhere = Known::default().and(&all.terms, &conditions[..20]);
        conditions.retain(|c| all.value(*c) == Some(Value::Bool(true)));
        let (first, rest) = conditions.split_at(conditions.len() / 2);
        let known = Known::default().and(&all.terms, first).and(&all.terms, rest);
        let either = known.or(&known_elsewhere);
        for i in 0..30 {
            let plain = all.result(seed * 1000 + i);
            all.terms.know(if i < 20 { &known } else { &either });
            let under = all.result(seed * 1000 + i);
            all.terms.know(&Known::default());
            let (want, got) = (all.value(plain), all.value(under));
            assert!(want.is_some() && want == got, "seed {seed}, result {i}: {want:?}, but {got:?}");
            simpler += u64::from(plain != under);
        }
    }
    assert!(simpler > SEEDS, "{simpler} terms of {} differ", 30 * SEEDS);
}

/// The conditions of two objects that lie anywhere, the second of them a heap of a length that is not known.
#[test]
fn blocks_are_told_apart() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let place = |t: &mut Terms, usual: u64| {
        let s = t.fresh("place", Sort::Bv(47));
        let t47 = t.add_int(s, usual);
        t.zext(64, t47)
    };
    let (a, b) = (place(t, 1 << 44), place(t, 1 << 45));
    let range = t.fresh("length", Sort::Bv(41));
    let range = t.add_int(range, 1 << 40);
    let range = t.zext(64, range);
    let eight = t.int(64, 8);
    let (end_a, end_b) = (t.add(a, eight), t.add(b, range));
    let (before, after) = (t.cmp(BvCmp::Ule, end_a, b), t.cmp(BvCmp::Ule, end_b, a));
    let apart = t.or(before, after);
    // The second block of the heap: it has 24 bytes, 32 bytes from the start.
    let (offset, size) = (t.int(64, 32), t.int(64, 24));
    let left = t.sub(range, offset);
    let (begins, ends) = (t.cmp(BvCmp::Ult, offset, range), t.cmp(BvCmp::Ult, size, left));
    // Objects with fixed places, of which comparisons with the place of `a` have fewer bits.
    let (from, until) = (t.int(64, 1 << 20), t.int(64, 1 << 21));
    let (before, after) = (t.cmp(BvCmp::Ule, end_a, from), t.cmp(BvCmp::Ule, until, a));
    let not_fixed = t.or(before, after);
    let least = t.int(64, 4096);
    let mapped = t.cmp(BvCmp::Ule, least, a);
    let known = Known::default().and(t, &[apart, begins, ends, mapped, not_fixed]);

    let m = t.fresh("m", Sort::Array { index: 64, elem: 8 });
    let (last_of_a, first_of_second, behind_second) = (t.add_int(a, 7), t.add_int(b, 32), t.add_int(b, 57));
    let value = t.int(64, 5);
    let written = t.write(m, first_of_second, value);
    let null = t.int(64, 0);
    let distance = t.sub(last_of_a, b);
    for (is_known, known) in [(false, Known::default()), (true, known)] {
        t.know(&known);
        let read = t.read(written, last_of_a, 8);
        assert_eq!(t.args(read)[0] == m, is_known);
        let same = t.eq(last_of_a, first_of_second);
        assert_eq!(t.as_bool(same), is_known.then_some(false));
        let is_null = t.eq(a, null);
        assert_eq!(t.as_bool(is_null), is_known.then_some(false));
        let fixed = t.add_int(from, 100);
        let same = t.eq(last_of_a, fixed);
        assert_eq!(t.as_bool(same), is_known.then_some(false));
        let inside = t.cmp(BvCmp::Ult, distance, range);
        assert_eq!(t.as_bool(inside), is_known.then_some(false));
        // Nothing is known of what is behind the second block, nor of a word that is only in part in `a`.
        let same = t.eq(last_of_a, behind_second);
        assert_eq!(t.kind(same), Kind::Eq);
        let read = t.read(written, last_of_a, 16);
        assert_ne!(t.args(read)[0], m);
    }
}

/// An index that conditions keep within a table: what is read there lies apart from another object.
#[test]
fn conditions_give_ranges_of_indices() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (a, b) = (t.fresh("place", Sort::Bv(64)), t.fresh("place", Sort::Bv(64)));
    let (size_a, size_b) = (t.int(64, 60), t.int(64, 8));
    let (end_a, end_b) = (t.add(a, size_a), t.add(b, size_b));
    let (before, after) = (t.cmp(BvCmp::Ule, end_a, b), t.cmp(BvCmp::Ule, end_b, a));
    let apart = t.or(before, after);
    let last = t.int(64, 1 << 40);
    let (fits_a, fits_b) = (t.cmp(BvCmp::Ule, a, last), t.cmp(BvCmp::Ule, b, last));
    // The element a[i - 257] of 2 bytes, of 30.
    let i = t.fresh("i", Sort::Bv(16));
    let wide = t.zext(32, i);
    let least = t.int(32, 257);
    let index = t.sub(wide, least);
    let index = t.sext(64, index);
    let two = t.int(64, 2);
    let offset = t.bv_op(BvOp::Mul, index, two);
    let element = t.add(a, offset);
    let (first, end, later) = (t.int(16, 256), t.int(16, 287), t.int(16, 288));
    let begins = t.cmp(BvCmp::Ult, first, i);
    let m = t.fresh("m", Sort::Array { index: 64, elem: 8 });
    let value = t.int(64, 5);
    let written = t.write(m, b, value);
    let of_places = Known::default().and(t, &[fits_a, fits_b, apart]);
    for (end, is_within) in [(end, true), (later, false)] {
        let ends = t.cmp(BvCmp::Ult, i, end);
        let known = of_places.and(t, &[begins, ends]);
        t.know(&known);
        let read = t.read(written, element, 16);
        assert_eq!(t.args(read)[0] == m, is_within);
        // Of one of two states, only what both know is known.
        t.know(&known.or(&of_places));
        let read = t.read(written, element, 16);
        assert_eq!(t.args(read)[0], written);
    }
}

/// If one of two things is known, so is what both say.
#[test]
fn what_two_conditions_have_in_common_is_known_of_either() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let [a, b, i] = ["a", "b", "i"].map(|name| t.fresh(name, Sort::Bv(64)));
    let below = |t: &mut Terms, x: Term, k: u64| {
        let k = t.int(64, k);
        t.cmp(BvCmp::Ult, x, k)
    };
    let (low_a, low_b, few, more) = (below(t, a, 1 << 40), below(t, b, 1 << 40), below(t, i, 4), below(t, i, 9));
    let one = Known::default().and(t, &[low_a, few]);
    let other = Known::default().and(t, &[low_b, low_a, more]);
    assert_eq!(one.or(&other), Known::default().and(t, &[low_a, more]));
    let [only_a, only_b] = [low_a, low_b].map(|condition| Known::default().and(t, &[condition]));
    assert_ne!(only_a, only_b);
    assert!(only_a.or(&only_b).is_empty());
}
