//! A processor as far as inline assembly that computes needs it: registers, operands in memory, and flags.
//!
//! A compiler may give an output the register of an input, unless the output is marked as early: it takes for granted that the text reads
//! all inputs before it writes an output. Where a text does not, what an input holds is not known, and nothing is computed.

use super::operands::{Allowed, Operand, Operands, canonical};
use cfa::bv::{Bv, BvOp};
use cfa::{Cfa, Scope, Sort, Term, Terms, VarId};

/// Where an operand lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Register,
    Memory,
    Constant,
}

/// An operand, or a register that the text may use.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub home: Home,
    /// The register in which it lies, if that is known.
    pub register: Option<String>,
    /// Where the compiler may have put it.
    pub allowed: Allowed,
    /// Number of bits that the program gives and takes; registers may have more, about which nothing is known.
    pub bits: u32,
    /// What it holds; `None` if that is not known. Of an operand in memory, it only counts whether it is known.
    pub value: Option<Term>,
    /// Where an operand in memory lies, and whether a pointer lies there.
    pub place: Option<(Term, bool)>,
    /// Whether the text may write it.
    pub is_writable: bool,
    /// Whether no input lies in its register.
    pub is_alone: bool,
    pub is_written: bool,
}

/// Flags of the last instruction, as conditions; `None` if not known.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flags {
    pub carry: Option<Term>,
    pub zero: Option<Term>,
    pub sign: Option<Term>,
    pub overflow: Option<Term>,
}

/// The state of the processor.
pub(super) struct Machine<'a> {
    pub cfa: &'a mut Cfa,
    scope: Scope,
    /// Operands by their number, then registers that the text may change.
    pub cells: Vec<Cell>,
    /// The cell of each operand: an input that is tied to an output has that of the output.
    pub operands: Vec<usize>,
    pub flags: Flags,
    pub memory: Term,
    /// The reads and writes of pointers in memory.
    pub pointer_accesses: Vec<Term>,
    /// Variables for what instructions leave undefined, and when they do.
    pub undefined: Vec<(VarId, Term)>,
}

