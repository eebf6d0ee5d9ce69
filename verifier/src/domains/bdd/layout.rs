//! Where the bits of program variables are in decision diagrams.
//!
//! A variable that is live where paths meet, or that an input is written to, has a *slot*: a position for each of its bits, and next to it one
//! for the same bit after an assignment. The bits are a code of its value:
//!
//! * A variable that is only copied and compared with constants ([`DomainType::Eq`]) has the number of its constant, from 1, or 0 for all other
//!   values: `n` constants take `log2(n + 1)` bits [Beyer, Stahlbauer 2014, 4.4].
//! * Others have the bits of the value itself, but only as many as their values need; all higher ones are copies of the sign, or zero if the value
//!   is never negative. How many that are is estimated from the constants of the partition ([`DomainTypes`]), and corrected when a value does not
//!   fit.

use super::Options;
use super::order::arrange;
use crate::program::Program;
use crate::program::domain_types::{DomainType, DomainTypes};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Id, Op, Range, Scope, Sort, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::bits::circuits;
use smt::bits::graph::{Graph, Lit};
use std::rc::Rc;

/// The number of a slot.
pub(super) type SlotId = u32;

/// A variable in diagrams.
pub(super) struct Slot {
    /// The variable.
    pub(super) var: VarId,
    /// For each bit of its code, the least significant one first, its number; the positions in diagrams are [`now`] and [`next`] of it.
    pub(super) bits: Vec<u16>,
    /// These bits as inputs of circuits.
    inputs: Rc<[Lit]>,
    /// What the bits mean.
    pub(super) code: Code,
    /// Whether it is a truth value, and no number.
    is_truth: bool,
    /// The value as a circuit over the bits of the code.
    pub(super) word: Rc<[Lit]>,
}

/// What the bits of a slot mean.
pub(super) enum Code {
    /// The value.
    Value {
        /// Whether bits that diagrams do not have are copies of the highest one that they have; otherwise they are 0.
        signed: bool,
    },
    /// The number of one of these constants, the first one being 1; 0, or a number that is too large, for any other value.
    Number(Rc<[Bv]>),
}

impl Slot {
    /// The value of a slot of one bit.
    pub(super) fn of_bit(&self, bit: bool) -> Range {
        let one = if self.is_truth { 1 } else { -1 };
        Range::point(if bit { one } else { 0 })
    }

    /// The code of a value.
    pub(super) fn encode(&self, graph: &mut Graph, word: &Rc<[Lit]>) -> Vec<Lit> {
        let Code::Number(constants) = &self.code else { return word.to_vec() };
        let is: Vec<Lit> = constants.iter().map(|c| circuits::equal(graph, word, &circuits::constant(c))).collect();
        let bit = |graph: &mut Graph, j: usize| {
            let with = is.iter().enumerate().filter(|(i, _)| (i + 1) >> j & 1 == 1).map(|(_, l)| !*l).collect();
            !graph.and_all(with)
        };
        (0..self.bits.len()).map(|j| bit(graph, j)).collect()
    }
}

/// The position of a bit.
pub(super) fn now(bit: u16) -> BddVariable {
    BddVariable::from_index(2 * bit as usize)
}

/// The position of a bit after an assignment.
pub(super) fn next(bit: u16) -> BddVariable {
    BddVariable::from_index(2 * bit as usize + 1)
}

/// The slots of a program, and the numbers of bits of them that diagrams have.
pub(super) struct Layout {
    pub(super) set: BddVariableSet,
    pub(super) slots: Vec<Slot>,
    of: FxHashMap<VarId, SlotId>,
    /// For each input of circuits, by its gate, its bit.
    pub(super) bit_of: FxHashMap<u32, u16>,
    /// For each bit its slot.
    pub(super) slot_of: Vec<SlotId>,
    /// The numbers of bits of slots, by version; each version has at least as many as the one before.
    versions: Vec<Vec<u32>>,
}

/// Maximum number of bits; diagrams have 16-bit numbers for twice as many positions.
const MAX_BITS: usize = 32_000;

/// Slots with more bits at the start are placed bit by bit beside those that they are compared or assigned with.
const INTERLEAVED: u32 = 8;

