//! Values of memories: persistent maps from addresses to cells over a background.
//!
//! A memory of byte cells keeps pages of 64 bytes; a memory of wider cells keeps a map of cells. A cell that was never set
//! explicitly has the value of the *background*, a piecewise constant function of the address, so that copying a range of any
//! length costs only as much as there are explicit cells in it. Cloning increments one reference count; a value that is not
//! shared is changed in place.

use crate::bv::{Bv, mask};
use imbl::OrdMap;
use std::fmt;
use std::sync::Arc;

/// Number of bytes of a page.
const PAGE: u64 = 64;

/// Maximum length of a copy between byte memories, in bytes, that is done byte by byte.
const SHORT_COPY: u64 = 256;

/// A page of byte cells; bit `i` of `set` says whether cell `i` is explicit.
#[derive(Clone)]
struct Page {
    set: u64,
    bytes: [u8; PAGE as usize],
}

#[derive(Clone)]
enum Cells {
    /// Pages by their number.
    Bytes(OrdMap<u64, Arc<Page>>),
    /// Cells by their address.
    Wide(OrdMap<u64, Bv>),
}

#[derive(Clone)]
struct Inner {
    index: u32,
    elem: u32,
    /// The first address and the value of each piece, ascending; the first piece begins at 0.
    background: Vec<(u64, Bv)>,
    cells: Cells,
}

/// A value of array sort: a cell of `elem` bits for each address of `index` bits (at most 64).
///
/// Addresses count bytes. Reads and writes of several cells proceed in steps of `elem / 8` and wrap around at the end of the
/// address space. Cells are keyed by their exact address, as in the theory of arrays: two cells wider than a byte at
/// addresses that are less than a cell apart are independent (the program only uses multiples).
#[derive(Clone)]
pub struct ArrayValue(Arc<Inner>);

impl ArrayValue {
    /// The memory all of whose cells are `default`.
    pub fn constant(index: u32, default: Bv) -> ArrayValue {
        debug_assert!(index <= 64, "addresses of {index} bits");
        let elem = default.width();
        let cells = if elem == 8 { Cells::Bytes(OrdMap::new()) } else { Cells::Wide(OrdMap::new()) };
        ArrayValue(Arc::new(Inner { index, elem, background: vec![(0, default)], cells }))
    }

    /// Width of an address in bits.
    pub fn index_bits(&self) -> u32 {
        self.0.index
    }

    /// Width of a cell in bits.
    pub fn elem_bits(&self) -> u32 {
        self.0.elem
    }

    /// The pieces of the background: first address and value, ascending; the first is at address 0.
    pub fn background(&self) -> &[(u64, Bv)] {
        &self.0.background
    }

    /// The explicit cells, ascending by address.
    pub fn cells(&self) -> Vec<(u64, Bv)> {
        self.0.explicit(0, mask(self.0.index))
    }

    /// The cell at `address`.
    pub fn cell(&self, address: u64) -> Bv {
        self.0.cell(address & mask(self.0.index))
    }

    /// Sets the cell at `address`.
    pub fn set_cell(&mut self, address: u64, value: Bv) {
        let inner = Arc::make_mut(&mut self.0);
        let address = address & mask(inner.index);
        inner.set(address, value);
    }

    /// The value of `width` bits at `address`, the lowest address being the least significant.
    pub fn read(&self, address: u64, width: u32) -> Bv {
        let inner = &*self.0;
        let end = mask(inner.index);
        let address = address & end;
        if let Cells::Bytes(pages) = &inner.cells
            && width <= 64
        {
            // Within one page whose bytes are all explicit.
            let (n, at) = (u64::from(width / 8), address % PAGE);
            if at + n <= PAGE
                && let Some(page) = pages.get(&(address / PAGE))
            {
                let wanted = mask(n as u32) << at;
                if page.set & wanted == wanted {
                    let mut word = [0; 8];
                    word[..n as usize].copy_from_slice(&page.bytes[at as usize..(at + n) as usize]);
                    return Bv::new(width, u64::from_le_bytes(word));
                }
            }
        }
        let step = u64::from(inner.elem / 8);
        let cells = u64::from(width / inner.elem);
        let mut value = inner.cell(address);
        for i in 1..cells {
            value = inner.cell(address.wrapping_add(i * step) & end).concat(&value);
        }
        value
    }

