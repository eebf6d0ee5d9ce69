//! Orders of variables in decision diagrams. Finding the best one is NP-complete (Bollig, Wegener, IEEE Trans. Computers 1996), so these are
//! heuristics.

use crate::program::Program;
use cfa::{Id, LocId, Op, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How variables are ordered in decision diagrams.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// Variables that depend on each other come close to each other.
    #[default]
    Dependence,
    /// As in the program.
    Declaration,
    /// Against that of the program.
    Reversed,
}

impl Order {
    /// All orders, by the names used in configurations.
    pub const ALL: [(&'static str, Order); 3] =
        [("dependence", Order::Dependence), ("declaration", Order::Declaration), ("reversed", Order::Reversed)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Order::ALL.iter().find(|(_, order)| *order == self).map_or("", |(name, _)| name)
    }

    /// The name of the number of ordered variables in reports.
    pub(super) fn counted(self) -> &'static str {
        match self {
            Order::Dependence => "variables, ordered by dependence",
            Order::Declaration => "variables, ordered by declaration",
            Order::Reversed => "variables, ordered against declaration",
        }
    }
}

/// Number of rounds of the heuristic for dependence; it has mostly settled by then.
const ROUNDS: usize = 40;

/// Maximum number of variables of conditions on which an assignment is taken to depend.
const MOST_GUARDS: usize = 8;

/// `vars`, ascending, in the order `order`.
pub(super) fn arrange(program: &Program, order: Order, vars: Vec<VarId>) -> Vec<VarId> {
    match order {
        Order::Declaration => vars,
        Order::Reversed => vars.into_iter().rev().collect(),
        Order::Dependence => by_dependence(&vars, &dependences(program, &vars)),
    }
}

/// The FORCE heuristic (Aloul, Markov, Sakallah, GLSVLSI 2003): each variable is drawn to the centres of gravity of the groups that it belongs to.
/// Of all arrangements that are passed through, the one with the least sum of the spans of groups is taken.
fn by_dependence(vars: &[VarId], groups: &[(Vec<usize>, u32)]) -> Vec<VarId> {
    let n = vars.len();
    let mut place: Vec<usize> = (0..n).collect();
    let span = |place: &[usize]| -> u64 {
        let of = |group: &[usize]| {
            let places = group.iter().map(|v| place[*v]);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        };
        groups.iter().map(|(group, weight)| of(group) as u64 * u64::from(*weight)).sum()
    };
    let mut best = (span(&place), place.clone());
    for _ in 0..ROUNDS {
        let mut pull = vec![(0.0f64, 0.0f64); n];
        for (group, weight) in groups {
            let centre = group.iter().map(|v| place[*v] as f64).sum::<f64>() / group.len() as f64;
            for v in group {
                pull[*v].0 += centre * f64::from(*weight);
                pull[*v].1 += f64::from(*weight);
            }
        }
        let at = |v: usize| if pull[v].1 > 0.0 { pull[v].0 / pull[v].1 } else { place[v] as f64 };
        let mut sorted: Vec<usize> = (0..n).collect();
        sorted.sort_by(|a, b| at(*a).total_cmp(&at(*b)).then(place[*a].cmp(&place[*b])));
        let mut next = vec![0; n];
        sorted.iter().enumerate().for_each(|(i, v)| next[*v] = i);
        if next == place {
            break;
        }
        place = next;
        let now = span(&place);
        if now < best.0 {
            best = (now, place.clone());
        }
    }
    let mut arranged: Vec<VarId> = vars.to_vec();
    best.1.iter().enumerate().for_each(|(v, i)| arranged[*i] = vars[v]);
    arranged
}

/// The groups of variables (by index in `vars`) that depend on each other, and how often: what an operation reads and writes, and what it
/// writes with the variables of the conditions on the way to it. Temporaries stand for the variables that they were computed from.
fn dependences(program: &Program, vars: &[VarId]) -> Vec<(Vec<usize>, u32)> {
    let index: FxHashMap<VarId, usize> = vars.iter().enumerate().map(|(i, v)| (*v, i)).collect();
    let mut groups: FxHashMap<Vec<usize>, u32> = FxHashMap::default();
    let mut note = |group: FxHashSet<usize>| {
        let mut group: Vec<usize> = group.into_iter().collect();
        group.sort_unstable();
        if group.len() > 1 {
            *groups.entry(group).or_default() += 1;
        }
    };
    let mut seen = fixedbitset::FixedBitSet::with_capacity(program.cfa.locs.len());
    for start in program.view.reachable(&program.cfa) {
        if seen.contains(start.index()) || !(program.is_join(start) || start == program.start()) {
            continue;
        }
        // Where no paths meet, the graph is a tree.
        let mut open: Vec<(LocId, Path)> = vec![(start, Path::default())];
        while let Some((l, path)) = open.pop() {
            seen.insert(l.index());
            for e in program.view.out(l) {
                let op = program.op(e);
                let mut path = path.clone();
                let sources = |path: &Path, v: VarId| -> Vec<usize> {
                    match (index.get(&v), path.temporaries.get(&v)) {
                        (Some(i), _) => vec![*i],
                        (None, Some(of)) => of.clone(),
                        (None, None) => Vec::new(),
                    }
                };
                match op {
                    Op::Assume { cond, .. } => {
                        let all: Vec<usize> =
                            program.base.vars(*cond).into_iter().flat_map(|v| sources(&path, v)).collect();
                        note(all.iter().copied().collect());
                        path.guards.extend(all);
                        let surplus = path.guards.len().saturating_sub(MOST_GUARDS);
                        path.guards.drain(..surplus);
                    }
                    Op::Assign(list) => {
                        for (v, t) in list.iter() {
                            let read: Vec<usize> =
                                program.base.vars(*t).into_iter().flat_map(|v| sources(&path, v)).collect();
                            if let Some(i) = index.get(v) {
                                note(read.iter().copied().chain([*i]).collect());
                                note(path.guards.iter().copied().chain([*i]).collect());
                            } else {
                                path.temporaries.insert(*v, read);
                            }
                        }
                    }
                    _ => {}
                }
                if !program.is_join(e.to) && !seen.contains(e.to.index()) {
                    open.push((e.to, path));
                }
            }
        }
    }
    let mut groups: Vec<(Vec<usize>, u32)> = groups.into_iter().collect();
    groups.sort_unstable();
    groups
}

/// What is known on the way from the last location where paths meet.
#[derive(Clone, Default)]
struct Path {
    /// The variables of the last conditions.
    guards: Vec<usize>,
    /// The variables from which temporaries were computed.
    temporaries: imbl::HashMap<VarId, Vec<usize>>,
}
