//! Stand-ins for other tools: their options, their messages, their exit statuses.

pub mod dg;
