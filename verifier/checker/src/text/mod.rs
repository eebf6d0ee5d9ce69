//! Certificates as text: `write` and `read` are inverse to each other, up to the numbering of symbols and terms.
//!
//! ```text
//! certificate 1
//! program 5c0e9b1f6d3a2847              hash of the program's text, as `cfa::text` prints it
//! kept 0-17,19                          edges of the slice
//! live 0-23
//! symbol s0 bv32                        symbols of labels
//! terms 6                               the next 6 lines are in the text format of CFAs:
//!   ...                                 a function whose edges define t0, t1, ... one after the other
//! frame l12 -                           return location, frame below; frames and nodes are numbered from 0
//! node l0 -                             location and frame
//!  label                                a label; `label 7` begins with the values of that of node 7
//!   v3=5:32 v4=s0 v5=- v6=t2            values of variables; `-`: none
//!   below v9=1:8                        locals of the first, second, ... frame below
//!   where t4 t5                         constraints
//!  loop v3,v4 t3                        or a loop head: variables written, invariants
//!   forall s1 t4                        what holds for all values of a symbol
//!   window 9 assumed 14 checked 19 24   for k-induction: heads of the base, of the assumed copies, of the checked copy; the node after it
//!  e4 -> 1 s0=t1 if t3 t6               step, successor, witness, case
//!  return -> 2
//! contract f3                           a contract of this function: the nodes that follow are its graph
//!  entry v3=s0                          symbols for values at the entry
//!  pre t4                               preconditions
//!  post t5                              postconditions
//! explored                              sets of states in place of nodes
//!  split v4 0 1 17                      where ranges of a variable are split
//!  set l7 -                             location and frame
//!   ranges v4 3 4 17..2147483647        a variable of the set, with its ranges
//!   row 0                               for each variable the index of its range
//! ```
//!
//! A term is a constant (`5:32`, `true`), a symbol, or a defined name: `t2` represents the value of that variable. The function with the
//! definitions refers to program variables as `v3`, to symbols as `s0`, and to addresses of objects as `a7`. Shared terms are written
//! only once.

mod read;
mod write;

pub use read::{ReadError, read};
pub use write::write;

use cfa::{Cfa, Sort};
use fixedbitset::FixedBitSet;

/// A hash of the program's text that distinguishes programs (FNV-1a).
fn program_hash(cfa: &Cfa) -> u64 {
    let step = |h: u64, byte: &u8| (h ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    cfa::text::print(cfa).as_bytes().iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// A set as ranges: `0-4,7`; `-` if it is empty.
fn ranges(set: &FixedBitSet) -> String {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for i in set.ones() {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == i => *last = i,
            _ => found.push((i, i)),
        }
    }
    if found.is_empty() {
        return "-".into();
    }
    let texts: Vec<String> =
        found.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
    texts.join(",")
}

/// Parses the set that `text` describes, with room for `len` elements.
fn set(text: &str, len: usize) -> Option<FixedBitSet> {
    let mut set = FixedBitSet::with_capacity(len);
    if text == "-" {
        return Some(set);
    }
    for range in text.split(',') {
        let (a, b) = range.split_once('-').unwrap_or((range, range));
        let (a, b): (usize, usize) = (a.parse().ok()?, b.parse().ok()?);
        if a > b || b >= len {
            return None;
        }
        set.insert_range(a..b + 1);
    }
    Some(set)
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Bv(w) => format!("bv{w}"),
        Sort::Array { index, elem } => format!("mem{index}x{elem}"),
    }
}

fn sort(name: &str) -> Option<Sort> {
    if name == "bool" {
        return Some(Sort::Bool);
    }
    let width = |w: &str| w.parse::<u32>().ok().filter(|w| (1..=1 << 20).contains(w));
    if let Some(w) = name.strip_prefix("bv") {
        return width(w).map(Sort::Bv);
    }
    let (index, elem) = name.strip_prefix("mem")?.split_once('x')?;
    let (index, elem) = (width(index)?, width(elem)?);
    (index <= 64).then_some(Sort::Array { index, elem })
}
