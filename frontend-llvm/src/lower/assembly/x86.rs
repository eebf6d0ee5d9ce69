//! Instructions of x86 that compute, in AT&T's order of operands (the destination last), by the manual of Intel (volume 2).

use super::machine::{Home, Machine, Shift, bit_at, differ};
use crate::lower::intrinsic::{Bits, counted, swapped_bytes};
use cfa::Term;
use cfa::bv::{Bv, BvOp};

/// Instructions that have no effect on a single thread.
const IDLE: [&str; 6] = ["nop", "pause", "mfence", "lfence", "sfence", "cld"];

/// Instructions that may be atomic, with `lock` before them, if they write to memory; any other is not valid then.
const LOCKABLE: [&str; 14] =
    ["add", "adc", "sub", "sbb", "and", "or", "xor", "not", "neg", "inc", "dec", "bts", "btr", "btc"];

/// What an operand of an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The lowest bits of a cell; `None` if the instruction says how many.
    Low(usize, Option<u32>),
    /// The second byte of a cell.
    High(usize),
    Constant(u64),
}

/// Executes a text. `None` if it has something that is not known here, or uses what is not known.
pub(super) fn run(machine: &mut Machine<'_>, text: &str) -> Option<()> {
    let mut is_locked = false;
    for statement in super::statements(text, "#") {
        let unlocked = statement.strip_prefix("lock").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
        is_locked |= unlocked.is_some();
        let statement = unlocked.unwrap_or(statement).trim();
        // What repeats a no-op is one, too.
        if statement.is_empty() {
            continue;
        }
        if IDLE.contains(&statement) || statement == "rep nop" {
            if is_locked {
                return None;
            }
            continue;
        }
        let (mnemonic, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        Instruction { machine, is_locked: std::mem::take(&mut is_locked) }.execute(mnemonic, rest.trim())?;
    }
    (!is_locked).then_some(())
}

struct Instruction<'b, 'a> {
    machine: &'b mut Machine<'a>,
    /// Whether `lock` stands before it.
    is_locked: bool,
}

/// A register's name without what says how much of it is meant, and the number of bits; 9 stands for the second byte.
pub(super) fn register(name: &str) -> Option<(String, u32)> {
    if let Some(number) = name.strip_prefix('r').filter(|n| n.starts_with(|c: char| c.is_ascii_digit())) {
        let (number, bits) = match number.trim_end_matches(char::is_alphabetic) {
            n if n == number => (n, 64),
            n => (n, width_of(number.strip_prefix(n)?.replace('d', "l").chars().next()?)?),
        };
        return Some((format!("r{number}"), bits));
    }
    let (bits, rest) = match name.as_bytes() {
        [b'r', _, _] => (64, &name[1..]),
        [b'e', _, _] => (32, &name[1..]),
        [_, b'l'] | [_, _, b'l'] => (8, &name[..name.len() - 1]),
        [_, b'h'] => (9, &name[..1]),
        [_, _] => (16, name),
        _ => return None,
    };
    let known = match rest {
        "a" | "b" | "c" | "d" => format!("{rest}x"),
        "ax" | "bx" | "cx" | "dx" | "si" | "di" | "bp" => rest.to_string(),
        _ => return None,
    };
    Some((known, bits))
}

fn width_of(suffix: char) -> Option<u32> {
    match suffix {
        'b' => Some(8),
        'w' => Some(16),
        'l' | 'k' => Some(32),
        'q' => Some(64),
        _ => None,
    }
}

/// Splits at commas outside of parentheses.
fn split_operands(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[begin..i].trim());
                begin = i + 1;
            }
            _ => {}
        }
    }
    if !text[begin..].trim().is_empty() {
        parts.push(text[begin..].trim());
    }
    parts
}

fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        // A leading zero means octal.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => digits.parse(),
    };
    value.ok().map(|value| if negative { value.wrapping_neg() } else { value })
}

