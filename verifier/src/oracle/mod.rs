//! Reference analyses against which tests compare other analyses.

pub mod dependence;
