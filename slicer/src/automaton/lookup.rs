//! Translation of the conditions of automata to terms over a raw CFA: variables are looked up by name, and C's types and
//! conversions are applied.

use crate::automaton::expression::{Binary, Expr, Unary};
use crate::criteria::near;
use cfa::bv::{BvCmp, BvOp};
use cfa::source_map::{SourceLoop, SourceMap, Visible};
use cfa::{Cfa, FuncId, ObjectId, ObjectKind, ObjectPart, Scope, SourceName, Term, ValueFormat, VarId};

/// Number of bits of C's `int`.
const INT: u32 = 32;

/// A value and how C interprets its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed {
    pub term: Term,
    pub format: ValueFormat,
}

/// Where a condition is evaluated.
pub(super) struct Context<'a> {
    pub cfa: &'a mut Cfa,
    /// The program's memory.
    pub memory: Option<VarId>,
    /// The function whose locals are visible.
    pub func: FuncId,
    /// The loop at which names are looked up by the scopes of the source; without it, all locals of the function are visible.
    pub at: Option<(&'a SourceMap, &'a SourceLoop)>,
    /// The arguments of the call that the event is; `None` for an argument that is not a single value.
    pub args: &'a [Option<Typed>],
    /// Variables for values that the condition reads from memory, with these values; they must be set before the condition is
    /// tested.
    pub reads: Vec<(VarId, Term)>,
}

/// A result, or what is wrong with a condition, in words.
type Checked<T> = Result<T, String>;

