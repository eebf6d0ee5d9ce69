//! Constructors of Bool operators, `ite` and equality. There is one constructor for each operator (see also `arithmetic`, `widths`
//! and `memory`); it folds constants and normalises.
//!
//! Normal form: constants are the right operand of commutative operators; subtraction of a constant is addition; sums contain
//! at most one constant; comparisons are `Ult`, `Ule`, `Slt`, `Sle` and `Eq`. Every rewrite is an equivalence in QF_BV
//! (tested against Z3).

use super::{Kind, Sort, Term, Terms};
use crate::bv::{Bv, BvOp, mask};

/// Maximum length of a chain of conjunctions or disjunctions that is made at once.
const MAX_CHAIN: usize = 64;

impl Terms {
    /// A truth constant.
    pub fn bool(&mut self, b: bool) -> Term {
        self.intern(Kind::Bool(b), &[], Sort::Bool)
    }

    /// The constant `true`.
    pub fn tt(&mut self) -> Term {
        self.bool(true)
    }

    /// The constant `false`.
    pub fn ff(&mut self) -> Term {
        self.bool(false)
    }

    /// A bit-vector constant.
    pub fn constant(&mut self, v: &Bv) -> Term {
        let sort = Sort::Bv(v.width());
        if v.width() <= 64 {
            self.intern(Kind::Const(v.to_u64().expect("one word")), &[], sort)
        } else {
            let i = self.intern_big(v.clone());
            self.intern(Kind::BigConst(i), &[], sort)
        }
    }

    /// The constant of the low `width` bits of `value`.
    pub fn int(&mut self, width: u32, value: u64) -> Term {
        if width <= 64 {
            self.intern(Kind::Const(value & mask(width)), &[], Sort::Bv(width))
        } else {
            self.constant(&Bv::new(width, value))
        }
    }

    pub(super) fn is_const(&self, t: Term) -> bool {
        matches!(self.kind(t), Kind::Const(_) | Kind::BigConst(_))
    }

    /// Negation.
    pub fn not(&mut self, a: Term) -> Term {
        match self.kind(a) {
            Kind::Bool(b) => self.bool(!b),
            Kind::Not => self.args(a)[0],
            _ => self.intern(Kind::Not, &[a], Sort::Bool),
        }
    }

