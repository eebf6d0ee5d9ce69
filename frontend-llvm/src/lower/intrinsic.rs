//! Lowers calls of LLVM's intrinsics.

use super::body::Body;
use super::{Lowered, NoModel, Vals};
use crate::builtin::Math;
use crate::ir::{Opcode, Value};
use crate::layout::{Leaf, Scalar, float_format};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::float::{FloatOp, Format};
use cfa::term::Terms;
use cfa::{AssumeKind, Assumed, InputKind, Lifetime, Op, Sort, Term};
use smallvec::smallvec;

/// Intrinsics that tell which exceptions operations on floats have raised: all such operations matter to them.
const READING_EXCEPTIONS: [&str; 3] = ["x86.sse.stmxcsr", "get.fpenv", "aarch64.get.fpsr"];

impl<'m> Body<'_, '_, 'm> {
    /// Lowers a call of the intrinsic `name` (`llvm.memcpy.p0.p0.i64`).
    pub(super) fn intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<()> {
        let full = name.strip_prefix("llvm.").unwrap_or(name);
        // The name without its overloaded types.
        let parts: Vec<&str> = full.split('.').collect();
        let base = parts[0];
        let two = if parts.len() > 1 { format!("{base}.{}", parts[1]) } else { base.to_string() };
        match base {
            "dbg" => Ok(()),
            "assume" => {
                let cond = self.scalar(inst.operand(0))?;
                let cond = self.terms().nonzero(cond);
                let first = self.cx.next_edge();
                self.assume(cond, AssumeKind::User);
                for bundle in inst.bundles("align") {
                    self.assume_aligned(&bundle)?;
                }
                self.cx.assume_from(first, Assumed::DeclaredImpossible);
                Ok(())
            }
            "lifetime" => {
                let slot = inst.operand(inst.call_args().len() as u32 - 1).without_bitcasts();
                match parts.get(1) {
                    Some(&"start") => self.lifetime_start(inst, slot),
                    _ => self.note_lifetime(slot, Lifetime::Ends),
                }
                Ok(())
            }
            "memcpy" | "memmove" | "memset" => self.block(inst, base),
            "expect" | "launder" | "strip" | "annotation" | "ptr" | "ssa" | "arithmetic" | "threadlocal" => {
                // The result is the first operand, which the intrinsic merely annotates.
                let vals = self.value(inst.operand(0))?;
                self.define(inst, vals);
                Ok(())
            }
            "invariant" | "prefetch" | "donothing" | "var" | "sideeffect" | "pseudoprobe" | "instrprof" | "fake"
            | "va_end" | "clear_cache" | "codeview" | "allow" => {
                if inst.ty().is_void() {
                    return Ok(());
                }
                // Among them `llvm.allow.*.check`: which checks are compiled in is the optimiser's choice.
                self.open(inst)
            }
            _ if READING_EXCEPTIONS.iter().any(|begin| full.starts_with(begin)) => {
                self.unsliceable(format!("the intrinsic {name}"));
                self.open(inst)
            }
            "experimental" if full.starts_with("experimental.noalias.scope") => Ok(()),
            "experimental" if two == "experimental.constrained" => self.constrained(inst, &parts[2..], name),
            // Without a debugger, the signal of a breakpoint ends the execution, too.
            "trap" | "ubsantrap" | "debugtrap" => {
                self.end();
                Ok(())
            }
            "va_start" => {
                let list = self.scalar(inst.operand(0))?;
                self.va_start(list)
            }
            "va_copy" => {
                let (to, from) = (self.scalar(inst.operand(0))?, self.scalar(inst.operand(1))?);
                self.va_copy(to, from);
                Ok(())
            }
            "stacksave" => {
                self.open(inst)?;
                let mark = self.extents.len() as u32;
                let mark = *self.extents.entry(inst).or_insert(mark);
                self.note_stack(Lifetime::Saved(mark));
                Ok(())
            }
            "stackrestore" => {
                if let Some(mark) = saved_by(inst.operand(0)).and_then(|save| self.extents.get(&save).copied()) {
                    self.note_stack(Lifetime::Restored(mark));
                }
                Ok(())
            }
            "frameaddress"
            | "returnaddress"
            | "addressofreturnaddress"
            | "readcyclecounter"
            | "readsteadycounter"
            | "sponentry" => self.open(inst),
            "get" if full.starts_with("get.dynamic") => {
                let zero = self.word(0);
                self.define(inst, smallvec![zero]);
                Ok(())
            }
            "get" if full.starts_with("get.rounding") => {
                let mode = self.llvms_rounding_mode();
                self.define(inst, smallvec![mode]);
                Ok(())
            }
            "is" if two == "is.constant" => {
                let no = Bv::new(1, 0);
                let value = self.of_optimiser(name, &no)?;
                self.define(inst, smallvec![value]);
                Ok(())
            }
            "is" if two == "is.fpclass" => self.is_fpclass(inst),
            "objectsize" => self.objectsize(inst, name),
            "ptrmask" => self.ptrmask(inst),
            "load" if full.starts_with("load.relative") => Err(NoModel(format!("the intrinsic {name}"))),
            "vector" if parts.get(1) == Some(&"reduce") => self.reduce(inst, parts[2], name),
            "x86" => self.x86(inst, &parts[1..], name),
            _ => self.elementwise(inst, base, &parts, name),
        }
    }

