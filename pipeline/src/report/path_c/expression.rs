//! Terms as expressions of C.
//!
//! A bit-vector of at most 32, 64 or 128 bits is held in a `uint32_t`, a `uint64_t` or an `unsigned __int128`, whose other bits are zero.
//! None of these is promoted to another type, so that arithmetic wraps as it does in the automaton. Shared parts of large terms get names
//! of their own first: all operators are total, so the order does not matter.

use std::collections::BTreeSet;

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::float::{FloatOp, Format, Rounding};
use cfa::term::{Kind, Terms};
use cfa::{Cfa, Sort, Term, VarId};
use rustc_hash::FxHashMap;

/// The greatest width that C has.
const MAX_WIDTH: u32 = 128;
/// Size of a part that gets a name if it is used more than once.
const SHARED: u32 = 6;
/// Size of a part that gets a name anyway, since compilers limit how deeply brackets nest.
const LARGE: u32 = 120;

/// Whether C can say the same as a term.
pub(super) fn is_expressible(cfa: &Cfa, t: Term) -> bool {
    let terms = &cfa.terms;
    terms.subterms(&[t], |_| false).into_iter().all(|u| {
        let fits = match terms.sort(u) {
            Sort::Bool => true,
            Sort::Bv(width) => width <= MAX_WIDTH,
            Sort::Array { index, elem } => index <= 64 && elem <= 64 && elem % 8 == 0,
        };
        fits && match terms.kind(u) {
            Kind::Sym(_) => false,
            Kind::Addr(o) => cfa.objects[o].base.is_some(),
            Kind::Read => matches!(terms.kind(terms.args(u)[0]), Kind::Var(_)),
            Kind::Eq => !matches!(terms.sort(terms.args(u)[0]), Sort::Array { .. }),
            Kind::Float(op, format) => {
                // C changes the rounding mode for all that follows.
                let usual = !matches!(op, FloatOp::Directed(..));
                usual && is_known(format) && op.result_format(format).is_none_or(is_known)
            }
            _ => true,
        }
    })
}

fn is_known(format: Format) -> bool {
    matches!(format, Format::Single | Format::Double | Format::X87)
}

/// The type that holds values of a sort; memories have none.
pub(super) fn c_type(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Bv(width) => holder(width),
        Sort::Array { .. } => "struct memory",
    }
}

fn holder(width: u32) -> &'static str {
    match width {
        0..=32 => "uint32_t",
        33..=64 => "uint64_t",
        _ => "u128",
    }
}

fn holder_bits(width: u32) -> u32 {
    width.next_power_of_two().clamp(32, 128)
}

/// An expression, and whether it needs no brackets as an operand of any operator that stands before or between.
#[derive(Clone)]
pub(super) struct Text {
    text: String,
    is_atom: bool,
}