impl Context<'_> {
    /// Whether `e` holds (is not 0), as a Bool.
    pub(super) fn holds(&mut self, e: &Expr) -> Checked<Term> {
        match e {
            Expr::Unary(Unary::Not, a) => {
                let a = self.holds(a)?;
                Ok(self.cfa.terms.not(a))
            }
            Expr::Binary(operator @ (Binary::And | Binary::Or), a, b) => {
                let (a, b) = (self.holds(a)?, self.holds(b)?);
                let terms = &mut self.cfa.terms;
                Ok(if *operator == Binary::And { terms.and(a, b) } else { terms.or(a, b) })
            }
            Expr::Binary(operator, a, b) if is_comparison(*operator) => self.compare(*operator, a, b),
            _ => {
                let value = self.value(e)?;
                Ok(self.cfa.terms.nonzero(value.term))
            }
        }
    }

    fn value(&mut self, e: &Expr) -> Checked<Typed> {
        match e {
            Expr::Number(n, hexadecimal) => Ok(self.number(*n, *hexadecimal)),
            Expr::Variable(path) => self.variable(path),
            Expr::Argument(n) => match self.args.get(n - 1) {
                Some(Some(Typed { format: ValueFormat::Float(_), .. })) => {
                    Err(format!("${n} is a float, which is not supported"))
                }
                Some(Some(value)) => Ok(*value),
                Some(None) => Err(format!("${n} is not a single number")),
                None => Err(format!("there is no ${n}: the function has {} parameters", self.args.len())),
            },
            Expr::Unary(Unary::Minus, a) => {
                let a = self.integer(a)?;
                Ok(Typed { term: self.cfa.terms.bv_neg(a.term), ..a })
            }
            Expr::Unary(Unary::Complement, a) => {
                let a = self.integer(a)?;
                Ok(Typed { term: self.cfa.terms.bv_not(a.term), ..a })
            }
            Expr::Cast(to, a) => {
                let a = self.value(a)?;
                if a.format == ValueFormat::Pointer {
                    return Err("pointers can only be compared by == and !=".into());
                }
                let terms = &mut self.cfa.terms;
                let term = if to.bits > terms.width(a.term) {
                    extended(terms, to.bits, a)
                } else {
                    terms.extract(to.bits - 1, 0, a.term)
                };
                Ok(Typed { term, format: if to.signed { ValueFormat::Signed } else { ValueFormat::Unsigned } })
            }
            Expr::Conditional(c, a, b) => {
                let (c, a, b) = (self.holds(c)?, self.integer(a)?, self.integer(b)?);
                let (a, b, signed) = self.balanced(a, b);
                let term = self.cfa.terms.ite(c, a, b);
                Ok(Typed { term, format: if signed { ValueFormat::Signed } else { ValueFormat::Unsigned } })
            }
            Expr::Binary(operator @ (Binary::Shl | Binary::Shr), a, by) => {
                // The type is that of the left operand.
                let a = self.integer(a)?;
                let width = self.cfa.terms.width(a.term);
                let by = match **by {
                    Expr::Number(n, _) if n < u64::from(width) => n,
                    _ => return Err("only shifts by a number less than the width are supported".into()),
                };
                let by = self.cfa.terms.int(width, by);
                let operation = match (operator, a.format) {
                    (Binary::Shl, _) => BvOp::Shl,
                    (_, ValueFormat::Signed) => BvOp::Ashr,
                    _ => BvOp::Lshr,
                };
                Ok(Typed { term: self.cfa.terms.bv_op(operation, a.term, by), ..a })
            }
            Expr::Binary(operator, a, b)
                if !is_comparison(*operator) && !matches!(operator, Binary::And | Binary::Or) =>
            {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                let (a, b, signed) = self.balanced(a, b);
                let term = self.cfa.terms.bv_op(arithmetic(*operator, signed), a, b);
                Ok(Typed { term, format: if signed { ValueFormat::Signed } else { ValueFormat::Unsigned } })
            }
            _ => {
                // Truth is an `int`.
                let holds = self.holds(e)?;
                let bit = self.cfa.terms.bool_to_bv(holds);
                Ok(Typed { term: self.cfa.terms.zext(INT, bit), format: ValueFormat::Signed })
            }
        }
    }

    /// A number literal. As in C, its type is the first in a list of types that can represent it.
    fn number(&mut self, n: u64, hexadecimal: bool) -> Typed {
        let (width, signed) = match n {
            n if i32::try_from(n).is_ok() => (INT, true),
            n if hexadecimal && u32::try_from(n).is_ok() => (INT, false),
            n => (64, i64::try_from(n).is_ok()),
        };
        let format = if signed { ValueFormat::Signed } else { ValueFormat::Unsigned };
        Typed { term: self.cfa.terms.int(width, n), format }
    }

    /// An operand of arithmetic, after integer promotion.
    fn integer(&mut self, e: &Expr) -> Checked<Typed> {
        let value = self.value(e)?;
        if value.format == ValueFormat::Pointer {
            return Err("pointers can only be compared by == and !=".into());
        }
        Ok(self.promoted(value))
    }

    /// Integer promotion: a value narrower than `int` becomes an `int`.
    fn promoted(&mut self, value: Typed) -> Typed {
        let terms = &mut self.cfa.terms;
        if terms.width(value.term) >= INT {
            return value;
        }
        Typed { term: extended(terms, INT, value), format: ValueFormat::Signed }
    }

    /// Two operands converted to their common type, and whether that type is signed.
    fn balanced(&mut self, a: Typed, b: Typed) -> (Term, Term, bool) {
        let terms = &mut self.cfa.terms;
        let (wa, wb) = (terms.width(a.term), terms.width(b.term));
        let is_signed = |v: Typed| v.format == ValueFormat::Signed;
        let signed = match wa.cmp(&wb) {
            std::cmp::Ordering::Less => is_signed(b),
            std::cmp::Ordering::Greater => is_signed(a),
            std::cmp::Ordering::Equal => is_signed(a) && is_signed(b),
        };
        (extended(terms, wa.max(wb), a), extended(terms, wa.max(wb), b), signed)
    }

    fn compare(&mut self, operator: Binary, a: &Expr, b: &Expr) -> Checked<Term> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let pointer = [a, b].iter().any(|v| v.format == ValueFormat::Pointer);
        if pointer && !matches!(operator, Binary::Eq | Binary::Ne) {
            return Err("pointers can only be compared by == and !=".into());
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let (a, b, signed) = self.balanced(a, b);
        let terms = &mut self.cfa.terms;
        let less = if signed { BvCmp::Slt } else { BvCmp::Ult };
        let at_most = if signed { BvCmp::Sle } else { BvCmp::Ule };
        Ok(match operator {
            Binary::Eq => terms.eq(a, b),
            Binary::Ne => {
                let equal = terms.eq(a, b);
                terms.not(equal)
            }
            Binary::Lt => terms.cmp(less, a, b),
            Binary::Le => terms.cmp(at_most, a, b),
            Binary::Gt => terms.cmp(less, b, a),
            _ => terms.cmp(at_most, b, a),
        })
    }

    /// The value of a variable or of a part of one, read from memory.
    fn variable(&mut self, path: &str) -> Checked<Typed> {
        if let Some((map, at)) = self.at {
            let found = in_scope(self.cfa, map, at, path)?;
            return self.read(path, found);
        }
        let mut visible = named(self.cfa, self.func);
        let all: Vec<String> = visible.iter().map(|n| n.part.source.name.clone()).collect();
        visible.retain(|n| n.part.source.name == path);
        if visible.iter().any(|n| n.local) {
            // A local shadows a global.
            visible.retain(|n| n.local);
        } else if visible.iter().any(|n| n.own_name) {
            // A global shadows local statics, which are objects of the whole program too.
            visible.retain(|n| n.own_name);
        }
        let function = &self.cfa.funcs[self.func];
        let within = if function.library { "the whole program".into() } else { format!("{}()", function.name) };
        let Named { object, part, .. } = match &visible[..] {
            [one] => one.clone(),
            [] => {
                return Err(format!("no variable {path} in {within}; variables there: {}", near(path, all)));
            }
            several => {
                let lines: Vec<String> =
                    several.iter().map(|n| self.cfa.objects[n.object].span.line.to_string()).collect();
                let lines = lines.join(" and ");
                return Err(format!("{path} is the name of several variables in {within}, declared on lines {lines}"));
            }
        };
        self.read(path, (object, part))
    }

    /// Reads the variable `path`, which is a part of an object.
    fn read(&mut self, path: &str, (object, part): (ObjectId, ObjectPart)) -> Checked<Typed> {
        if let ValueFormat::Float(_) = part.source.format {
            return Err(format!("{path} is a float, which is not supported"));
        }
        let (Some(memory), Some(base)) = (self.memory, self.base(object)) else {
            return Err(format!("{path} has no place in a memory that the program writes"));
        };
        let terms = &mut self.cfa.terms;
        let address = terms.add_int(base, part.offset_bytes);
        let memory = self.cfa.var_term(memory);
        let value = self.cfa.terms.read(memory, address, 8 * part.size_bytes as u32);
        let name = format!("{}::automaton.{}", self.cfa.funcs[self.func].name, self.cfa.vars.len());
        let var = self.cfa.add_var(name, self.cfa.terms.sort(value), Scope::Local(self.func));
        self.reads.push((var, value));
        Ok(Typed { term: self.cfa.var_term(var), format: part.source.format })
    }

    /// The address of an object; for an allocation site, the address of the latest instance.
    fn base(&mut self, object: ObjectId) -> Option<Term> {
        match self.cfa.objects[object].kind {
            ObjectKind::Site(_) => {
                let allocation = self.cfa.allocations.values().find(|a| a.object == object)?;
                Some(self.cfa.var_term(allocation.var))
            }
            _ => Some(self.cfa.terms.addr(object, self.cfa.pointer_bits)),
        }
    }
}

