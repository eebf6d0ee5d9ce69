//! The claimed contents of objects: by granule, by residue, or anywhere in the object.

use super::{Check, Verdict};
use cfa::offset::Pointee;
use cfa::pointers::{ContentClaim, SetId};
use cfa::{Id, ObjectId, ObjectKind};
use smallvec::SmallVec;

/// Granules by their numbers in the claims, each with its residue.
type Touched = SmallVec<[(u32, Option<u32>); 4]>;

impl<'a> Check<'a> {
    pub(super) fn content(&self, o: ObjectId) -> &'a ContentClaim {
        &self.claims.contents[o.index()]
    }

    pub(super) fn read_any(&mut self, o: ObjectId) -> SetId {
        let c = self.content(o);
        self.union(c.granules.iter().map(|g| g.1).chain(c.residues).chain([c.all]))
    }

    /// Checks that `s` is claimed to lie anywhere in the object.
    pub(super) fn write_any(&mut self, o: ObjectId, s: SetId) -> Verdict {
        let all = self.content(o).all;
        self.within(s, all, || format!("the content of {}", self.cfa.objects[o].name))
    }

    /// The granules that are touched by `bytes` bytes (`None`: an unknown number), beginning `at` bytes after a pointee: for each, its number
    /// in the claims, and the residue that it has. `Err(Some(r))`: some granule of the residue `r`. `Err(None)`: any granules.
    ///
    /// The last granule of the claims stands for the rest of the object. Of each residue in it, one that is touched is listed.
    fn granules(&self, (o, offset): Pointee, at: u64, bytes: Option<u64>) -> Result<Touched, Option<u32>> {
        let grid = self.claims.grid;
        let g = i64::from(grid.granule_bytes.max(1));
        let bytes = bytes.and_then(|n| i64::try_from(n).ok());
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        if let Some(k) = offset.as_exact() {
            let end = self.cfa.objects[o].size_bytes.map_or(i64::MAX, |s| i64::try_from(s).unwrap_or(i64::MAX));
            let lo = k.saturating_add(at);
            let Some(bytes) = bytes else {
                // The rest of a block, of which the start fills the object.
                return if at > 0 && lo >= end { Ok(Touched::new()) } else { Err(None) };
            };
            let hi = lo.saturating_add(bytes);
            let (lo, hi) = (lo.max(0), hi.min(end));
            if lo >= hi {
                return Ok(Touched::new());
            }
            let (first, last) = (lo / g, (hi - 1) / g);
            let rest = i64::from(grid.granules);
            let more = first.max(rest)..=last.min(first.max(rest) + i64::from(grid.period.max(1)) - 1);
            let residue = |i: i64| (grid.period > 0).then(|| (i % i64::from(grid.period)) as u32);
            return Ok((first..=last.min(rest - 1)).chain(more).map(|i| (i.min(rest) as u32, residue(i))).collect());
        }
        match (offset.remainder(), bytes) {
            (Some(rem), Some(bytes)) if grid.period > 0 && grid.period <= 4 => {
                let first = i64::from(rem) + at;
                // All bytes are in one granule of the residue.
                if first % g + bytes <= g { Err(Some((first / g % i64::from(grid.period)) as u32)) } else { Err(None) }
            }
            _ => Err(None),
        }
    }

    /// What is claimed of all granules with a residue.
    fn of_residue(c: &ContentClaim, residue: Option<u32>) -> SetId {
        residue.and_then(|r| c.residues.get(r as usize)).copied().unwrap_or(0)
    }

    /// Whether some part of the granule has the residue: the last granule, which is the rest of the object, has parts of each.
    fn holds(&self, residue: u32, granule: u32) -> bool {
        let grid = self.claims.grid;
        granule == grid.granules || (grid.period > 0 && granule % grid.period == residue)
    }

    /// What may be stored in the `bytes` bytes that begin `at` bytes after what `address` points to.
    pub(super) fn read(&mut self, address: SetId, at: u64, bytes: Option<u64>) -> SetId {
        let mut parts: Vec<SetId> = Vec::new();
        for i in 0..self.sets[address as usize].len() {
            let pointee = self.sets[address as usize][i];
            if matches!(self.cfa.objects[pointee.0].kind, ObjectKind::Function(_)) {
                continue;
            }
            let c = self.content(pointee.0);
            parts.push(c.all);
            match self.granules(pointee, at, bytes) {
                Ok(touched) => {
                    for (granule, residue) in touched {
                        parts.extend(c.granules.iter().find(|(g, _)| *g == granule).map(|g| g.1));
                        parts.push(Self::of_residue(c, residue));
                    }
                }
                Err(Some(residue)) => {
                    parts.extend(c.granules.iter().filter(|(g, _)| self.holds(residue, *g)).map(|g| g.1));
                    parts.push(c.residues[residue as usize]);
                }
                Err(None) => parts.extend(c.granules.iter().map(|g| g.1).chain(c.residues)),
            }
        }
        self.union(parts)
    }

    /// Checks that `value` is claimed to lie in the `bytes` bytes that begin `at` bytes after what `address` points to.
    pub(super) fn write(&mut self, address: SetId, at: u64, bytes: Option<u64>, value: SetId) -> Verdict {
        if value == 0 {
            return Ok(());
        }
        for i in 0..self.sets[address as usize].len() {
            let pointee = self.sets[address as usize][i];
            if matches!(self.cfa.objects[pointee.0].kind, ObjectKind::Function(_)) {
                continue;
            }
            let c = self.content(pointee.0);
            let name = || format!("the content of {}", self.cfa.objects[pointee.0].name);
            match self.granules(pointee, at, bytes) {
                Ok(touched) => {
                    for (granule, residue) in touched {
                        let own = c.granules.iter().find(|(g, _)| *g == granule).map_or(0, |g| g.1);
                        let there = self.union([Self::of_residue(c, residue), own, c.all]);
                        self.within(value, there, name)?;
                    }
                }
                Err(Some(residue)) => {
                    let there = self.union([c.residues[residue as usize], c.all]);
                    let name = name();
                    self.within(value, there, || name)?;
                }
                Err(None) => {
                    let name = name();
                    self.within(value, c.all, || name)?;
                }
            }
        }
        Ok(())
    }
}
