//! Two sets of results compared: what changed from one to the other, and why.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::commands::bench::score::{Outcome, general};
use crate::commands::bench::versus::Results;

/// Ratio of CPU times above which a difference is more than noise: runs of the same program on a machine that is used otherwise
/// differ by less.
const NOISE_RATIO: f64 = 1.5;

/// Difference of CPU times in seconds below which it is noise, whatever the ratio.
const NOISE_S: f64 = 0.5;

/// What changed for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// It was not wrong before.
    NewlyWrong,
    /// It was correct, and has no answer now.
    Lost,
    /// It was wrong, and is not any more.
    NoLongerWrong,
    /// It had no correct answer and has one now.
    Gained,
    /// There is no answer, for another kind of reason or in another way.
    OtherReason,
    /// The same answer takes longer.
    Slower,
    /// The same answer takes less time.
    Faster,
}

impl Kind {
    fn heading(self) -> &'static str {
        match self {
            Kind::NewlyWrong => "newly WRONG",
            Kind::Lost => "no longer answered",
            Kind::NoLongerWrong => "no longer wrong",
            Kind::Gained => "newly answered",
            Kind::OtherReason => "no answer, for another reason",
            Kind::Slower => "slower",
            Kind::Faster => "faster",
        }
    }
}

/// A task whose result changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Change {
    /// What changed.
    pub kind: Kind,
    /// The task's category.
    pub category: String,
    /// The task's identifier.
    pub id: String,
    /// Verdict and details before.
    pub before: String,
    /// Verdict and details now.
    pub now: String,
    /// CPU time before, in seconds.
    pub cpu_before_s: f64,
    /// CPU time now, in seconds.
    pub cpu_now_s: f64,
}

/// The comparison of two sets of results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Changes {
    /// Number of tasks that both sets have.
    pub common: usize,
    /// Number of tasks that only the first set has.
    pub only_before: usize,
    /// Number of tasks that only the second set has.
    pub only_now: usize,
    /// Score before, over the common tasks.
    pub score_before: i64,
    /// Score now, over the common tasks.
    pub score_now: i64,
    /// The changes by kind, those that matter most first.
    pub changes: Vec<Change>,
}

/// Compares two sets of results, task by task.
pub(super) fn between(before: &Results, now: &Results) -> Changes {
    let key = |o: &Outcome| (o.category.clone(), o.id.clone(), o.property.clone());
    let mut earlier: HashMap<_, &Outcome> = before.outcomes.iter().map(|o| (key(o), o)).collect();
    let mut result =
        Changes { common: 0, only_before: 0, only_now: 0, score_before: 0, score_now: 0, changes: Vec::new() };
    for outcome in &now.outcomes {
        let Some(old) = earlier.remove(&key(outcome)) else {
            result.only_now += 1;
            continue;
        };
        result.common += 1;
        result.score_before += old.score();
        result.score_now += outcome.score();
        let change = kind(old, outcome).map(|kind| Change {
            kind,
            category: outcome.category.clone(),
            id: outcome.id.clone(),
            before: answer(old),
            now: answer(outcome),
            cpu_before_s: old.cpu_s,
            cpu_now_s: outcome.cpu_s,
        });
        result.changes.extend(change);
    }
    result.only_before = earlier.len();
    result.changes.sort_by(|a, b| {
        let difference = |c: &Change| (c.cpu_now_s - c.cpu_before_s).abs();
        a.kind.cmp(&b.kind).then_with(|| difference(b).total_cmp(&difference(a))).then_with(|| a.id.cmp(&b.id))
    });
    result
}