    /// Whether floats are of the classes that a mask lists.
    fn is_fpclass(&mut self, inst: Value<'m>) -> Lowered<()> {
        let format = self.format(inst.operand(0))?;
        let mask = inst.operand(1).int_value().to_u64().unwrap_or(0);
        let from = self.value(inst.operand(0))?;
        let mut vals = Vals::new();
        for a in from {
            let cond = self.float_class(format, a, mask);
            vals.push(self.truth(cond));
        }
        self.define(inst, vals);
        Ok(())
    }

    /// The size of an object, as far as an optimiser would know it.
    fn objectsize(&mut self, inst: Value<'m>, name: &str) -> Lowered<()> {
        // "Unknown" is the greatest size, or 0 if the minimum is requested.
        let least = inst.operand(1).int_value().is_ones();
        let bits = inst.ty().int_width();
        let unknown = if least { Bv::new(bits, 0) } else { Bv::ones(bits) };
        // These functions only end executions in which they would write out of bounds.
        let is_check = |user: Value| {
            let callee = user.opcode() == Opcode::Call && user.called().is_function();
            let callee = callee.then(|| user.called()).filter(|f| f.is_declaration());
            callee.is_some_and(|f| f.name().starts_with("__") && f.name().ends_with("_chk"))
        };
        let value = if inst.users().into_iter().all(is_check) {
            self.terms().constant(&unknown)
        } else {
            self.of_optimiser(name, &unknown)?
        };
        self.define(inst, smallvec![value]);
        Ok(())
    }

    /// A pointer without some of its bits.
    fn ptrmask(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (p, mask) = (self.scalar(inst.operand(0))?, self.scalar(inst.operand(1))?);
        let word = self.cx.pointer_bits();
        let terms = self.terms();
        let mask = terms.resize(word, mask);
        let val = terms.bv_op(BvOp::And, p, mask);
        self.define(inst, smallvec![val]);
        Ok(())
    }

    fn format(&self, v: Value<'m>) -> Lowered<Format> {
        float_format(v.ty().scalar()).ok_or_else(|| NoModel(format!("a float operation on {}", v.ty().print())))
    }

    /// A result about which nothing is known.
    fn open(&mut self, inst: Value<'m>) -> Lowered<()> {
        let flat = self.cx.flat(inst.ty())?;
        let mut vals = Vals::new();
        for leaf in &flat.leaves {
            vals.push(self.input("open", leaf.bits, InputKind::Undefined));
        }
        self.values.insert(inst, vals);
        Ok(())
    }

