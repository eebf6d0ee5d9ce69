//! Kernels of matrices: all equations over given monomials that some rows of values satisfy, modulo 2^w and over the integers.

use crate::invariants::from_samples::{MAX_COEFFICIENT, mask};

/// Maximum common denominator of the coefficients of an equation.
const MAX_DENOMINATOR: u64 = 36;
/// The modulus of [`integer_kernel`]: a prime that is much larger than the numbers in the rows.
const PRIME: u64 = (1 << 61) - 1;

/// Generators of the module of all vectors with `n` coefficients that are orthogonal to all `rows`, modulo 2^`width`. Pivots are chosen
/// as early as possible, so that later entries are expressed by earlier ones.
pub(crate) fn kernel(rows: &[Vec<u64>], n: usize, width: u32) -> Vec<Vec<u64>> {
    let mask = mask(width);
    let unit = |i: usize| (0..n).map(|j| u64::from(i == j)).collect::<Vec<u64>>();
    let mut alive: Vec<Vec<u64>> = (0..n).map(unit).collect();
    for row in rows {
        let product = |c: &[u64]| row.iter().zip(c).fold(0u64, |s, (a, b)| s.wrapping_add(a.wrapping_mul(*b))) & mask;
        let products: Vec<u64> = alive.iter().map(|c| product(c)).collect();
        let nonzero = products.iter().enumerate().filter(|(_, p)| **p != 0);
        let Some((pivot, &p)) = nonzero.min_by_key(|(i, p)| (p.trailing_zeros(), *i)) else { continue };
        let (twos, odd_inverse) = (p.trailing_zeros(), inverse(p >> p.trailing_zeros()));
        let of_pivot = alive[pivot].clone();
        for (i, c) in alive.iter_mut().enumerate() {
            if i != pivot && products[i] != 0 {
                let factor = (products[i] >> twos).wrapping_mul(odd_inverse);
                for (x, y) in c.iter_mut().zip(&of_pivot) {
                    *x = x.wrapping_sub(factor.wrapping_mul(*y)) & mask;
                }
            }
        }
        // A multiple of the pivot is orthogonal as well, but may be zero.
        for x in &mut alive[pivot] {
            *x = if twos == 0 { 0 } else { (*x << (width - twos)) & mask };
        }
        alive.retain(|c| c.iter().any(|x| *x != 0));
    }
    alive
}

/// Independent vectors of `n` small integers that are orthogonal to all `rows`. Later entries are expressed by earlier ones; vectors
/// with large coefficients are left out.
pub(crate) fn integer_kernel(rows: &[Vec<i64>], n: usize) -> Vec<Vec<i64>> {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64;
    let minus = |a: u64, b: u64| (a + PRIME - b) % PRIME;
    let power = |mut base: u64, mut e: u64| {
        let mut result = 1;
        while e > 0 {
            if e % 2 == 1 {
                result = times(result, base);
            }
            (base, e) = (times(base, base), e / 2);
        }
        result
    };
    // In reduced row echelon form, each row with the column of its pivot.
    let mut reduced: Vec<(usize, Vec<u64>)> = Vec::new();
    for row in rows {
        let mut row: Vec<u64> = row.iter().map(|k| k.rem_euclid(PRIME as i64) as u64).collect();
        for (column, other) in &reduced {
            let k = row[*column];
            row.iter_mut().zip(other).for_each(|(x, y)| *x = minus(*x, times(k, *y)));
        }
        let Some(column) = row.iter().position(|k| *k != 0) else { continue };
        let inverse = power(row[column], PRIME - 2);
        row.iter_mut().for_each(|x| *x = times(*x, inverse));
        for (_, other) in &mut reduced {
            let k = other[column];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x = minus(*x, times(k, *y)));
        }
        reduced.push((column, row));
    }
    let free = (0..n).filter(|column| reduced.iter().all(|(pivot, _)| pivot != column));
    let vector = |column: usize, denominator: u64| {
        let mut vector = vec![0i64; n];
        vector[column] = denominator as i64;
        for (pivot, row) in &reduced {
            let k = times(minus(0, row[column]), denominator);
            vector[*pivot] = if k > PRIME / 2 { k as i64 - PRIME as i64 } else { k as i64 };
        }
        vector.iter().all(|k| k.unsigned_abs() <= MAX_COEFFICIENT).then_some(vector)
    };
    free.filter_map(|column| (1..=MAX_DENOMINATOR).find_map(|d| vector(column, d))).collect()
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(k: u64) -> u64 {
    (0..6).fold(k, |x, _| x.wrapping_mul(2u64.wrapping_sub(k.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sums of squares have denominators: 6 s = n (n + 1) (2 n + 1), with n^2 and n^3 given.
    #[test]
    fn fractions_are_read() {
        let rows: Vec<Vec<i64>> =
            (0..12).map(|n: i64| vec![n, n * n, n * n * n, (1..=n).map(|k| k * k).sum()]).collect();
        assert_eq!(integer_kernel(&rows, 4), [[-1, -3, -2, 6]]);
    }

    proptest! {
        /// Compares kernels with all vectors: each generator is orthogonal, and the number of their combinations equals the number of
        /// solutions.
        #[test]
        fn kernels_are_all_solutions(rows in prop::collection::vec(prop::collection::vec(0u64..8, 3), 0..4)) {
            let (n, width) = (3, 3);
            let generators = kernel(&rows, n, width);
            let orthogonal = |c: &[u64]| rows.iter().all(|r| r.iter().zip(c).map(|(a, b)| a * b).sum::<u64>() % 8 == 0);
            prop_assert!(generators.iter().all(|c| orthogonal(c)));
            let mut spanned = std::collections::BTreeSet::from([vec![0u64; n]]);
            for g in &generators {
                let more = |k: u64| spanned.iter().map(move |c| c.iter().zip(g).map(|(a, b)| (a + k * b) % 8).collect::<Vec<_>>());
                spanned = (0..8).flat_map(more).collect();
            }
            let all = (0..512u64).map(|i| vec![i % 8, i / 8 % 8, i / 64]).filter(|c| orthogonal(c)).count();
            prop_assert_eq!(spanned.len(), all);
        }
    }
}
