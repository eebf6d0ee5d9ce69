//! The reachability algorithm for configurable program analyses ([`crate::cpa`]) [Lemberger 2018, 2.6].
//!
//! Reading order:
//!
//! 1. `arg`: which states were reached, and how;
//! 2. `segments`: the steps between them;
//! 3. `waitlist`: the order of expansion;
//! 4. `explore`: the algorithm;
//! 5. `path_check`: whether a path is feasible;
//! 6. `cegar`: explore, check paths, refine;
//! 7. `driver`: runs these until there is a result;
//! 8. `certificate`: the certificate of a finished exploration;
//! 9. `pictures`: pictures of what was explored.

pub mod arg;
pub mod cegar;
pub mod certificate;
pub mod driver;
pub mod explore;
pub mod layers;
pub mod path_check;
pub mod pictures;
pub mod segments;
pub mod waitlist;
