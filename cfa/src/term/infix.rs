//! Printing of terms for people, with the operators of C between their operands.
//!
//! ```text
//! +, <, /         signed, as numbers of any width are that no operator reads otherwise
//! <u, /u, >>u     unsigned
//! +f, <f          of floating-point numbers
//! x[7:0]          bits 7 to 0 of x;  (x, y): the bits of x before those of y;  (u64)x, (s64)x: x extended by zeros, by its sign
//! m[a], m[a := v] what memory m has at address a;  m with v there
//! ```
//!
//! There is no way back: widths of constants and of memory accesses are not printed. What `print` writes can be parsed.

use super::print::{Printer, format_name};
use super::{Kind, Term, Terms};
use crate::bv::{BvCmp, BvOp};
use crate::float::FloatOp;
use std::cell::Cell;

/// Constants beyond this magnitude are addresses or patterns of bits, and easier to read in base 16.
const MAX_DECIMAL: u64 = 1 << 40;

/// Maximum nesting depth of what is printed.
const MAX_DEPTH: u32 = 100;

/// The level of what needs no brackets anywhere.
const ATOM: u8 = 12;
const UNARY: u8 = 11;

impl Terms {
    /// The beginning of `t` as people read it: all of it, or more than `enough` bytes.
    pub fn infix(&self, t: Term, names: &Printer<'_>, enough: usize) -> String {
        let mut out = String::new();
        Infix { terms: self, names, enough, depth: Cell::new(0) }.print(&mut out, t, 0);
        out
    }
}

struct Infix<'a> {
    terms: &'a Terms,
    names: &'a Printer<'a>,
    enough: usize,
    depth: Cell<u32>,
}

