//! Arrays as memories: reads of several cells, writes, constant memories and block copies.
//!
//! A read is pushed through choices and through those writes and copies for which it can be decided whether they cover its
//! address, so that with concrete addresses no array is left in a formula. What remains is a `Read` over a write to an undecided
//! address, or over a variable or symbol. Addresses and lengths count bytes in every array; an array with cells wider than a byte is
//! only accessed at multiples of its cell size.

use super::{Kind, Reads, Sort, Term, Terms};
use crate::bv::{Bv, BvCmp, BvOp, mask};
use crate::bytes::Bytes;
use rustc_hash::FxHashMap;

/// The relation of two ranges of cells, as far as their address terms tell.
enum Overlap {
    Same,
    Disjoint,
    /// They share cells; the offset of the read range in the written one.
    Partial(i64),
    /// They share no cells, or the read range is in the written one at this offset.
    Within(u32),
    Unknown,
}

/// Some cells of a memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The term from which their address is counted; none if it is a constant.
    pub base: Option<Term>,
    /// The distance of their first byte from there.
    pub at: u64,
    /// Their width in bits.
    pub width: u32,
}

/// Where two memories may differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differences {
    /// The cells, ascending by base and address.
    pub parts: Vec<Part>,
    /// The memory from which both were made.
    pub below: Term,
    /// The number of writes and copies that made the second one.
    pub changes: usize,
}

impl Terms {
    fn array(&self, m: Term) -> (u32, u32) {
        match self.sort(m) {
            Sort::Array { index, elem } => (index, elem),
            other => panic!("{other:?} is not an array sort"),
        }
    }

    /// The memory all of whose cells are `value`.
    pub fn const_array(&mut self, index: u32, value: Term) -> Term {
        let elem = self.width(value);
        self.intern(Kind::ConstArray, &[value], Sort::Array { index, elem })
    }

    /// The relation of the cells in `read_bytes` bytes at `read` to those in `written_bytes` bytes at `written`. Cells of
    /// `cell_bytes` with different addresses are different cells, even if they are less than a cell apart.
    fn overlap(&self, read: Term, read_bytes: u32, written: Term, written_bytes: u32, cell_bytes: u32) -> Overlap {
        let ((xr, kr), (xw, kw)) = (self.split_constant(read), self.split_constant(written));
        if xr != xw {
            return self.overlap_unlike(read, read_bytes, written, written_bytes.into(), cell_bytes);
        }
        let d = Bv::apply(BvOp::Sub, &kr, &kw);
        if d.is_zero() && read_bytes == written_bytes {
            return Overlap::Same;
        }
        let back = d.neg();
        let within = |v: u64, bytes: u32| v < u64::from(bytes) && v.is_multiple_of(u64::from(cell_bytes));
        match (d.to_u64(), back.to_u64()) {
            (Some(v), _) if within(v, written_bytes) => Overlap::Partial(v as i64),
            (_, Some(v)) if within(v, read_bytes) => Overlap::Partial(-(v as i64)),
            _ => Overlap::Disjoint,
        }
    }

    /// The relation of ranges that are not counted from the same term.
    fn overlap_unlike(
        &self,
        read: Term,
        read_bytes: u32,
        written: Term,
        written_bytes: u64,
        cell_bytes: u32,
    ) -> Overlap {
        let (read, written) = ((read, u64::from(read_bytes)), (written, written_bytes));
        match self.known_apart(read, written) {
            true => Overlap::Disjoint,
            false => self.overlap_of_elements(read, written, cell_bytes),
        }
    }

    /// The relation of ranges, of which it is not known how far they are apart, but of what the distance is a multiple: of elements of an
    /// array.
    fn overlap_of_elements(
        &self,
        (read, read_bytes): (Term, u64),
        (written, written_bytes): (Term, u64),
        cell_bytes: u32,
    ) -> Overlap {
        let Some((step, offset)) = self.distances(read, written) else { return Overlap::Unknown };
        // The distance is `offset`, or more than that by `step`, or less.
        let (is_within, begins_within) = (offset + read_bytes <= written_bytes, offset < written_bytes);
        let next_is_apart = written_bytes <= step.saturating_add(offset);
        let last_is_apart = read_bytes <= step - offset;
        match u32::try_from(offset) {
            Ok(offset) if is_within && next_is_apart && last_is_apart && offset.is_multiple_of(cell_bytes) => {
                Overlap::Within(offset)
            }
            _ if !begins_within && last_is_apart => Overlap::Disjoint,
            _ => Overlap::Unknown,
        }
    }