    /// What an optimiser finds out: `nothing` if it does not run or finds nothing out, otherwise any value. No alarm may rest on the
    /// latter.
    fn of_optimiser(&mut self, name: &str, nothing: &Bv) -> Lowered<Term> {
        let width = nothing.width();
        let found = self.input("found", 1, InputKind::Library(name.into()));
        let found = self.terms().nonzero(found);
        let nothing = self.terms().constant(nothing);
        let var = self.local("answer", Sort::Bv(width));
        self.emit(Op::assign(var, nothing));
        self.when(found, |body| {
            let open = body.input("open", width, InputKind::Approximate(name.into()));
            body.emit(Op::assign(var, open));
            Ok(())
        })?;
        Ok(self.cx.cfa.var_term(var))
    }

    /// `llvm.memcpy`, `memmove` and `memset`, inline or not.
    fn block(&mut self, inst: Value<'m>, base: &str) -> Lowered<()> {
        let to = self.address(inst.operand(0))?;
        let bytes = self.scalar(inst.operand(2))?;
        let word = self.cx.pointer_bits();
        let bytes = self.terms().resize(word, bytes);
        if base == "memset" {
            let byte = self.scalar(inst.operand(1))?;
            self.guard_range(to, bytes);
            if !self.dead {
                self.fill_bytes(to, byte, bytes);
            }
            return Ok(());
        }
        let from = self.address(inst.operand(1))?;
        self.guard_range(to, bytes);
        if !self.dead {
            self.guard_range(from, bytes);
        }
        if !self.dead && base == "memmove" {
            self.copy_bytes(to, from, bytes);
        } else if !self.dead {
            self.copy_apart(to, from, bytes);
        }
        Ok(())
    }

    /// Lowers intrinsics that act on scalars, and on vectors element by element.
    fn elementwise(&mut self, inst: Value<'m>, base: &str, parts: &[&str], name: &str) -> Lowered<()> {
        let mut operands = Vec::new();
        for arg in inst.call_args() {
            operands.push(self.value(arg)?);
        }
        let lanes = operands.first().map_or(0, Vals::len);
        let flat = self.cx.flat(inst.ty())?;
        let overflow = parts.get(1) == Some(&"with") && parts.get(2) == Some(&"overflow");
        if lanes == 0 || flat.leaves.is_empty() {
            return Err(NoModel(format!("the intrinsic {name}")));
        }
        if overflow {
            // The result is a pair: all values, then all flags.
            let (mut vals, mut flags) = (Vals::new(), Vals::new());
            let [a, b] = &operands[..] else { return Err(NoModel(format!("the intrinsic {name}"))) };
            for (a, b) in a.iter().zip(b) {
                let (value, flag) = self.with_overflow(base, *a, *b, name)?;
                vals.push(value);
                flags.push(flag);
            }
            vals.extend(flags);
            self.define(inst, vals);
            return Ok(());
        }
        let mut vals = Vals::new();
        for (i, leaf) in flat.leaves.iter().enumerate() {
            let args: Vec<Term> = operands
                .iter()
                .map(|vals| if vals.len() == 1 { vals[0] } else { vals[i.min(vals.len() - 1)] })
                .collect();
            let val = match self.integer_function(base, parts, &args, leaf.bits) {
                Some(val) => val,
                None => self.float_function(base, parts, inst, &args, leaf, name)?,
            };
            vals.push(val);
        }
        self.define(inst, vals);
        Ok(())
    }

    /// `{s,u}{add,sub,mul}.with.overflow`: the result and a flag for overflow.
    fn with_overflow(&mut self, base: &str, a: Term, b: Term, name: &str) -> Lowered<(Term, Term)> {
        let signed = base.starts_with('s');
        let op = match &base[1..] {
            "add" => BvOp::Add,
            "sub" => BvOp::Sub,
            "mul" => BvOp::Mul,
            _ => return Err(NoModel(format!("the intrinsic {name}"))),
        };
        let terms = self.terms();
        let value = terms.bv_op(op, a, b);
        let exact = exact_result(terms, op, signed, a, b);
        let wide = terms.width(exact);
        let back = if signed { terms.sext(wide, value) } else { terms.zext(wide, value) };
        let same = terms.eq(back, exact);
        let overflow = terms.not(same);
        Ok((value, self.truth(overflow)))
    }

