//! Settings, in layers: their defaults, a preset, a TOML file, a task definition, and the command line. Each takes precedence over
//! those before it.
//!
//! The file is read strictly: an unknown key is an error that names it. Every value records its source, which `kerf config show`
//! prints.

mod bench;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use frontend_llvm::HEAP_CONTEXT;
use serde::{Deserialize, Serialize};
use verifier::strategies::portfolio::Strategy;

use crate::limits::{self, Limits};
use crate::strategy::{self, Chosen, Stated};
use crate::worker::UserError;
pub(crate) use bench::{BenchPartial, BenchSettings};

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

/// Settings for a purpose, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// A run of SV-COMP: its limits, and a witness in the file that it collects.
    Svcomp,
    /// Symbolic execution of the program after optimisations and slicing [Lemberger 2018, 4.3].
    #[value(name = "symb+")]
    #[serde(rename = "symb+")]
    Symb,
    /// The same with CEGAR.
    #[value(name = "symb+-cegar")]
    #[serde(rename = "symb+-cegar")]
    SymbCegar,
}

impl Preset {
    /// The settings, in the syntax of a configuration file.
    fn text(self) -> &'static str {
        match self {
            Preset::Symb => "strategy = \"symex\"\noptimise = \"O3\"",
            Preset::SymbCegar => "strategy = \"symex-cegar\"\noptimise = \"O3\"",
            Preset::Svcomp => "timeout = \"900s\"\nmemory = \"15GB\"\nwitness = \"witness.yml\"\nvacuity = false",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

/// Optimisations before and after slicing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum Optimise {
    /// The program as it is.
    #[value(name = "none")]
    #[serde(rename = "none")]
    No,
    /// Those of clang's `-O1`.
    #[value(name = "O1")]
    O1,
    /// Those of clang's `-O2`.
    #[value(name = "O2")]
    O2,
    /// Those of clang's `-O3`.
    #[value(name = "O3")]
    O3,
}

impl fmt::Display for Optimise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

/// A function in whose place another one is called, written `FUNCTION=OTHER`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Replacement {
    /// The function.
    pub from: String,
    /// The one that is called instead.
    pub to: String,
}

impl FromStr for Replacement {
    type Err = String;

    fn from_str(text: &str) -> Result<Replacement, String> {
        match text.split_once('=').map(|(from, to)| (from.trim(), to.trim())) {
            Some((from, to)) if from == to && !from.is_empty() => Err("a function cannot replace itself".into()),
            Some((from, to)) if !from.is_empty() && !to.is_empty() && !to.contains('=') => {
                Ok(Replacement { from: from.into(), to: to.into() })
            }
            _ => Err(format!("'{text}' is not of the form FUNCTION=OTHER")),
        }
    }
}

impl TryFrom<String> for Replacement {
    type Error = String;

    fn try_from(text: String) -> Result<Replacement, String> {
        text.parse()
    }
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.from, self.to)
    }
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The built-in default.
    Default,
    /// A preset.
    Preset(Preset),
    /// The configuration file or the task definition.
    File(PathBuf),
    /// A command-line option.
    CommandLine,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::Preset(preset) => write!(f, "preset {preset}"),
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

/// The settings that a layer may contain; `None` if it does not state them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Partial {
    /// Settings for a purpose, over which all stated ones take precedence.
    pub preset: Option<Preset>,
    /// A property's name or a `.prp` file.
    pub property: Option<String>,
    /// The widths of C's types, for C files.
    pub data_model: Option<DataModel>,
    /// A compilation database, or the folder with it.
    pub compile_commands: Option<PathBuf>,
    /// Further options for clang, for C files.
    pub clang_options: Option<Vec<String>>,
    /// Functions that count as undefined.
    pub stub: Option<Vec<String>>,
    /// Functions in whose place others are called.
    pub replace: Option<Vec<Replacement>>,
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
    /// Which optimisations to apply before slicing and after it.
    pub optimise: Option<Optimise>,
    /// The solver that decides queries.
    pub solver: Option<SolverName>,
    /// Whether to shrink counterexamples.
    pub shrink: Option<bool>,
    /// Whether to look whether the checks of a proved program are reached.
    pub vacuity: Option<bool>,
    /// Limit on wall-clock time.
    #[serde(default, deserialize_with = "duration")]
    pub timeout: Option<Duration>,
    /// Limit on memory, in bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub memory: Option<u64>,
    /// The directory for evidence.
    pub output: Option<PathBuf>,
    /// The file for a witness of the verdict.
    pub witness: Option<PathBuf>,
    /// A witness whose invariants are tried.
    pub hints: Option<PathBuf>,
    /// The file for the answer as SARIF.
    pub sarif: Option<PathBuf>,
    /// The file for a unit test of the counterexample.
    pub unit_test: Option<PathBuf>,
    /// The settings of `kerf bench`.
    pub(crate) bench: Option<BenchPartial>,
}