impl<'a> Machine<'a> {
    /// The processor before the text is executed. Variables for what is undefined are of `scope`. There is a cell for each operand; of inputs
    /// that are tied to an output, only the value counts. `None` if a tie does not fit.
    pub(super) fn new(
        cfa: &'a mut Cfa,
        scope: Scope,
        has: &Operands,
        (mut cells, memory): (Vec<Cell>, Term),
    ) -> Option<Machine<'a>> {
        let mut operands: Vec<usize> = (0..cells.len()).collect();
        for (i, operand) in has.all.iter().enumerate() {
            // An input in the register of an output is tied to it, too.
            let same = |o: &Operand| o.is_output && o.register.is_some() && o.register == operand.register;
            let shared = if operand.is_output { None } else { has.all.iter().position(same) };
            let Some(output) = operand.tied.or(shared) else { continue };
            if cells[i].bits != cells[output].bits {
                return None;
            }
            cells[output].value = cells[i].value;
            operands[i] = output;
        }
        for name in &has.clobbered {
            cells.push(Cell {
                home: Home::Register,
                register: canonical(name),
                allowed: Allowed::REGISTER,
                bits: cfa.pointer_bits,
                value: None,
                place: None,
                is_writable: true,
                is_alone: true,
                is_written: false,
            });
        }
        let (flags, pointer_accesses, undefined) = (Flags::default(), Vec::new(), Vec::new());
        let mut machine = Machine { cfa, scope, cells, operands, flags, memory, pointer_accesses, undefined };
        // An input that is tied to an output in memory is stored there.
        for (i, operand) in has.all.iter().enumerate() {
            let output = machine.operands[i];
            if output != i && machine.cells[output].home == Home::Memory && !operand.is_indirect {
                let value = machine.cells[i].value?;
                machine.write(output, value, 0)?;
            }
        }
        Some(machine)
    }

    pub(super) fn terms(&mut self) -> &mut Terms {
        &mut self.cfa.terms
    }

    /// A value that the processor's manual leaves open where `when` holds, and that is not used elsewhere.
    pub(super) fn undefined(&mut self, bits: u32, when: Term) -> Term {
        let name = format!("assembly.undefined.{}", self.cfa.vars.len());
        let var = self.cfa.add_var(name, Sort::Bv(bits), self.scope);
        self.undefined.push((var, when));
        self.cfa.var_term(var)
    }

    /// Whether what a cell holds, or where it lies, may have been overwritten: compilers only keep the registers of outputs apart.
    fn is_lost(&self, i: usize) -> bool {
        let cell = &self.cells[i];
        let may_share = |other: &Cell| {
            let apart = matches!((&cell.register, &other.register), (Some(a), Some(b)) if a != b);
            other.home == Home::Register && other.is_written && !other.is_alone && !apart
        };
        let is_choice = |c: &Cell| c.home == Home::Memory && !c.allowed.is_in_memory;
        let other_cells = || self.cells.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, c)| c);
        match cell.home {
            Home::Constant => false,
            // Its address lies in the register of an input. Where another operand may as well lie in a register, that is stored later.
            Home::Memory => self.cells.iter().any(may_share) || other_cells().any(|c| is_choice(c) && c.is_written),
            Home::Register => !cell.is_writable && self.cells.iter().any(may_share),
        }
    }

    /// All bits of a cell, as the program gives and takes them.
    pub(super) fn whole(&mut self, i: usize) -> Option<Term> {
        let cell = &self.cells[i];
        // What may lie in a register was read before others were written.
        let is_older = cell.home == Home::Memory
            && !cell.allowed.is_in_memory
            && self.cells.iter().enumerate().any(|(j, c)| j != i && c.home == Home::Memory && c.is_written);
        if self.is_lost(i) || is_older || cell.value.is_none() {
            return None;
        }
        let Some((address, is_pointer)) = cell.place else { return cell.value };
        let held = self.cfa.terms.read(self.memory, address, cell.bits);
        if is_pointer {
            self.pointer_accesses.push(held);
        }
        Some(held)
    }

    /// The lowest `bits` bits of a cell.
    pub(super) fn low(&mut self, i: usize, bits: u32) -> Option<Term> {
        let whole = self.whole(i)?;
        (bits <= self.cells[i].bits).then(|| self.terms().extract(bits - 1, 0, whole))
    }

    /// Writes `value` to the lowest bits of a cell. Others of the lowest `cleared` bits become 0, and those above stay.
    pub(super) fn write(&mut self, i: usize, value: Term, cleared: u32) -> Option<()> {
        let cell = &self.cells[i];
        if !cell.is_writable || cell.home == Home::Memory && self.is_lost(i) {
            return None;
        }
        let (bits, width) = (cell.bits, self.cfa.terms.width(value).max(cleared));
        if cell.home == Home::Memory && width > bits {
            return None;
        }
        let old = if width < bits { Some(self.whole(i)?) } else { None };
        let terms = &mut self.cfa.terms;
        let value = terms.zext(width, value);
        let new = match old {
            None => terms.extract(bits - 1, 0, value),
            Some(old) => {
                let rest = terms.extract(bits - 1, width, old);
                terms.concat(rest, value)
            }
        };
        let cell = &mut self.cells[i];
        (cell.value, cell.is_written) = (Some(new), true);
        if let Some((address, is_pointer)) = cell.place {
            self.memory = self.cfa.terms.write(self.memory, address, new);
            if is_pointer {
                self.pointer_accesses.push(self.memory);
            }
        }
        Some(())
    }

    /// The address of the word in which bit `index` lies, counted with a sign from the beginning of an operand in memory. `None` if the operand
    /// may not be written where that is.
    pub(super) fn word_of_bit(&mut self, i: usize, index: Term) -> Option<Term> {
        let cell = &self.cells[i];
        let (address, _) =
            cell.place.filter(|_| cell.is_writable && cell.allowed.is_in_memory && cell.value.is_some())?;
        if self.is_lost(i) {
            return None;
        }
        let word = self.cfa.pointer_bits;
        let terms = &mut self.cfa.terms;
        let w = terms.width(index);
        let by = terms.constant(&Bv::new(w, u64::from(w.ilog2())));
        let words = terms.bv_op(BvOp::Ashr, index, by);
        let words = terms.sext(word, words);
        let bytes = terms.constant(&Bv::new(word, u64::from(w / 8)));
        let bytes = terms.bv_op(BvOp::Mul, words, bytes);
        Some(terms.add(address, bytes))
    }

    /// Writes the word that [`word_of_bit`](Self::word_of_bit) has found for an operand.
    pub(super) fn write_word(&mut self, i: usize, address: Term, value: Term) {
        self.cells[i].is_written = true;
        self.memory = self.cfa.terms.write(self.memory, address, value);
    }

    /// The word at an address.
    pub(super) fn word_at(&mut self, address: Term, bits: u32) -> Term {
        self.cfa.terms.read(self.memory, address, bits)
    }

    /// The flags that depend on a result alone; the others are not known.
    pub(super) fn set_flags_of(&mut self, result: Term) {
        let terms = self.terms();
        let top = terms.width(result) - 1;
        let sign = terms.extract(top, top, result);
        let (some, sign) = (terms.nonzero(result), terms.nonzero(sign));
        let zero = terms.not(some);
        self.flags = Flags { carry: None, zero: Some(zero), sign: Some(sign), overflow: None };
    }

    /// `a + b`, and 1 more where `carry` holds, with the flags for it.
    pub(super) fn sum(&mut self, a: Term, b: Term, carry: Term) -> Term {
        let terms = self.terms();
        let w = terms.width(a);
        let exact = |terms: &mut Terms, signed: bool| {
            let widen = |terms: &mut Terms, t| if signed { terms.sext(w + 2, t) } else { terms.zext(w + 2, t) };
            let (a, b) = (widen(terms, a), widen(terms, b));
            let (one, none) = (terms.constant(&Bv::new(w + 2, 1)), terms.constant(&Bv::new(w + 2, 0)));
            let more = terms.ite(carry, one, none);
            let sum = terms.add(a, b);
            terms.add(sum, more)
        };
        let (unsigned, signed) = (exact(terms, false), exact(terms, true));
        let result = terms.extract(w - 1, 0, unsigned);
        let (back, signed_back) = (terms.zext(w + 2, result), terms.sext(w + 2, result));
        let (fits, signed_fits) = (terms.eq(back, unsigned), terms.eq(signed_back, signed));
        let (carry, overflow) = (terms.not(fits), terms.not(signed_fits));
        self.set_flags_of(result);
        (self.flags.carry, self.flags.overflow) = (Some(carry), Some(overflow));
        result
    }

    /// `a - b`, and 1 less where `borrow` holds, with the flags for it; the carry says whether something was borrowed.
    pub(super) fn difference(&mut self, a: Term, b: Term, borrow: Term) -> Term {
        // In two's complement, that is the sum with the complement, and the carry of that is the opposite.
        let terms = self.terms();
        let (complement, carry) = (terms.bv_not(b), terms.not(borrow));
        let result = self.sum(a, complement, carry);
        let carry = self.flags.carry.map(|c| self.cfa.terms.not(c));
        self.flags.carry = carry;
        result
    }

    /// A product of the double width. Of the flags, those of carry and overflow tell whether it needs that.
    pub(super) fn product(&mut self, a: Term, b: Term, signed: bool) -> Term {
        let terms = self.terms();
        let w = terms.width(a);
        let widen = |terms: &mut Terms, t| if signed { terms.sext(2 * w, t) } else { terms.zext(2 * w, t) };
        let (a, b) = (widen(terms, a), widen(terms, b));
        let product = terms.bv_op(BvOp::Mul, a, b);
        let low = terms.extract(w - 1, 0, product);
        let back = widen(terms, low);
        let fits = terms.eq(back, product);
        let needs = Some(terms.not(fits));
        self.flags = Flags { carry: needs, overflow: needs, zero: None, sign: None };
        product
    }

    /// `a` shifted or rotated by `amount`, which counts modulo the width that `mask` plus 1 says. No flag is known afterwards.
    pub(super) fn shifted(&mut self, how: Shift, a: Term, amount: Term, mask: u64) -> Option<Term> {
        self.flags = Flags::default();
        let terms = self.terms();
        let w = terms.width(a);
        let mask = terms.constant(&Bv::new(w, mask));
        let amount = terms.resize(w, amount);
        let amount = terms.bv_op(BvOp::And, amount, mask);
        let op = match how {
            Shift::Left => BvOp::Shl,
            Shift::Right => BvOp::Lshr,
            Shift::Arithmetic => BvOp::Ashr,
            Shift::RotateLeft | Shift::RotateRight => {
                return w.is_power_of_two().then(|| rotated(terms, how, a, amount));
            }
        };
        Some(terms.bv_op(op, a, amount))
    }
}

