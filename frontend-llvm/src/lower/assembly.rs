//! Inline assembly: what has no effect, and the instructions that compute one number from another one.
//!
//! Everything else is unsupported: what registers an instruction writes, how wide, and where it leads cannot be told from its text
//! alone. Mnemonics and operands are those of the Intel manual in AT&T's order (the destination last), and of Arm's manual for AArch64
//! (the destination first).

use super::Lowered;
use super::body::Body;
use super::intrinsic::swapped_bytes;
use crate::ir::{TypeKind, Value};
use cfa::{Term, Unsupported};
use smallvec::smallvec;

/// Instructions that have no effect on a single thread.
const IDLE: [&str; 8] = ["", "nop", "mfence", "lfence", "sfence", "pause", "rep; nop", "rep;nop"];

/// An instruction that computes one number from another one of the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Computing {
    Copy,
    Not,
    Negate,
    /// The order of bytes turned around.
    SwapBytes,
    /// Rotates the lowest bits of this number to the left by a constant; others stay.
    Rotate {
        bits: u32,
        left: u32,
    },
}

/// What a text computes from an operand of this many bits, for a processor of this triple; `None` if that is not known.
fn computing(text: &str, bits: u32, triple: &str) -> Option<Computing> {
    let text = text.trim().trim_end_matches(';').trim_end();
    let (mnemonic, operands) = text.split_once(char::is_whitespace)?;
    let operands: Vec<(u32, Option<char>)> =
        operands.split(',').filter(|o| !o.trim().starts_with("$$")).map(operand).collect::<Option<_>>()?;
    if triple.starts_with("aarch64") {
        let width = |modifier| if modifier == Some('w') { 32 } else { 64 };
        let [(0, a), (1, b)] = operands[..] else { return None };
        return (mnemonic == "rev" && width(a) == bits && width(b) == bits).then_some(Computing::SwapBytes);
    }
    if !is_x86(triple) {
        return None;
    }
    // The width is that of the suffix, or of the register.
    let of_register = |modifier| match modifier {
        Some('b') => Some(8),
        Some('w') => Some(16),
        Some('k') => Some(32),
        Some('q') => Some(64),
        Some(_) => None,
        None => Some(bits),
    };
    // The two lowest bytes of a register change places.
    if let ("xchg" | "xchgb", [(0, Some('b')), (0, Some('h'))] | [(0, Some('h')), (0, Some('b'))]) =
        (mnemonic, &operands[..])
    {
        return (16..=32).contains(&bits).then_some(Computing::Rotate { bits: 16, left: 8 });
    }
    let known = ["bswap", "not", "neg", "mov", "rol", "ror"];
    let name = known.into_iter().find(|name| mnemonic.starts_with(name))?;
    let width = match &mnemonic[name.len()..] {
        "" => of_register(operands.last()?.1)?,
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    // A name without a suffix says what the operand is; one with a suffix must not say anything else.
    let is_all = width == bits && operands.iter().all(|(_, modifier)| of_register(*modifier) == Some(bits));
    match (name, &operands[..]) {
        ("bswap", [(0, _)]) if is_all && bits >= 32 => Some(Computing::SwapBytes),
        ("not", [(0, _)]) if is_all => Some(Computing::Not),
        ("neg", [(0, _)]) if is_all => Some(Computing::Negate),
        ("mov", [(1, _), (0, _)]) if is_all => Some(Computing::Copy),
        ("rol" | "ror", [(0, modifier)]) => {
            let amount: u32 = text.split_once("$$")?.1.split(',').next()?.trim().parse().ok()?;
            // 32-bit results set the upper half of a register to 0.
            let fits = of_register(*modifier) == Some(width) && (width == bits || width == 16 && bits > 16);
            let left = if name == "rol" { amount } else { width.checked_sub(amount)? };
            (fits && amount > 0 && left < width).then_some(Computing::Rotate { bits: width, left })
        }
        _ => None,
    }
}

/// Whether a triple, such as `i686-pc-linux-gnu`, is of a processor of this family.
fn is_x86(triple: &str) -> bool {
    let architecture = triple.split('-').next().unwrap_or_default();
    architecture == "x86_64" || matches!(architecture.as_bytes(), [b'i', b'3'..=b'6', b'8', b'6'])
}

/// The number of an operand, `$1` or `${1:w}`, and its modifier.
fn operand(text: &str) -> Option<(u32, Option<char>)> {
    let text = text.trim().strip_prefix('$')?;
    let Some(inner) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) else {
        return Some((text.parse().ok()?, None));
    };
    let (number, modifier) = inner.split_once(':')?;
    let mut letters = modifier.chars();
    let letter = letters.next()?;
    letters.next().is_none().then_some((number.parse().ok()?, Some(letter)))
}

