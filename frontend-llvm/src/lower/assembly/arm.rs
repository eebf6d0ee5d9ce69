//! Instructions of AArch64 that compute, with the destination first, by Arm's manual (C6.2).

use super::machine::{Home, Machine, Shift, differ};
use crate::lower::intrinsic::{Bits, counted, reversed_bits, swapped_bytes};
use cfa::bv::{Bv, BvOp};
use cfa::{Term, Terms};

/// Instructions that have no effect on a single thread.
const IDLE: [&str; 5] = ["nop", "yield", "isb", "dmb", "dsb"];

/// An operand: a register of which 32 or 64 bits are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Register {
    cell: usize,
    bits: u32,
}

/// Executes a text. `None` if it has something that is not known here, or uses what is not known.
pub(super) fn run(machine: &mut Machine<'_>, text: &str) -> Option<()> {
    for statement in super::statements(text, "//") {
        let (mnemonic, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        if IDLE.contains(&mnemonic) {
            continue;
        }
        let operands: Vec<&str> = rest.split(',').map(str::trim).filter(|o| !o.is_empty()).collect();
        execute(machine, mnemonic, &operands)?;
    }
    Some(())
}

fn register(machine: &Machine<'_>, text: &str) -> Option<Register> {
    let operand = text.strip_prefix('$')?;
    let (operand, bits) = match operand.strip_prefix('{').and_then(|o| o.strip_suffix('}')) {
        Some(inner) => match inner.split_once(':')? {
            (operand, "w") => (operand, 32),
            (operand, "x") => (operand, 64),
            _ => return None,
        },
        None => (operand, 64),
    };
    let cell = *machine.operands.get(operand.parse::<usize>().ok()?)?;
    (machine.cells[cell].home == Home::Register).then_some(Register { cell, bits })
}

/// A constant: `#8`, or an operand that is one.
fn constant(machine: &mut Machine<'_>, text: &str) -> Option<u64> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if let Some(operand) = digits.strip_prefix('$') {
        let cell = *machine.operands.get(operand.parse::<usize>().ok()?)?;
        let value = machine.whole(cell).filter(|_| machine.cells[cell].home == Home::Constant)?;
        // The text has it with its sign.
        let bits = machine.cells[cell].bits;
        return machine.terms().as_u64(value).filter(|value| value >> (bits - 1) == 0);
    }
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        // A leading zero means octal.
        None if digits.len() > 1 && digits.starts_with('0') => None,
        None => digits.parse().ok(),
    }
}

/// The value of a register or a constant, of this many bits.
fn value(machine: &mut Machine<'_>, text: &str, bits: u32) -> Option<Term> {
    match (text, register(machine, text)) {
        ("wzr" | "xzr", _) => Some(machine.terms().constant(&Bv::new(bits, 0))),
        (_, Some(register)) if register.bits == bits => machine.low(register.cell, bits),
        (_, Some(_)) => None,
        _ => {
            let constant = constant(machine, text)?;
            Some(machine.terms().constant(&Bv::new(bits, constant)))
        }
    }
}

/// The last operand, which may be shifted by a constant, as `lsl #2` behind it says.
fn shifted_value(machine: &mut Machine<'_>, operands: &[&str], bits: u32) -> Option<Term> {
    match *operands {
        [operand] => value(machine, operand, bits),
        [operand, shift] => {
            let (how, amount) = shift.split_once(char::is_whitespace)?;
            let (how, amount) = (shift_named(how)?, constant(machine, amount.trim())?);
            register(machine, operand)?;
            let a = value(machine, operand, bits)?;
            let (flags, amount) = (machine.flags, machine.terms().constant(&Bv::new(bits, amount)));
            let result = machine.shifted(how, a, amount, u64::from(bits) - 1);
            machine.flags = flags;
            result
        }
        _ => None,
    }
}

