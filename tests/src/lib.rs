//! Whole-pipeline tests, differential tests and fuzz targets.
