//! Settings: their defaults, a TOML file that may change them, and the command line, which takes precedence over both.
//!
//! The file is read strictly: an unknown key is an error that names it. Every value records its source, which `kerf config show`
//! prints.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use frontend_llvm::HEAP_CONTEXT;
use serde::{Deserialize, Serialize};
use verifier::strategies::portfolio::Strategy;

use crate::limits::{self, Limits};
use crate::strategy::{self, Chosen, Stated};
use crate::worker::UserError;

/// Widths of C's types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers.
    #[value(name = "ILP32")]
    #[serde(rename = "ILP32")]
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers.
    #[value(name = "LP64")]
    #[serde(rename = "LP64")]
    Lp64,
}

impl DataModel {
    /// The width of pointers in bits.
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == DataModel::Ilp32 { "ILP32" } else { "LP64" })
    }
}

/// What functions do that are undefined and not in the C library. In either case, their results are arbitrary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extern {
    /// They change nothing; each verdict lists this as an assumption.
    Pure,
    /// They may change all memory that they can reach.
    Havoc,
}

/// The solver that decides queries about formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverName {
    /// Circuits in CaDiCaL, joined by Z3 for slow queries.
    Fast,
    /// Circuits in CaDiCaL alone; what they cannot express (floats) stays undecided.
    Bits,
    /// Z3 alone.
    Z3,
}

impl SolverName {
    /// The engine with this name.
    pub fn engine(self) -> smt::Engine {
        match self {
            SolverName::Fast => smt::Engine::Fast,
            SolverName::Bits => smt::Engine::Bits,
            SolverName::Z3 => smt::Engine::Z3,
        }
    }
}

impl fmt::Display for SolverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SolverName::Fast => "fast",
            SolverName::Bits => "bits",
            SolverName::Z3 => "z3",
        })
    }
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The built-in default.
    Default,
    /// The configuration file.
    File(PathBuf),
    /// A command-line option.
    CommandLine,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::File(path) => write!(f, "{}", path.display()),
            Source::CommandLine => f.write_str("command line"),
        }
    }
}

/// A value and its source.
#[derive(Debug, Clone)]
pub struct Setting<T> {
    /// The effective value.
    pub value: T,
    /// Where the value comes from.
    pub source: Source,
}

/// The settings that a file and the command line may contain; `None` if they do not state it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Partial {
    /// A property's name or a `.prp` file.
    pub property: Option<String>,
    /// The widths of C's types, for C files.
    pub data_model: Option<DataModel>,
    /// The function at which executions start.
    pub entry: Option<String>,
    /// What undefined functions do.
    pub r#extern: Option<Extern>,
    /// Number of levels of allocating functions that are distinguished by call site.
    pub heap_context: Option<u32>,
    /// How to verify.
    pub strategy: Option<Stated>,
    /// Whether to slice before verifying.
    pub slice: Option<bool>,
    /// The solver that decides queries.
    pub solver: Option<SolverName>,
    /// Limit on wall-clock time.
    #[serde(default, deserialize_with = "duration")]
    pub timeout: Option<Duration>,
    /// Limit on memory, in bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub memory: Option<u64>,
}

/// The effective settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// See [`Partial::property`].
    pub property: Setting<String>,
    /// See [`Partial::data_model`].
    pub data_model: Setting<DataModel>,
    /// See [`Partial::entry`].
    pub entry: Setting<String>,
    /// See [`Partial::extern`].
    pub r#extern: Setting<Extern>,
    /// See [`Partial::heap_context`].
    pub heap_context: Setting<u32>,
    /// See [`Partial::strategy`].
    pub strategy: Setting<Chosen>,
    /// See [`Partial::slice`].
    pub slice: Setting<bool>,
    /// See [`Partial::solver`].
    pub solver: Setting<SolverName>,
    /// See [`Partial::timeout`].
    pub timeout: Setting<Duration>,
    /// See [`Partial::memory`].
    pub memory: Setting<u64>,
}