    /// `count`, or any number if all bits are clear: that result depends on the processor, so no alarm may rely on it.
    fn count_unless_zero(&mut self, base: &str, some: Term, count: Term) -> Term {
        let w = self.terms().width(count);
        let var = self.local(base, Sort::Bv(w));
        self.emit(Op::assign(var, count));
        let none = self.terms().not(some);
        let drawn = self.when(none, |body| {
            let open = body.input("open", w, InputKind::Approximate(format!("{base} of 0").into()));
            body.emit(Op::assign(var, open));
            Ok(())
        });
        debug_assert!(drawn.is_ok(), "nothing can be lacking");
        self.cx.cfa.var_term(var)
    }

    fn integer_function(&mut self, base: &str, parts: &[&str], args: &[Term], bits: u32) -> Option<Term> {
        let a = *args.first()?;
        if matches!(base, "smax" | "smin" | "umax" | "umin") {
            let cmp = if base.starts_with('s') { BvCmp::Slt } else { BvCmp::Ult };
            return Some(self.integer_extreme(cmp, base.ends_with("min"), a, args[1]));
        }
        let saturated = parts.get(1) == Some(&"sat");
        let terms = self.terms();
        let w = terms.width(a);
        Some(match base {
            "sadd" | "uadd" | "ssub" | "usub" | "sshl" | "ushl" if saturated => self.saturated(base, a, args[1])?,
            "scmp" | "ucmp" => {
                let cmp = if base == "scmp" { BvCmp::Slt } else { BvCmp::Ult };
                let (less, greater) = (terms.cmp(cmp, a, args[1]), terms.cmp(cmp, args[1], a));
                let (minus, zero, one) = (Bv::ones(bits), Bv::new(bits, 0), Bv::new(bits, 1));
                let (minus, zero, one) = (terms.constant(&minus), terms.constant(&zero), terms.constant(&one));
                let rest = terms.ite(greater, one, zero);
                terms.ite(less, minus, rest)
            }
            "abs" => {
                let zero = terms.constant(&Bv::new(w, 0));
                let negative = terms.cmp(BvCmp::Slt, a, zero);
                let minus = terms.bv_neg(a);
                terms.ite(negative, minus, a)
            }
            "bswap" => swapped_bytes(terms, a),
            "bitreverse" => reversed_bits(terms, a),
            "ctpop" => counted(terms, Bits::Ones, a),
            "ctlz" | "cttz" => {
                let what = if base == "ctlz" { Bits::LeadingZeros } else { Bits::TrailingZeros };
                let mut count = counted(terms, what, a);
                let zero_is_poison = args.get(1).and_then(|z| terms.as_u64(*z)) == Some(1);
                if zero_is_poison {
                    let some = terms.nonzero(a);
                    if terms.as_bool(some) != Some(true) {
                        count = self.count_unless_zero(base, some, count);
                    }
                }
                count
            }
            "fshl" | "fshr" => {
                let limit = terms.constant(&Bv::new(w, u64::from(w)));
                let amount = terms.bv_op(BvOp::Urem, args[2], limit);
                let both = terms.concat(a, args[1]);
                let by = terms.zext(2 * w, amount);
                if base == "fshl" {
                    let shifted = terms.bv_op(BvOp::Shl, both, by);
                    terms.extract(2 * w - 1, w, shifted)
                } else {
                    let shifted = terms.bv_op(BvOp::Lshr, both, by);
                    terms.extract(w - 1, 0, shifted)
                }
            }
            _ => return None,
        })
    }

