//! Satisfiability of terms: the solver trait and its layers.

#[cfg(test)]
mod tests {
    /// The linked Z3 is the one that `make setup` fetched, and it is found at run time.
    #[test]
    fn z3_is_linked() {
        assert!(z3::full_version().contains("5.4"), "{}", z3::full_version());
    }
}