/// The effective settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// See [`Partial::preset`].
    pub preset: Setting<Option<Preset>>,
    /// See [`Partial::property`].
    pub property: Setting<String>,
    /// See [`Partial::data_model`].
    pub data_model: Setting<DataModel>,
    /// See [`Partial::compile_commands`].
    pub compile_commands: Setting<Option<PathBuf>>,
    /// See [`Partial::clang_options`].
    pub clang_options: Setting<Vec<String>>,
    /// See [`Partial::stub`].
    pub stub: Setting<Vec<String>>,
    /// See [`Partial::replace`].
    pub replace: Setting<Vec<Replacement>>,
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
    /// See [`Partial::optimise`].
    pub optimise: Setting<Optimise>,
    /// See [`Partial::solver`].
    pub solver: Setting<SolverName>,
    /// See [`Partial::shrink`].
    pub shrink: Setting<bool>,
    /// See [`Partial::vacuity`].
    pub vacuity: Setting<bool>,
    /// See [`Partial::timeout`].
    pub timeout: Setting<Duration>,
    /// See [`Partial::memory`].
    pub memory: Setting<u64>,
    /// See [`Partial::output`].
    pub output: Setting<Option<PathBuf>>,
    /// See [`Partial::witness`].
    pub witness: Setting<Option<PathBuf>>,
    /// See [`Partial::hints`].
    pub hints: Setting<Option<PathBuf>>,
    /// See [`Partial::sarif`].
    pub sarif: Setting<Option<PathBuf>>,
    /// See [`Partial::unit_test`].
    pub unit_test: Setting<Option<PathBuf>>,
    /// See [`Partial::bench`]; `None` if no layer states any of them.
    pub(crate) bench: Option<BenchSettings>,
}

/// Settings of one source.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Where they come from.
    pub source: Source,
    /// What is stated there.
    pub stated: Partial,
}

impl Settings {
    /// The settings of a configuration file, a task definition and the command line. Each takes precedence over those before it,
    /// and all of them over the preset that one of them names.
    ///
    /// # Errors
    /// The file cannot be read, or has an unknown key or a value that does not fit; or the strategy does not fit.
    pub fn resolve(file: Option<&Path>, task: Option<Layer>, command_line: Partial) -> Result<Settings, UserError> {
        let mut layers = file.map(read).transpose()?.into_iter().collect::<Vec<_>>();
        layers.extend(task);
        layers.push(Layer { source: Source::CommandLine, stated: command_line });
        if let Some(preset) = layers.iter().rev().find_map(|layer| layer.stated.preset) {
            let source = Source::Preset(preset);
            layers.insert(0, parsed(preset.text(), source).map_err(UserError)?);
        }
        let mut settings = Settings::default();
        for Layer { source, stated } in layers {
            settings.state(stated, &source).map_err(UserError)?;
        }
        Ok(settings)
    }

