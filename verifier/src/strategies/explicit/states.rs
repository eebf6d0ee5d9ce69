//! Sets of states as packed rows.
//!
//! A row has one small number for each live slot of a *site*, a cut with a call stack: the index of its range among those that the slot
//! has had there. Rows lie one after the other in one vector, and a table of open addressing finds them by their hash.

use super::machine::{Place, Slot};
use cfa::Range;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::rc::Rc;

/// Index of a state.
pub(super) type StateId = u32;

/// The ranges of a slot at a site.
#[derive(Default)]
pub(super) struct Values {
    pub(super) all: Vec<Range>,
    ids: FxHashMap<Range, u16>,
    last: u16,
}

impl Values {
    /// The index of `r`; `None` if there are too many.
    fn id(&mut self, r: Range) -> Option<u16> {
        if self.all.get(usize::from(self.last)) == Some(&r) {
            return Some(self.last);
        }
        self.last = match self.ids.get(&r) {
            Some(known) => *known,
            None => {
                let new = u16::try_from(self.all.len()).ok()?;
                self.all.push(r);
                self.ids.insert(r, new);
                new
            }
        };
        Some(self.last)
    }
}

/// The states at one cut under one call stack.
pub(super) struct Site {
    pub(super) cut: Place,
    pub(super) stack: u32,
    /// The slots that matter there.
    pub(super) live: Rc<[Slot]>,
    pub(super) values: Vec<Values>,
    pub(super) rows: Vec<u16>,
    /// The states there, by row.
    pub(super) states: Vec<StateId>,
    /// Open addressing: the index of a row plus one, or zero.
    table: Vec<u32>,
}

impl Site {
    pub(super) fn new(cut: Place, stack: u32, live: Rc<[Slot]>) -> Site {
        let values = live.iter().map(|_| Values::default()).collect();
        Site { cut, stack, live, values, rows: Vec::new(), states: Vec::new(), table: vec![0; 16] }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    fn row_at(&self, row: usize) -> &[u16] {
        let n = self.live.len();
        &self.rows[row * n..(row + 1) * n]
    }

    /// The ranges of the live slots in a row.
    pub(super) fn ranges(&self, row: usize) -> impl Iterator<Item = (Slot, Range)> + '_ {
        let packed = self.row_at(row);
        self.live.iter().zip(&self.values).zip(packed).map(|((slot, values), i)| (*slot, values.all[usize::from(*i)]))
    }

    /// Adds the row with these ranges, one for each live slot, unless it is there. Returns whether it is new, and its number; `None` if a
    /// slot has too many values.
    pub(super) fn add(&mut self, ranges: impl Iterator<Item = Range>, state: StateId) -> Option<(bool, usize)> {
        let begin = self.rows.len();
        for (values, r) in self.values.iter_mut().zip(ranges) {
            match values.id(r) {
                Some(i) => self.rows.push(i),
                None => {
                    self.rows.truncate(begin);
                    return None;
                }
            }
        }
        if 2 * (self.len() + 1) > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let new = &self.rows[begin..];
        let mut at = hash(new) as usize & mask;
        while let Some(row) = (self.table[at] as usize).checked_sub(1) {
            if self.row_at(row) == new {
                self.rows.truncate(begin);
                return Some((false, row));
            }
            at = (at + 1) & mask;
        }
        let row = self.len();
        self.table[at] = (row + 1) as u32;
        self.states.push(state);
        Some((true, row))
    }

    fn grow(&mut self) {
        let size = 2 * self.table.len();
        let mut table = vec![0; size];
        for row in 0..self.len() {
            let mut at = hash(self.row_at(row)) as usize & (size - 1);
            while table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            table[at] = (row + 1) as u32;
        }
        self.table = table;
    }

    /// Size in bytes, about.
    pub(super) fn size(&self) -> usize {
        2 * self.rows.len() + 4 * (self.table.len() + self.states.len())
    }
}

fn hash(row: &[u16]) -> u64 {
    let mut h = FxHasher::default();
    for four in row.chunks(4) {
        h.write_u64(four.iter().fold(0, |word, i| word << 16 | u64::from(*i)));
    }
    let h = h.finish();
    h ^ (h >> 32)
}
