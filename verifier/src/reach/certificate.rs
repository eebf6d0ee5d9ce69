//! The certificate of a finished exploration: its ARG, with labels at the nodes that need one.
//!
//! A node needs a label
//!
//! 1. if it covers a successor of some node;
//! 2. if its state has facts that the checker could not derive itself;
//! 3. if the last label is far away: otherwise the formulas of the checker would grow with the length of paths. Such a label comes after
//!    at least as many steps as it has entries.
//!
//! A state of which the analysis says that it [needs no label](crate::cpa::Cpa::needs_no_label) has none; it comes after all its
//! predecessors.
//!
//! Everywhere else, including at the states passed on runs, which become nodes here, the checker executes the program, and so knows at
//! least as much as the analysis.

use crate::cpa::skeleton::callstack::StackId;
use crate::cpa::skeleton::location;
use crate::cpa::{Action, Cx, Located, Rows};
use crate::evidence::certificate::{Frames, ordered};
use crate::program::Program;
use crate::reach::arg::{Ending, Link, NodeId, Witness};
use crate::reach::explore::Exploration;
use cfa::{LocId, Range, SymId, VarId};
use checker::{Certificate, Explored, FrameId, Label, Node, StateSet, Successor};
use rustc_hash::{FxHashMap, FxHashSet};

/// Minimum number of steps between two labels of the third kind.
const MIN_GAP: u32 = 64;

/// The certificate that no target is reachable. The exploration must have ended without a target and without cuts.
pub fn certificate<C: Located>(exploration: &Exploration<C>, cpa: &mut C, cx: &mut Cx<'_>) -> Certificate {
    let arg = &exploration.arg;
    let mut numbers: Vec<u32> = vec![0; arg.len()];
    let mut needs_label = vec![false; arg.len()];
    let mut reachable = vec![NodeId(0)];
    let mut seen = vec![false; arg.len()];
    seen[0] = true;
    while let Some(n) = reachable.pop() {
        // Later labels mention symbols of the weaker state, so its label has to introduce them.
        needs_label[n.0 as usize] |= !arg.node(n).before_merges.is_empty();
        for link in &arg.node(n).links {
            needs_label[link.to.0 as usize] |= link.covers;
            if !std::mem::replace(&mut seen[link.to.0 as usize], true) {
                reachable.push(link.to);
            }
        }
    }
    let order = order(exploration, cpa, &seen);
    let mut next = 0;
    for n in &order {
        numbers[n.0 as usize] = next;
        // The states passed on the runs from here come directly after it.
        let passed = distinct_runs(&arg.node(*n).links).map(|links| arg.runs.steps(links[0].run).len() as u32 - 1);
        next += 1 + passed.sum::<u32>();
    }
    let mut frames = Frames::default();
    if let Some(explored) = in_rows(exploration, cpa, cx, &seen, &mut frames) {
        let (slice, terms) = (cx.program.slice.clone(), cx.program.overlay());
        let explored = Some(explored);
        return Certificate { slice, terms, frames: frames.all, nodes: Vec::new(), contracts: Vec::new(), explored };
    }
    let mut labels = Labels { gaps: vec![Gap { steps: 0, due: MIN_GAP }; arg.len()] };
    let mut nodes: Vec<Node> = Vec::with_capacity(next as usize);
    for &n in &order {
        let node = arg.node(n);
        let at = cpa.key(&node.state);
        if let Some((parent, run)) = node.parent {
            labels.gaps[n.0 as usize] = labels.gaps[parent.0 as usize].after(arg.runs.steps(run).len());
        }
        let needed = needs_label[n.0 as usize] || node.new_facts;
        let has_none = cpa.needs_no_label(&node.state);
        let label = if has_none { None } else { labels.label(cpa, cx, n, &node.state, needed) };
        let mut here = Passed { loc: at.loc, stack: frames.of(at.stack, |s| cpa.frame(s)) };
        let start = nodes.len();
        debug_assert_eq!(start, numbers[n.0 as usize] as usize);
        nodes.push(here.node(label));
        for links in distinct_runs(&node.links) {
            here = Passed { loc: at.loc, stack: nodes[start].stack };
            let run = links[0].run;
            let steps = arg.runs.steps(run);
            let mut from = start;
            for &step in &steps[..steps.len() - 1] {
                let to = nodes.len() as u32;
                nodes[from].successors.push(Successor::new(step, to));
                here = here.after(cx.program, &mut frames, step);
                from = nodes.len();
                nodes.push(here.node(None));
            }
            for link in links {
                let (step, to) = (steps[steps.len() - 1], numbers[link.to.0 as usize]);
                let case = link.ending.as_ref().map_or(Vec::new(), |ending| cpa.case(&ending.state));
                let witness = witness(exploration, cpa, cx, link);
                nodes[from].successors.push(Successor { step, to, case, witness });
            }
        }
    }
    let (slice, terms) = (cx.program.slice.clone(), cx.terms.clone());
    Certificate { slice, terms, frames: frames.all, nodes, contracts: Vec::new(), explored: None }
}