impl Instruction<'_, '_> {
    fn place(&self, text: &str) -> Option<Place> {
        if let Some(constant) = text.strip_prefix("$$") {
            return number(constant).map(Place::Constant);
        }
        if let Some(name) = text.strip_prefix('%') {
            let (name, bits) = register(name)?;
            let is_it = |cell: &super::machine::Cell| {
                cell.home == Home::Register
                    && cell.register.as_deref().and_then(register).is_some_and(|(own, _)| own == name)
            };
            let found = self.machine.cells.iter().position(is_it)?;
            return Some(if bits == 9 { Place::High(found) } else { Place::Low(found, Some(bits)) });
        }
        let operand = text.strip_prefix('$')?;
        let (operand, modifier) = match operand.strip_prefix('{').and_then(|o| o.strip_suffix('}')) {
            Some(inner) => inner.split_once(':').map(|(operand, modifier)| (operand, Some(modifier)))?,
            None => (operand, None),
        };
        let cell = *self.machine.operands.get(operand.parse::<usize>().ok()?)?;
        let Home::Register = self.machine.cells[cell].home else {
            return modifier.is_none().then_some(Place::Low(cell, None));
        };
        let bits = match modifier {
            // In memory, the modifier would say nothing.
            Some("h") => return self.machine.cells[cell].allowed.is_register.then_some(Place::High(cell)),
            Some(letter) if letter.len() == 1 => width_of(letter.chars().next()?)?,
            Some(_) => return None,
            None => self.machine.cells[cell].bits,
        };
        matches!(bits, 8 | 16 | 32 | 64).then_some(Place::Low(cell, Some(bits)))
    }

    /// The width of an instruction with this suffix and these operands, which all must have it.
    fn width(suffix: Option<u32>, places: &[Place]) -> Option<u32> {
        let widths = places.iter().filter_map(|place| match place {
            Place::Low(_, bits) => *bits,
            Place::High(_) => Some(8),
            Place::Constant(_) => None,
        });
        let mut all = suffix.into_iter().chain(widths);
        let width = all.next()?;
        all.all(|w| w == width).then_some(width)
    }

    fn read(&mut self, place: Place, bits: u32) -> Option<Term> {
        match place {
            Place::Constant(value) => Some(self.machine.terms().constant(&Bv::new(bits, value))),
            Place::High(cell) => {
                let word = self.machine.low(cell, 16)?;
                Some(self.machine.terms().extract(15, 8, word))
            }
            Place::Low(cell, _) if self.machine.cells[cell].home == Home::Constant => {
                let value = self.machine.whole(cell)?;
                // The text has the constant as a number of any width.
                let terms = self.machine.terms();
                let value = terms.as_u64(value)?;
                (bits <= self.machine.cells[cell].bits).then(|| self.machine.terms().constant(&Bv::new(bits, value)))
            }
            Place::Low(cell, _) => self.machine.low(cell, bits),
        }
    }

    fn write(&mut self, place: Place, value: Term) -> Option<()> {
        let width = self.machine.terms().width(value);
        match place {
            Place::Constant(_) => None,
            Place::High(cell) => {
                let low = self.machine.low(cell, 8)?;
                let word = self.machine.terms().concat(value, low);
                self.machine.write(cell, word, 16)
            }
            // 32-bit results clear the upper half of a register.
            Place::Low(cell, _) => {
                let clears = width == 32 && self.machine.cells[cell].home == Home::Register;
                self.machine.write(cell, value, if clears { 64 } else { width })
            }
        }
    }

