//! The settings of `kerf bench`: the table `[bench]` of a configuration file, and the command line, which takes precedence.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;

use super::{Row, Setting, Source, bytes, duration};
use crate::commands::bench::{Document, Part, Tool};
use crate::limits::{show_bytes, show_duration};
use crate::strategy::Chosen;
use crate::worker::UserError;

/// The settings that a layer may contain; `None` if it does not state them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct BenchPartial {
    /// Task sets.
    pub tasks: Option<Vec<PathBuf>>,
    /// Limit on the wall-clock time of a run.
    #[serde(default, deserialize_with = "duration")]
    pub timeout: Option<Duration>,
    /// Limit on the memory of a run, in bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub memory: Option<u64>,
    /// Number of runs at the same time.
    pub jobs: Option<u16>,
    /// Number of processors of each run.
    pub cores: Option<u16>,
    /// What runs.
    pub tools: Option<Vec<Tool>>,
    /// The documents whose configurations run too.
    pub documents: Option<Vec<Document>>,
    /// The strategy of the configuration that runs if there are no tools.
    pub strategy: Option<Chosen>,
    /// Whether it slices before verifying.
    pub slice: Option<bool>,
    /// The property of the tasks.
    pub property: Option<String>,
    /// The categories of the tasks; all if there are none.
    pub category: Option<Vec<String>>,
    /// Only every n-th task of each category.
    pub sample: Option<u32>,
    /// One of several parts of the tasks.
    pub part: Option<Part>,
    /// The file with tasks that are left out.
    pub skip: Option<PathBuf>,
    /// Whether violations are compiled and run.
    pub native: Option<bool>,
    /// The solver that repeats the queries of proofs.
    pub second: Option<PathBuf>,
    /// The file of the results.
    pub out: Option<PathBuf>,
    /// The file of the page.
    pub html: Option<PathBuf>,
    /// The directory of BenchExec's result files.
    pub xml: Option<PathBuf>,
    /// The file of table-generator's table.
    pub csv: Option<PathBuf>,
    /// The file of the quantile plot.
    pub quantile_plot: Option<PathBuf>,
    /// The file of the score-based quantile plot.
    pub score_plot: Option<PathBuf>,
    /// The file of the scatter plot.
    pub scatter_plot: Option<PathBuf>,
}

/// The effective settings. Each field is that of [`BenchPartial`].
#[derive(Debug, Clone)]
pub(crate) struct BenchSettings {
    pub tasks: Setting<Vec<PathBuf>>,
    pub timeout: Setting<Duration>,
    pub memory: Setting<u64>,
    pub jobs: Setting<u16>,
    pub cores: Setting<Option<u16>>,
    pub tools: Setting<Vec<Tool>>,
    pub documents: Setting<Vec<Document>>,
    pub strategy: Setting<Option<Chosen>>,
    pub slice: Setting<bool>,
    pub property: Setting<String>,
    pub category: Setting<Vec<String>>,
    pub sample: Setting<u32>,
    pub part: Setting<Option<Part>>,
    pub skip: Setting<Option<PathBuf>>,
    pub native: Setting<bool>,
    pub second: Setting<Option<PathBuf>>,
    pub out: Setting<Option<PathBuf>>,
    pub html: Setting<Option<PathBuf>>,
    pub xml: Setting<Option<PathBuf>>,
    pub csv: Setting<Option<PathBuf>>,
    pub quantile_plot: Setting<Option<PathBuf>>,
    pub score_plot: Setting<Option<PathBuf>>,
    pub scatter_plot: Setting<Option<PathBuf>>,
}

/// Maximum of numbers of runs and processors.
const MAX_JOBS: u16 = 1024;

impl BenchSettings {
    /// The settings of a configuration file and the command line.
    ///
    /// # Errors
    /// The file cannot be read, has no table `[bench]`, or has an unknown key or a value that does not fit; or the settings exclude
    /// each other.
    pub(crate) fn resolve(file: Option<&Path>, command_line: BenchPartial) -> Result<BenchSettings, UserError> {
        let mut settings = BenchSettings::default();
        if let Some(path) = file {
            let layer = super::read(path)?;
            let missing = || UserError(format!("{}: has no table [bench]", path.display()));
            settings.state(layer.stated.bench.ok_or_else(missing)?, &layer.source);
        }
        settings.state(command_line, &Source::CommandLine);
        settings.check()?;
        Ok(settings)
    }

