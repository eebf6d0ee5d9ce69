//! The CPA engine, its domains and the strategies.
