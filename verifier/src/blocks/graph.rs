//! The block graph of a program: its cut points, and the blocks between them, each explored without predicates.
//!
//! A cut point is a location under a call stack: where the program begins, or where a block ends ([`Ends`]). The block of a cut point is
//! everything up to the next cut points. Its formulas are joined where paths meet, so each *exit* of the block, a place where it ends,
//! has one path formula for all paths to it:
//!
//! ```text
//! x = 0; while (x < n) { if (x == 7) error(); x++; }
//!
//! block of the start:  exit to the head under true with x := 0
//! block of the head:   exit to the head under x < n and x != 7 with x := x + 1
//!                      exit to the target under x < n and x = 7
//! ```
//!
//! The formulas of the exits are a transition relation for algorithms on transition systems; the inner nodes are what certificates need
//! besides (`certificate`). Blocks are explored on demand, since recursion makes infinitely many cut points.
//!
//! **Order.** A place inside a block is explored after all its predecessors. First come places under the activations with which the block
//! begins, those under fewer of them later, since a return leaves them for good. Otherwise, positions are compared as sequences: for each
//! frame the position of the location to which it returns, in the weak topological order of its function, and for the running activation
//! that of its own location. A callee comes before the location to which it returns, and after all calls that return there. Where that
//! location is a cut point, nothing in the block comes after it, and its frame comes last.

use super::formula::{Formula, Maker, Stepped};
use super::symbols::StackId;
use super::{Blocks, Ends};
use crate::cpa::skeleton::location;
use crate::cpa::{Action, Step};
use crate::program::wto::Element;
use crate::program::{Budget, Halt, Program};
use cfa::{EdgeId, Id, InputKind, LocId, Op, Term, Terms};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum number of terms of an arena in which blocks are explored, of about 100 bytes each.
const MAX_TERMS: usize = 20_000_000;

/// A cut point, by number; 0 is the start of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutId(pub(super) u32);

impl CutId {
    /// The start of the program.
    pub const START: CutId = CutId(0);

    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a block has at an exit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExitKind {
    /// The next cut point.
    End(CutId),
    /// A target.
    Target,
    /// A construct without a model: this edge, which begins at the exit.
    Unsupported(EdgeId),
}

/// A place where a block ends.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The location.
    pub loc: LocId,
    /// The stack there.
    pub stack: StackId,
    /// All paths to it.
    pub formula: Rc<Formula>,
    /// What is there.
    pub kind: ExitKind,
}

/// Where a step inside a block leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// To the inner node with this index.
    Inner(usize),
    /// To the exit with this index.
    Exit(usize),
}

/// A place inside a block.
#[derive(Clone, Debug)]
pub struct Inner {
    /// The location.
    pub loc: LocId,
    /// The stack there.
    pub stack: StackId,
    /// The steps from here. Those whose condition is false by simplification are missing.
    pub steps: Vec<(checker::Step, Next)>,
}

/// A block with all its paths.
#[derive(Clone, Debug, Default)]
pub struct BlockPaths {
    /// The places inside, each after all its predecessors; the first one is the cut point. None if the block begins at a target.
    pub inner: Vec<Inner>,
    /// The exits, at most one for each place and kind.
    pub exits: Vec<Exit>,
    /// The conditions under which it reads inputs that a model approximates.
    pub approximated: Vec<Term>,
}

/// The cut points found so far, and their blocks.
pub struct BlockGraph<'p> {
    program: &'p Program,
    /// What path formulas are made with.
    pub maker: Maker,
    ends: Ends,
    cuts: Vec<(LocId, StackId)>,
    ids: FxHashMap<(LocId, StackId), CutId>,
    /// The blocks of cut points, as far as they have been explored.
    blocks: Vec<Option<Rc<BlockPaths>>>,
    positions: Positions,
}