    fn execute(&mut self, mnemonic: &str, rest: &str) -> Option<()> {
        if self.is_locked {
            let (name, _) = known(mnemonic)?;
            let is_in_memory = |text: &&str| matches!(self.place(text), Some(Place::Low(cell, _)) if self.machine.cells[cell].allowed.is_in_memory);
            let operands = split_operands(rest);
            let is_valid = match name {
                "xchg" => operands.iter().any(is_in_memory),
                name => LOCKABLE.contains(&name) && operands.last().is_some_and(is_in_memory),
            };
            is_valid.then_some(())?;
        }
        if let Some(suffix) = mnemonic.strip_prefix("lea") {
            return self.lea(suffix, rest);
        }
        let places: Vec<Place> = split_operands(rest).into_iter().map(|o| self.place(o)).collect::<Option<_>>()?;
        if let Some(condition) = mnemonic.strip_prefix("set") {
            let ([place], holds) = (&places[..], self.condition(condition)?) else { return None };
            Self::width(Some(8), &places)?;
            let (one, zero) = (Bv::new(8, 1), Bv::new(8, 0));
            let terms = self.machine.terms();
            let (one, zero) = (terms.constant(&one), terms.constant(&zero));
            let value = terms.ite(holds, one, zero);
            return self.write(*place, value);
        }
        if let Some(condition) = mnemonic.strip_prefix("cmov") {
            return self.conditional_move(condition, &places);
        }
        if let Some(extension) = ["movz", "movs"].into_iter().find(|m| mnemonic.len() > 4 && mnemonic.starts_with(m)) {
            return self.extend(extension == "movs", &mnemonic[4..], &places);
        }
        let (name, suffix) = known(mnemonic)?;
        let exact = |n: usize| (places.len() == n).then_some(());
        // The amount of a shift has a width of its own, and so has the index of a bit that is a constant.
        let sized: &[Place] = match name {
            "shl" | "sal" | "shr" | "sar" | "rol" | "ror" if places.len() == 2 => &places[1..],
            _ => &places,
        };
        let w = Self::width(suffix, sized)?;
        match name {
            "mov" | "movabs" => {
                exact(2)?;
                let value = self.read(places[0], w)?;
                self.write(places[1], value)
            }
            "xchg" => {
                exact(2)?;
                let (a, b) = (self.read(places[0], w)?, self.read(places[1], w)?);
                // The address of an operand in memory is computed before a register is written.
                let in_memory =
                    |place| matches!(place, Place::Low(cell, _) if self.machine.cells[cell].home == Home::Memory);
                let (first, then) = if in_memory(places[1]) { ((1, a), (0, b)) } else { ((0, b), (1, a)) };
                self.write(places[first.0], first.1)?;
                self.write(places[then.0], then.1)
            }
            "add" | "adc" | "sub" | "sbb" | "cmp" | "and" | "or" | "xor" | "test" => {
                exact(2)?;
                self.binary(name, (places[0], places[1]), w)
            }
            "not" | "neg" | "inc" | "dec" | "bswap" => {
                exact(1)?;
                self.unary(name, places[0], w)
            }
            "shl" | "sal" | "shr" | "sar" | "rol" | "ror" => self.shift(name, &places, w),
            "shld" | "shrd" => self.double_shift(name == "shld", &places, w),
            "mul" | "imul" => self.multiply(name == "imul", &places, w),
            "bt" | "bts" | "btr" | "btc" => {
                exact(2)?;
                self.bit(name, (places[0], places[1]), w)
            }
            "bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt" => {
                exact(2)?;
                self.count(name, (places[0], places[1]), w)
            }
            _ => None,
        }
    }

    /// Whether both are all of the same cell: what the cell holds does not matter then to a difference.
    fn is_same(a: Place, b: Place) -> bool {
        matches!((a, b), (Place::Low(a, _), Place::Low(b, _)) if a == b)
    }

    fn binary(&mut self, name: &str, (from, to): (Place, Place), w: u32) -> Option<()> {
        let nothing = self.machine.terms().constant(&Bv::new(w, 0));
        let (a, b) = match (name, Self::is_same(from, to)) {
            ("xor" | "sub" | "sbb", true) => (nothing, nothing),
            _ => (self.read(to, w)?, self.read(from, w)?),
        };
        let no = self.machine.terms().ff();
        let result = match name {
            "add" => self.machine.sum(a, b, no),
            "sub" | "cmp" => self.machine.difference(a, b, no),
            "adc" => {
                let carry = self.machine.flags.carry?;
                self.machine.sum(a, b, carry)
            }
            "sbb" => {
                let carry = self.machine.flags.carry?;
                self.machine.difference(a, b, carry)
            }
            _ => {
                let op = match name {
                    "or" => BvOp::Or,
                    "xor" => BvOp::Xor,
                    _ => BvOp::And,
                };
                let result = self.machine.terms().bv_op(op, a, b);
                self.machine.set_flags_of(result);
                (self.machine.flags.carry, self.machine.flags.overflow) = (Some(no), Some(no));
                result
            }
        };
        if matches!(name, "cmp" | "test") { Some(()) } else { self.write(to, result) }
    }