/// How bits are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    Arithmetic,
    RotateLeft,
    RotateRight,
}

/// `a` rotated by `amount` modulo its width, which is a power of two.
fn rotated(terms: &mut Terms, how: Shift, a: Term, amount: Term) -> Term {
    let w = terms.width(a);
    let within = terms.constant(&Bv::new(w, u64::from(w) - 1));
    let amount = terms.bv_op(BvOp::And, amount, within);
    if let Some(n) = terms.as_u64(amount) {
        let left = if how == Shift::RotateLeft { n as u32 } else { (w - n as u32) % w };
        if left == 0 {
            return a;
        }
        let (above, below) = (terms.extract(w - left - 1, 0, a), terms.extract(w - 1, w - left, a));
        return terms.concat(above, below);
    }
    let back = terms.bv_neg(amount);
    let back = terms.bv_op(BvOp::And, back, within);
    let (towards, other) = if how == Shift::RotateLeft { (BvOp::Shl, BvOp::Lshr) } else { (BvOp::Lshr, BvOp::Shl) };
    let (a, b) = (terms.bv_op(towards, a, amount), terms.bv_op(other, a, back));
    terms.bv_op(BvOp::Or, a, b)
}

/// The bit of `a` at `index`, counted modulo the width, which is a power of two, as a condition.
pub(super) fn bit_at(terms: &mut Terms, a: Term, index: Term) -> Term {
    let w = terms.width(a);
    let index = terms.resize(w, index);
    let within = terms.constant(&Bv::new(w, u64::from(w) - 1));
    let index = terms.bv_op(BvOp::And, index, within);
    let moved = terms.bv_op(BvOp::Lshr, a, index);
    let bit = terms.extract(0, 0, moved);
    terms.nonzero(bit)
}

/// Whether one of two conditions holds and the other does not.
pub(super) fn differ(terms: &mut Terms, a: Term, b: Term) -> Term {
    let same = terms.eq(a, b);
    terms.not(same)
}
