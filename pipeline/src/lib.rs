//! The command line, worker processes, reports and benchmarks of kerf.
