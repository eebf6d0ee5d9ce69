//! Outcomes of verification, and the replay that confirms alarms.

pub mod outcome;
pub mod replay;
