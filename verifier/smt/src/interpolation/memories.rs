//! Parts of a trace without memories: each cell that is read becomes a symbol, and the axioms of memories that relate these
//! cells become conjuncts of parts.
//!
//! A read goes through writes, copies and choices down to a memory variable `m` and becomes a symbol for `m[a]`. Axioms hold
//! anyway, so that they may be added to any part, but only where the leaves that they are about occur anyway: otherwise a symbol
//! would count as common to two sides and is not. The axioms, where there is a part for them (Brummayer, Biere, JSAT 2009, of
//! lemmas; the instances of Bradley, Manna, Sipma, VMCAI 2006, of memories that are defined):
//!
//! ```text
//! m[a], m[b]            a = b => m[a] = m[b]        in a part at which all leaves of m, a, b occur, or may occur
//! m[a], m = T in part p   m[a] = T[a]               in p, if all leaves of a may occur there
//! ```
//!
//! What cannot be said this way is left out: then the parts may have a model that is none, and there is no interpolant here.

use super::vocabulary::Vocabulary;
use crate::bits::deadline::Deadline;
use crate::bits::encode::unsupported;
use crate::bits::substitution::is_leaf;
use crate::solver::SolverError;
use cfa::bv::BvCmp;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of cells.
const MAX_CELLS: usize = 2_000;

/// Maximum number of pairs of cells that are related.
const MAX_PAIRS: usize = 20_000;

/// Maximum nesting depth of choices and copies in a memory.
const MAX_NESTING: u32 = 64;

/// A cell of a memory variable.
#[derive(Clone, Copy)]
struct Cell {
    memory: Term,
    /// The address, with symbols for the cells that it reads.
    address: Term,
    /// The symbol that stands for the cell.
    symbol: Term,
}

/// The parts of a trace without memories.
pub(crate) struct Scalars {
    /// The parts.
    pub(crate) parts: Vec<Term>,
    cells: Vec<Cell>,
}

/// Replaces the cells of memories in `parts` by symbols, whose ranges become part of `vocabulary`.
///
/// Errors: `Unsupported` for an equality of memories that defines none, and too many cells; `Unknown` if the time is over.
pub(crate) fn eliminate(
    terms: &mut Terms,
    parts: &[Term],
    vocabulary: &mut Vocabulary,
    deadline: &mut Deadline,
) -> Result<Scalars, SolverError> {
    let mut done = Elimination {
        terms,
        vocabulary,
        deadline,
        n_parts: parts.len(),
        of: FxHashMap::default(),
        known: FxHashMap::default(),
        cells: Vec::new(),
        definitions: Vec::new(),
    };
    let mut found = Vec::with_capacity(parts.len());
    for (i, &part) in parts.iter().enumerate() {
        found.push(done.part(i, part)?);
    }
    for (i, axiom) in done.axioms()? {
        found[i] = done.terms.and(found[i], axiom);
    }
    Ok(Scalars { parts: found, cells: done.cells })
}

impl Scalars {
    /// `t` with reads in place of the symbols for cells.
    pub(crate) fn restore(&self, terms: &mut Terms, t: Term) -> Term {
        let mut reads: FxHashMap<Leaf, Term> = FxHashMap::default();
        let mut memo = FxHashMap::default();
        for cell in &self.cells {
            let (Some(leaf), Sort::Bv(width)) = (symbol(terms, cell.symbol), terms.sort(cell.symbol)) else { continue };
            // The cells that an address reads are older than the cell.
            let address = terms.substitute(cell.address, &mut memo, &mut |_, leaf| reads.get(&leaf).copied());
            let read = terms.read(cell.memory, address, width);
            reads.insert(Leaf::Sym(leaf), read);
            memo.insert(cell.symbol, read);
        }
        terms.substitute(t, &mut memo, &mut |_, leaf| reads.get(&leaf).copied())
    }
}

fn symbol(terms: &Terms, t: Term) -> Option<SymId> {
    match terms.kind(t) {
        Kind::Sym(s) => Some(s),
        _ => None,
    }
}

/// A memory that a part defines.
#[derive(Clone, Copy)]
struct Definition {
    part: usize,
    memory: Term,
    value: Term,
}