    /// `t` as an optional term (`None` if `t` is a constant) plus a constant.
    pub(super) fn split_constant(&self, t: Term) -> (Option<Term>, Bv) {
        match self.as_bv(t) {
            Some(v) => (None, v),
            None => {
                let (x, k) = self.base_offset(t);
                (Some(x), k)
            }
        }
    }

    /// The value of `width` bits at `address`: a whole number of cells, the lowest address being the least significant.
    pub fn read(&mut self, mem: Term, address: Term, width: u32) -> Term {
        let (_, elem) = self.array(mem);
        debug_assert!(width.is_multiple_of(elem), "read of {width} bits in cells of {elem}");
        let key = (mem, address, width);
        if let Some(&t) = self.reads().get(&key) {
            return t;
        }
        let t = self.read_through(mem, address, width, elem);
        self.reads().insert(key, t);
        t
    }

    /// The results of reads, under the conditions that are known.
    fn reads(&mut self) -> &mut Reads {
        if self.known.is_empty() { &mut self.reads } else { &mut self.reads_known.1 }
    }

    fn read_through(&mut self, mem: Term, address: Term, width: u32, elem: u32) -> Term {
        let bytes = width / 8;
        if let Some((c, a, b)) = self.choice_of_places(address) {
            let (a, b) = (self.read(mem, a, width), self.read(mem, b, width));
            return self.ite(c, a, b);
        }
        let mut m = mem;
        loop {
            match self.kind(m) {
                Kind::Write => {
                    let [below, at, value] = *self.args(m) else { unreachable!("write has three arguments") };
                    let written = self.width(value) / 8;
                    match self.overlap(address, bytes, at, written, elem / 8) {
                        Overlap::Same => return value,
                        Overlap::Disjoint => m = below,
                        Overlap::Partial(offset) if offset >= 0 && offset as u32 + bytes <= written => {
                            let lo = offset as u32 * 8;
                            return self.extract(lo + width - 1, lo, value);
                        }
                        Overlap::Partial(_) => return self.read_cells(m, address, width, elem),
                        Overlap::Unknown if let Some((c, a, b)) = self.choice_of_places(at) => {
                            let (a, b) = (self.write(below, a, value), self.write(below, b, value));
                            let (a, b) = (self.read(a, address, width), self.read(b, address, width));
                            return self.ite(c, a, b);
                        }
                        Overlap::Unknown | Overlap::Within(_) if !self.reaches_copy(below) => break,
                        Overlap::Within(offset) => {
                            let (lo, start) = (offset * 8, self.add_int(at, offset.into()));
                            let (hit, part) = (self.eq(address, start), self.extract(lo + width - 1, lo, value));
                            let rest = self.read(below, address, width);
                            return self.ite(hit, part, rest);
                        }
                        Overlap::Unknown => return self.read_past_write(m, address, width, elem),
                    }
                }
                Kind::Ite => {
                    let [c, a, b] = *self.args(m) else { unreachable!("ite has three arguments") };
                    let (a, b) = (self.read(a, address, width), self.read(b, address, width));
                    return self.ite(c, a, b);
                }
                Kind::ConstArray => {
                    let value = self.args(m)[0];
                    let mut t = value;
                    for _ in 1..width / elem {
                        t = self.concat(value, t);
                    }
                    return t;
                }
                Kind::Copy => {
                    let [dst, to, src, from, len] = *self.args(m) else { unreachable!("copy has five arguments") };
                    let offset = self.sub(address, to);
                    let source = self.add(from, offset);
                    if let Some(n) = self.as_u64(len)
                        && self.as_bv(offset).is_none()
                    {
                        match self.overlap_unlike(address, bytes, to, n, elem / 8) {
                            Overlap::Disjoint => {
                                m = dst;
                                continue;
                            }
                            Overlap::Within(offset) => {
                                let (start, source) =
                                    (self.add_int(to, offset.into()), self.add_int(from, offset.into()));
                                let hit = self.eq(address, start);
                                let (copied, rest) = (self.read(src, source, width), self.read(dst, address, width));
                                return self.ite(hit, copied, rest);
                            }
                            _ => {}
                        }
                    }
                    if let (Some(o), Some(n)) = (self.as_bv(offset), self.as_u64(len)) {
                        let before = o.neg().to_u64().filter(|b| *b != 0 && *b < u64::from(bytes));
                        match o.to_u64() {
                            Some(o) if o.checked_add(u64::from(bytes)).is_some_and(|end| end <= n) => {
                                return self.read(src, source, width);
                            }
                            Some(o) if o < n => {}
                            _ if before.is_none() => {
                                m = dst;
                                continue;
                            }
                            _ => {}
                        }
                    }
                    if width > elem {
                        return self.read_cells(m, address, width, elem);
                    }
                    let inside = self.cmp(BvCmp::Ult, offset, len);
                    let (a, b) = (self.read(src, source, elem), self.read(dst, address, elem));
                    return self.ite(inside, a, b);
                }
                _ => break,
            }
        }
        self.intern(Kind::Read, &[m, address], Sort::Bv(width))
    }

