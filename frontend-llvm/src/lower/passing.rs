//! How calls pass arguments and results: whether a function finds what its caller passes.
//!
//! C leaves open what happens where they disagree (C17 6.5.2.2, paragraph 9), and what does happen depends on registers and the stack
//! (System V ABI, AMD64 supplement, 3.2.3; i386 supplement, 2.2.3). A call fits a function if LLVM's code generators for these processors
//! pass the values that the graph shows. Old C calls functions that it has not declared, with promoted arguments and at times with too
//! few or too many of them.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Lowering};
use crate::ir::{AttributeLoc, Opcode, Type, TypeKind, Value, ValueKind};
use crate::layout::Scalar;
use crate::resolve::Callee;
use cfa::bv::Bv;
use cfa::float::Format;
use cfa::{EdgeId, FuncId, ObjectKind, Op};
use rustc_hash::FxHashMap;

/// LLVM's number for the calling convention of C.
pub(super) const C_CONVENTION: u32 = 0;

/// Attributes of parameters that decide where they are passed.
const PLACES: [&str; 7] = ["inreg", "nest", "inalloca", "preallocated", "swiftself", "swifterror", "swiftasync"];

/// What is above the bits of a number in its register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Extension {
    Any,
    Zeros,
    Sign,
}

/// The width up to which numbers are extended when they are passed, in bits.
const REGISTER: u32 = 32;

/// A part of a parameter or result that is passed for itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Part<'m> {
    /// An integer or an address. It is the extension of its `unsigned` low bits by zeros, and of its `signed` low bits by their sign.
    Number {
        bits: u32,
        above: Extension,
        unsigned: u32,
        signed: u32,
    },
    Float(Format),
    Vector(Type<'m>),
    /// A copy of an object.
    Object {
        bytes: u64,
        align: u64,
    },
}

/// A parameter, an argument or a result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Passed<'m> {
    parts: Vec<Part<'m>>,
    /// Which of [`PLACES`] it has, one bit each.
    places: u8,
}

/// What a call passes, or a function takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Passing<'m> {
    convention: u32,
    params: Vec<Passed<'m>>,
    /// How many of the parameters have a name in the type.
    named: usize,
    variadic: bool,
    result: Passed<'m>,
    /// Whether the result is written to an object of the caller (`sret`).
    in_memory: bool,
    /// For a call, whether the result is used.
    uses_result: bool,
    /// For a function, the number of parameters up to the last one that it reads.
    needed: usize,
    /// Whether this is a declaration without parameters, which says nothing about them.
    open: bool,
}

impl<'m> Part<'m> {
    /// Whether the register or the place on the stack depends on whether the parameter has a name.
    fn depends_on_names(self) -> bool {
        match self {
            Part::Number { .. } | Part::Object { .. } => false,
            Part::Float(format) => !matches!(format, Format::Single | Format::Double | Format::X87),
            Part::Vector(_) => true,
        }
    }

    /// Whether a parameter of this form has the value of an argument: of the same width, or cut off from at most `widest` bits.
    fn takes(self, argument: Part<'m>, widest: u32) -> bool {
        let Part::Number { bits: to, above, .. } = self else { return self == argument };
        let Part::Number { bits: from, above: given, unsigned, signed } = argument else { return false };
        let reaches = from == to || (from > to && from <= widest);
        // The function may use its register as it is, so what matters is what the caller puts above the argument.
        let fits = match (above, given) {
            (Extension::Any, _) => true,
            (Extension::Zeros, _) if from >= REGISTER => unsigned <= to,
            (Extension::Sign, _) if from >= REGISTER => signed <= to,
            (Extension::Zeros | Extension::Sign, Extension::Any) => false,
            (Extension::Zeros, Extension::Zeros) => unsigned <= to,
            (Extension::Sign, Extension::Sign) => signed <= to,
            (Extension::Zeros, Extension::Sign) => unsigned <= to.min(from - 1),
            (Extension::Sign, Extension::Zeros) => unsigned < to,
        };
        reaches && fits
    }
}

impl Passed<'_> {
    /// Whether the value comes back on the stack of the x87.
    fn is_on_x87(&self, word: u32) -> bool {
        let is_on =
            |part: &Part| matches!(part, Part::Float(f) if *f == Format::X87 || (word == 32 && f.width_bits() > 16));
        self.places == 0 && self.parts.iter().any(is_on)
    }
}

impl<'m> Passing<'m> {
    /// Whether a call that passes this gives `function` what it takes, on a processor with words of `word` bits.
    pub(super) fn fits(&self, function: &Passing<'m>, word: u32) -> bool {
        self.convention == function.convention
            && self.in_memory == function.in_memory
            && (self.variadic || function.open || !function.variadic || word == 32)
            && self.result_fits(function, word)
            && self.parameters_fit(function, word)
    }

