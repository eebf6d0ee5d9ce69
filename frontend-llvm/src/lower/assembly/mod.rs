//! Inline assembly: what has no effect, and what computes numbers from numbers.
//!
//! A text is executed by a small model of the processor ([`x86`], [`arm`]) if it only has instructions that the model knows. Any other text
//! whose constraints say that it changes nothing but registers yields arbitrary numbers. The rest is unsupported.

mod arm;
mod machine;
mod operands;
mod x86;

use super::Lowered;
use super::body::Body;
use crate::ir::{Type, TypeKind, Value};
use crate::layout::Scalar;
use cfa::{Assumed, EdgeId, Id, InputKind, Op, Scope, Term, Unsupported};
use machine::{Cell, Home, Machine};
use operands::{Operand, Operands};

/// Instructions that have no effect on a single thread.
const IDLE: [&str; 8] = ["", "nop", "mfence", "lfence", "sfence", "pause", "rep; nop", "rep;nop"];

/// How instructions begin with which a text leaves for another function, or for the operating system.
const LEAVING: [&str; 19] = [
    "call", "lcall", "ret", "lret", "iret", "uiret", "ljmp", "int", "sys", "vmcall", "vmmcall", "svc", "hvc", "smc",
    "bl", "br", "eret", "bx", "swi",
];

/// Instructions that stop a program, or tell an operating system something.
const STOPPING: [&str; 3] = ["hlt", "ud1", "ud2"];

/// How instructions begin that change how others compute, which constraints do not tell.
const SETTING: [&str; 20] = [
    "fldcw", "fldenv", "frstor", "finit", "fninit", "fxrstor", "xrstor", "ldmxcsr", "vldmxcsr", "std", "cli", "sti",
    "popf", "wrmsr", "wrfsbase", "wrgsbase", "msr", "xsetbv", "clts", "lmsw",
];

/// Instructions that read something about the machine into registers, and change nothing else.
const READING: [&str; 7] = ["rdtsc", "rdtscp", "cpuid", "xgetbv", "rdpmc", "rdrand", "mrs"];

/// Those of them that any program may execute on any processor of today; others trap on some.
const COMMON: [&str; 3] = ["rdtsc", "rdtscp", "cpuid"];

/// The processors of which instructions are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Processor {
    X86,
    AArch64,
}

/// The processor of a triple, such as `i686-pc-linux-gnu`.
fn processor(triple: &str) -> Option<Processor> {
    match triple.split('-').next().unwrap_or_default() {
        "x86_64" => Some(Processor::X86),
        "aarch64" | "arm64" => Some(Processor::AArch64),
        architecture if matches!(architecture.as_bytes(), [b'i', b'3'..=b'6', b'8', b'6']) => Some(Processor::X86),
        _ => None,
    }
}

/// The first words of the statements of a text.
fn mnemonics(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r', ';']).filter_map(|statement| statement.split_whitespace().next())
}

/// The statements of a text, without comments, which such a mark begins and the end of a line ends.
fn statements<'t>(text: &'t str, comment: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = text.split(['\n', '\r']).map(move |line| line.split(comment).next().unwrap_or_default());
    lines.flat_map(|line| line.split(';')).map(str::trim).filter(|statement| !statement.is_empty())
}

/// Whether a text has an instruction with which control leaves it.
fn leaves(text: &str) -> bool {
    text.split(['\n', '\r', ';']).any(|statement| {
        let words: Vec<String> = statement.split_whitespace().map(str::to_ascii_lowercase).collect();
        let ends = words.iter().any(|word| {
            let name = word.rsplit(':').next().unwrap_or_default();
            LEAVING.iter().any(|beginning| name.starts_with(beginning))
        });
        // Prefixes may stand before it. To a local label, `1b` or `1f`, a text may jump.
        let jump = words.iter().position(|word| {
            let name = word.rsplit(':').next().unwrap_or_default();
            name.starts_with('j') || name.starts_with("loop") || name.starts_with("b.") || name == "b"
        });
        let is_local = |to: &String| {
            to.strip_suffix(['b', 'f']).is_some_and(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()))
        };
        ends || jump.is_some_and(|at| !words.get(at + 1).is_some_and(is_local))
    })
}