/// The values of the symbols in the label of the node that a link leads to.
fn witness<C: Located>(exploration: &Exploration<C>, cpa: &mut C, cx: &mut Cx<'_>, link: &Link<C::State>) -> Witness {
    let Some(Ending { state, witness, merged }) = link.ending.as_deref() else { return Witness::new() };
    if !cpa.merges_before_expansion() {
        return witness.clone();
    }
    let to = exploration.arg.node(link.to);
    if !link.covers && !to.merged {
        return Witness::new();
    }
    let known: FxHashSet<SymId> = witness.iter().map(|(symbol, _)| *symbol).collect();
    let later = to.before_merges[*merged..].iter().filter(|(symbol, _)| !known.contains(symbol));
    let whole = witness.iter().chain(later).copied().collect();
    cpa.stated_witness(cx, state, &to.state, whole)
}

/// Maximum number of rows of a certificate.
const MOST_ROWS: usize = 50_000;

/// The states at the heads of loops in rows, if the analysis can state them so, and if they are few.
fn in_rows<C: Located>(
    exploration: &Exploration<C>,
    cpa: &mut C,
    cx: &mut Cx<'_>,
    seen: &[bool],
    frames: &mut Frames<StackId>,
) -> Option<Explored> {
    let arg = &exploration.arg;
    arg.layers.as_ref()?;
    let heads: FxHashSet<LocId> = cx.program.loop_heads().into_iter().collect();
    let mut explored = Explored { splits: cpa.splits(cx.program), sets: Vec::new() };
    let mut count = 0;
    for n in arg.ids().filter(|n| seen[n.0 as usize]) {
        let state = &arg.node(n).state;
        let at = cpa.key(state);
        if !heads.contains(&at.loc) {
            continue;
        }
        let Rows { vars, rows } = cpa.rows(cx, state)?;
        count += rows.len();
        let stack = frames.of(at.stack, |s| cpa.frame(s));
        if count > MOST_ROWS || explored.sets.iter().any(|s| (s.loc, s.stack) == (at.loc, stack)) {
            return None;
        }
        explored.sets.push(state_set((at.loc, stack), vars, rows)?);
    }
    (!explored.sets.is_empty()).then_some(explored)
}

/// `None` if a variable has too many ranges.
fn state_set((loc, stack): (LocId, Option<FrameId>), vars: Vec<VarId>, rows: Vec<Vec<Range>>) -> Option<StateSet> {
    let mut ranges: Vec<Vec<Range>> = vec![Vec::new(); vars.len()];
    let mut index: Vec<FxHashMap<Range, u16>> = vec![FxHashMap::default(); vars.len()];
    let mut packed = Vec::with_capacity(rows.len() * vars.len());
    for (i, range) in rows.iter().flat_map(|row| row.iter().enumerate()) {
        let next = u16::try_from(ranges[i].len()).ok()?;
        let number = *index[i].entry(*range).or_insert_with(|| {
            ranges[i].push(*range);
            next
        });
        packed.push(number);
    }
    Some(StateSet { loc, stack, vars, ranges, rows: packed })
}

