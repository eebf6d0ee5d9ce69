//! What long runs of random tests share: their options, the seeds, and the report at the end.

use crate::kerf::parallel;
use anyhow::Result;
use clap::Args;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minimum time between two reports on the progress of a long run.
const PAUSE: Duration = Duration::from_secs(5);

/// Which programs are generated, and where they go.
#[derive(Args, Clone, Debug)]
pub struct Run {
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of programs to generate, one for each seed
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub count: usize,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub jobs: usize,
    /// Folder for programs that show a disagreement
    #[arg(long, value_name = "FOLDER", default_value_os_t = kept())]
    pub keep: PathBuf,
}

impl Run {
    /// The short run of a test: `count` programs, or as many as `KERF_FUZZ_RUNS` says.
    pub fn of_test(seed: u64, count: usize) -> Run {
        Run::exactly(seed, kerf_testing::fuzz_runs(count as u64) as usize)
    }

    /// A run of `count` programs on two threads.
    pub fn exactly(seed: u64, count: usize) -> Run {
        Run { seed, count, jobs: 2, keep: kept() }
    }

    /// Writes a file about a disagreement into the folder of `--keep`. Returns its path.
    pub(crate) fn keep_file(&self, name: &str, text: &str) -> Result<PathBuf> {
        std::fs::create_dir_all(&self.keep)?;
        let file = self.keep.join(name);
        std::fs::write(&file, text)?;
        Ok(file)
    }

    /// All seeds.
    pub fn seeds(&self) -> Vec<u64> {
        (self.seed..).take(self.count).collect()
    }
}

fn kept() -> PathBuf {
    std::env::temp_dir().join("kerf-disagreements")
}

/// Reads milliseconds, for options that have a time.
pub(crate) fn milliseconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

/// Does `work` for all items on `jobs` threads, adds up the results by `add`, and calls `progress` after each item.
///
/// Errors: the first error of `work`, after which no further item is begun.
pub(crate) fn sum<T: Sync, Part: Send, Sum: Default + Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<Part> + Sync,
    add: impl Fn(&mut Sum, Part) + Sync,
    progress: &(dyn Fn(&Sum) + Sync),
) -> Result<Sum> {
    let total = Mutex::new(Sum::default());
    let failed = AtomicBool::new(false);
    let results = parallel(items, jobs, |item| -> Result<()> {
        if failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let part = work(item).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
        let mut total = total.lock().expect("no panic");
        add(&mut total, part);
        progress(&total);
        Ok(())
    });
    results.into_iter().collect::<Result<Vec<()>>>()?;
    Ok(total.into_inner().expect("no panic"))
}

/// Reports the progress of a long run on standard error, and its result on standard output.
#[derive(Debug)]
pub struct Reporter {
    start: Instant,
    told: Mutex<Instant>,
}

impl Reporter {
    /// A reporter for a run that starts now.
    pub fn start() -> Reporter {
        let start = Instant::now();
        Reporter { start, told: Mutex::new(start) }
    }

    /// Reports what is known so far, at most once in five seconds.
    pub fn so_far(&self, summary: impl Display) {
        let mut told = self.told.lock().expect("no panic");
        if told.elapsed() >= PAUSE {
            *told = Instant::now();
            eprintln!("{:6} {summary}", self.start.elapsed().as_secs());
        }
    }

    /// Reports the result. Returns the exit code: 0 if there are no disagreements, else 1.
    pub fn end(&self, summary: impl Display, disagreements: &[String]) -> ExitCode {
        disagreements.iter().for_each(|d| println!("{d}"));
        println!("{summary}; {:.0} s", self.start.elapsed().as_secs_f64());
        if disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
