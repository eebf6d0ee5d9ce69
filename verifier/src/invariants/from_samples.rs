//! Candidate invariants suggested by sampled states: polynomial equations, ranges, and facts that depend on the value of a control
//! variable.
//!
//! For example, states with the values (1, 1), (2, 3), (3, 6) and so on of `n` and `s` suggest the equation `2 s = n^2 + n`.
//!
//! All equations `sum of c_i m_i = 0` modulo 2^w that hold in some states, for given monomials m_i, form the kernel of a matrix over the
//! integers modulo 2^w (Müller-Olm and Seidl, TOPLAS 2007, compute it for all reachable states). Columns are eliminated as over a field,
//! with an entry as the pivot that has the fewest factors of two. If the numbers are small and do not wrap around, there are equations
//! with smaller coefficients: the kernel modulo a large prime, whose entries are interpreted as fractions.

use crate::invariants::null_space::{integer_kernel, kernel};
use crate::invariants::sampling::State;
use crate::program::Scalar;
use cfa::bv::{BvCmp, BvOp};
use cfa::{Sort, Term, Terms, VarId};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of variables in the monomials of an equation.
const MAX_VARS: usize = 8;
/// Maximum number of summands of an equation that is a candidate.
const MAX_SUMMANDS: usize = 8;
/// Maximum number of equations with products. If there are more, the states are too few or too similar, and most of the equations hold
/// by chance.
const MAX_PRODUCT_EQUATIONS: usize = 24;
/// Maximum number of values of a control variable.
const MAX_CONTROL_VALUES: usize = 48;
/// Maximum number of values of a control variable for which each value also suggests ranges of other variables.
const FEW_CONTROL_VALUES: usize = 12;
/// Maximum number of values that a candidate lists.
const MAX_LISTED: usize = 4;
/// Maximum value of a monomial in a state that counts as free of wrap-around.
const SMALL_NUMBER: u64 = 1 << 28;
/// Maximum absolute value of a bound of a sum or difference.
const SMALL: u64 = 64;
/// Minimum number of states from which anything is learned; for equations, the minimum number in excess of that of the monomials.
const MIN_STATES: usize = 8;
/// The same excess for equations that hold in one case: there, an equation needs only as many states as it has monomials.
const MIN_STATES_OF_A_CASE: usize = 0;
/// Maximum absolute value of coefficients in equations with products.
pub(crate) const MAX_COEFFICIENT: u64 = 1_000;
/// Maximum number of states from which equations are learned.
const MAX_STATES: usize = 120;

/// A factor of a monomial: a variable as a number of the equation's width, or a power of two.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Factor {
    var: VarId,
    /// The width of the variable, which is sign-extended to that of the equation.
    width: u32,
    /// Whether the factor is two to the power of the (unsigned) variable, in the width of the equation.
    power: bool,
}

impl Factor {
    /// Its value in `state`, in 64 bits.
    fn value(&self, state: &State) -> Option<u64> {
        let k = number(state, self.var)?;
        Some(if self.power {
            u32::try_from(k).ok().and_then(|k| 1u64.checked_shl(k)).unwrap_or(0)
        } else {
            signed(k, self.width) as u64
        })
    }

    /// The factor as a term of the equation's width.
    fn term(&self, terms: &mut Terms, width: u32) -> Term {
        let x = terms.var(self.var, Sort::Bv(self.width));
        if self.power {
            let one = terms.int(width, 1);
            return terms.bv_op(BvOp::Shl, one, x);
        }
        terms.sext(width, x)
    }
}

/// A product of at most two factors; the empty product is 1.
type Monomial = SmallVec<[Factor; 2]>;

/// Candidates for a loop head at which `states` were observed. `changing` are the variables that the loop changes and `fixed` are other
/// live variables, all of at most 64 bits. If `products` is set, equations may have products of two variables.
pub fn candidates(
    terms: &mut Terms,
    states: &[State],
    changing: &[Scalar],
    fixed: &[Scalar],
    products: bool,
) -> Vec<Term> {
    let mut found = Vec::new();
    if states.len() < MIN_STATES {
        return found;
    }
    ranges(terms, states, changing, &mut found);
    listed(terms, states, changing, &mut found);
    by_control(terms, states, changing, fixed, &mut found);
    octagons(terms, states, changing, fixed, &mut found);
    let products = if products { Products::All } else { Products::None };
    let form = Form { powers: false, products, only_small: false, spare: MIN_STATES };
    all_equations(terms, states, changing, fixed, form, &mut found);
    found
}

