//! Outcomes of verification, the replay that confirms alarms, and what makers of certificates share.

pub mod certificate;
pub mod outcome;
pub mod replay;