impl<'p> BlockGraph<'p> {
    /// The graph with only the start of the program.
    pub fn new(program: &'p Program, blocks: Blocks) -> BlockGraph<'p> {
        let mut graph = BlockGraph {
            program,
            maker: Maker::default(),
            ends: Ends::new(program, blocks),
            cuts: Vec::new(),
            ids: FxHashMap::default(),
            blocks: Vec::new(),
            positions: Positions::default(),
        };
        graph.cut(program.start(), StackId::ROOT);
        graph
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// What path formulas are made with, and where blocks end.
    pub fn maker_and_ends(&mut self) -> (&mut Maker, &Ends) {
        (&mut self.maker, &self.ends)
    }

    /// The number of cut points found so far.
    #[allow(clippy::len_without_is_empty, reason = "there is always the start")]
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// The location and the stack of a cut point.
    pub fn at(&self, cut: CutId) -> (LocId, StackId) {
        self.cuts[cut.index()]
    }

    /// Explores all blocks that are reachable from the start, if there are at most `max` cut points and stacks of at most `max_depth`
    /// frames.
    ///
    /// Errors: `OutOfBudget`, `TooDeep`, or as [`block`](Self::block).
    pub fn explore(&mut self, terms: &mut Terms, max: usize, max_depth: u32, budget: Budget<'_>) -> Result<(), Halt> {
        let mut next = 0;
        while next < self.cuts.len() {
            if self.cuts.len() > max {
                return Err(Halt::OutOfBudget(format!("more than {max} cut points")));
            }
            if self.maker.depth(self.cuts[next].1) > max_depth as usize {
                return Err(Halt::TooDeep(max_depth));
            }
            self.block(terms, CutId(next as u32), budget)?;
            next += 1;
        }
        Ok(())
    }

    /// The block of a cut point, explored once. `terms` must be the same arena each time.
    ///
    /// Errors: `OutOfTime`; `OutOfBudget` if formulas become too large.
    pub fn block(&mut self, terms: &mut Terms, cut: CutId, budget: Budget<'_>) -> Result<Rc<BlockPaths>, Halt> {
        if let Some(known) = &self.blocks[cut.index()] {
            return Ok(known.clone());
        }
        let block = Rc::new(self.explore_block(terms, cut, budget)?);
        self.blocks[cut.index()] = Some(block.clone());
        Ok(block)
    }

    /// The block of a cut point, if it has been explored.
    pub fn explored(&self, cut: CutId) -> Option<&Rc<BlockPaths>> {
        self.blocks[cut.index()].as_ref()
    }

    /// The cut point at which a block ends after `step`, where the stack is `stack` then; `None` if it goes on.
    pub fn end(&self, step: &Step<'_>, stack: StackId) -> Option<CutId> {
        if self.ends.after(step) { self.ids.get(&(step.to, stack)).copied() } else { None }
    }

    /// The number of the cut point at `loc` under `stack`.
    fn cut(&mut self, loc: LocId, stack: StackId) -> CutId {
        let next = CutId(u32::try_from(self.cuts.len()).expect("fewer than 2^32 cut points"));
        let id = *self.ids.entry((loc, stack)).or_insert(next);
        if id == next {
            self.cuts.push((loc, stack));
            self.blocks.push(None);
        }
        id
    }

    fn explore_block(&mut self, terms: &mut Terms, cut: CutId, budget: Budget<'_>) -> Result<BlockPaths, Halt> {
        let (loc, stack) = self.at(cut);
        let mut exploring = Exploring {
            graph: self,
            terms,
            begin: stack,
            waiting: BTreeMap::new(),
            exits: Vec::new(),
            approximated: Vec::new(),
        };
        if exploring.graph.program.is_target(loc) {
            exploring.arrive_at_exit(loc, stack, ExitKind::Target, Formula::default());
            let exits = exploring.found();
            return Ok(BlockPaths { exits, ..BlockPaths::default() });
        }
        let mut explored: Vec<Explored> = Vec::new();
        exploring.arrive(loc, stack, Formula::default());
        while let Some((key, formula)) = exploring.waiting.pop_first() {
            budget.check()?;
            if exploring.terms.len() > MAX_TERMS {
                return Err(Halt::OutOfBudget(format!("more than {MAX_TERMS} terms in blocks")));
            }
            let (loc, stack) = (key.loc, key.stack);
            let steps = exploring.leave(loc, stack, &formula);
            explored.push(Explored { loc, stack, steps });
        }
        let exits = exploring.found();
        let approximated = exploring.approximated;
        let numbers: FxHashMap<_, usize> = explored.iter().enumerate().map(|(i, n)| ((n.loc, n.stack), i)).collect();
        debug_assert_eq!(numbers.len(), explored.len(), "a place was explored before one of its predecessors");
        let number = |to: To| match to {
            To::Inner(loc, stack) => Next::Inner(numbers[&(loc, stack)]),
            To::Exit(i) => Next::Exit(i),
        };
        let numbered = |n: Explored| {
            let steps = n.steps.into_iter().map(|(taken, to)| (taken, number(to))).collect();
            Inner { loc: n.loc, stack: n.stack, steps }
        };
        Ok(BlockPaths { inner: explored.into_iter().map(numbered).collect(), exits, approximated })
    }
}

/// Where a step leads, before inner nodes have numbers.
#[derive(Clone, Copy)]
enum To {
    Inner(LocId, StackId),
    Exit(usize),
}

/// An inner node, before inner nodes have numbers.
struct Explored {
    loc: LocId,
    stack: StackId,
    steps: Vec<(checker::Step, To)>,
}

/// A place that waits for its turn; ordered by position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    position: (usize, Vec<u32>),
    loc: LocId,
    stack: StackId,
}

/// The exploration of a block.
struct Exploring<'g, 'p> {
    graph: &'g mut BlockGraph<'p>,
    terms: &'g mut Terms,
    /// The stack with which the block begins.
    begin: StackId,
    /// Places to explore, with the formulas of the paths found so far.
    waiting: BTreeMap<Waiting, Formula>,
    exits: Vec<(LocId, StackId, ExitKind, Formula)>,
    approximated: Vec<Term>,
}

impl Exploring<'_, '_> {
    /// Takes all steps from a place.
    fn leave(&mut self, loc: LocId, stack: StackId, formula: &Formula) -> Vec<(checker::Step, To)> {
        let program = self.graph.program;
        let return_to = self.graph.maker.returns(stack).map(|(return_to, _)| return_to);
        let mut taken = Vec::new();
        for step in location::leaving(program, loc, return_to) {
            if let Action::Op(Op::Input { kind: InputKind::Approximate(_), .. }) = step.action {
                self.approximated.push(self.terms.and_all(formula.conditions()));
            }
            let (mut longer, mut then) = (formula.clone(), stack);
            match self.graph.maker.step(program, self.terms, (&mut longer, &mut then), &step) {
                Stepped::Continues => taken.push((step.taken, self.after(&step, then, longer))),
                Stepped::Excluded => {}
                Stepped::Unsupported => {
                    if let checker::Step::Edge(e) = step.taken {
                        self.arrive_at_exit(loc, stack, ExitKind::Unsupported(e), longer);
                    }
                }
            }
        }
        taken
    }

