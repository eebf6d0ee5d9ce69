//! Independent steps of an analysis at the same time.

use std::panic::resume_unwind;
use std::thread;

/// The results of `here` and `there`, which run at the same time if there is memory for another thread. `there` runs on it with a
/// small stack, or, without one, after `here`.
///
/// # Panics
/// As they do.
pub(crate) fn both<A, B: Send>(here: impl FnOnce() -> A, there: impl Fn() -> B + Sync) -> (A, B) {
    thread::scope(|scope| {
        let other = thread::Builder::new().spawn_scoped(scope, &there);
        let found = here();
        let other = match other {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => there(),
        };
        (found, other)
    })
}
