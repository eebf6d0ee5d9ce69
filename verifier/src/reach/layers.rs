//! What was expanded of merged states, layer by layer, for analyses that [ask for it](crate::cpa::Cpa::in_layers).
//!
//! A merged state lies on many paths, and the one by which its node was found first may not lead to a target that is found later. So the
//! exploration keeps, for each node, the states that weakened it, each with the *expansion* that it came from: a part of a node's state and a
//! point in time. From a target a real path is found by walking back: the part of the expansion that leads there was, in turn, brought by earlier
//! arrivals, one of which has something in common with it.
//!
//! Of a state that [needs no label](crate::cpa::Cpa::needs_no_label), only what was not expanded yet is kept: where each cycle has a node with a
//! label, nothing would end earlier if it was compared with all that came before. When nothing is left to expand, each state with a label is expanded
//! once more as a whole, so that the links of all nodes are those of their states.
//!
//! ```text
//! expansions   1 (loop, a = 0)    2 (loop, a = 1)    3 (loop, a = 2)    ...
//! arrivals        at loop: a = 1 from 1     a = 2 from 2     at target: a = 2 from 3
//! walking back    target <- 3 <- the arrival a = 2 <- 2 <- the arrival a = 1 <- 1
//! ```

use crate::cpa::{Cx, Located, Step};
use crate::program::Halt;
use crate::reach::arg::{Arg, NodeId};
use crate::reach::path_check::steps_to;
use crate::reach::segments::RunId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of an expansion; later ones have greater numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExpansionId(u32);

/// A state that weakened the state of a node, or with which it was added.
#[derive(Clone, Debug)]
pub struct Arrival<S> {
    /// The expansion in which it was found.
    pub from: ExpansionId,
    /// The steps to it.
    pub run: RunId,
    /// The state.
    pub state: S,
}

/// The layers of an exploration.
#[derive(Debug)]
pub struct Layers<S> {
    /// For each expansion, the node, and the part of its state.
    expansions: Vec<(NodeId, S)>,
    /// For each node that was expanded, all that was expanded of it, and what that was before the last expansion.
    expanded: FxHashMap<NodeId, (S, Option<S>)>,
    arrivals: FxHashMap<NodeId, Vec<Arrival<S>>>,
    /// Whether links may be missing, since some node was last expanded in part.
    in_parts: bool,
    /// The nodes whose next expansion is one of their whole state.
    as_a_whole: FxHashSet<NodeId>,
    /// The pass in which whole states are expanded, from 1; 0 before the first one.
    pass: u32,
    /// For each node the pass in which it was expanded last.
    passes: FxHashMap<NodeId, u32>,
}

impl<S> Default for Layers<S> {
    fn default() -> Self {
        Layers {
            expansions: Vec::new(),
            expanded: FxHashMap::default(),
            arrivals: FxHashMap::default(),
            in_parts: false,
            as_a_whole: FxHashSet::default(),
            pass: 0,
            passes: FxHashMap::default(),
        }
    }
}

impl<S: Clone> Layers<S> {
    /// What was expanded of `n`; `None` if it is to be expanded as a whole.
    pub fn expanded_before(&self, n: NodeId) -> Option<&S> {
        if self.as_a_whole.contains(&n) { None } else { self.expanded.get(&n).map(|(all, _)| all) }
    }