impl Infix<'_> {
    /// Prints `t`, in brackets if its operator binds less than `level`.
    fn print(&self, out: &mut String, t: Term, level: u8) {
        if out.len() > self.enough {
            return;
        }
        if self.depth.get() == MAX_DEPTH {
            return out.push('…');
        }
        self.depth.set(self.depth.get() + 1);
        self.operator(out, t, level);
        self.depth.set(self.depth.get() - 1);
    }

    fn operator(&self, out: &mut String, t: Term, level: u8) {
        let terms = self.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            Kind::Not => self.negated(out, args[0], level),
            Kind::And => self.between(out, " && ", args, 3, level),
            Kind::Or => self.between(out, " || ", args, 2, level),
            Kind::Eq => self.between(out, " == ", args, 7, level),
            Kind::Cmp(cmp) => self.between(out, compared(cmp), args, 8, level),
            Kind::Ite => {
                let open = level > 1;
                out.push_str(if open { "(" } else { "" });
                self.print(out, args[0], 2);
                out.push_str(" ? ");
                self.print(out, args[1], 2);
                out.push_str(" : ");
                self.print(out, args[2], 1);
                out.push_str(if open { ")" } else { "" });
            }
            Kind::Bv(op) => self.arithmetic(out, op, args, level),
            Kind::BvNot => self.before(out, "~", args[0]),
            Kind::BvNeg => self.before(out, "-", args[0]),
            Kind::Zext => self.before(out, &format!("(u{})", terms.width(t)), args[0]),
            Kind::Sext => self.before(out, &format!("(s{})", terms.width(t)), args[0]),
            Kind::Extract { hi, lo } => {
                self.print(out, args[0], ATOM);
                out.push_str(&format!("[{hi}:{lo}]"));
            }
            Kind::Concat => self.call(out, "", args),
            Kind::Float(op, format) => match op {
                FloatOp::Add => self.between(out, " +f ", args, 10, level),
                FloatOp::Sub => self.between(out, " -f ", args, 10, level),
                FloatOp::Mul => self.between(out, " *f ", args, 11, level),
                FloatOp::Div => self.between(out, " /f ", args, 11, level),
                FloatOp::Eq => self.between(out, " ==f ", args, 7, level),
                FloatOp::Lt => self.between(out, " <f ", args, 8, level),
                FloatOp::Le => self.between(out, " <=f ", args, 8, level),
                FloatOp::Convert(to) => self.before(out, &format!("({})", format_name(to)), args[0]),
                FloatOp::FromSigned | FloatOp::FromUnsigned => {
                    self.before(out, &format!("({})", format_name(format)), args[0]);
                }
                _ => self.call(out, &terms.operator_name(t), args),
            },
            Kind::Read => self.indexed(out, args[0], &[args[1]], ""),
            Kind::Write => self.indexed(out, args[0], &args[1..], " := "),
            Kind::ConstArray | Kind::Copy => self.call(out, &terms.operator_name(t), args),
            Kind::Bool(_) | Kind::Const(_) | Kind::BigConst(_) | Kind::Var(_) | Kind::Sym(_) | Kind::Addr(_) => {
                out.push_str(&self.leaf(t));
            }
        }
    }

    fn leaf(&self, t: Term) -> String {
        let number = self.terms.as_bv(t).and_then(|k| k.to_i64());
        match number {
            Some(k) if k.unsigned_abs() < MAX_DECIMAL => k.to_string(),
            Some(k) => format!("{:#x}", k as u64 & (u64::MAX >> (64 - self.terms.width(t).min(64)))),
            None => self.terms.leaf_name(t, self.names).unwrap_or_default(),
        }
    }

    /// The negation of `t`.
    fn negated(&self, out: &mut String, t: Term, level: u8) {
        let args = self.terms.args(t);
        match self.terms.kind(t) {
            Kind::Eq => self.between(out, " != ", args, 7, level),
            // not a < b: b <= a; the operands stay where they are.
            Kind::Cmp(cmp) => {
                let operator = match cmp {
                    BvCmp::Ult => " >=u ",
                    BvCmp::Ule => " >u ",
                    BvCmp::Slt => " >= ",
                    BvCmp::Sle => " > ",
                };
                self.between(out, operator, args, 8, level);
            }
            _ => self.before(out, "!", t),
        }
    }

    fn arithmetic(&self, out: &mut String, op: BvOp, args: &[Term], level: u8) {
        if let (BvOp::Add, &[a, b]) = (op, args)
            && let Some(k) = self.terms.as_bv(b).and_then(|k| k.to_i64()).filter(|k| (-1 << 40..0).contains(k))
        {
            let open = level > 10;
            out.push_str(if open { "(" } else { "" });
            self.print(out, a, 10);
            out.push_str(&format!(" - {}", -k));
            out.push_str(if open { ")" } else { "" });
            return;
        }
        let (operator, binds) = match op {
            BvOp::Add => (" + ", 10),
            BvOp::Sub => (" - ", 10),
            BvOp::Mul => (" * ", 11),
            BvOp::Udiv => (" /u ", 11),
            BvOp::Urem => (" %u ", 11),
            BvOp::Sdiv => (" / ", 11),
            BvOp::Srem => (" % ", 11),
            BvOp::And => (" & ", 6),
            BvOp::Or => (" | ", 4),
            BvOp::Xor => (" ^ ", 5),
            BvOp::Shl => (" << ", 9),
            BvOp::Lshr => (" >>u ", 9),
            BvOp::Ashr => (" >> ", 9),
        };
        self.between(out, operator, args, binds, level);
    }

    /// Operands with an operator between them that binds as `binds` says; those after the first have to bind more.
    fn between(&self, out: &mut String, operator: &str, args: &[Term], binds: u8, level: u8) {
        let open = level > binds;
        out.push_str(if open { "(" } else { "" });
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(operator);
            }
            self.print(out, *a, if i == 0 { binds } else { binds + 1 });
        }
        out.push_str(if open { ")" } else { "" });
    }

    fn before(&self, out: &mut String, operator: &str, t: Term) {
        out.push_str(operator);
        self.print(out, t, UNARY + 1);
    }

    fn call(&self, out: &mut String, name: &str, args: &[Term]) {
        out.push_str(name);
        out.push('(');
        for (i, a) in args.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            self.print(out, *a, 0);
        }
        out.push(')');
    }

    fn indexed(&self, out: &mut String, memory: Term, inside: &[Term], separator: &str) {
        self.print(out, memory, ATOM);
        out.push('[');
        for (i, a) in inside.iter().enumerate() {
            out.push_str(if i > 0 { separator } else { "" });
            self.print(out, *a, 0);
        }
        out.push(']');
    }
}

fn compared(cmp: BvCmp) -> &'static str {
    match cmp {
        BvCmp::Ult => " <u ",
        BvCmp::Ule => " <=u ",
        BvCmp::Slt => " < ",
        BvCmp::Sle => " <= ",
    }
}
