//! The values of terms as ranges.

use cfa::term::Kind;
use cfa::{Id, Range, Sort, Term, Terms};

/// Maximum number of subterms that the evaluation of a term visits; terms with more may have any value.
const MAX_VISITS: u32 = 10_000;

/// The value of a term whose sort has ranges, where `values` are those of the variables.
pub(super) fn value(terms: &Terms, values: &[Range], t: Term) -> Range {
    Evaluation { terms, values, left: MAX_VISITS }.visit(t)
}

struct Evaluation<'a> {
    terms: &'a Terms,
    values: &'a [Range],
    /// The number of visits that are left.
    left: u32,
}

impl Evaluation<'_> {
    fn visit(&mut self, t: Term) -> Range {
        let sort = self.terms.sort(t);
        let Some(any) = Range::of_sort(sort) else { return Range::TRUTH };
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return any;
        }
        let args = self.terms.args(t);
        let kind = self.terms.kind(t);
        if let Kind::Var(v) = kind {
            return self.values[v.index()];
        }
        let width = |t: Term| match self.terms.sort(t) {
            Sort::Bv(width) => width,
            _ => 1,
        };
        if args.iter().any(|a| Range::of_sort(self.terms.sort(*a)).is_none()) {
            return any;
        }
        match kind {
            Kind::Bool(b) => Range::truth(Some(b)),
            Kind::Const(_) => self.terms.as_bv(t).and_then(|k| k.to_i64()).map_or(any, Range::point),
            Kind::Not => Range::truth(self.visit(args[0]).as_truth().map(|b| !b)),
            Kind::And | Kind::Or => {
                let absorbing = kind == Kind::Or;
                let mut known = Some(!absorbing);
                for a in args {
                    match self.visit(*a).as_truth() {
                        Some(b) if b == absorbing => return Range::truth(Some(absorbing)),
                        Some(_) => {}
                        None => known = None,
                    }
                }
                Range::truth(known)
            }
            Kind::Ite => match self.visit(args[0]).as_truth() {
                Some(true) => self.visit(args[1]),
                Some(false) => self.visit(args[2]),
                None => self.visit(args[1]).hull(self.visit(args[2])),
            },
            Kind::Eq => self.visit(args[0]).equals(self.visit(args[1])),
            Kind::Cmp(cmp) => self.visit(args[0]).compared(cmp, self.visit(args[1]), width(args[0])),
            Kind::Bv(op) => self.visit(args[0]).binary(op, self.visit(args[1]), width(t)),
            Kind::BvNot => self.visit(args[0]).complement(),
            Kind::BvNeg => self.visit(args[0]).negated(width(t)),
            Kind::Extract { hi, lo } => self.visit(args[0]).extracted(hi, lo),
            Kind::Concat => {
                let (high, low) = (self.visit(args[0]), self.visit(args[1]));
                high.concatenated(low, width(args[1]), width(t))
            }
            Kind::Zext => self.visit(args[0]).zero_extended(width(args[0]), width(t)),
            Kind::Sext => self.visit(args[0]),
            Kind::Var(_)
            | Kind::BigConst(_)
            | Kind::Sym(_)
            | Kind::Addr(_)
            | Kind::Float(..)
            | Kind::Read
            | Kind::Write
            | Kind::ConstArray
            | Kind::Copy => any,
        }
    }
}
