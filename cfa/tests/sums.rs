//! Tests of sums of multiples, as addresses of elements are: what is made of them has the values that arithmetic gives.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::{Value, eval};
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use kerf_testing::Random;
use rustc_hash::FxHashMap;

/// Width of all numbers but their parts.
const WIDTH: u32 = 8;
/// Number of random pools of terms.
const SEEDS: u64 = 4000;

/// Terms with their values.
struct Pool {
    rng: Random,
    terms: Terms,
    model: FxHashMap<SymId, Value>,
    all: Vec<(Term, Bv)>,
}

impl Pool {
    fn random(seed: u64) -> Pool {
        let mut pool =
            Pool { rng: Random::new(seed), terms: Terms::new(), model: FxHashMap::default(), all: Vec::new() };
        for width in [WIDTH, WIDTH, 3, 2, 4] {
            let s = pool.terms.fresh_sym("x", Sort::Bv(width));
            let value = Bv::new(width, pool.rng.below(1 << width));
            pool.model.insert(s, Value::Bv(value.clone()));
            let t = pool.terms.sym(s);
            let t = pool.terms.zext(WIDTH, t);
            pool.all.push((t, value.zext(WIDTH)));
        }
        for _ in 0..20 {
            let made = pool.make();
            pool.all.push(made);
        }
        pool
    }

    fn below(&mut self, n: u64) -> u64 {
        self.rng.below(n)
    }

    fn any(&mut self) -> (Term, Bv) {
        let i = self.below(self.all.len() as u64) as usize;
        self.all[i].clone()
    }

    /// Any term plus a small constant.
    fn near(&mut self) -> (Term, Bv) {
        let ((t, v), k) = (self.any(), self.below(6));
        (self.terms.add_int(t, k), Bv::apply(BvOp::Add, &v, &Bv::new(WIDTH, k)))
    }

    fn make(&mut self) -> (Term, Bv) {
        let ((a, x), (b, y)) = (self.any(), self.any());
        let op = match self.below(13) {
            10 => [BvOp::Or, BvOp::Xor, BvOp::And][self.below(3) as usize],
            11 => {
                // A sum, a product or a choice of narrow numbers, extended.
                let (narrow, op) = (2 + self.below(5) as u32, [BvOp::Add, BvOp::Mul, BvOp::Or][self.below(3) as usize]);
                let [(a, x), (b, y)] =
                    [(a, x), (b, y)].map(|(t, v)| (self.terms.extract(narrow - 1, 0, t), v.extract(narrow - 1, 0)));
                let made = self.terms.bv_op(op, a, b);
                return (self.terms.zext(WIDTH, made), Bv::apply(op, &x, &y).zext(WIDTH));
            }
            12 => {
                let op = [BvOp::Urem, BvOp::Udiv][self.below(2) as usize];
                let k = Bv::new(WIDTH, [1, 3, 7, 20, 100, 0][self.below(6) as usize]);
                let divisor = self.terms.constant(&k);
                return (self.terms.bv_op(op, a, divisor), Bv::apply(op, &x, &k));
            }
            0..=2 => BvOp::Add,
            3 | 4 => BvOp::Sub,
            5 => {
                let k = [2, 4, 8, 12, 3][self.below(5) as usize];
                let k = Bv::new(WIDTH, k);
                let factor = self.terms.constant(&k);
                return (self.terms.bv_op(BvOp::Mul, a, factor), Bv::apply(BvOp::Mul, &x, &k));
            }
            6 => {
                // Shifted, as a part with zeros.
                let n = 1 + self.below(3) as u32;
                let (part, zeros) = (self.terms.extract(WIDTH - 1 - n, 0, a), self.terms.int(n, 0));
                return (self.terms.concat(part, zeros), x.extract(WIDTH - 1 - n, 0).concat(&Bv::new(n, 0)));
            }
            7 => {
                // Taken apart in two or three, and put together.
                let (i, j) = (1 + self.below(3) as u32, 4 + self.below(3) as u32);
                let (high, middle, low) = (
                    self.terms.extract(WIDTH - 1, j, a),
                    self.terms.extract(j - 1, i, a),
                    self.terms.extract(i - 1, 0, a),
                );
                let (left, right) = (self.terms.concat(high, middle), self.terms.concat(middle, low));
                let whole =
                    if self.below(2) == 0 { self.terms.concat(left, low) } else { self.terms.concat(high, right) };
                return (whole, x);
            }
            8 => {
                // One of two places.
                let (c, less) = (self.terms.cmp(BvCmp::Ult, a, b), Bv::compare(BvCmp::Ult, &x, &y));
                let (k, n) = (self.below(256), self.below(256));
                let (s, t) = (self.terms.int(WIDTH, k), self.terms.int(WIDTH, n));
                let (choice, value) = (self.terms.ite(c, s, t), Bv::new(WIDTH, if less { k } else { n }));
                return match self.below(2) {
                    0 => (choice, value),
                    _ => (self.terms.add(choice, a), Bv::apply(BvOp::Add, &value, &x)),
                };
            }
            _ => {
                let (hi, lo) = (4 + self.below(4) as u32, self.below(4) as u32);
                let part = self.terms.extract(hi, lo, a);
                return (self.terms.zext(WIDTH, part), x.extract(hi, lo).zext(WIDTH));
            }
        };
        (self.terms.bv_op(op, a, b), Bv::apply(op, &x, &y))
    }