    fn result_fits(&self, function: &Passing<'m>, word: u32) -> bool {
        let (wanted, given) = (&self.result, &function.result);
        if !self.uses_result && !wanted.is_on_x87(word) && !given.is_on_x87(word) {
            return true;
        }
        let mut pairs = wanted.parts.iter().zip(&given.parts);
        wanted.places == given.places
            && wanted.parts.len() == given.parts.len()
            // Compilers that know a function of the library do not cut off what it returns.
            && pairs.all(|(to, from)| to.takes(*from, 0))
    }

    fn parameters_fit(&self, function: &Passing<'m>, word: u32) -> bool {
        // The callee takes the arguments off the stack.
        if self.convention != C_CONVENTION && (self.params.len() != function.params.len() || self.variadic) {
            return false;
        }
        let is_c = self.convention == C_CONVENTION;
        let needed = if is_c { function.needed } else { function.params.len() };
        let mut pairs = self.params.iter().zip(&function.params[..needed]).enumerate();
        let fixed = pairs.all(|(i, (argument, param))| {
            // Promoted numbers are cut off.
            let mut parts = argument.parts.iter().zip(&param.parts);
            argument.places == param.places
                && argument.parts.len() == param.parts.len()
                && parts.all(|(from, to)| to.takes(*from, word) && (i < self.named || !to.depends_on_names()))
        });
        // What the function takes without a name, the call must pass so.
        let variadic = self.params[..self.named].iter().skip(function.named).flat_map(|p| &p.parts);
        fixed && (!function.variadic || function.open || !variadic.copied().any(Part::depends_on_names))
    }
}

impl<'m> Lowering<'_, 'm> {
    /// The parts in which a value of type `ty` is passed.
    fn parts(&mut self, ty: Type<'m>, above: Extension, parts: &mut Vec<Part<'m>>) -> Lowered<()> {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                ty.fields().into_iter().try_for_each(|field| self.parts(field, above, parts))?;
            }
            TypeKind::LLVMArrayTypeKind => {
                // Too long arrays have no scalars.
                self.flat(ty)?;
                (0..ty.array_len()).try_for_each(|_| self.parts(ty.element(), above, parts))?;
            }
            TypeKind::LLVMVectorTypeKind => parts.push(Part::Vector(ty)),
            _ => parts.extend(self.flat(ty)?.leaves.iter().map(|leaf| match leaf.scalar {
                Scalar::Float(format) => Part::Float(format),
                Scalar::Int | Scalar::Pointer => {
                    let bits = leaf.bits;
                    Part::Number {
                        bits,
                        above: if bits < REGISTER { above } else { Extension::Any },
                        unsigned: bits,
                        signed: bits,
                    }
                }
            })),
        }
        Ok(())
    }

    /// How a value of type `ty` is passed that has the attributes for which `has` is true.
    fn passed(
        &mut self,
        ty: Type<'m>,
        byval: Option<(Type<'m>, u64)>,
        has: impl Fn(&'static str) -> bool,
    ) -> Lowered<Passed<'m>> {
        let above = match () {
            () if has("signext") => Extension::Sign,
            () if has("zeroext") => Extension::Zeros,
            () => Extension::Any,
        };
        let mut parts = Vec::new();
        match byval {
            Some((inner, align)) => parts.push(Part::Object { bytes: self.layout.size(inner), align }),
            None => self.parts(ty, above, &mut parts)?,
        }
        let places = PLACES.iter().enumerate().fold(0, |found, (i, name)| found | u8::from(has(name)) << i);
        Ok(Passed { parts, places })
    }

    /// What `f` takes and returns.
    pub(super) fn taken(&mut self, f: Value<'m>) -> Lowered<Passing<'m>> {
        let ty = f.value_type();
        let mut params = Vec::new();
        for (i, param) in (0..).zip(ty.params()) {
            let byval = f.byval_type(i).map(|inner| (inner, f.parameter_alignment(i).unwrap_or(1)));
            params.push(self.passed(param, byval, |name| f.has_attribute(AttributeLoc::Param(i), name))?);
        }
        let is_read = |param: &Value| param.has_users() || f.is_declaration();
        let needed = f.params().iter().rposition(is_read).map_or(0, |last| last + 1);
        let result = self.passed(ty.returns(), None, |name| f.has_attribute(AttributeLoc::Return, name))?;
        Ok(Passing {
            convention: f.calling_convention(),
            named: params.len(),
            open: f.is_declaration() && params.is_empty(),
            params,
            variadic: ty.is_variadic(),
            result,
            in_memory: f.sret_type(0).is_some(),
            uses_result: false,
            needed,
        })
    }

    /// What a call instruction passes and expects.
    pub(super) fn given(&mut self, inst: Value<'m>, site: &CallSite<'m>) -> Lowered<Passing<'m>> {
        let (callee, ty) = (inst.called(), inst.called_type());
        // Code generators look at the attributes of a function, too, if the call has its type. Not so for extensions here: the function
        // may come from another file, with which the call was not compiled.
        let function = Some(callee).filter(|f| f.is_function() && f.value_type() == ty);
        let has = |at: AttributeLoc, name: &str| {
            let extends = ["signext", "zeroext"].contains(&name);
            let is_one = |f: Value<'m>| !extends && f.has_attribute(at, name);
            inst.has_call_attribute(at, name) || function.is_some_and(is_one)
        };
        let mut params = Vec::new();
        for ((i, arg), arg_ty) in (0..).zip(inst.call_args()).zip(&site.types) {
            let byval = inst.call_byval_type(i).or_else(|| function?.byval_type(i));
            let align = || inst.call_argument_alignment(i).or_else(|| function?.parameter_alignment(i)).unwrap_or(1);
            let byval = byval.map(|inner| (inner, align()));
            let mut passed = self.passed(*arg_ty, byval, |name| has(AttributeLoc::Param(i), name))?;
            if let [Part::Number { unsigned, signed, .. }] = &mut passed.parts[..] {
                (*unsigned, *signed) = significant(arg, *unsigned);
            }
            params.push(passed);
        }
        let result = self.passed(ty.returns(), None, |name| has(AttributeLoc::Return, name))?;
        Ok(Passing {
            convention: inst.call_convention(),
            named: ty.params().len(),
            variadic: ty.is_variadic(),
            result,
            in_memory: has(AttributeLoc::Param(0), "sret"),
            uses_result: inst.has_users(),
            needed: params.len(),
            params,
            open: false,
        })
    }

    /// Notes with each indirect call the functions that it does not fit.
    pub(super) fn note_misfits(&mut self) {
        let functions: FxHashMap<FuncId, Value<'m>> = self.provenance.functions.iter().map(|(v, f)| (*f, *v)).collect();
        let mut taken: FxHashMap<Passing<'m>, Vec<FuncId>> = FxHashMap::default();
        let mut unknown = Vec::new();
        let addressed = self.cfa.objects.iter().filter_map(|o| match o.kind {
            ObjectKind::Function(f) => Some(f),
            _ => None,
        });
        for f in addressed.collect::<Vec<_>>() {
            // To call the target is a violation, whatever it takes.
            if functions.get(&f).is_some_and(|v| self.resolver.callee(*v) == Callee::Target) {
                continue;
            }
            match functions.get(&f).map(|v| self.taken(*v)) {
                Some(Ok(passing)) => taken.entry(passing).or_default().push(f),
                _ => unknown.push(f),
            }
        }
        let word = self.pointer_bits();
        let mut known: FxHashMap<Passing<'m>, Box<[FuncId]>> = FxHashMap::default();
        for (e, given) in std::mem::take(&mut self.indirect_calls) {
            let misfits = known.entry(given).or_insert_with_key(|given| {
                let others = taken.iter().filter(|(passing, _)| !given.fits(passing, word));
                let mut all: Vec<FuncId> = others.flat_map(|(_, list)| list).chain(&unknown).copied().collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            });
            if let Op::CallIndirect(call) = &mut self.cfa.edges[e].op {
                call.misfits = misfits.clone();
            }
        }
    }
}

