//! Polynomials over terms, with coefficients modulo a power of two.
//!
//! Addition, subtraction, negation and multiplication of bit-vectors are those of the ring of integers modulo 2^w, so that a
//! bit-vector term is a polynomial over those of its subterms that are something else (atoms). Two terms with the same
//! polynomial are equal.

use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A product of atoms in ascending order, each as often as it occurs; the empty product is 1.
pub(super) type Monomial = SmallVec<[Term; 3]>;

/// Maximum number of monomials of a polynomial; a term with more becomes an atom.
const MAX_MONOMIALS: usize = 400;

/// A polynomial modulo 2^w, for w of at most 64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Poly {
    width: u32,
    /// The coefficients, none of them zero.
    coefficients: BTreeMap<Monomial, u64>,
}

impl Poly {
    /// Zero, modulo 2^`width`.
    pub(super) fn zero(width: u32) -> Poly {
        Poly { width, coefficients: BTreeMap::new() }
    }

    /// A constant polynomial.
    fn constant(width: u32, k: u64) -> Poly {
        let mut p = Poly::zero(width);
        p.add_to(Monomial::new(), k);
        p
    }

    /// The polynomial of a single atom.
    pub(super) fn atom(width: u32, t: Term) -> Poly {
        let mut p = Poly::zero(width);
        p.add_to(Monomial::from_slice(&[t]), 1);
        p
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    pub(super) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The coefficient of a monomial.
    pub(super) fn coefficient(&self, m: &Monomial) -> u64 {
        self.coefficients.get(m).copied().unwrap_or(0)
    }

    /// The monomials and their coefficients.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Monomial, u64)> {
        self.coefficients.iter().map(|(m, k)| (m, *k))
    }

    /// The number of monomials.
    pub(super) fn len(&self) -> usize {
        self.coefficients.len()
    }

    fn add_to(&mut self, m: Monomial, k: u64) {
        let mask = self.mask();
        let sum = self.coefficients.entry(m).or_insert(0);
        *sum = sum.wrapping_add(k) & mask;
        if *sum == 0 {
            self.coefficients.retain(|_, k| *k != 0);
        }
    }

    /// `self + k * other`.
    pub(super) fn add_multiple(&mut self, other: &Poly, k: u64) {
        let mask = self.mask();
        for (m, c) in &other.coefficients {
            let product = c.wrapping_mul(k) & mask;
            if product == 0 {
                continue;
            }
            let sum = self.coefficients.get(m).copied().unwrap_or(0).wrapping_add(product) & mask;
            if sum == 0 {
                self.coefficients.remove(m);
            } else {
                self.coefficients.insert(m.clone(), sum);
            }
        }
    }

    /// `k * self`.
    pub(super) fn scaled(&self, k: u64) -> Poly {
        let mut p = Poly::zero(self.width);
        p.add_multiple(self, k);
        p
    }

    /// The product, unless it has too many monomials.
    pub(super) fn times(&self, other: &Poly) -> Option<Poly> {
        if self.len().saturating_mul(other.len()) > 4 * MAX_MONOMIALS {
            return None;
        }
        let mut p = Poly::zero(self.width);
        for (m, c) in &self.coefficients {
            let mut part = Poly::zero(self.width);
            for (n, d) in &other.coefficients {
                let mut product: Monomial = m.iter().chain(n).copied().collect();
                product.sort_unstable();
                let k = c.wrapping_mul(*d) & self.mask();
                if k != 0 {
                    part.coefficients.insert(product, k);
                }
            }
            p.add_multiple(&part, 1);
        }
        (p.len() <= MAX_MONOMIALS).then_some(p)
    }

    /// Terms whose difference is the polynomial, each a sum of products with small coefficients.
    fn sides(&self, terms: &mut Terms) -> (Term, Term) {
        let zero = terms.int(self.width, 0);
        let (mut left, mut right) = (zero, zero);
        for (m, k) in self.iter() {
            let negated = k.wrapping_neg() & self.mask();
            let side = if k <= negated { &mut left } else { &mut right };
            let mut product = terms.int(self.width, k.min(negated));
            for &atom in m {
                product = terms.bv_op(BvOp::Mul, atom, product);
            }
            *side = terms.add(*side, product);
        }
        (left, right)
    }