impl Text {
    fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), is_atom: true }
    }

    fn compound(text: String) -> Text {
        Text { text, is_atom: false }
    }

    /// The expression where it stands alone.
    pub(super) fn alone(self) -> String {
        self.text
    }

    fn operand(&self) -> String {
        if self.is_atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// Writes the terms of one statement.
pub(super) struct Writer<'a> {
    pub(super) cfa: &'a Cfa,
    /// The name of a variable in this statement.
    pub(super) name: &'a dyn Fn(VarId) -> String,
    /// A new name.
    pub(super) fresh: &'a mut dyn FnMut() -> String,
    /// The definitions that the text uses.
    pub(super) used: &'a mut BTreeSet<&'static str>,
    /// Parts that have names, and their definitions.
    named: FxHashMap<Term, String>,
    /// Definitions of parts, in order.
    pub(super) before: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        cfa: &'a Cfa,
        name: &'a dyn Fn(VarId) -> String,
        fresh: &'a mut dyn FnMut() -> String,
        used: &'a mut BTreeSet<&'static str>,
    ) -> Writer<'a> {
        Writer { cfa, name, fresh, used, named: FxHashMap::default(), before: Vec::new() }
    }

    /// An expressible term that is not a memory; names of shared parts go to `before`.
    pub(super) fn term(&mut self, t: Term) -> Text {
        self.name_parts(t);
        self.text(t)
    }

    /// A name for the value of a term, or the term itself if nothing can change its value.
    pub(super) fn value(&mut self, t: Term) -> String {
        let text = self.term(t);
        if self.cfa.terms.as_bv(t).is_some() {
            return text.alone();
        }
        self.define(t, text)
    }

    fn define(&mut self, t: Term, text: Text) -> String {
        let (name, sort) = ((self.fresh)(), self.cfa.terms.sort(t));
        self.use_sort(sort);
        self.before.push(format!("const {} {name} = {};", c_type(sort), text.alone()));
        name
    }

    fn use_sort(&mut self, sort: Sort) {
        if c_type(sort) == "u128" {
            self.used.insert("u128");
        }
    }

    /// Gives names to shared parts of a large term, and to large parts.
    fn name_parts(&mut self, root: Term) {
        let terms = &self.cfa.terms;
        let known: Vec<Term> = self.named.keys().copied().collect();
        let parts = terms.subterms(&[root], |t| known.contains(&t));
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        parts.iter().flat_map(|t| terms.args(*t)).for_each(|a| *uses.entry(*a).or_default() += 1);
        let mut sizes: FxHashMap<Term, u32> = FxHashMap::default();
        for &t in &parts {
            let size: u32 =
                terms.args(t).iter().map(|a| sizes.get(a).copied().unwrap_or(1)).fold(1, u32::saturating_add);
            let is_shared = uses.get(&t).is_some_and(|n| *n > 1) && size > SHARED;
            if t != root && (is_shared || size > LARGE) && !matches!(terms.sort(t), Sort::Array { .. }) {
                let text = self.text(t);
                let name = self.define(t, text);
                self.named.insert(t, name);
                sizes.insert(t, 1);
            } else {
                sizes.insert(t, size);
            }
        }
    }

    fn text(&mut self, t: Term) -> Text {
        if let Some(name) = self.named.get(&t) {
            return Text::atom(name.clone());
        }
        let terms = &self.cfa.terms;
        let args: Vec<Term> = terms.args(t).to_vec();
        match terms.kind(t) {
            Kind::Bool(b) => Text::atom(b.to_string()),
            Kind::Const(_) | Kind::BigConst(_) => self.constant(&terms.as_bv(t).unwrap_or_else(|| Bv::new(1, 0))),
            Kind::Addr(o) => {
                let base = self.cfa.objects[o].base.unwrap_or(0);
                self.constant(&Bv::new(terms.width(t), base))
            }
            Kind::Var(v) => Text::atom((self.name)(v)),
            Kind::Not => self.negated(args[0]),
            Kind::And => self.between(args[0], "&&", args[1]),
            Kind::Or => self.between(args[0], "||", args[1]),
            Kind::Eq => self.between(args[0], "==", args[1]),
            Kind::Cmp(cmp) => self.compared(cmp, false, args[0], args[1]),
            Kind::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.text(args[i]).operand());
                Text::compound(format!("{c} ? {a} : {b}"))
            }
            Kind::Bv(op) => self.arithmetic(op, terms.width(t), args[0], args[1]),
            Kind::BvNot => {
                let a = self.text(args[0]).operand();
                self.masked(format!("~{a}"), terms.width(t))
            }
            Kind::BvNeg => {
                let a = self.text(args[0]).operand();
                self.masked(format!("-{a}"), terms.width(t))
            }
            Kind::Extract { hi, lo } => self.extract(args[0], hi, lo),
            Kind::Concat => {
                let (width, low) = (terms.width(t), terms.width(args[1]));
                let [a, b] = [args[0], args[1]].map(|a| self.cast(a, width).operand());
                Text::compound(format!("({a} << {low}) | {b}"))
            }
            Kind::Zext => self.cast(args[0], terms.width(t)),
            Kind::Sext => {
                let width = terms.width(t);
                let a = self.signed(args[0]).operand();
                let text = format!("({}){a}", self.holder(width));
                self.masked(text, width)
            }
            Kind::Read => {
                let width = terms.width(t);
                let Kind::Var(memory) = terms.kind(args[0]) else { return Text::atom("0") };
                let (memory, at) = ((self.name)(memory), self.text(args[1]).alone());
                let call = self.call("load", format!("&{memory}, {at}, {width}"));
                self.narrowed(call, width)
            }
            Kind::Float(op, format) => self.float(t, op, format),
            // Memories are written by statements.
            Kind::Sym(_) | Kind::Write | Kind::ConstArray | Kind::Copy => Text::atom("0"),
        }
    }

    fn holder(&mut self, width: u32) -> &'static str {
        self.use_sort(Sort::Bv(width));
        holder(width)
    }

    fn call(&mut self, function: &'static str, arguments: String) -> String {
        self.used.insert(function);
        format!("{function}({arguments})")
    }

    /// A value of 128 bits that needs fewer.
    fn narrowed(&mut self, text: String, width: u32) -> Text {
        match self.holder(width) {
            "u128" => Text::atom(text),
            holder => Text::atom(format!("({holder}){text}")),
        }
    }

    pub(super) fn constant(&mut self, value: &Bv) -> Text {
        let bits = value.to_u128();
        let number = |n: u64| if n < 1 << 16 { n.to_string() } else { format!("{n:#x}") };
        match value.width() {
            0..=32 => Text::atom(format!("{}u", number(bits as u64))),
            33..=64 => Text::atom(format!("{}ull", number(bits as u64))),
            _ => {
                self.used.insert("u128");
                let (high, low) = ((bits >> 64) as u64, bits as u64);
                Text::compound(format!("(u128){high:#x}ull << 64 | {low:#x}ull"))
            }
        }
    }

    fn between(&mut self, a: Term, operator: &str, b: Term) -> Text {
        let (a, b) = (self.text(a).operand(), self.text(b).operand());
        Text::compound(format!("{a} {operator} {b}"))
    }

    fn negated(&mut self, t: Term) -> Text {
        let args: Vec<Term> = self.cfa.terms.args(t).to_vec();
        match self.cfa.terms.kind(t) {
            _ if self.named.contains_key(&t) => {}
            Kind::Eq => return self.between(args[0], "!=", args[1]),
            Kind::Cmp(cmp) => return self.compared(cmp, true, args[0], args[1]),
            _ => {}
        }
        let text = self.text(t).operand();
        Text::compound(format!("!{text}"))
    }

    fn compared(&mut self, cmp: BvCmp, is_negated: bool, a: Term, b: Term) -> Text {
        let operator = match (cmp, is_negated) {
            (BvCmp::Ult | BvCmp::Slt, false) => "<",
            (BvCmp::Ule | BvCmp::Sle, false) => "<=",
            (BvCmp::Ult | BvCmp::Slt, true) => ">=",
            (BvCmp::Ule | BvCmp::Sle, true) => ">",
        };
        if matches!(cmp, BvCmp::Ult | BvCmp::Ule) {
            return self.between(a, operator, b);
        }
        let (a, b) = (self.signed(a).operand(), self.signed(b).operand());
        Text::compound(format!("{a} {operator} {b}"))
    }

    /// A bit-vector as a signed number.
    fn signed(&mut self, t: Term) -> Text {
        let width = self.cfa.terms.width(t);
        if let Some(number) = self.cfa.terms.as_bv(t).and_then(|k| k.to_i64()).filter(|n| n.unsigned_abs() < 1 << 31) {
            let suffix = if width > 32 { "ll" } else { "" };
            let text = format!("{number}{suffix}");
            return if number < 0 { Text::compound(text) } else { Text::atom(text) };
        }
        let a = self.text(t);
        match width {
            32 => Text::atom(format!("(int32_t){}", a.operand())),
            64 => Text::atom(format!("(int64_t){}", a.operand())),
            _ => Text::atom(self.call("sx", format!("{}, {width}", a.alone()))),
        }
    }

    /// `text` without the bits above `width`.
    fn masked(&mut self, text: String, width: u32) -> Text {
        if width == holder_bits(width) {
            return Text::compound(text);
        }
        let mask = self.constant(&Bv::ones(width).zext(holder_bits(width))).operand();
        Text::compound(format!("({text}) & {mask}"))
    }

    /// A bit-vector in the type that holds `width` bits, which are at least its own.
    fn cast(&mut self, t: Term, width: u32) -> Text {
        let text = self.text(t);
        match holder_bits(self.cfa.terms.width(t)) == holder_bits(width) {
            true => text,
            false => Text::atom(format!("({}){}", self.holder(width), text.operand())),
        }
    }

    fn extract(&mut self, t: Term, hi: u32, lo: u32) -> Text {
        let (whole, width) = (self.cfa.terms.width(t), hi - lo + 1);
        let mut text = self.text(t);
        if lo > 0 {
            text = Text::compound(format!("{} >> {lo}", text.operand()));
        }
        if holder_bits(whole) != holder_bits(width) {
            text = Text::atom(format!("({}){}", self.holder(width), text.operand()));
        }
        match hi + 1 == whole {
            true => text,
            false => self.masked(text.operand(), width),
        }
    }

    fn arithmetic(&mut self, op: BvOp, width: u32, a: Term, b: Term) -> Text {
        let known = self.cfa.terms.as_bv(b);
        let amount = known.as_ref().and_then(Bv::to_u64).filter(|k| *k < u64::from(width));
        let natural = if width == 32 || width == 64 { Some(holder(width)) } else { None };
        if let Some(shifted) = amount.and_then(|k| self.shifted(op, width, a, k)) {
            return shifted;
        }
        let (name, has_width) = match (op, natural) {
            (BvOp::Add, _) => {
                // A negative constant.
                if let Some(k) = known.as_ref().filter(|k| k.sign() && width > 1) {
                    let (a, k) = (self.text(a).operand(), self.constant(&k.neg()).operand());
                    return self.masked(format!("{a} - {k}"), width);
                }
                return self.wrapping(a, "+", b, width);
            }
            (BvOp::Sub, _) => return self.wrapping(a, "-", b, width),
            (BvOp::Mul, _) => return self.wrapping(a, "*", b, width),
            (BvOp::And, _) => return self.between(a, "&", b),
            (BvOp::Or, _) => return self.between(a, "|", b),
            (BvOp::Xor, _) => return self.between(a, "^", b),
            (BvOp::Udiv, _) if known.as_ref().is_some_and(|k| !k.is_zero()) => return self.between(a, "/", b),
            (BvOp::Urem, _) if known.as_ref().is_some_and(|k| !k.is_zero()) => return self.between(a, "%", b),
            // Division by zero and by -1 is different.
            (BvOp::Sdiv | BvOp::Srem, Some(holder))
                if known.as_ref().is_some_and(|k| !k.is_zero() && !k.is_ones())
                    && self.cfa.terms.as_bv(a).is_none() =>
            {
                let operator = if op == BvOp::Sdiv { "/" } else { "%" };
                let (a, b) = (self.signed(a).operand(), self.signed(b).operand());
                return Text::atom(format!("({holder})({a} {operator} {b})"));
            }
            (BvOp::Udiv, _) => ("udiv", true),
            (BvOp::Urem, _) => ("urem", false),
            (BvOp::Sdiv, _) => ("sdiv", true),
            (BvOp::Srem, _) => ("srem", true),
            (BvOp::Shl, _) => ("shl", true),
            (BvOp::Lshr, _) => ("lshr", true),
            (BvOp::Ashr, _) => ("ashr", true),
        };
        let (a, b) = (self.text(a).alone(), self.text(b).alone());
        let width_too = if has_width { format!(", {width}") } else { String::new() };
        let call = self.call(name, format!("{a}, {b}{width_too}"));
        self.narrowed(call, width)
    }

    /// A shift by a constant that is less than the width; `None` if it is none, or one that needs a function.
    fn shifted(&mut self, op: BvOp, width: u32, a: Term, k: u64) -> Option<Text> {
        match op {
            BvOp::Shl => {
                let a = self.text(a).operand();
                Some(self.masked(format!("{a} << {k}"), width))
            }
            BvOp::Lshr => Some(Text::compound(format!("{} >> {k}", self.text(a).operand()))),
            BvOp::Ashr if width == 32 || width == 64 => {
                let a = self.signed(a).operand();
                Some(Text::atom(format!("({})({a} >> {k})", holder(width))))
            }
            _ => None,
        }
    }

    fn wrapping(&mut self, a: Term, operator: &str, b: Term, width: u32) -> Text {
        let text = self.between(a, operator, b).alone();
        self.masked(text, width)
    }

    /// An operator on floats.
    fn float(&mut self, t: Term, op: FloatOp, format: Format) -> Text {
        let args: Vec<Term> = self.cfa.terms.args(t).to_vec();
        let operator = match op {
            FloatOp::Eq => Some("=="),
            FloatOp::Lt => Some("<"),
            FloatOp::Le => Some("<="),
            _ => None,
        };
        if let Some(operator) = operator {
            let (a, b) = (self.number(args[0], format).operand(), self.number(args[1], format).operand());
            return Text::compound(format!("{a} {operator} {b}"));
        }
        if let FloatOp::ToSigned | FloatOp::ToUnsigned = op {
            let (width, a) = (self.cfa.terms.width(t), self.number(args[0], format).alone());
            let call = self.call("to_integer", format!("{a}, {width}, {}", op == FloatOp::ToSigned));
            return self.narrowed(call, width);
        }
        let of = match format_of_result(op, format) {
            Format::Single => "of_f32",
            Format::Double => "of_f64",
            _ => {
                self.used.insert("u128");
                "of_f80"
            }
        };
        let number = self.operated(op, format, &args).alone();
        Text::atom(self.call(of, number))
    }

    /// The bits of `t` as a floating-point number.
    fn number(&mut self, t: Term, format: Format) -> Text {
        if let (Kind::Float(op, of), None) = (self.cfa.terms.kind(t), self.named.get(&t))
            && !matches!(op, FloatOp::Eq | FloatOp::Lt | FloatOp::Le | FloatOp::ToSigned | FloatOp::ToUnsigned)
            && format_of_result(op, of) == format
        {
            let args: Vec<Term> = self.cfa.terms.args(t).to_vec();
            return self.operated(op, of, &args);
        }
        let known = self.cfa.terms.as_u64(t);
        let literal = match format {
            Format::Single => {
                known.map(|k| f32::from_bits(k as u32)).filter(|x| x.is_finite()).map(|x| format!("{x:?}f"))
            }
            Format::Double => known.map(f64::from_bits).filter(|x| x.is_finite()).map(|x| format!("{x:?}")),
            _ => None,
        };
        if let Some(literal) = literal {
            return if literal.starts_with('-') { Text::compound(literal) } else { Text::atom(literal) };
        }
        let to = match format {
            Format::Single => "to_f32",
            Format::Double => "to_f64",
            _ => "to_f80",
        };
        let bits = self.text(t).alone();
        Text::atom(self.call(to, bits))
    }

    /// The result of an operator as a floating-point number.
    fn operated(&mut self, op: FloatOp, format: Format, args: &[Term]) -> Text {
        let number = match format_of_result(op, format) {
            Format::Single => ("float", "f"),
            Format::Double => ("double", ""),
            _ => ("long double", "l"),
        };
        let function = match op {
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => {
                let operator = match op {
                    FloatOp::Add => "+",
                    FloatOp::Sub => "-",
                    FloatOp::Mul => "*",
                    _ => "/",
                };
                let (a, b) = (self.number(args[0], format).operand(), self.number(args[1], format).operand());
                return Text::compound(format!("{a} {operator} {b}"));
            }
            FloatOp::Convert(_) => {
                let a = self.number(args[0], format).operand();
                return Text::atom(format!("({}){a}", number.0));
            }
            FloatOp::FromSigned => {
                let a = self.signed(args[0]).operand();
                return Text::atom(format!("({}){a}", number.0));
            }
            FloatOp::FromUnsigned => {
                let a = self.text(args[0]).operand();
                return Text::atom(format!("({}){a}", number.0));
            }
            FloatOp::Rem => "fmod",
            FloatOp::Fma => "fma",
            FloatOp::Sqrt => "sqrt",
            FloatOp::Round(Rounding::NearestEven) => "rint",
            FloatOp::Round(Rounding::NearestAway) => "round",
            FloatOp::Round(Rounding::Up) => "ceil",
            FloatOp::Round(Rounding::Down) => "floor",
            FloatOp::Round(Rounding::Zero) => "trunc",
            // They yield no float.
            FloatOp::Eq
            | FloatOp::Lt
            | FloatOp::Le
            | FloatOp::ToSigned
            | FloatOp::ToUnsigned
            | FloatOp::Directed(..) => {
                return Text::atom("0");
            }
        };
        let args: Vec<String> = args.iter().map(|a| self.number(*a, format).alone()).collect();
        Text::atom(format!("{function}{}({})", number.1, args.join(", ")))
    }
}

fn format_of_result(op: FloatOp, format: Format) -> Format {
    match op {
        FloatOp::Convert(to) => to,
        _ => format,
    }
}

/// The memory that is changed in the end, and the changes from the last to the first.
pub(super) fn chain(terms: &Terms, mut t: Term) -> (Term, Vec<Term>) {
    let mut changes = Vec::new();
    while let Kind::Write | Kind::Copy = terms.kind(t) {
        changes.push(t);
        t = terms.args(t)[0];
    }
    (t, changes)
}