    /// The read of `m`, a write of which it is open whether it covers `address`.
    fn read_past_write(&mut self, m: Term, address: Term, width: u32, elem: u32) -> Term {
        let [below, at, value] = *self.args(m) else { unreachable!("write has three arguments") };
        let written_width = self.width(value);
        if width == written_width {
            let hit = self.eq(address, at);
            let rest = self.read(below, address, width);
            if width == elem {
                return self.ite(hit, value, rest);
            }
            let apart = self.ranges_apart(address, at, width / 8);
            let mixed = self.read_cells(m, address, width, elem);
            let miss = self.ite(apart, rest, mixed);
            return self.ite(hit, value, miss);
        }
        if width > elem {
            return self.read_cells(m, address, width, elem);
        }
        // One cell against a wider write: the offset selects the part.
        let offset = self.sub(address, at);
        let mut found = self.read(below, address, elem);
        for lo in (0..written_width).step_by(elem as usize) {
            let k = self.int(self.width(offset), u64::from(lo / 8));
            let hit = self.eq(offset, k);
            let part = self.extract(lo + elem - 1, lo, value);
            found = self.ite(hit, part, found);
        }
        found
    }

    /// Whether the ranges of `bytes` bytes at `a` and `b` are disjoint.
    fn ranges_apart(&mut self, a: Term, b: Term, bytes: u32) -> Term {
        let n = self.int(self.width(a), u64::from(bytes));
        let (d, e) = (self.sub(a, b), self.sub(b, a));
        let (near, near2) = (self.cmp(BvCmp::Ult, d, n), self.cmp(BvCmp::Ult, e, n));
        let close = self.or(near, near2);
        self.not(close)
    }

    /// Reads cell by cell and concatenates the parts.
    fn read_cells(&mut self, mem: Term, address: Term, width: u32, elem: u32) -> Term {
        let mut whole = None;
        for lo in (0..width).step_by(elem as usize) {
            let at = self.add_int(address, u64::from(lo / 8));
            let part = self.read(mem, at, elem);
            whole = Some(match whole {
                None => part,
                Some(low) => self.concat(part, low),
            });
        }
        whole.expect("a read has at least one cell")
    }

    /// Whether there is a copy or a choice below `m` in its chain of writes. The solver has no operator for copies, so
    /// reads eliminate them; pushing a read further than needed is always correct.
    fn reaches_copy(&self, m: Term) -> bool {
        let mut m = m;
        loop {
            match self.kind(m) {
                Kind::Copy | Kind::Ite => return true,
                Kind::Write => m = self.args(m)[0],
                _ => return false,
            }
        }
    }

    /// `mem` with the cells of `value` at `address`.
    pub fn write(&mut self, mem: Term, address: Term, value: Term) -> Term {
        debug_assert!(self.width(value).is_multiple_of(self.array(mem).1));
        // A write of the value that is already there.
        if self.kind(value) == Kind::Read && self.args(value) == [mem, address] {
            return mem;
        }
        // The last write to the same place is overwritten.
        if self.kind(mem) == Kind::Write {
            let [below, at, old] = *self.args(mem) else { unreachable!("write has three arguments") };
            if at == address && self.sort(old) == self.sort(value) {
                return self.write(below, address, value);
            }
        }
        let sort = self.sort(mem);
        self.intern(Kind::Write, &[mem, address, value], sort)
    }

