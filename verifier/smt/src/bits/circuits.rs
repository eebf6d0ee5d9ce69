//! Circuits for words: the bit-vector operators of terms over gates, the least significant bit first.
//!
//! Each operator has the semantics of `cfa::bv`, including division by zero and shifts by too much. Multiplication adds
//! shifted copies; multiplication by a constant adds and subtracts as few copies as the constant's signed digits allow.
//! Division is restoring, with a remainder that is no wider than the divisor.

use super::graph::{Graph, Lit};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Term, Terms};

/// A word, the least significant bit first.
pub type Word = Vec<Lit>;

/// The word of a constant.
pub fn constant(v: &Bv) -> Word {
    (0..v.width()).map(|i| Lit::constant(v.bit(i))).collect()
}

/// The value of a word of constants.
pub fn as_constant(a: &[Lit]) -> Option<Bv> {
    let mut words = vec![0u64; a.len().div_ceil(64)];
    for (i, l) in a.iter().enumerate() {
        words[i / 64] |= u64::from(l.as_constant()?) << (i % 64);
    }
    Some(Bv::from_words(a.len() as u32, &words))
}

/// The complement.
pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|l| !*l).collect()
}

/// `a + b + carry` in the width of `a` (which is that of `b`), and the carry out.
fn add_with_carry(g: &mut Graph, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = g.xor(x, y);
        sum.push(g.xor(half, carry));
        carry = g.maj(x, y, carry);
    }
    (sum, carry)
}

/// The sum.
pub fn add(g: &mut Graph, a: &[Lit], b: &[Lit]) -> Word {
    add_with_carry(g, a, b, Lit::FALSE).0
}

/// The difference.
pub fn sub(g: &mut Graph, a: &[Lit], b: &[Lit]) -> Word {
    add_with_carry(g, a, &not(b), Lit::TRUE).0
}

/// The negation.
pub fn neg(g: &mut Graph, a: &[Lit]) -> Word {
    let zero = vec![Lit::FALSE; a.len()];
    sub(g, &zero, a)
}

/// Applies `f` bit by bit.
fn bitwise(g: &mut Graph, a: &[Lit], b: &[Lit], f: fn(&mut Graph, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(&x, &y)| f(g, x, y)).collect()
}

/// If `c` then `a`, else `b`.
pub fn choose(g: &mut Graph, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| g.mux(c, x, y)).collect()
}

/// Whether two words are equal.
pub fn equal(g: &mut Graph, a: &[Lit], b: &[Lit]) -> Lit {
    let mut bits = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        match g.same(x, y) {
            Lit::TRUE => {}
            Lit::FALSE => return Lit::FALSE,
            same => bits.push(same),
        }
    }
    g.and_all(bits)
}

/// `a < b`, unsigned.
pub fn less(g: &mut Graph, a: &[Lit], b: &[Lit]) -> Lit {
    // The borrow of a - b.
    let mut borrow = Lit::FALSE;
    for (&x, &y) in a.iter().zip(b) {
        borrow = g.maj(!x, y, borrow);
    }
    borrow
}

/// An order comparison.
pub fn compare(g: &mut Graph, cmp: BvCmp, a: &[Lit], b: &[Lit]) -> Lit {
    let biased = |w: &[Lit]| {
        let mut w = w.to_vec();
        if let Some(sign) = w.last_mut() {
            *sign = !*sign;
        }
        w
    };
    match cmp {
        BvCmp::Ult => less(g, a, b),
        BvCmp::Ule => !less(g, b, a),
        BvCmp::Slt => less(g, &biased(a), &biased(b)),
        BvCmp::Sle => !less(g, &biased(b), &biased(a)),
    }
}

/// The word of `t`, from the words `args` of its arguments: a single bit for a Bool. `None` if its symbol is a variable, or one of
/// memories, addresses and floats, which have no circuit.
pub fn operator(g: &mut Graph, terms: &Terms, t: Term, args: &[&[Lit]]) -> Option<Word> {
    let node = terms.node(t);
    Some(match (node.kind, args) {
        (Kind::Const(_) | Kind::BigConst(_), []) => constant(&terms.as_bv(t)?),
        (Kind::Bool(b), []) => vec![Lit::constant(b)],
        (Kind::Not | Kind::BvNot, [a]) => not(a),
        (Kind::And, [a, b]) => vec![g.and(a[0], b[0])],
        (Kind::Or, [a, b]) => vec![g.or(a[0], b[0])],
        (Kind::Ite, [c, a, b]) => choose(g, c[0], a, b),
        (Kind::Eq, [a, b]) => vec![equal(g, a, b)],
        (Kind::Bv(op), [a, b]) => binary(g, op, a, b),
        (Kind::Cmp(cmp), [a, b]) => vec![compare(g, cmp, a, b)],
        (Kind::BvNeg, [a]) => neg(g, a),
        (Kind::Extract { hi, lo }, [a]) => a[lo as usize..=hi as usize].to_vec(),
        (Kind::Concat, [high, low]) => [*low, *high].concat(),
        (Kind::Zext | Kind::Sext, [a]) => {
            let sign = if node.kind == Kind::Sext { a[a.len() - 1] } else { Lit::FALSE };
            let mut word = a.to_vec();
            word.resize(node.sort.width() as usize, sign);
            word
        }
        _ => return None,
    })
}