/// Candidates for preconditions of calls: bounds, and equations between sums.
pub fn sums(terms: &mut Terms, states: &[State], vars: &[Scalar]) -> Vec<Term> {
    let mut found = Vec::new();
    ranges(terms, states, vars, &mut found);
    octagons(terms, states, vars, &[], &mut found);
    let form = Form { powers: false, products: Products::None, only_small: true, spare: MIN_STATES };
    all_equations(terms, states, vars, &[], form, &mut found);
    found
}

/// Candidates for postconditions of calls: `states` contain values at the exit (`changing`) and at the entry (`fixed`).
pub fn relations(terms: &mut Terms, states: &[State], changing: &[Scalar], fixed: &[Scalar]) -> Vec<Term> {
    let mut found = Vec::new();
    ranges(terms, states, changing, &mut found);
    octagons(terms, states, changing, fixed, &mut found);
    let form = Form { powers: true, products: Products::OfFixed, only_small: true, spare: MIN_STATES };
    all_equations(terms, states, changing, fixed, form, &mut found);
    found
}

/// Candidates for postconditions in one case, for which there may be few calls.
pub fn in_case(terms: &mut Terms, states: &[State], changing: &[Scalar], fixed: &[Scalar]) -> Vec<Term> {
    let mut found = Vec::new();
    ranges(terms, states, changing, &mut found);
    let form = Form { powers: true, products: Products::None, only_small: true, spare: MIN_STATES_OF_A_CASE };
    all_equations(terms, states, changing, fixed, form, &mut found);
    found
}

/// Which equations are searched for.
#[derive(Clone, Copy)]
struct Form {
    /// Whether powers of two may occur, whose exponents are variables in `fixed`.
    powers: bool,
    products: Products,
    /// Whether all coefficients except the constant must be small, and not all of them even; other equations are often due to having too
    /// few states.
    only_small: bool,
    /// How many more states than monomials are required.
    spare: usize,
}

/// Which products of two variables may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Products {
    None,
    /// Only products of variables in `fixed`.
    OfFixed,
    All,
}

fn all_equations(
    terms: &mut Terms,
    states: &[State],
    changing: &[Scalar],
    fixed: &[Scalar],
    form: Form,
    found: &mut Vec<Term>,
) {
    let mut widths: Vec<u32> = changing.iter().map(|x| x.width).filter(|w| *w >= 8).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        equations(terms, states, changing, fixed, (width, form), found);
    }
}

fn number(state: &State, v: VarId) -> Option<u64> {
    state.get(&v).and_then(|k| k.to_u64())
}

pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn signed(k: u64, width: u32) -> i64 {
    ((k << (64 - width)) as i64) >> (64 - width)
}

/// The values of a variable in some states, as signed numbers.
fn values<'a>(states: impl IntoIterator<Item = &'a State>, Scalar { var: v, width }: Scalar) -> BTreeSet<i64> {
    states.into_iter().filter_map(|s| number(s, v)).map(|k| signed(k, width)).collect()
}

/// Bounds by the least and the greatest value of each variable.
fn ranges(terms: &mut Terms, states: &[State], changing: &[Scalar], found: &mut Vec<Term>) {
    for &v in changing {
        let all = values(states, v);
        within(terms, v, &all, found);
    }
}

/// Lists of all values, for variables that take few values.
fn listed(terms: &mut Terms, states: &[State], changing: &[Scalar], found: &mut Vec<Term>) {
    for &v in changing {
        let all = values(states, v);
        if (2..=MAX_CONTROL_VALUES).contains(&all.len()) && all.len() * 4 <= states.len() {
            found.push(one_of(terms, v, &all));
        }
    }
}

