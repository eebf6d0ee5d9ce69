//! Analyses that tests compare others with.

pub mod dependence;