    /// Saturating arithmetic, which stays at the greatest or least value.
    fn saturated(&mut self, base: &str, a: Term, b: Term) -> Option<Term> {
        let terms = self.terms();
        let w = terms.width(a);
        let signed = base.starts_with('s');
        let (least, greatest) = if signed {
            let least = super::arithmetic::least(w);
            (least.clone(), least.not())
        } else {
            (Bv::new(w, 0), Bv::ones(w))
        };
        let op = match &base[1..] {
            "add" => BvOp::Add,
            "sub" => BvOp::Sub,
            _ => return self.saturated_shift(signed, a, b, &least, &greatest),
        };
        let exact = exact_result(terms, op, signed, a, b);
        let wide = terms.width(exact);
        // Unsigned differences may be negative in the wide type, so they are compared as signed numbers.
        let extend = |v: &Bv| if signed { v.sext(wide) } else { v.zext(wide) };
        let (low, high) = (terms.constant(&extend(&least)), terms.constant(&extend(&greatest)));
        let (under, over) = (terms.cmp(BvCmp::Slt, exact, low), terms.cmp(BvCmp::Slt, high, exact));
        let inside = terms.ite(over, high, exact);
        let clamped = terms.ite(under, low, inside);
        Some(terms.extract(w - 1, 0, clamped))
    }

    fn saturated_shift(&mut self, signed: bool, a: Term, b: Term, least: &Bv, greatest: &Bv) -> Option<Term> {
        let shifted = self.shift(BvOp::Shl, a, b);
        let back = self.terms().bv_op(if signed { BvOp::Ashr } else { BvOp::Lshr }, shifted, b);
        let terms = self.terms();
        let same = terms.eq(back, a);
        let (least, greatest) = (terms.constant(least), terms.constant(greatest));
        let zero = terms.constant(&Bv::new(terms.width(a), 0));
        let negative = terms.cmp(BvCmp::Slt, a, zero);
        let limit = if signed { terms.ite(negative, least, greatest) } else { greatest };
        Some(terms.ite(same, shifted, limit))
    }