/// A binary operator.
pub fn binary(g: &mut Graph, op: BvOp, a: &[Lit], b: &[Lit]) -> Word {
    match op {
        BvOp::Add => add(g, a, b),
        BvOp::Sub => sub(g, a, b),
        BvOp::Mul => multiply(g, a, b),
        BvOp::Udiv => divide(g, a, b).0,
        BvOp::Urem => divide(g, a, b).1,
        BvOp::Sdiv => divide_signed(g, a, b).0,
        BvOp::Srem => divide_signed(g, a, b).1,
        BvOp::And => bitwise(g, a, b, Graph::and),
        BvOp::Or => bitwise(g, a, b, Graph::or),
        BvOp::Xor => bitwise(g, a, b, Graph::xor),
        BvOp::Shl => {
            // A right shift of the reversed word.
            let reversed: Word = a.iter().rev().copied().collect();
            let mut shifted = shift_right(g, &reversed, b, Lit::FALSE);
            shifted.reverse();
            shifted
        }
        BvOp::Lshr => shift_right(g, a, b, Lit::FALSE),
        BvOp::Ashr => shift_right(g, a, b, a[a.len() - 1]),
    }
}

/// `a` shifted right by `by`, with `fill` shifted in.
fn shift_right(g: &mut Graph, a: &[Lit], by: &[Lit], fill: Lit) -> Word {
    let width = a.len();
    let mut word = a.to_vec();
    let mut beyond = Lit::FALSE;
    for (i, &bit) in by.iter().enumerate() {
        match 1usize.checked_shl(i as u32).filter(|d| i < 32 && *d < width) {
            Some(distance) => {
                let moved: Word = (0..width).map(|k| word.get(k + distance).copied().unwrap_or(fill)).collect();
                word = choose(g, bit, &moved, &word);
            }
            None => beyond = g.or(beyond, bit),
        }
    }
    word.into_iter().map(|l| g.mux(beyond, fill, l)).collect()
}

/// The product.
fn multiply(g: &mut Graph, a: &[Lit], b: &[Lit]) -> Word {
    let known = |w: &[Lit]| w.iter().filter(|l| l.as_constant().is_some()).count();
    // The same order for both orders of the operands: the one with more constants is the multiplier.
    let (a, b) = if (known(a), a) < (known(b), b) { (a, b) } else { (b, a) };
    if let Some(k) = as_constant(b) {
        return multiply_constant(g, a, &k);
    }
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (i, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Word = a[..width - i].iter().map(|&x| g.and(x, bit)).collect();
        let high = add(g, &sum[i..], &row);
        sum.splice(i.., high);
    }
    sum
}

/// The product with a constant, by its nonadjacent form: digits -1, 0 and 1 of which no two neighbours are nonzero
/// (Reitwiesner 1960).
fn multiply_constant(g: &mut Graph, a: &[Lit], k: &Bv) -> Word {
    let width = a.len();
    let bit = |i: usize| i < width && k.bit(i as u32);
    let mut sum = vec![Lit::FALSE; width];
    let mut carry = false;
    for i in 0..width {
        let odd = bit(i) != carry;
        let negative = odd && bit(i + 1);
        carry = if odd { negative } else { carry && bit(i) };
        if !odd {
            continue;
        }
        let row = &a[..width - i];
        let high = if negative { sub(g, &sum[i..], row) } else { add(g, &sum[i..], row) };
        sum.splice(i.., high);
    }
    sum
}

/// Unsigned quotient and remainder; division by zero yields all ones and the dividend.
fn divide(g: &mut Graph, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    // Number of bits of the divisor up to the highest one that may be set; the remainder has no more.
    let size = b.iter().rposition(|l| *l != Lit::FALSE).map_or(0, |i| i + 1);
    if size == 0 {
        return (vec![Lit::TRUE; width], a.to_vec());
    }
    let mut divisor = b[..size].to_vec();
    divisor.push(Lit::FALSE);
    let mut rest = vec![Lit::FALSE; size];
    let mut quotient = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        let mut shifted = vec![a[i]];
        shifted.extend(&rest);
        let (difference, fits) = add_with_carry(g, &shifted, &not(&divisor), Lit::TRUE);
        quotient[i] = fits;
        rest = choose(g, fits, &difference[..size], &shifted[..size]);
    }
    rest.resize(width, Lit::FALSE);
    let zero = vec![Lit::FALSE; width];
    let by_zero = equal(g, b, &zero);
    let rest = choose(g, by_zero, a, &rest);
    (quotient, rest)
}

/// Signed quotient and remainder, rounded towards zero.
fn divide_signed(g: &mut Graph, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    if let Some(k) = as_constant(b)
        && !k.sign()
        && !k.is_zero()
        && k.trailing_zeros() + 1 == k.to_big().bits() as u32
    {
        return divide_by_power(g, a, k.trailing_zeros() as usize);
    }
    let magnitude = |g: &mut Graph, w: &[Lit], sign: Lit| {
        let negative = neg(g, w);
        choose(g, sign, &negative, w)
    };
    let (p, q) = (magnitude(g, a, sign_a), magnitude(g, b, sign_b));
    let (quotient, rest) = divide(g, &p, &q);
    let differ = g.xor(sign_a, sign_b);
    (magnitude(g, &quotient, differ), magnitude(g, &rest, sign_a))
}

/// Quotient and remainder of the signed `a` and 2^`n`, rounded towards zero.
fn divide_by_power(g: &mut Graph, a: &[Lit], n: usize) -> (Word, Word) {
    let sign = a[a.len() - 1];
    let whole = g.and_all(a[..n].iter().map(|l| !*l).collect());
    // Rounded down; adjusted if the number is negative and there is a remainder.
    let below = g.and(sign, !whole);
    let mut floor = a[n..].to_vec();
    floor.resize(a.len(), sign);
    let zero = vec![Lit::FALSE; a.len()];
    let quotient = add_with_carry(g, &floor, &zero, below).0;
    let mut rest = a[..n].to_vec();
    rest.resize(a.len(), below);
    (quotient, rest)
}