impl Layout {
    /// The layout for `program`; the inputs of circuits are made in `graph`.
    pub(super) fn new(program: &Program, options: &Options, graph: &mut Graph) -> Layout {
        let types = DomainTypes::new(program);
        let suits = |v: &VarId| {
            let recurses =
                matches!(program.cfa.vars[*v].scope, Scope::Local(f) if program.recursive.contains(f.index()));
            !recurses
                && !matches!(program.cfa.vars[*v].sort, Sort::Array { .. })
                && options.types.is_none_or(|most| types.of(*v) <= most)
        };
        let (kept, mut arbitrary) = kept(program);
        // What may have any value flows to the variables of its partition.
        let full: FxHashSet<usize> =
            arbitrary.ones().filter_map(|v| types.partition_number(VarId::from_index(v))).collect();
        arbitrary.extend(full.into_iter().flat_map(|i| &types.partitions()[i].variables).map(|v| v.index()));
        let compared = compared(program, &types);
        let vars: Vec<VarId> = kept.ones().map(VarId::from_index).filter(suits).collect();
        let vars = arrange(program, options.order, vars);
        let mut layout = Layout {
            set: BddVariableSet::new_anonymous(0),
            slots: Vec::new(),
            of: FxHashMap::default(),
            bit_of: FxHashMap::default(),
            slot_of: Vec::new(),
            versions: Vec::new(),
        };
        let mut widths = Vec::new();
        let mut free = MAX_BITS;
        for &var in &vars {
            let width = width_of(program, var);
            let (bits, estimated, code) = match numbered(&types, var, width) {
                // What is no constant has no number of its own, so that nothing is known of its equality with another such value.
                Some((bits, constants)) if !(arbitrary.contains(var.index()) && compared.contains(var.index())) => {
                    (bits, bits, Code::Number(constants))
                }
                _ => {
                    let (needed, signed) = estimate(&types, var, width);
                    let estimated = if arbitrary.contains(var.index()) { width } else { needed };
                    (width, estimated, Code::Value { signed })
                }
            };
            if bits as usize > free {
                continue;
            }
            free -= bits as usize;
            widths.push(estimated);
            layout.of.insert(var, layout.slots.len() as SlotId);
            let is_truth = program.cfa.vars[var].sort == Sort::Bool;
            let inputs: Rc<[Lit]> = (0..bits).map(|_| graph.input()).collect();
            let word = match &code {
                Code::Value { .. } => inputs.clone(),
                Code::Number(constants) => decoded(graph, &inputs, constants, width),
            };
            layout.slots.push(Slot { var, bits: vec![0; bits as usize], inputs, code, is_truth, word });
        }
        layout.place(&types, &widths);
        layout.set = BddVariableSet::new_anonymous(2 * layout.slot_of.len() as u16);
        layout.versions.push(widths);
        layout
    }

    /// Numbers the bits: slot by slot, the most significant bit first; wide slots of a partition bit by bit, at the place of the first one.
    fn place(&mut self, types: &DomainTypes, widths: &[u32]) {
        let mut together: FxHashMap<Option<usize>, Vec<SlotId>> = FxHashMap::default();
        for (i, slot) in self.slots.iter().enumerate().filter(|(i, _)| widths[*i] > INTERLEAVED) {
            together.entry(types.partition_number(slot.var)).or_default().push(i as SlotId);
        }
        for (i, &width) in widths.iter().enumerate() {
            let group = match types.partition_number(self.slots[i].var).and_then(|p| together.get(&Some(p))) {
                Some(group) if width > INTERLEAVED && group[0] == i as SlotId => group.clone(),
                Some(_) if width > INTERLEAVED => continue,
                _ => vec![i as SlotId],
            };
            let width = group.iter().map(|i| self.slots[*i as usize].bits.len()).max().unwrap_or(0);
            for bit in (0..width).rev() {
                for &j in &group {
                    let number = self.slot_of.len() as u16;
                    let slot = &mut self.slots[j as usize];
                    if slot.bits.len() <= bit {
                        continue;
                    }
                    slot.bits[bit] = number;
                    self.bit_of.insert(slot.inputs[bit].gate(), number);
                    self.slot_of.push(j);
                }
            }
        }
    }

    /// The slot of `v`, if it has one.
    pub(super) fn slot(&self, v: VarId) -> Option<SlotId> {
        self.of.get(&v).copied()
    }

    /// The current version.
    pub(super) fn version(&self) -> u32 {
        self.versions.len() as u32 - 1
    }

    /// The number of bits of a slot in diagrams of a version.
    pub(super) fn width(&self, version: u32, slot: SlotId) -> u32 {
        self.versions[version as usize][slot as usize]
    }

    /// Whether diagrams of all versions have all bits of a slot.
    pub(super) fn is_whole(&self, slot: SlotId) -> bool {
        self.width(0, slot) as usize == self.slots[slot as usize].bits.len()
    }

    /// The slots that are wider now than in `version`, with their widths then and now.
    pub(super) fn widened_since(&self, version: u32) -> Vec<(SlotId, u32, u32)> {
        if version == self.version() {
            return Vec::new();
        }
        let (then, now) = (&self.versions[version as usize], &self.versions[self.version() as usize]);
        let pairs = then.iter().zip(now).enumerate();
        pairs.filter(|(_, (then, now))| then < now).map(|(i, (then, now))| (i as SlotId, *then, *now)).collect()
    }

    /// From now on, `slot` has `width` bits.
    pub(super) fn widen(&mut self, slot: SlotId, width: u32) {
        let mut widths = self.versions[self.version() as usize].clone();
        widths[slot as usize] = width;
        self.versions.push(widths);
    }

    /// The diagram of a bit in the current version.
    pub(super) fn diagram(&self, bit: u16) -> Bdd {
        let slot = self.slot_of[bit as usize];
        let Slot { bits, code, .. } = &self.slots[slot as usize];
        let width = self.width(self.version(), slot) as usize;
        match code {
            _ if bits[..width].contains(&bit) => self.set.mk_var(now(bit)),
            Code::Value { signed: true } => self.set.mk_var(now(bits[width - 1])),
            _ => self.set.mk_false(),
        }
    }
}

