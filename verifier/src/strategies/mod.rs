//! Strategies: how a program is proved or refuted. Each proposes; the certificate checker and the replay decide.

pub mod backward;
pub mod bmc;
pub mod composition;
pub mod concrete;
pub mod explicit;
pub mod imc;
pub mod impact;
pub mod k_induction;
mod on_blocks;
pub mod pdr;
pub mod portfolio;
pub mod reachability;
