//! What is measured of a run: the columns that tables for people, for other programs and for the page have in common.

use crate::commands::bench::score::Outcome;

/// The unit of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Seconds.
    Seconds,
    /// MiB.
    Mebibytes,
    /// A number of something.
    Count,
}

/// A number that a run has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// The name in files for BenchExec.
    pub name: &'static str,
    /// The name for people, without the unit.
    pub title: &'static str,
    /// The unit.
    pub unit: Unit,
    /// The value; `None` if it is not known.
    pub of: fn(&Outcome) -> Option<f64>,
}

/// What BenchExec measures too.
pub(super) const COMMON: [Measure; 3] = [
    measure("cputime", "CPU time", Unit::Seconds, |o| Some(o.cpu_s)),
    measure("walltime", "wall-clock time", Unit::Seconds, |o| Some(o.wall_s)),
    measure("memory", "memory", Unit::Mebibytes, |o| Some(o.rss_mb)),
];

/// What only kerf reports.
pub(super) const OWN: [Measure; 11] = [
    measure("search", "search", Unit::Seconds, |o| o.search_s),
    measure("check", "check", Unit::Seconds, |o| o.check_s),
    measure("states", "reached states", Unit::Count, |o| count(o.states)),
    measure("successors", "successors", Unit::Count, |o| count(o.successors)),
    measure("refinements", "refinements", Unit::Count, |o| count(o.refinements)),
    measure("slices", "slices", Unit::Count, |o| count(o.slices)),
    measure("k", "k", Unit::Count, |o| count(o.k)),
    measure("bdd-nodes", "BDD nodes", Unit::Count, |o| count(o.bdd_nodes)),
    measure("locations", "locations", Unit::Count, |o| count(o.locations)),
    measure("variables", "variables", Unit::Count, |o| count(o.variables)),
    measure("graph", "dependence graph", Unit::Seconds, |o| o.graph_s),
];

/// Successors per second of search [Lemberger 2015, Fig. 5].
pub(super) const RATE: Measure = measure("successors-per-second", "successors per s", Unit::Count, |o| {
    Some(o.successors? as f64 / o.search_s.filter(|s| *s > 0.0)?)
});

const fn measure(name: &'static str, title: &'static str, unit: Unit, of: fn(&Outcome) -> Option<f64>) -> Measure {
    Measure { name, title, unit, of }
}

fn count(n: Option<u64>) -> Option<f64> {
    n.map(|n| n as f64)
}

impl Measure {
    /// The value without its unit; empty if it is not known. Checks take tenths of a millisecond, so times have four digits.
    pub(super) fn digits(&self, outcome: &Outcome) -> String {
        match ((self.of)(outcome), self.unit) {
            (None, _) => String::new(),
            (Some(value), Unit::Seconds) => format!("{value:.4}"),
            (Some(value), _) => format!("{value:.0}"),
        }
    }
}