/// What `path` means at a loop, by the scopes of the source. What is not certain is an error.
fn in_scope(cfa: &Cfa, map: &SourceMap, at: &SourceLoop, path: &str) -> Checked<(ObjectId, ObjectPart)> {
    let name = path.split(['.', '[']).next().unwrap_or(path);
    let is_named = |o: ObjectId| {
        let parts = cfa.object_parts.get(&o).map_or(&[][..], Vec::as_slice);
        parts.first().is_some_and(|part| part.source.name.split(['.', '[']).next() == Some(name))
    };
    let is_of = |o: ObjectId, func| match cfa.objects[o].kind {
        ObjectKind::Stack(f) | ObjectKind::Site(f) => f == func && !cfa.objects[o].heap,
        _ => false,
    };
    let mut locals: Vec<(Visible, ObjectId)> = Vec::new();
    let mut globals = Vec::new();
    for o in cfa.objects.ids().filter(|o| is_named(*o)) {
        if is_of(o, at.func) {
            locals.push((map.visible(at, o), o));
        } else if cfa.objects[o].kind == ObjectKind::Global {
            globals.push(o);
        }
    }
    let unsure = || Err(format!("it is not certain which variable {path} is"));
    let known = map.locals.get(&(at.func, name.to_string())).copied().unwrap_or(0);
    if known != locals.len() || locals.iter().any(|(visible, _)| *visible == Visible::Unsure) {
        return unsure();
    }
    locals.retain(|(visible, _)| *visible != Visible::No);
    locals.sort_unstable();
    let object = match (&locals[..], &globals[..]) {
        ([(first, _), (second, _), ..], _) if first == second => return unsure(),
        ([(_, o), ..], _) => *o,
        ([], [o]) if cfa.objects[*o].name == name => *o,
        ([], []) => return Err(format!("no variable {name} is visible there")),
        _ => return unsure(),
    };
    let part = cfa.object_parts[&object].iter().find(|part| part.source.name == path);
    part.map(|part| (object, part.clone())).ok_or_else(|| format!("{path} is not a number or a pointer"))
}

