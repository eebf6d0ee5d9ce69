//! The CPA engine, its domains and the strategies.

pub mod candidates;
pub mod liveness;
pub mod program;
pub mod unwind;
pub mod wto;