    fn unary(&mut self, name: &str, place: Place, w: u32) -> Option<()> {
        let a = self.read(place, w)?;
        let terms = self.machine.terms();
        let (zero, one, no) = (terms.constant(&Bv::new(w, 0)), terms.constant(&Bv::new(w, 1)), terms.ff());
        let carry = self.machine.flags.carry;
        let result = match name {
            "not" => self.machine.terms().bv_not(a),
            "neg" => self.machine.difference(zero, a, no),
            "inc" => self.machine.sum(a, one, no),
            "dec" => self.machine.difference(a, one, no),
            _ if w < 32 => return None,
            _ => swapped_bytes(self.machine.terms(), a),
        };
        if matches!(name, "inc" | "dec") {
            self.machine.flags.carry = carry;
        }
        self.write(place, result)
    }

    fn shift(&mut self, name: &str, places: &[Place], w: u32) -> Option<()> {
        let (amount, to) = match *places {
            [to] => (Place::Constant(1), to),
            [amount, to] => (amount, to),
            _ => return None,
        };
        let a = self.read(to, w)?;
        // In a register, it is the lowest byte of CX; a constant may have any width.
        let amount = match amount {
            Place::Constant(_) => self.read(amount, w)?,
            Place::Low(cell, _) if self.machine.cells[cell].home == Home::Constant => self.read(amount, 8)?,
            Place::Low(_, Some(8)) => self.read(amount, 8)?,
            _ => return None,
        };
        let how = match name {
            "shl" | "sal" => Shift::Left,
            "shr" => Shift::Right,
            "sar" => Shift::Arithmetic,
            "rol" => Shift::RotateLeft,
            _ => Shift::RotateRight,
        };
        let result = self.machine.shifted(how, a, amount, if w == 64 { 63 } else { 31 })?;
        self.write(to, result)
    }

    fn double_shift(&mut self, left: bool, places: &[Place], w: u32) -> Option<()> {
        let [amount, from, to] = *places else { return None };
        let (a, b, amount) = (self.read(to, w)?, self.read(from, w)?, self.read(amount, 8)?);
        let n = self.machine.terms().as_u64(amount)? as u32;
        if n == 0 || n >= w || w < 32 {
            return None;
        }
        self.machine.flags = super::machine::Flags::default();
        let terms = self.machine.terms();
        let both = if left { terms.concat(a, b) } else { terms.concat(b, a) };
        let low = if left { w - n } else { n };
        let result = terms.extract(low + w - 1, low, both);
        self.write(to, result)
    }

    fn multiply(&mut self, signed: bool, places: &[Place], w: u32) -> Option<()> {
        if let [from] = *places {
            let (a, d) = (
                self.place(&format!("%{}", accumulator("a", w)?))?,
                self.place(&format!("%{}", accumulator("d", w)?))?,
            );
            let (x, y) = (self.read(a, w)?, self.read(from, w)?);
            let product = self.machine.product(x, y, signed);
            let terms = self.machine.terms();
            let (low, high) = (terms.extract(w - 1, 0, product), terms.extract(2 * w - 1, w, product));
            self.write(a, low)?;
            return self.write(d, high);
        }
        let (a, b, to) = match *places {
            [from, to] if signed => (from, to, to),
            [by, from, to] if signed => (by, from, to),
            _ => return None,
        };
        let (x, y) = (self.read(a, w)?, self.read(b, w)?);
        let product = self.machine.product(x, y, true);
        let low = self.machine.terms().extract(w - 1, 0, product);
        (w > 8).then_some(())?;
        self.write(to, low)
    }

