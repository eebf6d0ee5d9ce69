//! The available techniques, and the plan by which `auto` tries them one after the other.

use crate::domains::PartKind;
use crate::domains::predicate::{self, Method};
use crate::program::{Budget, Program};
use crate::reach::driver::Paths;
use crate::strategies::composition::Composition;
use crate::strategies::{bmc, concrete, explicit, imc, impact, k_induction, pdr};
use cfa::view::ViewEdge;
use cfa::{InputKind, Op, Sort};
use std::time::Duration;

/// The maximum k of k-induction while other techniques wait for their turn.
const QUICK_K: u32 = 6;

/// The time of the first round, in which every technique has a short turn, if there is more time than [`LONG`].
const QUICK_ROUND: Duration = Duration::from_secs(15);
/// The time from which on there are two rounds.
const LONG: Duration = Duration::from_secs(45);

/// The share of the time for contracts of recursive functions, where another search follows.
const CONTRACTS_SHARE: f64 = 0.25;

/// A way to prove and to refute.
#[derive(Clone, Debug)]
pub enum Technique {
    /// Runs on concrete inputs.
    Concrete(concrete::Options),
    /// Bounded model checking with growing bounds.
    Bmc(bmc::Options),
    /// k-induction, with or without candidate invariants.
    Induction(k_induction::Options),
    /// Contracts of recursive functions and invariants, as k-induction has them, without its induction.
    Contracts,
    /// Lazy abstraction with interpolants.
    Impact(impact::Options),
    /// Interpolation-based model checking.
    Imc(imc::Options),
    /// Property-directed reachability.
    Pdr(pdr::Options),
    /// Explicit-state exploration over compiled blocks.
    Explicit,
    /// Exploration by a composition of analyses.
    Explore {
        /// The name used in reports.
        name: String,
        /// The composition; its settings must fit ([`Composition::check`]).
        composition: Box<Composition>,
    },
}

impl Technique {
    /// The name used in reports.
    pub fn name(&self) -> &str {
        match self {
            Technique::Concrete(_) => "concrete",
            Technique::Bmc(_) => "bmc",
            Technique::Induction(options) => match options.invariants {
                true => "k-induction",
                false => "k-induction-plain",
            },
            Technique::Contracts => "contracts",
            Technique::Impact(options) => {
                if options.diagrams {
                    "bdd+impact"
                } else {
                    "impact"
                }
            }
            Technique::Imc(_) => "imc",
            Technique::Pdr(_) => "pdr",
            Technique::Explicit => "explicit",
            Technique::Explore { name, .. } => name,
        }
    }
}

impl Technique {
    /// Whether it only unrolls recursion but is meant to prove, so that contracts have a turn before it.
    fn lacks_contracts(&self) -> bool {
        match self {
            Technique::Impact(options) => options.invariants,
            Technique::Imc(options) => options.invariants,
            Technique::Pdr(options) => options.invariants,
            Technique::Explore { composition, .. } => composition.parts.contains(&PartKind::Predicate),
            Technique::Concrete(_)
            | Technique::Bmc(_)
            | Technique::Induction(_)
            | Technique::Contracts
            | Technique::Explicit => false,
        }
    }
}

impl Technique {
    /// Whether it may give up for lack of interpolants, without unrolling the program itself.
    fn interpolates(&self) -> bool {
        matches!(self, Technique::Explore { composition, .. } if composition.parts.contains(&PartKind::Predicate))
    }
}

/// Whether `program` reads inputs of some kinds.
fn reads_inputs(program: &Program, kinds: impl Fn(&InputKind) -> bool) -> bool {
    has_edge(program, |e| matches!(program.op(e), Op::Input { kind, .. } if kinds(kind)))
}

/// The share of the time for the first turn of symbolic execution in a round; `goes_on` says that it had a turn before. What it did then is
/// not lost, while most others begin again: where much speaks for paths, it then gets what it may lack.
fn share_of_paths(program: &Program, goes_on: bool) -> f64 {
    let is_place = |kind: &InputKind| *kind == InputKind::Layout;
    // Without inputs there is one path, and nothing follows it faster.
    if !reads_inputs(program, |kind| !is_place(kind)) {
        return 0.25;
    }
    // What pointers lead to is known on a path, as it is in no formula of many paths.
    let [first, later] = match (reads_inputs(program, is_place), program.cfa.allocations.is_empty()) {
        (true, _) => [0.12, 0.4],
        (false, false) => [0.06, 0.2],
        (false, true) => [0.02, 0.02],
    };
    if goes_on { later } else { first }
}

/// The share of the time for merging the states of symbolic execution in a round; `goes_on` says that it had a turn before, which is not lost.
fn share_of_merging(reads_text: bool, goes_on: bool) -> f64 {
    if goes_on && reads_text { 0.55 } else { 0.15 }
}

