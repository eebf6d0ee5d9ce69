//! Outcomes of verification, the replay that confirms alarms and what shrinks them, states that block induction, undefined behaviour on the way, the steps of runs, arguments in alarms, and what makers of certificates share.

pub mod blocked;
pub mod certificate;
pub mod fault;
pub mod outcome;
pub mod replay;
pub mod shrink;
pub mod trace;
mod vectors;