    fn bit(&mut self, name: &str, (index, of): (Place, Place), w: u32) -> Option<()> {
        let is_constant = |place| match place {
            Place::Constant(_) => true,
            Place::Low(cell, _) => self.machine.cells[cell].home == Home::Constant,
            Place::High(_) => false,
        };
        // In memory, an index from a register counts the bits of all words from there on, and one that is a constant those of one word.
        let in_memory = |cell: &super::machine::Cell| cell.home != Home::Constant && !cell.allowed.is_register;
        let word = match (of, index) {
            (Place::Low(cell, _), Place::Low(index_cell, _))
                if in_memory(&self.machine.cells[cell]) && !is_constant(index) =>
            {
                // The compiler may choose, but it must not matter.
                self.machine.cells[index_cell].allowed.index_bits.filter(|bits| *bits <= w)?;
                let index = self.read(index, w)?;
                Some(self.machine.word_of_bit(cell, index)?)
            }
            _ => None,
        };
        let a = match word {
            Some(address) => self.machine.word_at(address, w),
            None => self.read(of, w)?,
        };
        let index = self.read(index, w)?;
        let zero = self.machine.flags.zero;
        let terms = self.machine.terms();
        let carry = bit_at(terms, a, index);
        let (one, within) = (terms.constant(&Bv::new(w, 1)), terms.constant(&Bv::new(w, u64::from(w) - 1)));
        let index = terms.bv_op(BvOp::And, index, within);
        let mask = terms.bv_op(BvOp::Shl, one, index);
        let changed = match name {
            "bts" => Some(terms.bv_op(BvOp::Or, a, mask)),
            "btc" => Some(terms.bv_op(BvOp::Xor, a, mask)),
            "btr" => {
                let others = terms.bv_not(mask);
                Some(terms.bv_op(BvOp::And, a, others))
            }
            _ => None,
        };
        self.machine.flags = super::machine::Flags { carry: Some(carry), zero, sign: None, overflow: None };
        match (changed, word) {
            (Some(value), Some(address)) => {
                if let Place::Low(cell, _) = of {
                    self.machine.write_word(cell, address, value);
                }
                Some(())
            }
            (Some(value), None) => self.write(of, value),
            (None, _) => Some(()),
        }
    }

    fn count(&mut self, name: &str, (from, to): (Place, Place), w: u32) -> Option<()> {
        if w == 8 {
            return None;
        }
        let a = self.read(from, w)?;
        let no = self.machine.terms().ff();
        self.machine.flags = super::machine::Flags::default();
        let some = self.machine.terms().nonzero(a);
        let none = self.machine.terms().not(some);
        let (what, of_nothing) = match name {
            "bsf" | "tzcnt" => (Bits::TrailingZeros, name == "bsf"),
            "bsr" | "lzcnt" => (Bits::LeadingZeros, name == "bsr"),
            _ => (Bits::Ones, false),
        };
        let mut count = counted(self.machine.terms(), what, a);
        if of_nothing {
            // Without a bit, nothing is written, also not the upper half of a register.
            if let Place::Low(cell, _) = to
                && self.machine.cells[cell].bits > w
            {
                return None;
            }
            if name == "bsr" {
                let terms = self.machine.terms();
                let last = terms.constant(&Bv::new(w, u64::from(w) - 1));
                count = terms.sub(last, count);
            }
            // Without a bit, the destination is undefined.
            let open = self.machine.undefined(w, none);
            count = self.machine.terms().ite(some, count, open);
            self.machine.flags.zero = Some(none);
        } else if name == "popcnt" {
            self.machine.set_flags_of(count);
            self.machine.flags =
                super::machine::Flags { carry: Some(no), zero: Some(none), sign: Some(no), overflow: Some(no) };
        } else {
            let some_count = self.machine.terms().nonzero(count);
            self.machine.flags.zero = Some(self.machine.terms().not(some_count));
            self.machine.flags.carry = Some(none);
        }
        self.write(to, count)
    }

    fn extend(&mut self, signed: bool, suffixes: &str, places: &[Place]) -> Option<()> {
        let [from, to] = *places else { return None };
        let mut letters = suffixes.chars().map(width_of);
        let (small, wide) = (letters.next()??, letters.next()??);
        if letters.next().is_some() || small >= wide {
            return None;
        }
        Self::width(Some(small), &[from])?;
        Self::width(Some(wide), &[to])?;
        let value = self.read(from, small)?;
        let terms = self.machine.terms();
        let value = if signed { terms.sext(wide, value) } else { terms.zext(wide, value) };
        self.write(to, value)
    }

    fn conditional_move(&mut self, condition: &str, places: &[Place]) -> Option<()> {
        let [from, to] = *places else { return None };
        let (holds, suffix) = match self.condition(condition) {
            Some(holds) => (holds, None),
            None => {
                let suffix = condition.chars().last().and_then(width_of)?;
                (self.condition(&condition[..condition.len() - 1])?, Some(suffix))
            }
        };
        let w = Self::width(suffix, places)?;
        let (a, b) = (self.read(from, w)?, self.read(to, w)?);
        let value = self.machine.terms().ite(holds, a, b);
        if w == 8 { None } else { self.write(to, value) }
    }