/// The constraints of a text.
struct Constraints {
    outputs: Vec<String>,
    inputs: Vec<String>,
    /// Whether it says that it changes memory: by an operand that lies there, or all of it.
    changes_memory: bool,
    has_labels: bool,
}

fn constraints(text: &str) -> Constraints {
    let all: Vec<&str> = text.split(',').collect();
    let of = |is: &dyn Fn(&str) -> bool| all.iter().filter(|c| is(c)).map(ToString::to_string).collect::<Vec<_>>();
    let outputs = of(&|c| c.starts_with(['=', '+']));
    let changes_memory = all.contains(&"~{memory}") || outputs.iter().any(|c| c.contains('*'));
    Constraints {
        changes_memory,
        inputs: of(&|c| !c.is_empty() && !c.starts_with(['=', '+', '~', '!'])),
        has_labels: all.iter().any(|c| c.starts_with('!')),
        outputs,
    }
}

impl<'m> Body<'_, '_, 'm> {
    /// Lowers inline assembly.
    pub(super) fn assembly(&mut self, inst: Value<'m>, asm: Value<'m>) -> Lowered<()> {
        let text = asm.asm_text();
        let trimmed = text.trim();
        let constraints_text = asm.asm_constraints();
        let args = inst.call_args();
        if IDLE.contains(&trimmed) && inst.ty().is_void() && !sets_memory(&constraints_text, &args) {
            return Ok(());
        }
        let is_tied = || constraints_text.split(',').any(|c| c == "0");
        if trimmed.is_empty() && args.len() == 1 && args[0].ty() == inst.ty() && is_tied() {
            // The operand is input and output: hidden from optimisers, but not changed.
            let vals = self.value(args[0])?;
            self.define(inst, vals);
            return Ok(());
        }
        // An undefined opcode traps; a label may precede it. What else stands there may tell a kernel to go on (Linux's WARN).
        let mut words = trimmed.trim_end_matches(';').split_whitespace().filter(|word| !word.ends_with(':'));
        if words.next() == Some("ud2") && words.next().is_none() {
            self.end();
            return Ok(());
        }
        let first = trimmed.lines().next().unwrap_or("").trim();
        let has = constraints(&constraints_text);
        if let Some(value) = self.computed(inst, trimmed, &has, inst.calls_intel_assembly())? {
            self.define(inst, smallvec![value]);
            return Ok(());
        }
        // Without one of these, control cannot leave the assembly for another function.
        let may_call = ["call", "jmp", "ret", "int"].iter().any(|word| trimmed.contains(word));
        let reason = format!("inline assembly \"{first}\"");
        let e = self.unsupported(Unsupported { may_call, ..Unsupported::opaque(reason) });
        let mut given = Vec::new();
        for arg in args {
            given.extend(self.value(arg)?);
        }
        self.note_opaque(e, &given);
        Ok(())
    }

