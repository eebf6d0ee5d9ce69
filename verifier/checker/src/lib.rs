//! The certificate format and its check.

pub mod certificate;

pub use certificate::{Certificate, Frame, FrameId, Label, LoopLabel, Node, NodeId, Step, Successor};