    /// The sum that the operand `d(a,b,s)` says, as a number: computed in the width of its registers, and cut off or extended then.
    fn lea(&mut self, suffix: &str, rest: &str) -> Option<()> {
        let [address, to] = split_operands(rest)[..] else { return None };
        let to = self.place(to)?;
        let suffix = match suffix {
            "" => None,
            s => Some(s.chars().next().filter(|_| s.len() == 1).and_then(width_of)?),
        };
        let w = Self::width(suffix, &[to])?;
        let (distance, inner) = address.strip_suffix(')')?.split_once('(')?;
        let mut parts = inner.split(',').map(str::trim);
        let (base, index) = (parts.next().filter(|b| !b.is_empty()), parts.next());
        let scale = parts.next().map_or(Some(1), number)?;
        let mut registers = Vec::new();
        for text in base.into_iter().chain(index) {
            registers.push(self.place(text)?);
        }
        let width = Self::width(None, &registers).filter(|w| *w >= 32)?;
        let distance = if distance.is_empty() { 0 } else { number(distance)? };
        let mut sum = self.machine.terms().constant(&Bv::new(width, distance));
        for (i, place) in registers.into_iter().enumerate() {
            let Place::Low(cell, Some(_)) = place else { return None };
            let part = self.machine.low(cell, width)?;
            let scale = if index.is_some() && i == usize::from(base.is_some()) { scale } else { 1 };
            let terms = self.machine.terms();
            let scale = terms.constant(&Bv::new(width, scale));
            let part = terms.bv_op(BvOp::Mul, part, scale);
            sum = terms.add(sum, part);
        }
        if parts.next().is_some() || w < 16 {
            return None;
        }
        let sum = self.machine.terms().resize(w, sum);
        self.write(to, sum)
    }

    /// Whether a condition holds, which names of instructions end with.
    fn condition(&mut self, name: &str) -> Option<Term> {
        let flags = self.machine.flags;
        let terms = self.machine.terms();
        let less = |terms: &mut cfa::Terms| Some(differ(terms, flags.sign?, flags.overflow?));
        let (holds, negated) = match name {
            "o" => (flags.overflow?, false),
            "no" => (flags.overflow?, true),
            "b" | "c" | "nae" => (flags.carry?, false),
            "ae" | "nc" | "nb" => (flags.carry?, true),
            "e" | "z" => (flags.zero?, false),
            "ne" | "nz" => (flags.zero?, true),
            "be" | "na" => (terms.or(flags.carry?, flags.zero?), false),
            "a" | "nbe" => (terms.or(flags.carry?, flags.zero?), true),
            "s" => (flags.sign?, false),
            "ns" => (flags.sign?, true),
            "l" | "nge" => (less(terms)?, false),
            "ge" | "nl" => (less(terms)?, true),
            "le" | "ng" | "g" | "nle" => {
                let less = less(terms)?;
                (terms.or(less, flags.zero?), matches!(name, "g" | "nle"))
            }
            _ => return None,
        };
        Some(if negated { terms.not(holds) } else { holds })
    }
}

/// Whether the condition that an output is holds after the text.
pub(super) fn flag(machine: &mut Machine<'_>, condition: &str) -> Option<Term> {
    Instruction { machine, is_locked: false }.condition(condition)
}

/// The part of AX or DX with this many bits.
fn accumulator(letter: &str, w: u32) -> Option<String> {
    match w {
        16 => Some(format!("{letter}x")),
        32 => Some(format!("e{letter}x")),
        64 => Some(format!("r{letter}x")),
        _ => None,
    }
}

/// The name of an instruction, and the width that its suffix says.
fn known(mnemonic: &str) -> Option<(&'static str, Option<u32>)> {
    const NAMES: [&str; 36] = [
        "mov", "movabs", "xchg", "add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test", "not", "neg", "inc",
        "dec", "bswap", "shl", "sal", "shr", "sar", "rol", "ror", "shld", "shrd", "mul", "imul", "bt", "bts", "btr",
        "btc", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt",
    ];
    let exact = |name: &str| NAMES.into_iter().find(|known| *known == name);
    if let Some(name) = exact(mnemonic) {
        return Some((name, None));
    }
    let suffix = mnemonic.chars().last()?;
    Some((exact(&mnemonic[..mnemonic.len() - suffix.len_utf8()])?, Some(width_of(suffix).filter(|_| suffix != 'k')?)))
}
