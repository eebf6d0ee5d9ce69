//! The reachability algorithm for all configurable program analyses ([`crate::cpa`]; Lemberger 2018, 2.6).
//!
//! Reading order: `arg` (states reached and how), `segments` (steps between them), `waitlist`, `explore` (the algorithm), `path_check` (is a path
//! real), `cegar` (explore, check paths, refine), `driver` (until there is a conclusion), `certificate` (of a finished exploration), `export`
//! (pictures of what was explored).

pub mod arg;
pub mod cegar;
pub mod certificate;
pub mod driver;
pub mod explore;
pub mod export;
pub mod path_check;
pub mod segments;
pub mod waitlist;
