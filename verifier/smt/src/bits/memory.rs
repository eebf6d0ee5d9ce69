//! Reads of memories: choices between the writes that may have hit, down to a memory whose contents are unknown.
//!
//! A cell that is read through a write is the written part if the addresses are equal, else the cell below. Cells of a memory
//! variable are inputs, one word for each address that is read. Lemmas say that equal addresses read equal cells; they are
//! added when a model violates them (Brummayer, Biere: Lemmas on demand for the extensional theory of arrays, JSAT 6, 2009).
//! Where the writes hit every address that is in a read's range, as those do that fill a table, nothing below them is read.
//!
//! Two memories that come from one by writes, possibly under choices, are equal if and only if they have the same cells at the addresses of
//! these writes. Other equalities of memories are not expressed.

use super::circuits::{self, Word};
use super::deadline::Deadline;
use super::encode::{Words, unsupported};
use super::graph::{Graph, Lit};
use super::substitution::Substitution;
use crate::solver::SolverError;
use cfa::bv::Bv;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of addresses in a range of which it is found out which of them writes hit.
const MAX_TABLE: u64 = 1 << 16;

/// Maximum number of cells that are compared to find out whether two memories are equal.
const MAX_COMPARED: usize = 1 << 12;

/// Maximum nesting depth of choices and copies in a memory.
const MAX_NESTING: u32 = 64;

/// The index of an address.
pub(crate) type Address = u32;

/// One cell of a memory variable.
pub(crate) struct Cell {
    /// The variable.
    pub(crate) memory: Term,
    /// The cell's address.
    pub(crate) address: Address,
    /// The cell's inputs.
    pub(crate) value: Word,
}

/// The cells read so far.
#[derive(Default)]
pub(crate) struct Memories {
    addresses: Vec<Word>,
    numbers: FxHashMap<Word, Address>,
    /// Bounds of addresses, where these leave at most [`MAX_TABLE`] of them.
    bounds: FxHashMap<Address, (u64, u64)>,
    equal: FxHashMap<(Address, Address), Lit>,
    /// Cells of all memory terms, by memory and address.
    known: FxHashMap<(Term, Address), Word>,
    pub(crate) cells: Vec<Cell>,
    /// The cell to which each input belongs.
    pub(crate) owner: FxHashMap<u32, u32>,
}

impl Memories {
    /// The index of the address `base + bytes`.
    pub(crate) fn address(&mut self, g: &mut Graph, base: &[Lit], bytes: u64) -> Address {
        let word = if bytes == 0 {
            base.to_vec()
        } else {
            let offset = circuits::constant(&Bv::new(base.len() as u32, bytes));
            circuits::add(g, base, &offset)
        };
        self.number(word)
    }

    fn number(&mut self, word: Word) -> Address {
        if let Some(&n) = self.numbers.get(&word) {
            return n;
        }
        let n = self.addresses.len() as Address;
        self.addresses.push(word.clone());
        self.numbers.insert(word, n);
        n
    }

    /// The bits of an address.
    pub(crate) fn word(&self, a: Address) -> &[Lit] {
        &self.addresses[a as usize]
    }

    /// Whether two addresses are equal.
    pub(crate) fn same(&mut self, g: &mut Graph, a: Address, b: Address) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&l) = self.equal.get(&key) {
            return l;
        }
        let l = circuits::equal(g, &self.addresses[a as usize], &self.addresses[b as usize]);
        self.equal.insert(key, l);
        l
    }
}

/// The addresses in a range that no write has hit so far.
struct Missing {
    least: u64,
    open: FixedBitSet,
    number: usize,
}

impl Missing {
    fn new((least, most): (u64, u64)) -> Missing {
        let number = (most - least + 1) as usize;
        let mut open = FixedBitSet::with_capacity(number);
        open.set_range(.., true);
        Missing { least, open, number }
    }

    /// Notes that a cell is written, if its address is a constant.
    fn written(&mut self, address: &[Lit]) {
        let mut at = 0u64;
        for (i, l) in address.iter().enumerate() {
            match l.as_constant() {
                Some(bit) if i < 64 => at |= u64::from(bit) << i,
                Some(false) => {}
                _ => return,
            }
        }
        let Some(i) = at.checked_sub(self.least).filter(|i| *i < self.open.len() as u64) else { return };
        if self.open[i as usize] {
            self.open.set(i as usize, false);
            self.number -= 1;
        }
    }
}

