//! What verification comes to, and the replay that confirms alarms.

pub mod outcome;
pub mod replay;