/// The nodes in `seen`, in the order in which they were found, except that each unlabelled node comes after all its predecessors.
fn order<C: Located>(exploration: &Exploration<C>, cpa: &C, seen: &[bool]) -> Vec<NodeId> {
    let arg = &exploration.arg;
    let reachable = || arg.ids().filter(|n| seen[n.0 as usize]);
    let waits = |link: &Link<C::State>| !link.covers || cpa.needs_no_label(&arg.node(link.to).state);
    let edges = |n: usize| {
        let links = arg.node(NodeId(n as u32)).links.iter();
        links.filter(|l| waits(l)).map(|l| l.to.0 as usize).collect::<Vec<usize>>()
    };
    let nodes: Vec<usize> = reachable().map(|n| n.0 as usize).collect();
    let mut order: Vec<NodeId> = ordered(arg.len(), &nodes, edges).into_iter().map(|n| NodeId(n as u32)).collect();
    // Nodes on a cycle without labels; a certificate with them is rejected.
    let done: FxHashSet<NodeId> = order.iter().copied().collect();
    order.extend(reachable().filter(|n| !done.contains(n)));
    order
}

/// The links of a node by run: those to states that cover the end of one run together follow each other.
fn distinct_runs<S>(links: &[Link<S>]) -> impl Iterator<Item = &[Link<S>]> {
    links.chunk_by(|a, b| a.covers && b.covers && a.run == b.run)
}

/// Where control is at a node of the certificate.
#[derive(Clone, Copy)]
struct Passed {
    loc: LocId,
    stack: Option<FrameId>,
}

impl Passed {
    fn node(self, label: Option<Label>) -> Node {
        // Most nodes have one successor.
        let successors = Vec::with_capacity(1);
        Node { loc: self.loc, stack: self.stack, label: label.map(Box::new), repeats: None, successors }
    }

    fn after(self, program: &Program, frames: &mut Frames<StackId>, taken: checker::Step) -> Passed {
        let top = self.stack.map(|f| frames.all[f as usize]);
        let step = location::step(program, self.loc, top.map(|f| f.return_to), taken);
        let stack = match step.action {
            Action::Op(_) => self.stack,
            Action::Enter(_, return_to) => Some(frames.push(return_to, self.stack)),
            Action::Leave => top.and_then(|f| f.below),
        };
        Passed { loc: step.to, stack }
    }
}

/// The number of steps since the last label on the way to a node, and the number after which the next one is due.
#[derive(Clone, Copy)]
struct Gap {
    steps: u32,
    due: u32,
}

impl Gap {
    fn after(self, steps: usize) -> Gap {
        Gap { steps: self.steps.saturating_add(steps as u32), due: self.due }
    }
}

struct Labels {
    gaps: Vec<Gap>,
}

impl Labels {
    fn label<C: Located>(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        n: NodeId,
        state: &C::State,
        needed: bool,
    ) -> Option<Label> {
        let gap = &mut self.gaps[n.0 as usize];
        if !needed && gap.steps < gap.due {
            return None;
        }
        let before = cx.terms.len();
        let label = cpa.label(cx, state);
        let entries = label.env.globals.len()
            + label.env.locals.len()
            + label.below.iter().map(|f| f.len()).sum::<usize>()
            + label.constraints.len();
        let size = u32::try_from(entries.max(cx.terms.len() - before)).unwrap_or(u32::MAX);
        if !needed && gap.steps < size {
            gap.due = size;
            return None;
        }
        *gap = Gap { steps: 0, due: MIN_GAP };
        Some(label)
    }
}