    fn value(&self, t: Term) -> Value {
        let leaf = |l: Leaf| match l {
            Leaf::Sym(s) => self.model.get(&s).cloned(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        };
        eval(&self.terms, t, &mut { leaf }).expect("all symbols have values")
    }
}

#[test]
fn sums_have_the_values_of_arithmetic() {
    for seed in 0..SEEDS {
        let mut pool = Pool::random(seed);
        for (t, v) in pool.all.clone() {
            assert_eq!(pool.value(t), Value::Bv(v.clone()), "seed {seed}");
            let zeros = pool.terms.trailing_zeros(t);
            assert!(v.is_zero() || v.trailing_zeros() >= zeros, "seed {seed}: {zeros} zeros of {v:?}");
            let most = pool.terms.upper_bound(t);
            assert!(v.to_u64().is_some_and(|v| u128::from(v) <= most), "seed {seed}: {v:?} is above {most}");
        }
        for _ in 0..20 {
            let ((a, x), (b, y)) = (pool.near(), pool.near());
            let (same, less) = (pool.terms.eq(a, b), pool.terms.cmp(BvCmp::Ult, a, b));
            assert_eq!(pool.value(same), Value::Bool(x == y), "seed {seed}");
            assert_eq!(pool.value(less), Value::Bool(Bv::compare(BvCmp::Ult, &x, &y)), "seed {seed}");
        }
    }
}

#[test]
fn numbers_made_of_parts_are_concatenations() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(8)));
    let [x32, y32] = [x, y].map(|t| terms.zext(32, t));
    let eight = terms.int(32, 8);
    let high = terms.bv_op(BvOp::Shl, x32, eight);
    let both = terms.bv_op(BvOp::Or, y32, high);
    let parts = terms.concat(x, y);
    assert_eq!(both, terms.zext(32, parts));
    assert_eq!(terms.extract(7, 0, both), y);
    assert_eq!(terms.extract(15, 8, both), x);
}

#[test]
fn sums_that_do_not_wrap_around_are_extended() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(8)));
    let sum = |terms: &mut Terms, width: u32| {
        let (a, b) = (terms.zext(width, x), terms.zext(width, y));
        terms.add(a, b)
    };
    let (narrow, wide, tight) = (sum(&mut terms, 16), sum(&mut terms, 64), sum(&mut terms, 8));
    assert_eq!(terms.zext(64, narrow), wide);
    assert_ne!(terms.zext(64, tight), wide);
    assert_eq!(terms.extract(15, 0, wide), narrow);
    // 255 + 255 = 510.
    for (divisor, is_whole) in [(511, true), (510, false)] {
        let divisor = terms.int(64, divisor);
        assert_eq!(terms.bv_op(BvOp::Urem, wide, divisor) == wide, is_whole);
    }
    let (more, divisor, three) = (terms.add_int(wide, 1537), terms.int(64, 512), terms.int(64, 3));
    let rest = terms.add_int(wide, 1);
    assert_eq!((terms.bv_op(BvOp::Udiv, more, divisor), terms.bv_op(BvOp::Urem, more, divisor)), (three, rest));
    let high = terms.extract(20, 9, wide);
    assert_eq!(terms.as_u64(high), Some(0));
}

