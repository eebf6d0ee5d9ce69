//! Translation of terms to Z3's syntax trees.
//!
//! Each term is translated once, without recursion. A float term has two views: its bits, and Z3's floating-point number. The
//! number is derived from the bits (or the bits from the number) only where it is needed, so that chains of float operators
//! stay numbers. NaN is one number with many bit patterns; operators yield the canonical pattern, as in `cfa::float`.

use super::operators::{Operators, arity};
use super::raw::{Context, Made};
use crate::solver::SolverError;
use cfa::bv::{Bv, BvOp};
use cfa::float::Format;
use cfa::term::{Kind, Node};
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use z3::ast::{Bool, Dynamic, Float};

/// Flag of terms that contain more than bit-vectors and Bool.
const BEYOND_BITS: u8 = 1;

/// Flag of terms that contain a copy translated to a function of the address.
const LAMBDA: u8 = 2;

/// A view of a term: as a term of its own sort (`None`), or as a number of the format.
type View = (Term, Option<Format>);

/// The translations made in one context.
pub(super) struct Translator {
    pub(super) operators: Operators,
    trees: Trees,
    flags: Vec<u8>,
    count: u64,
}

/// The views that have been translated.
#[derive(Default)]
struct Trees {
    terms: Vec<Option<Dynamic>>,
    numbers: FxHashMap<(Term, Format), Float>,
}

impl Trees {
    fn has(&self, (t, number): View) -> bool {
        match number {
            None => self.known(t).is_some(),
            Some(f) => self.numbers.contains_key(&(t, f)),
        }
    }

    fn known(&self, t: Term) -> Option<&Dynamic> {
        self.terms.get(t.0 as usize)?.as_ref()
    }

    fn term(&self, t: Term) -> Made<&Dynamic> {
        self.known(t).ok_or_else(missing)
    }

    fn truth(&self, t: Term) -> Made<Bool> {
        self.term(t)?.as_bool().ok_or_else(arity)
    }

    fn number(&self, t: Term, f: Format) -> Made<&Float> {
        self.numbers.get(&(t, f)).ok_or_else(missing)
    }

    fn all_numbers(&self, node: &Node, f: Format) -> Made<SmallVec<[&Float; 3]>> {
        node.args.iter().map(|&a| self.number(a, f)).collect()
    }
}

fn missing() -> SolverError {
    SolverError::Failed("an argument is not translated".into())
}

/// How the number of a term that is not a float operator is obtained.
enum Shape {
    /// As a choice between two numbers.
    Ite,
    /// As the negated number of the argument.
    Neg(Term),
    /// As the magnitude of the argument's number.
    Abs(Term),
    /// From the bits.
    Bits,
}

fn shape(terms: &Terms, t: Term, format: Format) -> Shape {
    let w = format.width_bits();
    match (terms.kind(t), terms.args(t)) {
        (Kind::Ite, _) => Shape::Ite,
        (Kind::Bv(BvOp::Xor), &[x, k]) => {
            let sign = Bv::new(1, 1).concat(&Bv::new(w - 1, 0));
            if terms.as_bv(k) == Some(sign) { Shape::Neg(x) } else { Shape::Bits }
        }
        (Kind::Zext, &[x]) if terms.kind(x) == (Kind::Extract { hi: w - 2, lo: 0 }) => {
            let inner = terms.args(x)[0];
            if terms.width(inner) == w { Shape::Abs(inner) } else { Shape::Bits }
        }
        _ => Shape::Bits,
    }
}

/// Calls `tell` with the views that `view` is made of.
fn each_part(terms: &Terms, (t, number): View, mut tell: impl FnMut(View)) {
    let node = terms.node(t);
    match (node.kind, number) {
        (Kind::Float(op, f), _) if number.is_some() || op.result_format(f).is_none() => {
            if number.is_some() && number != op.result_format(f) {
                // The bits of one format reinterpreted as another (both have 16 bits).
                return tell((t, None));
            }
            for &a in &node.args {
                tell((a, if op.is_of_integer() { None } else { Some(f) }));
            }
        }
        (Kind::Float(op, f), _) => tell((t, op.result_format(f))),
        (_, Some(f)) => match shape(terms, t, f) {
            Shape::Ite => {
                tell((node.args[0], None));
                tell((node.args[1], number));
                tell((node.args[2], number));
            }
            Shape::Neg(x) | Shape::Abs(x) => tell((x, number)),
            Shape::Bits => tell((t, None)),
        },
        (_, None) => {
            for &a in &node.args {
                tell((a, None));
            }
        }
    }
}

impl Translator {
    /// A translator for the context that is entered.
    pub(super) fn new() -> Translator {
        Translator { operators: Operators::new(), trees: Trees::default(), flags: Vec::new(), count: 0 }
    }