/// Bounds by the least and the greatest of some values.
fn within(terms: &mut Terms, Scalar { var: v, width }: Scalar, all: &BTreeSet<i64>, found: &mut Vec<Term>) {
    let (Some(&low), Some(&high)) = (all.first(), all.last()) else { return };
    let x = terms.var(v, Sort::Bv(width));
    let (l, h) = (terms.int(width, low as u64), terms.int(width, high as u64));
    if low == high {
        found.push(terms.eq(x, l));
        return;
    }
    found.push(terms.cmp(BvCmp::Sle, l, x));
    found.push(terms.cmp(BvCmp::Sle, x, h));
}

fn one_of(terms: &mut Terms, Scalar { var: v, width }: Scalar, all: &BTreeSet<i64>) -> Term {
    let x = terms.var(v, Sort::Bv(width));
    let mut any = terms.ff();
    for k in all {
        let k = terms.int(width, *k as u64);
        let is = terms.eq(x, k);
        any = terms.or(any, is);
    }
    any
}

/// Small bounds of sums and differences of two variables (octagons: Miné, HOSC 2006, here with wrap-around).
fn octagons(terms: &mut Terms, states: &[State], changing: &[Scalar], fixed: &[Scalar], found: &mut Vec<Term>) {
    let vars: Vec<Scalar> = changing.iter().chain(fixed).copied().collect();
    for (i, &Scalar { var: x, width }) in changing.iter().enumerate().take(MAX_VARS) {
        for &Scalar { var: y, .. } in vars[i + 1..].iter().filter(|y| y.width == width && width >= 8).take(MAX_VARS) {
            for op in [BvOp::Add, BvOp::Sub] {
                let value = |s: &State| {
                    let (a, b) = (number(s, x)?, number(s, y)?);
                    Some(signed(if op == BvOp::Add { a.wrapping_add(b) } else { a.wrapping_sub(b) }, width))
                };
                let values = || states.iter().filter_map(value);
                let (Some(low), Some(high)) = (values().min(), values().max()) else { continue };
                let [tx, ty] = [x, y].map(|v| terms.var(v, Sort::Bv(width)));
                let t = terms.bv_op(op, tx, ty);
                for (bound, is_low) in [(low, true), (high, false)] {
                    if bound.unsigned_abs() <= SMALL {
                        let k = terms.int(width, bound as u64);
                        let (a, b) = if is_low { (k, t) } else { (t, k) };
                        found.push(terms.cmp(BvCmp::Sle, a, b));
                    }
                }
            }
        }
    }
}

/// For each value of a variable that takes few values: what this implies about the values or bounds of other variables, if that is less
/// than what they have in general.
fn by_control(terms: &mut Terms, states: &[State], changing: &[Scalar], fixed: &[Scalar], found: &mut Vec<Term>) {
    let others: Vec<(Scalar, BTreeSet<i64>)> = changing.iter().chain(fixed).map(|v| (*v, values(states, *v))).collect();
    for &Scalar { var: q, width } in changing {
        let mut cases: BTreeMap<u64, Vec<&State>> = BTreeMap::new();
        for s in states {
            if let Some(k) = number(s, q) {
                cases.entry(k).or_default().push(s);
            }
        }
        if cases.len() < 2 || cases.len() > MAX_CONTROL_VALUES || cases.len() * 4 > states.len() {
            continue;
        }
        let few = cases.len() <= FEW_CONTROL_VALUES;
        for (k, states) in cases {
            let (x, kt) = (terms.var(q, Sort::Bv(width)), terms.int(width, k));
            let is = terms.eq(x, kt);
            for (y, in_general) in others.iter().filter(|(y, _)| y.var != q) {
                let here = values(states.iter().copied(), *y);
                if here.is_empty() || here.len() == in_general.len() {
                    continue;
                }
                let mut then = Vec::new();
                if here.len() <= MAX_LISTED {
                    then.push(one_of(terms, *y, &here));
                } else if !here.contains(&0) && in_general.contains(&0) {
                    let zero = one_of(terms, *y, &BTreeSet::from([0]));
                    then.push(terms.not(zero));
                }
                if few && here.len() > 1 {
                    within(terms, *y, &here, &mut then);
                }
                for t in then {
                    found.push(terms.implies(is, t));
                }
            }
        }
    }
}