    /// Notes that `n` is expanded from `state`; `whole` is its whole state, if that is kept.
    pub fn expand(&mut self, n: NodeId, state: &S, whole: Option<S>) -> ExpansionId {
        self.in_parts |= whole.is_some() && !self.as_a_whole.remove(&n) && self.expanded.contains_key(&n);
        if let Some(whole) = whole {
            let before = self.expanded.remove(&n).map(|(all, _)| all);
            self.expanded.insert(n, (whole, before));
        }
        self.passes.insert(n, self.pass);
        self.expansions.push((n, state.clone()));
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// Whether another state may take the place of that of `n`, a node whose state is kept only until it is expanded. Notes that it does.
    pub fn gives_way(&mut self, n: NodeId) -> bool {
        let expanded_now = self.pass > 0 && self.passes.get(&n) == Some(&self.pass);
        self.in_parts |= self.pass == 0;
        !expanded_now
    }

    /// Notes that a node has lost its links, although nothing of it is left to expand.
    pub fn lost_links(&mut self) {
        self.in_parts = true;
    }

    /// Takes back the last expansion of `n`, whose steps could not be taken.
    pub fn undo(&mut self, n: NodeId) {
        if let Some((_, Some(before))) = self.expanded.remove(&n) {
            self.expanded.insert(n, (before, None));
        }
    }

    /// Notes what weakened the state of `n`, or what it was added with.
    pub fn arrive(&mut self, n: NodeId, arrival: Arrival<S>) {
        self.arrivals.entry(n).or_default().push(arrival);
    }

    /// If links may be missing: the nodes whose states are kept; from now on, they are to be expanded as a whole.
    pub fn expand_all_again(&mut self) -> Vec<NodeId> {
        if !std::mem::take(&mut self.in_parts) {
            return Vec::new();
        }
        let mut again: Vec<NodeId> = self.expanded.keys().copied().collect();
        again.sort_unstable();
        self.as_a_whole.extend(again.iter().copied());
        self.pass += 1;
        again
    }
}

/// The steps of a path to `target`: one on which each state is a successor of the one before, if the layers say so.
///
/// Errors: those of the analysis.
pub fn path_to<'p, C: Located>(
    arg: &Arg<C>,
    cpa: &mut C,
    cx: &mut Cx<'p>,
    target: NodeId,
) -> Result<Vec<Step<'p>>, Halt> {
    let walked = match &arg.layers {
        Some(layers) => walk_back(arg, layers, cpa, cx, target)?,
        None => None,
    };
    Ok(walked.unwrap_or_else(|| steps_to(arg, cx, target)))
}

/// Walks back from `target`; `None` if the analysis is too imprecise for it.
fn walk_back<'p, C: Located>(
    arg: &Arg<C>,
    layers: &Layers<C::State>,
    cpa: &mut C,
    cx: &mut Cx<'p>,
    target: NodeId,
) -> Result<Option<Vec<Step<'p>>>, Halt> {
    let mut path: Vec<Step<'p>> = Vec::new();
    let Some(last) = layers.arrivals.get(&target).and_then(|all| all.first()) else { return Ok(None) };
    let (mut arrival, mut aim) = (last, last.state.clone());
    loop {
        cx.budget.check()?;
        let (n, part) = &layers.expansions[arrival.from.0 as usize];
        let Some(mut along) = along(arg, cpa, cx, (*n, part), arrival.run)? else { return Ok(None) };
        while let Some((state, step)) = along.pop() {
            let Some(before) = cpa.before(cx, &state, &step, &aim)? else { return Ok(None) };
            aim = before;
            path.push(step);
        }
        // The part came from arrivals before this expansion; the first ones need the fewest steps.
        let earlier = layers.arrivals.get(n).into_iter().flatten().take_while(|a| a.from < arrival.from);
        let mut found = None;
        for before in earlier {
            if let Some(common) = cpa.common(cx, &aim, &before.state)? {
                found = Some((before, common));
                break;
            }
        }
        match found {
            Some((before, common)) => (arrival, aim) = (before, common),
            None if arg.node(*n).parent.is_none() => break,
            None => return Ok(None),
        }
    }
    path.reverse();
    Ok(Some(path))
}

/// The states on a run, each with the step that is taken from it.
#[allow(clippy::type_complexity, reason = "pairs of states and steps")]
fn along<'p, C: Located>(
    arg: &Arg<C>,
    cpa: &mut C,
    cx: &mut Cx<'p>,
    (n, part): (NodeId, &C::State),
    run: RunId,
) -> Result<Option<Vec<(C::State, Step<'p>)>>, Halt> {
    let (mut state, precision) = (part.clone(), arg.node(n).precision.clone());
    let (mut along, mut steps, mut next) = (Vec::new(), Vec::new(), Vec::new());
    for taken in arg.runs.steps(run) {
        steps.clear();
        cpa.steps(cx.program, &state, &mut steps);
        let Some(step) = steps.iter().find(|s| s.taken == *taken).copied() else { return Ok(None) };
        next.clear();
        cpa.transfer(cx, &state, step, &precision, &mut next)?;
        let Some(after) = next.pop() else { return Ok(None) };
        along.push((std::mem::replace(&mut state, after), step));
    }
    Ok(Some(along))
}