    /// Writes the cells of `value` from `address` on.
    pub fn write(&mut self, address: u64, value: &Bv) {
        let inner = Arc::make_mut(&mut self.0);
        let end = mask(inner.index);
        let address = address & end;
        let width = value.width();
        if let Cells::Bytes(pages) = &mut inner.cells
            && let (true, Some(word)) = (width <= 64, value.to_u64())
        {
            let (n, at) = (u64::from(width / 8), address % PAGE);
            if at + n <= PAGE {
                let page = page_mut(pages, address / PAGE);
                page.set |= mask(n as u32) << at;
                page.bytes[at as usize..(at + n) as usize].copy_from_slice(&word.to_le_bytes()[..n as usize]);
                return;
            }
        }
        let (elem, step) = (inner.elem, u64::from(inner.elem / 8));
        for i in 0..width / elem {
            let part = value.extract((i + 1) * elem - 1, i * elem);
            inner.set(address.wrapping_add(u64::from(i) * step) & end, part);
        }
    }

    /// Copies `len` bytes of `src` from `from` to `to`; all of `src` is read before anything is written.
    pub fn copy(&mut self, to: u64, src: &ArrayValue, from: u64, len: u64) {
        debug_assert_eq!((self.0.index, self.0.elem), (src.0.index, src.0.elem));
        if self.0.elem == 8 && len <= SHORT_COPY {
            let bytes: Vec<Bv> = (0..len).map(|i| src.cell(from.wrapping_add(i))).collect();
            for (i, b) in bytes.into_iter().enumerate() {
                self.set_cell(to.wrapping_add(i as u64), b);
            }
            return;
        }
        self.copy_pieces(to, &src.clone(), from, len);
    }

    /// Copies `len` bytes from `from` to `to` within this memory, as if through a buffer.
    pub fn copy_within(&mut self, to: u64, from: u64, len: u64) {
        if self.0.elem == 8 && len <= SHORT_COPY {
            let bytes: Vec<Bv> = (0..len).map(|i| self.cell(from.wrapping_add(i))).collect();
            for (i, b) in bytes.into_iter().enumerate() {
                self.set_cell(to.wrapping_add(i as u64), b);
            }
            return;
        }
        let src = self.clone();
        self.copy_pieces(to, &src, from, len);
    }

    /// Copies in pieces such that neither range wraps around.
    fn copy_pieces(&mut self, to: u64, src: &ArrayValue, from: u64, len: u64) {
        let inner = Arc::make_mut(&mut self.0);
        let end = mask(inner.index);
        let (mut to, mut from, mut left) = (to & end, from & end, len);
        while left > 0 {
            // Number of bytes up to the end of the address space, minus one so that 2^64 needs no wider type.
            let last = (left - 1).min(end - to).min(end - from);
            inner.copy_piece(to, &src.0, from, last);
            to = to.wrapping_add(last).wrapping_add(1) & end;
            from = from.wrapping_add(last).wrapping_add(1) & end;
            left = (left - 1) - last;
        }
    }
}

fn page_mut(pages: &mut OrdMap<u64, Arc<Page>>, number: u64) -> &mut Page {
    let page = pages.entry(number).or_insert_with(|| Arc::new(Page { set: 0, bytes: [0; PAGE as usize] }));
    Arc::make_mut(page)
}

impl Inner {
    fn background_at(&self, address: u64) -> &Bv {
        let i = self.background.partition_point(|(start, _)| *start <= address);
        &self.background[i - 1].1
    }

    fn cell(&self, address: u64) -> Bv {
        match &self.cells {
            Cells::Bytes(pages) => {
                if let Some(page) = pages.get(&(address / PAGE)) {
                    let at = address % PAGE;
                    if (page.set >> at) & 1 == 1 {
                        return Bv::new(8, u64::from(page.bytes[at as usize]));
                    }
                }
            }
            Cells::Wide(map) => {
                if let Some(v) = map.get(&address) {
                    return v.clone();
                }
            }
        }
        self.background_at(address).clone()
    }

    fn set(&mut self, address: u64, value: Bv) {
        debug_assert_eq!(value.width(), self.elem);
        match &mut self.cells {
            Cells::Bytes(pages) => {
                let page = page_mut(pages, address / PAGE);
                let at = address % PAGE;
                page.set |= 1 << at;
                page.bytes[at as usize] = value.to_u64().unwrap_or(0) as u8;
            }
            Cells::Wide(map) => {
                map.insert(address, value);
            }
        }
    }