/// Whether functions are applied at `l`: paths meet there, or it begins a block.
pub(super) fn settles(program: &Program, l: cfa::LocId) -> bool {
    let recurses = |op: &Op| matches!(op, Op::Call(f) if program.recursive.contains(f.index()));
    program.is_join(l) || program.view.out(l).iter().any(|e| recurses(program.op(e)))
}

/// The variables that need slots, and those among them that may have any value.
fn kept(program: &Program) -> (FixedBitSet, FixedBitSet) {
    let n = program.cfa.vars.len();
    let (mut kept, mut arbitrary) = (FixedBitSet::with_capacity(n), FixedBitSet::with_capacity(n));
    let live = |l: cfa::LocId| program.cfa.vars.ids().filter(move |v| program.liveness.is_live(l, *v)).map(Id::index);
    for l in program.view.reachable(&program.cfa) {
        if settles(program, l) {
            kept.extend(live(l));
        }
        if l == program.start() || l == program.entry_of(program.cfa.locs[l].func) {
            // Live where a function begins: variables that were never written.
            let own = Scope::Local(program.cfa.locs[l].func);
            let unwritten = |v: &usize| {
                let scope = program.cfa.vars[VarId::from_index(*v)].scope;
                scope == own || l == program.start()
            };
            let unwritten: Vec<usize> = live(l).filter(unwritten).collect();
            kept.extend(unwritten.iter().copied());
            arbitrary.extend(unwritten);
        }
        for e in program.view.out(l) {
            match program.op(e) {
                Op::Call(_) => kept.extend(live(e.to)),
                Op::Input { var, .. } => {
                    kept.insert(var.index());
                    arbitrary.insert(var.index());
                }
                _ => {}
            }
        }
    }
    (kept, arbitrary)
}

fn width_of(program: &Program, v: VarId) -> u32 {
    match program.cfa.vars[v].sort {
        Sort::Bv(width) => width,
        Sort::Bool | Sort::Array { .. } => 1,
    }
}

/// The variables that are compared with values that are no constants.
fn compared(program: &Program, types: &DomainTypes) -> FixedBitSet {
    let mut compared = FixedBitSet::with_capacity(program.cfa.vars.len());
    let terms = &program.base;
    for l in program.view.reachable(&program.cfa) {
        for e in program.view.out(l) {
            for t in terms.subterms(&program.op(e).terms(), |_| false) {
                if let (Kind::Eq, &[a, b]) = (terms.kind(t), terms.args(t))
                    && [a, b].iter().all(|t| terms.as_bv(*t).is_none())
                {
                    compared.extend([a, b].into_iter().flat_map(|t| terms.vars(t)).map(Id::index));
                }
            }
        }
    }
    let partitions: FxHashSet<usize> =
        compared.ones().filter_map(|v| types.partition_number(VarId::from_index(v))).collect();
    compared.extend(partitions.into_iter().flat_map(|i| &types.partitions()[i].variables).map(|v| v.index()));
    compared
}

/// The number of bits that number the constants of the partition of `v`, and the constants; `None` if numbers would not do.
fn numbered(types: &DomainTypes, v: VarId, width: u32) -> Option<(u32, Rc<[Bv]>)> {
    let partition = types.partition(v).filter(|p| p.width_bits == width && p.domain <= DomainType::Eq)?;
    let bits = (usize::BITS - partition.constants.len().leading_zeros()).max(1);
    (bits < width).then(|| (bits, partition.constants.clone().into()))
}

/// The value with a number, as a circuit.
fn decoded(graph: &mut Graph, number: &[Lit], constants: &[Bv], width: u32) -> Rc<[Lit]> {
    // Any value that is no constant stands for the others: nothing but comparisons with constants tells them apart.
    let mut other = Bv::new(width, 0);
    let one = Bv::new(width, 1);
    while constants.contains(&other) {
        other = Bv::apply(BvOp::Add, &other, &one);
    }
    let mut word = circuits::constant(&other);
    for (i, c) in constants.iter().enumerate() {
        let own = circuits::constant(&Bv::new(number.len() as u32, i as u64 + 1));
        let is = circuits::equal(graph, number, &own);
        word = circuits::choose(graph, is, &circuits::constant(c), &word);
    }
    word.into()
}

/// The number of bits that hold the constants of the partition of `v`, and whether the highest one is a sign.
fn estimate(types: &DomainTypes, v: VarId, width: u32) -> (u32, bool) {
    let Some(partition) = types.partition(v).filter(|p| p.width_bits == width) else { return (width.min(8), false) };
    let calculates = partition.domain > DomainType::Eq;
    let signed = calculates || partition.constants.iter().any(Bv::sign);
    let needed = |c: &Bv| {
        let equal_to_sign = |i: &u32| c.bit(*i) == (signed && c.sign());
        let free = (0..width).rev().take_while(equal_to_sign).count() as u32;
        width - free + u32::from(signed)
    };
    (partition.constants.iter().map(needed).max().unwrap_or(1).clamp(1, width), signed && width > 1)
}
