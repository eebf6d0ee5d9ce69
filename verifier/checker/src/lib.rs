//! The certificate format and its check, independent of the search.
