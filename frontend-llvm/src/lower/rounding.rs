//! Rounding modes: what `fesetround` sets, and LLVM's constrained operations, which name a mode.
//!
//! The model of `fesetround` keeps the mode in a variable (`library/fenv.c`). Where a program can call it, each operation that rounds is a
//! choice between four operators. The library's own functions are modelled for the usual mode only, apart from those that round to integers:
//! in another mode they are unsupported.

use super::body::Body;
use super::{Lowered, NoModel, Vals};
use crate::builtin::Math;
use crate::ir::{FloatPredicate, Opcode, TypeKind, Value};
use cfa::float::{FloatOp, Format, Rounding};
use cfa::term::Terms;
use cfa::{Assumed, Sort, Term, Unsupported};

/// The modes that `fesetround` can set, other than to nearest, in the numbers of x86.
const DIRECTED: [(u64, Rounding); 3] = [(0x400, Rounding::Down), (0x800, Rounding::Up), (0xc00, Rounding::Zero)];

/// In which mode an operation rounds.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// In the one that the program has set.
    Current,
    /// In this one.
    Fixed(Rounding),
}

impl<'m> Body<'_, '_, 'm> {
    /// The mode that the program has set, as the number for `fesetround`, if it may be another than to nearest.
    fn rounding_mode(&mut self) -> Option<Term> {
        let variable = self.cx.rounding_mode?;
        let place = self.value(variable).ok()?[0];
        let memory = self.mem();
        Some(self.terms().read(memory, place, 32))
    }

    /// The mode in the numbers of `FLT_ROUNDS`: 0 towards zero, 1 to nearest, 2 up, 3 down.
    pub(super) fn llvms_rounding_mode(&mut self) -> Term {
        let nearest = self.terms().int(32, 1);
        let Some(current) = self.rounding_mode() else { return nearest };
        let numbers = |terms: &mut Terms, mode| {
            terms.int(
                32,
                [(Rounding::Down, 3), (Rounding::Up, 2)].iter().find(|(m, _)| *m == mode).map_or(0, |(_, n)| *n),
            )
        };
        self.by_mode(current, nearest, numbers)
    }

    /// The value of `of` for the mode `current`; `nearest` in the usual mode.
    fn by_mode(&mut self, current: Term, nearest: Term, of: impl Fn(&mut Terms, Rounding) -> Term) -> Term {
        let terms = self.terms();
        DIRECTED.into_iter().fold(nearest, |others, (number, mode)| {
            let number = terms.int(32, number);
            let (is_set, value) = (terms.eq(current, number), of(terms, mode));
            terms.ite(is_set, value, others)
        })
    }

    /// An operator that rounds, or that rounds to an integer.
    pub(super) fn rounded(&mut self, mode: Mode, op: FloatOp, format: Format, args: &[Term]) -> Term {
        let sort = Sort::Bv(op.result_format(format).unwrap_or(format).width_bits());
        let in_mode = |mode: Rounding| match op {
            FloatOp::Round(_) => FloatOp::Round(mode),
            op => op.rounded(mode),
        };
        let current = match mode {
            Mode::Fixed(mode) => return self.terms().float(in_mode(mode), format, args, sort),
            // Functions of the library begin with a test of the mode.
            Mode::Current if self.cx.cfa.funcs[self.func].library && !matches!(op, FloatOp::Round(_)) => None,
            Mode::Current => self.rounding_mode(),
        };
        let nearest = self.terms().float(in_mode(Rounding::NearestEven), format, args, sort);
        match current {
            Some(current) => {
                self.by_mode(current, nearest, |terms, mode| terms.float(in_mode(mode), format, args, sort))
            }
            None => nearest,
        }
    }

    /// An operator of the program in the mode that is set.
    pub(super) fn arithmetic(&mut self, op: FloatOp, format: Format, args: &[Term]) -> Term {
        self.rounded(Mode::Current, op, format, args)
    }

    /// At the beginning of a function of the library that computes with floats: any mode but the usual one is unsupported.
    pub(super) fn require_nearest(&mut self, f: Value<'m>) {
        let func = &self.cx.cfa.funcs[self.func];
        if !func.library
            || self.cx.rounding_mode.is_none()
            || !f.blocks().iter().any(|b| b.instructions().into_iter().any(rounds))
        {
            return;
        }
        let reason = format!("{} in a rounding mode other than to nearest", func.name);
        let Some(mode) = self.rounding_mode() else { return };
        let terms = self.terms();
        let other = terms.nonzero(mode);
        let unsupported = Unsupported { may_call: false, ..Unsupported::opaque(reason) };
        let done = self.when(other, |body| {
            body.unsupported(unsupported);
            Ok(())
        });
        if let Err(why) = done {
            self.no_model("rounding", why);
        }
    }