/// A variable of the source, or a part of one, that lies in memory.
#[derive(Clone, Debug)]
struct Named {
    object: ObjectId,
    part: ObjectPart,
    /// Whether it is a local of the function asked about.
    local: bool,
    /// Whether it is a global of its own name in the module, not a local static.
    own_name: bool,
}

/// The variables that are visible in `func`, part by part.
fn named(cfa: &Cfa, func: FuncId) -> Vec<Named> {
    let mut found = Vec::new();
    for (object, o) in cfa.objects.iter_enumerated() {
        let local = match o.kind {
            ObjectKind::Global => false,
            ObjectKind::Stack(f) | ObjectKind::Site(f) if f == func && !o.heap => true,
            _ => continue,
        };
        let own = |part: &ObjectPart| !local && part.source.name.split(['.', '[']).next() == Some(&o.name);
        match cfa.object_parts.get(&object) {
            Some(parts) => {
                found.extend(parts.iter().map(|part| Named { object, part: part.clone(), local, own_name: own(part) }))
            }
            // Without debug information.
            None if !local => {
                let Some(size_bytes @ (1 | 2 | 4 | 8)) = o.size_bytes else { continue };
                let source = SourceName { name: o.name.clone(), format: ValueFormat::Signed };
                let part = ObjectPart { offset_bytes: 0, size_bytes, source };
                found.push(Named { object, part, local, own_name: true });
            }
            None => {}
        }
    }
    found
}

/// `value` in `width` bits.
fn extended(terms: &mut cfa::Terms, width: u32, value: Typed) -> Term {
    if value.format == ValueFormat::Signed { terms.sext(width, value.term) } else { terms.zext(width, value.term) }
}

fn is_comparison(operator: Binary) -> bool {
    matches!(operator, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge)
}

/// The bit-vector operation of an arithmetic operator (not of comparisons and logical operators).
fn arithmetic(operator: Binary, signed: bool) -> BvOp {
    match operator {
        Binary::Sub => BvOp::Sub,
        Binary::Mul => BvOp::Mul,
        Binary::Div if signed => BvOp::Sdiv,
        Binary::Div => BvOp::Udiv,
        Binary::Rem if signed => BvOp::Srem,
        Binary::Rem => BvOp::Urem,
        Binary::BitAnd => BvOp::And,
        Binary::BitOr => BvOp::Or,
        Binary::BitXor => BvOp::Xor,
        _ => BvOp::Add,
    }
}