/// Equations modulo 2^`width`: sums of variables first, then equations with products of two variables.
fn equations(
    terms: &mut Terms,
    states: &[State],
    changing: &[Scalar],
    fixed: &[Scalar],
    (width, form): (u32, Form),
    found: &mut Vec<Term>,
) {
    let fits = |x: &&Scalar| x.width == width || (x.width == 32 && width == 64);
    let factors = changing.iter().chain(fixed).filter(fits).take(MAX_VARS);
    let factors: Vec<Factor> = factors.map(|&Scalar { var, width }| Factor { var, width, power: false }).collect();
    let mut monomials: Vec<Monomial> = vec![Monomial::new()];
    if form.powers {
        let exponents = fixed.iter().filter(|x| x.width == width).take(MAX_VARS);
        monomials.extend(
            exponents.map(|&Scalar { var, width }| Monomial::from_slice(&[Factor { var, width, power: true }])),
        );
    }
    monomials.extend(factors.iter().map(|f| Monomial::from_slice(&[*f])));
    let linear = monomials.len();
    let in_products: Vec<Factor> = match form.products {
        Products::None => Vec::new(),
        Products::OfFixed => factors.iter().filter(|f| fixed.iter().any(|x| x.var == f.var)).copied().collect(),
        Products::All => factors,
    };
    for (i, a) in in_products.iter().enumerate() {
        monomials.extend(in_products[i..].iter().map(|b| Monomial::from_slice(&[*a, *b])));
    }
    let sizes = if linear < monomials.len() { &[linear, monomials.len()][..] } else { &[linear] };
    for monomials in sizes.iter().map(|n| &monomials[..*n]) {
        let rows: Vec<Vec<u64>> = states.iter().filter_map(|s| row(s, monomials, width)).collect();
        let mut small: Vec<Vec<i64>> = rows.iter().map(|r| r.iter().map(|k| signed(*k, width)).collect()).collect();
        small.retain(|r| r.iter().all(|k| k.unsigned_abs() <= SMALL_NUMBER));
        // If there are too few states, they satisfy some equations by chance.
        let enough = |n: usize| n >= monomials.len() + form.spare;
        let mut all: Vec<Vec<u64>> = Vec::new();
        if enough(small.len()) {
            let of_integers = integer_kernel(&small[..small.len().min(MAX_STATES)], monomials.len());
            all.extend(of_integers.into_iter().map(|c| c.into_iter().map(|k| k as u64 & mask(width)).collect()));
        }
        if enough(rows.len()) {
            all.extend(kernel(&rows[..rows.len().min(MAX_STATES)], monomials.len(), width));
        }
        let small = |c: &u64| signed(*c, width).unsigned_abs() <= MAX_COEFFICIENT;
        let summands = |c: &[u64]| c.iter().filter(|c| **c != 0).count();
        let is_linear = |c: &[u64]| c[linear.min(c.len())..].iter().all(|c| *c == 0);
        all.retain(|c| summands(c) <= MAX_SUMMANDS && (is_linear(c) || c.iter().all(small)));
        if all.iter().filter(|c| !is_linear(c)).count() > MAX_PRODUCT_EQUATIONS {
            all.retain(|c| is_linear(c));
        }
        for coefficients in all {
            let is_simple = || coefficients[1..].iter().all(small) && coefficients.iter().any(|c| c % 2 == 1);
            if !form.only_small || is_simple() {
                found.push(equation(terms, monomials, &coefficients, width));
            }
        }
    }
}

/// The values of the monomials in a state.
fn row(state: &State, monomials: &[Monomial], width: u32) -> Option<Vec<u64>> {
    let mask = mask(width);
    let of = |m: &Monomial| m.iter().try_fold(1u64, |p, f| Some(p.wrapping_mul(f.value(state)?)));
    monomials.iter().map(|m| Some(of(m)? & mask)).collect()
}