    /// The polynomial with atoms replaced by the results of `of`, unless it gets too many monomials.
    pub(super) fn substituted(&self, of: &dyn Fn(Term) -> Option<Rc<Poly>>) -> Option<Poly> {
        if !self.coefficients.keys().flatten().any(|t| of(*t).is_some()) {
            return Some(self.clone());
        }
        let mut sum = Poly::zero(self.width);
        for (m, k) in self.iter() {
            let mut product = Poly::constant(self.width, k);
            for t in m {
                product = match of(*t) {
                    Some(p) => product.times(&p)?,
                    None => product.times(&Poly::atom(self.width, *t))?,
                };
            }
            sum.add_multiple(&product, 1);
        }
        (sum.len() <= MAX_MONOMIALS).then_some(sum)
    }
}

/// Polynomials of terms, each computed once.
#[derive(Default)]
pub(super) struct Polys {
    known: FxHashMap<Term, Rc<Poly>>,
}

impl Polys {
    /// The polynomial of a bit-vector term of at most 64 bits.
    pub(super) fn of(&mut self, terms: &Terms, t: Term) -> Rc<Poly> {
        let mut work = vec![t];
        while let Some(&top) = work.last() {
            if self.known.contains_key(&top) {
                work.pop();
                continue;
            }
            let open = operands(terms, top).into_iter().filter(|a| !self.known.contains_key(a));
            let before = work.len();
            work.extend(open);
            if work.len() == before {
                work.pop();
                let p = Rc::new(self.combine(terms, top));
                self.known.insert(top, p);
            }
        }
        self.known[&t].clone()
    }

    fn combine(&self, terms: &Terms, t: Term) -> Poly {
        let width = terms.width(t);
        let atom = || Poly::atom(width, t);
        if let Some(k) = terms.as_u64(t) {
            return Poly::constant(width, k);
        }
        let args: SmallVec<[&Rc<Poly>; 2]> = operands(terms, t).iter().map(|a| &self.known[a]).collect();
        let sum = |a: &Poly, b: &Poly, k: u64| {
            let mut p = a.clone();
            p.add_multiple(b, k);
            p
        };
        let combined = match (terms.kind(t), &args[..]) {
            (Kind::Bv(BvOp::Add), [a, b]) => sum(a, b, 1),
            (Kind::Bv(BvOp::Sub), [a, b]) => sum(a, b, u64::MAX),
            (Kind::Bv(BvOp::Mul), [a, b]) => match a.times(b) {
                Some(p) => p,
                None => return atom(),
            },
            (Kind::BvNeg, [a]) => a.scaled(u64::MAX),
            // -a - 1.
            (Kind::BvNot, [a]) => sum(&Poly::constant(width, u64::MAX), a, u64::MAX),
            // A shift to the left.
            (Kind::Concat, [a]) => a.scaled(1 << terms.width(terms.args(t)[1])),
            _ => return atom(),
        };
        if combined.len() > MAX_MONOMIALS { atom() } else { combined }
    }
}

/// An equation that holds for the same values as `a = b`, in which what both sides have is cancelled: `x - z + y + z = w` becomes
/// `x + y = w`. The terms must have a polynomial.
pub(crate) fn cancelled(terms: &mut Terms, a: Term, b: Term) -> Term {
    let mut polys = Polys::default();
    let mut difference = (*polys.of(terms, a)).clone();
    difference.add_multiple(&polys.of(terms, b), u64::MAX);
    let (left, right) = difference.sides(terms);
    terms.eq(left, right)
}

/// The operands of a ring operation; empty for an atom.
fn operands(terms: &Terms, t: Term) -> SmallVec<[Term; 2]> {
    let args = terms.args(t);
    match terms.kind(t) {
        Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul) | Kind::BvNeg | Kind::BvNot => SmallVec::from_slice(args),
        Kind::Concat => shifted(terms, t).into_iter().collect(),
        _ => SmallVec::new(),
    }
}

/// The term that `t`, a concatenation, shifts to the left by the width of its lower part, if it is such a shift.
fn shifted(terms: &Terms, t: Term) -> Option<Term> {
    let [high, low] = *terms.args(t) else { return None };
    let is_zero = terms.as_u64(low) == Some(0);
    match terms.kind(high) {
        Kind::Extract { lo: 0, .. } if is_zero => {
            let whole = terms.args(high)[0];
            (terms.sort(whole) == terms.sort(t)).then_some(whole)
        }
        _ => None,
    }
}

/// Whether terms of this sort have polynomials.
pub(crate) fn has_polynomial(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(1..=64))
}