    /// Overrides what is stated.
    pub(super) fn state(&mut self, stated: BenchPartial, source: &Source) {
        fn set<T>(setting: &mut Setting<T>, stated: Option<T>, source: &Source) {
            if let Some(value) = stated {
                *setting = Setting { value, source: source.clone() };
            }
        }
        set(&mut self.tasks, stated.tasks, source);
        set(&mut self.timeout, stated.timeout, source);
        set(&mut self.memory, stated.memory, source);
        set(&mut self.jobs, stated.jobs, source);
        set(&mut self.cores, stated.cores.map(Some), source);
        set(&mut self.tools, stated.tools, source);
        set(&mut self.documents, stated.documents, source);
        set(&mut self.strategy, stated.strategy.map(Some), source);
        set(&mut self.slice, stated.slice, source);
        set(&mut self.property, stated.property, source);
        set(&mut self.category, stated.category, source);
        set(&mut self.sample, stated.sample, source);
        set(&mut self.part, stated.part.map(Some), source);
        set(&mut self.skip, stated.skip.map(Some), source);
        set(&mut self.native, stated.native, source);
        set(&mut self.second, stated.second.map(Some), source);
        set(&mut self.out, stated.out.map(Some), source);
        set(&mut self.html, stated.html.map(Some), source);
        set(&mut self.xml, stated.xml.map(Some), source);
        set(&mut self.csv, stated.csv.map(Some), source);
        set(&mut self.quantile_plot, stated.quantile_plot.map(Some), source);
        set(&mut self.score_plot, stated.score_plot.map(Some), source);
        set(&mut self.scatter_plot, stated.scatter_plot.map(Some), source);
    }