    /// The number of terms translated.
    pub(super) fn translated(&self) -> u64 {
        self.count
    }

    /// The translation of a Bool, which must have been translated.
    pub(super) fn truth(&self, t: Term) -> Made<Bool> {
        self.trees.truth(t)
    }

    /// Whether the translated `t` contains neither memories nor floats.
    pub(super) fn only_bits(&self, t: Term) -> bool {
        self.flags.get(t.0 as usize).is_some_and(|f| f & BEYOND_BITS == 0)
    }

    /// Whether the translated `t` contains a copy that became a function of the address.
    pub(super) fn has_lambda(&self, t: Term) -> bool {
        self.flags.get(t.0 as usize).is_some_and(|f| f & LAMBDA != 0)
    }

    /// Translates `t`.
    pub(super) fn translate(&mut self, c: &Context, terms: &Terms, t: Term) -> Result<(), SolverError> {
        if self.trees.known(t).is_some() {
            return Ok(());
        }
        if self.trees.terms.len() < terms.len() {
            self.trees.terms.resize(terms.len(), None);
            self.flags.resize(terms.len(), 0);
        }
        let mut stack: Vec<View> = vec![(t, None)];
        while let Some(&view) = stack.last() {
            if self.trees.has(view) {
                stack.pop();
                continue;
            }
            let (open, mut of_parts) = (stack.len(), 0);
            each_part(terms, view, |part| {
                of_parts |= self.flags[part.0.0 as usize];
                if !self.trees.has(part) {
                    stack.push(part);
                }
            });
            if stack.len() > open {
                continue;
            }
            stack.pop();
            match view {
                (t, None) => self.trees.terms[t.0 as usize] = Some(self.build(c, terms, t)?),
                (t, Some(f)) => {
                    let number = self.build_number(c, terms, t, f)?;
                    self.trees.numbers.insert((t, f), number);
                }
            }
            self.flags[view.0.0 as usize] |= of_parts & LAMBDA;
            self.count += 1;
        }
        Ok(())
    }

    fn build(&mut self, c: &Context, terms: &Terms, t: Term) -> Made {
        let (node, trees, operators) = (terms.node(t), &self.trees, &mut self.operators);
        if let Kind::Float(op, f) = node.kind {
            self.flags[t.0 as usize] |= BEYOND_BITS;
            return match op.result_format(f) {
                Some(result) => operators.bits_of_number(c, trees.number(t, result)?, result),
                None => operators.float_test(c, op, f, &trees.all_numbers(node, f)?, node.sort),
            };
        }
        let mut flags = if matches!(node.sort, Sort::Array { .. }) { BEYOND_BITS } else { 0 };
        let mut args: SmallVec<[&Dynamic; 5]> = SmallVec::new();
        for &a in &node.args {
            args.push(trees.term(a)?);
            flags |= self.flags[a.0 as usize];
        }
        if node.kind == Kind::Copy {
            flags |= LAMBDA;
        }
        self.flags[t.0 as usize] |= flags;
        if let Kind::BigConst(_) = node.kind {
            return operators.constant(c, &terms.as_bv(t).ok_or_else(arity)?);
        }
        if node.kind == Kind::Copy
            && let Some(bytes) = terms.as_u64(node.args[4])
        {
            return operators.copy_short(c, node.sort, &args, bytes);
        }
        operators.plain(c, node.kind, node.sort, &args, &|i| terms.sort(node.args[i]))
    }

    /// The view of `t` as a number of format `f`.
    fn build_number(&mut self, c: &Context, terms: &Terms, t: Term, f: Format) -> Made<Float> {
        let (node, trees, operators) = (terms.node(t), &self.trees, &mut self.operators);
        if let Kind::Float(op, of) = node.kind {
            return match &node.args[..] {
                // The bits of one format reinterpreted as another.
                _ if op.result_format(of) != Some(f) => operators.number_of_bits(c, trees.term(t)?, f),
                &[integer] if op.is_of_integer() => operators.number_of_integer(c, op, f, trees.term(integer)?),
                _ => operators.float_number(c, op, of, &trees.all_numbers(node, of)?),
            };
        }
        match shape(terms, t, f) {
            Shape::Ite => {
                let [p, a, b] = node.args[..] else { return Err(arity()) };
                Ok(trees.truth(p)?.ite(trees.number(a, f)?, trees.number(b, f)?))
            }
            Shape::Neg(x) => Ok(trees.number(x, f)?.unary_neg()),
            Shape::Abs(x) => Ok(trees.number(x, f)?.unary_abs()),
            Shape::Bits => operators.number_of_bits(c, trees.term(t)?, f),
        }
    }
}