/// What a memory comes from.
#[derive(Default)]
struct Parts {
    /// The writes.
    writes: Vec<Term>,
    /// The memories that are not looked into.
    ends: FxHashSet<Term>,
    /// All memories on the way.
    seen: FxHashSet<Term>,
}

/// The data that a read needs.
pub(crate) struct Reader<'a> {
    pub(crate) memories: &'a mut Memories,
    pub(crate) terms: &'a Terms,
    pub(crate) graph: &'a mut Graph,
    pub(crate) substitution: &'a Substitution,
    pub(crate) words: &'a Words,
    pub(crate) deadline: &'a mut Deadline,
}

impl Reader<'_> {
    /// The cell of `memory` that begins `bytes` bytes after `at`, which has the unsigned bounds `bounds`. The terms that `memory` consists of,
    /// and `at`, must be encoded.
    pub(crate) fn cell_at(
        &mut self,
        memory: Term,
        at: Term,
        bytes: u64,
        (least, most): (u64, u64),
    ) -> Result<Word, SolverError> {
        let address = self.memories.address(self.graph, self.words.get(at), bytes);
        let width = self.terms.width(at);
        if width <= 64
            && least < most
            && most - least < MAX_TABLE
            && most.checked_add(bytes).is_some_and(|end| end <= u64::MAX >> (64 - width))
        {
            self.memories.bounds.insert(address, (least + bytes, most + bytes));
        }
        self.cell(memory, address, 0)
    }

    fn cell(&mut self, memory: Term, address: Address, nesting: u32) -> Result<Word, SolverError> {
        // Go down to a known cell, then up again through the writes that may have hit.
        let mut hits: Vec<(Term, Lit, Word)> = Vec::new();
        let mut m = memory;
        let mut missing = self.memories.bounds.get(&address).map(|&bounds| Missing::new(bounds));
        let mut cell = loop {
            if let Some(known) = self.memories.known.get(&(m, address)) {
                break known.clone();
            }
            if let Some(d) = self.substitution.of.get(&m) {
                m = d.memory().ok_or_else(|| unsupported("a memory that is not a term"))?;
                continue;
            }
            if self.terms.kind(m) != Kind::Write {
                break self.below_writes(m, address, nesting)?;
            }
            let below = self.terms.args(m)[0];
            match self.hit(m, address, &mut missing)? {
                (Lit::FALSE, _) => {}
                (Lit::TRUE, part) => break part,
                (_, part) if missing.as_ref().is_some_and(|missing| missing.number == 0) => break part,
                (hit, part) => hits.push((m, hit, part)),
            }
            m = below;
        };
        for (written, hit, part) in hits.into_iter().rev() {
            cell = circuits::choose(self.graph, hit, &part, &cell);
            self.memories.known.insert((written, address), cell.clone());
        }
        self.memories.known.insert((memory, address), cell.clone());
        Ok(cell)
    }

    /// Whether the write `m` hits `address`, and what it writes there. What it certainly writes is no longer `missing`.
    fn hit(&mut self, m: Term, address: Address, missing: &mut Option<Missing>) -> Result<(Lit, Word), SolverError> {
        let [_, at, value] = *self.terms.args(m) else { return Err(unsupported("a write without a value")) };
        self.deadline.tick()?;
        let elem = self.elem(m)?;
        let (base, value) = (self.words.get(at), self.words.get(value));
        let mut hit = Lit::FALSE;
        let mut found = vec![Lit::FALSE; elem];
        for (i, part) in value.chunks(elem).enumerate() {
            let written = self.memories.address(self.graph, base, (i * elem / 8) as u64);
            if let Some(missing) = missing {
                missing.written(self.memories.word(written));
            }
            let here = self.memories.same(self.graph, address, written);
            found = circuits::choose(self.graph, here, part, &found);
            hit = self.graph.or(hit, here);
        }
        Ok((hit, found))
    }

    /// Whether two memories are equal. The terms that they consist of must be encoded.
    ///
    /// Errors: `Unsupported` if they do not come from the same memory by few writes.
    pub(crate) fn equal(&mut self, a: Term, b: Term) -> Result<Lit, SolverError> {
        let none = FxHashSet::default();
        let (of_a, of_b) = (self.parts(a, &none)?, self.parts(b, &none)?);
        let common: FxHashSet<Term> = of_a.seen.intersection(&of_b.seen).copied().collect();
        // What both come from at last is one memory, perhaps by the same writes.
        let (mut from_a, mut from_b) = (self.parts(a, &common)?, self.parts(b, &common)?);
        if from_a.ends.len() != 1 || from_a.ends != from_b.ends {
            (from_a, from_b) = (of_a, of_b);
        }
        if from_a.ends.len() != 1 || from_a.ends != from_b.ends {
            return Err(unsupported("equality of memories"));
        }
        let elem = self.elem(a)?;
        let mut addresses: FxHashSet<Address> = FxHashSet::default();
        for m in from_a.writes.into_iter().chain(from_b.writes) {
            let [_, at, value] = *self.terms.args(m) else { return Err(unsupported("a write without a value")) };
            for i in 0..self.terms.width(value) as usize / elem {
                let base = self.words.get(at);
                addresses.insert(self.memories.address(self.graph, base, (i * elem / 8) as u64));
            }
            if addresses.len() > MAX_COMPARED {
                return Err(unsupported("equality of memories with very many writes"));
            }
        }
        let mut addresses: Vec<Address> = addresses.into_iter().collect();
        addresses.sort_unstable();
        let mut equal = Lit::TRUE;
        for address in addresses {
            self.deadline.tick()?;
            let (x, y) = (self.cell(a, address, 0)?, self.cell(b, address, 0)?);
            let same = circuits::equal(self.graph, &x, &y);
            equal = self.graph.and(equal, same);
        }
        Ok(equal)
    }

    /// What a memory comes from by writes and choices, down to `ends` and to what is neither.
    fn parts(&self, memory: Term, ends: &FxHashSet<Term>) -> Result<Parts, SolverError> {
        let mut parts = Parts::default();
        let mut stack = vec![memory];
        while let Some(m) = stack.pop() {
            if !parts.seen.insert(m) {
                continue;
            }
            let args = self.terms.args(m);
            if ends.contains(&m) {
                parts.ends.insert(m);
            } else if let Some(d) = self.substitution.of.get(&m) {
                stack.push(d.memory().ok_or_else(|| unsupported("a memory that is not a term"))?);
            } else {
                match self.terms.kind(m) {
                    Kind::Write => {
                        parts.writes.push(m);
                        stack.push(args[0]);
                    }
                    Kind::Ite => stack.extend(&args[1..]),
                    _ => drop(parts.ends.insert(m)),
                }
            }
        }
        Ok(parts)
    }

    fn elem(&self, m: Term) -> Result<usize, SolverError> {
        match self.terms.sort(m) {
            Sort::Array { elem, .. } => Ok(elem as usize),
            _ => Err(unsupported("a read from a term that is not a memory")),
        }
    }

    /// The cell of a memory that is not a write.
    fn below_writes(&mut self, m: Term, address: Address, nesting: u32) -> Result<Word, SolverError> {
        let args = self.terms.args(m);
        match self.terms.kind(m) {
            Kind::ConstArray => Ok(self.words.get(args[0]).to_vec()),
            Kind::Ite | Kind::Copy if nesting >= MAX_NESTING => Err(unsupported("deeply nested memories")),
            Kind::Ite => {
                let c = self.words.get(args[0])[0];
                let (a, b) = (self.cell(args[1], address, nesting + 1)?, self.cell(args[2], address, nesting + 1)?);
                Ok(circuits::choose(self.graph, c, &a, &b))
            }
            Kind::Copy => {
                let [dst, to, src, from, len] = *args else { return Err(unsupported("a copy without a length")) };
                let [to, from, len] = [to, from, len].map(|t| self.words.get(t));
                let at = self.memories.word(address).to_vec();
                let offset = circuits::sub(self.graph, &at, to);
                let inside = circuits::less(self.graph, &offset, len);
                let source = circuits::add(self.graph, from, &offset);
                let source = self.memories.number(source);
                let (a, b) = (self.cell(src, source, nesting + 1)?, self.cell(dst, address, nesting + 1)?);
                Ok(circuits::choose(self.graph, inside, &a, &b))
            }
            _ => {
                let value: Word = (0..self.elem(m)?).map(|_| self.graph.input()).collect();
                for l in &value {
                    self.memories.owner.insert(l.gate(), self.memories.cells.len() as u32);
                }
                self.memories.cells.push(Cell { memory: m, address, value: value.clone() });
                Ok(value)
            }
        }
    }
}
