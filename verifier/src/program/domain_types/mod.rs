//! Domain types: how a program uses each of its variables, as far as an abstract domain cares (Apel, Beyer, Friedberger, Raimondi,
//! von Rhein, HVC 2013; [Beyer, Stahlbauer 2014, 4.1]).
//!
//! A domain that suits one variable is too dear or too coarse for another one: a BDD holds what is only compared for equality, but not
//! a product. The types are ordered, and each allows what those before it do:
//!
//! | type | operations on the variable | what a domain has to keep |
//! |---|---|---|
//! | `BOOL` | is 0 or 1, or is only compared with 0 | one bit |
//! | `EQ` | `=`, `==`, `!=` with constants and variables | which constant, or which other value |
//! | `ADD` | also `+`, `-`, `<`, `<=` | a number |
//! | `OTHER` | all else: `*`, `/`, shifts, bits, addresses, memory | all bits |
//!
//! Variables that flow into each other, or are compared with each other, need one representation. So they form a *partition*, which has the
//! greatest of the types that its variables have for themselves:
//!
//! ```text
//! type(v) = max { use(w) | w ~ v }      ~ the least equivalence with v ~ w for v := w, v == w, v < w, v := w + k, ...
//! ```
//!
//! In `a = input(); b = a; if (b == 3) c = c * b;` the product makes `c` and `b` `OTHER`, and by `a ~ b` also `a`.
//! The analysis is one pass over the terms with a union-find structure (module `usage`); it looks at the variables' uses in the slice only,
//! so that a smaller slice may have smaller types.
//!
//! # What differs from the paper
//!
//! - The paper reads C, this reads terms: temporaries are variables of the partition that they copy, and a comparison is a truth value of its
//!   own, so that `b = (x == 3)` does not put `b` and `x` into one partition.
//! - `BOOL` is what one bit suffices for: a variable that is compared with 1 is `BOOL` if nothing but 0 and 1 flows into it. The paper's
//!   types are syntactic, and 1 makes them `EQ`.
//! - `&`, `|`, `^` and truncation of what is 0 or 1 are 0 or 1; of other values they are `OTHER`. The paper has the former under `ADD`.
//! - A change of width is `OTHER`, except that a `BOOL` may become wider. So a partition of type `EQ` or `ADD` has one width.
//!
//! Types claim nothing about the values of arrays. Where an analysis gives up anyway, after an unsupported construct, they claim nothing either.

mod conditions;
mod measures;
mod usage;

pub use measures::{EcaClass, Measures};

use super::Program;
use cfa::bv::{Bv, BvCmp};
use cfa::{Id, Sort, Term, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::fmt;
use usage::Usage;

/// What a domain has to keep of a variable; a greater type allows more operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum DomainType {
    /// One bit suffices: the values are 0 and 1, or all that matters is whether they are 0.
    #[default]
    Bool,
    /// Copied, and compared for equality.
    Eq,
    /// Also added, subtracted, and compared by order.
    Add,
    /// Anything else.
    Other,
}

impl DomainType {
    /// All types, ascending.
    pub const ALL: [DomainType; 4] = [DomainType::Bool, DomainType::Eq, DomainType::Add, DomainType::Other];
}

impl fmt::Display for DomainType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DomainType::Bool => "BOOL",
            DomainType::Eq => "EQ",
            DomainType::Add => "ADD",
            DomainType::Other => "OTHER",
        })
    }
}

/// Variables that flow into each other or are compared with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The type of each of its variables.
    pub domain: DomainType,
    /// The width of its widest variable in bits; 1 for truth values. All variables of `EQ` and `ADD` have it.
    pub width_bits: u32,
    /// Its variables, ascending.
    pub variables: Vec<VarId>,
    /// The constants that its variables are assigned or compared with, without addends; each once, ascending as signed numbers of
    /// `width_bits` bits. (Narrower constants of `BOOL` and `OTHER` are extended by zeros.)
    pub constants: Vec<Bv>,
}

impl Partition {
    /// The constants in the order of unsigned numbers.
    pub fn unsigned_constants(&self) -> impl Iterator<Item = &Bv> {
        let negative = self.constants.partition_point(|c| c.sign());
        let (negative, others) = self.constants.split_at(negative);
        others.iter().chain(negative)
    }
}

/// The domain types of the variables of a program's slice.
#[derive(Clone, Debug)]
pub struct DomainTypes {
    /// For each variable the number of its partition; `None` if it does not occur, or is an array.
    partition: Vec<Option<u32>>,
    partitions: Vec<Partition>,
    arrays: FixedBitSet,
}

