//! Counters of interpolation: what was taken, how large it was, and how long it took.

use std::time::Duration;

/// Counters of an [`Interpolator`](super::Interpolator).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Number of traces that contradict themselves.
    pub traces: u64,
    /// Number of sequences that were taken from a proof.
    pub craig: u64,
    /// Number of sequences that were taken from postconditions.
    pub forward: u64,
    /// Number of sequences that were taken from preconditions.
    pub backward: u64,
    /// Number of sequences of traces with loops that are inductive at one of these.
    pub inductive: u64,
    /// Number of nested sequences.
    pub nested: u64,
    /// Number of sequences that failed the check.
    pub rejected: u64,
    /// Number of gates of the interpolants from proofs.
    pub gates: u64,
    /// Number of terms of the same interpolants, over words.
    pub lifted: u64,
    /// Number of terms of the sequences in which comparisons of the trace replaced larger interpolants, before that.
    pub before_replacing: u64,
    /// Number of terms of the same sequences after that.
    pub after_replacing: u64,
    /// Number of terms of all interpolants that were taken.
    pub taken: u64,
    /// Time of the queries whether the parts contradict each other.
    pub query: Duration,
    /// Time until interpolants came out of proofs, with the proofs themselves.
    pub proof: Duration,
    /// Time to make interpolants smaller.
    pub replacing: Duration,
    /// Time of all checks of interpolants.
    pub checking: Duration,
}

impl Counters {
    /// The counts that reports show, by name; empty if no trace was interpolated.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        if self.traces == 0 {
            return Vec::new();
        }
        vec![
            ("interpolated traces", self.traces),
            ("sequences by Craig", self.craig),
            ("sequences by Newton", self.forward + self.backward),
            ("inductive sequences", self.inductive),
            ("nested sequences", self.nested),
            ("sequences rejected", self.rejected),
            ("gates from proofs", self.gates),
            ("terms lifted from them", self.lifted),
            ("terms replaced", self.before_replacing),
            ("terms in their place", self.after_replacing),
            ("terms of interpolants", self.taken),
        ]
    }

    /// The times that reports show, by name; empty if no trace was interpolated.
    pub fn times(&self) -> Vec<(&'static str, Duration)> {
        if self.traces == 0 {
            return Vec::new();
        }
        vec![
            ("queries of traces", self.query),
            ("interpolants from proofs", self.proof),
            ("smaller interpolants", self.replacing),
            ("checks of interpolants", self.checking),
        ]
    }
}

impl std::ops::Add for Counters {
    type Output = Counters;
    fn add(self, other: Counters) -> Counters {
        Counters {
            traces: self.traces + other.traces,
            craig: self.craig + other.craig,
            forward: self.forward + other.forward,
            backward: self.backward + other.backward,
            inductive: self.inductive + other.inductive,
            nested: self.nested + other.nested,
            rejected: self.rejected + other.rejected,
            gates: self.gates + other.gates,
            lifted: self.lifted + other.lifted,
            before_replacing: self.before_replacing + other.before_replacing,
            after_replacing: self.after_replacing + other.after_replacing,
            taken: self.taken + other.taken,
            query: self.query + other.query,
            proof: self.proof + other.proof,
            replacing: self.replacing + other.replacing,
            checking: self.checking + other.checking,
        }
    }
}