/// The equation `sum of c_i m_i = 0`, with positive summands on the left and negative ones on the right.
fn equation(terms: &mut Terms, monomials: &[Monomial], coefficients: &[u64], width: u32) -> Term {
    let mut sides = [terms.int(width, 0), terms.int(width, 0)];
    for (m, &c) in monomials.iter().zip(coefficients) {
        if c == 0 {
            continue;
        }
        let c = signed(c, width);
        let mut summand = terms.int(width, c.unsigned_abs());
        for f in m {
            let x = f.term(terms, width);
            summand = terms.bv_op(BvOp::Mul, x, summand);
        }
        let side = &mut sides[usize::from(c < 0)];
        *side = terms.add(*side, summand);
    }
    terms.eq(sides[0], sides[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::Id;
    use cfa::bv::Bv;

    fn states(width: u32, rows: impl IntoIterator<Item = Vec<u64>>) -> Vec<State> {
        let state = |row: Vec<u64>| row.into_iter().enumerate().map(|(i, k)| (VarId::from_index(i), Bv::new(width, k)));
        rows.into_iter().map(|row| state(row).collect()).collect()
    }

    fn learned(width: u32, n: usize, rows: impl IntoIterator<Item = Vec<u64>>) -> (Terms, Vec<Term>) {
        let mut terms = Terms::new();
        let vars: Vec<Scalar> = (0..n).map(|i| Scalar { var: VarId::from_index(i), width }).collect();
        let found = candidates(&mut terms, &states(width, rows), &vars, &[], true);
        (terms, found)
    }

    #[test]
    fn sums_and_squares_are_found() {
        // n, n^2, 3 n + 7 with wrap-around.
        let rows = (0..40u64).map(|i| {
            let n = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0xffff_ffff;
            vec![n, n.wrapping_mul(n) & 0xffff_ffff, n.wrapping_mul(3).wrapping_add(7) & 0xffff_ffff]
        });
        let (mut terms, found) = learned(32, 3, rows);
        let [n, square, line] = [0, 1, 2].map(|i| terms.var(VarId::from_index(i), Sort::Bv(32)));
        let (three, seven) = (terms.int(32, 3), terms.int(32, 7));
        let product = terms.bv_op(BvOp::Mul, n, three);
        let sum = terms.add(product, seven);
        let of_line = terms.eq(sum, line);
        let squared = terms.bv_op(BvOp::Mul, n, n);
        let of_square = terms.eq(square, squared);
        let same = |a: Term, b: Term, terms: &mut Terms| {
            let mut algebra = smt::Algebra::new();
            [(a, b), (b, a)].into_iter().all(|(a, b)| {
                let not = terms.not(b);
                // Products trigger the algebraic reasoning.
                let left = algebra.simplify(terms, &[a, not]);
                left.iter().any(|t| terms.as_bool(*t) == Some(false)) || a == b
            })
        };
        assert!(found.iter().any(|t| same(*t, of_square, &mut terms)), "n^2");
        assert!(found.contains(&of_line) || found.iter().any(|t| same(*t, of_line, &mut terms)), "3 n + 7");
    }

    #[test]
    fn what_a_control_variable_decides_is_found() {
        // If q = 0, then x = 5; if q = 1, then x is between 10 and 20.
        let rows = (0..22u64).map(|i| if i % 2 == 0 { vec![0, 5] } else { vec![1, 10 + i % 11] });
        let (mut terms, found) = learned(8, 2, rows);
        let [q, x] = [0, 1].map(|i| terms.var(VarId::from_index(i), Sort::Bv(8)));
        let (zero, five) = (terms.int(8, 0), terms.int(8, 5));
        let (is_zero, is_five) = (terms.eq(q, zero), terms.eq(x, five));
        let implied = terms.implies(is_zero, is_five);
        assert!(found.contains(&implied));
    }

    #[test]
    fn powers_of_arguments_are_found() {
        // r = 2^n - 1, where the greatest power is the least signed number.
        let [r, n] = [0, 1].map(|i| Scalar { var: VarId::from_index(i), width: 64 });
        let rows = (0..64u64).map(|n| vec![(1 << n) - 1, n]);
        let mut terms = Terms::new();
        let found = relations(&mut terms, &states(64, rows), &[r], &[n]);
        let [tr, tn] = [r, n].map(|x| x.term(&mut terms));
        let one = terms.int(64, 1);
        let (more, power) = (terms.add(tr, one), terms.bv_op(BvOp::Shl, one, tn));
        let expected = terms.eq(more, power);
        assert!(found.contains(&expected));
    }
}