    /// The output of assembly that computes its only output from its only input, if the instruction is known.
    fn computed(&mut self, inst: Value<'m>, text: &str, has: &Constraints, is_intel: bool) -> Lowered<Option<Term>> {
        let args = inst.call_args();
        let ([output], [input], [arg]) = (&has.outputs[..], &has.inputs[..], &args[..]) else { return Ok(None) };
        let is_integer = inst.ty().kind() == TypeKind::LLVMIntegerTypeKind && arg.ty() == inst.ty();
        if !is_integer || has.changes_memory || has.has_labels || output.contains('*') || input.contains('*') {
            return Ok(None);
        }
        let bits = inst.ty().int_width();
        // A wider operand lies in two registers, of which the text names one. Intel's dialect has the destination first.
        if bits > self.cx.pointer_bits() || is_intel {
            return Ok(None);
        }
        let Some(computing) = computing(text, bits, &self.cx.program.triple()) else { return Ok(None) };
        // All but a copy read their operand where they write it.
        let is_tied = input == "0";
        if is_tied == (computing == Computing::Copy) && !self.cx.program.triple().starts_with("aarch64") {
            return Ok(None);
        }
        let value = self.scalar(*arg)?;
        let terms = self.terms();
        Ok(Some(match computing {
            Computing::Copy => value,
            Computing::Not => terms.bv_not(value),
            Computing::Negate => terms.bv_neg(value),
            Computing::SwapBytes => swapped_bytes(terms, value),
            Computing::Rotate { bits: n, left } => {
                let (above, below) = (terms.extract(n - left - 1, 0, value), terms.extract(n - 1, n - left, value));
                let rotated = terms.concat(above, below);
                if n == bits {
                    rotated
                } else {
                    let rest = terms.extract(bits - 1, n, value);
                    terms.concat(rest, rotated)
                }
            }
        }))
    }
}

/// Whether assembly with these constraints and operands has an output in memory that is not also an input: any value may be there then,
/// whatever the text does.
fn sets_memory(constraints: &str, operands: &[Value]) -> bool {
    let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
    let mut operands = operands.iter();
    for constraint in constraints.split(',') {
        let (is_output, is_indirect) = (constraint.starts_with(['=', '+']), constraint.contains('*'));
        // Clobbers and labels have no operands; an output that is no memory is a result.
        if constraint.starts_with(['~', '!']) || (is_output && !is_indirect) {
            continue;
        }
        let operand = operands.next();
        match is_output {
            true => outputs.push(operand),
            false if is_indirect => inputs.push(operand),
            false => {}
        }
    }
    outputs.iter().any(|o| !inputs.contains(o))
}

#[cfg(test)]
mod tests {
    use super::{Computing, computing};

    const PC: &str = "x86_64-pc-linux-gnu";

    #[test]
    fn instructions_that_compute() {
        let rotate = |bits, left| Some(Computing::Rotate { bits, left });
        for (text, bits, expected) in [
            ("bswap $0", 32, Some(Computing::SwapBytes)),
            ("bswapq ${0:q}", 64, Some(Computing::SwapBytes)),
            ("notl $0;", 32, Some(Computing::Not)),
            ("neg $0", 64, Some(Computing::Negate)),
            ("movl $1, $0", 32, Some(Computing::Copy)),
            ("rorw $$8, ${0:w}", 16, rotate(16, 8)),
            ("rolw $$3, ${0:w}", 32, rotate(16, 3)),
            ("xchgb ${0:b},${0:h}", 32, rotate(16, 8)),
            ("roll $$13, $0", 32, rotate(32, 13)),
        ] {
            assert_eq!(computing(text, bits, PC), expected, "{text}");
        }
        assert_eq!(computing("rev ${0:w}, ${1:w}", 32, "aarch64-linux-gnu"), Some(Computing::SwapBytes));
    }

    #[test]
    fn instructions_of_other_widths_or_operands() {
        for (text, bits) in [
            ("bswap $0", 16),
            ("bswapl $0", 64),
            ("bswapl ${0:k}", 64),
            ("bswap $1", 32),
            ("notb $0", 32),
            ("not ${0:b}", 32),
            ("notb ${0:h}", 8),
            ("movb ${1:h}, ${0:b}", 8),
            ("xchgb ${0:b},${0:h}", 8),
            ("movl $0, $1", 32),
            ("movb $1, $0", 32),
            ("roll $$13, ${0:k}", 64),
            ("rolw $$16, ${0:w}", 32),
            ("rolw $$0, ${0:w}", 32),
            ("roll %cl, $0", 32),
            ("bswap $0; ret", 32),
            ("rev $0, $1", 64),
        ] {
            assert_eq!(computing(text, bits, PC), None, "{text}");
        }
        assert_eq!(computing("rev ${0:w}, ${1:w}", 64, "aarch64-linux-gnu"), None);
    }
}