#[test]
fn wide_numbers_have_all_their_bits() {
    let mut terms = Terms::new();
    let wide = terms.fresh("x", Sort::Bv(200));
    let sum = terms.add(wide, wide);
    for (hi, lo) in [(163, 100), (199, 140), (199, 199), (190, 64)] {
        for t in [wide, sum] {
            let part = terms.extract(hi, lo, t);
            assert_eq!(terms.kind(part), Kind::Extract { hi, lo });
            let (bits, most) = (hi - lo + 1, terms.upper_bound(part));
            assert!(bits > 64 || most == (1 << bits) - 1, "{most} of {bits} bits");
        }
    }
    // A few bits in front of many zeros, or behind them.
    let narrow = terms.fresh("y", Sort::Bv(8));
    let (zeros, extended) = (terms.int(192, 0), terms.zext(200, narrow));
    let shifted = terms.concat(narrow, zeros);
    let joined = terms.bv_op(BvOp::Or, shifted, extended);
    for (hi, lo, whole) in [(7, 0, Some(narrow)), (199, 192, Some(narrow)), (191, 150, None)] {
        let part = terms.extract(hi, lo, joined);
        match whole {
            Some(whole) => assert_eq!(part, whole),
            None => assert_eq!(terms.as_u64(part), Some(0)),
        }
    }
}

#[test]
fn addresses_that_are_copied_in_parts_are_put_together() {
    let mut terms = Terms::new();
    let place = terms.fresh("place", Sort::Bv(43));
    let (usual, zeros) = (terms.int(43, 4_398_046_511_250), terms.int(4, 0));
    let sum = terms.add(place, usual);
    let begin = terms.concat(sum, zeros);
    let begin = terms.zext(64, begin);
    let address = terms.add_int(begin, 274_877_906_944);
    for at in [4, 8, 12, 16, 40] {
        let (high, low) = (terms.extract(63, at, address), terms.extract(at - 1, 0, address));
        assert_eq!(terms.concat(high, low), address, "{at} bits");
    }
    let bytes: Vec<Term> = (0..8).map(|i| terms.extract(8 * i + 7, 8 * i, address)).collect();
    let whole = bytes.into_iter().reduce(|low, high| terms.concat(high, low));
    assert_eq!(whole, Some(address));
    let (four, wide) = (terms.int(68, 4), terms.zext(68, address));
    let shifted = terms.bv_op(BvOp::Shl, wide, four);
    assert_eq!(terms.extract(67, 4, shifted), address);
    let above = terms.extract(67, 64, wide);
    assert_eq!(terms.as_u64(above), Some(0));
}

#[test]
fn extensions_of_shared_sums_cost_what_is_shared() {
    let mut terms = Terms::new();
    let bit = terms.fresh("bit", Sort::Bv(1));
    let mut sum = terms.zext(40, bit);
    let mut other = sum;
    for _ in 0..38 {
        (sum, other) = (terms.add(sum, other), terms.add(other, sum));
    }
    let before = terms.len();
    terms.zext(64, sum);
    assert!(terms.len() - before < 500, "{} terms", terms.len() - before);
}

