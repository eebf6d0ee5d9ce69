//! The CPA engine: one reachability algorithm for all configurable program analyses (S 2.6).
//!
//! Reading order: `cpa` (what an analysis is), `clock` (where time goes), `composite` (analyses beside each other), `backward`
//! (against the direction of control), `arg` (states reached and how), `runs` (steps between them),
//! `waitlist`, `explore` (the algorithm), `dead` (variables that no longer matter), `precision` (what analyses of values track),
//! `counterexample` (is a path real), `cegar` (explore, check paths, refine), `proof` (the certificate of a finished exploration),
//! `drawing` (pictures of what was explored).

pub mod arg;
pub mod backward;
pub mod cegar;
pub mod clock;
pub mod composite;
pub mod counterexample;
pub mod cpa;
pub mod dead;
pub mod drawing;
pub mod explore;
pub mod precision;
pub mod proof;
pub mod runs;
pub mod waitlist;