    /// Operations that say how they round, or that the mode decides (`-frounding-math`): `llvm.experimental.constrained.OP`. Exceptions have no
    /// effect, since what `fetestexcept` returns is arbitrary.
    pub(super) fn constrained(&mut self, inst: Value<'m>, parts: &[&str], name: &str) -> Lowered<()> {
        let op = parts.first().copied().unwrap_or_default();
        let operands: Vec<Value> = (0..inst.call_args().len() as u32).map(|i| inst.operand(i)).collect();
        let is_word = |v: &Value| v.ty().kind() == TypeKind::LLVMMetadataTypeKind;
        let words: Vec<String> = operands.iter().filter(|v| is_word(v)).map(|v| v.print()).collect();
        let has = |word: &str| words.iter().any(|w| w.contains(&format!("\"{word}\"")));
        let fixed = [
            ("tonearest", Rounding::NearestEven),
            ("tonearestaway", Rounding::NearestAway),
            ("upward", Rounding::Up),
            ("downward", Rounding::Down),
            ("towardzero", Rounding::Zero),
        ];
        let fixed = fixed.into_iter().find(|(word, _)| has(&format!("round.{word}")));
        let mode = fixed.map_or(Mode::Current, |(_, mode)| Mode::Fixed(mode));
        let values: Vec<Value> = operands.into_iter().filter(|v| !is_word(v)).collect();
        let no_model = || NoModel(format!("the intrinsic {name}"));
        let first = *values.first().ok_or_else(no_model)?;
        let columns = values.iter().map(|v| self.value(*v)).collect::<Lowered<Vec<Vals>>>()?;
        let mut vals = Vals::new();
        for i in 0..columns[0].len() {
            let args: Vec<Term> = columns.iter().map(|column| column[i]).collect();
            vals.push(match op {
                "sitofp" | "uitofp" => {
                    let op = if op == "sitofp" { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
                    let format = super::float::format_of(inst.ty())?;
                    self.rounded(mode, op, format, &args)
                }
                "fcmp" | "fcmps" => {
                    let known = PREDICATES.into_iter().find(|(word, _)| has(word));
                    let (_, predicate) = known.ok_or_else(no_model)?;
                    let format = super::float::format_of(first.ty())?;
                    let holds = self.compare_floats(predicate, format, args[0], args[1]);
                    self.truth(holds)
                }
                _ => self.constrained_float(mode, op, inst, first, &args)?.ok_or_else(no_model)?,
            });
        }
        self.define(inst, vals);
        Ok(())
    }

    /// One of those operations on floats that are no comparisons.
    fn constrained_float(
        &mut self,
        mode: Mode,
        op: &str,
        inst: Value<'m>,
        first: Value<'m>,
        args: &[Term],
    ) -> Lowered<Option<Term>> {
        let format = super::float::format_of(first.ty())?;
        let operator = match op {
            "fadd" => FloatOp::Add,
            "fsub" => FloatOp::Sub,
            "fmul" => FloatOp::Mul,
            "fdiv" => FloatOp::Div,
            "frem" => FloatOp::Rem,
            "fma" => FloatOp::Fma,
            "sqrt" => FloatOp::Sqrt,
            "rint" | "nearbyint" => FloatOp::Round(Rounding::NearestEven),
            "fptrunc" | "fpext" => FloatOp::Convert(super::float::format_of(inst.ty())?),
            "fptosi" | "fptoui" => {
                let width = inst.ty().scalar().int_width();
                return Ok(Some(self.float_to_integer_in_range(args[0], format, width, op == "fptosi")));
            }
            "lrint" | "llrint" => {
                let whole = self.rounded(mode, FloatOp::Round(Rounding::NearestEven), format, args);
                return Ok(Some(self.float_to_integer_or_open(whole, format, inst.ty().int_width())));
            }
            "lround" | "llround" => {
                let whole = self.math(Math::Round, format, args)?;
                return Ok(Some(self.float_to_integer_or_open(whole, format, inst.ty().int_width())));
            }
            // A product and a sum, each rounded: what clang makes of `x * y + z` on processors that cannot do both at once.
            "fmuladd" if !self.may_fuse(inst) => {
                let product = self.rounded(mode, FloatOp::Mul, format, &args[..2]);
                return Ok(Some(self.rounded(mode, FloatOp::Add, format, &[product, args[2]])));
            }
            _ => {
                let plain = [
                    ("floor", Math::Floor),
                    ("ceil", Math::Ceil),
                    ("trunc", Math::Trunc),
                    ("round", Math::Round),
                    ("roundeven", Math::RoundEven),
                    ("minnum", Math::Min),
                    ("maxnum", Math::Max),
                    ("minimum", Math::Minimum),
                    ("maximum", Math::Maximum),
                ];
                let Some((_, function)) = plain.into_iter().find(|(name, _)| *name == op) else { return Ok(None) };
                return self.math(function, format, args).map(Some);
            }
        };
        Ok(Some(self.rounded(mode, operator, format, args)))
    }

    /// Records that an operation, which a compiler may move or compute itself, rounds in the mode that the program has set.
    pub(super) fn assume_it_follows_the_mode(&mut self, first: usize) {
        if self.cx.rounding_mode.is_some() && !self.cx.cfa.funcs[self.func].library {
            self.cx.assume_from(first, Assumed::RoundsAsSet);
        }
    }
}

/// The comparisons, by their names in constrained operations.
const PREDICATES: [(&str, FloatPredicate); 14] = [
    ("oeq", FloatPredicate::OEQ),
    ("ogt", FloatPredicate::OGT),
    ("oge", FloatPredicate::OGE),
    ("olt", FloatPredicate::OLT),
    ("ole", FloatPredicate::OLE),
    ("one", FloatPredicate::ONE),
    ("ord", FloatPredicate::ORD),
    ("ueq", FloatPredicate::UEQ),
    ("ugt", FloatPredicate::UGT),
    ("uge", FloatPredicate::UGE),
    ("ult", FloatPredicate::ULT),
    ("ule", FloatPredicate::ULE),
    ("une", FloatPredicate::UNE),
    ("uno", FloatPredicate::UNO),
];

/// Whether an instruction of the library rounds a float.
fn rounds(inst: Value) -> bool {
    match inst.opcode() {
        Opcode::FAdd
        | Opcode::FSub
        | Opcode::FMul
        | Opcode::FDiv
        | Opcode::FPTrunc
        | Opcode::SIToFP
        | Opcode::UIToFP => true,
        Opcode::Call => {
            let called = inst.called();
            let name = if called.is_function() { called.name() } else { return false };
            ["sqrt", "fma"].iter().any(|base| name.strip_prefix("llvm.").unwrap_or(&name).starts_with(base))
        }
        _ => false,
    }
}