/// Whether a text may lead elsewhere than behind it, change how instructions compute, or name something of the program.
fn may_leave(text: &str) -> bool {
    // A directive may put something elsewhere, and a label that is no number is one of the program.
    let is_directive = |statement: &str| statement.trim_start().starts_with('.') || statement.contains(':');
    let is_special = |word: &str| {
        let word = word.to_ascii_lowercase();
        STOPPING.contains(&&*word) || SETTING.iter().any(|beginning| word.starts_with(beginning))
    };
    leaves(text)
        || text.split_whitespace().any(is_special)
        || text.split(['\n', '\r', ';']).any(is_directive)
        || crate::emit::words_of_assembly(text).any(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Executes a text, and returns the outputs in registers. `None` if something in it is not known.
fn run(machine: &mut Machine<'_>, has: &Operands, (text, processor): (&str, Option<Processor>)) -> Option<Vec<Term>> {
    match processor {
        _ if text.is_empty() => {}
        Some(Processor::X86) => x86::run(machine, text)?,
        Some(Processor::AArch64) => arm::run(machine, text)?,
        None => return None,
    }
    let mut outputs = Vec::new();
    for (i, operand) in has.all.iter().enumerate().filter(|(_, o)| o.is_output) {
        let (bits, always) = (machine.cells[i].bits, machine.terms().tt());
        if let Some(flag) = &operand.flag {
            let holds = match processor? {
                Processor::X86 => x86::flag(machine, flag)?,
                Processor::AArch64 => arm::condition_named(machine, flag)?,
            };
            let terms = machine.terms();
            let (one, zero) = (terms.int(1, 1), terms.int(1, 0));
            let bit = terms.ite(holds, one, zero);
            outputs.push(terms.zext(bits, bit));
            continue;
        }
        // What the text does not write is not what was there before, either: compilers rely on that.
        let value = machine.cells[i].value;
        if operand.is_indirect {
            if value.is_none() {
                let open = machine.undefined(bits, always);
                machine.write(i, open, 0)?;
            }
        } else {
            outputs.push(value.unwrap_or_else(|| machine.undefined(bits, always)));
        }
    }
    Some(outputs)
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
        if let Some(has) = Operands::parse(&constraints_text) {
            // Intel's dialect has the destination first.
            let is_known = !inst.calls_intel_assembly() && !has.has_labels;
            if is_known && self.executed(inst, trimmed, &has)?.is_some() {
                return Ok(());
            }
            if self.is_confined(inst, trimmed, &has)? {
                return self.arbitrary_outputs(inst, trimmed);
            }
        }
        let may_call = leaves(trimmed);
        let reason = format!("inline assembly \"{first}\"");
        let e = self.unsupported(Unsupported { may_call, ..Unsupported::opaque(reason) });
        let mut given = Vec::new();
        for arg in args {
            given.extend(self.value(arg)?);
        }
        self.note_opaque(e, &given);
        Ok(())
    }

    /// The scalar of a type that a register or a word of memory holds: the number of its bits; `None` for other types.
    fn bits_of(&mut self, ty: Type<'m>) -> Lowered<Option<u32>> {
        let flat = self.cx.flat(ty)?;
        Ok(match flat.leaves[..] {
            [leaf] if matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind | TypeKind::LLVMPointerTypeKind) => {
                (leaf.bits == leaf.bytes * 8).then_some(leaf.bits)
            }
            _ => None,
        })
    }

    /// Lowers a text whose instructions are all known. `None`, and nothing has been lowered, if one is not.
    fn executed(&mut self, inst: Value<'m>, text: &str, has: &Operands) -> Lowered<Option<()>> {
        let processor = processor(&self.cx.program.triple());
        let Some(cells) = self.cells(inst, has)? else { return Ok(None) };
        let (scope, memory) = (Scope::Local(self.func), self.mem());
        let Some(mut machine) = Machine::new(&mut self.cx.cfa, scope, has, (cells, memory)) else { return Ok(None) };
        let Some(outputs) = run(&mut machine, has, (text, processor)) else { return Ok(None) };
        let Machine { memory: after, pointer_accesses, undefined, cells, .. } = machine;
        self.cx.facts.pointer_accesses.extend(pointer_accesses);
        for (var, when) in undefined {
            self.when(when, |body| {
                let kind = InputKind::Approximate("what inline assembly leaves undefined".into());
                body.emit(Op::Input { var, kind });
                Ok(())
            })?;
        }
        let places: Vec<Term> = cells.iter().filter_map(|cell| Some(cell.place?.0)).collect();
        for address in places {
            self.guard_not_null(address);
        }
        if self.dead {
            return Ok(Some(()));
        }
        // Outputs may tell what memory held before.
        if !inst.ty().is_void() {
            self.define_held(inst, outputs.into_iter().collect());
        }
        if after != memory {
            self.set_mem(after);
        }
        Ok(Some(()))
    }

    /// What the operands hold before the text is executed. `None` if one of them is no number.
    fn cells(&mut self, inst: Value<'m>, has: &Operands) -> Lowered<Option<Vec<Cell>>> {
        let results = match inst.ty().kind() {
            _ if inst.ty().is_void() => Vec::new(),
            TypeKind::LLVMStructTypeKind => inst.ty().fields(),
            _ => vec![inst.ty()],
        };
        let (mut results, mut args) = (results.into_iter(), inst.call_args().into_iter().zip(0..));
        let mut cells: Vec<Cell> = Vec::new();
        for operand in &has.all {
            let Operand { is_output, is_early, is_indirect, .. } = operand;
            let Some(allowed) = operand.allowed else { return Ok(None) };
            let given = if *is_output && !is_indirect { None } else { args.next() };
            let ty = match given {
                None => results.next(),
                Some((_, i)) if *is_indirect => inst.call_element_type(i),
                Some((arg, _)) => Some(arg.ty()),
            };
            let Some(ty) = ty else { return Ok(None) };
            let Some(bits) = self.bits_of(ty)? else { return Ok(None) };
            // A wider operand lies in two registers, of which the text names one.
            if !is_indirect && bits > self.cx.pointer_bits() {
                return Ok(None);
            }
            let mut cell = Cell {
                home: if allowed.is_constant && !is_output { Home::Constant } else { Home::Register },
                register: operand.register.clone(),
                allowed,
                bits,
                value: None,
                place: None,
                is_writable: *is_output,
                is_alone: *is_early,
                is_written: false,
            };
            match given {
                Some((pointer, _)) if *is_indirect => {
                    let address = self.address(pointer)?;
                    cell.home = Home::Memory;
                    cell.place = Some((address, ty.is_pointer()));
                    if !is_output {
                        // It is known; so it is in an output at the same place.
                        cell.value = Some(address);
                        let same = |other: &&mut Cell| other.place.is_some_and(|(place, _)| place == address);
                        cells.iter_mut().filter(same).for_each(|output| output.value = Some(address));
                    }
                }
                Some((arg, _)) => cell.value = Some(self.scalar(arg)?),
                None => {}
            }
            cells.push(cell);
        }
        Ok((results.next().is_none() && args.next().is_none()).then_some(cells))
    }

    /// Whether a text changes nothing but its outputs, which are numbers in registers, if it does what its constraints say.
    fn is_confined(&mut self, inst: Value<'m>, text: &str, has: &Operands) -> Lowered<bool> {
        let is_reading = mnemonics(text).all(|word| READING.contains(&word));
        let changes_memory = has.clobbers_memory && !is_reading || has.all.iter().any(|o| o.is_output && o.is_indirect);
        let leaves = has.has_labels || !is_reading && may_leave(text);
        let holds_pointer = !inst.ty().is_void() && {
            let flat = self.cx.flat(inst.ty())?;
            flat.leaves.iter().any(|leaf| leaf.scalar == Scalar::Pointer)
        };
        // Of other processors, it is not known which instructions leave.
        let is_known = text.is_empty() || processor(&self.cx.program.triple()).is_some();
        Ok(is_known && !changes_memory && !leaves && !holds_pointer)
    }

    /// Lowers a text about whose outputs nothing is known.
    fn arbitrary_outputs(&mut self, inst: Value<'m>, text: &str) -> Lowered<()> {
        let first = text.lines().next().unwrap_or("").trim();
        let about = format!("inline assembly \"{first}\"");
        let mut given = Vec::new();
        for arg in inst.call_args() {
            given.extend(self.value(arg)?);
        }
        let from = self.cx.next_edge();
        let mut outputs = Vec::new();
        if !inst.ty().is_void() {
            let flat = self.cx.flat(inst.ty())?;
            for leaf in &flat.leaves {
                let kind = InputKind::Approximate(about.as_str().into());
                outputs.push(self.input("assembly", leaf.bits, kind));
            }
        }
        // It may as well trap, or never end.
        if !mnemonics(text).all(|word| COMMON.contains(&word)) {
            self.no_alarm_from_here(&about);
        }
        if outputs.is_empty() {
            self.skip();
        }
        for e in (from..self.cx.next_edge()).map(EdgeId::from_index) {
            self.note_opaque(e, &given);
            // What it was given may come back as numbers.
            let word = self.cx.pointer_bits();
            let addresses: Vec<(Term, bool)> = given
                .iter()
                .filter(|t| self.cx.cfa.terms.width(**t) == word)
                .flat_map(|t| [(*t, false), (*t, true)])
                .collect();
            self.cx.facts.given_away.insert(e, addresses);
            self.cx.assume_reached(e, Assumed::AssemblyConfined);
        }
        if !outputs.is_empty() {
            self.define(inst, outputs.into_iter().collect());
        }
        Ok(())
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
    use super::machine::{Cell, Home, Machine};
    use super::operands::Operands;
    use super::{Processor, arm, may_leave, processor, x86};
    use cfa::bv::Bv;
    use cfa::{Cfa, Scope};

    /// The outputs of a text, whose operands all have `bits` bits, for these inputs. `None` if it is not known.
    fn run(on: Processor, text: &str, constraints: &str, (bits, inputs): (u32, &[u64])) -> Option<Vec<u64>> {
        let mut cfa = Cfa::new(64);
        let has = Operands::parse(constraints)?;
        let mut given = inputs.iter();
        let cells: Vec<Cell> = has
            .all
            .iter()
            .map(|operand| {
                let value = if operand.is_output { None } else { given.next() };
                Cell {
                    home: if operand.allowed.is_some_and(|a| a.is_constant) { Home::Constant } else { Home::Register },
                    register: operand.register.clone(),
                    allowed: operand.allowed.expect("known letters"),
                    bits,
                    value: value.map(|value| cfa.terms.constant(&Bv::new(bits, *value))),
                    place: None,
                    is_writable: operand.is_output,
                    is_alone: operand.is_early,
                    is_written: false,
                }
            })
            .collect();
        let zero = cfa.terms.constant(&Bv::new(8, 0));
        let memory = cfa.terms.const_array(64, zero);
        let mut machine = Machine::new(&mut cfa, Scope::Global, &has, (cells, memory))?;
        match on {
            Processor::X86 => x86::run(&mut machine, text)?,
            Processor::AArch64 => arm::run(&mut machine, text)?,
        }
        let outputs = (0..has.all.len()).filter(|i| has.all[*i].is_output);
        outputs.map(|i| machine.cells[i].value.and_then(|value| machine.terms().as_u64(value))).collect()
    }

    fn on_pc(text: &str, constraints: &str, bits: u32, inputs: &[u64]) -> Option<Vec<u64>> {
        run(Processor::X86, text, constraints, (bits, inputs))
    }

    fn on_arm(text: &str, constraints: &str, bits: u32, inputs: &[u64]) -> Option<Vec<u64>> {
        run(Processor::AArch64, text, constraints, (bits, inputs))
    }

    #[test]
    fn instructions_of_x86() {
        for (text, bits, input, output) in [
            ("bswap $0", 32, 0x0102_0304, 0x0403_0201),
            ("bswapq ${0:q}", 64, 1, 1 << 56),
            ("notl $0;", 32, 1, 0xffff_fffe),
            ("neg $0", 64, 2, u64::MAX - 1),
            ("rorw $$8, ${0:w}", 16, 0x1234, 0x3412),
            ("rolw $$3, ${0:w}", 32, 0xffff_8001, 0xffff_000c),
            ("xchgb ${0:b},${0:h}", 32, 0xffff_1234, 0xffff_3412),
            ("notb ${0:h}", 16, 1, 0xff01),
            ("roll $$13, ${0:k}", 64, u64::MAX, 0xffff_ffff),
            ("incl $0 # keep; incl $0\n\tnop", 32, 6, 7),
            ("imull $$10, $0, $0", 32, 7, 70),
        ] {
            assert_eq!(on_pc(text, "=r,0,~{flags}", bits, &[input]), Some(vec![output]), "{text}");
        }
        assert_eq!(on_pc("mulq $3", "={ax},={dx},%0,rm", 64, &[1 << 63, 6]), Some(vec![0, 3]));
        assert_eq!(on_pc("movl $1, %eax; movl %eax, $0", "=r,r,~{eax}", 32, &[9]), Some(vec![9]));
        assert_eq!(on_pc("shll $1, $0", "=r,I,0", 32, &[4, 3]), Some(vec![48]));
    }

    #[test]
    fn instructions_of_other_widths_or_operands() {
        for (text, bits) in [
            ("bswap $0", 16),
            ("bswapl $0", 64),
            ("bswap $1", 32),
            ("notb $0", 32),
            ("movb $1, $0", 32),
            ("roll %cl, $0", 32),
            ("roll $$011, $0", 32),
            ("bswap $0; ret", 32),
            ("incl ($0)", 32),
            ("rev $0, $1", 64),
            ("adcl $1, $0", 32),
            ("setc $0", 8),
            ("cpuid", 32),
            ("lock; incl $0", 32),
        ] {
            assert_eq!(on_pc(text, "=r,r,0,~{flags}", bits, &[1, 1]), None, "{text}");
        }
    }

    #[test]
    fn inputs_are_read_before_outputs_are_written() {
        let text = "movl $1, $0\n\taddl $2, $0";
        assert_eq!(on_pc(text, "=r,r,r", 32, &[1, 2]), None);
        assert_eq!(on_pc(text, "=&r,r,r", 32, &[1, 2]), Some(vec![3]));
        assert_eq!(on_pc(text, "={ax},{dx},{cx}", 32, &[1, 2]), Some(vec![3]));
        // Two names of one register.
        assert_eq!(on_pc("movl $2, $0\n\taddl $1, $0", "={ax},{eax},r", 32, &[1, 2]), Some(vec![4]));
        assert_eq!(on_pc("xorl $1, $1", "=r,r", 32, &[1]), None);
    }

    #[test]
    fn instructions_of_aarch64() {
        for (text, bits, output) in [
            ("rev ${0:w}, ${1:w}", 32, 0x1000_0000),
            ("rev $0, $1", 64, 0x1000_0000_0000_0000),
            ("ror ${0:w}, ${1:w}, #8", 32, 0x1000_0000),
            ("clz ${0:w}, ${1:w}", 32, 27),
            ("rbit ${0:w}, ${1:w}", 32, 0x0800_0000),
            ("mvn $0, $1", 64, !0x10),
            ("add $0, $1, $1, lsl #2", 64, 0x50),
            ("cmp $1, #16; cset $0, eq", 64, 1),
            ("lsl ${0:w}, ${1:w}, ${1:w}\n\tdmb ish", 32, 0x10_0000),
        ] {
            assert_eq!(on_arm(text, "=&r,r,~{cc}", bits, &[0x10]), Some(vec![output]), "{text}");
        }
        let sums = "adds $0, $2, $3\n\tadc $1, $4, $5";
        assert_eq!(on_arm(sums, "=&r,=r,r,r,r,r,~{cc}", 64, &[u64::MAX, 2, 3, 4]), Some(vec![1, 8]));
        let differences = "subs $0, $2, $3\n\tsbc $1, $4, $5";
        assert_eq!(on_arm(differences, "=&r,=r,r,r,r,r,~{cc}", 64, &[1, 2, 9, 4]), Some(vec![u64::MAX, 4]));
        assert_eq!(on_arm("umulh $0, $1, $2", "=r,r,r", 64, &[1 << 63, 6]), Some(vec![3]));
        // Without a modifier, all 64 bits of a register are meant.
        assert_eq!(on_arm("rev $0, $1", "=r,r", 32, &[1]), None);
        assert_eq!(on_arm("bswap $0", "=r,r", 32, &[1]), None);
    }

    #[test]
    fn processors_are_known_by_their_triples() {
        assert_eq!(processor("i686-pc-linux-gnu"), Some(Processor::X86));
        assert_eq!(processor("aarch64-linux-gnu"), Some(Processor::AArch64));
        assert_eq!(processor("riscv64-linux-gnu"), None);
    }

    #[test]
    fn texts_that_may_leave() {
        for text in [
            "1:call f",
            "CALL f",
            "addr32 call *%rax",
            "jz f",
            "jmp *%rax",
            "movl $$1, x(%rip)",
            "nop; ud2",
            ".text",
            "b f",
            "call 1f",
            "lretq",
            "bnd jmp *%rax",
            "1:call *%rax",
            "fldcw $0",
        ] {
            assert!(may_leave(text), "{text}");
        }
        for text in ["divl $4", "movl $1, %eax\n\tcpuid", "fsqrt", "testl %eax, %eax\n\tjz 1b", "b.eq 2f"] {
            assert!(!may_leave(text), "{text}");
        }
    }
}