    /// Where memories may differ that are made from the same one by writes and copies to constant addresses, or to constant distances
    /// from terms of which it is known that what is there lies apart. `None` if they are made in another way, or by too many of these.
    pub fn written_parts(&self, a: Term, b: Term) -> Option<Differences> {
        const MOST_CHANGES: usize = 512;
        const MOST_CELLS: u64 = 4096;
        let is_change = |t: Term| matches!(self.kind(t), Kind::Write | Kind::Copy);
        let below = |t: &Term| is_change(*t).then(|| self.args(*t)[0]);
        let chain = |t: Term| std::iter::successors(Some(t), below).take(MOST_CHANGES);
        let places: FxHashMap<Term, usize> = chain(a).enumerate().map(|(i, t)| (t, i)).collect();
        let (changes, below) = chain(b).enumerate().find(|(_, t)| places.contains_key(t))?;
        let (index, cell) = self.array(a);
        // The bytes that a change affects, and whether it does so as a whole.
        let affected = |change: Term| {
            let args = self.args(change);
            let is_write = self.kind(change) == Kind::Write;
            let bytes = if is_write { u64::from(self.width(args[2]) / 8) } else { self.as_u64(args[4])? };
            let (from, at) = self.split_constant(args[1]);
            let range = Bytes::from(at.to_u64()?, bytes).filter(|range| range.last <= mask(index))?;
            Some((from, range, is_write))
        };
        let all = chain(a).take(places[&below]).chain(chain(b).take(changes));
        let mut ranges: Vec<(Option<Term>, Bytes, bool)> = all.map(affected).collect::<Option<_>>()?;
        ranges.sort_unstable_by_key(|(from, r, is_write)| (*from, r.first, r.last, *is_write));
        ranges.dedup();
        if !self.lie_apart(&ranges) {
            return None;
        }
        let (mut parts, mut cells, mut rest) = (Vec::new(), 0, &ranges[..]);
        while let [(from, range, is_write), ..] = rest {
            let (mut last, mut n) = (range.last, 1);
            while let Some((_, next, _)) = rest.get(n).filter(|(base, next, _)| base == from && next.first <= last) {
                last = last.max(next.last);
                n += 1;
            }
            // Where writes overlap in part, each cell is a part of its own, as it is in copies.
            let is_whole = *is_write && n == 1;
            let width = if is_whole { (last - range.first + 1) as u32 * 8 } else { cell };
            cells += if is_whole { 1 } else { last - range.first + 1 };
            if cells > MOST_CELLS {
                return None;
            }
            parts.extend((range.first..=last).step_by(width as usize / 8).map(|at| Part { base: *from, at, width }));
            rest = &rest[n..];
        }
        Some(Differences { parts, below, changes })
    }

    /// Whether it is known that ranges with different bases, in this order, share no byte.
    fn lie_apart(&self, ranges: &[(Option<Term>, Bytes, bool)]) -> bool {
        let hulls: Vec<(Option<Term>, Bytes)> = ranges
            .chunk_by(|a, b| a.0 == b.0)
            .map(|of_base| {
                let last = of_base.iter().map(|(_, r, _)| r.last).max().expect("not empty");
                (of_base[0].0, Bytes { first: of_base[0].1.first, last })
            })
            .collect();
        hulls.iter().enumerate().all(|(i, a)| hulls[..i].iter().all(|b| self.known_hulls_apart(*a, *b)))
    }

    /// The address of a part.
    pub fn address_of(&mut self, part: Part, index: u32) -> Term {
        match part.base {
            Some(base) => self.add_int(base, part.at),
            None => self.int(index, part.at),
        }
    }

    /// The equality of memories by what they hold where they may differ, if that is known; `None` for other terms.
    pub(super) fn same_parts(&mut self, a: Term, b: Term) -> Option<Term> {
        let Sort::Array { index, .. } = self.sort(a) else { return None };
        let Differences { parts, .. } = self.written_parts(a, b)?;
        let mut same = self.tt();
        for part in parts {
            let at = self.address_of(part, index);
            let (x, y) = (self.read(a, at, part.width), self.read(b, at, part.width));
            let here = self.eq(x, y);
            same = self.and(same, here);
            if self.as_bool(same) == Some(false) {
                break;
            }
        }
        Some(same)
    }

    /// `dst` with `len` bytes from `src` at `from` copied to `to`; all of `src` is read before `dst` is written.
    pub fn copy(&mut self, dst: Term, to: Term, src: Term, from: Term, len: Term) -> Term {
        /// Maximum length of copies that are replaced by one write of the bytes read, in bytes.
        const EXPANDED_BYTES: u64 = 16;
        debug_assert_eq!(self.sort(dst), self.sort(src));
        if let Some(n) = self.as_u64(len) {
            if n == 0 {
                return dst;
            }
            if n <= EXPANDED_BYTES && (n * 8).is_multiple_of(u64::from(self.array(dst).1)) {
                let value = self.read(src, from, n as u32 * 8);
                return self.write(dst, to, value);
            }
        }
        let sort = self.sort(dst);
        self.intern(Kind::Copy, &[dst, to, src, from, len], sort)
    }
}
