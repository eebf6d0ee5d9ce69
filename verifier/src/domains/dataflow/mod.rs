//! Classical data-flow analyses as CPAs: one state per location, joined where paths meet.

pub mod dominators;
pub mod flow_dependence;
pub mod joined;
pub mod reaching_definitions;
