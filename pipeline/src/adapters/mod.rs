//! Stand-ins for other tools: their options, messages and exit statuses.

pub mod dg;
