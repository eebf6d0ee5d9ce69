//! Precisions: what is tracked of which variables.
//!
//! ```text
//! not at all -> by class -> by class, and as they are between the constants of the program -> as they are
//! ```
//!
//! Variables that are copied or compared to each other are in one group, which is tracked in one way.

use super::Whole;
use super::classes::{Classes, Values};
use super::machine::{Machine, Slot};
use super::states::Site;
use cfa::VarId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of values of a group that are tracked as they are in spite of too many states.
const FEW: usize = 8;
/// Maximum number of numbers that get classes of their own.
const MAX_WINDOW: u64 = 100;

/// What is known of values.
pub(super) struct Precision {
    /// Variables of which nothing is known.
    pub(super) untracked: FxHashSet<VarId>,
    /// Groups of slots whose values are classes from one cut to the next.
    pub(super) classed: FxHashSet<usize>,
    /// Those of them for which each number between the constants of the program is a class.
    parted: FxHashSet<usize>,
    /// Groups that a refinement has made more precise.
    refined: FxHashSet<usize>,
    /// The variables of each group.
    members: FxHashMap<usize, Vec<VarId>>,
}

impl Precision {
    pub(super) fn new(whole: &Whole<'_>) -> Precision {
        let mut members: FxHashMap<usize, Vec<VarId>> = FxHashMap::default();
        for (slot, v) in whole.machine.slots.iter().enumerate() {
            members.entry(whole.classes.group(slot as Slot)).or_default().push(v.var);
        }
        Precision {
            untracked: FxHashSet::default(),
            classed: FxHashSet::default(),
            parted: FxHashSet::default(),
            refined: FxHashSet::default(),
            members,
        }
    }

    pub(super) fn is_untracked(&self, group: usize) -> bool {
        self.members.get(&group).is_some_and(|all| all.iter().any(|v| self.untracked.contains(v)))
    }

    /// Whether the low bits of a group decide a test.
    fn is_decided(&self, whole: &Whole<'_>, group: usize) -> bool {
        self.members[&group].iter().any(|v| whole.machine.decided.contains(v))
    }

    /// Parts the classes of `machine`, which is compiled from a slice.
    pub(super) fn part(&self, whole: &Whole<'_>, machine: &Machine, classes: &mut Classes) {
        for group in &self.parted {
            let slots = self.members[group].iter().filter_map(|v| machine.slot(*v));
            if let Some(window) = whole.classes.window(*group) {
                for slot in slots {
                    classes.part(slot, window);
                }
            }
        }
    }

    /// Tracks a group more precisely; `false` if it is tracked as it is.
    pub(super) fn refine(&mut self, whole: &Whole<'_>, group: usize) -> bool {
        if self.is_untracked(group) {
            for v in &self.members[&group] {
                self.untracked.remove(v);
            }
            if whole.classes.origin(group) != Values::Constants {
                self.classed.insert(group);
            }
        } else if !self.classed.contains(&group) {
            return false;
        } else if whole.classes.window(group).is_none_or(|w| w.hi.abs_diff(w.lo) > MAX_WINDOW)
            || !self.parted.insert(group)
        {
            self.classed.remove(&group);
            self.parted.remove(&group);
        }
        self.refined.insert(group);
        true
    }

    /// Tracks groups less precisely that have many values among the states of `sites`, unless a refinement has made them more precise;
    /// whether there are any. `groups` are those of the slots.
    pub(super) fn coarsen(&mut self, whole: &Whole<'_>, sites: &[Site], groups: &[Option<usize>]) -> bool {
        let mut any = false;
        for (slot, values) in sites.iter().flat_map(|site| site.live.iter().zip(&site.values)) {
            let Some(group) = groups[*slot as usize] else { continue };
            if self.classed.contains(&group) || self.is_untracked(group) || self.refined.contains(&group) {
                continue;
            }
            match whole.classes.origin(group) {
                // Not even its low bits would be known of what is sliced away.
                Values::Counts if values.all.len() > 1 && self.is_decided(whole, group) => {
                    self.classed.insert(group);
                }
                Values::Counts if values.all.len() > 1 => self.untracked.extend(&self.members[&group]),
                Values::Computed if values.all.len() > FEW => drop(self.classed.insert(group)),
                Values::Constants | Values::Counts | Values::Computed => continue,
            }
            any = true;
        }
        any
    }
}