/// Whether `program` reads text: bytes from outside, one by one or as whole arrays. Such programs have far more paths than states: little
/// else than merging states decides them.
fn reads_text(program: &Program) -> bool {
    let is_from_outside = |kind: &InputKind| matches!(kind, InputKind::Program(_) | InputKind::External(_));
    let is_text = |e: &ViewEdge| match program.op(e) {
        Op::Input { var, kind } if is_from_outside(kind) => match program.cfa.vars[*var].sort {
            Sort::Bv(width) => width == 8,
            sort => matches!(sort, Sort::Array { .. }),
        },
        _ => false,
    };
    !program.cfa.deliveries.is_empty() || has_edge(program, is_text)
}

/// Whether an edge of `program` that can be reached is of a kind.
fn has_edge(program: &Program, kind: impl Fn(&ViewEdge) -> bool) -> bool {
    program.view.reachable(&program.cfa).into_iter().any(|l| program.view.out(l).iter().any(&kind))
}

/// The turn of a technique.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The technique.
    pub technique: Technique,
    /// The time that it may take.
    pub time: Duration,
    /// Whether it is there to prove, and other turns find violations sooner.
    pub proves: bool,
    /// Whether it begins again in another round: then that round begins with a turn of it, of at most [`SOONER`].
    pub comes_sooner: bool,
}

/// The longest time of a turn that comes sooner in a later round than in the first one.
pub(crate) const SOONER: Duration = Duration::from_secs(30);

/// Which techniques to use.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// Several, one after the other.
    Auto,
    /// Only this one.
    Only(Technique),
}