fn shift_named(name: &str) -> Option<Shift> {
    match name {
        "lsl" => Some(Shift::Left),
        "lsr" => Some(Shift::Right),
        "asr" => Some(Shift::Arithmetic),
        "ror" => Some(Shift::RotateRight),
        _ => None,
    }
}

fn execute(machine: &mut Machine<'_>, mnemonic: &str, operands: &[&str]) -> Option<()> {
    if matches!(mnemonic, "cmp" | "cmn" | "tst") {
        let [first, rest @ ..] = operands else { return None };
        let bits = register(machine, first)?.bits;
        let (a, b) = (value(machine, first, bits)?, shifted_value(machine, rest, bits)?);
        let name = match mnemonic {
            "cmp" => "subs",
            "cmn" => "adds",
            _ => "ands",
        };
        return computed(machine, name, (a, b)).map(|_| ());
    }
    let [destination, rest @ ..] = operands else { return None };
    let to = register(machine, destination)?;
    let bits = to.bits;
    let result = match (mnemonic, rest) {
        ("mov", [from]) => value(machine, from, bits)?,
        ("mvn" | "neg" | "negs", from) => {
            let a = shifted_value(machine, from, bits)?;
            let zero = machine.terms().constant(&Bv::new(bits, 0));
            match mnemonic {
                "mvn" => machine.terms().bv_not(a),
                "neg" => machine.terms().bv_neg(a),
                _ => computed(machine, "subs", (zero, a))?,
            }
        }
        ("rev" | "rev16" | "rev32" | "clz" | "rbit", [from]) => {
            let a = value(machine, from, bits)?;
            of_bits(machine.terms(), mnemonic, a)?
        }
        ("cset" | "csetm", [condition]) => {
            let holds = condition_named(machine, condition)?;
            let set = if mnemonic == "cset" { Bv::new(bits, 1) } else { Bv::ones(bits) };
            let terms = machine.terms();
            let (set, clear) = (terms.constant(&set), terms.constant(&Bv::new(bits, 0)));
            terms.ite(holds, set, clear)
        }
        ("csel" | "csinc", [a, b, condition]) => {
            let holds = condition_named(machine, condition)?;
            let (a, b) = (value(machine, a, bits)?, value(machine, b, bits)?);
            let terms = machine.terms();
            let b = if mnemonic == "csinc" { terms.add_int(b, 1) } else { b };
            terms.ite(holds, a, b)
        }
        ("umulh" | "smulh", [a, b]) if bits == 64 => {
            let (a, b) = (value(machine, a, 64)?, value(machine, b, 64)?);
            let flags = machine.flags;
            let product = machine.product(a, b, mnemonic == "smulh");
            machine.flags = flags;
            machine.terms().extract(127, 64, product)
        }
        ("lsl" | "lsr" | "asr" | "ror", [a, amount]) => {
            let (a, amount) = (value(machine, a, bits)?, value(machine, amount, bits)?);
            let flags = machine.flags;
            let result = machine.shifted(shift_named(mnemonic)?, a, amount, u64::from(bits) - 1)?;
            machine.flags = flags;
            result
        }
        ("madd" | "msub", [a, b, c]) => {
            let (a, b, c) = (value(machine, a, bits)?, value(machine, b, bits)?, value(machine, c, bits)?);
            let terms = machine.terms();
            let product = terms.bv_op(BvOp::Mul, a, b);
            if mnemonic == "madd" { terms.add(c, product) } else { terms.sub(c, product) }
        }
        (_, [first, rest @ ..]) => {
            let (a, b) = (value(machine, first, bits)?, shifted_value(machine, rest, bits)?);
            computed(machine, mnemonic, (a, b))?
        }
        _ => return None,
    };
    // 32-bit results clear the upper half of a register.
    machine.write(to.cell, result, 64)
}

