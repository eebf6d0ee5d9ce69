//! The plan for a function: which instructions stay, where blocks end, and where terminators lead.

use super::distance::Distances;
use super::index::Index;
use super::uses::{is_branch, is_call, operands};
use crate::ir::{Block, Opcode, Value};
use anyhow::{Result, bail};
use cfa::view::Slice;
use cfa::{EdgeId, Id, Op};
use rustc_hash::FxHashSet;

/// The target of a transition in the slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target<'m> {
    Block(Block<'m>),
    /// The criterion is no longer reachable: the execution ends.
    Stop,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End<'m> {
    /// The terminator is unchanged.
    Same,
    /// The execution ends before this instruction.
    Before(Value<'m>),
    /// The block jumps unconditionally.
    Jump(Target<'m>),
    /// The terminator's tests for these successors are kept; all other values go to the last target.
    Tests(Vec<(Block<'m>, Target<'m>)>, Target<'m>),
}

/// The plan for one function.
#[derive(Default)]
pub(super) struct Plan<'m> {
    /// The blocks that stay, the entry first, each with its end.
    pub blocks: Vec<(Block<'m>, End<'m>)>,
    /// The instructions that stay, except terminators.
    pub kept: FxHashSet<Value<'m>>,
    /// Calls that stay and whose callees are sliced too, each with the arguments that it needs.
    pub calls: Vec<(Value<'m>, Vec<bool>)>,
    /// Returns whose value is not needed.
    pub plain_returns: Vec<Value<'m>>,
    /// Instructions that stay only because they may trap, and calls of library functions, whether or not their results are needed.
    pub traps: Vec<Value<'m>>,
    /// Lifetime starts at which the old contents of a slot must be forgotten.
    pub forget: Vec<Value<'m>>,
}

/// Whether a block ends in an `unreachable` before which no instruction stays.
fn goes_nowhere(block: Block, kept: &FxHashSet<Value>) -> bool {
    let Some(last) = block.terminator().filter(|t| t.opcode() == Opcode::Unreachable) else { return false };
    let before = block.instructions().into_iter().rfind(|i| *i != last && !i.is_debug_instruction());
    before.is_none_or(|inst| !kept.contains(&inst))
}

/// Plans the functions of one slice.
pub(super) struct Planner<'a, 'm> {
    pub index: &'a Index<'a, 'm>,
    pub slice: &'a Slice,
    pub distances: &'a Distances,
}

impl<'m> Planner<'_, 'm> {
    fn kept(&self, e: EdgeId) -> bool {
        self.slice.kept.contains(e.index())
    }

    fn live(&self, e: EdgeId) -> bool {
        self.slice.live.contains(e.index())
    }

    /// Whether control cannot get past a construct in the slice: the construct has edges, but none of them is live.
    fn is_cut(&self, edges: &[EdgeId]) -> bool {
        !edges.is_empty() && !edges.iter().any(|e| self.live(*e))
    }

    /// Plans a function.
    ///
    /// # Errors
    /// The slice contains something that cannot be executed in it.
    pub(super) fn plan(&self, function: Value<'m>) -> Result<Plan<'m>> {
        let mut plan = Plan::default();
        let mut stack = vec![function.entry_block()];
        let mut seen: FxHashSet<Block> = stack.iter().copied().collect();
        while let Some(block) = stack.pop() {
            let end = self.end(block)?;
            for next in successors(block, &end) {
                if seen.insert(next) {
                    stack.push(next);
                }
            }
            plan.blocks.push((block, end));
        }
        self.keep(&mut plan, &seen)?;
        for (block, end) in &mut plan.blocks {
            // Nothing follows a call that does not return; if the call is removed, the execution must end all the same.
            if *end == End::Same && goes_nowhere(*block, &plan.kept) {
                *end = End::Jump(Target::Stop);
            }
        }
        Ok(plan)
    }

    /// Determines how a block ends.
    fn end(&self, block: Block<'m>) -> Result<End<'m>> {
        for inst in block.instructions() {
            if matches!(inst.opcode(), Opcode::Phi | Opcode::LandingPad) || inst.is_debug_instruction() {
                continue;
            }
            let Some(origin) = self.index.origin(inst) else { return Ok(End::Before(inst)) };
            // The transitions of a branch are cut one by one.
            if !is_branch(inst) && self.is_cut(self.index.edges(origin)) {
                return Ok(End::Before(inst));
            }
            if Some(inst) == block.terminator() {
                return self.terminator(inst);
            }
        }
        bail!("a block of {} without a terminator", block.function().name())
    }

    fn terminator(&self, inst: Value<'m>) -> Result<End<'m>> {
        match inst.opcode() {
            Opcode::Return | Opcode::Unreachable => Ok(End::Same),
            Opcode::Invoke => {
                let called = self.index.edges_of(inst).iter().any(|e| self.acts(inst, *e));
                let way = self.index.ways(inst).first().map_or(Target::Stop, |(way, to)| self.target(*way, *to));
                Ok(if called { End::Same } else { End::Jump(way) })
            }
            _ if is_branch(inst) => Ok(self.branch(inst)),
            _ => bail!("{} in function {} is not supported", inst.opcode_name(), inst.parent().function().name()),
        }
    }

    /// The target of a transition without a test.
    fn target(&self, way: cfa::Origin, to: Block<'m>) -> Target<'m> {
        let from_here = |e: &&EdgeId| !matches!(self.index.cfa.edges[**e].op, Op::Unsupported(_));
        let edges: Vec<EdgeId> = self.index.edges(way).iter().filter(from_here).copied().collect();
        if self.is_cut(&edges) { Target::Stop } else { Target::Block(to) }
    }

    /// Follows the chain of tests of a branch, a switch or an indirect branch.
    fn branch(&self, inst: Value<'m>) -> End<'m> {
        let mut cases = Vec::new();
        let mut rest = Target::Stop;
        for &(way, to) in self.index.ways(inst) {
            let Some(test) = self.index.test(way) else {
                rest = self.target(way, to);
                break;
            };
            let other = self.index.otherwise(test);
            let (yes, no) = (self.live(test), other.is_some_and(|e| self.live(e)));
            if self.kept(test) || other.is_some_and(|e| self.kept(e)) {
                cases.push((to, if yes { Target::Block(to) } else { Target::Stop }));
                if !no {
                    break;
                }
                continue;
            }
            let distance = |e: EdgeId| self.distances.of(self.index.cfa.edges[e].to);
            let nearer = yes && (!no || other.is_none_or(|e| distance(test) <= distance(e)));
            if nearer {
                rest = Target::Block(to);
            }
            if nearer || !no {
                break;
            }
        }
        if cases.is_empty() {
            End::Jump(rest)
        } else if inst.opcode() == Opcode::IndirectBr {
            // Destinations that must not be reached end the execution themselves.
            End::Same
        } else {
            End::Tests(cases, rest)
        }
    }

    /// Whether a kept edge causes its instruction to stay. An edge that only passes an argument does not; the call itself must be kept.
    fn acts(&self, inst: Value<'m>, e: EdgeId) -> bool {
        self.kept(e)
            && (!is_call(inst)
                || !self.index.calls_bodies(inst)
                || matches!(self.index.cfa.edges[e].op, Op::Call(_) | Op::Unsupported(_) | Op::CallIndirect(_)))
    }

    /// Finds the instructions that stay: those with edges that cause it, and everything that these need.
    fn keep(&self, plan: &mut Plan<'m>, blocks: &FxHashSet<Block<'m>>) -> Result<()> {
        let mut needed: Vec<Value> = Vec::new();
        for (block, end) in &plan.blocks {
            let stop = match end {
                End::Before(inst) => Some(*inst),
                _ => None,
            };
            for inst in block.instructions().into_iter().take_while(|i| Some(*i) != stop) {
                if inst.is_debug_instruction() || inst.opcode() == Opcode::LandingPad {
                    plan.kept.insert(inst);
                    continue;
                }
                let edges: Vec<EdgeId> = self.index.edges_of(inst).iter().copied().filter(|e| self.kept(*e)).collect();
                if !edges.iter().any(|e| self.acts(inst, *e)) {
                    if inst.opcode() == Opcode::Return && inst.n_operands() > 0 {
                        plan.plain_returns.push(inst);
                    }
                    continue;
                }
                match life_time(inst) {
                    Some(LifeTime::Start) => plan.forget.push(inst),
                    Some(LifeTime::End) => continue,
                    None => {
                        plan.kept.insert(inst);
                        let is_declared =
                            |f: Value| f.is_function() && f.is_declaration() && !f.name().starts_with("llvm.");
                        let is_library_call = || is_call(inst) && is_declared(inst.called());
                        if edges.iter().all(|e| self.index.is_guard(*e)) || is_library_call() {
                            plan.traps.push(inst);
                        }
                    }
                }
                edges.iter().for_each(|e| needed.extend(self.index.uses(*e)));
                if is_call(inst) && self.index.calls_bodies(inst) {
                    plan.calls.push((inst, self.arguments(inst, &edges)));
                }
            }
            if let End::Tests(..) | End::Same = end
                && let Some(last) = block.terminator()
                && (is_branch(last))
            {
                needed.extend(operands(last));
            }
        }
        self.close(plan, needed, blocks)
    }

    /// Adds the instructions that compute the needed values.
    fn close(&self, plan: &mut Plan<'m>, mut needed: Vec<Value<'m>>, blocks: &FxHashSet<Block<'m>>) -> Result<()> {
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        while let Some(v) = needed.pop() {
            if !v.is_instruction() || !seen.insert(v) {
                continue;
            }
            if v.opcode() == Opcode::Phi {
                plan.kept.insert(v);
                needed.extend(v.incoming().into_iter().filter(|(_, b)| blocks.contains(b)).map(|(v, _)| v));
                continue;
            }
            if is_call(v) && self.index.calls_bodies(v) {
                if !plan.kept.contains(&v) {
                    bail!("the slice needs the result of a call that it does not keep: {}", v.print().trim());
                }
                continue;
            }
            plan.kept.insert(v);
            needed.extend(operands(v));
        }
        Ok(())
    }

    /// For each argument of a call that stays, whether it is needed.
    fn arguments(&self, inst: Value<'m>, edges: &[EdgeId]) -> Vec<bool> {
        let args = inst.call_args();
        let used: FxHashSet<Value> = edges.iter().flat_map(|e| self.index.uses(*e)).collect();
        args.iter().map(|a| used.contains(a) || !super::uses::is_local(*a)).collect()
    }
}

/// What a call marks in a slot's lifetime.
pub(super) enum LifeTime {
    Start,
    End,
}

/// The lifetime mark of a call, if it is one.
pub(super) fn life_time(inst: Value) -> Option<LifeTime> {
    if inst.opcode() != Opcode::Call || !inst.called().is_function() {
        return None;
    }
    let name = inst.called().name();
    if name.starts_with("llvm.lifetime.start") {
        Some(LifeTime::Start)
    } else {
        name.starts_with("llvm.lifetime.end").then_some(LifeTime::End)
    }
}

/// The successors of a block.
fn successors<'m>(block: Block<'m>, end: &End<'m>) -> Vec<Block<'m>> {
    let of = |t: &Target<'m>| match t {
        Target::Block(b) => Some(*b),
        Target::Stop => None,
    };
    match end {
        End::Same => block.successors(),
        End::Before(_) => Vec::new(),
        End::Jump(to) => of(to).into_iter().collect(),
        End::Tests(cases, rest) => cases.iter().filter_map(|(_, t)| of(t)).chain(of(rest)).collect(),
    }
}
