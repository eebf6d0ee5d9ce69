//! The slicer's dependence analyses against the CPAs that define them [Lemberger 2018, 3.1], on the task programs and on random programs.

mod backward;
mod bytes;
mod closure;
mod forward;
mod post_dominators;
mod programs;
mod visits;

use slicer::dependence::control_dep::ControlKind;
use std::time::{Duration, Instant};
use verifier::program::Budget;

const KINDS: [ControlKind; 3] = [ControlKind::Standard, ControlKind::Ntscd, ControlKind::NtscdDod];

fn budget() -> Budget<'static> {
    Budget::until(Instant::now() + Duration::from_secs(600))
}
