//! Outcomes of verification, the replay that confirms alarms, undefined behaviour on the way, and what makers of certificates share.

pub mod certificate;
pub mod fault;
pub mod outcome;
pub mod replay;
