//! Task definitions of SV-COMP and BenchExec (`.yml`, format 1.0 to 2.1): a program, its properties with their verdicts, and its data model.
//!
//! Unknown keys are ignored: tools may add their own.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::{DataModel, Layer, Partial, Source};
use crate::worker::UserError;

/// A task definition.
#[derive(Debug, Deserialize)]
pub(super) struct Definition {
    input_files: OneOrMany,
    /// What is asked about the program.
    #[serde(default)]
    pub properties: Vec<DefinedProperty>,
    /// What tools need to know.
    #[serde(default)]
    pub options: DefinedOptions,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A property of a task.
#[derive(Debug, Deserialize)]
pub(super) struct DefinedProperty {
    /// The `.prp` file, relative to the definition.
    pub property_file: String,
    /// Whether the property holds, if that is known.
    pub expected_verdict: Option<bool>,
}

/// What tools need to know of a task.
#[derive(Debug, Default, Deserialize)]
pub(super) struct DefinedOptions {
    /// `ILP32` or `LP64`; empty if it is not stated.
    #[serde(default)]
    pub data_model: String,
}

impl Definition {
    /// Reads the definition in a file.
    ///
    /// # Errors
    /// The file cannot be read or is no task definition.
    pub(super) fn read(path: &Path) -> Result<Definition, UserError> {
        let text = std::fs::read_to_string(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
        serde_saphyr::from_str(&text).map_err(|e| {
            let first = e.to_string().lines().next().unwrap_or("").to_string();
            UserError(format!("{}: not a task definition: {first}", path.display()))
        })
    }

    /// The program's files. Their names are patterns, relative to the definition, which is `path`.
    ///
    /// # Errors
    /// A pattern is malformed or matches nothing.
    pub(super) fn files(&self, path: &Path) -> Result<Vec<PathBuf>, UserError> {
        let patterns = match &self.input_files {
            OneOrMany::One(file) => std::slice::from_ref(file),
            OneOrMany::Many(files) => files,
        };
        let mut files = Vec::new();
        for pattern in patterns {
            let failed = |why: String| UserError(format!("{}: input_files: {pattern}: {why}", path.display()));
            let folder = path.parent().unwrap_or(Path::new(""));
            let whole = format!("{}/{pattern}", glob::Pattern::escape(&folder.display().to_string()));
            let whole = whole.strip_prefix('/').filter(|_| folder.as_os_str().is_empty()).unwrap_or(&whole);
            let before = files.len();
            files.extend(glob::glob(whole).map_err(|e| failed(e.to_string()))?.flatten());
            if files.len() == before {
                return Err(failed("no such file".into()));
            }
        }
        Ok(files)
    }

    /// The property of the task, as `--property` takes it.
    ///
    /// # Errors
    /// There are several properties, and unreach-call is none of them.
    fn property(&self, path: &Path) -> Result<Option<String>, UserError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let files: Vec<PathBuf> = self.properties.iter().map(|p| folder.join(&p.property_file)).collect();
        let unreach_call = files.iter().find(|file| file.file_stem().is_some_and(|stem| stem == "unreach-call"));
        match (&files[..], unreach_call) {
            ([], _) => Ok(None),
            ([file], _) | (_, Some(file)) => Ok(Some(file.display().to_string())),
            _ => {
                let names: Vec<&str> = self.properties.iter().map(|p| p.property_file.as_str()).collect();
                let names = names.join(", ");
                Err(UserError(format!("{}: choose one of its properties with --property: {names}", path.display())))
            }
        }
    }
}

/// A program and the settings that its definition states.
#[derive(Debug)]
pub(super) struct Task {
    /// The program's files.
    pub files: Vec<PathBuf>,
    /// Its data model, and its property unless another one is asked for.
    pub settings: Layer,
}

/// The task, if the only file is a task definition. Its property matters unless another one `is_stated`.
///
/// # Errors
/// The definition cannot be read, or is not a task for kerf.
pub(super) fn read(files: &[PathBuf], is_stated: bool) -> Result<Option<Task>, UserError> {
    let [path] = files else { return Ok(None) };
    if !matches!(path.extension().and_then(|e| e.to_str()), Some("yml" | "yaml")) {
        return Ok(None);
    }
    let definition = Definition::read(path)?;
    let data_model = match definition.options.data_model.as_str() {
        "" => None,
        "ILP32" => Some(DataModel::Ilp32),
        "LP64" => Some(DataModel::Lp64),
        other => return Err(UserError(format!("{}: unknown data model '{other}' (ILP32, LP64)", path.display()))),
    };
    let property = if is_stated { None } else { definition.property(path)? };
    let stated = Partial { property, data_model, ..Partial::default() };
    Ok(Some(Task { files: definition.files(path)?, settings: Layer { source: Source::File(path.clone()), stated } }))
}