    /// Overrides what is stated.
    ///
    /// # Errors
    /// The strategy does not fit.
    fn state(&mut self, stated: Partial, source: &Source) -> Result<(), String> {
        fn set<T>(setting: &mut Setting<T>, stated: Option<T>, source: &Source) {
            if let Some(value) = stated {
                *setting = Setting { value, source: source.clone() };
            }
        }
        let strategy = stated.strategy.map(|strategy| strategy.check("")).transpose()?;
        set(&mut self.preset, stated.preset.map(Some), source);
        set(&mut self.property, stated.property, source);
        set(&mut self.data_model, stated.data_model, source);
        set(&mut self.compile_commands, stated.compile_commands.map(Some), source);
        set(&mut self.clang_options, stated.clang_options, source);
        set(&mut self.stub, stated.stub, source);
        set(&mut self.replace, stated.replace, source);
        set(&mut self.entry, stated.entry, source);
        set(&mut self.r#extern, stated.r#extern, source);
        set(&mut self.heap_context, stated.heap_context, source);
        set(&mut self.strategy, strategy, source);
        set(&mut self.slice, stated.slice, source);
        set(&mut self.optimise, stated.optimise, source);
        set(&mut self.solver, stated.solver, source);
        set(&mut self.shrink, stated.shrink, source);
        set(&mut self.vacuity, stated.vacuity, source);
        set(&mut self.timeout, stated.timeout, source);
        set(&mut self.memory, stated.memory, source);
        set(&mut self.output, stated.output.map(Some), source);
        set(&mut self.witness, stated.witness.map(Some), source);
        set(&mut self.hints, stated.hints.map(Some), source);
        set(&mut self.sarif, stated.sarif.map(Some), source);
        set(&mut self.unit_test, stated.unit_test.map(Some), source);
        if let Some(bench) = stated.bench {
            self.bench.get_or_insert_default().state(bench, source);
        }
        Ok(())
    }

    /// The limits set by these settings.
    pub fn limits(&self) -> Limits {
        Limits { timeout: Some(self.timeout.value), memory_bytes: Some(self.memory.value) }
    }

    /// The name, the value (in TOML syntax) and the source of every setting that has a value.
    pub fn rows(&self) -> Vec<Row> {
        fn row<T>(name: &'static str, setting: &Setting<T>, show: impl Fn(&T) -> String) -> Row {
            (name, show(&setting.value), setting.source.to_string())
        }
        fn optional<T>(name: &'static str, setting: &Setting<Option<T>>, show: impl Fn(&T) -> String) -> Option<Row> {
            setting.value.as_ref().map(|value| (name, show(value), setting.source.to_string()))
        }
        let quoted = |text: &String| toml::Value::from(text.as_str()).to_string();
        let path = |path: &PathBuf| quoted(&path.display().to_string());
        let list = |texts: &Vec<String>| toml::Value::from(texts.clone()).to_string();
        let mut rows: Vec<Row> = optional("preset", &self.preset, |p| format!("\"{p}\"")).into_iter().collect();
        rows.extend([
            row("property", &self.property, quoted),
            row("data-model", &self.data_model, |m| format!("\"{m}\"")),
        ]);
        rows.extend(optional("compile-commands", &self.compile_commands, path));
        rows.extend([
            row("clang-options", &self.clang_options, list),
            row("stub", &self.stub, list),
            row("replace", &self.replace, |all| list(&all.iter().map(Replacement::to_string).collect())),
            row("entry", &self.entry, quoted),
            row("extern", &self.r#extern, |e| if *e == Extern::Pure { "\"pure\"" } else { "\"havoc\"" }.to_string()),
            row("heap-context", &self.heap_context, u32::to_string),
            row("strategy", &self.strategy, |s| quoted(&s.text)),
            row("slice", &self.slice, bool::to_string),
            row("optimise", &self.optimise, |o| format!("\"{o}\"")),
            row("solver", &self.solver, |s| format!("\"{s}\"")),
            row("shrink", &self.shrink, bool::to_string),
            row("vacuity", &self.vacuity, bool::to_string),
            row("timeout", &self.timeout, |t| format!("\"{}\"", limits::show_duration(*t))),
            row("memory", &self.memory, |b| format!("\"{}\"", limits::show_bytes(*b))),
        ]);
        rows.extend(optional("output", &self.output, path));
        rows.extend(optional("witness", &self.witness, path));
        rows.extend(optional("hints", &self.hints, path));
        rows.extend(optional("sarif", &self.sarif, path));
        rows.extend(optional("unit-test", &self.unit_test, path));
        rows
    }

    /// The settings in the syntax of a configuration file, which gives the same settings again. Comments say where each comes from.
    pub fn text(&self) -> String {
        let mut rows = self.rows();
        let of_strategy = strategy::settings(&self.strategy.value.strategy);
        if !of_strategy.is_empty() {
            rows.retain(|(name, ..)| *name != "strategy");
        }
        let width = width(&rows);
        let mut text = lines(&rows);
        if !of_strategy.is_empty() {
            let Setting { value, source } = &self.strategy;
            text += &format!("\n{:width$}  # {source}: {}\n", "[strategy]", value.text);
            for (key, value) in &of_strategy {
                text += &format!("{key} = {value}\n");
            }
        }
        text
    }
}

/// The name, the value and the source of a setting.
pub type Row = (&'static str, String, String);

/// The width of the names and values of rows.
fn width(rows: &[Row]) -> usize {
    rows.iter().map(|(name, value, _)| name.len() + value.len()).max().unwrap_or(0) + 3
}

/// Rows as lines of a file, with their sources in comments.
fn lines(rows: &[Row]) -> String {
    let width = width(rows);
    rows.iter().map(|(name, value, source)| format!("{:width$}  # {source}\n", format!("{name} = {value}"))).collect()
}

impl Default for Settings {
    fn default() -> Settings {
        fn default<T>(value: T) -> Setting<T> {
            Setting { value, source: Source::Default }
        }
        Settings {
            preset: default(None),
            property: default("unreach-call".to_string()),
            data_model: default(DataModel::Lp64),
            compile_commands: default(None),
            clang_options: default(Vec::new()),
            stub: default(Vec::new()),
            replace: default(Vec::new()),
            entry: default("main".to_string()),
            r#extern: default(Extern::Pure),
            heap_context: default(HEAP_CONTEXT),
            strategy: default(Chosen { text: "auto".into(), strategy: Strategy::Auto }),
            slice: default(true),
            optimise: default(Optimise::No),
            solver: default(SolverName::Fast),
            shrink: default(false),
            vacuity: default(true),
            timeout: default(Duration::from_secs(900)),
            memory: default(15_000_000_000),
            output: default(None),
            witness: default(None),
            hints: default(None),
            sarif: default(None),
            unit_test: default(None),
            bench: None,
        }
    }
}

/// The settings in a file.
fn read(path: &Path) -> Result<Layer, UserError> {
    let text = std::fs::read_to_string(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    parsed(&text, Source::File(path.to_path_buf())).map_err(|e| UserError(format!("{}:{e}", path.display())))
}

/// The settings in a text. The strategy is checked, as its errors name lines of the text.
fn parsed(text: &str, source: Source) -> Result<Layer, String> {
    let mut stated: Partial = strategy::parse(text)?;
    let strategy = stated.strategy.map(|strategy| strategy.check(text)).transpose()?;
    stated.strategy = strategy.map(Stated::Chosen);
    Ok(Layer { source, stated })
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
        let settings = Settings::resolve(Some(&path), None, command_line)
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
