//! Symbols to which comparisons with constants leave one value, such as a length at the end of the loop that counts up to it.

use cfa::bv::{Bv, BvCmp};
use cfa::term::Kind;
use cfa::{Sort, SymId, Term, Terms};
use imbl::OrdSet;

/// What a condition says about a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    /// Its value, as a number with a sign or without, is from `first` to `last`.
    Range { signed: bool, first: i128, last: i128 },
    /// It does not have this value, as a number without a sign.
    Not(i128),
}

/// If `c`, one of the constraints, and the others leave a symbol one value: the symbol and the value.
pub(super) fn fixed(terms: &mut Terms, constraints: &OrdSet<Term>, c: Term) -> Option<(SymId, Term)> {
    let (symbol, _) = fact(terms, c)?;
    let Sort::Bv(width @ 1..=64) = terms.symbol(symbol).sort else { return None };
    let (half, all) = (1i128 << (width - 1), 1i128 << width);
    let (mut unsigned, mut signed, mut others) = ((0, all - 1), (-half, half - 1), Vec::new());
    for c in constraints {
        match fact(terms, *c).filter(|(of, _)| *of == symbol) {
            Some((_, Fact::Range { signed: true, first, last })) => signed = (first.max(signed.0), last.min(signed.1)),
            Some((_, Fact::Range { signed: false, first, last })) => {
                unsigned = (first.max(unsigned.0), last.min(unsigned.1));
            }
            Some((_, Fact::Not(value))) => others.push(value),
            None => {}
        }
    }
    if signed.0 >= 0 {
        unsigned = (unsigned.0.max(signed.0), unsigned.1.min(signed.1));
    } else if signed.1 < 0 {
        unsigned = (unsigned.0.max(signed.0 + all), unsigned.1.min(signed.1 + all));
    } else if unsigned.0 > signed.1 && signed.0 > -half {
        unsigned.0 = unsigned.0.max(signed.0 + all);
    }
    while unsigned.0 < unsigned.1 && others.contains(&unsigned.0) {
        unsigned.0 += 1;
    }
    while unsigned.0 < unsigned.1 && others.contains(&unsigned.1) {
        unsigned.1 -= 1;
    }
    let value = u64::try_from(unsigned.0).ok().filter(|_| unsigned.0 == unsigned.1)?;
    Some((symbol, terms.int(width, value)))
}

/// What `c` says about a symbol, if it compares one with a constant.
fn fact(terms: &Terms, c: Term) -> Option<(SymId, Fact)> {
    let (is_negated, c) = match terms.kind(c) {
        Kind::Not => (true, terms.args(c)[0]),
        _ => (false, c),
    };
    let &[a, b] = terms.args(c) else { return None };
    if (terms.kind(c), is_negated) == (Kind::Eq, true) {
        let (symbol, signed) = extended(terms, a, false)?;
        let value = number(&terms.as_bv(b)?, signed)?;
        return Some((symbol, Fact::Not(value)));
    }
    let Kind::Cmp(cmp) = terms.kind(c) else { return None };
    let is_signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
    let is_strict = matches!(cmp, BvCmp::Ult | BvCmp::Slt);
    let (t, constant, is_left) = match (terms.as_bv(a), terms.as_bv(b)) {
        (None, Some(constant)) => (a, constant, true),
        (Some(constant), None) => (b, constant, false),
        _ => return None,
    };
    let (symbol, signed) = extended(terms, t, is_signed)?;
    let constant = number(&constant, is_signed)?;
    // `t < k`, `t <= k`, and the same with sides exchanged or negated.
    let (first, last) = match (is_left, is_negated) {
        (true, false) => (i128::MIN, constant - i128::from(is_strict)),
        (true, true) => (constant + i128::from(!is_strict), i128::MAX),
        (false, false) => (constant + i128::from(is_strict), i128::MAX),
        (false, true) => (i128::MIN, constant - i128::from(!is_strict)),
    };
    Some((symbol, Fact::Range { signed, first, last }))
}

/// If `t`, a number with a sign or without, is a symbol or one that is extended: the symbol, and whether that is a number with a sign.
fn extended(terms: &Terms, t: Term, signed: bool) -> Option<(SymId, bool)> {
    let inner = |t: Term| match terms.kind(terms.args(t)[0]) {
        Kind::Sym(s) => Some(s),
        _ => None,
    };
    match terms.kind(t) {
        Kind::Sym(s) => Some((s, signed)),
        Kind::Zext => Some((inner(t)?, false)),
        Kind::Sext if signed => Some((inner(t)?, true)),
        _ => None,
    }
}

fn number(value: &Bv, signed: bool) -> Option<i128> {
    if signed { value.to_i64().map(i128::from) } else { value.to_u64().map(i128::from) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::eval::{Value, eval_bool};
    use cfa::term::Leaf;
    use kerf_testing::Random;

    /// A value that is found is the only one. Most are found: not those that follow from numbers with and without a sign together, or from
    /// conditions that are no comparisons any more once they are simplified.
    #[test]
    fn the_only_value_is_found() {
        let mut rng = Random::new(3);
        let (mut found, mut missed) = (0, 0);
        for round in 0..3000 {
            let mut terms = Terms::new();
            let symbol = terms.fresh_sym("s", Sort::Bv(3));
            let s = terms.sym(symbol);
            let (wide, long) = (terms.zext(5, s), terms.sext(5, s));
            let plain = rng.one_in(2);
            let mut constraints = OrdSet::new();
            for _ in 0..rng.below(6) + 1 {
                let (t, width) = if plain { (s, 3) } else { rng.pick(&[(s, 3), (wide, 5), (long, 5)]) };
                let k = terms.int(width, rng.below(1 << width));
                let c = match rng.below(6) {
                    0 | 1 => terms.eq(t, k),
                    2 => terms.cmp(BvCmp::Ult, t, k),
                    3 => terms.cmp(BvCmp::Ule, k, t),
                    4 => terms.cmp(BvCmp::Slt, t, k),
                    _ => terms.cmp(BvCmp::Sle, k, t),
                };
                let c = if terms.kind(c) == Kind::Eq || rng.one_in(2) { terms.not(c) } else { c };
                if terms.as_bool(c).is_none() {
                    constraints.insert(c);
                }
            }
            let holds = |v: u64| {
                let mut leaf = |l: Leaf| (l == Leaf::Sym(symbol)).then(|| Value::Bv(Bv::new(3, v)));
                constraints.iter().all(|c| eval_bool(&terms, *c, &mut leaf) == Some(true))
            };
            let values: Vec<u64> = (0..8).filter(|v| holds(*v)).collect();
            let Some(c) = constraints.iter().next().copied() else { continue };
            match fixed(&mut terms, &constraints, c) {
                Some((of, value)) => {
                    assert_eq!(of, symbol);
                    assert!(values.iter().all(|v| Some(*v) == terms.as_u64(value)), "round {round}: {values:?}");
                    found += 1;
                }
                None => missed += usize::from(plain && values.len() == 1),
            }
        }
        assert!(found > 300 && missed * 4 < found, "{found} {missed}");
    }
}
