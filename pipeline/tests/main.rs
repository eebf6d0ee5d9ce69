//! The tests of the binary `kerf`: one program, so that they are linked once and run in parallel.

mod bench;
mod bench_page;
mod certificate;
mod cfa_files;
mod cli;
mod compare;
mod corrupt;
mod explained;
mod graphs;
mod harness;
mod integrations;
mod json;
mod kept;
mod languages;
mod llvm_slicer;
mod projects;
mod report;
mod slice;
mod support;
mod vocabulary;
mod witness;
