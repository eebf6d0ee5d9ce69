//! Outcomes of verification, the replay that confirms alarms, undefined behaviour on the way, the steps of runs, and what makers of certificates share.

pub mod certificate;
pub mod fault;
pub mod outcome;
pub mod replay;
pub mod trace;
