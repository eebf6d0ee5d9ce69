//! Strategies: how a program is proved or refuted. Each proposes; the certificate checker and the replay decide.

pub mod bmc;
pub mod composition;
pub mod k_induction;
pub mod portfolio;
pub mod reachability;