struct Elimination<'a> {
    terms: &'a mut Terms,
    vocabulary: &'a mut Vocabulary,
    deadline: &'a mut Deadline,
    n_parts: usize,
    /// Terms that are no memories, without cells.
    of: FxHashMap<Term, Term>,
    /// Cells of all memories, by memory and address.
    known: FxHashMap<(Term, Term), Term>,
    cells: Vec<Cell>,
    definitions: Vec<Definition>,
}

fn is_memory(terms: &Terms, t: Term) -> bool {
    matches!(terms.sort(t), Sort::Array { .. })
}

impl Elimination<'_> {
    /// The part with number `i`, without memories.
    fn part(&mut self, i: usize, part: Term) -> Result<Term, SolverError> {
        let mut all = self.terms.tt();
        for c in self.terms.conjuncts(&[part]) {
            match self.definition(i, c) {
                Some(definition) => {
                    self.rewrite(definition.value)?;
                    self.definitions.push(definition);
                }
                None => {
                    let c = self.rewrite(c)?;
                    all = self.terms.and(all, c);
                }
            }
        }
        Ok(all)
    }

    /// The memory that the conjunct `c` defines.
    fn definition(&self, part: usize, c: Term) -> Option<Definition> {
        let (Kind::Eq, &[a, b]) = (self.terms.kind(c), self.terms.args(c)) else { return None };
        if !is_memory(self.terms, a) {
            return None;
        }
        let defines = |m: Term, value: Term| {
            (is_leaf(self.terms, m) && !self.terms.subterms(&[value], |_| false).contains(&m)).then_some((m, value))
        };
        // The younger of two variables is defined by the older one.
        let (memory, value) = defines(a.max(b), a.min(b)).or_else(|| defines(a.min(b), a.max(b)))?;
        Some(Definition { part, memory, value })
    }

    /// `t` without cells; for a memory, only what it consists of is rewritten.
    fn rewrite(&mut self, t: Term) -> Result<Term, SolverError> {
        let order = self.terms.subterms(&[t], |u| self.of.contains_key(&u));
        for u in order {
            self.deadline.tick()?;
            if is_memory(self.terms, u) {
                continue;
            }
            let args: Vec<Term> = self.terms.args(u).to_vec();
            let new = match self.terms.kind(u) {
                Kind::Read => self.read(u)?,
                Kind::Eq if is_memory(self.terms, args[0]) => return Err(unsupported("equality of memories")),
                _ => {
                    let args: Vec<Term> = args.iter().map(|a| self.of[a]).collect();
                    self.terms.rebuild(u, &args)
                }
            };
            self.of.insert(u, new);
        }
        Ok(self.of.get(&t).copied().unwrap_or(t))
    }

    /// The cells that `t` reads.
    fn read(&mut self, t: Term) -> Result<Term, SolverError> {
        let [memory, at] = *self.terms.args(t) else { return Err(unsupported("a read without an address")) };
        let (width, elem, at) = (self.terms.width(t), self.elem(memory)?, self.of[&at]);
        let mut word = None;
        for lo in (0..width).step_by(elem as usize) {
            let address = self.terms.add_int(at, u64::from(lo / 8));
            let cell = self.cell(memory, address, 0)?;
            word = Some(word.map_or(cell, |low| self.terms.concat(cell, low)));
        }
        word.ok_or_else(|| unsupported("a read of nothing"))
    }

    fn elem(&self, memory: Term) -> Result<u32, SolverError> {
        match self.terms.sort(memory) {
            Sort::Array { elem, .. } => Ok(elem),
            _ => Err(unsupported("a read from a term that is not a memory")),
        }
    }

    /// The cell of `memory` at `address`, both rewritten.
    fn cell(&mut self, memory: Term, address: Term, nesting: u32) -> Result<Term, SolverError> {
        // Down to a memory that is no write, then up again through the writes that may have hit.
        let mut hits: Vec<(Term, Term, Term)> = Vec::new();
        let mut m = memory;
        let mut cell = loop {
            self.deadline.tick()?;
            if let Some(&known) = self.known.get(&(m, address)) {
                break known;
            }
            if self.terms.kind(m) != Kind::Write {
                break self.below_writes(m, address, nesting)?;
            }
            let [below, at, value] = *self.terms.args(m) else { return Err(unsupported("a write without a value")) };
            let (elem, at, value) = (self.elem(m)?, self.of[&at], self.of[&value]);
            for lo in (0..self.terms.width(value)).step_by(elem as usize) {
                let here = self.terms.add_int(at, u64::from(lo / 8));
                let (hit, part) = (self.terms.eq(address, here), self.terms.extract(lo + elem - 1, lo, value));
                hits.push((m, hit, part));
            }
            m = below;
        };
        for (written, hit, part) in hits.into_iter().rev() {
            cell = self.terms.ite(hit, part, cell);
            self.known.insert((written, address), cell);
        }
        self.known.insert((memory, address), cell);
        Ok(cell)
    }

    /// The cell of a memory that is not a write.
    fn below_writes(&mut self, m: Term, address: Term, nesting: u32) -> Result<Term, SolverError> {
        let args: Vec<Term> = self.terms.args(m).to_vec();
        match (self.terms.kind(m), &args[..]) {
            (Kind::ConstArray, [value]) => Ok(self.of[value]),
            (Kind::Ite | Kind::Copy, _) if nesting >= MAX_NESTING => Err(unsupported("deeply nested memories")),
            (Kind::Ite, &[c, a, b]) => {
                let (a, b) = (self.cell(a, address, nesting + 1)?, self.cell(b, address, nesting + 1)?);
                Ok(self.terms.ite(self.of[&c], a, b))
            }
            (Kind::Copy, &[dst, to, src, from, len]) => {
                let [to, from, len] = [to, from, len].map(|t| self.of[&t]);
                let offset = self.terms.sub(address, to);
                let (inside, source) = (self.terms.cmp(BvCmp::Ult, offset, len), self.terms.add(from, offset));
                let (a, b) = (self.cell(src, source, nesting + 1)?, self.cell(dst, address, nesting + 1)?);
                Ok(self.terms.ite(inside, a, b))
            }
            _ => self.variable_cell(m, address),
        }
    }

    /// A new symbol for the cell of the variable `m` at `address`.
    fn variable_cell(&mut self, memory: Term, address: Term) -> Result<Term, SolverError> {
        if self.cells.len() >= MAX_CELLS {
            return Err(unsupported("that many cells of memories"));
        }
        let elem = self.elem(memory)?;
        let symbol = self.terms.fresh("cell", Sort::Bv(elem));
        let range = self.vocabulary.common_range(self.terms, &[memory, address], self.n_parts);
        if let Some(range) = range {
            self.vocabulary.insert(symbol, range);
        }
        self.cells.push(Cell { memory, address, symbol });
        Ok(symbol)
    }

    /// The axioms about the cells, each with the part to which it is added.
    fn axioms(&mut self) -> Result<Vec<(usize, Term)>, SolverError> {
        let mut axioms = Vec::new();
        let (mut next, mut pairs) = (0, 0);
        let mut of_memory: FxHashMap<Term, Vec<Cell>> = FxHashMap::default();
        let mut said: FxHashSet<Term> = FxHashSet::default();
        while let Some(&cell) = self.cells.get(next) {
            next += 1;
            self.deadline.tick()?;
            for definition in self.definitions.clone() {
                let may_occur = self.vocabulary.common_range(self.terms, &[cell.address], self.n_parts);
                let here = may_occur.is_some_and(|(first, last)| (first..=last).contains(&definition.part));
                if definition.memory == cell.memory && here {
                    let value = self.cell(definition.value, cell.address, 0)?;
                    axioms.push((definition.part, self.terms.eq(cell.symbol, value)));
                }
            }
            for other in of_memory.entry(cell.memory).or_default().iter() {
                pairs += 1;
                if pairs > MAX_PAIRS {
                    return Ok(axioms);
                }
                let same = self.terms.eq(cell.address, other.address);
                if self.terms.as_bool(same) == Some(false) {
                    continue;
                }
                let about = [cell.memory, cell.address, other.address];
                let Some((first, _)) = self.vocabulary.common_range(self.terms, &about, self.n_parts) else { continue };
                let equal = self.terms.eq(cell.symbol, other.symbol);
                let axiom = self.terms.implies(same, equal);
                if said.insert(axiom) {
                    axioms.push((first, axiom));
                }
            }
            of_memory.entry(cell.memory).or_default().push(cell);
        }
        Ok(axioms)
    }
}