impl Strategy {
    /// The names of all named strategies.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [
            "auto",
            "concrete",
            "bmc",
            "k-induction",
            "k-induction-plain",
            "contracts",
            "impact",
            "bdd+impact",
            "imc",
            "pdr",
            "explicit",
        ]
        .into_iter()
        .chain(Composition::PRESETS)
    }

    /// The strategy with this name.
    pub fn named(name: &str) -> Option<Strategy> {
        Some(match name {
            "auto" => Strategy::Auto,
            "concrete" => Strategy::Only(Technique::Concrete(concrete::Options::default())),
            "bmc" => Strategy::Only(Technique::Bmc(bmc::Options::default())),
            "k-induction" => Strategy::induction(true),
            "k-induction-plain" => Strategy::induction(false),
            "bdd+impact" => {
                Strategy::Only(Technique::Impact(impact::Options { diagrams: true, ..impact::Options::default() }))
            }
            "impact" => Strategy::Only(Technique::Impact(impact::Options::default())),
            "imc" => Strategy::Only(Technique::Imc(imc::Options::default())),
            "pdr" => Strategy::Only(Technique::Pdr(pdr::Options::default())),
            "contracts" => Strategy::Only(Technique::Contracts),
            "explicit" => Strategy::Only(Technique::Explicit),
            _ => Strategy::explore(name, Composition::named(name)?),
        })
    }

    fn induction(invariants: bool) -> Strategy {
        Strategy::Only(Technique::Induction(k_induction::Options { invariants, ..k_induction::Options::default() }))
    }

    /// Exploration by `composition`, under the name `name`.
    pub fn explore(name: &str, composition: Composition) -> Strategy {
        Strategy::Only(Technique::Explore { name: name.to_string(), composition: Box::new(composition) })
    }

    /// The name used in reports.
    pub fn name(&self) -> &str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Only(technique) => technique.name(),
        }
    }

    /// Whether to slice the program for its targets before it is explored.
    pub fn slices_first(&self) -> bool {
        match self {
            Strategy::Only(Technique::Explore { composition, .. }) => composition.slices_first,
            _ => true,
        }
    }

    /// The time of each round of turns. If there is much time, a proof that needs a late technique should not have to wait until the
    /// earlier ones have spent their shares; the cost of the additional first round is small then.
    pub(crate) fn rounds(&self, budget: Budget) -> Vec<Duration> {
        match self {
            Strategy::Auto if budget.left() > LONG => vec![QUICK_ROUND, budget.left()],
            _ => vec![budget.left()],
        }
    }

    /// The turns of round number `number`, in order.
    pub(crate) fn plan(&self, program: &Program, number: usize, round: Budget) -> Vec<Turn> {
        let all = round.left();
        let turn = |technique, share| Turn { technique, time: all.mul_f64(share), proves: false, comes_sooner: false };
        let proof = |technique, share| Turn { proves: true, ..turn(technique, share) };
        let explore =
            |name: &str, composition| Technique::Explore { name: name.into(), composition: Box::new(composition) };
        // Other techniques will decide whether a path to a target is feasible.
        let paths = Paths { limit: Duration::from_millis(300), max_paths: 1 };
        let invariants = Composition { paths, ..Composition::invariants() };
        let predicates = Composition {
            predicates: predicate::Options { method: Method::Cartesian, ..predicate::Options::default() },
            ..Composition::predicate()
        };
        let quick = k_induction::Options { base: false, last_k: QUICK_K, ..k_induction::Options::default() };
        let small = bmc::Options { max_terms: 100_000, ..bmc::Options::default() };
        match self {
            Strategy::Only(technique) => {
                let contracts = technique.lacks_contracts() && !program.recursive.is_clear();
                let contracts = contracts.then(|| proof(Technique::Contracts, CONTRACTS_SHARE));
                // Where interpolants do not exist, paths may still be unrolled.
                let unrolled = technique.interpolates().then(|| turn(Technique::Bmc(bmc::Options::default()), 1.0));
                contracts.into_iter().chain([turn(technique.clone(), 1.0)]).chain(unrolled).collect()
            }
            // Runs on concrete inputs, which cost next to nothing. A short turn for each technique, then bounded model checking for the rest of
            // the time. Programs with few paths are done in the first turn. The second is limited to small formulas, since solvers do not stop
            // in time on large ones. Interpolants say what no template of k-induction does, and if so, then soon: these turns are short. Where
            // solvers have found nothing, many more runs may. Symbolic execution comes again before the last turn, because single paths have
            // smaller formulas than all paths together.
            // Programs that read text have fewer states than paths: states are merged there as soon as violations near the start are excluded.
            // In the others this waits for its turn. What it has not done then, it may do in a little more time, where others would try in
            // vain for long.
            // Where states are explored one by one depends on the program, as the choice of an analysis does in [Beyer, Stahlbauer 2014,
            // 4.5].
            Strategy::Auto => {
                let is_first = explicit::suits(program);
                let (first, later) = match is_first {
                    true => (Some(turn(Technique::Explicit, 0.25)), None),
                    false => (None, Some(turn(Technique::Explicit, 0.08))),
                };
                let symex = share_of_paths(program, number > 0);
                let runs = turn(Technique::Concrete(concrete::Options::quick()), 0.05);
                let violations =
                    [turn(explore("symex", Composition::symex()), symex), turn(Technique::Bmc(small), 0.06)];
                let proofs = [
                    proof(explore("invariants", invariants), 0.06),
                    turn(Technique::Imc(imc::Options::default()), 0.05),
                    proof(Technique::Induction(quick), 0.25),
                    turn(Technique::Concrete(concrete::Options::default()), 0.04),
                ];
                let is_text = reads_text(program);
                let merged = explore("symex-merged", Composition { paths, ..Composition::symex_merged() });
                let merged = Turn { comes_sooner: true, ..proof(merged, share_of_merging(is_text, number > 0)) };
                let (soon, late) = if is_text { (Some(merged), None) } else { (None, Some(merged)) };
                let end = [
                    proof(explore("predicate-cartesian", predicates), 0.12),
                    turn(explore("value", Composition::value()), 0.06),
                    turn(explore("symex", Composition::symex()), 0.12),
                    turn(Technique::Bmc(bmc::Options::default()), 1.0),
                ];
                [runs]
                    .into_iter()
                    .chain(first)
                    .chain(violations)
                    .chain(soon)
                    .chain(proofs)
                    .chain(later)
                    .chain(late)
                    .chain(end)
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::view::Slice;
    use std::sync::Arc;
    use std::time::Instant;

    /// Of programs that read bytes, merged states have more of the second round, and come before the attempts to prove by invariants.
    #[test]
    fn programs_that_read_text_are_merged_sooner_and_for_longer() {
        let merging = |text: &str, number: usize| {
            let cfa = kerf_testing::language::program(text);
            let slice = Slice::whole(&cfa);
            let program = Program::new(Arc::new(cfa), slice);
            let round = Budget::until(Instant::now() + Duration::from_secs(100));
            let turns = Strategy::Auto.plan(&program, number, round);
            let place = |name: &str| turns.iter().position(|turn| turn.technique.name() == name).expect("a turn");
            let (merged, induction) = (place("symex-merged"), place("k-induction"));
            (merged < induction, turns[merged].time.as_secs_f64().round())
        };
        let (bytes, words) = ("u8 c = input(); if (c == 3) error();", "u32 c = input(); if (c == 3) error();");
        assert_eq!([merging(bytes, 0), merging(bytes, 1)], [(true, 15.0), (true, 55.0)]);
        assert_eq!([merging(words, 0), merging(words, 1)], [(false, 15.0), (false, 15.0)]);
    }
}