    fn after(&mut self, step: &Step<'_>, stack: StackId, formula: Formula) -> To {
        if self.graph.program.is_target(step.to) {
            return To::Exit(self.arrive_at_exit(step.to, stack, ExitKind::Target, formula));
        }
        if self.graph.ends.after(step) {
            let end = ExitKind::End(self.graph.cut(step.to, stack));
            return To::Exit(self.arrive_at_exit(step.to, stack, end, formula));
        }
        self.arrive(step.to, stack, formula);
        To::Inner(step.to, stack)
    }

    /// Adds paths to a place inside.
    fn arrive(&mut self, loc: LocId, stack: StackId, formula: Formula) {
        let BlockGraph { program, maker, positions, .. } = &mut *self.graph;
        let position = positions.of(program, maker, self.begin, (loc, stack));
        let place = Waiting { position, loc, stack };
        let joined = match self.waiting.remove(&place) {
            None => formula,
            Some(before) => self.graph.maker.join(self.graph.program, self.terms, (loc, stack), &formula, &before),
        };
        self.waiting.insert(place, joined);
    }

    /// Adds paths to an exit. Returns its index.
    fn arrive_at_exit(&mut self, loc: LocId, stack: StackId, kind: ExitKind, formula: Formula) -> usize {
        let known = self.exits.iter().position(|(l, s, k, _)| (*l, *s, *k) == (loc, stack, kind));
        let Some(i) = known else {
            self.exits.push((loc, stack, kind, formula));
            return self.exits.len() - 1;
        };
        let joined = self.graph.maker.join(self.graph.program, self.terms, (loc, stack), &formula, &self.exits[i].3);
        self.exits[i].3 = joined;
        i
    }

    fn found(&mut self) -> Vec<Exit> {
        let exits = std::mem::take(&mut self.exits).into_iter();
        exits.map(|(loc, stack, kind, formula)| Exit { loc, stack, formula: Rc::new(formula), kind }).collect()
    }
}

/// Positions of places, for the order of exploration.
#[derive(Default)]
struct Positions {
    /// The number of a location in the weak topological order of its function.
    ranks: FxHashMap<LocId, u32>,
    /// The heads of loops.
    heads: FxHashSet<LocId>,
    known: FixedBitSet,
}

impl Positions {
    /// The position of a place in the block that begins under `begin`: the number of its activations that have returned, and the sequence
    /// of positions under the others.
    fn of(
        &mut self,
        program: &Program,
        maker: &Maker,
        mut begin: StackId,
        (loc, mut stack): (LocId, StackId),
    ) -> (usize, Vec<u32>) {
        let mut sequence = vec![2 * self.rank(program, loc) + 1];
        let mut returned = 0;
        while begin != stack {
            let [a, b] = [begin, stack].map(|s| maker.depth(s));
            if a >= b {
                returned += 1;
                begin = maker.returns(begin).map_or(StackId::ROOT, |(_, below)| below);
            }
            if b >= a {
                let Some((return_to, below)) = maker.returns(stack) else { break };
                let rank = self.rank(program, return_to);
                sequence.push(if self.heads.contains(&return_to) { u32::MAX } else { 2 * rank });
                stack = below;
            }
        }
        sequence.reverse();
        (returned, sequence)
    }

    fn rank(&mut self, program: &Program, loc: LocId) -> u32 {
        let func = program.cfa.locs[loc].func;
        self.known.grow(program.cfa.funcs.len());
        if !self.known.put(func.index()) {
            self.number(&program.order(func));
        }
        self.ranks.get(&loc).copied().unwrap_or(0)
    }

    /// Numbers the locations of a function.
    fn number(&mut self, elements: &[Element]) {
        let mut next = 0;
        let mut work: Vec<&Element> = elements.iter().rev().collect();
        while let Some(element) = work.pop() {
            let loc = match element {
                Element::Location(loc) => loc,
                Element::Component(head, body) => {
                    self.heads.insert(*head);
                    work.extend(body.iter().rev());
                    head
                }
            };
            self.ranks.insert(*loc, next);
            next += 1;
        }
    }
}