/// Reads after writes, and after copies, at addresses of which often no more is known than what they are multiples of.
#[test]
fn elements_are_those_of_a_plain_array() {
    for seed in 0..SEEDS {
        let mut pool = Pool::random(seed);
        let zero = pool.terms.int(8, 0);
        let (mut m, mut plain) = (pool.terms.const_array(WIDTH, zero), [0_u8; 1 << WIDTH]);
        for k in 1..7_u8 {
            let (at, place) = pool.near();
            let (at, place) = if pool.below(2) == 0 { pool.any() } else { (at, place) };
            let place = place.to_u64().expect("a byte") as usize;
            if pool.below(4) == 0 {
                let (from, source) = pool.any();
                let (n, source) = (pool.terms.int(WIDTH, 17), source.to_u64().expect("a byte") as usize);
                m = pool.terms.copy(m, at, m, from, n);
                let before = plain;
                (0..17).for_each(|i| plain[(place + i) % plain.len()] = before[(source + i) % plain.len()]);
            } else {
                let bytes = [1, 2, 4][pool.below(3) as usize];
                let value = pool.terms.int(bytes * 8, u64::from(k) * 0x0102_0304);
                m = pool.terms.write(m, at, value);
                let parts = (u32::from(k) * 0x0102_0304).to_le_bytes();
                (0..bytes as usize).for_each(|i| plain[(place + i) % plain.len()] = parts[i]);
            }
        }
        for _ in 0..10 {
            let ((at, place), bytes) = (pool.near(), [1, 2, 4][pool.below(3) as usize]);
            let place = place.to_u64().expect("a byte") as usize;
            let read = pool.terms.read(m, at, bytes * 8);
            let parts = (0..bytes as usize).rev();
            let want = parts.fold(0, |all, i| all << 8 | u64::from(plain[(place + i) % plain.len()]));
            assert_eq!(pool.value(read), Value::Bv(Bv::new(bytes * 8, want)), "seed {seed}");
        }
    }
}

/// Two elements of 16 bytes with unknown indices: a field is never another one, and is the same if the indices are.
#[test]
fn fields_of_elements_are_told_apart() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let element = |t: &mut Terms, base: Term| {
        let index = t.fresh("i", Sort::Bv(5));
        let (wide, sixteen) = (t.zext(64, index), t.int(64, 16));
        let offset = t.bv_op(BvOp::Mul, wide, sixteen);
        (index, t.add(base, offset))
    };
    let base = t.fresh("base", Sort::Bv(64));
    let ((i, a), (j, b)) = (element(t, base), element(t, base));
    let same = t.eq(a, b);
    assert_eq!(same, t.eq(i, j));
    let next = t.add_int(b, 8);
    let never = t.eq(a, next);
    assert_eq!(t.as_bool(never), Some(false));
    let m = t.fresh("m", Sort::Array { index: 64, elem: 8 });
    let value = t.fresh("value", Sort::Bv(64));
    let written = t.write(m, next, value);
    let read = t.read(written, a, 64);
    assert_eq!(t.args(read), [m, a]);
    // So it is with a size that is no power of two, as long as nothing wraps around.
    let (x, y) = (t.zext(64, i), t.zext(64, j));
    let size = t.int(64, 24);
    let (a, b) = (t.bv_op(BvOp::Mul, x, size), t.bv_op(BvOp::Mul, y, size));
    let (a, b) = (t.add(base, a), t.add(base, b));
    assert_eq!(t.eq(a, b), same);
    let (next, after) = (t.add_int(b, 8), t.add_int(b, 24));
    let never = t.eq(a, next);
    assert_eq!(t.as_bool(never), Some(false));
    let one_less = t.add_int(y, 1);
    assert_eq!(t.eq(a, after), t.eq(x, one_less));
    let written = t.write(m, next, value);
    let read = t.read(written, a, 64);
    assert_eq!(t.args(read), [m, a]);
    // An address that was copied in parts is the same one.
    let (high, low) = (t.extract(63, 40, next), t.extract(39, 0, next));
    assert_eq!(t.concat(high, low), next);
    assert_eq!(t.kind(next), Kind::Bv(BvOp::Add));
}

/// Each round of a hash function has the one before twice in it, so that its bits have exponentially many ways to the input.
#[test]
fn parts_of_shared_terms_cost_what_is_shared() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let mut hash = t.fresh("h", Sort::Bv(64));
    for i in 0..100 {
        let shift = t.int(64, 7 + i % 9);
        let shifted = t.bv_op(if i % 2 == 0 { BvOp::Lshr } else { BvOp::Shl }, hash, shift);
        let mixed = t.bv_op(BvOp::Xor, hash, shifted);
        hash = t.add(mixed, hash);
    }
    let (high, low) = (t.extract(63, 17, hash), t.extract(16, 0, hash));
    let joined = t.concat(high, low);
    assert_eq!(t.width(joined), 64);
}