    /// Assumes that an address is aligned: the operands of a bundle "align", which are the address, the alignment, and perhaps a number
    /// of bytes that is subtracted first.
    fn assume_aligned(&mut self, bundle: &[Value<'m>]) -> Lowered<()> {
        let &[address, alignment, ref offset @ ..] = bundle else { return Ok(()) };
        let (mut address, alignment) = (self.scalar(address)?, self.scalar(alignment)?);
        let word = self.cx.pointer_bits();
        if let Some(&offset) = offset.first() {
            let offset = self.scalar(offset)?;
            let terms = self.terms();
            let offset = terms.resize(word, offset);
            address = terms.bv_op(BvOp::Sub, address, offset);
        }
        let terms = self.terms();
        let alignment = terms.resize(word, alignment);
        let below = terms.add_int(alignment, u64::MAX);
        let rest = terms.bv_op(BvOp::And, address, below);
        let zero = terms.int(word, 0);
        let cond = terms.eq(rest, zero);
        self.assume(cond, AssumeKind::User);
        Ok(())
    }

    fn float_function(
        &mut self,
        base: &str,
        parts: &[&str],
        inst: Value<'m>,
        args: &[Term],
        leaf: &Leaf,
        name: &str,
    ) -> Lowered<Term> {
        let format = self.format(inst.operand(0)).map_err(|_| NoModel(format!("the intrinsic {name}")))?;
        let math = match base {
            "sqrt" => Math::Sqrt,
            "fabs" => Math::Abs,
            "floor" => Math::Floor,
            "ceil" => Math::Ceil,
            "trunc" => Math::Trunc,
            "rint" | "nearbyint" => Math::Rint,
            "round" => Math::Round,
            "roundeven" => Math::RoundEven,
            "copysign" => Math::CopySign,
            "minnum" | "minimumnum" => Math::Min,
            "maxnum" | "maximumnum" => Math::Max,
            "minimum" => Math::Minimum,
            "maximum" => Math::Maximum,
            "fma" => Math::Fma,
            "fmuladd" => return self.multiply_and_add(inst, format, args),
            // "It can be implemented by multiplication with 1.0" (LLVM Language Reference): a signalling NaN becomes quiet.
            "canonicalize" => {
                let one = self.terms().int(2, 1);
                let one = self.float_op(FloatOp::FromUnsigned, format, &[one]);
                return Ok(self.float_op(FloatOp::Mul, format, &[args[0], one]));
            }
            "lrint" | "llrint" | "lround" | "llround" => {
                let mode = if base.ends_with("rint") { Math::Rint } else { Math::Round };
                let rounded = self.math(mode, format, &args[..1])?;
                return Ok(self.float_to_integer_or_open(rounded, format, leaf.bits));
            }
            "fptosi" | "fptoui" if parts.get(1) == Some(&"sat") => {
                return Ok(self.float_to_integer_saturated(args[0], format, leaf.bits, base == "fptosi"));
            }
            _ => return Err(NoModel(format!("the intrinsic {name}"))),
        };
        self.math(math, format, args)
    }

    /// `llvm.fmuladd`: a product and a sum, or both at once with one rounding where the processor can do that.
    fn multiply_and_add(&mut self, inst: Value<'m>, format: Format, args: &[Term]) -> Lowered<Term> {
        let product = self.arithmetic(FloatOp::Mul, format, &args[..2]);
        let rounded_twice = self.arithmetic(FloatOp::Add, format, &[product, args[2]]);
        if !self.may_fuse(inst) {
            return Ok(rounded_twice);
        }
        let fused = self.math(Math::Fma, format, args)?;
        let choice = self.input("fused", 1, InputKind::Approximate("fmuladd".into()));
        let choice = self.terms().nonzero(choice);
        Ok(self.terms().ite(choice, fused, rounded_twice))
    }

    /// Whether the processor for which an instruction is compiled may multiply and add at once.
    pub(super) fn may_fuse(&self, inst: Value<'m>) -> bool {
        const X86: [&str; 5] = ["x86_64", "i386", "i486", "i586", "i686"];
        // What clang assumes unless it is told otherwise, and other names of processors without these instructions.
        const OLD_PROCESSORS: [&str; 9] =
            ["", "generic", "x86-64", "x86-64-v2", "i386", "i486", "i586", "i686", "pentium4"];
        let triple = self.cx.program.triple();
        let is_x86 = triple.is_empty() || X86.iter().any(|cpu| triple.starts_with(cpu));
        let attribute = |name| inst.parent().function().string_attribute(name).unwrap_or_default();
        let features = attribute("target-features");
        let may_have = !OLD_PROCESSORS.contains(&&*attribute("target-cpu"));
        !is_x86 || may_have || features.split(',').any(|f| ["+fma", "+fma4", "+avx512f"].contains(&f))
    }

    /// `llvm.vector.reduce.OP`.
    fn reduce(&mut self, inst: Value<'m>, op: &str, name: &str) -> Lowered<()> {
        let last = inst.call_args().len() as u32 - 1;
        let mut vals = self.value(inst.operand(last))?;
        let leaf = self.cx.flat(inst.operand(last).ty())?.leaves[0];
        if last == 1 {
            // Ordered float reductions have a start value.
            let first = self.scalar(inst.operand(0))?;
            vals.insert(0, first);
        }
        let mut all = vals[0];
        for &v in &vals[1..] {
            all = match (op, leaf.scalar) {
                ("add", _) => self.terms().add(all, v),
                ("mul", _) => self.terms().bv_op(BvOp::Mul, all, v),
                ("and", _) => self.terms().bv_op(BvOp::And, all, v),
                ("or", _) => self.terms().bv_op(BvOp::Or, all, v),
                ("xor", _) => self.terms().bv_op(BvOp::Xor, all, v),
                ("smax" | "smin", _) => self.integer_extreme(BvCmp::Slt, op == "smin", all, v),
                ("umax" | "umin", _) => self.integer_extreme(BvCmp::Ult, op == "umin", all, v),
                ("fadd", Scalar::Float(f)) => self.arithmetic(FloatOp::Add, f, &[all, v]),
                ("fmul", Scalar::Float(f)) => self.arithmetic(FloatOp::Mul, f, &[all, v]),
                ("fmax", Scalar::Float(f)) => self.math(Math::Max, f, &[all, v])?,
                ("fmin", Scalar::Float(f)) => self.math(Math::Min, f, &[all, v])?,
                ("fmaximum", Scalar::Float(f)) => self.math(Math::Maximum, f, &[all, v])?,
                ("fminimum", Scalar::Float(f)) => self.math(Math::Minimum, f, &[all, v])?,
                _ => return Err(NoModel(format!("the intrinsic {name}"))),
            };
        }
        self.define(inst, smallvec![all]);
        Ok(())
    }
}

/// The result of `a op b`, in a width that represents it exactly.
fn exact_result(terms: &mut cfa::Terms, op: BvOp, signed: bool, a: Term, b: Term) -> Term {
    let w = terms.width(a);
    let wide = if op == BvOp::Mul { 2 * w } else { w + 2 };
    let (a, b) =
        if signed { (terms.sext(wide, a), terms.sext(wide, b)) } else { (terms.zext(wide, a), terms.zext(wide, b)) };
    terms.bv_op(op, a, b)
}

/// Which bits of a number are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bits {
    Ones,
    LeadingZeros,
    TrailingZeros,
}