impl Settings {
    /// Merges the settings: the command line overrides the file, and the file overrides the defaults.
    ///
    /// # Errors
    /// The file cannot be read, or has an unknown key or a value that does not fit; or the strategy does not fit.
    pub fn resolve(file: Option<&Path>, command_line: Partial) -> Result<Settings, UserError> {
        let (from_file, text) = match file {
            Some(path) => read(path)?,
            None => Default::default(),
        };
        let path = file.unwrap_or(Path::new(""));
        fn pick<T>(default: T, file: Option<T>, path: &Path, command_line: Option<T>) -> Setting<T> {
            match (command_line, file) {
                (Some(value), _) => Setting { value, source: Source::CommandLine },
                (None, Some(value)) => Setting { value, source: Source::File(path.to_path_buf()) },
                (None, None) => Setting { value: default, source: Source::Default },
            }
        }
        let (f, c) = (from_file, command_line);
        let strategy = |stated: Option<Stated>, text: &str| stated.map(|s| s.check(text)).transpose();
        let in_file = strategy(f.strategy, &text).map_err(|e| UserError(format!("{}:{e}", path.display())))?;
        let on_command_line = strategy(c.strategy, "").map_err(UserError)?;
        let auto = Chosen { text: "auto".into(), strategy: Strategy::Auto };
        Ok(Settings {
            property: pick("unreach-call".to_string(), f.property, path, c.property),
            data_model: pick(DataModel::Lp64, f.data_model, path, c.data_model),
            entry: pick("main".to_string(), f.entry, path, c.entry),
            r#extern: pick(Extern::Pure, f.r#extern, path, c.r#extern),
            heap_context: pick(HEAP_CONTEXT, f.heap_context, path, c.heap_context),
            strategy: pick(auto, in_file, path, on_command_line),
            slice: pick(true, f.slice, path, c.slice),
            solver: pick(SolverName::Fast, f.solver, path, c.solver),
            timeout: pick(Duration::from_secs(900), f.timeout, path, c.timeout),
            memory: pick(15_000_000_000, f.memory, path, c.memory),
        })
    }

    /// The limits set by these settings.
    pub fn limits(&self) -> Limits {
        Limits { timeout: Some(self.timeout.value), memory_bytes: Some(self.memory.value) }
    }

    /// The name, the value (in TOML syntax) and the source of every setting.
    pub fn rows(&self) -> Vec<(&'static str, String, String)> {
        fn row<T>(
            name: &'static str,
            setting: &Setting<T>,
            show: impl Fn(&T) -> String,
        ) -> (&'static str, String, String) {
            (name, show(&setting.value), setting.source.to_string())
        }
        let quoted = |text: &String| toml::Value::from(text.as_str()).to_string();
        vec![
            row("property", &self.property, quoted),
            row("data-model", &self.data_model, |m| format!("\"{m}\"")),
            row("entry", &self.entry, quoted),
            row("extern", &self.r#extern, |e| if *e == Extern::Pure { "\"pure\"" } else { "\"havoc\"" }.to_string()),
            row("heap-context", &self.heap_context, u32::to_string),
            row("strategy", &self.strategy, |s| quoted(&s.text)),
            row("slice", &self.slice, bool::to_string),
            row("solver", &self.solver, |s| format!("\"{s}\"")),
            row("timeout", &self.timeout, |t| format!("\"{}\"", limits::show_duration(*t))),
            row("memory", &self.memory, |b| format!("\"{}\"", limits::show_bytes(*b))),
        ]
    }
}

/// The settings in a file, and the file's text.
fn read(path: &Path) -> Result<(Partial, String), UserError> {
    let text = std::fs::read_to_string(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    let partial = strategy::parse(&text).map_err(|e| UserError(format!("{}:{e}", path.display())))?;
    Ok((partial, text))
}

fn duration<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(input)?;
    limits::parse_duration(&text).map(Some).map_err(serde::de::Error::custom)
}

fn bytes<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(input)?;
    limits::parse_bytes(&text).map(Some).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, command_line: Partial) -> Result<String, String> {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("kerf.toml");
        std::fs::write(&path, text).expect("a file");
        let settings = Settings::resolve(Some(&path), command_line)
            .map_err(|e| e.0.replace(&*dir.path().to_string_lossy(), "DIR"))?;
        let interesting = settings.rows().into_iter().filter(|(_, _, source)| source != "default");
        let shown: Vec<String> = interesting
            .map(|(name, value, source)| format!("{name} = {value} <- {}", source.rsplit('/').next().unwrap_or("")))
            .collect();
        Ok(shown.join("; "))
    }

    #[test]
    fn the_command_line_wins_over_the_file() {
        let command_line = Partial { timeout: Some(Duration::from_secs(3)), ..Partial::default() };
        assert_eq!(
            resolve("timeout = \"9s\"\nmemory = \"2GB\"\nslice = false", command_line),
            Ok("slice = false <- kerf.toml; timeout = \"3s\" <- command line; memory = \"2GB\" <- kerf.toml"
                .to_string())
        );
    }

    #[test]
    fn the_file_is_read_strictly() {
        let error = resolve("slice = true\ntimeuot = \"9s\"", Partial::default()).unwrap_err();
        assert!(error.starts_with("DIR/kerf.toml:2: unknown field `timeuot`"), "{error}");
        let error = resolve("\n\ntimeout = \"9 parsecs\"", Partial::default()).unwrap_err();
        assert!(error.starts_with("DIR/kerf.toml:3: 'parsecs' is not a unit of time"), "{error}");
        assert!(resolve("slice = 3", Partial::default()).is_err());
    }
}
