//! Constructors: one per operator, each folds constants and normalises.
//!
//! Normal form: constants stand right in commutative operators; subtraction of a constant is addition; sums carry at most one
//! constant; comparisons are `Ult`, `Ule`, `Slt`, `Sle` and `Eq`. Every rewrite is an equivalence in QF_BV (tested against Z3).

use super::{Kind, Sort, Term, Terms};
use crate::bv::{Bv, BvCmp, BvOp, mask};
use crate::float::{self, FloatOp, FloatResult, Format};

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

    fn is_const(&self, t: Term) -> bool {
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
        // Absorption one level down: a & (a & c), a & (!a & c), a & (a | c).
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
        // (g & c) | (g & !c) = g: what joining the two branches of a test leaves.
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

    /// Conjunction of all of `ts`.
    pub fn and_all(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.tt();
        for t in ts {
            all = self.and(all, t);
        }
        all
    }

    /// Disjunction of all of `ts`.
    pub fn or_all(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let mut any = self.ff();
        for t in ts {
            any = self.or(any, t);
        }
        any
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

    /// `t` as `ite(c, constant, constant)`.
    fn const_ite(&self, t: Term) -> Option<(Term, Term, Term)> {
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
        // Constants right, else the older term left.
        let (a, b) = if self.is_const(a) || (!self.is_const(b) && b < a) { (b, a) } else { (a, b) };
        if let Some(vb) = self.as_bv(b) {
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
        // Equal offsets from the same term: x + k = x, x + k = y + k.
        if let (Sort::Bv(_), Sort::Bv(_)) = (self.sort(a), self.sort(b)) {
            let ((xa, ka), (xb, kb)) = (self.base_offset(a), self.base_offset(b));
            if xa == xb {
                return self.bool(ka == kb);
            }
            if ka == kb && !ka.is_zero() {
                return self.eq(xa, xb);
            }
            if let (Kind::Zext, Kind::Zext) | (Kind::Sext, Kind::Sext) = (self.kind(a), self.kind(b)) {
                let (x, y) = (self.args(a)[0], self.args(b)[0]);
                if self.width(x) == self.width(y) {
                    return self.eq(x, y);
                }
            }
        }
        self.intern(Kind::Eq, &[a, b], Sort::Bool)
    }

    /// `t` as a term plus a constant.
    pub fn base_offset(&self, t: Term) -> (Term, Bv) {
        if self.kind(t) == Kind::Bv(BvOp::Add)
            && let Some(k) = self.as_bv(self.args(t)[1])
        {
            return (self.args(t)[0], k);
        }
        (t, Bv::new(self.width(t), 0))
    }

    /// `a cmp b`.
    pub fn cmp(&mut self, cmp: BvCmp, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return self.bool(Bv::compare(cmp, &x, &y));
        }
        let reflexive = matches!(cmp, BvCmp::Ule | BvCmp::Sle);
        if a == b {
            return self.bool(reflexive);
        }
        let w = self.width(a);
        let (least, greatest) = match cmp {
            BvCmp::Ult | BvCmp::Ule => (Bv::new(w, 0), Bv::ones(w)),
            BvCmp::Slt | BvCmp::Sle => {
                let min = if w == 1 { Bv::new(1, 1) } else { Bv::new(1, 1).concat(&Bv::new(w - 1, 0)) };
                (min.clone(), min.not())
            }
        };
        let (va, vb) = (self.as_bv(a), self.as_bv(b));
        if va.as_ref() == Some(&greatest) || vb.as_ref() == Some(&least) {
            // greatest < b and a < least never hold; greatest <= b and a <= least mean equality.
            return if reflexive { self.eq(a, b) } else { self.ff() };
        }
        if va.as_ref() == Some(&least) || vb.as_ref() == Some(&greatest) {
            if reflexive {
                return self.tt();
            }
            let eq = self.eq(a, b);
            return self.not(eq);
        }
        for (t, k, t_left) in [(a, &vb, true), (b, &va, false)] {
            let Some(k) = k else { continue };
            if let Some((c, x, y)) = self.const_ite(t) {
                let kt = self.constant(k);
                let (ex, ey) = if t_left {
                    (self.cmp(cmp, x, kt), self.cmp(cmp, y, kt))
                } else {
                    (self.cmp(cmp, kt, x), self.cmp(cmp, kt, y))
                };
                return self.ite(c, ex, ey);
            }
            if self.kind(t) == Kind::Zext {
                // The high bits are zero, so signed and unsigned order agree as long as the constant is not negative.
                let x = self.args(t)[0];
                let wx = self.width(x);
                let signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
                if signed && k.sign() {
                    return self.bool(!t_left);
                }
                if k.extract(w - 1, wx).is_zero() {
                    let low = self.constant(&k.extract(wx - 1, 0));
                    let u = if reflexive { BvCmp::Ule } else { BvCmp::Ult };
                    return if t_left { self.cmp(u, x, low) } else { self.cmp(u, low, x) };
                }
                return self.bool(t_left);
            }
        }
        self.intern(Kind::Cmp(cmp), &[a, b], Sort::Bool)
    }

    /// Binary bit-vector operator.
    pub fn bv_op(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return self.constant(&Bv::apply(op, &x, &y));
        }
        let w = self.width(a);
        let commutative = matches!(op, BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor);
        let (a, b) = if commutative && (self.is_const(a) || (!self.is_const(b) && b < a)) { (b, a) } else { (a, b) };
        if let Some(k) = self.as_bv(b)
            && let Some(t) = self.bv_op_const(op, a, &k)
        {
            return t;
        }
        if a == b {
            match op {
                BvOp::Sub | BvOp::Xor => return self.int(w, 0),
                BvOp::And | BvOp::Or => return a,
                _ => {}
            }
        }
        match op {
            BvOp::Add | BvOp::Sub => {
                // Constants move outwards, so that base_offset sees them.
                let ((xa, ka), (xb, kb)) = (self.base_offset(a), self.base_offset(b));
                if !ka.is_zero() || !kb.is_zero() {
                    let k = self.constant(&Bv::apply(op, &ka, &kb));
                    let x = self.bv_op(op, xa, xb);
                    return self.bv_op(BvOp::Add, x, k);
                }
                if op == BvOp::Add {
                    // (x - y) + y = x
                    for (s, y) in [(a, b), (b, a)] {
                        if self.kind(s) == Kind::Bv(BvOp::Sub) && self.args(s)[1] == y {
                            return self.args(s)[0];
                        }
                    }
                } else {
                    // (x + y) - y = x, (x + y) - x = y
                    if self.kind(a) == Kind::Bv(BvOp::Add) {
                        let [x, y] = *self.args(a) else { unreachable!("binary") };
                        if y == b {
                            return x;
                        }
                        if x == b {
                            return y;
                        }
                    }
                    if self.as_bv(a).is_some_and(|k| k.is_zero()) {
                        return self.bv_neg(b);
                    }
                }
            }
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr if self.as_bv(a).is_some_and(|k| k.is_zero()) => return a,
            _ => {}
        }
        self.intern(Kind::Bv(op), &[a, b], Sort::Bv(w))
    }

    /// `a op k` for a constant `k`, where that simplifies.
    fn bv_op_const(&mut self, op: BvOp, a: Term, k: &Bv) -> Option<Term> {
        let w = self.width(a);
        // The one-bit case and every op over a two-constant choice fold into the choice.
        if let Some((c, x, y)) = self.const_ite(a) {
            let kt = self.constant(k);
            let (x, y) = (self.bv_op(op, x, kt), self.bv_op(op, y, kt));
            return Some(self.ite(c, x, y));
        }
        let one = k.to_u64() == Some(1);
        match op {
            BvOp::Add if k.is_zero() => Some(a),
            BvOp::Add => {
                let (x, k0) = self.base_offset(a);
                if k0.is_zero() {
                    return None;
                }
                let sum = self.constant(&Bv::apply(BvOp::Add, &k0, k));
                Some(self.bv_op(BvOp::Add, x, sum))
            }
            BvOp::Sub => {
                let neg = self.constant(&k.neg());
                Some(self.bv_op(BvOp::Add, a, neg))
            }
            BvOp::Mul if k.is_zero() => Some(self.constant(k)),
            BvOp::Mul if one => Some(a),
            BvOp::Mul if k.is_ones() => Some(self.bv_neg(a)),
            BvOp::Mul if self.kind(a) == Kind::Bv(BvOp::Add) && self.is_const(self.args(a)[1]) => {
                let [x, k0] = *self.args(a) else { unreachable!("binary") };
                let kt = self.constant(k);
                let (x, k0) = (self.bv_op(BvOp::Mul, x, kt), self.bv_op(BvOp::Mul, k0, kt));
                Some(self.bv_op(BvOp::Add, x, k0))
            }
            BvOp::Udiv | BvOp::Sdiv if one && w > 1 => Some(a),
            BvOp::Urem if one => Some(self.int(w, 0)),
            BvOp::Srem if one && w > 1 => Some(self.int(w, 0)),
            BvOp::And if k.is_zero() => Some(self.constant(k)),
            BvOp::And if k.is_ones() => Some(a),
            BvOp::And if self.kind(a) == Kind::Bv(BvOp::And) && self.is_const(self.args(a)[1]) => {
                let [x, k0] = *self.args(a) else { unreachable!("binary") };
                let kt = self.constant(k);
                let both = self.bv_op(BvOp::And, k0, kt);
                Some(self.bv_op(BvOp::And, x, both))
            }
            BvOp::And => {
                // A mask of low bits is an extraction.
                let v = k.to_u64()?;
                if v & v.wrapping_add(1) != 0 {
                    return None;
                }
                let low = self.extract(v.trailing_ones() - 1, 0, a);
                Some(self.zext(w, low))
            }
            BvOp::Or if k.is_zero() => Some(a),
            BvOp::Or if k.is_ones() => Some(self.constant(k)),
            BvOp::Xor if k.is_zero() => Some(a),
            BvOp::Xor if k.is_ones() => Some(self.bv_not(a)),
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => {
                let s = k.to_u64().filter(|s| *s < u64::from(w));
                match (op, s) {
                    (_, Some(0)) => Some(a),
                    (BvOp::Ashr, None) => {
                        let sign = self.extract(w - 1, w - 1, a);
                        Some(self.sext(w, sign))
                    }
                    (_, None) => Some(self.int(w, 0)),
                    (BvOp::Shl, Some(s)) => {
                        let s = s as u32;
                        let kept = self.extract(w - 1 - s, 0, a);
                        let zeros = self.int(s, 0);
                        Some(self.concat(kept, zeros))
                    }
                    (BvOp::Lshr, Some(s)) => {
                        let kept = self.extract(w - 1, s as u32, a);
                        Some(self.zext(w, kept))
                    }
                    (_, Some(s)) => {
                        let kept = self.extract(w - 1, s as u32, a);
                        Some(self.sext(w, kept))
                    }
                }
            }
            _ => None,
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Add, a, b)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Sub, a, b)
    }

    /// `a + k`.
    pub fn add_int(&mut self, a: Term, k: u64) -> Term {
        let w = self.width(a);
        let k = if w > 64 { self.constant(&Bv::from_i64(w, k as i64)) } else { self.int(w, k) };
        self.add(a, k)
    }

    /// Bitwise complement.
    pub fn bv_not(&mut self, a: Term) -> Term {
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.not());
        }
        if self.kind(a) == Kind::BvNot {
            return self.args(a)[0];
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.bv_not(x), self.bv_not(y));
            return self.ite(c, x, y);
        }
        let sort = self.sort(a);
        self.intern(Kind::BvNot, &[a], sort)
    }

    /// Two's complement negation.
    pub fn bv_neg(&mut self, a: Term) -> Term {
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.neg());
        }
        match self.kind(a) {
            Kind::BvNeg => return self.args(a)[0],
            Kind::Bv(BvOp::Sub) => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                return self.sub(y, x);
            }
            _ => {}
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.bv_neg(x), self.bv_neg(y));
            return self.ite(c, x, y);
        }
        let sort = self.sort(a);
        self.intern(Kind::BvNeg, &[a], sort)
    }

    /// Bits `hi..=lo` of `a`.
    pub fn extract(&mut self, hi: u32, lo: u32, a: Term) -> Term {
        let w = self.width(a);
        debug_assert!(lo <= hi && hi < w, "bits {hi}..={lo} of {w}");
        if lo == 0 && hi == w - 1 {
            return a;
        }
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.extract(hi, lo));
        }
        match self.kind(a) {
            Kind::Extract { lo: inner, .. } => {
                let x = self.args(a)[0];
                return self.extract(hi + inner, lo + inner, x);
            }
            Kind::Concat => {
                let [h, l] = *self.args(a) else { unreachable!("binary") };
                let wl = self.width(l);
                if hi < wl {
                    return self.extract(hi, lo, l);
                }
                if lo >= wl {
                    return self.extract(hi - wl, lo - wl, h);
                }
                let (h, l) = (self.extract(hi - wl, 0, h), self.extract(wl - 1, lo, l));
                return self.concat(h, l);
            }
            Kind::Zext | Kind::Sext => {
                let (x, width) = (self.args(a)[0], hi - lo + 1);
                let wx = self.width(x);
                if hi < wx {
                    return self.extract(hi, lo, x);
                }
                let sext = self.kind(a) == Kind::Sext;
                if !sext && lo >= wx {
                    return self.int(width, 0);
                }
                // At least one bit of `x`: of a sign extension its sign, which all bits above repeat.
                let low = self.extract(wx - 1, lo.min(wx - 1), x);
                return if sext { self.sext(width, low) } else { self.zext(width, low) };
            }
            Kind::Ite => {
                let [c, x, y] = *self.args(a) else { unreachable!("ite has three arguments") };
                if self.is_const(x) || self.is_const(y) {
                    let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                    return self.ite(c, x, y);
                }
            }
            Kind::Bv(op @ (BvOp::And | BvOp::Or | BvOp::Xor)) => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                return self.bv_op(op, x, y);
            }
            // The low bits of a sum or product depend on the low bits only.
            Kind::Bv(op @ (BvOp::Add | BvOp::Sub | BvOp::Mul)) if lo == 0 => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                let (x, y) = (self.extract(hi, 0, x), self.extract(hi, 0, y));
                return self.bv_op(op, x, y);
            }
            _ => {}
        }
        self.intern(Kind::Extract { hi, lo }, &[a], Sort::Bv(hi - lo + 1))
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        if let (Some(h), Some(l)) = (self.as_bv(high), self.as_bv(low)) {
            return self.constant(&h.concat(&l));
        }
        let w = self.width(high) + self.width(low);
        if self.as_bv(high).is_some_and(|h| h.is_zero()) {
            return self.zext(w, low);
        }
        // Neighbouring parts of the same term join again.
        if let (Kind::Extract { hi, lo }, Kind::Extract { hi: hi2, lo: lo2 }) = (self.kind(high), self.kind(low))
            && lo == hi2 + 1
            && self.args(high)[0] == self.args(low)[0]
        {
            let x = self.args(high)[0];
            return self.extract(hi, lo2, x);
        }
        if self.kind(low) == Kind::Concat {
            // Right-nested chains with a joinable head: concat(x[hi..k], concat(x[k-1..lo], rest)).
            let [h2, rest] = *self.args(low) else { unreachable!("binary") };
            if let (Kind::Extract { lo, .. }, Kind::Extract { hi: hi2, .. }) = (self.kind(high), self.kind(h2))
                && lo == hi2 + 1
                && self.args(high)[0] == self.args(h2)[0]
            {
                let joined = self.concat(high, h2);
                return self.concat(joined, rest);
            }
        }
        if self.kind(high) == Kind::Concat {
            // Normal form: chains nest to the right.
            let [h1, h2] = *self.args(high) else { unreachable!("binary") };
            let rest = self.concat(h2, low);
            return self.concat(h1, rest);
        }
        self.intern(Kind::Concat, &[high, low], Sort::Bv(w))
    }

    /// Zero-extension to `width`, which is not below the term's own.
    pub fn zext(&mut self, width: u32, a: Term) -> Term {
        let w = self.width(a);
        debug_assert!(width >= w);
        if width == w {
            return a;
        }
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.zext(width));
        }
        if self.kind(a) == Kind::Zext {
            let x = self.args(a)[0];
            return self.zext(width, x);
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.zext(width, x), self.zext(width, y));
            return self.ite(c, x, y);
        }
        self.intern(Kind::Zext, &[a], Sort::Bv(width))
    }

    /// Sign-extension to `width`, which is not below the term's own.
    pub fn sext(&mut self, width: u32, a: Term) -> Term {
        let w = self.width(a);
        debug_assert!(width >= w);
        if width == w {
            return a;
        }
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.sext(width));
        }
        match self.kind(a) {
            Kind::Sext => {
                let x = self.args(a)[0];
                return self.sext(width, x);
            }
            Kind::Zext => {
                let x = self.args(a)[0];
                return self.zext(width, x);
            }
            _ => {}
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.sext(width, x), self.sext(width, y));
            return self.ite(c, x, y);
        }
        self.intern(Kind::Sext, &[a], Sort::Bv(width))
    }

    /// `a` cut or zero-extended to `width`.
    pub fn resize(&mut self, width: u32, a: Term) -> Term {
        let w = self.width(a);
        if width < w { self.extract(width - 1, 0, a) } else { self.zext(width, a) }
    }

    /// A float operator on bit patterns of `format`; `sort` is that of the result.
    pub fn float(&mut self, op: FloatOp, format: Format, args: &[Term], sort: Sort) -> Term {
        let values: Option<Vec<Bv>> = args.iter().map(|&a| self.as_bv(a)).collect();
        if let Some(values) = values {
            let refs: Vec<&Bv> = values.iter().collect();
            let width = if let Sort::Bv(w) = sort { w } else { 1 };
            match float::apply(op, format, &refs, width) {
                Some(FloatResult::Bits(v)) => return self.constant(&v),
                Some(FloatResult::Bool(b)) => return self.bool(b),
                None => {}
            }
        }
        self.intern(Kind::Float(op, format), args, sort)
    }

    /// Whether the bit pattern is a NaN of `format` (no float operator needed).
    pub fn is_nan(&mut self, format: Format, a: Term) -> Term {
        let eq = self.float(FloatOp::Eq, format, &[a, a], Sort::Bool);
        self.not(eq)
    }
}