impl DomainTypes {
    /// Computes the types. Cost: linear in the size of the slice and its terms, but for sorting the constants.
    pub fn new(program: &Program) -> DomainTypes {
        let mut usage = Usage::new(program);
        let vars = &program.cfa.vars;
        let (mut number, mut partitions) = (FxHashMap::default(), Vec::<Partition>::new());
        let mut partition = vec![None; vars.len()];
        for v in usage.occurring.ones().map(VarId::from_index) {
            let root = usage.classes.find_mut(v.0);
            let i = *number.entry(root).or_insert_with(|| {
                let empty = Partition { domain: DomainType::Bool, width_bits: 1, variables: vec![], constants: vec![] };
                partitions.push(empty);
                partitions.len() - 1
            });
            partition[v.index()] = Some(i as u32);
            let part = &mut partitions[i];
            part.variables.push(v);
            part.width_bits = part.width_bits.max(match vars[v].sort {
                Sort::Bv(width) => width,
                Sort::Bool | Sort::Array { .. } => 1,
            });
        }
        let is_array = |v: &VarId| matches!(vars[*v].sort, Sort::Array { .. });
        let arrays = vars.ids().filter(is_array).map(Id::index).collect();
        let mut types = DomainTypes { partition, partitions, arrays };
        types.collect_constants(program, &usage.flows);
        types.decide(&usage);
        types
    }

    /// The constants of each partition.
    fn collect_constants(&mut self, program: &Program, flows: &[(VarId, Term)]) {
        let mut seen: FxHashSet<(u32, Term)> = FxHashSet::default();
        for &(v, t) in flows {
            let Some(i) = self.partition[v.index()] else { continue };
            let part = &mut self.partitions[i as usize];
            let mut open = vec![t];
            while let Some(t) = open.pop() {
                if !seen.insert((i, t)) {
                    continue;
                }
                match program.base.as_bv(t) {
                    Some(c) => part.constants.push(c.zext(part.width_bits)),
                    None => open.extend(usage::alternatives(&program.base, t)),
                }
            }
        }
        for part in &mut self.partitions {
            part.constants.sort_unstable_by(signed_order);
            part.constants.dedup();
        }
    }

    fn decide(&mut self, usage: &Usage) {
        for part in &mut self.partitions {
            let mut facts = usage::Facts::default();
            for v in &part.variables {
                facts.join(usage.facts[v.index()]);
            }
            let zero_or_one = part.constants.iter().all(|c| c.to_u64().is_some_and(|c| c <= 1));
            part.domain = facts.domain(zero_or_one);
        }
    }

    /// The type of `v`: the least one for a variable that does not occur in the slice, and `Other` for an array.
    pub fn of(&self, v: VarId) -> DomainType {
        if self.arrays.contains(v.index()) {
            return DomainType::Other;
        }
        self.partition(v).map_or(DomainType::Bool, |part| part.domain)
    }

    /// The partition of `v`, if `v` is no array and occurs in the slice.
    pub fn partition(&self, v: VarId) -> Option<&Partition> {
        self.partition_number(v).map(|i| &self.partitions[i])
    }

    /// The index in [`partitions`](Self::partitions) of the partition of `v`.
    pub fn partition_number(&self, v: VarId) -> Option<usize> {
        self.partition[v.index()].map(|i| i as usize)
    }

    /// All partitions, in the order of their first variables.
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The variables that occur in the slice, without arrays, ascending.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        self.partition.iter().enumerate().filter(|(_, part)| part.is_some()).map(|(i, _)| VarId::from_index(i))
    }
}

fn signed_order(a: &Bv, b: &Bv) -> Ordering {
    if a == b {
        Ordering::Equal
    } else if Bv::compare(BvCmp::Slt, a, b) {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// The variables that a reader of the source knows: those with a name in it, outside library models. Of a program without any (a text of an automaton),
/// all.
pub fn variables_of_source(program: &Program, types: &DomainTypes) -> Vec<VarId> {
    let cfa = &program.cfa;
    let library: FixedBitSet = cfa.funcs.iter_enumerated().filter(|(_, f)| f.library).map(|(f, _)| f.index()).collect();
    let named = |v: &VarId| {
        let var = &cfa.vars[*v];
        let own = !matches!(var.scope, cfa::Scope::Local(f) if library.contains(f.index()));
        var.source.is_some() && own
    };
    let from_text = cfa.vars.iter().all(|var| var.source.is_none());
    types.variables().filter(|v| from_text || named(v)).collect()
}