    /// The explicit cells with addresses in `lo..=hi`, ascending.
    fn explicit(&self, lo: u64, hi: u64) -> Vec<(u64, Bv)> {
        let mut found = Vec::new();
        match &self.cells {
            Cells::Bytes(pages) => {
                for (number, page) in pages.range(lo / PAGE..=hi / PAGE) {
                    for at in (0..PAGE).filter(|at| (page.set >> at) & 1 == 1) {
                        let address = number * PAGE + at;
                        if (lo..=hi).contains(&address) {
                            found.push((address, Bv::new(8, u64::from(page.bytes[at as usize]))));
                        }
                    }
                }
            }
            Cells::Wide(map) => found.extend(map.range(lo..=hi).map(|(a, v)| (*a, v.clone()))),
        }
        found
    }

    /// Makes all cells of `lo..=hi` implicit.
    fn clear(&mut self, lo: u64, hi: u64) {
        match &mut self.cells {
            Cells::Bytes(pages) => {
                let numbers: Vec<u64> = pages.range(lo / PAGE..=hi / PAGE).map(|(n, _)| *n).collect();
                for number in numbers {
                    let start = number * PAGE;
                    let (first, last) = (lo.max(start) - start, hi.min(start + (PAGE - 1)) - start);
                    let gone = mask((last - first + 1) as u32) << first;
                    let page = page_mut(pages, number);
                    page.set &= !gone;
                    if page.set == 0 {
                        pages.remove(&number);
                    }
                }
            }
            Cells::Wide(map) => {
                let keys: Vec<u64> = map.range(lo..=hi).map(|(a, _)| *a).collect();
                for a in keys {
                    map.remove(&a);
                }
            }
        }
    }

    /// Copies a range of `last + 1` addresses; neither range wraps around.
    fn copy_piece(&mut self, to: u64, src: &Inner, from: u64, last: u64) {
        let (to_end, from_end) = (to + last, from + last);
        let cells = src.explicit(from, from_end);
        let mut pieces = vec![(to, src.background_at(from).clone())];
        for (start, v) in &src.background {
            if from < *start && *start <= from_end {
                pieces.push((start - from + to, v.clone()));
            }
        }
        if to_end < mask(self.index) {
            pieces.push((to_end + 1, self.background_at(to_end + 1).clone()));
        }
        self.background.retain(|(start, _)| !(to..=to_end).contains(start) && Some(*start) != to_end.checked_add(1));
        let i = self.background.partition_point(|(start, _)| *start < to);
        self.background.splice(i..i, pieces);
        self.background.dedup_by(|next, before| next.1 == before.1);
        self.clear(to, to_end);
        for (address, v) in cells {
            self.set(address - from + to, v);
        }
    }
}

/// Equality as functions from addresses to cells.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        if (a.index, a.elem) != (b.index, b.elem) {
            return false;
        }
        let end = mask(a.index);
        let agree = |x: &Inner, y: &Inner| {
            let cells = x.explicit(0, end);
            cells.iter().all(|(address, v)| y.cell(*address) == *v)
        };
        if !agree(a, b) || !agree(b, a) {
            return false;
        }
        // The backgrounds must agree wherever neither side is explicit: each piece in which they differ must be
        // covered by explicit cells (which agree), so its length is at most their number.
        let mut starts: Vec<u64> = a.background.iter().chain(&b.background).map(|(start, _)| *start).collect();
        starts.sort_unstable();
        starts.dedup();
        starts.iter().enumerate().all(|(i, &start)| {
            if a.background_at(start) == b.background_at(start) {
                return true;
            }
            let last = starts.get(i + 1).map_or(end, |next| next - 1);
            let explicit = |x: &Inner| x.explicit(start, last).len() as u64;
            if last - start >= explicit(a) + explicit(b) {
                return false;
            }
            (start..=last).all(|address| a.cell(address) == b.cell(address))
        })
    }
}

impl Eq for ArrayValue {}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `[0.. -> 0:8, 16 -> 1:8]`: the pieces of the background, then the explicit cells.
impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, (start, v)) in self.background().iter().enumerate() {
            write!(f, "{}{start}.. -> {v}", if i > 0 { ", " } else { "" })?;
        }
        for (address, v) in self.cells() {
            write!(f, ", {address} -> {v}")?;
        }
        f.write_str("]")
    }
}