impl<'m> Body<'_, '_, 'm> {
    /// Whether `f` finds what a call passes, as far as it looks, and the call what `f` returns.
    pub(super) fn is_of_its_type(&mut self, f: Value<'m>, site: &CallSite<'m>) -> Lowered<bool> {
        let given = match (site.inst, site.declared) {
            (Some(inst), _) => self.cx.given(inst, site)?,
            (None, Some(declared)) => Passing { uses_result: true, ..self.cx.taken(declared)? },
            (None, None) => return Ok(true),
        };
        let taken = self.cx.taken(f)?;
        Ok(given.fits(&taken, self.cx.pointer_bits()))
    }

    /// Notes what an indirect call passes.
    pub(super) fn note_indirect_call(&mut self, e: EdgeId, site: &CallSite<'m>) -> Lowered<()> {
        if let Some(inst) = site.inst {
            let given = self.cx.given(inst, site)?;
            self.cx.indirect_calls.push((e, given));
        }
        Ok(())
    }
}

/// Of how many of its low bits a number of `bits` bits is the extension, without and with a sign.
fn significant(v: Value, bits: u32) -> (u32, u32) {
    if v.kind() == ValueKind::LLVMConstantIntValueKind {
        let value = v.int_value();
        let is = |n: u32, extend: fn(&Bv, u32) -> Bv| extend(&value.extract(n - 1, 0), bits) == value;
        let least = |extend| (1..bits).find(|n| is(*n, extend)).unwrap_or(bits);
        return (least(Bv::zext), least(Bv::sext));
    }
    let from = || v.operand(0).ty().int_width();
    match v.is_instruction().then(|| v.opcode()) {
        Some(Opcode::ZExt) => (from(), from() + 1),
        Some(Opcode::SExt) => (bits, from()),
        _ => (bits, bits),
    }
}
