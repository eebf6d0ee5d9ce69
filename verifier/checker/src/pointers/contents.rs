//! The claimed contents of objects: by granule, by residue, or anywhere in the object.

use super::{Check, Verdict};
use cfa::offset::Pointee;
use cfa::pointers::{ContentClaim, SetId};
use cfa::{Id, ObjectId, ObjectKind};

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

    /// The granules covered by `bytes` bytes (`None`: an unknown number), beginning `at` bytes after a pointee; an empty range if all of
    /// them lie outside the object. `Err(Some(r))`: some granule of the residue `r`. `Err(None)`: any granules.
    fn granules(
        &self,
        (o, offset): Pointee,
        at: u64,
        bytes: Option<u64>,
    ) -> Result<std::ops::RangeInclusive<u32>, Option<u32>> {
        let grid = self.claims.grid;
        let g = i64::from(grid.granule_bytes.max(1));
        let Some(bytes) = bytes.and_then(|n| i64::try_from(n).ok()) else { return Err(None) };
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        if let Some(k) = offset.as_exact() {
            let end = self.cfa.objects[o].size_bytes.map_or(i64::MAX, |s| i64::try_from(s).unwrap_or(i64::MAX));
            let (lo, hi) = (k.saturating_add(at), k.saturating_add(at).saturating_add(bytes));
            let (lo, hi) = (lo.max(0), hi.min(end));
            let granule = |byte: i64| (byte / g).min(i64::from(grid.granules)) as u32;
            #[expect(clippy::reversed_empty_ranges, reason = "no granule is covered")]
            return Ok(if lo < hi { granule(lo)..=granule(hi - 1) } else { 1..=0 });
        }
        match offset.remainder() {
            Some(rem) if grid.period > 0 && grid.period <= 4 => {
                let first = i64::from(rem) + at;
                // All bytes are in one granule of the residue.
                if first % g + bytes <= g { Err(Some((first / g % i64::from(grid.period)) as u32)) } else { Err(None) }
            }
            _ => Err(None),
        }
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
            let residues = 0..c.residues.len() as u32;
            match self.granules(pointee, at, bytes) {
                Ok(range) => {
                    parts.extend(c.granules.iter().filter(|(g, _)| range.contains(g)).map(|g| g.1));
                    let touched = |r: &u32| range.clone().any(|g| self.holds(*r, g));
                    parts.extend(residues.filter(touched).map(|r| c.residues[r as usize]));
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
                Ok(range) => {
                    for g in range {
                        let own = c.granules.iter().find(|(h, _)| *h == g).map_or(0, |g| g.1);
                        // What is claimed of residues must be claimed of each that a later read may ask for.
                        let residues: Vec<SetId> =
                            (0..4).filter(|r| self.holds(*r, g)).map(|r| c.residues[r as usize]).collect();
                        let claims = if residues.is_empty() { vec![0] } else { residues };
                        for residue in claims {
                            let there = self.union([residue, own, c.all]);
                            self.within(value, there, name)?;
                        }
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