fn kind(before: &Outcome, now: &Outcome) -> Option<Kind> {
    let [was_wrong, is_wrong] = [before, now].map(|o| o.status == "WRONG");
    let [was_correct, is_correct] = [before, now].map(|o| o.status == "correct");
    if is_wrong != was_wrong {
        return Some(if is_wrong { Kind::NewlyWrong } else { Kind::NoLongerWrong });
    }
    if is_correct != was_correct {
        return Some(if is_correct { Kind::Gained } else { Kind::Lost });
    }
    // Where it took how long until there was no answer is a matter of the limits.
    if !is_correct && !is_wrong {
        let reason = |o: &Outcome| (o.status.clone(), general(&o.detail));
        return (reason(before) != reason(now)).then_some(Kind::OtherReason);
    }
    let (least, most) = (before.cpu_s.min(now.cpu_s), before.cpu_s.max(now.cpu_s));
    let beyond_noise = most - least > NOISE_S && most > least * NOISE_RATIO;
    beyond_noise.then_some(if now.cpu_s > before.cpu_s { Kind::Slower } else { Kind::Faster })
}

fn answer(outcome: &Outcome) -> String {
    format!("{} {}", outcome.verdict, outcome.detail.trim()).trim_end().to_string()
}

impl std::fmt::Display for Changes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Changes { common, only_before, only_now, score_before, score_now, changes } = self;
        writeln!(f, "{common} tasks in both: score {score_before} -> {score_now}")?;
        if only_before + only_now > 0 {
            writeln!(f, "only before: {only_before} tasks; only now: {only_now} tasks")?;
        }
        if changes.is_empty() {
            return writeln!(f, "nothing changed");
        }
        for of_kind in changes.chunk_by(|a, b| a.kind == b.kind) {
            writeln!(f, "{} ({}):", of_kind[0].kind.heading(), of_kind.len())?;
            for change in of_kind {
                let mut line = format!("  {}/{}: ", change.category, change.id);
                let _ = match change.kind {
                    Kind::Slower | Kind::Faster => {
                        write!(line, "{:.2} s -> {:.2} s ({})", change.cpu_before_s, change.cpu_now_s, change.now)
                    }
                    _ => write!(
                        line,
                        "{} -> {}, {:.2} s -> {:.2} s",
                        change.before, change.now, change.cpu_before_s, change.cpu_now_s
                    ),
                };
                writeln!(f, "{line}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_told_with_its_reason() {
        let results = |rows: &[(&str, &str, &str, f64)]| Results {
            name: "r".into(),
            outcomes: rows
                .iter()
                .map(|(id, verdict, detail, cpu_s)| {
                    let o = Outcome {
                        id: (*id).into(),
                        category: "A".into(),
                        expected: "true".into(),
                        ..Outcome::default()
                    };
                    Outcome { verdict: (*verdict).into(), detail: (*detail).into(), cpu_s: *cpu_s, ..o }.judge()
                })
                .collect(),
        };
        let before = results(&[
            ("1", "true", "", 1.0),
            ("2", "unknown", "(no model of f at a.c:1)", 2.0),
            ("3", "true", "", 1.0),
            ("4", "unknown", "(no model of f at a.c:1)", 9.0),
            ("5", "true", "", 0.1),
            ("6", "unknown", "(loop bound)", 1.0),
            ("7", "true", "", 1.0),
            ("8", "true", "", 1.0),
        ]);
        let now = results(&[
            ("1", "timeout", "(15s)", 15.0),
            ("2", "true", "", 2.0),
            ("3", "false", "(unreach-call)", 1.0),
            ("4", "unknown", "(no model of f at b.c:7)", 1.0),
            ("5", "true", "", 0.5),
            ("6", "unknown", "(imprecise)", 1.0),
            ("7", "true", "", 3.0),
            ("9", "true", "", 3.0),
        ]);
        let changes = between(&before, &now);
        let expected = "\
7 tasks in both: score 8 -> -10
only before: 1 tasks; only now: 1 tasks
newly WRONG (1):
  A/3: true -> false (unreach-call), 1.00 s -> 1.00 s
no longer answered (1):
  A/1: true -> timeout (15s), 1.00 s -> 15.00 s
newly answered (1):
  A/2: unknown (no model of f at a.c:1) -> true, 2.00 s -> 2.00 s
no answer, for another reason (1):
  A/6: unknown (loop bound) -> unknown (imprecise), 1.00 s -> 1.00 s
slower (1):
  A/7: 1.00 s -> 3.00 s (true)
";
        assert_eq!(changes.to_string(), expected);
        assert!(between(&before, &before).to_string().ends_with("nothing changed\n"));
    }
}
