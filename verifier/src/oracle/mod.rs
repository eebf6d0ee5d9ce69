//! Reference analyses with which tests compare others.

pub mod dependence;