    fn complementary(&self, a: Term, b: Term) -> bool {
        (self.kind(a) == Kind::Not && self.args(a)[0] == b) || (self.kind(b) == Kind::Not && self.args(b)[0] == a)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(false), _) | (_, Some(false)) => return self.ff(),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.ff();
        }
        // Absorption one level down: a & (a & c), a & (!a & c), a & (a | c), a & (!a | c).
        for (x, y) in [(a, b), (b, a)] {
            match self.kind(y) {
                Kind::And => {
                    let (l, r) = (self.args(y)[0], self.args(y)[1]);
                    if l == x || r == x {
                        return y;
                    }
                    if self.complementary(l, x) || self.complementary(r, x) {
                        return self.ff();
                    }
                }
                Kind::Or => {
                    let (l, r) = (self.args(y)[0], self.args(y)[1]);
                    if l == x || r == x {
                        return x;
                    }
                    if self.complementary(l, x) {
                        return self.and(x, r);
                    }
                    if self.complementary(r, x) {
                        return self.and(x, l);
                    }
                }
                _ => {}
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Kind::And, &[a, b], Sort::Bool)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) | (_, Some(true)) => return self.tt(),
            (Some(false), _) => return b,
            (_, Some(false)) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.tt();
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.kind(y) {
                Kind::Or => {
                    let (l, r) = (self.args(y)[0], self.args(y)[1]);
                    if l == x || r == x {
                        return y;
                    }
                    if self.complementary(l, x) || self.complementary(r, x) {
                        return self.tt();
                    }
                }
                Kind::And => {
                    let (l, r) = (self.args(y)[0], self.args(y)[1]);
                    if l == x || r == x {
                        return x;
                    }
                    if self.complementary(l, x) {
                        return self.or(x, r);
                    }
                    if self.complementary(r, x) {
                        return self.or(x, l);
                    }
                }
                _ => {}
            }
        }
        // (g & c) | (g & !c) = g: the result of joining the two branches of a test.
        if self.kind(a) == Kind::And && self.kind(b) == Kind::And {
            let ([a0, a1], [b0, b1]) = ([self.args(a)[0], self.args(a)[1]], [self.args(b)[0], self.args(b)[1]]);
            for (g, x, h, y) in [(a0, a1, b0, b1), (a0, a1, b1, b0), (a1, a0, b0, b1), (a1, a0, b1, b0)] {
                if g == h && self.complementary(x, y) {
                    return g;
                }
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Kind::Or, &[a, b], Sort::Bool)
    }

    /// The conjunction of all of `ts`.
    pub fn and_all(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let tt = self.tt();
        self.fold(ts, tt, Terms::and)
    }

    /// The disjunction of all of `ts`.
    pub fn or_all(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let ff = self.ff();
        self.fold(ts, ff, Terms::or)
    }

    /// Combines all of `ts`, of which `neutral` is the unit. Long chains become trees: the work of a solver that flattens terms level by
    /// level, as Z3 does, is quadratic in the length of chains.
    fn fold(
        &mut self,
        ts: impl IntoIterator<Item = Term>,
        neutral: Term,
        op: impl Fn(&mut Terms, Term, Term) -> Term,
    ) -> Term {
        let mut all: Vec<Term> = ts.into_iter().collect();
        loop {
            let chain = |chunk: &[Term]| chunk.iter().fold(neutral, |sum, t| op(self, sum, *t));
            all = all.chunks(MAX_CHAIN).map(chain).collect();
            match all[..] {
                [] => return neutral,
                [one] => return one,
                _ => {}
            }
        }
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let na = self.not(a);
        self.or(na, b)
    }

    /// If `c` then `a` else `b`; both of the same sort.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        match self.kind(c) {
            Kind::Bool(true) => return a,
            Kind::Bool(false) => return b,
            Kind::Not => {
                let c = self.args(c)[0];
                return self.ite(c, b, a);
            }
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.sort(a) == Sort::Bool {
            match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => return self.or(c, b),
                (_, Some(false)) => return self.and(c, a),
                (Some(false), _) => {
                    let nc = self.not(c);
                    return self.and(nc, b);
                }
                (_, Some(true)) => {
                    let nc = self.not(c);
                    return self.or(nc, a);
                }
                _ => {}
            }
        }
        // Nested tests of the same condition.
        if self.kind(a) == Kind::Ite && self.args(a)[0] == c {
            let a = self.args(a)[1];
            return self.ite(c, a, b);
        }
        if self.kind(b) == Kind::Ite && self.args(b)[0] == c {
            let b = self.args(b)[2];
            return self.ite(c, a, b);
        }
        let sort = self.sort(a);
        self.intern(Kind::Ite, &[c, a, b], sort)
    }

    /// The truth value as a bit-vector of one bit.
    pub fn bool_to_bv(&mut self, c: Term) -> Term {
        let (one, zero) = (self.int(1, 1), self.int(1, 0));
        self.ite(c, one, zero)
    }

    /// Whether the bit-vector is not zero.
    pub fn nonzero(&mut self, t: Term) -> Term {
        let w = self.width(t);
        let zero = self.int(w, 0);
        let eq = self.eq(t, zero);
        self.not(eq)
    }

    /// `t` as `ite(c, constant, constant)`, if it has that form.
    pub(super) fn const_ite(&self, t: Term) -> Option<(Term, Term, Term)> {
        if self.kind(t) != Kind::Ite {
            return None;
        }
        let [c, a, b] = *self.args(t) else { return None };
        (self.is_const(a) && self.is_const(b)).then_some((c, a, b))
    }

    /// Equality of two terms of the same sort.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "equality of {:?} and {:?}", self.node(a), self.node(b));
        if a == b {
            return self.tt();
        }
        if self.sort(a) == Sort::Bool {
            for (x, y) in [(a, b), (b, a)] {
                if let Some(v) = self.as_bool(x) {
                    return if v { y } else { self.not(y) };
                }
            }
        }
        if self.is_const(a) && self.is_const(b) {
            return self.ff();
        }
        if let Some(same) = self.same_parts(a, b) {
            return same;
        }
        // Constants on the right; otherwise, the older term on the left.
        let (a, b) = if self.is_const(a) || (!self.is_const(b) && b < a) { (b, a) } else { (a, b) };
        if let Some(vb) = self.as_bv(b) {
            if self.known_different(a, b) {
                return self.ff();
            }
            match self.kind(a) {
                Kind::Ite => {
                    let [c, x, y] = *self.args(a) else { unreachable!("ite has three arguments") };
                    if self.is_const(x) || self.is_const(y) {
                        let (ex, ey) = (self.eq(x, b), self.eq(y, b));
                        return self.ite(c, ex, ey);
                    }
                }
                Kind::Zext => {
                    let x = self.args(a)[0];
                    let w = self.width(x);
                    if !vb.extract(vb.width() - 1, w).is_zero() {
                        return self.ff();
                    }
                    let low = self.constant(&vb.extract(w - 1, 0));
                    return self.eq(x, low);
                }
                Kind::Sext => {
                    let x = self.args(a)[0];
                    let low = vb.extract(self.width(x) - 1, 0);
                    if low.sext(vb.width()) != vb {
                        return self.ff();
                    }
                    let low = self.constant(&low);
                    return self.eq(x, low);
                }
                Kind::Bv(BvOp::Add) => {
                    if let Some(k) = self.as_bv(self.args(a)[1]) {
                        let x = self.args(a)[0];
                        let rest = self.constant(&Bv::apply(BvOp::Sub, &vb, &k));
                        return self.eq(x, rest);
                    }
                }
                Kind::Bv(BvOp::Xor) => {
                    if let Some(k) = self.as_bv(self.args(a)[1]) {
                        let x = self.args(a)[0];
                        let rest = self.constant(&Bv::apply(BvOp::Xor, &vb, &k));
                        return self.eq(x, rest);
                    }
                }
                Kind::Bv(BvOp::Sub) if vb.is_zero() => {
                    let [x, y] = *self.args(a) else { unreachable!("binary") };
                    return self.eq(x, y);
                }
                Kind::BvNot => {
                    let x = self.args(a)[0];
                    let k = self.constant(&vb.not());
                    return self.eq(x, k);
                }
                Kind::BvNeg => {
                    let x = self.args(a)[0];
                    let k = self.constant(&vb.neg());
                    return self.eq(x, k);
                }
                Kind::Concat => {
                    let [h, l] = *self.args(a) else { unreachable!("binary") };
                    let w = self.width(l);
                    let kh = self.constant(&vb.extract(vb.width() - 1, w));
                    let kl = self.constant(&vb.extract(w - 1, 0));
                    let (eh, el) = (self.eq(h, kh), self.eq(l, kl));
                    return self.and(eh, el);
                }
                _ => {}
            }
        }
        if let (Sort::Bv(_), Sort::Bv(_)) = (self.sort(a), self.sort(b))
            && let Some(same) = self.eq_of_sums(a, b)
        {
            return same;
        }
        self.intern(Kind::Eq, &[a, b], Sort::Bool)
    }

    /// The equality of two bit-vectors by what they are made of: equal offsets from the same term (x + k = x, x + k = y + k), extensions,
    /// and what is known of addresses. `None` if that does not simplify it.
    fn eq_of_sums(&mut self, a: Term, b: Term) -> Option<Term> {
        let ((xa, ka), (xb, kb)) = (self.base_offset(a), self.base_offset(b));
        if xa == xb {
            return Some(self.bool(ka == kb));
        }
        if ka == kb && !ka.is_zero() {
            return Some(self.eq(xa, xb));
        }
        if self.known_different(a, b) {
            return Some(self.ff());
        }
        if let Some((a, b)) = self.without_common(a, b) {
            return Some(self.eq(a, b));
        }
        if let Some(same) = self.eq_of_products((xa, &ka), (xb, &kb)) {
            return Some(same);
        }
        if let Some(same) = self.eq_of_multiples((xa, &ka), (xb, &kb)) {
            return Some(same);
        }
        if let (Kind::Zext, Kind::Zext) | (Kind::Sext, Kind::Sext) = (self.kind(a), self.kind(b)) {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            if self.width(x) == self.width(y) {
                return Some(self.eq(x, y));
            }
        }
        None
    }

    /// The equality of multiples of a power of two plus constants, by the bits that it leaves open.
    fn eq_of_multiples(&mut self, (a, ka): (Term, &Bv), (b, kb): (Term, &Bv)) -> Option<Term> {
        let highest = self.width(a) - 1;
        // One bit is left of numbers that are zero.
        let zeros = self.trailing_zeros(a).min(self.trailing_zeros(b)).min(highest);
        if zeros == 0 {
            return None;
        }
        let distance = Bv::apply(BvOp::Sub, kb, ka);
        if !distance.is_zero() && distance.trailing_zeros() < zeros {
            return Some(self.ff());
        }
        let (a, b) = (self.extract(highest, zeros, a), self.extract(highest, zeros, b));
        let distance = self.constant(&distance.extract(highest, zeros));
        let b = self.add(b, distance);
        Some(self.eq(a, b))
    }
}
