//! Equations between polynomials as linear equations over their monomials, in solved form.

use super::poly::{Monomial, Poly};

/// Maximum number of equations.
const MAX_ROWS: usize = 200;

/// Equations `p = 0`, modulo one power of two.
#[derive(Clone, Default, Debug)]
pub(super) struct Rows {
    /// The equations, each with a monomial whose coefficient is 1 and that no other row has.
    rows: Vec<(Monomial, Poly)>,
    /// Whether the equations have no solution.
    pub(super) contradiction: bool,
}

impl Rows {
    /// Adds the equation `p = 0`.
    pub(super) fn add(&mut self, p: &Poly) {
        let p = self.reduce(p);
        if p.is_zero() || self.contradiction || self.rows.len() >= MAX_ROWS {
            return;
        }
        let Some((pivot, k)) = pivot(&p) else {
            self.contradiction |= has_no_root(&p);
            return;
        };
        let pivot = pivot.clone();
        let row = p.scaled(inverse(k));
        for (_, other) in &mut self.rows {
            let c = other.coefficient(&pivot);
            other.add_multiple(&row, c.wrapping_neg());
        }
        self.rows.push((pivot, row));
    }

    /// A polynomial equal to `p` where the equations hold; zero if they imply that.
    pub(super) fn reduce(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        for (pivot, row) in &self.rows {
            let k = p.coefficient(pivot);
            if k != 0 {
                p.add_multiple(row, k.wrapping_neg());
            }
        }
        p
    }

    /// The equations.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Poly> {
        self.rows.iter().map(|(_, p)| p)
    }
}

/// The monomial for which an equation is solved: one of the highest degree among those with an odd coefficient.
fn pivot(p: &Poly) -> Option<(&Monomial, u64)> {
    p.iter().filter(|(m, k)| k % 2 == 1 && !m.is_empty()).max_by_key(|(m, _)| (m.len(), *m))
}

/// Whether `p = 0` is impossible because a power of two divides all coefficients but not the constant.
fn has_no_root(p: &Poly) -> bool {
    let of_atoms = p.iter().filter(|(m, _)| !m.is_empty()).map(|(_, k)| k.trailing_zeros()).min();
    let constant = p.coefficient(&Monomial::new());
    constant != 0 && constant.trailing_zeros() < of_atoms.unwrap_or(64)
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(k: u64) -> u64 {
    let mut x = k;
    for _ in 0..6 {
        x = x.wrapping_mul(2u64.wrapping_sub(k.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for k in (1..2_000).step_by(2).chain([u64::MAX, 0xdead_beef_1234_5679]) {
            assert_eq!(k.wrapping_mul(inverse(k)), 1);
        }
    }
}