    /// Rejects numbers out of range, and settings that would have no effect.
    fn check(&self) -> Result<(), UserError> {
        let of = |name: &str, source: &Source| format!("{name} ({source})");
        let range = |name: &str, value: u32, source: &Source, most: u32| match value {
            0 => Err(UserError(format!("{}: must be at least 1", of(name, source)))),
            n if n > most => Err(UserError(format!("{}: must be at most {most}", of(name, source)))),
            _ => Ok(()),
        };
        range("jobs", self.jobs.value.into(), &self.jobs.source, MAX_JOBS.into())?;
        range("cores", self.cores.value.unwrap_or(1).into(), &self.cores.source, MAX_JOBS.into())?;
        range("sample", self.sample.value, &self.sample.source, u32::MAX)?;
        let own = [
            ("strategy", self.strategy.value.is_some(), &self.strategy.source),
            ("slice", !self.slice.value, &self.slice.source),
        ];
        let others = [
            ("tools", !self.tools.value.is_empty(), &self.tools.source),
            ("documents", !self.documents.value.is_empty(), &self.documents.source),
        ];
        let first = |of: &[(&'static str, bool, &Source)]| {
            of.iter().find(|(_, is, _)| *is).map(|(name, _, source)| format!("{name} ({source})"))
        };
        match (first(&own), first(&others)) {
            (Some(own), Some(other)) => Err(UserError(format!(
                "{own} is about the configuration that runs without tools, but there are {other}"
            ))),
            _ => Ok(()),
        }
    }

    /// The name, the value (in TOML syntax) and the source of every setting that has a value.
    pub(crate) fn rows(&self) -> Vec<Row> {
        fn row<T>(name: &'static str, setting: &Setting<T>, show: impl Fn(&T) -> String) -> Option<Row> {
            Some((name, show(&setting.value), setting.source.to_string()))
        }
        fn optional<T>(name: &'static str, setting: &Setting<Option<T>>, show: impl Fn(&T) -> String) -> Option<Row> {
            setting.value.as_ref().map(|value| (name, show(value), setting.source.to_string()))
        }
        let quoted = |text: &String| toml::Value::from(text.as_str()).to_string();
        let path = |path: &PathBuf| quoted(&path.display().to_string());
        let list = |texts: Vec<String>| toml::Value::from(texts).to_string();
        let names = |documents: &Vec<Document>| {
            list(documents.iter().filter_map(|d| Some(d.to_possible_value()?.get_name().to_string())).collect())
        };
        let rows = [
            row("tasks", &self.tasks, |all| list(all.iter().map(|p| p.display().to_string()).collect())),
            row("timeout", &self.timeout, |t| quoted(&show_duration(*t))),
            row("memory", &self.memory, |b| quoted(&show_bytes(*b))),
            row("jobs", &self.jobs, u16::to_string),
            optional("cores", &self.cores, u16::to_string),
            row("tools", &self.tools, |all| list(all.iter().map(|t| format!("{}={}", t.name, t.text())).collect())),
            row("documents", &self.documents, names),
            optional("strategy", &self.strategy, |s| quoted(&s.text)),
            row("slice", &self.slice, bool::to_string),
            row("property", &self.property, quoted),
            row("category", &self.category, |all| list(all.clone())),
            row("sample", &self.sample, u32::to_string),
            optional("part", &self.part, |part| quoted(&part.to_string())),
            optional("skip", &self.skip, path),
            row("native", &self.native, bool::to_string),
            optional("second", &self.second, path),
            optional("out", &self.out, path),
            optional("html", &self.html, path),
            optional("xml", &self.xml, path),
            optional("csv", &self.csv, path),
            optional("quantile-plot", &self.quantile_plot, path),
            optional("score-plot", &self.score_plot, path),
            optional("scatter-plot", &self.scatter_plot, path),
        ];
        rows.into_iter().flatten().collect()
    }

    /// The settings as the table of a configuration file, which gives the same settings again. Comments say where each comes from.
    pub(crate) fn text(&self) -> String {
        format!("[bench]\n{}", super::lines(&self.rows()))
    }
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        fn default<T>(value: T) -> Setting<T> {
            Setting { value, source: Source::Default }
        }
        BenchSettings {
            tasks: default(Vec::new()),
            timeout: default(Duration::from_secs(15)),
            memory: default(8 << 30),
            jobs: default(2),
            cores: default(None),
            tools: default(Vec::new()),
            documents: default(Vec::new()),
            strategy: default(None),
            slice: default(true),
            property: default("unreach-call".to_string()),
            category: default(Vec::new()),
            sample: default(1),
            part: default(None),
            skip: default(None),
            native: default(false),
            second: default(None),
            out: default(None),
            html: default(None),
            xml: default(None),
            csv: default(None),
            quantile_plot: default(None),
            score_plot: default(None),
            scatter_plot: default(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, command_line: BenchPartial) -> Result<BenchSettings, String> {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("bench.toml");
        std::fs::write(&path, text).expect("a file");
        BenchSettings::resolve(Some(&path), command_line)
            .map_err(|e| e.0.replace(&*path.to_string_lossy(), "bench.toml"))
    }

    /// All keys, each with a value that is not the default.
    const ALL: &str = r#"
tasks = ["a", "b.set"]
timeout = "60s"
memory = "2GB"
jobs = 4
cores = 3
tools = ["x=kerf verify --strategy bmc", "y=other {file}"]
documents = ["lemberger-2015", "dangl-2013"]
property = "no-overflow"
category = ["Loops"]
sample = 5
part = "2/3"
skip = "skip.txt"
native = true
second = "cvc5"
out = "r.tsv"
html = "r.html"
xml = "xml"
csv = "r.csv"
quantile-plot = "q.svg"
score-plot = "s.svg"
scatter-plot = "p.svg"
"#;

    #[test]
    fn every_setting_has_a_key_and_is_written_again() {
        let settings = resolve(&format!("[bench]{ALL}"), BenchPartial::default()).expect("settings");
        let rows = settings.rows();
        let given: toml::Table = toml::from_str(ALL).expect("TOML");
        for (key, value) in &given {
            let (_, shown, source) = rows.iter().find(|(name, ..)| name == key).expect(key);
            assert_eq!((shown, source.ends_with("bench.toml")), (&value.to_string(), true), "{key}");
        }
        // The others are what excludes tools.
        let unstated: Vec<_> = rows.iter().filter(|(name, ..)| !given.contains_key(*name)).map(|row| row.0).collect();
        assert_eq!(unstated, ["slice"]);
        let again = resolve(&settings.text(), BenchPartial::default()).expect("settings");
        let values = |settings: &BenchSettings| {
            settings.rows().into_iter().map(|(name, value, _)| (name, value)).collect::<Vec<_>>()
        };
        assert_eq!(values(&again), values(&settings));
        let own = resolve("[bench]\nstrategy = \"bmc,last-bound=3\"\nslice = false", BenchPartial::default())
            .expect("settings");
        assert_eq!((own.strategy.value.map(|s| s.text).as_deref(), own.slice.value), (Some("bmc,last-bound=3"), false));
    }

    #[test]
    fn the_command_line_takes_precedence() {
        let command_line = BenchPartial { timeout: Some(Duration::from_secs(3)), ..BenchPartial::default() };
        let settings =
            resolve("timeout = \"9s\"\n[bench]\ntimeout = \"8s\"\njobs = 7", command_line).expect("settings");
        assert_eq!((settings.timeout.value, settings.jobs.value), (Duration::from_secs(3), 7));
        assert_eq!(settings.timeout.source, Source::CommandLine);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        for (text, error) in [
            ("timeout = \"9s\"", "bench.toml: has no table [bench]"),
            ("[bench]\njbos = 1", "bench.toml:2: unknown field `jbos`"),
            ("[bench]\njobs = 0", "jobs (bench.toml): must be at least 1"),
            ("[bench]\ncores = 2000", "cores (bench.toml): must be at most 1024"),
            ("[bench]\ntools = [\"x=y\"]", "bench.toml:2: the command of 'x' needs {file}"),
            ("[bench]\ndocuments = [\"x\"]", "bench.toml:2: unknown variant `x`"),
            ("[bench]\npart = \"3/2\"", "bench.toml:2: expected I/N with I from 1 to N"),
            ("[bench]\nstrategy = \"x\"", "bench.toml:2: unknown strategy 'x'"),
            (
                "[bench]\nslice = false\ntools = [\"x=kerf verify\"]",
                "slice (bench.toml) is about the configuration that runs without tools, but there are tools (bench.toml)",
            ),
        ] {
            let found = resolve(text, BenchPartial::default()).map(|_| ()).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
