//! What a technique is doing, in numbers, for those who wait for its answer.
//!
//! Techniques note numbers as they go, which costs an atomic store; another thread reads them when it likes. Nothing depends on them.

use std::fmt::{Display, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The bound of an unwinding.
    Bound,
    /// The k of an induction.
    K,
    /// The last frame of property-directed reachability, or the number of blocks of a path.
    Depth,
    /// Executions of the program.
    Runs,
    /// Abstract or concrete states.
    States,
    /// Refinements of the abstraction.
    Refinements,
}

impl Count {
    const ALL: [Count; 6] = [Count::Bound, Count::K, Count::Depth, Count::Runs, Count::States, Count::Refinements];
}

/// Numbers that several threads may write and read.
#[derive(Debug, Default)]
pub struct Progress {
    counts: [AtomicU64; Count::ALL.len()],
}

impl Progress {
    /// Forgets all numbers, since something else begins.
    pub fn reset(&self) {
        self.counts.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    /// Notes the current number.
    pub fn note(&self, what: Count, number: u64) {
        self.counts[what as usize].store(number, Ordering::Relaxed);
    }

    /// Counts one more.
    pub fn add(&self, what: Count) {
        self.counts[what as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// The numbers that are not zero, such as `k = 3, 12 refinements`.
impl Display for Progress {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        for what in Count::ALL {
            let n = self.counts[what as usize].load(Ordering::Relaxed);
            if n == 0 {
                continue;
            }
            f.write_str(separator)?;
            separator = ", ";
            let s = if n == 1 { "" } else { "s" };
            match what {
                Count::Bound => write!(f, "bound {n}")?,
                Count::K => write!(f, "k = {n}")?,
                Count::Depth => write!(f, "depth {n}")?,
                Count::Runs => write!(f, "{n} run{s}")?,
                Count::States => write!(f, "{n} state{s}")?,
                Count::Refinements => write!(f, "{n} refinement{s}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_zero_is_not_told() {
        let progress = Progress::default();
        assert_eq!(progress.to_string(), "");
        progress.note(Count::States, 1);
        progress.note(Count::K, 3);
        progress.add(Count::Refinements);
        progress.add(Count::Refinements);
        assert_eq!(progress.to_string(), "k = 3, 1 state, 2 refinements");
        progress.reset();
        assert_eq!(progress.to_string(), "");
    }
}
