//! The certificate of a finished exploration: its ARG, with labels where they are needed.
//!
//! A node needs a label where a covered step leads to it, and where its state has facts that the checker could not derive itself. In
//! between, the checker executes the program, which knows at least what the analysis knows. So that its formulas do not grow with
//! the length of paths, further nodes are labelled, each after as many steps as its label is large.

use crate::domains::callstack::StackId;
use crate::engine::arg::NodeId;
use crate::engine::cpa::{Cx, Located};
use crate::engine::explore::Exploration;
use checker::{Certificate, Frame, FrameId, Label, Node, Successor};
use rustc_hash::FxHashMap;

/// Fewest steps between two labels of the third kind.
const MIN_GAP: u32 = 64;

/// The certificate that no target is reachable. The exploration has ended without a target and without cuts.
pub fn certificate<C: Located>(exploration: &Exploration<C>, cpa: &mut C, cx: &mut Cx<'_>) -> Certificate {
    let arg = &exploration.arg;
    let mut numbers: Vec<Option<u32>> = vec![None; arg.len()];
    let mut needs_label = vec![false; arg.len()];
    let mut reachable = vec![NodeId(0)];
    let mut seen = vec![false; arg.len()];
    seen[0] = true;
    while let Some(n) = reachable.pop() {
        for link in &arg.node(n).links {
            needs_label[link.to.0 as usize] |= link.covers;
            if !std::mem::replace(&mut seen[link.to.0 as usize], true) {
                reachable.push(link.to);
            }
        }
    }
    let order: Vec<NodeId> = arg.ids().filter(|n| seen[n.0 as usize]).collect();
    for (i, n) in order.iter().enumerate() {
        numbers[n.0 as usize] = Some(i as u32);
    }
    let mut labels = Labels { gaps: vec![Gap { steps: 0, due: MIN_GAP }; arg.len()] };
    let mut frames = Frames::default();
    let mut nodes = Vec::with_capacity(order.len());
    let mut steps = Vec::new();
    for &n in &order {
        let node = arg.node(n);
        let at = cpa.key(&node.state);
        let mut needed = needs_label[n.0 as usize];
        if let Some(&(parent, taken)) = node.parents.first() {
            let before = &arg.node(parent).state;
            if !needed {
                steps.clear();
                cpa.steps(cx.program, before, &mut steps);
                needed =
                    steps.iter().find(|s| s.taken == taken).is_some_and(|s| cpa.states_news(s, before, &node.state));
            }
            labels.gaps[n.0 as usize] = labels.gaps[parent.0 as usize].after_step();
        }
        let label = labels.label(cpa, cx, n, &node.state, needed);
        let successors = node
            .links
            .iter()
            .map(|link| Successor {
                step: link.step,
                to: numbers[link.to.0 as usize].expect("links lead to reachable nodes"),
                witness: exploration
                    .witnesses
                    .get(&(n, link.step))
                    .filter(|_| link.covers)
                    .cloned()
                    .unwrap_or_default(),
            })
            .collect();
        nodes.push(Node { loc: at.loc, stack: frames.of(cpa, at.stack), label, repeats: None, successors });
    }
    Certificate { slice: cx.program.slice.clone(), terms: cx.terms.clone(), frames: frames.all, nodes }
}

/// Steps since the last label on the way to a node, and after how many the next one is due.
#[derive(Clone, Copy)]
struct Gap {
    steps: u32,
    due: u32,
}

impl Gap {
    fn after_step(self) -> Gap {
        Gap { steps: self.steps.saturating_add(1), due: self.due }
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

/// Frames of the certificate, one for each stack.
#[derive(Default)]
struct Frames {
    all: Vec<Frame>,
    ids: FxHashMap<StackId, FrameId>,
}

impl Frames {
    fn of<C: Located>(&mut self, cpa: &C, stack: StackId) -> Option<FrameId> {
        // Frames to be made, the top one first: stacks may be deep.
        let mut missing = Vec::new();
        let mut at = stack;
        while let Some((return_to, below)) = cpa.frame(at)
            && !self.ids.contains_key(&at)
        {
            missing.push((at, return_to, below));
            at = below;
        }
        for (id, return_to, below) in missing.into_iter().rev() {
            let below = self.ids.get(&below).copied();
            self.ids.insert(id, self.all.len() as FrameId);
            self.all.push(Frame { return_to, below });
        }
        self.ids.get(&stack).copied()
    }
}
