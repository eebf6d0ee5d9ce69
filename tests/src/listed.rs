//! Reads lists of programs: tables whose cells are separated by tabs, with the columns `id`, `category`, `path` (from the list's folder),
//! `data_model` (`ILP32` or `LP64`), and `property`.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A program of a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// Its category.
    pub category: String,
    /// The source file.
    pub file: PathBuf,
    /// The name of the property.
    pub property: String,
    /// Number of bits of a pointer.
    pub bits: u32,
}

/// The programs of the list `index`.
///
/// Errors: no such file, a missing column.
pub fn programs(index: &Path) -> Result<Vec<Listed>> {
    let text = std::fs::read_to_string(index).with_context(|| format!("--index {}", index.display()))?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).with_context(|| format!("no column {name}"));
    let (id, category, path, model) = (column("id")?, column("category")?, column("path")?, column("data_model")?);
    let property = column("property")?;
    let last = id.max(category).max(path).max(model).max(property);
    let folder = index.parent().context("the list lies in no folder")?;
    let listed = lines.map(|line| line.split('\t').collect::<Vec<_>>()).filter(|cells| cells.len() > last);
    Ok(listed
        .map(|cells| Listed {
            id: cells[id].into(),
            category: cells[category].into(),
            file: folder.join(cells[path]),
            property: cells[property].into(),
            bits: if cells[model] == "LP64" { 64 } else { 32 },
        })
        .collect())
}