/// The result of an instruction with two sources, whose flags are set if its name ends with `s`.
fn computed(machine: &mut Machine<'_>, mnemonic: &str, (a, b): (Term, Term)) -> Option<Term> {
    let before = machine.flags;
    let no = machine.terms().ff();
    let (name, sets) = match mnemonic {
        "adds" | "subs" | "adcs" | "sbcs" | "ands" | "bics" => (&mnemonic[..3], true),
        _ => (mnemonic, false),
    };
    let bitwise = |terms: &mut Terms, op, negated: bool| {
        let b = if negated { terms.bv_not(b) } else { b };
        terms.bv_op(op, a, b)
    };
    let result = match name {
        "add" => machine.sum(a, b, no),
        "adc" => {
            let carry = before.carry?;
            machine.sum(a, b, carry)
        }
        // The carry of a difference says that nothing was borrowed.
        "sub" | "sbc" => {
            let borrow = match name {
                "sub" => no,
                _ => before.carry.map(|c| machine.terms().not(c))?,
            };
            let result = machine.difference(a, b, borrow);
            let borrowed = machine.flags.carry?;
            machine.flags.carry = Some(machine.terms().not(borrowed));
            result
        }
        "mul" => machine.terms().bv_op(BvOp::Mul, a, b),
        "and" => bitwise(machine.terms(), BvOp::And, false),
        "bic" => bitwise(machine.terms(), BvOp::And, true),
        "orr" => bitwise(machine.terms(), BvOp::Or, false),
        "orn" => bitwise(machine.terms(), BvOp::Or, true),
        "eor" => bitwise(machine.terms(), BvOp::Xor, false),
        "eon" => bitwise(machine.terms(), BvOp::Xor, true),
        _ => return None,
    };
    if !sets {
        machine.flags = before;
    } else if matches!(name, "and" | "bic") {
        machine.set_flags_of(result);
        (machine.flags.carry, machine.flags.overflow) = (Some(no), Some(no));
    }
    Some(result)
}

/// The result of an instruction that counts or reorders the bits of its source.
fn of_bits(terms: &mut Terms, mnemonic: &str, a: Term) -> Option<Term> {
    let w = terms.width(a);
    let in_parts = |terms: &mut Terms, bits: u32| {
        let parts = (0..w / bits).map(|i| {
            let part = terms.extract((i + 1) * bits - 1, i * bits, a);
            swapped_bytes(terms, part)
        });
        let parts: Vec<Term> = parts.collect();
        parts.into_iter().reduce(|low, high| terms.concat(high, low))
    };
    match mnemonic {
        "rev" => Some(swapped_bytes(terms, a)),
        "rev16" => in_parts(terms, 16),
        "rev32" if w == 64 => in_parts(terms, 32),
        "rbit" => Some(reversed_bits(terms, a)),
        "clz" => Some(counted(terms, Bits::LeadingZeros, a)),
        _ => None,
    }
}

/// Whether a condition holds.
pub(super) fn condition_named(machine: &mut Machine<'_>, name: &str) -> Option<Term> {
    let flags = machine.flags;
    let terms = machine.terms();
    let (holds, negated) = match name {
        "eq" => (flags.zero?, false),
        "ne" => (flags.zero?, true),
        "cs" | "hs" => (flags.carry?, false),
        "cc" | "lo" => (flags.carry?, true),
        "mi" => (flags.sign?, false),
        "pl" => (flags.sign?, true),
        "vs" => (flags.overflow?, false),
        "vc" => (flags.overflow?, true),
        "hi" | "ls" => {
            let not_zero = terms.not(flags.zero?);
            (terms.and(flags.carry?, not_zero), name == "ls")
        }
        "lt" | "ge" => (differ(terms, flags.sign?, flags.overflow?), name == "ge"),
        "le" | "gt" => {
            let less = differ(terms, flags.sign?, flags.overflow?);
            (terms.or(less, flags.zero?), name == "gt")
        }
        _ => return None,
    };
    Some(if negated { terms.not(holds) } else { holds })
}