/// The number of such bits in `a`; of zeros before a one or after it, all if there is none.
pub(super) fn counted(terms: &mut Terms, what: Bits, a: Term) -> Term {
    let w = terms.width(a);
    if what == Bits::Ones {
        let mut sum = terms.constant(&Bv::new(w, 0));
        for i in 0..w {
            let bit = terms.extract(i, i, a);
            let bit = terms.zext(w, bit);
            sum = terms.add(sum, bit);
        }
        return sum;
    }
    let mut count = terms.constant(&Bv::new(w, u64::from(w)));
    for i in 0..w {
        // The outermost test decides: of the highest bit for leading zeros, of the lowest for trailing ones.
        let at = if what == Bits::LeadingZeros { i } else { w - 1 - i };
        let bit = terms.extract(at, at, a);
        let set = terms.nonzero(bit);
        let n = terms.constant(&Bv::new(w, u64::from(w - 1 - i)));
        count = terms.ite(set, n, count);
    }
    count
}

/// A number with its bits in the opposite order.
pub(super) fn reversed_bits(terms: &mut Terms, a: Term) -> Term {
    let mut whole = terms.extract(0, 0, a);
    for i in 1..terms.width(a) {
        let bit = terms.extract(i, i, a);
        whole = terms.concat(whole, bit);
    }
    whole
}

/// A number with its bytes in the opposite order.
pub(super) fn swapped_bytes(terms: &mut Terms, a: Term) -> Term {
    let mut whole = terms.extract(7, 0, a);
    for low in (8..terms.width(a)).step_by(8) {
        let byte = terms.extract(low + 7, low, a);
        whole = terms.concat(whole, byte);
    }
    whole
}

/// The call of `llvm.stacksave` that yields `v`, which may have been kept in a variable of its own.
fn saved_by(v: Value<'_>) -> Option<Value<'_>> {
    if !v.is_instruction() {
        return None;
    }
    match v.opcode() {
        Opcode::Call => Some(v),
        Opcode::Load => {
            let users = v.operand(0).users();
            let mut stores = users.into_iter().filter(|user| user.is_instruction() && user.opcode() == Opcode::Store);
            let (store, None) = (stores.next()?, stores.next()) else { return None };
            let kept = store.operand(0);
            (kept.is_instruction() && kept.opcode() == Opcode::Call).then_some(kept)
        }
        _ => None,
    }
}
